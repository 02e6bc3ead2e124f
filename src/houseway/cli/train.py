"""`houseway train`: a school in the terminal, taught by an edition's own rules; and what a house needs of it."""

from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from houseway.cli.commands import FloorOutput, StoreUrl
from houseway.cli.text import FloorFormat
from houseway.refusal import Refused

DRILL = "drill"
OFFICE = "floor:supervisor"


class TrainGroup(TyperGroup):
    """The commands of the school; whatever is none of them is the edition that somebody wants to be asked about."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """`houseway train EDITION` is `houseway train drill EDITION`."""
        if args and args[0] not in self.commands and args[0] != "--help":
            args = [DRILL, *args]
        return super().parse_args(ctx, args)


train_app = typer.Typer(
    cls=TrainGroup,
    help="Be asked and judged by the rules themselves: `houseway train EDITION`; courses, examinations, certificates.",
    rich_markup_mode=None,
)
course_app = typer.Typer(help="Courses: the house's own, and those that every edition has by itself.", rich_markup_mode=None)
exam_app = typer.Typer(
    help="Examinations: a fixed seed, the house's clock, nothing explained before the end.", rich_markup_mode=None
)
train_app.add_typer(course_app, name="course")
train_app.add_typer(exam_app, name="exam")

EditionName = Annotated[str, typer.Argument(metavar="EDITION", help="an edition's name, or the path of a TOML file")]
Person = Annotated[str, typer.Option("--as", metavar="NAME", help="who learns: progress is kept in the house's store")]
Sitter = Annotated[str, typer.Option("--as", metavar="NAME", help="who sits it (NAME:ROLE for any other role than a dealer's)")]
Keeper = Annotated[str, typer.Option("--as", metavar="NAME:ROLE", help="who does it: a supervisor or an administrator")]
File = Annotated[Path | None, typer.Option("--progress", metavar="FILE", help="keep progress in a file, without a house")]
Choices = Annotated[
    list[str] | None, typer.Option("--set", metavar="NAME=VALUE", help="how the table is set (may be repeated)")
]
Answers = Annotated[
    list[str] | None, typer.Option("--answer", metavar="NAME=TEXT", help="an answer, part by part; of one part its TEXT alone")
]
Kinds = Annotated[list[str] | None, typer.Option("--kind", metavar="KIND", help="one kind of exercise (may be repeated)")]
Players = Annotated[bool, typer.Option("--players", help="what players learn, not dealers")]
Course = Annotated[str, typer.Argument(metavar="COURSE", help="a course's id, such as dealer-EDITION")]
Number = Annotated[int, typer.Argument(metavar="N", help="the number of the examination")]


@train_app.command(DRILL)
def drill(
    edition: EditionName,
    kind: Kinds = None,
    topic: Annotated[str, typer.Option(metavar="TOPIC", help="one topic of a kind, as the map names it")] = "",
    number: Annotated[int | None, typer.Option(metavar="N", help="the exercise of this number: the same each time")] = None,
    setting: Choices = None,
    players: Players = False,
    speed: Annotated[int, typer.Option(metavar="N", help="so many exercises against the clock")] = 0,
    answer: Answers = None,
    as_json: Annotated[bool, typer.Option("--json", help="one exercise as data; with --answer the verdict")] = False,
    person: Person = "",
    progress: File = None,
    store: StoreUrl = None,
) -> None:
    """Exercises one after the other: what is due, what is new; each answer judged, with every step and its clause."""
    from houseway.cli.drill import Drill

    asked = Drill.of(edition, setting, kind or [], players, person, progress, store)
    if as_json or answer:
        if not asked.one(topic, number, answer, as_json):
            raise typer.Exit(1)
    elif speed:
        asked.against_the_clock(speed, number)
    else:
        asked.go_on(topic, number)


@train_app.command("map")
def skill_map(
    edition: EditionName,
    kind: Kinds = None,
    setting: Choices = None,
    players: Players = False,
    person: Person = "",
    progress: File = None,
    store: StoreUrl = None,
    format_: FloorOutput = FloorFormat.TABLE,
) -> None:
    """All that can be learned of an edition, and how well it is known."""
    from houseway.cli.drill import Drill

    Drill.of(edition, setting, kind or [], players, person, progress, store).show_map(format_)


@train_app.command("verify")
def verify(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="the PDF of a certificate")],
    store: StoreUrl = None,
    format_: FloorOutput = FloorFormat.TABLE,
) -> None:
    """Tell whether a certificate is this house's, unchanged to the byte, and agrees with its results; else exit code 1."""
    from houseway.cli.drill import show_verified

    if not show_verified(file, store, format_):
        raise typer.Exit(1)


# Courses


@course_app.command("list")
def course_list(
    edition: Annotated[str, typer.Argument(metavar="EDITION", help="those that this edition has by itself")] = "",
    store: StoreUrl = None,
    format_: FloorOutput = FloorFormat.TABLE,
) -> None:
    """List the house's own courses, or those that an edition has by itself."""
    from houseway.cli.drill import show_courses

    show_courses(edition, store, format_)


@course_app.command("show")
def course_show(id_: Course, store: StoreUrl = None, format_: FloorOutput = FloorFormat.TABLE) -> None:
    """Tell what a course asks, what passes, and in which time."""
    from houseway.cli.drill import show_course

    show_course(id_, store, format_)


@course_app.command("add")
def course_add(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="the TOML file of a course")],
    who: Keeper = OFFICE,
    store: StoreUrl = None,
) -> None:
    """Keep a course of the house's own; all that it asks for must be here."""
    from houseway.cli.drill import school
    from houseway.cli.live import actor_of
    from houseway.house.editions import read_file
    from houseway.train.courses import read_course

    course = read_course(read_file(file), file.name)
    school(store).add_course(course, actor_of(who))
    print(f"{course.id} is a course of this house: {course.name}, {course.asked} exercises")


@course_app.command("remove")
def course_remove(id_: Course, who: Keeper = OFFICE, store: StoreUrl = None) -> None:
    """Forget a course of the house's own; examinations that began go on."""
    from houseway.cli.drill import school
    from houseway.cli.live import actor_of

    school(store).remove_course(id_, actor_of(who))
    print(f"{id_} is no course of this house any more")


# Examinations


@exam_app.command("begin")
def exam_begin(
    course: Course,
    who: Sitter,
    seed: Annotated[int | None, typer.Option(metavar="N", help="of a supervisor: the seed, so that many sit the same")] = None,
    sits: Annotated[str, typer.Option("--for", metavar="NAME", help="of a supervisor: who sits it")] = "",
    store: StoreUrl = None,
    format_: FloorOutput = FloorFormat.TABLE,
) -> None:
    """Begin an examination: from now on the house's clock runs."""
    from houseway.cli.drill import begin_exam

    begin_exam(course, who, seed, sits, store, format_)


@exam_app.command("answer")
def exam_answer(
    number: Number,
    who: Sitter,
    place: Annotated[
        int, typer.Argument(metavar="[EXERCISE]", help="which exercise (without it: all, one after the other)")
    ] = 0,
    answer: Answers = None,
    store: StoreUrl = None,
    format_: FloorOutput = FloorFormat.TABLE,
) -> None:
    """Answer exercises of an examination; without an answer it is only shown. Answers may be changed until the end."""
    from houseway.cli.drill import answer_exam

    if answer and not place:
        raise Refused("bad-request", "name the exercise that --answer is of")
    answer_exam(number, who, place, answer, store, format_)


@exam_app.command("hand-in")
def exam_hand_in(number: Number, who: Sitter, store: StoreUrl = None, format_: FloorOutput = FloorFormat.TABLE) -> None:
    """Hand an examination in, and see what came out."""
    from houseway.cli.drill import hand_in

    hand_in(number, who, store, format_)


@exam_app.command("results")
def exam_results(
    number: Annotated[int, typer.Argument(metavar="[N]", help="one examination, with every exercise explained")] = 0,
    who: Sitter = OFFICE,
    person: Annotated[str, typer.Option(metavar="NAME", help="those of one person")] = "",
    store: StoreUrl = None,
    format_: FloorOutput = FloorFormat.TABLE,
) -> None:
    """List examinations: everybody sees his own, supervisors and administrators those of all."""
    from houseway.cli.drill import show_results

    show_results(number, who, person, store, format_)


@exam_app.command("certificate")
def exam_certificate(
    number: Number,
    out: Annotated[Path, typer.Option("-o", "--out", metavar="FILE.pdf", help="where it is written")],
    who: Sitter = OFFICE,
    store: StoreUrl = None,
) -> None:
    """Write the certificate of an examination that was passed: a PDF, signed by the house."""
    from houseway.cli.drill import write_certificate

    write_certificate(number, out, who, store)
