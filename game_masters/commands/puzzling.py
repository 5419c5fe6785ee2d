"""What ``ugs puzzle`` does. Each function returns the exit code: 0 solved or shown, 1 not solved."""

import textwrap
from collections.abc import Sequence
from typing import Final

import typer

from game_masters.commands.puzzle_program import NoTry, tried_by_program
from game_masters.kit.puzzles import SOLVER, Ending, NoSuchPuzzle, Puzzle, puzzle_of, puzzles_of
from game_masters.kit.rules import AnyGame, RuleBroken, Unreadable
from game_masters.kit.solving import Solving, Tried, solution_of, tried_by
from ugs.commands.failure import WRONG_USAGE, failure
from ugs.commands.picture_output import Canvas, canvas, show
from ugs.pictures.contract import Offer
from ugs.terminal import Column, grid, output, safe

MAX_LISTED: Final = 30
"""Moves that are listed unasked."""
MAX_MOVES_SHOWN: Final = 12


def puzzles_or_nothing(game: AnyGame, number: int | None) -> Sequence[Puzzle]:
    """The puzzles that are meant. Raises typer.BadParameter if there are none."""
    try:
        found = puzzles_of(game) if number is None else (puzzle_of(game, number),)
    except NoSuchPuzzle as error:
        raise typer.BadParameter(str(error), param_hint="NUMBER") from error
    if not found:
        raise typer.BadParameter(f"{game.name} has no puzzles", param_hint="GAME")
    return found


def list_all(game: AnyGame, puzzles: Sequence[Puzzle]) -> int:
    """List the puzzles."""
    columns = (Column("", right=True, whole=True), Column("title", whole=True), "task")
    output().print(grid(columns, [(str(one.number), one.title, one.task) for one in puzzles]))
    typer.echo(f"ugs puzzle {game.name} NUMBER begins one.")
    return 0


def try_all(game: AnyGame, puzzles: Sequence[Puzzle], bot: str) -> int:
    """Let a bundled bot try each puzzle, and print how many it solves."""
    try:
        return _judge(game, bot, [tried_by(game, one, bot) for one in puzzles])
    except KeyError as error:
        raise typer.BadParameter(str(error.args[0]), param_hint="--bot") from error


def try_program(game: AnyGame, puzzles: Sequence[Puzzle], command: Sequence[str], timeout_s: float) -> int:
    """Let a program try each puzzle, started for each, and print how many it solves."""
    try:
        return _judge(game, "it", [tried_by_program(game, one, command, timeout_s) for one in puzzles])
    except NoTry as error:
        raise failure("ugs puzzle", str(error), WRONG_USAGE) from error


def _judge(game: AnyGame, who: str, tries: Sequence[Tried]) -> int:
    """Print the result of each try, and what was expected where one was not solved."""
    rows = [(str(one.puzzle.number), one.puzzle.title, one.ending, str(len(one.moves))) for one in tries]
    output().print(grid((Column("", right=True), "title", "ending", Column("moves", right=True)), rows))
    for one in tries:
        if not one.solved:
            typer.echo(f"{one.puzzle.number}. {one.puzzle.title}")
            typer.echo(f"   played:   {_in_words(one.moves)}")
            typer.echo(f"   expected: {_in_words(solution_of(game, one.puzzle))} (or another solution)")
        for line in one.account.splitlines():
            typer.echo(f"   {safe(line)}")
    solved = sum(one.solved for one in tries)
    typer.echo(f"{who} solves {solved} of {len(tries)}")
    return 0 if solved == len(tries) else 1


def _in_words(moves: Sequence[str]) -> str:
    shown = [safe(move) for move in moves[:MAX_MOVES_SHOWN]]
    more = len(moves) - len(shown)
    return ("; ".join(shown) or "nothing") + (f"; … {more} more" if more else "")


def show_solution(game: AnyGame, puzzle: Puzzle) -> int:
    """Play a solution, with a picture after each move."""
    console, solving = canvas(), Solving(game, puzzle)
    _show(console, solving)
    for move in puzzle.solution:
        typer.echo(f"\n> {safe(solving.called(move))}")
        solving.plays(move)
        _show_position(console, solving)
        _news(solving)
    typer.echo(f"\n{str(solving.ending).capitalize()}.")
    return 0 if solving.ending is Ending.SOLVED else 1


def ask(game: AnyGame, puzzle: Puzzle) -> int:
    """Let a person try, until it is solved or not, or the person has had enough."""
    console = canvas()
    made: list[str] = []
    solving = Solving(game, puzzle)
    _show(console, solving)
    _list(solving, MAX_LISTED)
    # A try that has failed can be mended with `back`.
    while solving.ending is not Ending.SOLVED:
        try:
            entered = input("move> ").strip()
        except EOFError:
            entered = "quit"
        if entered in ("quit", "q"):
            return 1
        if entered == "hint":
            typer.echo(puzzle.hint)
        elif entered == "back":
            made = made[:-1]
            solving = _again(game, puzzle, made)
            _show_position(console, solving)
            _list(solving, MAX_LISTED)
        elif solving.ending is not None:
            typer.echo("It is over: `back` takes your last move back, `hint` helps, `quit` ends it.")
        elif entered == "all":
            _list(solving, None)
        elif entered:
            solving = _try(console, solving, entered, made)
    return 0


def _try(console: Canvas, solving: Solving, entered: str, made: list[str]) -> Solving:
    """Make a move, if it is one, and show what comes of it."""
    try:
        move = _meant(solving, entered)
        solving.plays(move)
    except (RuleBroken, Unreadable) as error:
        typer.echo(f"No: {safe(str(error))}")
        return solving
    made.append(move)
    _show_position(console, solving)
    _news(solving)
    if solving.ending is None:
        _list(solving, MAX_LISTED)
    else:
        typer.echo(f"\n{str(solving.ending).capitalize()}.")
    return solving


def _again(game: AnyGame, puzzle: Puzzle, made: Sequence[str]) -> Solving:
    """The same try after these moves: the same moves show the same."""
    solving = Solving(game, puzzle)
    for move in made:
        solving.plays(move)
    return solving


def _offers(solving: Solving) -> Sequence[Offer]:
    return solving.picture.offers(SOLVER) if solving.picture is not None else ()


def _meant(solving: Solving, entered: str) -> str:
    """The move that is meant: by its number, by words that only one has, or as it is. Raises Unreadable."""
    if entered.startswith("<"):
        return entered
    offers = _offers(solving)
    if entered.isascii() and entered.isdigit():
        # Python refuses to read a number of very many digits.
        if not 1 <= int(entered[:9]) <= len(offers):
            raise Unreadable(f"there are moves 1 to {len(offers)}")
        return offers[int(entered) - 1].move.decode()
    # A whole name first: it may stand in longer ones, too.
    found = [one for one in offers if entered == one.label] or [one for one in offers if entered in one.label]
    if len(found) != 1:
        what = "no move has" if not found else f"{len(found)} moves have"
        raise Unreadable(f"{what} {entered!r} in its name")
    return found[0].move.decode()


def _show(console: Canvas, solving: Solving) -> None:
    """Show what is asked for, and the position."""
    puzzle = solving.puzzle
    typer.echo(f"{puzzle.number}. {puzzle.title}")
    typer.echo("\n".join(textwrap.wrap(puzzle.task, 100)) + "\n")
    _show_position(console, solving)


def _show_position(console: Canvas, solving: Solving) -> None:
    if solving.picture is None:
        typer.echo(safe(str(solving.attempt)))
        return
    show(console, solving.picture)


def _news(solving: Solving) -> None:
    """Print what has happened since the last move of the solver."""
    for news in solving.picture.news() if solving.picture is not None else ():
        typer.echo(f"* {safe(news)}")


def _list(solving: Solving, most: int | None) -> None:
    """List the moves, at most ``most`` of them."""
    offers = _offers(solving)
    for number, offer in enumerate(offers[:most], start=1):
        typer.echo(f"{number:4} {safe(offer.label)}")
    if most is not None and len(offers) > most:
        typer.echo(f"     … {len(offers)} moves; `all` lists them")
    typer.echo(f"     moves left: {solving.attempt.moves_left}")
