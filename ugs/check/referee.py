"""A game master that is known to be right: it leads the games of a program on trial.

A check gives it what a server would, one thing at a time, and gets a state back as a value.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from types import MappingProxyType
from typing import Any, Final, Protocol

from ugs.check.case import NoProgram
from ugs.check.drawn_positions import Drawings
from ugs.match.builtin_player import Brain, BuiltinGame
from ugs.match.games import InstalledGame
from ugs.replay.dialogue import Dialogue, NoMessage
from ugs.wire.extensions import Because, Family, Labels, Moved, Offers, Sketch, Stop, Views
from ugs.wire.messages import (
    BeginGame,
    Choice,
    Error,
    GameMasterLogin,
    GameState,
    Message,
    Move,
    PlayerLeftGame,
    PlayerResult,
)

FAMILIES: Final = (Family.VIEWS, Family.TABLE, Family.MOVERS, Family.RESTORE, Family.REJOIN, Family.REASON)
"""The families that are granted to an installed master; its sketches are not looked at."""
WITH_SKETCHES: Final = (*FAMILIES, Family.SKETCH)
"""Those that are granted to a master whose sketches have the legal moves."""
NOTHING: Final = b"<gameState/>"


@dataclass(frozen=True, slots=True)
class GivenPosition:
    """A state of a game, as a master gave it."""

    movers: tuple[str, ...]
    """Who may move."""
    results: Mapping[str, str] | None
    """How it ended for each player, in words of the wire; None while it goes on."""
    payload: bytes
    """What all players are shown."""
    views: Mapping[str, bytes] = field(default_factory=lambda: MappingProxyType({}))
    """What some are shown in its place."""
    culprit: str = ""
    """Who has broken a rule."""
    why: str = ""

    def shown_to(self, nick: str) -> bytes:
        """What this player is shown."""
        return self.views.get(nick, self.payload)


def position_of(message: GameState | Views, because: Because | None = None) -> GivenPosition:
    """What a master has sent, as a value."""
    culprit, why = (because.nick, because.text or because.code) if because is not None else ("", "")
    if isinstance(message, GameState):
        movers = (message.next_player,) if message.next_player is not None else ()
        return GivenPosition(movers, _results(message.game_over), message.payload, culprit=culprit, why=why)
    shown = {view.nick: view.payload for view in message.views}
    # A view without a nick is the public one.
    public = shown.pop("", NOTHING)
    return GivenPosition(message.next_players, _results(message.game_over or None), public, shown, culprit, why)


def _results(results: Sequence[PlayerResult] | None) -> dict[str, str] | None:
    return None if results is None else {one.nick: one.result.value for one in results}


class Referee(Protocol):
    """Leads games of one type."""

    game_type: str
    least: int
    most: int

    async def begin(self, game: str, nicks: Sequence[str], seed: str = "check") -> GivenPosition:
        """Begin a game. Raises NoProgram."""

    async def moved(self, game: str, nick: str, payload: bytes) -> GivenPosition:
        """Apply a move of ``nick``, who may move. Raises NoProgram."""

    async def drop(self, game: str) -> None:
        """The game is not needed any more."""


class MasterReferee:
    """A referee that is a program: the installed master of the game, or one of the author's own."""

    def __init__(
        self, dialogue: Dialogue, families: Sequence[Family] = FAMILIES, called: str = "the installed game master"
    ) -> None:
        """``called`` is what errors call it."""
        self._dialogue = dialogue
        self._families = families
        self._called = called
        self._options: tuple[Choice, ...] = ()
        self._drawings: dict[str, Drawings] = {}
        self.game_type, self.least, self.most = "", 2, 2

    async def enter(self) -> None:
        """Let it log in. Raises NoProgram."""
        login = await self._dialogue.login(GameMasterLogin, self._families)
        if isinstance(login, NoMessage):
            raise NoProgram(f"{self._called} {login.value}, and has not logged in")
        self.game_type = login.game_type or ""
        self.least, self.most = int(login.players_min or 2), int(login.players_max or 2)
        if Family.TABLE in self._dialogue.families:
            offers = await self._next()
            if isinstance(offers, Offers):
                self._options = tuple(Choice(one.name, one.value) for one in offers.options)

    async def begin(self, game: str, nicks: Sequence[str], seed: str = "check") -> GivenPosition:
        """Have it begin a game."""
        may = self._dialogue.families
        self._drawings[game] = Drawings(nicks)
        options = self._options if Family.TABLE in may else ()
        await self._dialogue.send(BeginGame(game, tuple(nicks), options, seed=seed if Family.RESTORE in may else ""))
        return await self._position(game)

    async def moved(self, game: str, nick: str, payload: bytes) -> GivenPosition:
        """Hand it a move."""
        named = Family.MOVERS in self._dialogue.families
        await self._dialogue.send(Moved(game, nick, payload) if named else Move(game, payload))
        return await self._position(game)

    async def drop(self, game: str) -> None:
        """Have it forget a game."""
        self._drawings.pop(game, None)
        if Family.TABLE in self._dialogue.families:
            await self._dialogue.send(Stop(game, "CANCELLED"))

    def drawings(self, game: str) -> Drawings:
        """What it has drawn of a game that it leads."""
        return self._drawings[game]

    async def _position(self, game: str) -> GivenPosition:
        because: Because | None = None
        while True:
            message = await self._next()
            if isinstance(message, Because) and message.game_id == game:
                because = message
            elif isinstance(message, Sketch | Labels) and message.game_id == game:
                self._drawings[game].takes(message)
            elif isinstance(message, GameState | Views) and message.game_id == game:
                self._drawings[game].shows_state()
                return position_of(message, because)
            elif isinstance(message, Error | PlayerLeftGame):
                raise NoProgram(f"{self._called} does not lead the game: {message}")

    async def _next(self) -> Message:
        message = await self._dialogue.receive(self._dialogue.deadline())
        if isinstance(message, NoMessage):
            raise NoProgram(f"{self._called} {message.value}")
        return message


class Opponents(Protocol):
    """Play the seats of all but the program on trial."""

    def move(self, game: str, nick: str, position: GivenPosition) -> bytes:
        """Look at a position and return a legal move: a ``<move>`` element."""

    def forget(self, game: str) -> None:
        """The game is over."""


class BundledOpponents:
    """Bundled bots of a game: the one that chooses at random, where there is one."""

    def __init__(self, game: InstalledGame, options: Any = None) -> None:
        chosen = game.choose_options({}) if options is None else options
        bot = next((one for one in game.bots if one.name == "random"), game.bots[0])
        self._brain = Brain(game.game_type, game.notation, chosen, bot.choose)
        self._playing: dict[tuple[str, str], BuiltinGame] = {}

    def move(self, game: str, nick: str, position: GivenPosition) -> bytes:
        """Look at a position and return a move: a ``<move>`` element."""
        answer = self._playing_as(game, nick).receives(GameState(game, nick, None, position.shown_to(nick)), nick)
        assert isinstance(answer, Move)
        return answer.payload

    def forget(self, game: str) -> None:
        """The game is over."""
        self._playing = {key: one for key, one in self._playing.items() if key[0] != game}

    def _playing_as(self, game: str, nick: str) -> BuiltinGame:
        key = game, nick
        if key not in self._playing:
            # The same moves in each check, so that a failure can be shown again.
            self._playing[key] = BuiltinGame(game, self._brain, Random(f"{game} {nick}"))
        return self._playing[key]
