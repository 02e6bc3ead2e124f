"""`houseway play`: whole sittings with scripted guests, checked against the journal that they leave behind."""

import io
import os
import pty
import random
import re
import select
import subprocess
import sys
import time

import pytest
from rich.console import Console

from houseway.cards import parse_cards
from houseway.cli import play as cli
from houseway.games import open_edition
from houseway.house import shoe
from houseway.house.floor import Floor
from houseway.house.store import Store
from houseway.refusal import Refused
from houseway.rulebook.game import Step

BETS = {
    "ez-baccarat-wa": "banker=25,dragon-7=5,tie=1",
    "ez-pai-gow-wa": "base=25,dynasty=5,protection=1,red-black=5",
    "lucky-lucky-wa": "blackjack=10,lucky-lucky=5",
    "duki-4-wa": "ante=10,duki-bonus=5",
}
PROGRAM = "import sys; from houseway.cli.play import play; play(*sys.argv[1:])"


class Guest:
    """Answers prompts by rule, and the end of the input when it has nothing left to say."""

    def __init__(
        self, bets, rounds, choose=lambda prompt: "house-way" if "house-way" in prompt else re.match(r"\w+", prompt)[0]
    ):
        self.lines, self.choose, self.prompts = [bets] + [""] * (rounds - 1), choose, []

    def __call__(self, prompt):
        self.prompts.append(prompt)
        assert len(self.prompts) < 1000, "the same question again and again"
        if not prompt.startswith("Your bets"):
            return self.choose(prompt)
        if not self.lines:
            raise EOFError
        return self.lines.pop(0)


class Script:
    """Says these lines, one a prompt; an exception is raised."""

    def __init__(self, *lines):
        self.lines = list(lines)

    def __call__(self, prompt):
        line = self.lines.pop(0) if self.lines else EOFError()
        if isinstance(line, BaseException):
            raise line
        return line


@pytest.fixture
def sit(tmp_path, monkeypatch):
    """A sitting with a seeded shoe, or one that begins with given cards: its floor and what was printed."""

    def call(edition, read, bankroll_cents=50_000, seed=1, front=""):
        chance = random.Random(seed)

        def shuffled(cards, random_below=None):
            left, first = list(cards), list(parse_cards(front))
            for card in first:
                left.remove(card)
            chance.shuffle(left)
            return (*left[:1], *first, *left[1:]) if len(cards) > 60 else (*first, *left)

        monkeypatch.setattr(shoe, "shuffled", shuffled)
        monkeypatch.setattr(shoe, "throw", lambda sides: 1)
        out = io.StringIO()
        floor = Floor(Store("sqlite:///:memory:"), tmp_path / f"key{seed}{len(list(tmp_path.iterdir()))}")
        console = Console(file=out, width=100, markup=False, highlight=False, emoji=False)
        cli.Sitting(floor, open_edition(edition), console, read).stay(bankroll_cents)
        return floor, out.getvalue()

    return call


def paid(floor):
    return [e for entry in floor.store.entries() for e in entry.data.get("events", []) if e["event"] == "paid"]


def kinds(floor):
    return [entry.kind for entry in floor.store.entries()]


def cents(text):
    sign, dollars, rest = re.fullmatch(r"([+-]?)\$([\d,]+)(?:\.(\d\d))?", text).groups()
    return (-1 if sign == "-" else 1) * (int(dollars.replace(",", "")) * 100 + int(rest or 0))


def check_left_in_order(floor, out, bankroll_cents=50_000):
    """The final balance is the bankroll plus everything paid; table and accounts are empty, and all sum to zero."""
    final = cents(re.search(r"You leave with (\S+) ", out)[1])
    assert final == bankroll_cents + sum(event["win_cents"] for event in paid(floor))
    table = next(iter(floor.state.tables.values()))
    assert not table.is_open and not table.round.spots
    left = {name: held for name, held in floor.state.balances.items() if name not in {"cage", "outside"}}
    assert not any(left.values())
    assert sum(floor.state.balances.values()) == 0
    return final


@pytest.mark.parametrize("edition", BETS)
@pytest.mark.parametrize("seed", [1, 2])
def test_rounds_add_up_to_what_is_printed(sit, edition, seed):
    rounds = 6
    floor, out = sit(edition, Guest(BETS[edition], rounds), seed=seed)
    final = check_left_in_order(floor, out)
    nets = re.findall(r"This round (\S+)", out)
    assert len(nets) == rounds
    assert sum(cents(net) for net in nets if net != "even") == final - 50_000
    lines = re.findall(r", \$[\d,.]+ (?:pays (\$[\d,.]+) |(goes back)|is taken)", out)
    assert len(lines) == len(paid(floor))
    won = sum(event["win_cents"] for event in paid(floor) if event["win_cents"] > 0)
    assert sum(cents(win) for win, _ in lines if win) == won
    assert "\x1b" not in out


@pytest.mark.parametrize("edition", BETS)
def test_every_step_is_shown_with_its_clause(sit, edition):
    _, out = sit(edition, Guest(BETS[edition], 2))
    known = open_edition(edition).clauses()
    shown = re.findall(r"^([A-Z][A-Z0-9]+-\d+\w*) ", out, re.M)
    assert len(shown) >= 6
    assert set(shown) <= set(known)


def test_a_third_card_joins_its_hand(sit):
    _, out = sit("ez-baccarat-wa", Script("banker=25,dragon-7=5"), front="2s 2h 3d Kc 10c 5h")
    assert "Player  5" in out and "Banker  7" in out
    assert out.count("│2  ││3  ││10 │    │2  ││K  ││5  │") == 1
    assert "Banker pushes (Dragon 7: Banker wins with a three-card 7), $25 goes back" in out
    assert "Dragon 7 wins (Banker wins with a three-card 7), $5 pays $200 (2 black)" in out
    assert "This round +$200   since you sat down +$200" in out
    assert "You leave with $700 (+$200)" in out


def test_the_hole_card_stays_down_and_split_hands_are_told_apart(sit):
    script = Script("blackjack=10", "sp", "h", "s", "stand")
    floor, out = sit("lucky-lucky-wa", script, front="8s 6h 8d Kc 3c 10d 9h 10s")
    before = out.split("You  16")[1].split("Hand 1")[0]
    assert "░░░" in before and "K  " not in before
    assert out.index("Hand 1  11") < out.index("Hand 2  ")
    assert re.search(r"Hand 1 +21 +Hand 2 +\d+", out)
    assert [event["wager"] for event in paid(floor)] == ["blackjack", "blackjack"]
    assert "Blackjack, hand 1, wins (Player wins), $10 pays $10 (2 red)" in out
    check_left_in_order(floor, out)


def test_a_prefix_that_fits_two_choices_is_asked_again(sit):
    _, out = sit("lucky-lucky-wa", Script("blackjack=10", "s", "", "st"), front="8s 6h 8d Kc")
    assert '"s" is not clear: say stand or split' in out
    assert '"" is not clear: say hit or stand' in out
    assert "Player stands on 16" in out


@pytest.mark.parametrize("hole", ["Kh", "5h"])
def test_insurance_is_offered_before_the_dealer_looks_whatever_he_has(sit, hole):
    guest = Guest("blackjack=10", 1, lambda prompt: "insurance=5" if "insurance" in prompt else "stand")
    floor, out = sit("lucky-lucky-wa", guest, front=f"10c Ah 7d {hole} 5s")
    assert guest.prompts[1] == "look or insurance=DOLLARS? "
    first = out.split("Dealer")[1].split("Insurance")[0].split("BJ-1")[0]
    assert "░░░" in first and hole[0] + "  " not in first.split("░░░")[0].replace("7", "")
    assert ("Insurance wins (Dealer has blackjack), $5 pays $10" in out) == (hole == "Kh")
    assert ("Insurance loses (Dealer has no blackjack), $5 is taken" in out) == (hole == "5h")
    check_left_in_order(floor, out)


def test_nothing_shown_before_the_look_depends_on_the_hole_card(sit):
    shown = set()
    for hole in ("Kh", "5h"):
        _, out = sit("lucky-lucky-wa", Script("blackjack=10", "x", "insurance=6", "q"), front=f"10c Ah 7d {hole} 5s")
        shown.add(out.split("Blackjack $10 ─")[1].split("You leave in the middle")[0])
    assert len(shown) == 1
    assert "is over half the bet" in shown.pop()


def test_lucky_lucky_is_paid_before_the_first_choice(sit):
    guest = Guest(BETS["lucky-lucky-wa"], 1, lambda prompt: "stand")
    _, out = sit("lucky-lucky-wa", guest, front="7s 7h 7d Kc")
    assert out.index("Lucky Lucky wins (777), $5 pays $250") < out.index("░░░")


def test_the_colour_is_chosen_before_the_cards_are_seen(sit):
    guest = Guest(BETS["ez-pai-gow-wa"], 2, lambda prompt: "black" if "red" in prompt else "house-way")
    floor, _ = sit("ez-pai-gow-wa", guest)
    assert [prompt for prompt in guest.prompts if "bets" not in prompt] == ["red or black? ", "set or house-way? "] * 2
    choices = [e.data["command"]["choice"] for e in floor.store.entries() if e.kind == "decide"]
    assert choices == ["black", "house-way"] * 2


def test_pai_gow_can_be_set_by_hand_and_a_foul_is_asked_again(sit):
    script = Script("base=10", "set As Ad", "set Ks Qd", "set 2c 2d", "se Ks 9c")
    floor, out = sit("ez-pai-gow-wa", script, front="As Ad Ks Qd 9c 5h 3s")
    assert "house-way: " in out
    assert "a foul" in out
    assert "a set names two of the seven cards" not in out.split("a foul")[0]
    assert kinds(floor).count("decide") == 1
    check_left_in_order(floor, out)


NONSENSE = [
    "foo",
    "banker",
    "banker=",
    "banker=-5",
    "banker=0",
    "banker=1e3",
    "banker=401",
    "banker=99999999999999999999",
    "banker=25,banker=25",
    "dragon=5",
    "banker=400,player=400",
    "[red]x[/red]=5",
    "\x1b[31m=5",
    "x" * 5000,
    "=",
    ",",
    "",
]


@pytest.mark.parametrize("line", NONSENSE)
def test_nonsense_is_one_line_and_costs_nothing(sit, line):
    floor, out = sit("ez-baccarat-wa", Script(line, "player=25"))
    assert "\x1b" not in out
    before = out.split("──")[0].split("cards out\n")[1]
    assert len(before.splitlines()) == 1 and before.strip()
    assert kinds(floor).count("settle") == 1
    check_left_in_order(floor, out)


def test_a_refused_bet_leaves_nothing_on_the_felt(sit):
    floor, out = sit("ez-baccarat-wa", Script("banker=200,player=400", "q"))
    assert "not enough chips: you have $300 left" in out
    assert "withdraw" in kinds(floor) and "deal" not in kinds(floor)
    assert "You leave with $500 (even)" in out


def test_a_double_beyond_the_chips_is_asked_again(sit):
    floor, out = sit("lucky-lucky-wa", Script("blackjack=10", "double", "stand"), bankroll_cents=1500, front="6s 6h 5d Kc")
    assert "not enough chips: you have $5 left" in out
    check_left_in_order(floor, out, 1500)


@pytest.mark.parametrize("edition", [name for name in BETS if name != "ez-baccarat-wa"])
@pytest.mark.parametrize("leave", ["q", "QUIT", EOFError(), KeyboardInterrupt()])
def test_leaving_mid_round_plays_the_default_and_settles(sit, edition, leave):
    front = "8s 6h 8d Kc" if edition == "lucky-lucky-wa" else ""
    bets = {"ez-pai-gow-wa": "base=25", "lucky-lucky-wa": "blackjack=25", "duki-4-wa": "ante=25"}[edition]
    floor, out = sit(edition, Script(bets, leave), front=front)
    default = open_edition(edition).game.dealing.default_choice
    assert f"{default} is played for you" in out
    assert "settle" in kinds(floor) and "void" not in kinds(floor)
    check_left_in_order(floor, out)


@pytest.mark.parametrize("leave", ["q", EOFError(), KeyboardInterrupt()])
def test_leaving_while_betting_takes_the_bets_back(sit, leave):
    floor, out = sit("ez-pai-gow-wa", Script("base=25,red-black=5", leave))  # at the question of the colour
    assert kinds(floor).count("withdraw") == 2 and "deal" not in kinds(floor)
    assert "You leave with $500 (even)" in out


def test_interrupted_while_the_cards_are_shown(sit, monkeypatch):
    calls = []

    def interrupted(self, made):
        calls.append(made)
        if len(calls) == 1:
            raise KeyboardInterrupt

    monkeypatch.setattr(cli.Sitting, "_show_play", interrupted)
    floor, out = sit("ez-baccarat-wa", Script("player=25"))
    assert kinds(floor).count("settle") == 1
    check_left_in_order(floor, out)


def test_a_guest_without_chips_is_shown_out(sit):
    floor, out = sit("ez-baccarat-wa", Script("player=5"), bankroll_cents=500, front="2s 9h 10d Kc")
    assert "Your chips are gone." in out and "You leave with $0 (-$5)" in out
    assert "cash-out" not in kinds(floor)


def test_a_dealt_shoe_is_revealed_and_checked(sit):
    _, out = sit("ez-baccarat-wa", Guest("player=1,tie=1", 80))
    assert out.count("The shoe is revealed: its order of 416 cards is the one committed to.") == 2
    assert "IS NOT" not in out


def test_a_shoe_other_than_the_committed_one_is_called_out(sit, monkeypatch):
    monkeypatch.setattr(cli, "check", lambda commitment, revealed: False)
    _, out = sit("duki-4-wa", Guest("ante=10", 1))
    assert "IS NOT THE ONE COMMITTED TO" in out


@pytest.mark.parametrize("edition", BETS)
def test_the_wagers_are_listed(sit, edition):
    _, out = sit(edition, Script("?", "q"))
    for wager in re.findall(r"[a-z][\w-]*(?==)", BETS[edition]):
        assert re.search(rf"^{wager} .*\$1 to \$400", out, re.M)
    assert "%" in out


def test_hands_are_laid_out_from_what_the_steps_tell():
    hand = {"owner": "player", "cards": parse_cards("4s 7c 8h 7s"), "worth": "3-card Duki, pair (sevens)"}
    steps = [Step("player-has", "D4P-4", hand), Step("plays", "D4P-2"), Step("duki-bonus", "D4P-10", {"outcome": "Pair of 4s"})]
    assert cli.hands_after(steps) == {"player": ("3-card Duki, pair (sevens)", [list(parse_cards("4s 7c 8h 7s"))])}


def test_ezc_4_where_players_bank_the_guest_is_offered_the_bank_in_turn(sit):
    """He banks two hands, bets against Marco for two, and passes; nothing is won or lost but between the two."""
    lines = ("200", "banker=25", "", "", "banker=25", "q")
    floor, out = sit("ez-baccarat-ca", Script(*lines))
    assert kinds(floor).count("settle") == 5
    assert [entry.actor for entry in floor.store.entries() if entry.kind == "bank"][1:] == [cli.MARCO, cli.MARCO]
    nets = [cents(net) for net in re.findall(r"This round (\S+)", out) if net != "even"]
    assert cents(re.search(r"You leave with (\S+) ", out)[1]) == 50_000 + sum(nets)
    assert not any(held for name, held in floor.state.balances.items() if name not in {"cage", "outside"})


def test_a_bank_beyond_the_purse_is_refused_and_asked_again(sit):
    floor, out = sit("ez-baccarat-ca", Script("9999", "nonsense", "", "q"))
    assert "not enough chips" in out
    assert kinds(floor).count("bank") == 1


@pytest.mark.parametrize("bankroll", ["0", "-1", "x", ""])
def test_a_bankroll_that_is_none_is_refused(bankroll):
    with pytest.raises(Refused, match="bankroll"):
        cli.play("duki-4-wa", bankroll)


def test_a_store_of_ones_own_keeps_the_journal(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("HOUSEWAY_KEY", str(tmp_path / "house.key"))
    monkeypatch.setattr(sys, "stdin", io.StringIO("ante=10\nfold\n"))
    url = f"sqlite:///{tmp_path / 'play.db'}"
    for _ in range(2):
        sys.stdin.seek(0)
        cli.play("duki-4-wa", "100", url)
    assert capsys.readouterr().out.count("You leave with $90 (-$10)") == 2
    assert [entry.kind for entry in Store(url).entries()].count("settle") == 2


def test_piped_input_has_no_escape_codes():
    lines = b"player=25\n\n\xff\xfe\nbanker=5\n"
    command = [sys.executable, "-c", PROGRAM, "ez-baccarat-wa"]
    done = subprocess.run(command, input=lines, capture_output=True, timeout=600, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    out = done.stdout.decode()
    assert "\x1b" not in out and out.count("This round") == 3 and "You leave with" in out


def test_in_a_terminal():
    master, slave = pty.openpty()
    environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "100", "LINES": "40"}
    command = [sys.executable, "-c", PROGRAM, "ez-baccarat-wa", "200"]
    process = subprocess.Popen(command, stdin=slave, stdout=slave, stderr=slave, env=environment, close_fds=True)
    os.close(slave)
    said = [(b"Your bets: ", b"player=25\n"), (b"Your bets [player=25]: ", b"q\n"), (b"Until next time!", b"")]
    seen, end = b"", time.monotonic() + 600
    while said and time.monotonic() < end:
        if select.select([master], [], [], 1)[0]:
            try:
                seen += os.read(master, 65536)
            except OSError:
                break
        if said[0][0] in seen.rpartition(said[0][0])[1]:
            os.write(master, said.pop(0)[1])
            seen += b"|"
    assert not said, seen.decode()
    assert process.wait(60) == 0
    os.close(master)
    assert b"\x1b[" in seen and "╭───╮".encode() in seen
