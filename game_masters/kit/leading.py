"""One game that is being led: takes in what happens in it, and returns what its players receive.

When a state is sent
--------------------
One state answers the beginning, and one answers every move, good or bad. A departure is answered only if no
player who was asked is left to move. Otherwise the move of such a player may be under way already, and
asking it again would allow it a second move. The others learn of the departure with the next state. The same holds
for a player who comes back.

Seats that the program plays
----------------------------
They move as soon as they may, before the players receive anything. Each is asked as any bot is, with the view of its
seat and its own random numbers.

Going on where another master was lost
--------------------------------------
:func:`replay` makes everything happen again, in the same way as in play and with the same random numbers, and drops
the messages; then :meth:`Leading.resumed` returns the current state of the game.
"""

import random
import re
from collections.abc import Callable, Iterable
from copy import deepcopy
from dataclasses import dataclass, replace
from typing import Any, Generic

from game_masters.kit.acknowledgements import Acknowledgements, Listener
from game_masters.kit.client import Effect, Level, Note, Send
from game_masters.kit.resuming import NotKept
from game_masters.kit.rules import Game, Kept, M, Outcome, RuleBroken, Unreadable, V
from game_masters.kit.seating import Chance, Impossible, Seating
from game_masters.kit.showing import Manner, next_seats, payloads, show, sketches, winners
from ugs.wire.extensions import (
    MAX_CODE,
    MAX_REASON,
    Because,
    Labels,
    MoveRuling,
    Past,
    PastLeft,
    PastMove,
    PastRejoined,
    RefusedMove,
    Views,
)
from ugs.wire.messages import GameState

PayloadCheck = Callable[[bytes], None]
"""Raises :class:`Unreadable` for a payload that does not fit the game's schema."""

_NOT_IN_A_CODE = re.compile(r"[^A-Za-z0-9._-]+")

MAX_PROGRAM_MOVES = 100_000
"""After this many moves of the program in a row, without a player being asked, the game counts as one that never
ends."""


def _keep_nothing(kept: Kept) -> None:
    raise NotKept("no games are kept here for another time")


class Leading(Generic[M, V]):
    """A game from its beginning to its end."""

    def __init__(
        self,
        game: Game[M, V],
        seating: Seating,
        chance: Chance,
        manner: Manner,
        check: PayloadCheck | None,
        keep: Callable[[Kept], None] = _keep_nothing,
    ) -> None:
        """Set the game up. No message is sent yet. ``keep`` keeps the game when its players agree to go on another
        time; it raises :class:`NotKept`."""
        self._game = game
        self._seating = seating
        self._manner = manner
        self._check = check
        self._state = game.start(seating.table, chance(""))
        self._program = game.program_bot
        self._chances: dict[int, random.Random] = {seat: chance(f"program {seat}") for seat in seating.programs}
        self._acknowledged = Acknowledgements(spares=manner.movers, longest=game.conduct.longest_absence)
        self._shown_to_programs = dict.fromkeys(seating.programs, 0)
        # Programs cannot leave: the game is over when no player is left.
        self._present = set(seating.table.seats) - set(seating.programs)
        self._asked: set[int] = set()
        self._broken: _Broken | None = None
        """The rule that the last move has broken."""
        self._refused: tuple[_Broken, RuleBroken | Unreadable] | None = None
        """The last move that was refused, while the server decides what follows."""
        self._over = False
        self._keep = keep
        self.keeps = True
        """Whether what the players agree on happens now, and is not replayed from the past."""
        self.reports = True
        """Whether refused moves are reported: those that are replayed from the past were judged by the rules."""
        self.fields: dict[str, Any] = {"game": seating.table.game_id}
        """The fields of every log line about this game."""

    @property
    def over(self) -> bool:
        """Whether nothing can happen any more."""
        return self._over

    @property
    def asked(self) -> frozenset[int]:
        """The seats that the last state asked and that have not moved."""
        return frozenset(self._asked)

    def seat_of(self, nick: str) -> int | None:
        """Return the seat of a player who is still in the game."""
        seat = self._seating.seat_of(nick)
        return seat if seat in self._present else None

    def left_seat_of(self, nick: str) -> int | None:
        """Return the seat that a player has left and can have again."""
        seat = self._seating.seat_of(nick)
        return seat if self._game.conduct.rejoins and seat not in self._present else None

    def labels(self) -> list[Effect]:
        """Return who plays what, if the server wants to know that."""
        if not self._manner.table:
            return []
        return [Send(Labels(self._seating.table.game_id, self._seating.labels(self._state.labels)))]

    def begin(self) -> list[Effect]:
        """Return the first state, and before it who plays what."""
        labels = self.labels()
        self._play_programs()
        return [*labels, *self._send_state()]

    def moved(self, seat: int, payload: bytes) -> list[Effect]:
        """Handle the move of a player who was asked."""
        # First of all: also a refused move proves that its state has arrived.
        self._asked.discard(seat)
        self._acknowledged.moved(seat)
        self._broken = self._refused = None
        notes: list[Effect] = []
        try:
            move = self._game.notation.read_move(payload)  # in its words it is refused with and without a check
            if self._check is not None:
                self._check(payload)
            self._state.apply(seat, move)
            keeps = self._game.conduct.kept
            if keeps is not None and (kept := keeps(self._state)) is not None:
                notes += self._kept(seat, kept)
        except (RuleBroken, Unreadable) as cause:
            kind = "illegal move" if isinstance(cause, RuleBroken) else "unreadable move"
            fields = self.fields | {"nick": self._seating.table.names[seat], "reason": str(cause)}
            notes.append(Note(kind, fields, Level.WARNING))
            # No end yet: the server may decide that the game goes on.
            self._refused = _Broken(seat, kind, str(cause), ends=False), cause
            if self._manner.faults and self.reports:
                # The player still has to move, unless the server decides otherwise.
                self._asked.add(seat)
                return [*notes, *self._report()]
            self._judge()
        self._play_programs()
        return [*notes, *self._send_state()]

    def _report(self) -> list[Effect]:
        """Return the move that was refused, for a server that decides what follows."""
        if self._refused is None:
            return []
        broken, table = self._refused[0], self._seating.table
        return [Send(RefusedMove(table.game_id, table.names[broken.seat], _code(broken.kind), _line(broken.text)))]

    def _judge(self) -> None:
        """Do what the rules require after a refused move."""
        assert self._refused is not None
        (broken, cause), self._refused = self._refused, None
        self._state.fault(broken.seat, cause)
        # What programs do after it is no fault of this player.
        self._broken = replace(broken, ends=self._state.outcome is not None)

    def ruled(self, ruling: MoveRuling) -> list[Effect]:
        """The server has decided what follows from the move that was refused."""
        if self._refused is None or ruling is not MoveRuling.RULES:
            self._refused = None
            return []
        self._asked.discard(self._refused[0].seat)
        self._judge()
        self._play_programs()
        return self._send_state()

    # On a replay the game was kept then, and the players have their code.
    def _kept(self, seat: int, kept: Kept) -> list[Effect]:
        """Keep the game for another time. If that is impossible, the player who has moved is informed."""
        if not self.keeps:
            return []
        try:
            self._keep(kept)
        except NotKept as why:
            # The players agreed to stop; one of them has to learn that it did not work.
            self._state.fault(seat, RuleBroken(str(why)))
            return [Note("game not kept", self.fields | {"reason": str(why)}, Level.WARNING)]
        return [Note("game kept for another time", self.fields | {"players": kept.seats[: kept.needed]})]

    def left(self, seat: int) -> list[Effect]:
        """Handle the departure of a player who was in the game."""
        self._present.remove(seat)
        self._asked.discard(seat)
        self._broken = self._refused = None
        # No one is left to be shown anything, so the rules are not asked.
        if not self._present:
            self._over = True
            return [Note("game over", self.fields | {"reason": "all players left"})]
        self._state.leave(seat)
        self._play_programs()
        # A player who was asked will answer: the departure shows in the state after that.
        return [] if self._asked & set(self._state.movers) else self._send_state()

    def rejoined(self, seat: int) -> list[Effect]:
        """Handle the return of a player who had left."""
        self._present.add(seat)
        self._broken = None
        self._state.rejoin(seat)
        self._play_programs()
        return [] if self._asked & set(self._state.movers) else self._send_state()

    def resumed(self) -> list[Effect]:
        """Return the current state for the server that has handed the game over, as :meth:`again` does."""
        # The players get it only if they have not been asked, so no later state may build on it, as one that holds only
        # what has changed does: what was shown before the game was handed over has been shown in the replay.
        state, self._state = self._state, deepcopy(self._state)
        effects = self.again()
        self._state = state
        return effects

    def again(self) -> list[Effect]:
        """Return the current state once more. It names only the players who were asked, if there are any.
        Nothing proves that a player receives it. If the last move was refused and the server has not decided, that is
        returned instead."""
        if self._refused is not None:
            return self._report()
        # Players who have moved already are not asked a second time.
        outstanding = [seat for seat in self._state.movers if seat in self._asked]
        return self._send_to(outstanding or next_seats(self._state, self._manner), self._acknowledged.since_again)

    def _send_state(self) -> list[Effect]:
        """Return the state after what has just happened."""
        asked = next_seats(self._state, self._manner)
        effects = self._send_to(asked, self._acknowledged.since)
        # Before the state: that one may end the game, and nothing about it is taken after that.
        if self._broken is not None and not self._over:
            effects = [*self._because(self._broken), *effects]
        self._acknowledged.note_sent(asked, len(self._state.record))
        self._asked = set(asked)
        return effects

    def _send_to(self, asked: Iterable[int], since: Callable[[Listener], int]) -> list[Effect]:
        outcome, asked = self._state.outcome, tuple(asked)
        if outcome is None and not asked:
            raise RuntimeError("no player is asked to move, and the game is not over")
        message = show(self._game, self._seating, self._state, self._manner, asked, self._present, since)
        effects = self._sketched(message, since)
        effects += self._why_over(outcome) if outcome is not None else []
        for payload in payloads(message):
            try:
                if self._check is not None:
                    self._check(payload)
            except Unreadable as error:
                # Sent all the same: the players may cope, and the line in the log shows the game's author what to fix.
                fields = self.fields | {"reason": str(error)}
                effects.append(Note("own payload does not fit the schema", fields, Level.ERROR))
        effects.append(Send(message))
        if outcome is not None:
            self._over = True
            names = self._seating.table.names
            won = winners(outcome, self._seating, self._present)
            fields = {"reason": str(outcome.termination), "winners": tuple(names[seat] for seat in sorted(won))}
            if outcome.winners - won:
                # Those who stayed have lost, even if all results are equal: no draw.
                fields["winners_who_had_left"] = tuple(names[seat] for seat in sorted(outcome.winners - won))
            effects.append(Note("game over", self.fields | fields))
        return effects

    def _sketched(self, message: GameState | Views, since: Callable[[Listener], int]) -> list[Effect]:
        """Return how the position looks, for a server that passes it on. A game goes on without a sketch that fails."""
        if not self._manner.sketch:
            return []
        try:
            found = sketches(self._game, self._seating, self._state, message, since)
        except Exception as error:  # logged for the game's author; its players need not mind
            fields = self.fields | {"reason": f"{type(error).__name__}: {error}"}
            return [Note("no sketch", fields, Level.ERROR)]
        return [Send(sketch) for sketch in found]

    def _why_over(self, outcome: Outcome) -> list[Effect]:
        """Return why the game is over, for a server that wants to know: a broken rule, or how it ended."""
        if self._broken is not None and self._broken.ends:
            words = f"{outcome.words}; the last one: " if outcome.words else ""
            return self._because(replace(self._broken, text=words + self._broken.text), draw=outcome.drawn)
        if not self._manner.reason:
            return []
        text = str(outcome.termination)
        return [
            Send(Because(self._seating.table.game_id, _code(text), _line(outcome.words or text), draw=outcome.drawn))
        ]

    def _because(self, broken: "_Broken", *, draw: bool | None = None) -> list[Effect]:
        """Return which rule was broken, and by whom, for a server that wants to know."""
        if not self._manner.reason:
            return []
        table = self._seating.table
        return [Send(Because(table.game_id, _code(broken.kind), _line(broken.text), table.names[broken.seat], draw))]

    def _play_programs(self) -> None:
        """Let the program's seats move as long as one of them may. A wrong move of a bot is a bug here, not a fault."""
        for _ in range(MAX_PROGRAM_MOVES):
            seat = next((seat for seat in self._state.movers if seat in self._chances), None)
            if seat is None:
                return
            view = self._state.view(seat, self._shown_to_programs[seat])
            # Read as it is made: programs are never sent a state that could get lost.
            self._shown_to_programs[seat] = len(self._state.record)
            self._state.apply(seat, self._program.choose(view, self._chances[seat]))
        raise RuntimeError(f"{MAX_PROGRAM_MOVES} moves of the program in a row: does this game ever end?")


@dataclass(frozen=True, slots=True)
class _Broken:
    """A move that the rules refused, or that could not be read."""

    seat: int
    kind: str
    text: str
    ends: bool
    """Whether the game is over because of it."""


def _code(words: str) -> str:
    """Return words as the code of a reason: ``row-completed``."""
    return _NOT_IN_A_CODE.sub("-", words.lower())[:MAX_CODE].strip("-") or "end"


def _line(text: str) -> str:
    """Return ``text`` as one line that XML can hold."""
    return "".join(character if character.isprintable() else " " for character in text)[:MAX_REASON]


def replay(leading: Leading[M, V], happened: Iterable[Past]) -> None:
    """Let everything happen again in a game that has just been set up, without messages.

    Raises :class:`Impossible` when it cannot have been this game.
    """
    leading.keeps = leading.reports = False
    leading.begin()
    events = list(happened)
    _repeat(leading, events[:-1])
    leading.reports = True  # whether the last move was refused, no server has decided
    _repeat(leading, events[-1:], len(events))
    leading.keeps = True


def _repeat(leading: Leading[M, V], happened: Iterable[Past], first: int = 1) -> None:
    for number, event in enumerate(happened, first):
        if leading.over:
            if isinstance(event, PastLeft):
                continue  # a departure from a game that is over changes nothing
            what = "a move" if isinstance(event, PastMove) else "the return"
            raise Impossible(f"event {number}: {what} of {event.nick!r} after the end of the game")
        if isinstance(event, PastRejoined):
            seat = leading.left_seat_of(event.nick)
            if seat is None:
                raise Impossible(f"event {number}: {event.nick!r} comes back, but has not left or may not")
            leading.rejoined(seat)
            continue
        seat = leading.seat_of(event.nick)
        if seat is None:
            raise Impossible(f"event {number}: {event.nick!r} does not play, or has left")
        if isinstance(event, PastLeft):
            leading.left(seat)
        elif seat in leading.asked:
            leading.moved(seat, event.payload)
        else:
            raise Impossible(f"event {number}: {event.nick!r} moves out of turn")
