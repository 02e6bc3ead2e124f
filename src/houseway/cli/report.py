"""`houseway report`: a document to hand over, one command for each kind that is declared; and `verify`, which proves one."""

import inspect
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from houseway.cli.commands import StoreUrl
from houseway.cli.extend import parameter_of, signed
from houseway.cli.text import FloorFormat, progress_bar, show_json
from houseway.refusal import Refused
from houseway.report.files import ENDINGS, check_ending, check_place
from houseway.report.house_kinds import HOUSE_KINDS, HouseKind, HouseSource
from houseway.report.kinds import KINDS, ReportKind

report_app = typer.Typer(
    help="Make a document to hand over, which proves itself: PDF with its data inside, HTML, JSON or CSV.",
    rich_markup_mode=None,
)
MOST_NAMED = 40
"""How many findings are printed."""

EditionName = Annotated[str, typer.Argument(metavar="EDITION", help="an edition's name, or the path of a TOML file")]
Out = Annotated[Path, typer.Option("-o", "--out", metavar="FILE", help=f"write it, as its ending says: {', '.join(ENDINGS)}")]
Day = Annotated[str, typer.Option(metavar="YYYY-MM-DD", help="the day that it is of (today)")]
Setting = Annotated[list[str] | None, typer.Option("--set", metavar="NAME=VALUE", help="any other switch of the edition")]
Reading = Annotated[
    list[str] | None, typer.Option("--reading", metavar="R8=even-money", help="choose a reading (may be repeated)")
]
WhatIf = Annotated[bool, typer.Option("--what-if", help="settings outside the approval, marked so on every page")]


def _command(kind: ReportKind) -> Any:
    """A kind of report as a command of the shell."""
    own = [parameter_of(option) for option in kind.options]
    paper = Annotated[str, typer.Option(metavar="|".join(kind.papers), help=f"what it is printed on ({kind.papers[0]})")]

    def write(edition: str, out: Path, **given: Any) -> None:
        options = {option.key: given.pop(option.key) for option in kind.options}
        _write(kind, edition, out, {key: value for key, value in options.items() if value}, given)

    return signed(
        write,
        kind.about,
        [
            _parameter("edition", EditionName, inspect.Parameter.empty),
            _parameter("out", Out, inspect.Parameter.empty),
            *own,
            _parameter("decks", Annotated[int | None, typer.Option(help="decks in the shoe")], None),
            _parameter("pay_table", Annotated[str | None, typer.Option(metavar="T", help="pay table")], None),
            _parameter("reading", Reading, None),
            _parameter("setting", Setting, None),
            _parameter("what_if", WhatIf, False),
            _parameter("paper", paper, ""),
            _parameter("date", Day, ""),
        ],
    )


def _parameter(name: str, annotation: Any, default: Any) -> inspect.Parameter:
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)


def _write(kind: ReportKind, edition: str, out: Path, options: dict[str, Any], given: dict[str, Any]) -> None:
    from houseway.api import Rulebook
    from houseway.cli.text import chosen_settings

    check_ending(out)
    check_place(out)
    settings = chosen_settings(given["reading"], given["setting"], decks=given["decks"], pay_table=given["pay_table"])
    if clash := settings.keys() & {option.key for option in kind.options}:
        raise Refused("bad-setting", f"{min(clash)} is an option of this report: write --{min(clash)}")
    with progress_bar(kind.name) as progress:
        made = Rulebook.open(edition).report(
            kind.name,
            paper=given["paper"],
            on=given["date"],
            what_if=given["what_if"],
            progress=progress,
            **settings,
            **options,
        )
    made.save(out)
    print(f"{out} written: {len(made.figures):,} figures")


def _house_command(kind: HouseKind) -> Any:
    """A kind of report of a house as a command of the shell."""
    own = {option.name: option for option in kind.options}
    argument = own.pop(kind.argument, None)
    first = [parameter_of(argument, partial(typer.Argument, metavar=argument.takes))] if argument else []
    paper = Annotated[str, typer.Option(metavar="|".join(kind.papers), help=f"what it is printed on ({kind.papers[0]})")]

    def write(out: Path, store: str | None, paper: str, date: str, **given: Any) -> None:
        from houseway.report.asked_house import asked_of_house

        check_ending(out)
        check_place(out)
        options = {option.name: given[option.key] for option in kind.options}
        with progress_bar(kind.name) as progress:
            made = asked_of_house(kind.name, _source(store), options, paper=paper, on=date, progress=progress)
        made.save(out)
        print(f"{out} written: {len(made.figures):,} figures")

    return signed(
        write,
        kind.about,
        [
            *first,
            _parameter("out", Out, inspect.Parameter.empty),
            *map(parameter_of, own.values()),
            _parameter("store", StoreUrl, None),
            _parameter("paper", paper, ""),
            _parameter("date", Day, ""),
        ],
    )


def _source(store: str | None) -> HouseSource:
    """The store that is asked for, only to be read, and the keys that lie here."""
    from houseway.cli.live import key_file, store_url
    from houseway.house.keys import Keyring
    from houseway.house.store import Store

    return HouseSource(Store(store_url(store, must_exist=True), only_reads=True), Keyring(key_file(to_read=True)))


for _kind in KINDS.values():
    report_app.command(name=_kind.name)(_command(_kind))
for _of_house in HOUSE_KINDS.values():
    report_app.command(name=_of_house.name)(_house_command(_of_house))


@report_app.command(name="verify")
def verify(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="a PDF that houseway report has written")],
    store: Annotated[str | None, typer.Option(metavar="URL", help="the store that a report of a house is held against")] = None,
    format_: Annotated[FloorFormat, typer.Option("--format", help="how to print the result")] = FloorFormat.TABLE,
) -> None:
    """Take the data out of a report, work all of it out again, and say which figures agree; exit code 1 if any does not."""
    from dataclasses import asdict

    from houseway.report.verify import verify_pdf

    try:
        content = file.read_bytes()
    except OSError as error:
        raise Refused("no-file", f"{file} cannot be read: {error.strerror or error}") from None
    try:
        with progress_bar("verifying") as progress:
            verified = verify_pdf(content, progress, _source(store) if store else None)
    except Refused as refused:
        raise Refused(refused.code, f"{file}: {refused.message}") from None
    if format_ is FloorFormat.JSON:
        show_json({"file": str(file), "holds": verified.holds, **asdict(verified)})
    else:
        print(f"{verified.title}: {verified.kind}, {verified.agreeing:,} of {verified.figures:,} figures agree")
        print(f"pages: {verified.pages}")
        for line in verified.made_by:
            at_hand = "the same at hand" if line.then == line.now else f"at hand: {line.now}"
            print(f"{line.label.lower()}: {line.then} ({at_hand})")
        for finding in verified.findings[:MOST_NAMED]:
            print(f"  {finding}")
        for remark in verified.remarks:
            print(f"note: {remark}")
        if len(verified.findings) > MOST_NAMED:
            print(f"  and {len(verified.findings) - MOST_NAMED:,} more (--format json names all)")
    if not verified.holds:
        raise typer.Exit(1)
