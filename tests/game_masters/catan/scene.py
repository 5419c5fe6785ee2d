"""A game to try rules on: it begins from a fixture, and speaks in lines of a log."""

import random
from collections.abc import Mapping, Sequence
from textwrap import dedent
from typing import Any

from game_masters.catan import FOUR, SIX
from game_masters.catan.game.play import Play
from game_masters.catan.message.events import Event, event_of
from game_masters.catan.rules import Position
from game_masters.catan.setup.beginning import read_fixture
from game_masters.kit.match import play
from game_masters.kit.rules import Entries, RuleBroken, Table

GAME = "test"
HEXES = [
    "33 clay 5", "35 wood 2", "37 sheep 6", "53 ore 3", "55 wheat 8", "57 sheep 10", "59 wood 9", "73 wheat 12",
    "75 clay 11", "77 desert", "79 ore 4", "7b wheat 8", "95 wood 10", "97 sheep 9", "99 clay 4", "9b ore 5",
    "b7 wood 6", "b9 sheep 3", "bb wheat 11",
]  # fmt: skip
PORTS = [0, 1, 2, 3, 4, 5, 0, 0, 0]
PLACES = {
    0: {"settlements": ["23", "43"], "roads": ["23", "43"]},
    1: {"settlements": ["38", "6b"], "roads": ["38", "6b"]},
    2: {"settlements": ["89", "ab"], "roads": ["89", "ab"]},
    3: {"settlements": ["a7", "c9"], "roads": ["a7", "c9"]},
}
"""Where the seats stand unless a test says otherwise: not beside each other."""


class Scene:
    """One game of four (p0 to p3), or of as many as ``players`` says."""

    def __init__(
        self, fixture: Mapping[str, Any] | None = None, options: Mapping[str, str] | None = None, *, players: int = 4,
        seed: int = 1, programs: int = 0,
    ) -> None:  # fmt: skip
        game = SIX if players > 4 else FOUR
        chosen = game.choose_options(dict(options or {}))
        start = read_fixture(Entries(dict(fixture)), players, chosen) if fixture is not None else None
        names = tuple(f"p{number}" for number in range(players))
        table = Table(GAME, names, chosen, players - programs if programs else None, start)
        self.state = Position(table, random.Random(seed))
        self.told = len(self.state.record)

    @property
    def play(self) -> Play:
        """The data of the game."""
        return self.state.play

    def lines(self, since: int = 0) -> list[str]:
        """Return the log from entry ``since`` on."""
        return [one.line(GAME) for one in self.state.record[since:] if isinstance(one, Event)]

    def news(self) -> list[str]:
        """Return what has been said since this was asked last."""
        since, self.told = self.told, len(self.state.record)
        return self.lines(since)

    def ask(self, line: str) -> list[str]:
        """Send the request of a line, ``f3:SOC...``, and return all that is recorded. A refusal is recorded too."""
        self.news()
        event, _ = event_of(line)
        (seat,) = event.audience.seats
        try:
            self.state.apply(seat, event.message)
        except RuleBroken as refusal:
            self.state.fault(seat, refusal)
        return self.news()

    def plays(self, log: str) -> None:
        """Send the requests in a log, and compare all that is said with its other lines. ``...`` at the end of a line
        stands for anything."""
        wanted = [line.strip() for line in dedent(log).strip().splitlines()]
        said: list[str] = []
        for line in wanted:
            if line.startswith("f"):
                said += self.ask(line)
        shown = [one if line != one and not _fits(line, one) else line for line, one in zip(wanted, said, strict=False)]
        assert shown + said[len(shown) :] == wanted

    def refuses(self, line: str, *answers: str) -> None:
        """Send a request that is to be refused with these answers, and check that nothing else changes."""
        before = portrait(self.play)
        event, _ = event_of(line)
        (seat,) = event.audience.seats
        said = self.ask(line)
        assert said[1:] == list(answers)
        assert portrait(self.play) == before
        assert said[0].startswith(f"f{seat}:"), said


def played(bots: Sequence[str], seed: str, options: Mapping[str, str]) -> Play:
    """Return the data of a game of bots at its end."""
    game = SIX if len(bots) > 4 else FOUR
    state, _ = play(game, bots, seed, game.choose_options(options))
    assert isinstance(state, Position)
    return state.play


def portrait(play: Play) -> dict[str, object]:
    """Return all data of a game but its record and the count of refusals."""
    data = {name: value for name, value in play.__dict__.items() if name not in ("record", "chance", "variant")}
    data["board"] = {name: repr(value) for name, value in play.board.__dict__.items() if name != "net"}
    data["chance"] = play.chance.dice, play.chance.deck
    data["seats"] = [{name: value for name, value in vars(seat).items() if name != "refused"} for seat in play.seats]
    data["rng"] = play.chance.rng.getstate()
    return {name: repr(value) for name, value in data.items()}


def _fits(wanted: str, said: str) -> bool:
    return wanted.endswith("...") and said.startswith(wanted[:-3])


def resources(clay: int = 0, ore: int = 0, sheep: int = 0, wheat: int = 0, wood: int = 0, unknown: int = 0) -> str:
    """Return a bundle as text."""
    return f"clay={clay}|ore={ore}|sheep={sheep}|wheat={wheat}|wood={wood}|unknown={unknown}"


def at(turn: int = 3, state: int = 20, seats: Mapping[int, Any] | None = None, **more: Any) -> dict[str, Any]:
    """Return a fixture of a classic board with four seats: whose turn it is, and what the seats have besides their
    first pieces; a seat's ``settlements`` and ``roads`` replace these."""
    placed = [{**PLACES[number], **(seats or {}).get(number, {})} for number in range(4)]
    return {"hexes": HEXES, "ports": PORTS, "turn": turn, "state": state, "seats": placed, **more}
