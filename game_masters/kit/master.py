"""A game master without I/O: the broker's messages in, what is to be done out, for many games at once.

It knows the protocol and the interface of a game, and no particular game. It never trusts: ids it does not know,
impossible games and bad moves become notes in the log, and a bug in one game's rules ends that game only.

When a gameState is sent
------------------------
One answers ``beginGame``; one answers every ``move``, good or bad. A ``playerLeftGame`` is answered only if the
player that was asked is no longer to move. In any other case that player's move may be under way already: naming it
again would allow a second move on the turn of somebody else, and a v4 move does not say whose it is. The others hear
of the departure with the next state.

What the news in a state begin with
-----------------------------------
A state shows what happened since the last one that certainly reached the players, and only the arrival of a move
proves that. Should the player it names have left in the meantime, the broker has refused that state; the next one
then tells its news again.
"""

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import singledispatchmethod
from typing import Generic

from game_masters.kit.client import Effect, Level, Note, Send, refused
from game_masters.kit.rules import Game, M, Options, RuleBroken, State, Table, Unreadable, V
from ugs.wire.messages import (
    BeginGame,
    Error,
    GameMasterLogin,
    GameState,
    LoginResponse,
    Message,
    Move,
    PlayerLeftGame,
    PlayerResult,
    Result,
    ServerShutdown,
)

PayloadCheck = Callable[[bytes], None]
"""Raises :class:`Unreadable` for a payload that does not fit the game's schema."""


@dataclass(slots=True)
class _Running(Generic[M, V]):
    """One game: its state and how much of it the players know."""

    table: Table
    state: State[M, V]
    present: set[int]
    asked: int = 0
    """The seat that the last gameState named."""
    told: int = 0
    """So many entries of the record are in the last gameState or an earlier one."""
    heard: int = 0
    """So many of them have certainly reached the players."""
    fields: dict[str, object] = field(default_factory=dict)
    """What every note about this game carries."""


class Master(Generic[M, V]):
    """The master of one game; give its methods to :func:`game_masters.kit.run.run`.

    ``chance`` makes the random numbers of a game from its id. A master that is to finish the games of another one
    by playing their moves again needs the same ``chance``; players must not be able to guess it.
    """

    def __init__(
        self,
        game: Game[M, V],
        options: Options,
        *,
        id: str,
        chance: Callable[[str], random.Random],
        game_type: str | None = None,
        check: PayloadCheck | None = None,
    ) -> None:
        """Raises ValueError for a game with hidden information: a v4 gameState goes to all players alike."""
        if game.hidden_information:
            raise ValueError(f"{game.name} has hidden information; a master that sends one state to all cannot lead it")
        self._game = game
        self._options = options
        self._login = GameMasterLogin(id, game_type or game.game_type, str(game.players_min), str(game.players_max))
        self._chance = chance
        self._check = check
        self._running: dict[str, _Running[M, V]] = {}
        self._accepted = False
        self._accepted_before = False
        self._shutdown = False

    @property
    def accepted(self) -> bool:
        """True when the login on the present connection was accepted."""
        return self._accepted

    @property
    def satisfied(self) -> bool:
        """True after the server announced that it stops."""
        return self._shutdown

    @property
    def running(self) -> int:
        """How many games are being led."""
        return len(self._running)

    def connected(self) -> list[Effect]:
        """Log in. Games of an earlier connection are void."""
        self._running.clear()
        self._accepted = self._shutdown = False
        return [Send(self._login)]

    def interrupted(self) -> list[Effect]:
        """A master has no word for good-bye: closing is enough."""
        return [Note("stopped", {"games": len(self._running)})]

    def received(self, message: Message) -> list[Effect]:
        """What a message asks for. Never raises: a bug in the rules costs the one game that it came up in."""
        try:
            return self._answer(message)
        except Exception as bug:
            game_id = getattr(message, "game_id", "")
            self._running.pop(game_id, None)
            text = f"game {game_id}: the game master failed and gives this game up"
            note = Note("game given up", {"game": game_id, "after": message.TYPE}, Level.ERROR, bug)
            return [note, Send(Error(text))]

    @singledispatchmethod
    def _answer(self, message: Message) -> list[Effect]:
        return [Note("unexpected message", {"type": message.TYPE}, Level.WARNING)]

    @_answer.register
    def _login_answered(self, message: LoginResponse) -> list[Effect]:
        if message.error is not None:
            return refused(message.error, self._accepted_before)
        self._accepted = self._accepted_before = True
        return [Note("logged in", {"id": self._login.id, "game_type": self._login.game_type})]

    @_answer.register
    def _begin(self, message: BeginGame) -> list[Effect]:
        names = message.players
        wrong = None
        if message.game_id in self._running:
            wrong = "is running already"
        elif not self._game.players_min <= len(names) <= self._game.players_max:
            wrong = f"{len(names)} players; {self._game.players_min} to {self._game.players_max} can play"
        elif len(set(names)) < len(names):
            wrong = "the same nick twice"
        if wrong is not None:
            note = Note("impossible game", {"game": message.game_id, "reason": wrong}, Level.WARNING)
            return [note, Send(Error(f"beginGame {message.game_id}: {wrong}"))]
        table = Table(message.game_id, names, self._options)
        state = self._game.start(table, self._chance(message.game_id))
        running = _Running(table, state, set(table.seats), fields={"game": message.game_id})
        self._running[message.game_id] = running
        return [Note("game begun", running.fields | {"players": names}), *self._tell(running)]

    @_answer.register
    def _move(self, message: Move) -> list[Effect]:
        running = self._running.get(message.game_id)
        if running is None:
            return [_crossed(message.TYPE, message.game_id)]
        seat = running.asked
        running.heard = running.told
        notes: list[Effect] = []
        try:
            if self._check is not None:
                self._check(message.payload)
            running.state.apply(seat, self._game.notation.read_move(message.payload))
        except (RuleBroken, Unreadable) as cause:
            kind = "illegal move" if isinstance(cause, RuleBroken) else "unreadable move"
            fields = running.fields | {"nick": running.table.names[seat], "reason": str(cause)}
            notes.append(Note(kind, fields, Level.WARNING))
            running.state.fault(seat, cause)
        return [*notes, *self._tell(running)]

    @_answer.register
    def _left(self, message: PlayerLeftGame) -> list[Effect]:
        running = self._running.get(message.game_id)
        if running is None:
            return [_crossed(message.TYPE, message.game_id)]
        fields = running.fields | {"nick": message.nick}
        seat = {running.table.names[seat]: seat for seat in running.present}.get(message.nick)
        if seat is None:
            return [Note("a stranger left", fields, Level.WARNING)]
        running.present.remove(seat)
        note = Note("player left", fields)
        if not running.present:
            del self._running[message.game_id]
            return [note, Note("game over", running.fields | {"reason": "all players left"})]
        running.state.leave(seat)
        if running.asked in running.state.movers:
            return [note]
        return [note, *self._tell(running)]

    @_answer.register
    def _error(self, message: Error) -> list[Effect]:
        return [Note("error from the server", {"text": message.text}, Level.WARNING)]

    @_answer.register
    def _server_stops(self, message: ServerShutdown) -> list[Effect]:
        self._shutdown = True
        self._running.clear()
        return [Note("server shuts down")]

    def _tell(self, running: _Running[M, V]) -> list[Effect]:
        """The gameState after what has just happened; a game that is over is forgotten."""
        state, names = running.state, running.table.names
        outcome = state.outcome
        payload = self._game.notation.write_view(state.view(None, since=running.heard))
        effects: list[Effect] = []
        if self._check is not None:
            try:
                self._check(payload)
            except Unreadable as error:
                # Sent all the same: the players may cope, and the line tells the game's author what to mend.
                fields = running.fields | {"reason": str(error)}
                effects.append(Note("own payload does not fit the schema", fields, Level.ERROR))
        running.told = len(state.record)
        if outcome is None:
            running.asked = state.movers[0]
            message = GameState(running.table.game_id, names[running.asked], None, payload)
            return [*effects, Send(message)]
        del self._running[running.table.game_id]
        # Those who left are listed too, as the specification wants "all the players", but they have not won.
        winners = outcome.winners & running.present
        results = tuple(
            PlayerResult(name, Result.WINNER if seat in winners else Result.LOSER) for seat, name in enumerate(names)
        )
        fields = {"reason": str(outcome.termination), "winners": tuple(names[seat] for seat in sorted(winners))}
        effects.append(Send(GameState(running.table.game_id, None, results, payload)))
        return [*effects, Note("game over", running.fields | fields)]


def _crossed(kind: str, game_id: str) -> Note:
    """A message about a game that is not running: most often one that ended while the message was on its way."""
    return Note("no such game running", {"type": kind, "game": game_id})
