"""`houseway config`: how a house is configured, and what is wrong with it."""

from pathlib import Path
from typing import Annotated

import typer

from houseway.cli.configuration import flaws_of, heed, read_configuration, settings, usual_file
from houseway.refusal import number_of

config_app = typer.Typer(help="Check how a house is configured.", rich_markup_mode=None)
File = Annotated[
    Path | None, typer.Argument(metavar="FILE", help="(default: HOUSEWAY_CONFIG, or ~/.config/houseway/houseway.toml)")
]


@config_app.command("check")
def check(file: File = None) -> None:
    """Say every setting, where it is from, and what is wrong, a line each; whatever is wrong makes the exit code 1."""
    configuration = read_configuration(file or usual_file())
    heed(configuration)
    for key in settings():
        print(configuration.chosen(key))
    flaws = list(flaws_of(configuration))
    for flaw in flaws:
        print(f"WRONG: {' '.join(flaw.split())}")
    read = configuration.file or "no file"
    print(f"{read}: {number_of(len(flaws), 'thing')} wrong" if flaws else f"{read}: nothing wrong")
    if flaws:
        raise typer.Exit(1)


@config_app.command("example")
def example() -> None:
    """Print a file with every setting, each with what it is about and what holds without it, for you to fill in."""
    section = ""
    for setting in settings().values():
        if setting.section != section:
            section = setting.section
            print(f"{'' if setting.key == 'house.store' else chr(10)}[{section}]")
        print(f"# {setting.about} (otherwise: {setting.otherwise})")
        print(f"# {setting.name} =")
