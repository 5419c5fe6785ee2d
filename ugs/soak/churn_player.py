"""A player that comes, plays, goes and gets into trouble, by chance, and writes down what it does and receives."""

import random
import re
import ssl
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from typing import Any, Final

import trio

from ugs.bench.certificate import NAME
from ugs.peer import Peer, connect
from ugs.soak.churn_invariants import Deed, DoneDeed
from ugs.soak.line_faults import FaultyStream, LineFault, Odds
from ugs.wire.errors import WireError
from ugs.wire.extensions import (
    Advertise,
    Cancel,
    Failed,
    Hello,
    Join,
    ListTables,
    NewTable,
    Ping,
    Pong,
    Resume,
    Session,
    Tables,
    Visibility,
    Wait,
)
from ugs.wire.messages import (
    ChampionsList,
    Error,
    GameState,
    LeaveGame,
    LoginResponse,
    Logout,
    Message,
    Move,
    PlayerLogin,
    Result,
    ThankYou,
)

BOARD: Final = 6
"""Fields of a side of the board: games are short."""
THINK_S: Final = (0.005, 0.05)
LOOK_S: Final = 0.3
"""After this many seconds without a message a player looks for something else to do."""
RETRY_S: Final = 0.3
SURELY_S: Final = 0.5
"""Seconds after a time limit until it is certainly over."""
CALM: Final = 3
"""How many times of grace after a fault on its line a player has none."""
OUT: Final = ("game void", "no move within", "removed by")
"""The beginnings of errors that end a game for a player."""
SMALL_TABLE: Final = NewTable("churn", 2, Visibility.PUBLIC)
STONE: Final = re.compile(rb'<tac x="(\d+)" y="(\d+)"')
CHANCES: Final = {
    Deed.LEAVES: 0.006,
    Deed.LOGS_OUT: 0.006,
    Deed.HANGS_UP: 0.006,
    Deed.BLINKS: 0.03,
    Deed.FALLS_SILENT: 0.002,
}
"""How likely each deed is at each of a player's turns."""


@dataclass(frozen=True, slots=True)
class TlsDoor:
    """A port that speaks TLS, on a server where names have owners."""

    host: str
    port: int
    context: ssl.SSLContext
    source: str
    """The address of the players."""


@dataclass(frozen=True, slots=True)
class Terms:
    """Where the players meet, and the times of the server."""

    host: str
    port: int
    grace_s: float
    move_timeout_s: float
    odds: Odds | None = None
    """How likely faults are on the lines of the players; None: they have none."""
    door: TlsDoor | None = None
    """Where players come in with TLS and a secret of their own; None: as they are."""


@dataclass(slots=True)
class Diary:
    """What all players have done, and what the server sent them."""

    deeds: list[DoneDeed] = field(default_factory=list)
    results: list[tuple[str, str, bool]] = field(default_factory=list)
    """Game, nick, and whether it has won."""
    errors: list[str] = field(default_factory=list)
    """What the server has called wrong, in the order of the days."""
    faults: list[LineFault] = field(default_factory=list)
    """What has happened to the lines of players."""
    welcome: set[str] = field(default_factory=set)
    """Who was ever let in: from then on a name has an owner, where names have owners."""

    def did(self, nick: str, deed: Deed) -> None:
        """A player does this now."""
        self.deeds.append(DoneDeed(nick, deed, time.time_ns() // 1000))


class HasGone(Exception):
    """The player has left the line by its own will; it is away for ``seconds``."""

    def __init__(self, seconds: float) -> None:
        super().__init__(seconds)
        self.seconds = seconds


class ChurnPlayer:
    """One player. ``families`` are those it asks for: none is plain v4, ``lobby`` sits at tables too. When ``closing``
    returns true, it does itself no more harm, and goes when it is in no game."""

    def __init__(
        self,
        nick: str,
        game_type: str,
        families: tuple[str, ...],
        terms: Terms,
        diary: Diary,
        closing: Callable[[], bool],
        chance: random.Random,
    ) -> None:
        self.nick = nick
        self._families = families
        self._terms = terms
        self._secret = secret_of(nick) if terms.door is not None else ""
        self._login = PlayerLogin(f"{nick}#{self._secret}" if self._secret and not families else nick, game_type)
        self._diary = diary
        self._closing = closing
        self._chance = chance
        self._token = ""
        self._turn: bool | None = None
        """After coming back: whether the server waits for a move. None at all other times."""
        self._playing = False
        """Whether it is in a game, as far as this connection has shown."""
        self._game = ""
        """The game of the last message that named one."""
        self._taken: set[tuple[int, int]] = set()
        self._answered: tuple[bytes, Move] | None = None
        """The last state that it answered, and the answer."""
        self._in = False
        """Whether it is logged in."""
        self._calm_until = 0.0
        """Until then its lines have no faults that it could lose by: a session outlasts one of them, not any number."""

    async def run(self) -> None:
        """Play until it is closing time and the player is in no game."""
        while not (self._closing() and not self._playing and not self._token):
            away_s = RETRY_S
            try:
                async with await self._connects() as peer:
                    await self._talk(peer)
            except HasGone as gone:
                away_s = gone.seconds
            except (OSError, trio.BrokenResourceError, WireError):
                pass
            self._in = self._playing = False
            if not self._token:
                self._forget_game()
            await trio.sleep(away_s)

    async def _connects(self) -> Peer:
        terms = self._terms
        if terms.odds is None:
            return await connect(terms.host, terms.port)
        calm = self._closing() or trio.current_time() < self._calm_until
        odds = replace(terms.odds, cut=0, half_open=0) if calm else terms.odds
        if terms.door is None:
            stream = await trio.open_tcp_stream(terms.host, terms.port)
            return Peer(FaultyStream(stream, odds, self._chance, self._suffers))
        return Peer(await self._encrypted(terms.door, odds))

    async def _encrypted(self, door: TlsDoor, odds: Odds) -> trio.abc.Stream:
        stream = await trio.open_tcp_stream(door.host, door.port, local_address=door.source)
        faulty = FaultyStream(stream, odds, self._chance, self._suffers)
        line = trio.SSLStream(faulty, door.context, server_hostname=NAME, https_compatible=True)
        try:
            await line.do_handshake()
        except BaseException:
            await trio.aclose_forcefully(stream)
            raise
        return line

    def _suffers(self, fault: LineFault) -> None:
        """A fault begins on its line. Without a session it has left by that; with one it comes back."""
        self._diary.faults.append(fault)
        if fault in (LineFault.CUT, LineFault.HALF_OPEN):
            self._calm_until = trio.current_time() + CALM * self._terms.grace_s
            self._diary.did(self.nick, Deed.BLINKS if self._token else Deed.HANGS_UP)

    async def _talk(self, peer: Peer) -> None:
        if self._families:
            await peer.send(
                Hello(self._families, token=self._secret), Resume(self._token) if self._token else self._login
            )
        else:
            await peer.send(self._login)
        while True:
            message: Message | None = None
            with trio.move_on_after(LOOK_S) as waited:
                message = await peer.receive()
            if waited.cancelled_caught:
                await self._looks_around(peer)
            elif message is None:
                return
            elif (heed := HEED.get(type(message))) is not None:
                await heed(self, peer, message)

    async def _looks_around(self, peer: Peer) -> None:
        """Nothing has come for a while."""
        if self._playing or not self._in:
            return
        if self._closing():
            await self._logs_out(peer)
        elif "lobby" in self._families:
            await peer.send(self._chance.choice([Advertise(SMALL_TABLE), ListTables(), Wait(), Cancel()]))

    async def _logs_out(self, peer: Peer) -> None:
        self._diary.did(self.nick, Deed.LOGS_OUT)
        self._token = ""
        self._forget_game()
        await peer.send(Logout())
        raise HasGone(self._chance.uniform(0, 1))

    def _forget_game(self) -> None:
        self._playing = False
        self._game, self._taken, self._answered, self._turn = "", set(), None, None

    async def _accepted(self, _peer: Peer, message: LoginResponse) -> None:
        self._in = message.accepted
        if message.accepted:
            self._diary.welcome.add(self.nick)
        if not message.accepted:
            raise HasGone(RETRY_S)

    async def _session(self, _peer: Peer, message: Session) -> None:
        self._token = message.token
        self._in = True
        self._turn = message.turn if message.resumed else None

    async def _failed(self, _peer: Peer, message: Failed) -> None:
        if not self._in:  # the session is over
            self._token = ""
            raise HasGone(RETRY_S)

    async def _ping(self, peer: Peer, message: Ping) -> None:
        await peer.send(Pong(ref=message.ref))

    async def _tables(self, peer: Peer, message: Tables) -> None:
        if message.tables:
            await peer.send(Join(self._chance.choice(message.tables).id))

    async def _list(self, peer: Peer, _message: ChampionsList) -> None:
        if self._closing() and not self._playing:
            await self._logs_out(peer)

    async def _error(self, _peer: Peer, message: Error) -> None:
        self._diary.errors.append(f"{self.nick}: {message.text}")
        if message.text.startswith(OUT):
            self._forget_game()

    async def _state(self, peer: Peer, message: GameState) -> None:
        turn, self._turn = self._turn, None
        if message.game_id != self._game:
            self._forget_game()
            self._game = message.game_id
            turn = None
        self._playing = True
        self._taken |= stones(message.payload)
        if message.game_over is not None:
            own = next((one.result for one in message.game_over if one.nick == self.nick), None)
            if own is not None:
                self._diary.results.append((message.game_id, self.nick, own is Result.WINNER))
            await peer.send(ThankYou(message.game_id))
            self._forget_game()
        elif message.next_player == self.nick and turn is not False:
            await self._moves(peer, message)

    async def _moves(self, peer: Peer, state: GameState) -> None:
        if self._answered is not None and self._answered[0] == state.payload:
            await peer.send(self._answered[1])  # the line took it
            return
        await trio.sleep(self._chance.uniform(*THINK_S))
        if await self._does_something_else(peer):
            return
        free = [(x, y) for x in range(BOARD) for y in range(BOARD) if (x, y) not in self._taken]
        x, y = self._chance.choice(free)
        self._taken.add((x, y))
        move = Move(state.game_id, f'<move><tic x="{x}" y="{y}"/></move>'.encode())
        self._answered = (state.payload, move)
        await peer.send(move)
        if self._chance.random() < CHANCES[Deed.BLINKS]:
            await self._blinks()

    async def _does_something_else(self, peer: Peer) -> bool:
        """Do one of the deeds in place of the move, or more often none; whether it has."""
        if self._closing():
            return False
        for deed, do in DEEDS.items():
            if self._chance.random() < CHANCES[deed]:
                await do(self, peer)
                return True
        return False

    async def _leaves(self, peer: Peer) -> None:
        self._diary.did(self.nick, Deed.LEAVES)
        await peer.send(LeaveGame(self._game))
        self._forget_game()

    async def _hangs_up(self, _peer: Peer) -> None:
        self._diary.did(self.nick, Deed.HANGS_UP)
        # Longer than the server waits for it.
        raise HasGone(self._terms.grace_s + 1 if self._token else 0.1)

    async def _blinks(self) -> None:
        if not self._token:
            return
        self._diary.did(self.nick, Deed.BLINKS)
        # Much shorter than that, so it comes back in time.
        raise HasGone(self._chance.uniform(0, self._terms.grace_s / 4))

    async def _falls_silent(self, _peer: Peer) -> None:
        self._diary.did(self.nick, Deed.FALLS_SILENT)
        await trio.sleep(self._terms.move_timeout_s + SURELY_S)
        self._forget_game()


def secret_of(nick: str) -> str:
    """What a player has chosen as its secret."""
    return f"{nick} and no other"


def stones(payload: bytes) -> set[tuple[int, int]]:
    """The stones that a state shows."""
    return {(int(x), int(y)) for x, y in STONE.findall(payload)}


HEED: Final[dict[type, Callable[[ChurnPlayer, Peer, Any], Awaitable[None]]]] = {
    LoginResponse: ChurnPlayer._accepted,
    Session: ChurnPlayer._session,
    Failed: ChurnPlayer._failed,
    Ping: ChurnPlayer._ping,
    Tables: ChurnPlayer._tables,
    ChampionsList: ChurnPlayer._list,
    Error: ChurnPlayer._error,
    GameState: ChurnPlayer._state,
}
"""What a player does about each message; others ask nothing of it."""
DEEDS: Final[dict[Deed, Callable[[ChurnPlayer, Peer], Awaitable[None]]]] = {
    Deed.LEAVES: ChurnPlayer._leaves,
    Deed.LOGS_OUT: ChurnPlayer._logs_out,
    Deed.HANGS_UP: ChurnPlayer._hangs_up,
    Deed.FALLS_SILENT: ChurnPlayer._falls_silent,
}
"""What a player may do in place of a move."""
