"""Where a bot plays: in the pool, or at a table, where it needs a seat before every game.

After a cut connection the bot asks again for what may have been lost: the server refuses a second seat to a player who
has one. Every request has its own reference, so that an answer that is no longer wanted can be recognised.

The options of a game at a table come from the player who set it up, or else from its master. The bot asks for the
master's when the first state has come: only the master that leads the game can have sent it.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import TypeAlias

from game_masters.kit.client import Effect, Finish, Level, Note, Pause, Send
from game_masters.kit.entry import FAREWELL_S
from game_masters.kit.rules import AnyGame, BadOption, Options
from game_masters.kit.seating import written
from ugs.wire.extensions import (
    Advertised,
    EndResult,
    Failed,
    Family,
    GameEnded,
    GameTypes,
    Invitation,
    Joined,
    ListGameTypes,
    Ok,
    Pong,
    RefusalReason,
    SeatKind,
    Seats,
    SeatState,
    TableInfo,
    Tables,
)
from ugs.wire.messages import Choice, Error, Extension, GameState, Logout

LOOK_AGAIN_S = 1.0
"""Seconds before the bot asks again for what it did not get. It reads no messages meanwhile."""

OURS = "seat "
"""The references of all its requests begin like this."""

VOID = "game void:"
"""The beginning of an error that ends a game without a result and without thanks."""

BEFORE_THE_GAME = frozenset({SeatState.JOINED, SeatState.DISCONNECTED})
"""The states of seats at a table where no game has begun."""

Request: TypeAlias = Callable[[str], Extension]
"""Makes a request with a reference."""


class Place:
    """Where a bot plays. This class is the pool, where the server seats the bot without a request."""

    needs: tuple[Family, ...] = ()
    """The families that the server must grant."""

    def sits_down(self, after_s: float = 0.0) -> list[Effect]:
        """Ask for a seat, after a pause of ``after_s`` seconds: the bot has just logged in, or is done with a game."""
        return []

    def returns(self) -> list[Effect]:
        """After a cut connection: check that there is still a seat, or a game."""
        return []

    def options(self, game: AnyGame, own: Options) -> Options:
        """Return the options of the next game; ``own`` are those that the bot was started with."""
        return own

    def holds(self, state: GameState, game: AnyGame) -> list[Effect] | None:
        """If ``state``, of a new game, has to wait until the game's options are known, keep it and return what to do
        about that. Return None if it can be read."""
        return None

    def released(self) -> list[GameState]:
        """Return the states that had to wait and can be read now, in order."""
        return []

    def plays(self) -> None:
        """A state of a running game has come: there is no seat to look for until :meth:`sits_down` is called."""

    def receives(self, message: Extension | Error) -> list[Effect] | None:
        """Handle ``message``; return None if it has nothing to do with the place."""
        return None


class AtTables(Place, ABC):
    """Tables of one game type: the bot asks for a seat, and for another one after each game."""

    needs = (Family.LOBBY,)

    def __init__(self, game_type: str) -> None:
        self._game_type = game_type
        self._requests = 0
        self._awaited: str | None = None
        """The reference of the request that has not been answered."""
        self._seated = False
        self._table_id = ""
        """The table where it sits, as far as it knows, or wants to sit."""
        self._begun = False
        """Whether the game there has begun."""
        self._present = 0
        """The number of players who sit there and are connected."""
        self._chosen: tuple[Choice, ...] = ()
        self._offered: Mapping[str, str] | None = None
        """The master's defaults; None until a master that leads this game could be asked."""
        self._held: list[GameState] = []
        self._stated: dict[str, str] = {}

    def sits_down(self, after_s: float = 0.0) -> list[Effect]:
        self._seated = self._begun = False
        self._table_id, self._offered = "", None
        self._held.clear()
        return [*pause(after_s), *self._seeks()]

    def returns(self) -> list[Effect]:
        self._seated = False
        self._held.clear()
        return self._seeks_again()

    def options(self, game: AnyGame, own: Options) -> Options:
        """Return the options chosen for the table; for others, those that the game master offers; else those of
        ``own``."""
        known = written(game, own)
        choices = {**(self._offered or {}), **{choice.name: choice.value for choice in self._chosen}}
        try:
            return game.choose_options(known | {name: value for name, value in choices.items() if name in known})
        except BadOption:
            return own

    def holds(self, state: GameState, game: AnyGame) -> list[Effect] | None:
        chosen = {choice.name for choice in self._chosen}
        if self._offered is not None or chosen.issuperset(option.name for option in game.options):
            return None
        self._held.append(state)
        return [Send(ListGameTypes())] if len(self._held) == 1 else []

    def released(self) -> list[GameState]:
        if self._offered is None:
            return []
        held, self._held = self._held, []
        return held

    def plays(self) -> None:
        # What was asked for after a restart, when the game was not known yet, needs no answer any more. Asking again
        # and again would cost the game a pause for each of its states.
        self._awaited = None
        self._seated = self._begun = True

    def receives(self, message: Extension | Error) -> list[Effect] | None:
        match message:
            case Error() if message.text.startswith(VOID):
                return self.sits_down()
            case GameTypes():
                self._offered = self._values_offered(message)
                return []
            case Seats():
                return self._seats(message)
            case GameEnded():
                return self._ended(message)
            case Invitation():
                return self._invited(message.table)
            case Advertised() | Joined() | Tables() | Ok() | Pong() | Failed() if message.ref.startswith(OURS):
                # It answers what has been asked once more since.
                if message.ref != self._awaited:
                    return []
                self._awaited = None
                return self._answered(message)
        return None

    @abstractmethod
    def _seeks(self) -> list[Effect]:
        """Ask for what leads to a seat."""

    def _seeks_again(self) -> list[Effect]:
        """Ask for it again after a cut connection."""
        return self._seeks()

    def _answered(self, message: Extension) -> list[Effect]:
        """Handle the answer to the last request."""
        match message:
            case Advertised() | Joined():
                return self._sits_at(message.table)
            case Failed():
                return self._refused(message)
        return []

    def _sits_at(self, table: TableInfo) -> list[Effect]:
        self._seated, self._begun = True, False
        self._table_id, self._chosen = table.id, table.options
        fields = {"table": table.id, "name": table.name, "owner": table.owner, "seats": table.seats, "free": table.free}
        return [Note("sits at a table", fields)]

    def _refused(self, message: Failed) -> list[Effect]:
        if message.code is RefusalReason.ALREADY_PLAYING:
            self._seated = True
            return [Note("has a seat", {"text": message.text}, Level.DEBUG), *self._looks_round()]
        if message.code is RefusalReason.INVALID_REQUEST:
            note = Note("the server cannot seat it so", {"reason": message.text}, Level.ERROR)
            return [note, Send(Logout()), Finish(1, FAREWELL_S)]
        return [self._once("no seat yet, will try again", message.text), *self.sits_down(LOOK_AGAIN_S)]

    def _looks_round(self) -> list[Effect]:
        """Handle a possible change at the table where it sits: return what to do now."""
        return []

    def _invited(self, table: TableInfo) -> list[Effect]:
        return [Note("invited", {"table": table.id, "name": table.name, "owner": table.owner})]

    def _values_offered(self, message: GameTypes) -> dict[str, str]:
        own = (game for game in message.games if game.game_type == self._game_type)
        return {option.name: option.value for game in own for option in game.options}

    def _seats(self, message: Seats) -> list[Effect]:
        if self._table_id not in ("", message.game_id):
            return []
        states = [seat.state for seat in message.seats if seat.kind is SeatKind.HUMAN]
        self._present = states.count(SeatState.JOINED)
        self._begun = not BEFORE_THE_GAME.issuperset(states)
        there = [seat.nick for seat in message.seats]
        fields = {"table": message.game_id, "there": there, "news": message.comment}
        note = Note("at the table", fields, Level.INFO if message.comment else Level.DEBUG)
        return [note, *self._looks_round()]

    def _ended(self, message: GameEnded) -> list[Effect]:
        """Handle the end at a table. For a game that has begun, its result follows, or that it is void."""
        cancelled = message.result is EndResult.CANCELLED
        fields = {"table": message.game_id, "reason": message.reason, "comment": message.comment}
        note = Note("cancelled" if cancelled else "game ended", fields, Level.INFO if cancelled else Level.DEBUG)
        gone = self._seated and not self._begun and self._table_id in ("", message.game_id)
        return [note, *(self.sits_down(LOOK_AGAIN_S) if gone else [])]

    def _ask(self, request: Request, after_s: float = 0.0) -> list[Effect]:
        self._requests += 1
        self._awaited = f"{OURS}{self._requests}"
        return [*pause(after_s), Send(request(self._awaited))]

    def _once(self, event: str, reason: str) -> Note:
        """Return a note that is only interesting to people when its reason is new."""
        news = self._stated.get(event) != reason
        self._stated[event] = reason
        return Note(event, {"reason": reason}, Level.INFO if news else Level.DEBUG)


def pause(seconds: float) -> list[Effect]:
    """Return a pause of ``seconds``; no effect at all for 0 s."""
    return [Pause(seconds)] if seconds > 0 else []
