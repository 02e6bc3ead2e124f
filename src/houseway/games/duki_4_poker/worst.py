"""The worst rounds of Duki 4 Poker: which rows of Ante and Bonus come together, counted over all hands of four cards."""

from collections.abc import Iterator

from houseway.cards import parse_cards
from houseway.kernels.compiled import Ints, rule
from houseway.kernels.count import count
from houseway.kernels.deal import deal_of_shoe
from houseway.rulebook.edition import Edition
from houseway.rulebook.game import Result
from houseway.rulebook.settings import Settings
from houseway.rulebook.worst import Ending, PossibleRound, WorstRounds

from .game import ANTE_OUTCOMES, BONUS_OUTCOMES, ROWS
from .rules import UNQUALIFIED, WIN, ante_row, duki_bonus, duki_score

BONUSES = 4
_HIGH = ("As Ah Ad Ac", "As Kh Qd Jc", "As Ah Ad Kc", "As Ah Kd Kc", "As Ah Kd Qc", "As Ah Ad Kd", "As Kh Qd Qs")
_LOW = ("2s 3h 5d 7s", "2s 3s 4s 5s", "6s 7s 8s 9s")
"""A dealer's 3-card Duki without a pair, and hands that do not qualify."""


@rule
def ante_and_bonus(tape: Ints, settings: Ints) -> int:
    """The row of the Ante table that four cards are paid by if they win (D4P-9), and the Bonus (D4P-10), as one number."""
    return ante_row(duki_score(tape, 0, settings)) * BONUSES + duki_bonus(tape, settings)


def _endings(edition: Edition, settings: Settings) -> Iterator[Ending]:
    """D4P-6 to D4P-10: a hand wins, or the dealer does not qualify; the Play bet goes with the Ante."""
    game = edition.game
    tally = count(ante_and_bonus, deal_of_shoe(game.shoe(settings), (4,)), game.encode(settings), len(ROWS) * BONUSES)
    for place, hands in enumerate(tally):
        if hands:
            row, bonus = divmod(place, BONUSES)
            for ended in {UNQUALIFIED + row, WIN + row, WIN}:
                ante = ANTE_OUTCOMES[ended].id
                own = Result("duki-bonus", BONUS_OUTCOMES[bonus].id, "D4P-10")
                yield (Result("ante", ante, "D4P-9"), Result("play", ante, "D4P-9"), own)


def _rounds(edition: Edition, settings: Settings) -> Iterator[PossibleRound]:
    for high in map(parse_cards, _HIGH):
        for low in map(parse_cards, _LOW):
            if not set(high) & set(low):
                yield PossibleRound((*high, *low), ("play",))


WORST = WorstRounds(_endings, _rounds)
