"""Options and commands that only one game has, from its `solve/shell.toml`, as options and commands of the shell.

Typer reads a command off a function's signature: here the signature is written from the data.
"""

import inspect
import sys
from collections.abc import Callable, Iterable
from functools import partial
from typing import Annotated, Any

import typer

from houseway.cli.text import Format, progress_bar, show_answer
from houseway.folders import game_folders
from houseway.refusal import Refused
from houseway.solve.shell import Command, Option, Shell, read_shell

Output = Annotated[Format, typer.Option("--format", help="how to print the result")]


def shells() -> dict[str, Shell]:
    """What every game declares, by the game's id; what cannot be read is left out, and that is said."""
    readable: dict[str, Shell] = {}
    for game, folder in game_folders().items():
        try:
            readable[game] = read_shell(folder)
        except Refused as refused:
            print(f"houseway: {' '.join(refused.message.split())}", file=sys.stderr)
    return readable


def options_of_games(declared: Iterable[Shell]) -> tuple[Option, ...]:
    """All options, each once: where two games have one of a name, the first says what it takes, and both what it is about."""
    options: dict[str, Option] = {}
    for option in (option for shell in declared for option in shell.options):
        known = options.get(option.name)
        about = f"{known.about}; {option.about}" if known else option.about
        options[option.name] = Option(option.name, about, (known or option).takes, (known or option).default)
    return tuple(options.values())


def with_options(command: Callable[..., None], options: Iterable[Option]) -> Callable[..., None]:
    """A command with more options, of which those that are given come to it as a dictionary, `of_games`."""
    own = {option.key: option for option in options}
    shared = [each for each in inspect.signature(command).parameters.values() if each.name != "of_games"]

    def extended(**given: Any) -> None:
        of_games = {key: value for key in own if (value := given.pop(key))}
        command(**given, of_games=of_games)

    return signed(extended, command.__doc__ or "", [*shared[:1], *map(parameter_of, own.values()), *shared[1:]])


def own_command(game: str, command: Command) -> Callable[..., None]:
    """A command of a game's own: its solver answers."""
    argument = (
        [parameter_of(command.argument, partial(typer.Argument, metavar=command.argument.takes))] if command.argument else []
    )
    output = inspect.Parameter("format_", inspect.Parameter.KEYWORD_ONLY, default=Format.TABLE, annotation=Output)

    def answer(format_: Format, **given: Any) -> None:
        from houseway.games import game as open_game
        from houseway.solve.solver import Solver

        solver = open_game(game).solver
        assert isinstance(solver, Solver)
        with progress_bar(command.name) as progress:
            answered = solver.commands[command.name](progress, **given)
        show_answer(answered, format_)

    return signed(answer, command.about, [*argument, *map(parameter_of, command.options), output])


def parameter_of(option: Option, make: Callable[..., Any] | None = None) -> inspect.Parameter:
    """An option (or, made so, an argument) as a parameter of a function."""
    annotation: Any
    default: Any = inspect.Parameter.empty
    if make is not None:
        annotation = Annotated[str, make(help=option.about)]
    elif option.takes:
        annotation = Annotated[str, typer.Option(option.flag, metavar=option.takes, help=option.about)]
        default = option.default
    else:
        annotation, default = Annotated[bool, typer.Option(option.flag, help=option.about)], False
    return inspect.Parameter(option.key, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)


def signed(function: Callable[..., None], about: str, parameters: list[inspect.Parameter]) -> Callable[..., None]:
    """A function with this signature and help: Typer makes a command of both."""
    named = [each.replace(kind=inspect.Parameter.KEYWORD_ONLY) for each in parameters]
    function.__doc__ = about
    function.__signature__ = inspect.Signature(named)  # type: ignore[attr-defined]
    function.__annotations__ = {each.name: each.annotation for each in named}
    return function
