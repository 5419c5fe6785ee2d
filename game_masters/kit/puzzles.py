'''Puzzles: a position, a task, and a judge that knows the rules and no list of moves, so that every solution counts.

A game has its puzzles in a file (:class:`~game_masters.kit.puzzle_book.PuzzleBook`)::

    [[puzzle]]
    title = "The gap"
    task = "Crosses move. Complete five in a row now."
    goal = "win"                        # or "hold": do not lose; or one of the game's own, with words behind it
    moves = 1                           # moves of the solver at most; for "hold": how many it has to get through
    turn = true                         # optional: within this turn; to be kept up until the next one of the solver
    hint = "Look at the third row."
    fixture = """
    players = 2
    seed = 1
    stones = ["3,3"]
    """
    solution = ['<tic x="3" y="4"/>']   # payloads of moves, without <move>
    wrong = ['<tic x="9" y="9"/>']      # shows that the judge refuses what only looks good

The solver sits on the first seat. The game's bundled bot plays the other ones, and the seed of the fixture decides all
chance: the same moves bring the same answers. No I/O but reading the file.
'''

import random
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Final

from game_masters.kit.fixture import Fixture, read_fixture
from game_masters.kit.puzzle_book import Goal, PuzzleBook
from game_masters.kit.rules import (
    AnyGame,
    AnyState,
    BadFixture,
    Entries,
    Outcome,
    RuleBroken,
    State,
    Table,
    Unreadable,
)
from game_masters.kit.seating import Impossible
from ugs.wire.extensions import Restore
from ugs.wire.messages import BeginGame, Choice

PUZZLE: Final = "puzzle"
"""The option of a table with the number of a puzzle; 0: none."""
SOLVER: Final = 0
"""The seat that solves."""
MAX_MOVES: Final = 100
MAX_PUZZLES: Final = 1000


class NoSuchPuzzle(Exception):
    """There is no puzzle with that number, or the game has none. The text lists what there is."""


class Ending(StrEnum):
    """How a try at a puzzle ends."""

    SOLVED = "puzzle solved"
    GAME_OVER = "puzzle not solved: the game is over"
    TURN_OVER = "puzzle not solved: the turn is over"
    NO_MOVES_LEFT = "puzzle not solved: no moves left"
    LOST_HOLD = "puzzle not solved: it does not hold"


@dataclass(frozen=True, slots=True)
class Puzzle:
    """One puzzle."""

    number: int
    title: str
    task: str
    goal: str
    moves: int
    turn: bool
    hint: str
    fixture: str
    solution: tuple[str, ...]
    wrong: tuple[str, ...]

    def start(self, game: AnyGame) -> Fixture:
        """Return the beginning. Raises BadFixture."""
        fixture = read_fixture(game, self.fixture)
        # Two tries must see the same answers, or a solution could not be checked.
        if not fixture.seed:
            raise BadFixture(f"puzzle {self.number}: its fixture has no seed, so it would differ from try to try")
        return fixture


def puzzles_of(game: AnyGame) -> Sequence[Puzzle]:
    """Return the puzzles of a game, from number 1 on; none if it has none. Raises BadFixture for a file that is
    wrong, OSError where it cannot be read."""
    if game.puzzles is None:
        return ()
    values = tomllib.loads(game.puzzles.file.read_text(encoding="utf-8"))
    tables = Entries(values).tables("puzzle")
    if len(tables) > MAX_PUZZLES:
        raise BadFixture(f"puzzle: {len(tables)} of them; at most {MAX_PUZZLES}")
    return [_puzzle(number, entries, game.puzzles) for number, entries in enumerate(tables, start=1)]


def puzzle_of(game: AnyGame, number: int) -> Puzzle:
    """Return one puzzle. Raises :class:`NoSuchPuzzle`."""
    puzzles = puzzles_of(game)
    if not 1 <= number <= len(puzzles):
        there = f"there are 1 to {len(puzzles)}" if puzzles else "the game has none"
        raise NoSuchPuzzle(f"{game.name}: no puzzle {number}; {there}")
    return puzzles[number - 1]


def number_of_puzzles(game: AnyGame) -> int:
    """Return how many puzzles can be offered: none where their file is damaged, since the game can be led all the
    same."""
    try:
        return len(puzzles_of(game))
    except (OSError, ValueError, BadFixture):
        return 0


def chosen_puzzle(asked: BeginGame | Restore, game: AnyGame) -> tuple[BeginGame | Restore, Puzzle | None]:
    """Return what is asked for without the option that names a puzzle, and the puzzle; None: a game like any other is
    asked for. With a puzzle there are no options left: a server names all of them, and the puzzle has its own.

    Raises :class:`Impossible` where there is no such puzzle, or more than one player: their games count in standings.
    """
    text = next((option.value for option in asked.options if option.name == PUZZLE), "")
    if game.puzzles is None or text in ("", "0"):
        # The server names all options of a table; with 0 it is a game like any other.
        without = asked.options if game.puzzles is None else _without(asked)
        return replace(asked, options=without), None
    try:
        puzzle = puzzle_of(game, int(text) if text.isascii() and text.isdigit() and len(text) < 6 else 0)
        seats = puzzle.start(game).players
    except (NoSuchPuzzle, BadFixture, OSError, ValueError) as error:
        raise Impossible(f"option {PUZZLE}: {error}") from error
    if len(asked.players) != 1:
        raise Impossible(
            f"option {PUZZLE}: {len(asked.players)} players; one solves it, the computer has the other seats"
        )
    if asked.seats != seats:
        raise Impossible(f"option {PUZZLE}: {asked.seats or 1} seats; puzzle {puzzle.number} has {seats}")
    return replace(asked, options=()), puzzle


def _without(asked: BeginGame | Restore) -> tuple[Choice, ...]:
    return tuple(option for option in asked.options if option.name != PUZZLE)


def _puzzle(number: int, entries: Entries, book: PuzzleBook) -> Puzzle:
    puzzle = Puzzle(
        number,
        title=entries.text("title"),
        task=entries.text("task"),
        goal=entries.text("goal"),
        moves=entries.integer("moves", range(1, MAX_MOVES + 1)),
        turn=entries.flag("turn") if entries.asks("turn") else False,
        hint=entries.text("hint"),
        fixture=entries.text("fixture"),
        solution=entries.words("solution"),
        wrong=entries.words("wrong"),
    )
    entries.nothing_else()
    if puzzle.goal.split(" ", 1)[0] not in goals_of(book):
        entries.refuse("goal", f"is none of {', '.join(goals_of(book))}")
    return puzzle


def goals_of(book: PuzzleBook) -> Mapping[str, Goal]:
    """Return the goals by their first words: those of all games, and those of this one."""
    return {**GOALS, **book.goals}


def _wins(state: AnyState, seat: int, words: str) -> bool:
    return state.outcome is not None and seat in state.outcome.winners


def _holds(state: AnyState, seat: int, words: str) -> bool:
    outcome = state.outcome
    return outcome is None or outcome.drawn or seat in outcome.winners


GOALS: Final[Mapping[str, Goal]] = {"win": Goal(_wins), "hold": Goal(_holds, keeps=True)}
"""What any game can be asked for."""


class Attempt(State[Any, Any]):
    """A game that is a try at a puzzle: as the rules have it, until the judge knows whether it is solved.

    Then it is over: the solver has won if it is solved, else all others have.
    """

    def __init__(self, game: AnyGame, puzzle: Puzzle, table: Table, rng: random.Random) -> None:
        """Begin. The table has the fixture of the puzzle. Raises :class:`NoSuchPuzzle` if the game has none."""
        if game.puzzles is None:
            raise NoSuchPuzzle(f"{game.name} has no puzzles")
        self._inner: AnyState = game.start(table, rng)
        self._puzzle = puzzle
        name, _, self._words = puzzle.goal.partition(" ")
        self._goal = goals_of(game.puzzles)[name]
        self._turn_of = game.puzzles.turn
        self._turn = self._turn_of(self._inner)
        self._others = frozenset(table.seats) - {SOLVER}
        # The computer's moves are not counted.
        self._made = 0
        self._ending: Ending | None = None

    @property
    def ending(self) -> Ending | None:
        """How it has ended; None while it goes on."""
        return self._ending

    @property
    def moves_left(self) -> int:
        """How many moves the solver has."""
        return self._puzzle.moves - self._made

    @property
    def movers(self) -> tuple[int, ...]:
        """The seats that may move; none once it is over."""
        return self._inner.movers if self._ending is None else ()

    @property
    def outcome(self) -> Outcome | None:
        """What the judge decided."""
        if self._ending is None:
            return None
        # The seats of the computer win a puzzle that is not solved, so that the server has a result.
        return Outcome(self._ending, frozenset({SOLVER}) if self._ending is Ending.SOLVED else self._others)

    @property
    def record(self) -> Sequence[object]:
        """The record of the game."""
        return self._inner.record

    @property
    def labels(self) -> Sequence[str]:
        """The labels of the game."""
        return self._inner.labels

    def legal_moves(self, seat: int) -> Sequence[Any]:
        """The legal moves of the game; none once it is over."""
        return self._inner.legal_moves(seat) if self._ending is None else ()

    def is_open(self, move: Any) -> bool:
        """Whether the game lists only examples of such moves."""
        return self._inner.is_open(move)

    def apply(self, seat: int, move: Any) -> None:
        """Make a move, and judge."""
        if self._ending is not None:
            raise RuleBroken(f"{self._ending}: it is over")
        self._inner.apply(seat, move)
        self._made += seat == SOLVER
        self._judge()

    def fault(self, seat: int, cause: RuleBroken | Unreadable) -> None:
        """Do what the rules require, and judge."""
        self._inner.fault(seat, cause)
        self._judge()

    def leave(self, seat: int) -> None:
        """Do what the rules require; without the solver nothing is solved."""
        self._inner.leave(seat)
        self._judge()
        if seat == SOLVER and self._ending is None:
            self._ending = Ending.GAME_OVER

    def rejoin(self, seat: int) -> None:
        """Let a player come back, as the game does."""
        self._inner.rejoin(seat)

    def view(self, seat: int | None, since: int = 0) -> Any:
        """The notice of the game; the task is shown beside it."""
        return self._inner.view(seat, since)

    def received(self, seat: int | None, since: int = 0) -> Sequence[object]:
        """What the seat may know, as the game has it."""
        return self._inner.received(seat, since)

    def __str__(self) -> str:
        return str(self._inner)

    def _judge(self) -> None:
        met, over = self._goal.met(self._inner, SOLVER, self._words), self._inner.outcome is not None
        # With its last move made, the solver may still be helped by the answers of others, until it is asked again.
        used_up = self._made >= self._puzzle.moves and SOLVER in self._inner.movers
        turn = self._turn_of(self._inner)
        ends = self._puzzle.turn and turn != self._turn
        # What has to hold is judged the other way round: a try is lost as soon as it does not.
        if self._goal.keeps:
            comes_again = ends and turn[0] == SOLVER and SOLVER in self._inner.movers
            if not met:
                self._ending = Ending.LOST_HOLD
            # Held to the end, or for as many moves as were asked.
            elif over or comes_again or (used_up and not self._puzzle.turn):
                self._ending = Ending.SOLVED
            elif used_up:
                self._ending = Ending.NO_MOVES_LEFT
        elif met:
            self._ending = Ending.SOLVED
        elif over:
            self._ending = Ending.GAME_OVER
        elif ends:
            self._ending = Ending.TURN_OVER
        elif used_up:
            self._ending = Ending.NO_MOVES_LEFT


def as_game(game: AnyGame, puzzle: Puzzle) -> AnyGame:
    """Return a game where every game is a try at this puzzle, if its table has the fixture of the puzzle."""
    conduct = replace(game.conduct, rejoins=False, kept=None)
    return replace(game, start=lambda table, rng: Attempt(game, puzzle, table, rng), conduct=conduct)
