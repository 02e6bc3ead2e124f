"""What the school's API takes and answers: models described well enough to write a client from."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from houseway.web.lab_answers import SettingAnswer

NUMBER_MOST = (1 << 31) - 1
SECONDS_MOST = 3_600
Name = Annotated[str, Field(max_length=200)]
SettingText = Annotated[str, Field(max_length=64)]
Level = Literal["new", "begun", "known", "sure"]
ProgressData = Annotated[
    dict[str, Any] | None,
    Field(
        description="What a browser keeps for somebody without an account, as the last answer gave it; a house keeps it for "
        "everybody else, and then it is not looked at"
    ),
]


class Taken(BaseModel):
    """What a question is about: an edition, and how the table is set."""

    model_config = ConfigDict(extra="forbid")
    edition: str = Field(max_length=64, description="an edition's id")
    settings: dict[SettingText, SettingText] = Field(
        default_factory=dict, max_length=40, description="the edition's settings by name; the others keep their default"
    )


class SkillsAsked(Taken):
    """Whose skills are listed."""

    kinds: list[Name] = Field(default_factory=list, max_length=30, description="kinds of exercise; none: all of a dealer's")
    progress: ProgressData = None


class NextAsked(SkillsAsked):
    """What is wanted next: whatever is due, or something about a topic."""

    kind: Name = Field(default="", description="a kind whose topic is wanted; empty: what is due")
    topic: Name = Field(default="", description="the topic; empty: any of the kind")


class ExerciseAsked(Taken):
    """One exercise: the same again gives the same."""

    kind: Name
    number: int = Field(ge=0, le=NUMBER_MOST)
    topic: Name = ""


class AnswerGiven(ExerciseAsked):
    """An answer to an exercise."""

    answer: dict[Name, Annotated[str, Field(max_length=400)]] = Field(
        max_length=60, description="each part as it is typed: `12.50`, an option's value, `As Kd`, `100x2 25x1`, `3 1 2`"
    )
    seconds: float = Field(ge=0, le=SECONDS_MOST, allow_inf_nan=False, description="how long it took")
    again: bool = Field(default=False, description="whether the case was tried again: it is judged, and progress stays")
    progress: ProgressData = None


class KindAnswer(BaseModel):
    """A kind of exercise."""

    name: str
    title: str
    about: str
    for_players: bool = Field(description="whether players learn it, not dealers")
    by_table: bool = Field(description="whether a whole table is looked at")


class TrainEdition(BaseModel):
    """An edition that can be learned."""

    id: str
    name: str
    game: str
    seat_word: str
    cloth: str
    back: str
    settings: list[SettingAnswer] = Field(description="what a house can choose; one of the values approved, the default first")


class SchoolAnswer(BaseModel):
    """What can be learned here."""

    editions: list[TrainEdition]
    kinds: list[KindAnswer]
    kept: bool = Field(description="whether the house keeps the progress of whoever asks; if not, his browser does")


class SceneHandAnswer(BaseModel):
    """Cards that lie together; `?` is a card face down."""

    owner: str
    cards: list[str]
    worth: str


class SceneSeatAnswer(BaseModel):
    """A seat: its bets, each with its name and cents, its hands, and what it said."""

    seat: int
    bets: list[tuple[str, int]]
    hands: list[SceneHandAnswer]
    says: list[str]


class SceneAnswer(BaseModel):
    """What lies on the table."""

    hands: list[SceneHandAnswer]
    seats: list[SceneSeatAnswer]
    facts: list[tuple[str, str]]


class OptionAnswer(BaseModel):
    """Something that can be answered: as it is sent, and as people say it."""

    value: str
    words: str


class AskAnswer(BaseModel):
    """One thing that is asked."""

    id: str
    label: str
    form: Literal["pick", "amount", "cards", "pieces", "order"]
    options: list[OptionAnswer]
    many: int


class ExerciseAnswer(BaseModel):
    """An exercise as somebody sees it who is to answer it."""

    kind: str
    number: int
    topic: str
    topic_words: str
    on_purpose: bool = Field(description="whether it comes more often here than at a table")
    question: str
    scene: SceneAnswer
    asks: list[AskAnswer]


class NextAnswer(BaseModel):
    """What is asked next, and why that."""

    exercise: ExerciseAnswer
    why: str
    level: Level


class PartAnswer(BaseModel):
    """One part of an answer: what was said, and what is right."""

    id: str
    label: str
    given: str
    right: str
    is_right: bool


class ReasonAnswer(BaseModel):
    """A step of the explanation, with the clause that it follows from."""

    words: str
    clause: str


class Judged(BaseModel):
    """Whether an answer is right, why it would be, and what is known now."""

    is_right: bool
    parts: list[PartAnswer]
    why: list[ReasonAnswer]
    clauses: dict[str, str] = Field(description="the text of every clause that is cited and that the edition has")
    level: Level
    was: Level = Field(description="the level before")
    due: str = Field(description="when it comes back; empty if it is not counted")
    streak: int = Field(description="answers in a row that were right")
    progress: dict[str, Any] | None = Field(description="to be kept by the browser; null where the house keeps it")


class SkillAnswer(BaseModel):
    """A skill: a kind of exercise about a topic."""

    kind: str
    topic: str
    words: str
    clause: str
    level: Level
    asked: int
    right: int
    seconds: float | None = Field(description="for an answer, on average")
    due: str | None
    is_due: bool
    missed: int | None = Field(description="the number of the case last missed, until one is right")


class SkillsAnswer(BaseModel):
    """All that can be learned of an edition by these kinds."""

    skills: list[SkillAnswer]
    clauses: dict[str, str] = Field(description="the text of every clause named")
    answers: int
    streak: int
