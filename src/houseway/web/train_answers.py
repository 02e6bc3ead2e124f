"""What the school's API takes and answers: models described well enough to write a client from."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from houseway.web.lab_answers import SettingAnswer

NUMBER_MOST = (1 << 31) - 1
SECONDS_MOST = 3_600
Name = Annotated[str, Field(max_length=200)]
SettingText = Annotated[str, Field(max_length=64)]
Level = Literal["new", "begun", "known", "sure"]
GivenParts = Annotated[
    dict[Name, Annotated[str, Field(max_length=400)]],
    Field(max_length=60, description="each part as it is typed: `12.50`, an option's value, `As Kd`, `100x2 25x1`, `3 1 2`"),
]
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

    answer: GivenParts
    seconds: float = Field(ge=0, le=SECONDS_MOST, allow_inf_nan=False, description="how long it took")
    again: bool = Field(default=False, description="whether the case was tried again: it is judged, and progress stays")
    progress: ProgressData = None


class ProgressBrought(BaseModel):
    """What a browser has kept of an edition."""

    model_config = ConfigDict(extra="forbid")
    edition: str = Field(max_length=64, description="an edition's id")
    progress: dict[str, Any]


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
    empty_kinds: list[str] = Field(description="of the kinds asked for, those that this edition has no exercises of")


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
    is_brought: bool = Field(description="whether it was brought from a browser, where the house has not seen it answered")


class SkillsAnswer(BaseModel):
    """All that can be learned of an edition by these kinds."""

    skills: list[SkillAnswer]
    clauses: dict[str, str] = Field(description="the text of every clause named")
    answers: int
    streak: int


# Courses and examinations


class CourseListed(BaseModel):
    """A course in a list."""

    id: str
    name: str
    edition: str = Field(description="the edition that it is about, or several with spaces between")
    own: bool = Field(description="whether it is the house's own, and not one that an edition has by itself")


class CoursePartAnswer(BaseModel):
    """So many exercises of a kind."""

    edition: str
    kind: str
    topic: str
    many: int
    settings: dict[str, str | int | bool]


class CourseAnswer(BaseModel):
    """A course."""

    id: str
    name: str
    about: str
    pass_percent: int
    minutes: int = Field(description="the time of its examination; 0: it has none")
    asked: int
    own: bool
    exercises: list[CoursePartAnswer]


class CourseAdded(BaseModel):
    """A course of the house's own."""

    model_config = ConfigDict(extra="forbid")
    text: str = Field(max_length=20_000, description="the whole TOML text")


class ExamBegun(BaseModel):
    """Which examination is begun."""

    model_config = ConfigDict(extra="forbid")
    course: str = Field(max_length=80, description="a course's id")
    seed: int | None = Field(default=None, ge=0, le=NUMBER_MOST, description="supervisors only: many sit the same")
    person: str = Field(default="", max_length=100, description="supervisors only: who sits it; without it oneself")


class ExamResultExercise(BaseModel):
    """How an exercise of an examination was answered."""

    place: int
    edition: str
    kind: str
    topic: str
    number: int
    is_answered: bool
    is_right: bool
    seconds: float | None
    clauses: list[str]


class RightOf(BaseModel):
    """So many right of so many asked."""

    right: int
    asked: int


class ExamResult(BaseModel):
    """What came out of an examination."""

    asked: int
    answered: int
    right: int
    percent: int
    pass_percent: int
    passed: bool
    seconds: float
    seconds_each: float | None
    right_a_minute: float | None
    exercises: list[ExamResultExercise]
    clauses: dict[str, RightOf]


class ExamAnswer(BaseModel):
    """How an examination stands; `result` is there once it is over."""

    exam: int
    person: str
    course: str
    name: str
    editions: list[str]
    asked: int
    answered: list[int] = Field(description="the exercises that have an answer")
    pass_percent: int
    minutes: int
    begun: str
    ends: str
    seconds_left: float
    is_over: bool
    handed_in: str | None
    seed: int | None
    certificate: int | None
    result: ExamResult | None
    notices: list[str] = Field(default_factory=list, description="what has changed since it began")


class ExamExercise(BaseModel):
    """An exercise of an examination: nothing of what it is about beyond what is seen."""

    place: int
    edition: str
    kind: str
    question: str
    scene: SceneAnswer
    asks: list[AskAnswer]
    given: dict[str, str]
    table: TrainEdition


class ExamAnswerGiven(BaseModel):
    """An answer in an examination."""

    model_config = ConfigDict(extra="forbid")
    answer: GivenParts


class ExamExplained(BaseModel):
    """An exercise of an examination that is over."""

    place: int
    edition: str
    kind: str
    number: int
    topic: str
    on_purpose: bool
    question: str
    scene: SceneAnswer
    asks: list[AskAnswer]
    is_right: bool
    parts: list[PartAnswer]
    why: list[ReasonAnswer]
    clauses: dict[str, str]
    table: TrainEdition


class CertificateVerified(BaseModel):
    """What was found in a certificate."""

    title: str
    holds: bool = Field(description="whether it is this house's, and unchanged")
    findings: list[str]
    remarks: list[str]


class RoundListed(BaseModel):
    """A round that had to be put right."""

    seq: int = Field(description="the entry that put it right")
    table: str
    day: str
    how: str
    reason: str
    kind: str = Field(description="what is asked about it")


class RoundExercise(ExerciseAnswer):
    """An exercise about a round that was really dealt."""

    table: TrainEdition


class RoundJudged(BaseModel):
    """What is said of an answer about such a round."""

    is_right: bool
    parts: list[PartAnswer]
    why: list[ReasonAnswer]
    clauses: dict[str, str]
