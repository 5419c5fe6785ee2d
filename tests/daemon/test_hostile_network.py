"""Many peers that break every rule, and some that keep them, on a network that cuts as it likes.

What they do is drawn from one seeded source of chance and runs on the fake clock: what fails once will fail again.
"""

import random
from collections import Counter, deque
from collections.abc import Callable, Sequence

import pytest
import trio
from structlog.testing import capture_logs
from trio.testing import MockClock

from tests.broker.invariants import check_games, check_peers
from tests.daemon.shell import GO, Far, Shell, over, turn
from tests.profile import sized
from ugs.wire.codec import DECLARATION, encode
from ugs.wire.messages import (
    BeginGame,
    Error,
    GameMasterLogin,
    GameState,
    LeaveGame,
    LoginResponse,
    Logout,
    Message,
    Move,
    PlayerLeftGame,
    PlayerLogin,
    ThankYou,
)

Opens = Callable[..., Shell]

VANDALS = sized(quick=75, deep=150)
QUIET = ("chess", "draughts", "mill")
"""The game types of those who keep the rules, two players for each; vandals play "go", among themselves."""
QUIET_GAMES = 20
MOVES = 4
GARBAGE: Sequence[bytes] = (
    b"\0",
    b"\xff\xfe<\0",
    b"good-bye",
    b"<",
    b"<!DOCTYPE a>",
    b"</message>",
    b"<message type='move'>",
    b"<message",
    b"]]>",
    b"<message type='x'/>",
    b"<message type='gameState'><gameId id='g1'/></message>",
    b"<![CDATA[",
)


class Vandal:
    """One peer that does what chance tells it, most of it wrong."""

    def __init__(self, shell: Shell, rng: random.Random, number: int) -> None:
        self._shell = shell
        self._rng = rng
        self._names = [f"v{number}", f"V{number - 1}", "", "x" * 70]
        self._games = [f"g{rng.randrange(200)}", "", "g1"]
        self._nicks: list[str] = []
        self._leads = rng.random() < 0.2

    async def lives(self) -> None:
        """Come, do harm in one's own way, and go."""
        rng = self._rng
        await trio.sleep(rng.uniform(0, 200))
        far = self._shell.connects() if rng.random() < 0.7 else self._shell.connects_without_buffers()
        far.declares = rng.random() < 0.5
        async with trio.open_nursery() as nursery:
            if rng.random() < 0.8:
                nursery.start_soon(self._reads, far)
            with trio.move_on_after(rng.expovariate(1 / 60)):
                await self._talks(far)
            if rng.random() < 0.7:
                await far.hangs_up()
            elif rng.random() < 0.5:
                await far.stream.send_eof()
            await trio.sleep(rng.uniform(0, 100))
            nursery.cancel_scope.cancel()
        await far.hangs_up()

    async def _reads(self, far: Far) -> None:
        """Read, and remember what could be used against another peer."""
        try:
            while (message := await far.hears(within=1000)) is not None:
                if isinstance(message, BeginGame):
                    self._nicks = list(message.players)
                if isinstance(message, BeginGame | GameState):
                    self._games.append(message.game_id)
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            return

    async def _talks(self, far: Far) -> None:
        rng = self._rng
        try:
            await self._says(far, self._login())
            while True:
                await self._says(far, *(self._message() for _ in range(rng.choice([1, 1, 1, 2, 5]))))
                await trio.sleep(rng.choice([0, 0.01, 1, 5, 15]))
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            return

    async def _says(self, far: Far, *messages: Message) -> None:
        """Say it in pieces: whole, halved, glued, or with something in it that is no XML."""
        rng = self._rng
        prefix = DECLARATION if far.declares else b""
        data = b"\n".join(prefix + encode(message) for message in messages)
        if rng.random() < 0.02:
            place = rng.randrange(len(data))
            data = data[:place] + rng.choice(GARBAGE) + data[place:]
        elif rng.random() < 0.01:
            data = data[: rng.randrange(len(data))]
        while data:
            size = rng.choice([1, 3, 20, len(data), len(data)])
            await far.says(data[:size])
            data = data[size:]
            await trio.sleep(rng.choice([0, 0, 0, 0.1]))

    def _login(self) -> Message:
        name = self._rng.choice(self._names[:1] * 10 + self._names)
        if self._leads:
            return GameMasterLogin(name, GO, "2", self._rng.choice(["2", "3", "3", "1", "many"]))
        return PlayerLogin(name, GO)

    def _message(self) -> Message:
        rng = self._rng
        game_id = self._games[-1] if rng.random() < 0.9 else rng.choice(self._games)
        nicks = self._nicks or self._names[:1]
        of_a_master: list[tuple[int, Message]] = [
            (60, turn(rng.choice(nicks), game_id)),
            (10, over(nicks[0], *nicks[1:], game_id=game_id)),
            (5, PlayerLeftGame(rng.choice(nicks), game_id)),
        ]
        of_a_player: list[tuple[int, Message]] = [
            (60, Move(game_id, b"<move><a>b</a></move>")),
            (30, ThankYou(game_id)),
            (3, LeaveGame(game_id)),
        ]
        of_anybody: list[tuple[int, Message]] = [
            (5, Error("what?")),
            (2, self._login()),
            (1, Logout()),
            (1, BeginGame(game_id, ("a", "b"))),
        ]
        choices = (of_a_master if self._leads == (rng.random() < 0.95) else of_a_player) + of_anybody
        return rng.choices([message for _, message in choices], [weight for weight, _ in choices])[0]


class PatientMaster:
    """Leads games of MOVES moves, two or three players each; keeps every rule, whatever the players do."""

    def __init__(self, far: Far, game_type: str) -> None:
        self.far = far
        self._game_type = game_type
        self._games: dict[str, tuple[deque[str], int]] = {}
        """The players who are still there, the next one first, and how many moves there were."""

    async def leads(self) -> None:
        """Log in and lead games for ever."""
        await self.far.says(GameMasterLogin(f"master of {self._game_type}", self._game_type, "2", "3"))
        assert await self.far.hears() == LoginResponse()
        while True:
            message = await self.far.hears(within=10_000)
            match message:
                case BeginGame(game_id=game_id, players=players):
                    self._games[game_id] = deque(players), 0
                case Move(game_id=game_id):
                    players_left, moves = self._games[game_id]
                    players_left.rotate(-1)
                    self._games[game_id] = players_left, moves + 1
                case PlayerLeftGame(game_id=game_id, nick=nick):
                    self._games[game_id][0].remove(nick)
                case Error(text=text) if text.startswith("gameState: nextPlayer nick"):
                    continue  # who was to move had left meanwhile: the master hears of that next, and answers it
                case _:
                    pytest.fail(f"a master that keeps the rules hears {message}")
            await self._answers(game_id)

    async def _answers(self, game_id: str) -> None:
        players, moves = self._games[game_id]
        if not players:
            return
        if moves == MOVES or len(players) == 1:
            await self.far.says(over(*players, game_id=game_id))  # a leave may cross with it, and is answered again
        else:
            await self.far.says(turn(players[0], game_id))


async def quiet_player(far: Far, nick: str, game_type: str, ends: Counter[str]) -> None:
    """Plays QUIET_GAMES games in a leisurely way, then goes; nobody may ever tell it of an error."""
    await far.says(PlayerLogin(nick, game_type))
    assert await far.hears() == LoginResponse()
    while ends[nick] < QUIET_GAMES:
        message = await far.hears(within=10_000)
        assert isinstance(message, GameState), f"{nick} has broken no rule, but hears {message}"
        if message.game_over is not None:
            ends[nick] += 1
            await far.says(ThankYou(message.game_id) if ends[nick] < QUIET_GAMES else Logout())
        elif message.next_player == nick:
            await trio.sleep(2)
            await far.says(Move(message.game_id, b"<move/>"))
    assert await far.hears() is None
    await far.hangs_up()


async def watch(shell: Shell) -> None:
    """Look at the registries now and then: nobody and nothing may be without an owner."""
    while True:
        await trio.sleep(1)
        check_peers(shell.broker.server)
        check_games(shell.broker)


@pytest.mark.parametrize("seed", sized(quick=[2011, 3], deep=[2011, 3, 7]))
async def test_vandals_hurt_only_themselves(opens: Opens, autojump_clock: MockClock, seed: int) -> None:
    rng = random.Random(seed)
    shell = opens(masters_per_game=5, master_grace_s=5 * (seed % 2), write_timeout_s=20, max_errors_per_minute=200)
    ends: Counter[str] = Counter()
    with capture_logs() as lines:
        async with trio.open_nursery() as forever:
            masters = [PatientMaster(shell.connects(), game_type) for game_type in (GO, *QUIET)]
            for master in masters:
                forever.start_soon(master.leads)
            forever.start_soon(watch, shell)
            async with trio.open_nursery() as peers:
                for game_type in QUIET:
                    for nick in (f"first of {game_type}", f"second of {game_type}"):
                        peers.start_soon(quiet_player, shell.connects(), nick, game_type, ends)
                for number in range(VANDALS):
                    peers.start_soon(Vandal(shell, random.Random(rng.random()), number).lives)
            forever.cancel_scope.cancel()
        for master in masters:
            await master.far.hangs_up()
        await trio.sleep(100)
    assert list(ends.values()) == [QUIET_GAMES] * 2 * len(QUIET)
    quiet = [line for line in lines if line["event"] == "game ended" and line["game_type"] in QUIET]
    assert len(quiet) == QUIET_GAMES * len(QUIET)
    assert {(line["verdict"], line["moves"]) for line in quiet} == {("finished", MOVES)}
    verdicts = {line["verdict"] for line in lines if line["event"] == "game ended" and line["game_type"] == GO}
    assert len(verdicts) >= 4, f"the vandals have met too little: {verdicts}"
    assert shell.peers.count() == 0
    assert shell.broker.server.connections == {}
    assert shell.broker.games == []
    assert shell.timers.running == []
