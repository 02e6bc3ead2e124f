"""How the rules of Casino War read a round that is half dealt."""

from collections.abc import Mapping

from houseway.kernels.compiled import Ints
from houseway.odds.known import HalfTape, KnownCards, Reads
from houseway.rulebook.game import Value

from .game import BURNED, BY_RANK, go_to_war, tie


def _card(cards: tuple[int | None, ...], place: int) -> int | None:
    return cards[place] if place < len(cards) else None


def _bet(known: KnownCards, settings: Mapping[str, Value], encoded: Ints) -> HalfTape | str:
    """CW-3 to CW-6: both first cards, and both of a war, between which others are burned; until a tie is decided, at war."""
    if "surrender" in known.choices:
        return "surrender"
    own, dealer = (known.own[0:1], known.own[1 + BURNED :]), known.dealer
    tape = (_card(own[0], 0), _card(dealer, 0), _card(own[1], 0), _card(dealer, 1))
    player = "" if known.choices else "goes to war on every tie"
    return HalfTape(go_to_war, tape, (1,) * tape.count(None), encoded, BY_RANK, player)


def _tie(known: KnownCards, settings: Mapping[str, Value], encoded: Ints) -> HalfTape:
    """CW-7: the first two cards."""
    tape = (_card(known.own, 0), _card(known.dealer, 0))
    return HalfTape(tie, tape, (1,) * tape.count(None), encoded, BY_RANK)


KNOWN: dict[str, Reads] = {"bet": _bet, "tie": _tie}
