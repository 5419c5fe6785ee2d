"""Games to be written, shown and replayed: tic-tac-toe by the rules, recorded as a broker would."""

import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from game_masters.kit.rules import Table
from game_masters.registry import find_games
from ugs.broker.values.record import EntryKind, labels_text, movers_text, results_text
from ugs.broker.verdict import Cause, GameResult, Outcome, SeatResult, Verdict
from ugs.record.game import Entry, GameRecord
from ugs.wire.extensions import Label, SeatKind

GAME_TYPE: Final = "5-in-line-tic-tac-toe"
BEGAN_US: Final = 1_903_896_000_123_456
"""2030-05-01 20:00."""
CLOCK_US: Final = 86_400_000_000
SEATS: Final = ("ann", "bob")
FIELDS: Final = (*((x, y) for x in range(4) for y in (0, 1)), (4, 0))
"""Ann puts five in a row, bob four below them."""
BOTH: Final = 0b11


class Recorder:
    """Records a game step by step: the master takes a tenth of a millisecond, players a tenth of a second."""

    def __init__(self, game_id: str = "g1", seats: tuple[str, ...] = SEATS, game_type: str = GAME_TYPE) -> None:
        self._record = GameRecord(game_id, game_type, "m", seats, BEGAN_US, server="0.1.0")
        self._entries: list[Entry] = []
        self._now_us = 0
        self.adds(EntryKind.BEGIN, 0)

    def adds(
        self,
        kind: EntryKind,
        after_us: int,
        seat: int | None = None,
        audience: int = 0,
        text: str = "",
        body: bytes = b"",
    ) -> None:
        """Add an event, ``after_us`` microseconds after the one before, which was handed on 20 microseconds after its
        arrival."""
        handed_us = CLOCK_US + self._now_us + 20 if self._entries and after_us >= 20 else 0
        self._now_us += after_us
        times = (BEGAN_US + self._now_us, CLOCK_US + self._now_us, handed_us)
        self._entries.append(Entry(kind, *times, seat, audience, text, body))

    def state(self, seat: int, body: bytes, audience: int = BOTH) -> None:
        """The master names the next player."""
        self.adds(EntryKind.STATE, 100, seat, audience, body=body)

    def movers(self, seats: Sequence[int], body: bytes, audience: int = BOTH) -> None:
        """The master names several players who may move."""
        self.adds(EntryKind.STATE, 100, seats[0], audience, movers_text(seats), body)

    def view(self, audience: int, body: bytes) -> None:
        """Some players are shown something of their own in the next state."""
        self.adds(EntryKind.VIEW, 0, None, audience, body=body)

    def move(self, seat: int, body: bytes) -> None:
        """A player moves."""
        self.adds(EntryKind.MOVE, 100_000, seat, body=body)

    def over(self, results: Sequence[tuple[int, str]], body: bytes = b"<gameState/>", audience: int = BOTH) -> None:
        """The master tells the result."""
        self.adds(EntryKind.OVER, 100, None, audience, results_text(results), body)

    def ends(
        self,
        outcomes: Sequence[Outcome],
        verdict: Verdict | None = None,
        departures: dict[int, Cause] | None = None,
    ) -> GameRecord:
        """The game is over; returns its record."""
        verdict = verdict or Verdict(Cause.FINISHED)
        self.adds(EntryKind.VERDICT, 0, text=str(verdict.cause))
        head = self._record
        seats = tuple(
            SeatResult(nick, outcome, (departures or {}).get(seat))
            for seat, (nick, outcome) in enumerate(zip(head.seats, outcomes, strict=True))
        )
        moves = sum(entry.kind is EntryKind.MOVE for entry in self._entries)
        began_at, ended_at = CLOCK_US / 1e6, (CLOCK_US + self._now_us) / 1e6
        result = GameResult(head.game_id, head.game_type, head.master, seats, verdict, moves, began_at, ended_at)
        return replace(head, entries=tuple(self._entries), round_trips_us=(150, 240, 310), result=result)

    def so_far(self) -> GameRecord:
        """The record of a running game."""
        return replace(self._record, entries=tuple(self._entries))


def tic_tac_toe(fields: Sequence[tuple[int, int]] = FIELDS, game_id: str = "g1") -> GameRecord:
    """Ann and bob put stones on these fields in turn, by the rules; the last stone ends the game."""
    game = find_games().game("tic-tac-toe")
    state = game.start(Table(game_id, SEATS, game.choose_options({})), random.Random(1))
    recorder = Recorder(game_id)
    view = game.notation.write_view(state.view(None))
    for x, y in fields:
        seat = state.movers[0]
        recorder.state(seat, view)
        move = b'<move><tic x="%d" y="%d"/></move>' % (x, y)
        recorder.move(seat, move)
        state.apply(seat, game.notation.read_move(move))
        view = game.notation.write_view(state.view(None))
    assert state.outcome is not None, "the game has no end"
    winners = state.outcome.winners
    recorder.over([(seat, "winner" if seat in winners else "loser") for seat in (0, 1)], view)
    return recorder.ends([Outcome.WON if seat in winners else Outcome.LOST for seat in (0, 1)])


LABELS: Final = (
    Label("ann", "red", SeatKind.HUMAN),
    Label("Robot 1", "blue", SeatKind.PROGRAM),
    Label("bob", "", SeatKind.HUMAN),
)


def card_game(game_id: str = "c1") -> GameRecord:
    """A game with hidden hands at ann's table, in which every kind of event happens: both players may move at once, the
    master is lost and another takes over, and bob is cut off and comes back."""
    recorder = Recorder(game_id, game_type="cards")
    recorder.adds(EntryKind.SETUP, 0, text='players = 3\nhands = ["7", "4"]')
    recorder.adds(EntryKind.LABELS, 10, text=labels_text(LABELS))
    recorder.view(0b01, b"<gameState>ann: 7</gameState>")
    recorder.view(0b10, b"<gameState>bob: 4</gameState>")
    recorder.movers([0, 1], b"<gameState>two cards</gameState>", audience=0)
    recorder.move(1, b"<move>4</move>")
    recorder.view(0b10, b"<gameState>bob: none</gameState>")
    recorder.state(0, b"<gameState>one card</gameState>", audience=0b01)
    recorder.adds(EntryKind.CUT, 10, 1)
    recorder.adds(EntryKind.AWAY, 10)
    recorder.adds(EntryKind.RESTORED, 1_000_000, text="successor")
    recorder.adds(EntryKind.BACK, 10, 1)
    recorder.move(0, b"<move>7</move>")
    recorder.view(0b01, b"<gameState>you win</gameState>")
    recorder.over([(0, "winner"), (1, "loser")], audience=0b10)
    record = recorder.ends([Outcome.WON, Outcome.LOST])
    table = {"name": 'for "friends"', "owner": "ann", "visibility": "PRIVATE"}
    return replace(record, options={"deck": "small"}, seats_total=3, seed="s-1", counts=False, table=table)
