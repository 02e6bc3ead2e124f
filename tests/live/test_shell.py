"""A gaming day from the shell: what the commands print, and that they leave a house in order."""

import json

import pytest


@pytest.fixture
def shell(bare_shell):
    """Run a command line in a house with money; its output."""
    run = bare_shell
    run("cage fund 100000")
    run("cage buy-in 2000 --guest ann")
    return run


def balances(shell):
    return json.loads(shell("cage balances --format json"))


def test_a_manual_baccarat_table_from_opening_to_closing(shell):
    shell("table open t1 --edition ez-baccarat-wa --opener 20000 --source hand-keyed")
    shell('table bet t1 "banker=100,dragon-7=5" --guest ann --seat 2')
    shell("table no-more-bets t1")
    shell('table card t1 "2s 4h 3d Kc 6h 3d"')
    assert "before 3d, after 3s" in shell('table correct-card t1 6 3s --reason "misread"').replace(
        "after 3s, before 3d", "before 3d, after 3s"
    )
    assert "EZB-3d Banker draws on 4" in shell("table show t1")
    assert "Seat 2: Dragon 7 wins (Banker wins with a three-card 7), $5 pays $200 (2 black)" in shell("table settle t1")
    assert balances(shell)["guest:ann"] == 220_000
    shell("cage table-buy-in 300 --table t1 --guest ann")
    assert "a difference of -$1" in shell("cage closer 19499 --table t1")
    shell("cage drop t1")
    closed = shell("table close t1")
    assert "balances to the cent" in closed and "Win -$200" in closed
    assert sum(balances(shell).values()) == 0


def test_a_result_without_cards_a_dispute_and_a_correction(shell):
    shell("table open t1 --edition ez-baccarat-wa --opener 20000 --source manual-keypad")
    shell("table bet t1 tie=10 --guest ann --seat 1")
    shell("table no-more-bets t1")
    shell("table result t1 tie")
    shell('table dispute t1 --reason "the guest says player"')
    assert "is frozen" in shell("table settle t1", code=2)
    shell('table resolve t1 --reason "camera seen"')
    shell("table settle t1")
    assert balances(shell)["guest:ann"] == 208_000
    shell('table correct t1 --round 1 --reason "keyed wrong" --result banker-win')
    assert balances(shell)["guest:ann"] == 199_000
    shell('table correct t1 --round 1 --reason "a misdeal" --void --again 1')
    assert balances(shell)["guest:ann"] == 200_000
    assert "nothing would change" in shell('table correct t1 --round 1 --reason "again" --void --again 2', code=2)
    shell('table correct t1 --round 1 --again 2 --reason "another bet" --bets 1:tie=20,banker=5 --guests 1:ann')
    assert balances(shell)["guest:ann"] == 198_500  # of the Banker win that it is said to have been


def test_a_wager_is_taken_back_after_no_more_bets(shell):
    shell("table open d1 --edition duki-4-wa --opener 20000 --source hand-keyed")
    shell('table bet d1 "ante=10,duki-bonus=5" --guest ann --seat 1')
    shell("table no-more-bets d1")
    shell("table change-bet d1 duki-bonus 0 --seat 1 --reason miscounted")
    shown = json.loads(shell("table show d1 --format json"))
    assert shown["bets"] == {"1": {"guest": "ann", "ante": 1_000}}
    refused = shell("table change-bet d1 ante five --seat 1 --reason miscounted", code=2)
    assert 'stake: "five" is not an amount (an amount in dollars and whole cents is required)' in refused
    assert "a positive amount" in shell("table bet d1 ante=0 --guest ann --seat 1", code=2)
    assert "a positive amount" in shell("cage buy-in 0 --guest ann", code=2)


def test_a_seat_that_bet_nothing_goes_from_a_settled_round(shell):
    shell("cage buy-in 2000 --guest bob")
    shell("table open t1 --edition ez-baccarat-wa --opener 20000 --source manual-keypad")
    shell("table bet t1 tie=10 --guest ann --seat 1")
    shell("table bet t1 tie=20 --guest bob --seat 2")
    shell("table no-more-bets t1")
    shell("table result t1 player-win")
    shell("table settle t1")
    shell('table correct t1 --round 1 --bets "1:" --choices "2:" --reason "she left before"')
    assert (balances(shell)["guest:ann"], balances(shell)["guest:bob"]) == (200_000, 198_000)


def test_a_player_banked_table(shell):
    shell("cage buy-in 2000 --guest bob")
    shell("table open c1 --edition ez-baccarat-ca --source hand-keyed --player-fee 1 --bank-fee 2")
    for seat, guest in ((1, "ann"), (2, "bob")):
        shell(f"table sit c1 --guest {guest} --seat {seat}")
    shell("table pass c1 --guest ann --seat 1")
    shell("table bank c1 500 --guest bob --seat 2")
    shell("table bet c1 player=100 --guest ann --seat 1")
    shell("table no-more-bets c1")
    shell('table card c1 "9s 7h Kd 3c"')
    assert "Seat 1: Player wins, $100 pays $100 (1 black)" in shell("table settle c1")
    assert (balances(shell)["guest:ann"], balances(shell)["collection:c1"]) == (209_900, 300)


def test_the_clock_must_run_out_before_the_default_action(shell):
    shell("table open d1 --edition duki-4-wa --opener 20000 --source hand-keyed --decision-seconds 3600")
    shell("table bet d1 ante=10 --guest ann --seat 1")
    shell("table no-more-bets d1")
    shell('table card d1 "9h 9c 6s Jd 9s 9d 5h 8c"')
    assert "the clock runs for" in shell("table time-out d1 --seat 1", code=2)
    assert "decides: fold" in shell("table decide d1 fold --seat 1")


def test_heads_exports_backups_and_offline_checks(shell, tmp_path):
    shell("table open t1 --edition ez-baccarat-wa --opener 20000")
    for _ in range(2):
        shell("table bet t1 banker=100 --guest ann --seat 1")
        for step in ("no-more-bets", "deal", "settle"):
            shell(f"table {step} t1")
    (tmp_path / "head.json").write_text(shell("audit head"))
    shell("table close t1")
    assert "no flaw found" in shell(f"audit --head {tmp_path / 'head.json'}")
    assert "another key" in shell(f"audit --head {tmp_path / 'head.json'} --public-key {'0' * 64}", code=1)
    (tmp_path / "shoes.jsonl").write_text(shell("journal export --format shoes"))
    assert "every shoe holds" in shell(f"shoe verify {tmp_path / 'shoes.jsonl'} --require-revealed")
    lines = [json.loads(line) for line in shell("journal export").splitlines()]
    assert [line["seq"] for line in lines] == list(range(1, len(lines) + 1))
    assert shell("journal export --format csv").startswith("seq,at,day,table,")
    shell(f"journal backup {tmp_path / 'copy.db'}")
    assert "exists already" in shell(f"journal backup {tmp_path / 'copy.db'}", code=2)
    restored = f"sqlite:///{tmp_path / 'restored.db'}"
    assert f"{len(lines)} entries" in shell(f"journal restore {tmp_path / 'copy.db'} --store {restored}")
    assert shell(f"journal export --store {restored}") == shell("journal export")
    assert "already" in shell(f"journal restore {tmp_path / 'copy.db'} --store {restored}", code=2)


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("table open t1 --edition ez-baccarat-wa --opener 20000 --source smart-shoe", "refused by EZB-L1"),
        ("table open t1 --edition nope --opener 1", "unknown edition"),
        ("table bet t9 banker=1 --guest ann --seat 1", "unknown table"),
        ("table settle t1 --as dan:guest", "a guest may not settle"),
        ("table settle t1 --as dan", "write name:role"),
        ("cage fill 100", "Missing option '--table'"),
        ("cage buy-in -5 --guest ann", "(see houseway cage buy-in --help)"),
        ("cage cash-out 5000 --guest ann", "short"),
        ("journal restore nowhere.db", "no such file"),
    ],
)
def test_a_wrong_command_gets_one_line(shell, line, says):
    told = shell(line, code=2)
    assert says in told and told.count("\n") == 1
