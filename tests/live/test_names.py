"""Names: one rule for guests, staff and the shell; whoever looks like another is refused."""

import unicodedata
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sessions import CAT, ROOT, SUE

from houseway.house import names
from houseway.house.people import People, Session
from houseway.refusal import Refused

LOOK_ALIKES = {
    "case": ("Annika", "ANNIKA"),
    "width": ("Annika", "Ａｎｎｉｋａ"),
    "Cyrillic a": ("Anna", "Аnnа"),
    "wholly Cyrillic": ("cope", "соре"),
    "Greek": ("NIKE", "ΝΙΚΕ"),
    "l, I and 1": ("Bill", "BiI1"),
    "0 and O": ("Otto", "0tt0"),
    "accents": ("Rene", "René"),
    "rn and m": ("Emma", "Ernma"),
    "dots between": ("Jo Ann", "Jo.Ann"),
    "ligature": ("fiona", "ﬁona"),
    "small capitals": ("Ann", "ᴀɴɴ"),
    "a stroke": ("Paul", "Pauł"),
    "a hook": ("Tom", "Ƭom"),
    "a tail": ("Tom", "ʈom"),
    "a click": ("Al", "Aǀ"),
    "mathematical": ("Max", "𝐌𝐚𝐱"),
}
NO_NAMES = {
    "nothing": "",
    "only spaces": "   ",
    "zero-width space": "An\u200bn",
    "right-to-left override": "Ann\u202e",
    "isolate": "\u2066Ann",
    "byte order mark": "\ufeffAnn",
    "filler": "A\u3164nn",
    "no-break space": "Ann\u00a0B",
    "mixed writing": "Аnn",
    "control": "An\x07n",
    "markup": "<b>",
    "Lisu": "ꓮꓓꓟꓲꓠ",
    "Coptic": "Ⲁⲇⲙⲓⲛ",
    "Deseret": "𐐎𐐜",
    "Old Italic": "𐌀𐌃𐌌",
    "long": "A" * 25,
}
RESERVED = ["croupier", "Croupier", "cr0upier", "CROUP1ER", "сrоuрiеr", "house", "H0use", "door", "D00R", "admin", "Adm1n",
            "ａｄｍｉｎ", "administrator", "dealer", "floor", "cage", "demo cage", "Houseway", "super.visor",
            "ᴀᴅᴍɪɴ", "ʜᴏᴜꜱᴇ", "ađmin", "ADMłN", "ċaǥe"]  # fmt: skip


@pytest.mark.parametrize("how", LOOK_ALIKES)
def test_look_alikes_have_one_skeleton(how: str) -> None:
    one, other = LOOK_ALIKES[how]
    assert names.skeleton(one) == names.skeleton(other)
    with pytest.raises(Refused, match="choose another name"):
        names.check_free(names.normal(other), [one])


def test_different_names_stay_different() -> None:
    plain = [
        "Ann",
        "Anna",
        "Hanna",
        "Ben",
        "Bea",
        "Leo",
        "Lea",
        "Theo",
        "Ольга",
        "Олег",
        "李小龙",
        "山田",
        "g1",
        "g2",
        "g10",
        "g11",
    ]
    assert len({names.skeleton(name) for name in plain}) == len(plain)


@pytest.mark.parametrize("why", NO_NAMES)
def test_what_hides_or_deceives_is_no_name(why: str) -> None:
    with pytest.raises(Refused) as refused:
        names.good_name(NO_NAMES[why])
    assert refused.value.code == "bad-name"


@pytest.mark.parametrize("name", RESERVED)
def test_nobody_is_called_like_a_part_of_the_house(name: str) -> None:
    with pytest.raises(Refused) as refused:
        names.good_name(name)
    assert refused.value.code in {"name-reserved", "bad-name"}


def test_the_normal_form_has_no_spaces_around_it() -> None:
    assert names.good_name("  Ａnn ") == "Ann"
    assert names.good_name("Zoe\u0308") == "Zoë"


@given(st.text(max_size=30))
def test_whatever_is_accepted_is_normal_visible_and_stays_as_it_is(text: str) -> None:
    try:
        name = names.good_name(text)
    except Refused:
        return
    assert name == unicodedata.normalize("NFKC", name) == name.strip()
    assert names.good_name(name) == name
    assert names.skeleton(name) and name.isprintable()
    assert names.skeleton(name.upper()) == names.skeleton(name.lower()) or len(name.upper()) != len(name.lower())


# In the books, whoever writes: the same rule, at the floor


@pytest.fixture
def floor(store_url, open_floor):
    made = open_floor(store_url)
    made.do({"kind": "fund", "cents": 10_000_000}, ROOT)
    made.do({"kind": "buy-in", "guest": "Annika", "cents": 10_000}, CAT)
    made.do({"kind": "open", "table": "t1", "edition": "ez-baccarat-wa", "source": "hand-keyed", "opener_cents": 100_000}, SUE)
    return made


@pytest.mark.parametrize("guest", [" Ben", "Ben ", "Be\u00a0n", "Ｂen", "ANNIKA", "Annlka", "Аnnika", "croupier", "H0use"])
@pytest.mark.parametrize("kind", ["buy-in", "sit"])
def test_no_look_alike_comes_into_the_books(floor, kind: str, guest: str) -> None:
    command = {"kind": kind, "guest": guest} | ({"cents": 500} if kind == "buy-in" else {"table": "t1", "seat": 2})
    before = floor.state, floor.store.head()
    with pytest.raises(Refused) as refused:
        floor.do(command, CAT if kind == "buy-in" else SUE)
    assert refused.value.code in {"bad-name", "name-taken", "name-reserved"} or "printable" in refused.value.message
    assert (floor.state, floor.store.head()) == before


def test_whoever_is_in_the_books_goes_on(floor) -> None:
    floor.do({"kind": "buy-in", "guest": "Annika", "cents": 500}, CAT)
    floor.do({"kind": "sit", "table": "t1", "seat": 2, "guest": "Annika"}, SUE)
    floor.do({"kind": "buy-in", "guest": "Marco (house player)", "cents": 500}, CAT)


# At the door


def test_of_many_who_join_under_one_name_at_once_one_does(store_url, open_store) -> None:
    """Also if each writes it in another way."""
    spellings = ["Annika", "ANNIKA", "Annlka", "annika"]
    processes = [People(open_store(store_url)) for _ in spellings]

    def join(at: int, turn: int) -> str:
        name = f"{spellings[at]} {turn}"
        session = Session(f"{at}-{turn}", name, "guest", "csrf", 1_000, 1_000)
        try:
            processes[at].join(session, 0, list)
        except Refused as refused:
            return refused.code
        return "joined"

    with ThreadPoolExecutor(len(spellings)) as pool:
        for turn in range(10, 20):
            came = list(pool.map(lambda at, turn=turn: join(at, turn), range(len(spellings))))
            assert sorted(came) == ["joined", "name-taken", "name-taken", "name-taken"]
    assert len(processes[0].sessions()) == 10
