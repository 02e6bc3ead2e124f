"""A question about a wager's protection, from what people write: completed, checked, and answered."""

from fractions import Fraction
from pathlib import Path
from typing import Any

from houseway.kernels.count import Progress
from houseway.money import dollars
from houseway.protect.count import number, parse_tags
from houseway.protect.customs import CounterCustoms, usual_cut
from houseway.protect.protection import CHART, INDICES, counted_simulator, protection_of
from houseway.protect.report import Bettor, Protected, Stakes
from houseway.protect.spread import parse_spread
from houseway.protect.watch import WatchedTable
from houseway.refusal import Refused
from houseway.rulebook.edition import Edition
from houseway.rulebook.settings import Settings
from houseway.simulate.question import BURN, SEED_MOST

MOST_AN_HOUR = 1000
COUNTED = ("count", "trigger", "start", "spread", "play", "main_count", "main_spread")
"""What says how somebody counts and bets: no other question takes it."""
Number = str | int | Fraction


def check_one_question(asked: Any) -> None:
    """Refuse several questions in one: what is seen, what was published, or what a count wins."""
    options = [f"--{name.replace('_', '-')}" for name in ("published", *COUNTED) if getattr(asked, name)]
    if asked.seen and options:
        raise Refused("bad-request", f"--seen is a question of its own: leave {', '.join(options)} out")
    if asked.published and len(options) > 1:
        raise Refused("bad-request", f"--published is a question of its own: leave {', '.join(options[1:])} out")


def table_asked(
    edition: Edition,
    settings: Settings,
    wager: str,
    *,
    cut: int | None,
    burn: int | None,
    burn_by_value: bool,
    burn_shown: bool,
    extra: int,
    divisor: str,
    players: int,
    seed: int,
) -> WatchedTable:
    """The table, with the customs of a live one where nothing is said; refused where it cannot be dealt so."""
    asked = edition.wager(wager)
    if reason := asked.refuses(settings):
        raise Refused("not-offered", f"{wager} is not offered: {reason}")
    counted_simulator(edition, settings)
    for other, along in protection_of(edition).along.items():
        if wager in along:
            raise Refused(
                "nothing-to-count", f"{wager} is bet along with {other}, and counted with it: ask for --wager {other}"
            )
    if not 0 <= seed <= SEED_MOST:
        raise Refused("bad-setting", f"seed {str(seed)[:30]} is not possible (possible: 0 to {SEED_MOST})")
    edition.check_seats(players)
    cards = sum(edition.game.shoe(settings))
    behind = usual_cut(cards) if cut is None else cut
    burned = BURN if burn is None else burn
    customs = CounterCustoms(behind, burned, burn_by_value, burn_shown, extra, divisor, players)
    table = WatchedTable(edition, settings, wager, customs, seed)
    assert table.setup.cells  # made ready, and so checked, before anything is dealt
    return table


def ask_protection(
    edition: Edition,
    settings: Settings,
    wager: str,
    *,
    tags: str,
    trigger: Number | None,
    start: Number | None,
    cut: int | None,
    burn: int | None,
    burn_by_value: bool,
    burn_shown: bool,
    extra: int,
    divisor: str,
    players: int,
    shoes: int,
    exact_shoes: int,
    seed: int,
    bet_cents: int,
    decisions_an_hour: int,
    tolerated_cents: int,
    spread: str = "",
    play: str = "",
    main_count: str = "",
    main_spread: str = "",
    main_start: Number | None = None,
    progress: Progress | None = None,
) -> Protected:
    """What somebody could win who counts so, or as well as can be."""
    table = table_asked(
        edition,
        settings,
        wager,
        cut=cut,
        burn=burn,
        burn_by_value=burn_by_value,
        burn_shown=burn_shown,
        extra=extra,
        divisor=divisor,
        players=players,
        seed=seed,
    )
    if not tags and (trigger is not None or start is not None):
        raise Refused("bad-count", "a trigger or a start goes with a count: give its tags (--count), or neither")
    bets = parse_spread(spread) if spread else None
    main_bets = parse_spread(main_spread) if main_spread else None
    if bets and trigger is not None:
        raise Refused("bad-spread", "a spread says itself from which count on one bets: leave the trigger out")
    if bool(main_count) != bool(main_spread):
        raise Refused(
            "bad-spread", "main bets follow a count and a spread of their own: give both (--main-count, --main-spread)"
        )
    if main_bets and not table.main:
        raise Refused("bad-spread", f"no main bet lies beside {wager}: leave --main-count and --main-spread out")
    played = table.main if main_bets else wager
    if play and played not in table.protection.playing:
        raise Refused("bad-play", f"nothing is decided in {played} by a count here: leave --play out")
    if play not in {"", INDICES, CHART} and (reads := table.protection.read_play):
        reads(Path(play))  # refused now, not after all that takes long
    limits = edition.wagers[wager].limits
    if bet_cents and not limits.min_cents <= bet_cents <= limits.max_cents and not settings.what_if:
        raise Refused("bad-bet", f"a bet on {wager} is {limits.min_cents // 100} to {limits.max_cents // 100} dollars")
    hour = decisions_an_hour or protection_of(edition).decisions_an_hour
    if not 1 <= hour <= MOST_AN_HOUR:
        raise Refused("bad-setting", f"{hour} decisions an hour are not possible (possible: 1 to {MOST_AN_HOUR})")
    bettor = Bettor(
        parse_tags(tags, table.copies) if tags else None,
        None if trigger is None else number(str(trigger), "trigger"),
        None if start is None else number(str(start), "start"),
        bets,
        play or INDICES,
        parse_tags(main_count, table.copies) if main_count else None,
        None if main_start is None else number(str(main_start), "main start"),
        main_bets,
    )
    largest = bet_cents or limits.max_cents
    if bets and largest * bets.least < limits.min_cents * bets.most and not settings.what_if:
        widest = largest // limits.min_cents
        raise Refused(
            "bad-spread",
            f"a spread of {bets.least} to {bets.most} with {dollars(largest)} as the largest bet goes below the least of "
            f"{dollars(limits.min_cents)} (at most 1 to {widest})",
        )
    return Protected(
        table,
        Stakes(largest, hour, tolerated_cents),
        bettor,
        shoes,
        exact_shoes,
        progress,
    )
