"""A round on paper: its hands as pictures, what happened with its clauses, and every stake in the order of payment."""

from collections.abc import Iterable, Iterator

from houseway.report.document import Block, Cards, Cite, Column, DataTable, DealtHand, Heading, Text
from houseway.report.figures import count, money
from houseway.rulebook.game import COMMON, Play, Shown
from houseway.rulebook.words import sentence
from houseway.table.engine import edition_of, unfolded
from houseway.table.state import PaidStake, Table
from houseway.view.words import outcome_name, wager_name


def dealt_hands(table: Table) -> Cards:
    """Every hand of a complete round: those that all bet on or the dealer's once, and each seat's."""
    dealt, face = unfolded(table), edition_of(table).game.face
    names = {hand.owner: hand.name for hand in face.hands}
    hands: dict[str, DealtHand] = {}
    for seat, play in dealt.plays.items():
        for owner, shown in _by_owner(play).items():
            is_shared = COMMON in dealt.order or owner == "dealer"
            name = names.get(owner, owner.capitalize())
            guest = table.round.spots[seat].guest
            title = name if is_shared else f"Seat {seat}, {guest}" + ("" if owner == "player" else f", {owner}")
            cards = tuple(card for hand in shown for card in hand.cards)
            worth = " / ".join(hand.worth for hand in shown if hand.worth)
            apart = len(shown[0].cards) if len(shown) > 1 else None
            hands.setdefault(title, DealtHand(f"{title}: {worth}" if worth else title, cards, apart))
    if not hands and table.round.drawn:
        hands[""] = DealtHand("In the order that they came", table.round.drawn)
    return Cards(list(hands.values()))


def _by_owner(play: Play) -> dict[str, list[Shown]]:
    """The hands of a play; the parts of one that is set lie side by side."""
    owners: dict[str, list[Shown]] = {}
    for hand in play.hands:
        owners.setdefault(hand.owner, []).append(hand)
    return owners


def steps_told(table: Table) -> Iterator[Block]:
    """What happened, seat by seat, each step with its clause; where all seats bet on the same hands, once."""
    edition, dealt = edition_of(table), unfolded(table)
    together = COMMON in dealt.order
    for place, (seat, play) in enumerate(dealt.plays.items()):
        if together and place:
            break
        if not together:
            yield Heading(f"Seat {seat}, {table.round.spots[seat].guest}")
        rows: list[list[Text]] = [
            [sentence(edition.game.face.steps, step), Cite(edition.cites.get(step.clause, step.clause))] for step in play.steps
        ]
        yield DataTable((Column("What happened", wide=True), Column("Clause")), rows)


def payments_table(table: Table, stakes: Iterable[PaidStake], id_: str) -> DataTable:
    """Every stake in the order of payment: what it was, how it ended and what was taken or paid."""
    edition = edition_of(table)
    rows: list[list[Text]] = []
    staked = won = 0
    for place, stake in enumerate(stakes, 1):
        wager = wager_name(edition, stake.wager) + (f" ({stake.spot})" if stake.spot else "")
        rows.append(
            [
                count(f"{id_}.{place}", place),
                f"{stake.seat}, {stake.guest}" + (", for the dealers" if stake.for_dealer else ""),
                wager,
                outcome_name(edition, stake.wager, stake.outcome),
                Cite(stake.clause),
                money(f"{id_}.{place}.stake", stake.stake_cents),
                money(f"{id_}.{place}.win", stake.win_cents),
            ]
        )
        staked, won = staked + stake.stake_cents, won + stake.win_cents
    columns = (
        Column("", "right"),
        Column("Seat"),
        Column("Wager"),
        Column("Outcome", wide=True),
        Column("Clause"),
        Column("Stake", "right"),
        Column("Wins", "right"),
    )
    foot: list[list[Text]] = [["", "", "All", "", "", money(f"{id_}.staked", staked), money(f"{id_}.won", won)]]
    return DataTable(columns, rows, foot if rows else ())
