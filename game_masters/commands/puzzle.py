"""The command ``ugs puzzle``."""

from typing import Annotated, Final

import typer

from game_masters.commands.options import GameName, bot_names

PLACES: Final = ("{address}", "{port}")


def puzzle(
    game: GameName,
    number: Annotated[
        str | None, typer.Argument(metavar="[NUMBER]", help="Which puzzle; all are listed without one.")
    ] = None,
    command: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[-- CMD...]",
            help="Command line of a program that tries, with {address}, or {host} and {port}, in it.",
        ),
    ] = None,
    solve: Annotated[bool, typer.Option("--solve", help="Show a solution, move by move.")] = False,
    bot: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help="Let this bundled bot try, and count what it solves.", autocompletion=bot_names
        ),
    ] = None,
    timeout: Annotated[float, typer.Option(min=0.1, help="Seconds that a program has for an answer.")] = 30.0,
) -> None:
    """Solve puzzles: a position, a task, and a judge that knows the rules.

    You play the first seat; the bundled bot answers for the others. A move is a number of the list, words that only one
    of the moves has, or a move in XML. `hint` helps, `all` lists all moves, `back` takes the last one back, `quit`
    ends it. A program is started for each puzzle; it is sent what a server would send, and the game master leads.

    Exit codes: 0 solved or shown, 1 not solved, 2 the command line is wrong.

    Examples:

        ugs puzzle tic-tac-toe

        ugs puzzle bang 6

        ugs puzzle catan 3 --solve

        ugs puzzle titan --bot marshal

        ugs puzzle tic-tac-toe --bot -- python3 mybot.py {host} {port} ann
    """
    from game_masters.commands import playing, puzzling  # a shell that asks for the options does not wait for these

    chosen = playing.game_named(game)
    which, program = _arguments(number, command or [], bot)
    if solve and (bot is not None or program):
        raise typer.BadParameter("does not go with --bot, or with a program", param_hint="--solve")
    if solve and which is None:
        raise typer.BadParameter("needs the number of a puzzle", param_hint="--solve")
    puzzles = puzzling.puzzles_or_nothing(chosen, which)
    if program:
        raise typer.Exit(puzzling.try_program(chosen, puzzles, program, timeout))
    if bot is not None:
        raise typer.Exit(puzzling.try_all(chosen, puzzles, bot))
    if which is None:
        raise typer.Exit(puzzling.list_all(chosen, puzzles))
    raise typer.Exit(puzzling.show_solution(chosen, puzzles[0]) if solve else puzzling.ask(chosen, puzzles[0]))


def _arguments(number: str | None, command: list[str], bot: str | None) -> tuple[int | None, list[str]]:
    """The puzzle that is meant, and the command of a program; none without one. Raises typer.BadParameter."""
    if number is not None and number.isascii() and number.isdigit() and int(number[:9]) > 0:
        which, program = int(number[:9]), command
    else:
        which, program = None, ([] if number is None else [number, *command])
    if bot == "--" and not program:
        raise typer.BadParameter("a name, or -- and the command line of a program", param_hint="--bot")
    if program and not any(place in word for word in program for place in PLACES):
        raise typer.BadParameter(
            f"{program[0]!r}: a number from 1 on, or -- and a command line with {{address}}, or {{host}} and {{port}}",
            param_hint="NUMBER",
        )
    return which, program
