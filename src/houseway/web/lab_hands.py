"""What the hand explorer answers: which cards are wanted, every choice with its worth, every wager with cards gone."""

from fractions import Fraction

from pydantic import BaseModel, Field

from houseway.cards import parse_cards, show_card, show_cards
from houseway.rulebook import Edition, Settings
from houseway.rulebook.game import Value
from houseway.solve.solver import DEALER, HAND, OTHER, Choice, choices
from houseway.web.lab_answers import Exact, ratio


class CardsPlace(BaseModel):
    """Cards that are to be clicked."""

    whose: str = Field(description="The parameter of `best` that they are given as: hand, dealer or other")
    about: str
    least: int
    most: int


class HandChoices(BaseModel):
    """What can be clicked for an edition."""

    edition: str
    places: list[CardsPlace] = Field(description="Whose cards `best` wants, and how many; none: nothing is decided by cards")
    why_not: str = Field(description="Why no hand can be asked about; else empty")
    copies: dict[str, int] = Field(description="How many of each card a fresh shoe has, with these settings")
    is_ready: bool = Field(description="Whether `best` answers at once with these settings; else `best/stream` prepares it")
    gone: bool = Field(description="Whether rounds are dealt from one shoe, so that cards may be gone: see `gone`")


class Worth(BaseModel):
    """What a choice is worth for a unit bet."""

    exact: str = Field(description="A fraction; empty where it is computed in 64-bit floats")
    value: float


class LaidCards(BaseModel):
    """Cards as a choice lays them."""

    name: str
    cards: list[str]


class ChoiceAnswer(BaseModel):
    """A choice with a hand."""

    choice: str
    worth: Worth
    less: Worth = Field(description="So much less than the best choice")
    best: bool
    made_by: list[str] = Field(description="Who would choose so: a House Way, a chart, a line to remember")
    parts: list[LaidCards] = Field(description="The cards as they lie then; none where they lie as before")
    deals: dict[str, int] = Field(description="By how many deals it ends how, where they are counted")


class BestAnswer(BaseModel):
    """Every choice with a hand, the best first."""

    edition: str
    digest: str
    settings: dict[str, Value]
    what_if: list[str]
    cards: dict[str, str] = Field(description="The cards that were asked about, by whose they are")
    arithmetic: str = Field(description="exact, or 64-bit floats")
    choices: list[ChoiceAnswer]


class GoneWager(BaseModel):
    """A wager with cards gone from the shoe."""

    wager: str
    name: str
    house_edge: Exact
    house_edge_whole: Exact = Field(description="Of a fresh shoe")
    for_player: bool = Field(description="Whether the player has the edge now")


class GoneAnswer(BaseModel):
    """What every wager is worth when cards are gone."""

    edition: str
    digest: str
    settings: dict[str, Value]
    what_if: list[str]
    gone: str
    cards_left: int
    wagers: list[GoneWager]
    left_out: dict[str, str] = Field(description="Wagers without figures, and why")


def _worth(value: Fraction | float) -> Worth:
    return Worth(exact=ratio(value) if isinstance(value, Fraction) else "", value=float(value))


def _choice(choice: Choice, best: Fraction | float) -> ChoiceAnswer:
    return ChoiceAnswer(
        choice=choice.name,
        worth=_worth(choice.worth),
        less=_worth(best - choice.worth),
        best=choice.worth == best,
        made_by=list(choice.made_by),
        parts=[LaidCards(name=name, cards=[show_card(card) for card in cards]) for name, cards in choice.parts.items()],
        deals=choice.deals,
    )


def best_answer(edition: Edition, settings: Settings, digest: str, cards: dict[str, str]) -> BestAnswer:
    """Every choice with a hand, as the API has it."""
    known = [parse_cards(cards[whose]) for whose in (HAND, DEALER, OTHER)]
    valued = choices(edition, settings, *known)
    best = valued[0].worth
    return BestAnswer(
        edition=edition.id,
        digest=digest,
        settings=dict(settings),
        what_if=list(settings.outside),
        cards={whose: show_cards(named) for whose, named in zip((HAND, DEALER, OTHER), known, strict=True) if named},
        arithmetic="exact" if isinstance(best, Fraction) else "64-bit floats",
        choices=[_choice(choice, best) for choice in valued],
    )
