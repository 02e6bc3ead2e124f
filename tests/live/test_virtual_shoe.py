"""Virtual tables: committed before the first bet, dealt in that order, closed until revealed; burn, cut card, dice, keys."""

from contextlib import suppress
from itertools import pairwise
from pathlib import Path

import pytest
from sessions import CAT
from test_table import BACCARAT, BLACKJACK, CHOICE, DUKI, EDITIONS, MAIN, PAI_GOW, PURSE, ROOT, SUE, Pit, events

from houseway.cards import parse_cards, show_cards
from houseway.house.audit import Auditor
from houseway.house.floor import Floor
from houseway.house.keys import SEALING, load_or_make_key
from houseway.house.shoe import Commitment, Revealed, check
from houseway.house.store import PostgreSQLWriter, SQLiteWriter, Store
from houseway.refusal import Refused
from houseway.table import Phase, handle, unfolded
from houseway.table.event import FORM
from houseway.table.fold import context
from houseway.table.state import changed

SIZES = {BACCARAT: 416, PAI_GOW: 53, BLACKJACK: 312, DUKI: 52}
every_edition = pytest.mark.parametrize("edition", EDITIONS)


def virtual(folder, edition=BACCARAT, **opening):
    return Pit(folder, edition, "virtual-shoe", **opening)


def entries(pit, *kinds):
    return [entry for entry in pit.floor.store.entries() if entry.kind in kinds]


def deal(pit, *seats):
    for seat in seats or (1,):
        pit.bet(seat, "ann", **{MAIN[pit.edition]: 100})
    pit.no_more_bets()
    return pit.do("deal")


def act(pit, choose=None):
    """Everybody decides, and what waits for a supervisor is acknowledged."""
    while pit.to_act:
        seat, allowed = next(iter(pit.to_act.items()))
        wanted = choose(allowed) if choose else CHOICE[pit.edition]
        pit.decide(seat, wanted if wanted in allowed or pit.edition == PAI_GOW else allowed[0])


def play(pit, *seats, choose=None):
    deal(pit, *seats)
    act(pit, choose)
    return pit.do("settle")


def drawn_from(pit, shoe):
    """Every card the journal says came from a shoe, in order."""
    told = [event for entry in pit.floor.store.entries() for event in entry.data.get("events", [])]
    return [card for event in told if event["event"] == "cards-drawn" and event["shoe"] == shoe for card in event["cards"]]


def commitments(pit):
    return {entry.data["shoe"]: entry for entry in entries(pit, "shoe-committed")}


def revelations(pit):
    return {entry.data["shoe"]: entry for entry in entries(pit, "shoe-revealed")}


def opens(pit, shoe):
    revealed = revelations(pit)[shoe].data
    order = Revealed(parse_cards(revealed["order"]), revealed["salt"])
    return check(Commitment(commitments(pit)[shoe].data["commitment"]), order)


# Commitment and reveal


@every_edition
def test_the_commitment_precedes_the_first_bet(tmp_path, edition):
    pit = virtual(tmp_path, edition)
    (committed,) = entries(pit, "shoe-committed")
    play(pit)
    assert committed.seq < entries(pit, "bet")[0].seq
    assert len(committed.data["commitment"]) == 64 and committed.data["size"] == SIZES[edition]


@every_edition
def test_the_revealed_order_opens_the_commitment_and_every_card_is_the_next_of_it(tmp_path, edition):
    pit = virtual(tmp_path, edition)
    for _ in range(3):
        play(pit)
    pit.do("close", SUE)
    assert commitments(pit).keys() == revelations(pit).keys()
    for shoe, committed in commitments(pit).items():
        assert opens(pit, shoe)
        order = revelations(pit)[shoe].data["order"].split()
        drawn = drawn_from(pit, shoe)
        burned = committed.data["burned"]
        assert drawn == order[burned : burned + len(drawn)]
        assert sorted(order) == sorted(show_cards(full_shoe(edition)).split())
        assert not opens_with_other_order(pit, shoe)
    pit.check()


def full_shoe(edition):
    copies = {BACCARAT: 8, BLACKJACK: 6}.get(edition, 1)
    return [card for card in range(53 if edition == PAI_GOW else 52) for _ in range(copies)]


def opens_with_other_order(pit, shoe):
    revealed = revelations(pit)[shoe].data
    order = list(parse_cards(revealed["order"]))
    other = next(place for place in range(1, len(order)) if order[place] != order[0])
    order[0], order[other] = order[other], order[0]
    return check(Commitment(commitments(pit)[shoe].data["commitment"]), Revealed(tuple(order), revealed["salt"]))


@every_edition
def test_the_hands_are_the_cards_drawn(tmp_path, edition):
    pit = virtual(tmp_path, edition)
    entry = deal(pit, 1, 2)
    drawn = [card for event in events(entry, "cards-drawn") for card in event["cards"]]
    assert show_cards(pit.round.drawn).split() == drawn
    assert sorted(card for hand in pit.hands.values() for card in hand) == sorted(parse_cards(" ".join(drawn)))


@every_edition
def test_the_undealt_order_is_in_no_entry_before_the_reveal(tmp_path, edition):
    pit = virtual(tmp_path, edition)
    shoe = pit.table.shoe.id
    play(pit)
    pit.do("close", SUE)
    data = revelations(pit)[shoe].data
    burned, drawn = commitments(pit)[shoe].data["burned"], drawn_from(pit, shoe)
    order = data["order"].split()
    undealt = order[burned + len(drawn) :]
    for entry in pit.floor.store.entries():
        if entry.seq < revelations(pit)[shoe].seq:
            assert data["salt"] not in entry.payload
            for text in (" ".join(undealt[:3]), '","'.join(undealt[:3]), " ".join(order[:3]) if burned else " ".join(undealt)):
                assert text not in entry.payload
            assert all(str(number)[1:-1] not in entry.payload for number in (list(parse_cards(" ".join(undealt[:8]))),))


def test_the_undealt_order_is_not_in_the_files_of_the_store(tmp_path):
    pit = virtual(tmp_path, DUKI)
    shoe = pit.table.shoe.id
    deal(pit)
    content = b"".join(file.read_bytes() for file in tmp_path.glob("house.db*"))
    act(pit)
    pit.do("settle")
    order = revelations(pit)[shoe].data["order"]
    numbers = ", ".join(str(card) for card in parse_cards(order)[8:20])
    for secret in (" ".join(order.split()[8:20]), numbers, numbers.replace(" ", ""), revelations(pit)[shoe].data["salt"]):
        assert secret.encode() not in content


# The shoe of many decks


@pytest.mark.parametrize(("edition", "settings"), [(BACCARAT, {"decks": 6}), (BLACKJACK, {"decks": 1})])
def test_bj_9_one_card_is_burned_and_the_cut_card_ends_the_shoe_after_the_round_in_progress(tmp_path, edition, settings):
    pit = virtual(tmp_path, edition, settings=settings)
    shoe, size = pit.table.shoe.id, pit.table.shoe.size
    committed = commitments(pit)[shoe].data
    assert (size, committed["burned"], committed["cut"]) == (52 * settings["decks"], 1, size * 75 // 100)
    used = [1]
    while pit.table.shoe.id == shoe:
        play(pit)
        used.append(1 + len(drawn_from(pit, shoe)))
    assert used[-2] < committed["cut"] <= used[-1] <= size
    assert opens(pit, shoe)
    assert commitments(pit).keys() == {shoe, pit.table.shoe.id}
    assert commitments(pit)[pit.table.shoe.id].seq > revelations(pit)[shoe].seq
    play(pit)
    assert drawn_from(pit, pit.table.shoe.id) and len(drawn_from(pit, shoe)) == used[-1] - 1
    pit.check()


def test_bj_9_if_the_shoe_runs_out_the_discards_are_shuffled_in(tmp_path):
    pit = virtual(tmp_path, BLACKJACK, settings={"decks": 1})
    while not 33 <= pit.table.shoe.used < 39:  # so near the cut card that seven hands need more than is left
        play(pit)
    shoe = pit.table.shoe.id
    play(pit, 1, 2, 3, 4, 5, 6, 7, choose=lambda allowed: "hit" if "hit" in allowed else allowed[0])
    assert pit.table.shoe.id != shoe
    assert pit.round.phase == Phase.BETTING
    pit.check()


# A shuffle for every round


@pytest.mark.parametrize(
    ("edition", "settings"), [(PAI_GOW, {}), (DUKI, {}), (BLACKJACK, {"shuffler": "continuous"})], ids=["epg", "d4p", "llb_11"]
)
def test_one_deck_games_and_a_continuous_shuffler_commit_every_round(tmp_path, edition, settings):
    pit = virtual(tmp_path, edition, settings=settings)
    shoes = [pit.table.shoe.id]
    for _ in range(3):
        entry = play(pit)
        assert events(entry, "round-settled")[0]["shoe_done"] == shoes[-1]
        assert opens(pit, shoes[-1])
        shoes.append(pit.table.shoe.id)
    assert len(set(shoes)) == 4 == len(commitments(pit))
    assert len({entry.data["commitment"] for entry in commitments(pit).values()}) == 4
    for shoe, following in pairwise(shoes):
        assert revelations(pit)[shoe].seq < commitments(pit)[following].seq
    pit.check()


@every_edition
def test_a_void_takes_the_cards_out(tmp_path, edition):
    pit = virtual(tmp_path, edition)
    shoe = pit.table.shoe.id
    deal(pit)
    gone = drawn_from(pit, shoe)
    pit.do("void", SUE, reason="misdeal")
    assert pit.purse("ann") == PURSE
    play(pit)
    if edition in {PAI_GOW, DUKI}:
        assert opens(pit, shoe) and pit.table.shoe.id != shoe
    else:
        assert drawn_from(pit, shoe)[: len(gone)] == gone and len(drawn_from(pit, shoe)) > len(gone)
    pit.check()


# Dice


def test_epg_6_the_dice_are_committed_with_the_shuffle_and_revealed(tmp_path):
    pit = virtual(tmp_path, PAI_GOW)
    thrown = []
    for _ in range(4):
        shoe = pit.table.shoe.id
        committed = commitments(pit)[shoe].data
        pit.bet(2, "ann", base=100)
        pit.no_more_bets()
        dice = pit.round.dice
        pit.do("deal")
        first = next(who for who, hand in pit.hands.items() if tuple(hand) == pit.round.drawn[:7])
        assert first == (dice if dice < 7 else "dealer")
        act(pit)
        pit.do("settle")
        revealed = revelations(pit)[shoe].data
        opened = Revealed(tuple(revealed["dice"]), revealed["dice_salt"], kind="dice")
        assert check(Commitment(committed["dice_commitment"]), opened)
        assert revealed["dice"] == [dice] and 1 <= dice <= 7
        thrown.append(dice)
    assert len(thrown) == 4
    pit.check()


def test_epg_6_nobody_keys_the_dice_of_a_virtual_table(tmp_path):
    pit = virtual(tmp_path, PAI_GOW)
    pit.bet(2, "ann", base=100)
    assert pit.refused("no-more-bets", dice=3).code == "bad-dice"


# What is read of a shoe


def reading(pit, monkeypatch):
    """How often what is sealed is read from the store."""
    read = []
    for writer in (SQLiteWriter, PostgreSQLWriter):
        usual = writer._read_seals
        monkeypatch.setattr(writer, "_read_seals", lambda self, shoes, usual=usual: read.append(shoes) or usual(self, shoes))
    return read


def test_a_shoe_that_was_found_true_is_not_read_for_every_round(tmp_path, monkeypatch):
    pit = virtual(tmp_path)
    play(pit)
    read = reading(pit, monkeypatch)
    for _ in range(3):
        play(pit)
    assert read == []
    other = Floor(Store(pit.url), pit.key_file)
    other.refresh()
    other.do({"kind": "buy-in", "guest": "bob", "cents": 100}, CAT)
    play(pit)
    assert read, "somebody else has written: he may have sealed it anew"
    assert Auditor(pit.floor.store).run().flaw is None


def test_a_shoe_is_dealt_from_on_though_its_key_was_changed_meanwhile(tmp_path):
    """By another program: what was sealed with the one before can still be opened."""
    pit = virtual(tmp_path)
    play(pit)
    (shoe,) = commitments(pit)
    other = Floor(Store(pit.url), pit.key_file)
    other.refresh()
    other.keys.rotate(SEALING)
    other.do({"kind": "buy-in", "guest": "bob", "cents": 100}, CAT)
    play(pit)
    assert (pit.table.shoe.id, len(commitments(pit))) == (shoe, 1)
    assert Auditor(pit.floor.store).run().flaw is None


# Keys


def with_key(pit, key_file):
    load_or_make_key(key_file)  # of another house: one that is missing is refused
    pit.floor = Floor(Store(pit.url), key_file)
    pit.floor.refresh()
    return pit


@every_edition
def test_a_foreign_key_is_refused_clearly_and_the_round_can_be_voided(tmp_path, edition):
    pit = virtual(tmp_path, edition)
    pit.bet(1, "ann", **{MAIN[edition]: 10_000})
    if edition != PAI_GOW:  # its dice are sealed as well
        pit.no_more_bets()
    with_key(pit, tmp_path / "foreign.key")
    refusal = pit.refused("no-more-bets" if edition == PAI_GOW else "deal")
    assert refusal.code == "seal-broken" and "key" in refusal.message
    pit.do("void", SUE, reason="power-failure")
    assert (pit.purse("ann"), pit.felt, pit.round.phase) == (PURSE, 0, Phase.BETTING)
    assert len(entries(pit, "shoe-committed")) == 1, "no other shoe has followed"


@pytest.mark.parametrize("edition", [BACCARAT, BLACKJACK])
def test_the_round_after_a_void_goes_on_when_the_true_key_is_back(tmp_path, edition):
    pit = with_key(virtual(tmp_path, edition), tmp_path / "foreign.key")
    pit.do("void", SUE, reason="power-failure")
    with_key(pit, pit.key_file)
    play(pit)
    assert len(entries(pit, "shoe-committed")) == 1 and Auditor(pit.floor.store).run().flaw is None


@every_edition
def test_a_table_goes_on_with_a_new_key_after_two_have_recorded_the_loss(tmp_path, edition):
    pit = with_key(virtual(tmp_path, edition), tmp_path / "foreign.key")
    pit.do("void", SUE, reason="power-failure")
    pit.do("lost-shoe", SUE, witness="tom", reason="the key file was replaced")
    play(pit)
    flaws = Auditor(pit.floor.store).run().flaws
    assert len(flaws) == 1 and "committed to and is lost" in flaws[0].what


@every_edition
def test_a_table_whose_key_is_lost_is_closed_after_two_have_recorded_it(tmp_path, edition):
    pit = with_key(virtual(tmp_path, edition), tmp_path / "foreign.key")
    with pytest.raises(Refused, match="two supervisors record that first") as caught:
        pit.do("close", SUE)
    assert caught.value.code == "shoe-lost" and pit.table.is_open
    pit.do("lost-shoe", SUE, witness="tom", reason="the key file was replaced")
    pit.do("close", SUE)
    assert not pit.table.is_open and pit.tray == 0
    assert [flaw.what.split(":")[0].split(" ", 2)[2] for flaw in Auditor(pit.floor.store).run().flaws] == [
        "was committed to and is lost"
    ]


def test_a_key_file_that_is_none_is_refused(tmp_path):
    bad = tmp_path / "bad.key"
    bad.write_text("not a key\n")
    bad.chmod(0o600)
    for file, code in ((bad, "bad-key"), (Path(tmp_path / "no" / "where.key"), "key-unreadable")):
        with pytest.raises(Refused) as caught:
            Floor(Store(f"sqlite:///{tmp_path / 'house.db'}"), file)
        assert caught.value.code == code and file.name in caught.value.message


def test_two_floors_on_one_store_deal_the_same_shoe(tmp_path):
    pit = virtual(tmp_path, BACCARAT)
    other = Floor(Store(pit.url), pit.key_file)
    shoe = pit.table.shoe.id
    play(pit)
    other.do({"kind": "fund", "cents": 5}, ROOT)
    pit.bet(1, "ann", banker=100)
    pit.no_more_bets()
    other.do({"kind": "deal", "table": "t1"}, SUE)
    assert other.state.tables["t1"].shoe.used == 1 + len(drawn_from(pit, shoe))
    assert unfolded(other.state.tables["t1"]).is_complete
    pit.do("settle")
    pit.check()


# Mends leave the shoe alone


def order_of(pit):
    """The order of the shoe in play, which only the house knows."""
    with pit.floor.store.writing() as writer:
        return pit.floor._opened(writer, pit.table.shoe)[1]


@pytest.mark.parametrize("edition", [BACCARAT, BLACKJACK])
@pytest.mark.parametrize("kind", ["change-bet", "acknowledge"])
def test_bj_9_a_mend_before_the_deal_changes_no_card_of_the_committed_shoe(tmp_path, edition, kind):
    pit = virtual(tmp_path, edition)
    play(pit)
    shoe, used = pit.table.shoe.id, pit.table.shoe.used
    pit.bet(1, "ann", **{MAIN[edition]: 10_000})
    pit.no_more_bets()
    changes = {"seat": 1, "wager": MAIN[edition], "stake_cents": 6_000, "reason": "counted again"}
    with suppress(Refused):  # where nothing waits for it, an acknowledgement may be refused
        entry = pit.do(kind, SUE, **(changes if kind == "change-bet" else {}))
        assert "cards-drawn" not in [event["event"] for event in entry.data["events"]]
    assert (pit.table.shoe.id, pit.table.shoe.used, pit.table.round.drawn) == (shoe, used, ())
    assert pit.table.round.phase == Phase.DEALING and pit.table.discards
    pit.do("deal")
    assert pit.table.round.drawn == order_of(pit)[used : pit.table.shoe.used] != ()
    act(pit)
    pit.do("settle")
    pit.check()


def test_a_mend_of_before_wanted_a_card_and_still_replays(tmp_path):
    pit = virtual(tmp_path)
    pit.bet(1, "ann", player=1_000)
    pit.no_more_bets()
    mend = {"kind": "change-bet", "table": "t1", "seat": 1, "wager": "player", "stake_cents": 600, "reason": "counted again"}
    full = mend | context("2026-05-01T12:00:00+00:00", "2026-05-01", "sue", "supervisor")
    told = {}
    for form in (5, FORM):
        tables = {"t1": changed(pit.table, form=form)}
        effect = handle(changed(pit.floor.state, tables=tables), full, "supervisor", lambda: None)
        told[form] = [event.kind for event in effect.events]
    assert told == {5: ["bet-changed", "card-wanted"], FORM: ["bet-changed"]}


def test_the_audit_names_a_shoe_of_discards_that_was_made_although_cards_were_left(tmp_path):
    pit = virtual(tmp_path)
    play(pit)
    left = pit.table.shoe
    with pit.floor._all_or_nothing() as writer:
        pit.floor._commit(writer, pit.table, pit.table.discards)
    flaws = [flaw.what for flaw in Auditor(pit.floor.store).run().flaws]
    wrong = f"shoe {pit.table.shoe.id} was made of discards while shoe {left.id} had {left.size - left.used} cards"
    assert flaws == [wrong]
