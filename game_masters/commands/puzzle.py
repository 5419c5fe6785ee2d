"""The command ``ugs puzzle``."""

from typing import Annotated

import typer

from game_masters.commands.options import GameName, bot_names


def puzzle(
    game: GameName,
    number: Annotated[int | None, typer.Argument(min=1, help="Which puzzle; all are listed without one.")] = None,
    solve: Annotated[bool, typer.Option("--solve", help="Show a solution, move by move.")] = False,
    bot: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Let this bot try, and count what it solves.", autocompletion=bot_names),
    ] = None,
) -> None:
    """Solve puzzles: a position, a task, and a judge that knows the rules.

    You play the first seat; the bundled bot answers for the others. A move is a number of the list, words that only one
    of the moves has, or a move in XML. `hint` helps, `all` lists all moves, `back` takes the last one back, `quit`
    ends it.

    Exit codes: 0 solved or shown, 1 not solved, 2 the command line is wrong.

    Examples:

        ugs puzzle tic-tac-toe

        ugs puzzle bang 6

        ugs puzzle catan 3 --solve

        ugs puzzle titan --bot marshal
    """
    from game_masters.commands import playing, puzzling  # a shell that asks for the options does not wait for these

    chosen = playing.game_named(game)
    puzzles = puzzling.puzzles_or_nothing(chosen, number)
    if bot is not None:
        raise typer.Exit(puzzling.try_all(chosen, puzzles, bot))
    if number is None:
        raise typer.Exit(puzzling.list_all(chosen, puzzles))
    raise typer.Exit(puzzling.show_solution(chosen, puzzles[0]) if solve else puzzling.ask(chosen, puzzles[0]))
