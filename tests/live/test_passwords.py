"""Passwords that are good enough, and second factors."""

import pytest

from houseway.house import second_factor
from houseway.house.accounts import Accounts
from houseway.house.floor import Actor
from houseway.house.passwords import COMMON, PASSWORD_LEAST, check_password, hashed, is_right, unguessed
from houseway.house.people import People
from houseway.refusal import Refused

HOUSE = Actor("house", "supervisor")
GOOD = [
    "green felt, seven doors",
    "the moon ate my umbrella",
    "vK3#tq9!xWz2",
    "mittwochs regnet es immer",
    "我的密码是一个很长的句子呢",
]
BAD = {
    "short": "vK3#tq9!xWz",
    "a common word": "passwordpassword",
    "a common word with digits": "Password1234",
    "as others write it": "P@ssw0rd!2026",
    "the trade": "CasinoDealer1",
    "two words": "dragon-monkey-1",
    "rows of keys": "qwertyuiop123",
    "one letter": "aaaaaaaaaaaaaaa",
    "a few letters again and again": "abcabcabcabcabc",
    "the alphabet": "abcdefghijklmnop",
    "digits": "1234567890123",
    "a year": "Summer2026!!",
    "the name": "Rumpelstilz-2026",
    "the name twice": "rumpelstilzrumpelstilz",
    "long": "x1y2" * 51,
}


@pytest.mark.parametrize("password", GOOD)
def test_good_passwords_are_taken(password: str) -> None:
    check_password(password, "Rumpelstilz")


@pytest.mark.parametrize("why", BAD)
def test_easily_guessed_passwords_are_refused(why: str) -> None:
    with pytest.raises(Refused) as refused:
        check_password(BAD[why], "Rumpelstilz")
    assert refused.value.code in {"bad-password", "common-password"}
    assert BAD[why] not in refused.value.message


def test_the_name_is_easily_guessed_only_for_its_owner() -> None:
    assert unguessed("xyla-zarqon-19", "Zarqon") < unguessed("xyla-zarqon-19", "Ann")


def test_every_common_word_with_the_usual_ornaments_is_refused() -> None:
    for word in COMMON:
        for ornament in ("{}123456", "{}2026!", "1234{}", "{0}{0}"):
            password = ornament.format(word.capitalize()).ljust(PASSWORD_LEAST, "!")
            with pytest.raises(Refused):
                check_password(password, "Ann")


@pytest.mark.usefixtures("full_hashes")
def test_a_password_is_kept_as_a_costly_hash_with_a_salt_of_its_own() -> None:
    kept = hashed(GOOD[0])
    assert kept.startswith("$argon2id$v=19$m=65536,t=3,p=4$") and kept != hashed(GOOD[0])
    assert is_right(kept, GOOD[0]) and not is_right(kept, GOOD[1]) and not is_right("no hash", GOOD[0])


# The second factor


@pytest.mark.parametrize(("at", "code"), [  # RFC 6238, appendix B, SHA-1
    (59, "94287082"), (1_111_111_109, "07081804"), (1_111_111_111, "14050471"),
    (1_234_567_890, "89005924"), (2_000_000_000, "69279037"), (20_000_000_000, "65353130"),
])  # fmt: skip
def test_codes_are_those_of_the_standard(at: int, code: str) -> None:
    secret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"  # "12345678901234567890"
    assert second_factor.code_at(secret, at // 30, digits=8) == code
    assert second_factor.step_of(secret, code[-6:], at, 0) == at // 30


def test_a_code_is_of_about_now_and_counts_once() -> None:
    secret, now = second_factor.new_secret(), 1_700_000_000
    step = now // 30
    codes = {offset: second_factor.code_at(secret, step + offset) for offset in (-2, -1, 0, 1, 2)}
    taken = [offset for offset, code in codes.items() if second_factor.step_of(secret, code, now, 0) is not None]
    assert taken == [-1, 0, 1] or len(set(codes.values())) < 5
    assert second_factor.step_of(secret, codes[0], now, step) is None, "used before"
    assert second_factor.step_of(secret, f" {codes[1][:3]} {codes[1][3:]} ", now, step) == step + 1
    for odd in ("", "12345", "abcdef", "１２３４５６", "0" * 400):
        assert second_factor.step_of(secret, odd, now, 0) is None or odd in codes.values()


def test_the_uri_is_what_authenticators_read() -> None:
    uri = second_factor.uri("ABC", "Zoë O'Neil")
    assert uri == ("otpauth://totp/Houseway:Zo%C3%AB%20O%27Neil?secret=ABC&issuer=Houseway")


def test_a_code_is_taken_once_whichever_process_is_given_it(store_url, open_floor) -> None:
    from concurrent.futures import ThreadPoolExecutor

    floors = [open_floor(store_url) for _ in range(4)]
    accounts = Accounts(People(floors[0].store), floors[0])
    accounts.add("Ada", "administrator", GOOD[0], HOUSE)
    secret = accounts.offer_second_factor("Ada")
    now, ada = 1_700_000_000, Actor("Ada", "administrator")
    with pytest.raises(Refused, match="six digits"):
        accounts.begin_second_factor(ada, "000000" if second_factor.code_at(secret, now // 30) != "000000" else "1", now)
    recovery = accounts.begin_second_factor(ada, second_factor.code_at(secret, now // 30), now)
    assert len(set(recovery)) == second_factor.RECOVERY_CODES
    people = [People(floor.store) for floor in floors]
    with ThreadPoolExecutor(4) as pool:
        for step in range(now // 30, now // 30 + 5):
            taken = list(pool.map(lambda one, step=step: one.use_step("Ada", step), people))
            assert taken.count(True) == (0 if step == now // 30 else 1)
        for code in recovery:
            taken = list(pool.map(lambda one, code=code: one.use_recovery("Ada", second_factor.digest(code.upper())), people))
            assert taken.count(True) == 1
    kept = people[0].find("Ada")
    assert kept and kept.secret == secret and kept.recovery == ()
    told = "".join(entry.payload for entry in floors[0].store.entries())
    assert secret not in told and not any(code in told for code in recovery)


def test_recovery_codes_are_kept_hashed(store_url, open_floor) -> None:
    floor = open_floor(store_url)
    accounts = Accounts(People(floor.store), floor)
    accounts.add("Ada", "administrator", GOOD[0], HOUSE)
    secret = accounts.offer_second_factor("Ada")
    codes = accounts.begin_second_factor(Actor("Ada", "administrator"), second_factor.code_at(secret, 56), 56 * 30)
    kept = accounts.people.find("Ada")
    assert kept and not set(codes) & set(kept.recovery)
    assert all(len(code) == 64 for code in kept.recovery)
