"""Refusals are sentences for people: wagers by their names, never by ids alone, and no field as a program names it."""

import random
import re

import pytest
from test_table import BACCARAT, BLACKJACK, DAN, SUE, Pit

import houseway
from houseway.games import edition_files
from houseway.refusal import Refused
from houseway.table import Phase, unfolded
from houseway.table.commands import COMMANDS, declared
from houseway.table.duties import one_of_roles
from houseway.table.roles import ROLES
from houseway.view.words import event_words

FIELDS = {name for declaration in COMMANDS.values() for name in declaration.fields if "_" in name}
OF_TABLE = {  # what is asked of a table, mostly what it cannot do
    DAN: ("bet", "bet", "withdraw", "result", "card", "undo", "decide", "settle", "correct-card"),
    SUE: ("change-bet", "change-bet", "correct", "acknowledge", "replace-card"),
}


def bare_ids(edition, said):
    """Ids of wagers that stand in a sentence without the name beside them, and fields as a program names them."""
    ids = [(id_, wager.name) for id_, wager in edition.game.wagers.items() if id_.casefold() != wager.name.casefold()]
    for id_, name in ids:
        said = said.replace(f"{id_} ({name})", "")
    said = re.sub(r'"[^"]*"', "", said)  # what was typed is repeated as it was
    words = [*(id_ for id_, _ in ids), *FIELDS]
    return [word for word in words if re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", said)]


def command(kind, edition, chance):
    """A command of this kind that is well-formed, and as often as not impossible."""
    wagers = [*edition.game.wagers, "roulette"]
    cents = chance.choice([50, 500, 700, 2_500, 30_000, 60_000])
    values = {
        "seat": chance.randint(1, 3),
        "guest": chance.choice(["ann", "bob"]),
        "wager": chance.choice(wagers),
        "cents": cents,
        "stake_cents": chance.choice([0, cents]),
        "reason": "keyed wrongly",
        "place": chance.randint(1, 5),
        "card": chance.choice(["As", "7h"]),
        "cards": chance.choice(["As", "9s 2h Kd Kc"]),
        "result": chance.choice(wagers),
        "choice": chance.choice(["hit", "play", "house-way", "look"]),
        "round": chance.randint(1, 3),
        "seat_bets": {"1": [[chance.choice(wagers), cents]]},
        "dealer_bets": {"1": [[chance.choice(wagers), cents]]},
        "void": True,
        "for_dealer": True,
    }
    declaration = COMMANDS[kind]
    extra = [name for field in declaration.may if (name := field.name) in values and chance.random() < 0.3]
    return {name: values[name] for name in (*(field.name for field in declaration.needs), *extra) if name in values}


def opening(edition, chance):
    """Options of a table, some of them impossible."""
    wagers = [*edition.wagers, "roulette"]
    return chance.choice(
        [
            {"limits": {chance.choice(wagers): [chance.choice([1, 500]), 90_000]}},
            {"aggregates": {chance.choice(wagers): 5_000}},
            {"offered": chance.sample(wagers, chance.randint(0, 2))},
            {"settings": {"decks": "7"}},
        ]
    )


@pytest.mark.parametrize("id_", sorted(edition_files()))
def test_no_refusal_names_a_wager_by_its_id_alone_or_a_field_as_a_program_does(tmp_path, id_):
    edition, chance = houseway.edition(id_).edition, random.Random(7)
    banked = edition.banked_by == "player"
    pit = Pit(tmp_path, BACCARAT)
    fields = {"edition": id_, "source": "hand-keyed"} | ({} if banked else {"opener_cents": 1_000_000})
    limits = {name: [500, 10_000] for name in list(edition.wagers)[:2]}
    pit.do("close", SUE, closer_cents=10_000_000)
    pit.do("open", SUE, limits=limits, **fields)
    if banked:
        for seat, guest in ((3, "eve"), (1, "ann"), (2, "bob")):
            pit.do("sit", seat=seat, guest=guest)
        pit.do("bank", seat=3, guest="eve", cents=100_000)
    heard = set()
    for step in range(160):
        actor = chance.choice([DAN, DAN, SUE])
        kind = chance.choice(OF_TABLE[actor])
        try:
            if chance.random() < 0.1:
                pit.do("open", SUE, table=f"other-{step}", **fields, **opening(edition, chance))
            elif chance.random() < 0.05 and pit.table.round.spots:
                pit.do("no-more-bets")
            else:
                pit.do(kind, actor, **command(kind, edition, chance))
        except Refused as refused:
            heard.add(refused.code)
            assert not bare_ids(edition, refused.message), refused.message
    assert len(heard) > 8, heard


def test_the_result_that_is_keyed_is_told_by_its_name(tmp_path):
    pit = Pit(tmp_path)
    pit.bet(1, "ann", player=1_000)
    pit.no_more_bets()
    pit.do("result", result="tie")
    entry = pit.do("result", result="dragon-7", reason="misheard")
    edition = houseway.edition(BACCARAT).edition
    said = [event_words(event, edition) for event in entry.data["events"] if event["event"] == "result-keyed"]
    assert said == ["The dealer keys the result: Dragon 7 (before: Tie) (misheard)"]


def test_what_a_seat_is_asked_is_what_its_button_says(tmp_path):
    pit = Pit(tmp_path, BLACKJACK)
    pit.bet(1, "ann", blackjack=1_000)
    pit.no_more_bets()
    entry = pit.card("10s Ah 9d 8c")
    edition = houseway.edition(BLACKJACK).edition
    asked = [event_words(event, edition) for event in entry.data["events"] if event["event"] == "to-act"]
    assert asked == ["Seat 1 is asked: no insurance"] and unfolded(pit.table).to_act == {1: ("look",)}
    assert pit.table.round.phase == Phase.DECIDING


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("table open t1 --edition ez-baccarat-ca --player-fee -1", "--player-fee: "),
        ("table open t1 --edition ez-baccarat-ca --bank-fee 2000", "--bank-fee: "),
        ("table open t1 --edition ez-baccarat-wa --opener 100 --set decks=7", "outside the approval: decks 7 (approved: 8, 6)"),
    ],
)
def test_the_shell_names_options_as_they_are_typed(bare_shell, line, says):
    said = bare_shell(line, code=2)
    assert says in said and "_" not in said and "--what-if" not in said


def test_where_one_can_ask_what_if_a_refusal_says_so(bare_shell):
    assert "--what-if computes it anyway" in bare_shell("odds ez-baccarat-wa --set decks=7", code=2)


def test_a_void_correction_names_what_it_is_given_without(bare_shell):
    bare_shell("cage fund 100000")
    bare_shell("cage buy-in 2000 --guest ann")
    bare_shell("table open t1 --edition ez-baccarat-wa --opener 20000 --source hand-keyed")
    bare_shell("table bet t1 player=100 --guest ann --seat 1")
    bare_shell("table no-more-bets t1")
    bare_shell('table card t1 "9s 2h Kd Kc"')
    bare_shell("table settle t1")
    said = bare_shell("table correct t1 --round 1 --void --bets 1:tie=5 --reason x", code=2)
    assert "given alone, without bets" in said


def test_a_round_that_waits_for_a_card_does_not_wait_for_decisions(tmp_path):
    """Nobody decides in baccarat, also between the first cards and a third."""
    pit = Pit(tmp_path)
    pit.bet(1, "ann", player=1_000)
    pit.no_more_bets()
    pit.card("2s 2d 2c 2h")
    assert pit.refused("settle").message == "round 1 is in play: this comes when all cards are there"


@pytest.mark.parametrize("role", ROLES)
def test_a_role_that_may_not_is_named_in_english(role):
    kind = next(kind for kind, known in COMMANDS.items() if role not in known.roles)
    with pytest.raises(Refused) as refused:
        declared({"kind": kind}, role)
    article = {"auditor": "an ", "administrator": "an ", "security": "", "accounting": ""}.get(role, "a ")
    assert refused.value.message.startswith(f"{article}{role} may not {kind} (may: "), refused.value.message
    assert (refused.value.code, one_of_roles([role])) == ("role-may-not", f"{article}{role}")
