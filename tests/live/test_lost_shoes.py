"""A shoe that the house committed to is shown, or two say by name that it is lost: no void, close or settlement replaces it.

The seals are deleted, altered or exchanged in the database itself, as somebody with its password would.
"""

import hashlib
import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sessions import CAT, DAN, ROOT, SUE
from sqlalchemy import delete, select, update

from houseway.cards import parse_cards
from houseway.house import schema
from houseway.house import shoe as shoes
from houseway.house.audit import Auditor
from houseway.house.floor import Actor, Floor
from houseway.refusal import Refused
from houseway.table import Phase, Table
from houseway.view import ANYBODY, Reader, happened, table_view

ANN = Actor("ann", "guest")
LOST = {"witness": "tom", "reason": "the disk was exchanged"}


class House:
    """One virtual table in a store of either database."""

    def __init__(self, floor: Floor, edition: str = "ez-baccarat-wa", **opening: Any) -> None:
        self.floor = floor
        self.at = datetime(2026, 3, 1, 12, tzinfo=UTC)
        floor.clock = lambda: self.at
        self.main = {"ez-baccarat-wa": "banker", "ez-pai-gow-wa": "base", "lucky-lucky-wa": "blackjack"}[edition]
        floor.do({"kind": "fund", "cents": 100_000_000}, ROOT)
        for guest in ("ann", "bob"):
            floor.do({"kind": "buy-in", "guest": guest, "cents": 1_000_000}, CAT)
        given = {"edition": edition, "source": "virtual-shoe", "opener_cents": 50_000_000} | opening
        floor.do({"kind": "open", "table": "t1", **given}, SUE)

    def do(self, kind: str, actor: Actor = DAN, **fields: Any) -> Any:
        return self.floor.do({"kind": kind, "table": "t1", **fields}, actor)

    def refused(self, kind: str, actor: Actor = DAN, **fields: Any) -> Refused:
        state = self.floor.state
        with pytest.raises(Refused) as caught:
            self.do(kind, actor, **fields)
        assert self.floor.state == state, "what is refused changes nothing"
        return caught.value

    @property
    def table(self) -> Table:
        return self.floor.state.tables["t1"]

    def bet(self) -> None:
        self.do("bet", seat=1, guest="ann", wager=self.main, cents=1000)

    def deal(self) -> None:
        self.bet()
        self.do("no-more-bets")
        self.do("deal")

    def flaws(self) -> list[str]:
        return [flaw.what for flaw in Auditor(self.floor.store).run().flaws]

    def committed(self) -> list[str]:
        return [entry.data["shoe"] for entry in self.floor.store.entries() if entry.kind == "shoe-committed"]

    # What somebody does to the database

    def delete_seal(self, of: str = "") -> None:
        assert self.table.shoe is not None
        with self.floor.store.engine.begin() as connection:
            gone = connection.execute(delete(schema.sealed).where(schema.sealed.c.shoe == self.table.shoe.id + of))
        assert gone.rowcount == 1

    def alter_seal(self) -> None:
        assert self.table.shoe is not None
        here = schema.sealed.c.shoe == self.table.shoe.id
        with self.floor.store.engine.begin() as connection:
            content = bytearray(connection.execute(select(schema.sealed.c.content).where(here)).scalar_one())
            content[20] ^= 1
            connection.execute(update(schema.sealed).where(here).values(content=bytes(content)))

    def exchange_seal(self, of: str = "") -> None:
        """Somebody who has the key seals another order, or other dice, under the same name."""
        assert self.table.shoe is not None
        here = schema.sealed.c.shoe == self.table.shoe.id + of
        with self.floor.store.engine.begin() as connection:
            content = connection.execute(select(schema.sealed.c.content).where(here)).scalar_one()
            key = self.floor.key
            known = shoes.unseal(key, bytes(content))
            order = known.order[::-1] if not of else [1 + number % 6 for number in known.order]
            _, other = shoes.commit(order, kind=known.kind, burned=known.burned, note=known.note)
            connection.execute(update(schema.sealed).where(here).values(content=shoes.seal(key, other)))


@pytest.fixture
def house(store_url: str, open_floor: Callable[[str], Floor]) -> House:
    return House(open_floor(store_url))


@pytest.mark.parametrize("how", ["delete_seal", "alter_seal", "exchange_seal"])
def test_a_void_does_not_replace_a_shoe_whose_seal_is_gone(house: House, how: str) -> None:
    house.bet()
    house.do("no-more-bets")
    shoe = house.table.shoe
    getattr(house, how)()
    refusal = house.refused("deal")
    assert refusal.code in {"seal-missing", "seal-broken"}
    house.do("void", SUE, reason="power-failure")
    assert house.floor.state.balance("guest:ann") == 1_000_000
    assert house.table.shoe == shoe and len(house.committed()) == 1
    house.bet()
    house.do("no-more-bets")
    assert house.refused("deal").code == refusal.code, "no card comes but from the shoe committed to"


@pytest.mark.parametrize("how", ["delete_seal", "alter_seal", "exchange_seal"])
def test_two_names_record_a_lost_shoe_and_all_at_the_table_are_told(house: House, how: str) -> None:
    shoe = house.table.shoe
    assert shoe is not None
    getattr(house, how)()
    assert house.refused("lost-shoe", DAN, **LOST).code == "role-may-not"
    for witness in ("sue", "Sue", " sue"):
        assert house.refused("lost-shoe", SUE, **LOST | {"witness": witness}).code == "same-person"
    assert house.refused("close", SUE).code == "shoe-lost"
    entry = house.do("lost-shoe", SUE, **LOST)
    assert house.table.shoe is not None and house.table.shoe.id != shoe.id and len(house.committed()) == 2
    told = happened(entry)[0]
    assert (told["number"], told["commitment"], told["event"]) == (1, shoe.commitment, "shoe-lost")
    assert "tom" not in str(told), "guests are not told who of the staff it was"
    for reader in (ANYBODY, Reader("ann", "guest"), Reader("dan", "dealer")):
        (lost,) = table_view(house.floor.state, "t1", reader)["lost_shoes"]
        assert lost["commitment"] == shoe.commitment and "Shoe 1 was lost" in lost["text"] and shoe.commitment in lost["text"]
    house.deal()
    house.do("settle")
    (flaw,) = house.flaws()
    assert shoe.id in flaw and "committed to and is lost" in flaw


def test_a_shoe_that_is_there_cannot_be_given_up(house: House) -> None:
    shoe = house.table.shoe
    refusal = house.refused("lost-shoe", SUE, **LOST)
    assert refusal.code == "shoe-not-lost" and house.table.shoe == shoe


def test_a_lost_shoe_is_recorded_when_no_bets_lie_on_the_table(house: House) -> None:
    house.deal()
    house.delete_seal()
    assert house.refused("lost-shoe", SUE, **LOST).code == "wrong-phase"
    house.do("settle")
    house.bet()
    assert house.refused("lost-shoe", SUE, **LOST).code == "bets-on-table"


def test_the_audit_finds_a_seal_that_is_gone_before_anybody_plays_on(house: House) -> None:
    assert house.flaws() == []
    assert house.table.shoe is not None
    house.delete_seal()
    (flaw,) = house.flaws()
    assert house.table.shoe.id in flaw and "its seal is not in the store" in flaw


@pytest.mark.parametrize("of", ["", ":dice"])
def test_a_shoe_that_is_done_when_its_seal_is_gone_is_followed_by_none(
    of: str, store_url: str, open_floor: Callable[[str], Floor]
) -> None:
    """One deck a round: the settlement is made, and then the table stands still; so too if only the dice are lost."""
    house = House(open_floor(store_url), "ez-pai-gow-wa")
    house.deal()
    house.delete_seal(of)
    house.do("decide", seat=1, choice="house-way", guest="ann")
    house.do("settle")
    assert house.table.shoe is None and len(house.committed()) == 1 and house.table.round.phase == Phase.BETTING
    assert house.refused("bet", seat=1, guest="ann", wager="base", cents=1000).code == "shoe-lost"
    (lost,) = table_view(house.floor.state, "t1", ANYBODY)["lost_shoes"]
    assert "no bets are taken" in lost["text"]
    house.do("lost-shoe", SUE, **LOST)
    assert len(house.committed()) == 2
    (lost,) = table_view(house.floor.state, "t1", ANYBODY)["lost_shoes"]
    assert "two of the house have recorded it" in lost["text"]
    house.deal()
    again = open_floor(store_url)
    assert again.refresh() == house.floor.state, "folded again, it is the same"


def test_dice_that_were_exchanged_stop_the_table_as_exchanged_cards_do(
    store_url: str, open_floor: Callable[[str], Floor]
) -> None:
    house = House(open_floor(store_url), "ez-pai-gow-wa")
    house.bet()
    house.exchange_seal(":dice")
    refusal = house.refused("no-more-bets")
    assert refusal.code == "seal-broken" and "dice" in refusal.message
    house.do("void", SUE, reason="power-failure")
    house.do("lost-shoe", SUE, **LOST)
    assert len(house.committed()) == 2
    house.deal()


def test_a_journal_in_which_another_shoe_followed_a_lost_one_is_flawed(house: House) -> None:
    """As a house did that was made to: the loss, and at once another shoe."""
    lost = house.table.shoe
    assert lost is not None
    house.delete_seal()
    with house.floor.store.writing() as writer:
        house.floor._reveal(writer, "t1", lost)
        house.floor._commit(writer, house.table, ())
    found = house.flaws()
    assert any(f"follows shoe {lost.id}" in flaw and "no two supervisors" in flaw for flaw in found)


# Guests' randomness

SEED_A, SEED_B = "a" * 64, "0b" * 32
BOB = Actor("bob", "guest")


def mixing(open_floor: Callable[[str], Floor], url: str, edition: str = "ez-baccarat-wa") -> House:
    house = House(open_floor(url), edition, guest_seeds=20)
    for seat, guest in ((1, "ann"), (2, "bob")):
        house.do("sit", seat=seat, guest=guest)
    return house


def test_no_bets_before_every_guest_has_added(store_url: str, open_floor: Callable[[str], Floor]) -> None:
    house = mixing(open_floor, store_url)
    bet = {"seat": 1, "guest": "ann", "wager": "banker", "cents": 1000}
    assert house.refused("bet", ANN, **bet).code == "shoe-not-mixed"
    mixing_now = table_view(house.floor.state, "t1", ANYBODY)["mixing"]
    assert (mixing_now["is_open"], mixing_now["added"], mixing_now["lacking"]) == (True, [], ["ann", "bob"])
    house.do("seed", ANN, seed=SEED_A)
    assert house.refused("bet", ANN, **bet).code == "shoe-not-mixed"
    assert house.refused("seed", ANN, seed=SEED_B).code == "seed-added"
    entry = house.do("seed", BOB, seed=SEED_B)
    assert [event["event"] for event in entry.data["events"]] == ["seed-added", "shoe-mixed"]
    assert entry.data["events"][1]["seeds"] == [SEED_B, SEED_A] and entry.data["events"][1]["left_out"] == []
    assert table_view(house.floor.state, "t1", ANYBODY)["mixing"]["added"] == ["ann", "bob"]
    house.do("bet", ANN, **bet)
    assert house.refused("seed", ANN, seed=SEED_A).code == "no-seed-wanted"


def test_who_adds_nothing_is_left_out_after_the_time_and_not_before(store_url: str, open_floor: Callable[[str], Floor]) -> None:
    house = mixing(open_floor, store_url)
    house.do("seed", ANN, seed=SEED_A)
    house.at += timedelta(seconds=19)
    refusal = house.refused("mix")
    assert refusal.code == "seeds-awaited" and "bob" in refusal.message
    house.at += timedelta(seconds=1)
    entry = house.do("mix")
    (mixed,) = entry.data["events"]
    assert (mixed["guests"], mixed["left_out"]) == (["ann"], ["bob"])
    house.deal()


def test_only_who_sits_there_adds_and_only_hex_digits(store_url: str, open_floor: Callable[[str], Floor]) -> None:
    house = mixing(open_floor, store_url)
    assert house.refused("seed", Actor("eve", "guest"), seed=SEED_A).code == "not-seated"
    for bad in ("", "a" * 63, "A" * 64, "g" * 64, "a" * 65):
        refusal = house.refused("seed", ANN, seed=bad)
        assert refusal.code == "bad-command" and "64 lower-case hex digits" in refusal.message
    assert house.refused("seed", DAN, seed=SEED_A).code == "role-may-not"


def test_without_the_setting_nobody_adds_and_manual_tables_never_do(house: House) -> None:
    assert house.table.guest_seeds == 0 and house.table.shoe is not None and not house.table.shoe.wants_seeds
    house.do("sit", seat=1, guest="ann")
    assert house.refused("seed", ANN, seed=SEED_A).code == "no-seed-wanted"
    with pytest.raises(Refused) as caught:
        given = {"edition": "ez-baccarat-wa", "source": "hand-keyed", "opener_cents": 100, "guest_seeds": 20}
        house.floor.do({"kind": "open", "table": "t2", **given}, SUE)
    assert caught.value.code == "no-seeds"


@pytest.mark.parametrize("edition", ["ez-baccarat-wa", "ez-pai-gow-wa", "lucky-lucky-wa"])
def test_a_table_of_one_and_every_edition_play_and_audit(
    edition: str, store_url: str, open_floor: Callable[[str], Floor]
) -> None:
    house = House(open_floor(store_url), edition, guest_seeds=20)
    house.do("sit", seat=1, guest="ann")
    for number in range(3):
        if house.table.shoe is not None and house.table.shoe.wants_seeds:
            house.do("seed", ANN, seed=f"{number:064x}")
        house.deal()
        while house.table.round.phase == Phase.DECIDING:
            view = table_view(house.floor.state, "t1", Reader("ann", "guest"))
            house.do("decide", seat=1, guest="ann", choice=view["seats"][0]["to_act"][-1])
        house.do("settle")
    house.do("close", SUE)
    assert house.flaws() == []
    assert open_floor(store_url).refresh() == house.floor.state


def mixed_by_hand(cards: list[int], seed: str, guests: list[str]) -> list[int]:
    """The construction once more, as the documents tell it."""
    key = hashlib.sha256(f"houseway-mix-1|{seed}|{' '.join(sorted(guests))}".encode()).hexdigest()
    words: list[int] = []
    block = 0
    order = sorted(cards)
    for last in reversed(range(1, len(order))):
        n = last + 1
        while True:
            if not words:
                digest = hashlib.sha256(f"{key}|{block}".encode()).digest()
                words, block = [int.from_bytes(digest[at : at + 4], "big") for at in range(0, 32, 4)], block + 1
            word = words.pop(0)
            if word < (2**32 // n) * n:
                break
        order[last], order[word % n] = order[word % n], order[last]
    return order


def test_the_order_follows_from_the_house_and_the_guests(store_url: str, open_floor: Callable[[str], Floor]) -> None:
    house = mixing(open_floor, store_url)
    assert house.table.shoe is not None
    commitment = house.table.shoe.commitment
    house.do("seed", ANN, seed=SEED_A)
    house.do("seed", BOB, seed=SEED_B)
    house.deal()
    house.do("settle")
    house.do("close", SUE)
    (revealed,) = [entry.data for entry in house.floor.store.entries() if entry.kind == "shoe-revealed"]
    order = list(parse_cards(revealed["order"]))
    assert order == mixed_by_hand(order, revealed["salt"], [SEED_A, SEED_B]) != sorted(order)
    assert order != mixed_by_hand(order, revealed["salt"], [SEED_A]), "every guest's counts"
    assert shoes.opens(shoes.Commitment(commitment), tuple(order), revealed["salt"], [SEED_B, SEED_A])


def test_an_export_of_a_mixed_shoe_is_verified_offline(bare_shell, tmp_path) -> None:  # type: ignore[no-untyped-def]
    """`houseway journal export --format shoes`, then `houseway shoe verify`, which has neither store nor key."""
    bare_shell("cage fund 100000 --as root:administrator")
    bare_shell("cage buy-in 1000 --guest ann --as cat:cashier")
    opening = "--edition lucky-lucky-wa --source virtual-shoe --opener 10000 --guest-seeds 30"
    bare_shell(f"table open t1 {opening} --as sue:supervisor")
    bare_shell("table sit t1 --seat 1 --guest ann --as dan:dealer")
    assert "it waits for the screens of ann to add to it" in bare_shell("table show t1")
    bare_shell(f"table seed t1 {SEED_A} --as ann:guest")
    bare_shell("table bet t1 blackjack=10 --seat 1 --guest ann --as dan:dealer")
    bare_shell("table no-more-bets t1 --as dan:dealer")
    bare_shell("table void t1 --reason misdeal --as sue:supervisor")
    bare_shell("table close t1 --as sue:supervisor")
    lines = bare_shell("journal export --format shoes").splitlines()
    export = tmp_path / "shoes.jsonl"
    export.write_text("\n".join(lines))
    assert bare_shell(f"shoe verify --require-revealed {export}").strip() == "every shoe holds"
    mixed = next(line for line in lines if '"shoe-mixed"' in line)
    assert json.loads(mixed)["seeds"] == [SEED_A]
    for wrong in (mixed.replace(SEED_A, SEED_B), ""):
        export.write_text("\n".join(lines).replace(mixed, wrong))
        assert "does not follow from the seed" in bare_shell(f"shoe verify {export}", code=1)


def test_the_audit_derives_the_order_of_a_mixed_shoe_itself(
    store_url: str, open_floor: Callable[[str], Floor], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A house whose program leaves a guest's seed out deals another order: the audit, with the true program, says so."""
    house, honest = mixing(open_floor, store_url), shoes.mixed
    house.do("seed", ANN, seed=SEED_A)
    house.do("seed", BOB, seed=SEED_B)
    with monkeypatch.context() as patched:
        patched.setattr(shoes, "mixed", lambda cards, seed, guests: honest(cards, seed, [SEED_A]))
        house.deal()
        house.do("settle")
        house.do("close", SUE)
    (flaw,) = house.flaws()
    assert "is not the one that follows from its seeds" in flaw
