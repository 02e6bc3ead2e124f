"""How the rules of Duki 4 Poker read a round that is half dealt."""

from collections.abc import Mapping

from houseway.kernels.compiled import Ints, rule
from houseway.odds.known import Cards, HalfTape, KnownCards, Reads
from houseway.rulebook.game import Value

from .rules import duki_bonus, duki_score, play_every_duki, showdown

CARDS = 4


@rule
def meet(tape: Ints, settings: Ints) -> int:
    """The Ante of a player who has decided to play, whatever he has."""
    return showdown(duki_score(tape, 0, settings), duki_score(tape, CARDS, settings), settings)


def _hand(cards: Cards) -> tuple[Cards, tuple[int, ...]]:
    """Four cards, the known ones first, and how many are not known: no rule minds their order."""
    known = tuple(card for card in cards if card is not None)
    unknown = CARDS - len(known)
    return (*known, *(None,) * unknown), (unknown,) if unknown else ()


def _ante(known: KnownCards, settings: Mapping[str, Value], encoded: Ints) -> HalfTape | str:
    """D4P-2: until it is decided, by a player who plays every Duki."""
    if "fold" in known.choices:
        return "fold"
    decided = "play" in known.choices
    (own, unknown), (dealer, hidden) = _hand(known.own), _hand(known.dealer)
    player = "" if decided else "plays every Duki, and folds without one"
    return HalfTape(meet if decided else play_every_duki, (*own, *dealer), (*unknown, *hidden), encoded, player=player)


def _bonus(known: KnownCards, settings: Mapping[str, Value], encoded: Ints) -> HalfTape | str:
    """D4P-10: the player's own cards; D4P-2: whoever folds loses it."""
    if "fold" in known.choices:
        return "other"
    own, unknown = _hand(known.own)
    player = "does not fold" if "ante" in known.bets and "play" not in known.choices else ""
    return HalfTape(duki_bonus, own, unknown, encoded, player=player)


KNOWN: dict[str, Reads] = {"ante": _ante, "duki-bonus": _bonus}
