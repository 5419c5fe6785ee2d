"""One try at a puzzle: a solver moves, the bundled bot answers for all others, the judge decides the result.

A master that leads a puzzle at a table plays the same answers to the same moves.
"""

import random
from dataclasses import dataclass
from typing import Any

from game_masters.kit.gallery import scene_of, shown
from game_masters.kit.puzzles import SOLVER, Attempt, Ending, Puzzle
from game_masters.kit.rules import AnyGame, RuleBroken, Table, Unreadable
from ugs.pictures.contract import Follower, Picture

MAX_SHOWN = 60
"""Characters of a move that an error shows."""
MAX_ANSWERS = 10_000
"""Moves of others in a row; more are a game that never asks the solver."""


class Solving:
    """A try from its beginning."""

    def __init__(self, game: AnyGame, puzzle: Puzzle) -> None:
        """Set the position up. Raises BadFixture."""
        fixture = puzzle.start(game)
        options = game.choose_options(fixture.options)
        names = tuple(f"player {number}" for number in range(1, fixture.players + 1))
        table = Table("puzzle", names, options, players=1, fixture=fixture.start(game, options))
        self.game, self.puzzle = game, puzzle
        self.attempt = Attempt(game, puzzle, table, random.Random(fixture.seed))
        self._bot = game.program_bot
        # The same for each try: the others answer the same moves in the same way.
        self._chances = {seat: random.Random(f"{fixture.seed} program {seat}") for seat in table.seats[1:]}
        self._shown = dict.fromkeys(table.seats, 0)
        self.scene = scene_of(game, table, self.attempt.labels, SOLVER)
        self._follower: Follower | None = game.pictures(self.scene) if game.pictures is not None else None
        self.picture: Picture | None = None
        """The position as the solver sees it; None for a game without pictures."""
        self._answer()

    @property
    def ending(self) -> Ending | None:
        """How it has ended; None while it goes on."""
        return self.attempt.ending

    def plays(self, text: str) -> None:
        """Make the solver's move, as a person writes it, and let the others answer. Raises Unreadable and RuleBroken;
        then nothing has changed."""
        self.moves(self.game.notation.read_move(self._payload(text.strip())))

    def _payload(self, text: str) -> bytes:
        """Return the ``<move>`` for one that is written with or without that element, or is called as it is offered."""
        if text.startswith("<"):
            return (text if text.startswith("<move>") else f"<move>{text}</move>").encode()
        offers = self.picture.offers(SOLVER) if self.picture is not None else ()
        for offer in offers:
            if offer.label == text:
                return offer.move
        raise Unreadable(f"{text[:MAX_SHOWN]!r} is neither a move in XML nor the name of one of the moves")

    def called(self, text: str) -> str:
        """Return what the picture calls a move, or the text where it does not offer it."""
        payload = self._payload(text.strip())
        offers = self.picture.offers(SOLVER) if self.picture is not None else ()
        return next((offer.label for offer in offers if offer.move == payload), text)

    def moves(self, move: Any) -> None:
        """The same with a move that has been read."""
        if SOLVER not in self.attempt.movers:
            raise RuleBroken("it is not your turn")
        self.attempt.apply(SOLVER, move)
        self._answer()

    def view(self) -> Any:
        """Return the solver's view, for a bot. To be asked for once after each move."""
        return self._view

    def _answer(self) -> None:
        # A bot whose moves never lead back to the solver must not hang the program.
        for _ in range(MAX_ANSWERS):
            seat = next((seat for seat in self.attempt.movers if seat != SOLVER), None)
            if seat is None:
                return self._look()
            shown, self._shown[seat] = self._shown[seat], len(self.attempt.record)
            self.attempt.apply(seat, self._bot.choose(self.attempt.view(seat, shown), self._chances[seat]))
        raise RuntimeError(f"puzzle {self.puzzle.number}: {MAX_ANSWERS} moves of others in a row")

    def _look(self) -> None:
        """Show the solver what there is now."""
        start, self._shown[SOLVER] = self._shown[SOLVER], len(self.attempt.record)
        self._view = self.attempt.view(SOLVER, start)
        self.shown = shown(self.game, self.attempt, SOLVER, start)
        if self._follower is not None:
            self.picture = self._follower(self.shown)


@dataclass(frozen=True, slots=True)
class Tried:
    """What a solver has made of a puzzle."""

    puzzle: Puzzle
    ending: str
    """One of :class:`~game_masters.kit.puzzles.Ending`."""
    moves: tuple[str, ...]
    """As pictures call them."""
    account: str = ""
    """What else to report."""

    @property
    def solved(self) -> bool:
        """Whether it is."""
        return self.ending == Ending.SOLVED


def tried_by(game: AnyGame, puzzle: Puzzle, bot: str | None) -> Tried:
    """Let a bot try. Raises KeyError for a name that no bot of the game has."""
    chosen, rng = game.bot(bot), random.Random(f"{puzzle.number}")
    solving, made = Solving(game, puzzle), []
    while solving.ending is None:
        move = chosen.choose(solving.view(), rng)
        made.append(solving.called(game.notation.write_move(move).decode()))
        solving.moves(move)
    return Tried(puzzle, str(solving.ending), tuple(made))


def solution_of(game: AnyGame, puzzle: Puzzle) -> tuple[str, ...]:
    """The moves of a solution, as pictures call them."""
    solving, called = Solving(game, puzzle), []
    for move in puzzle.solution:
        called.append(solving.called(move))
        solving.plays(move)
    return tuple(called)
