"""Nobody is late while messages wait for the journal: each deadline of the broker alone, then all of them at random."""

import math
import random
import socket
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from functools import partial

import pytest
import trio
from structlog.testing import capture_logs
from structlog.typing import EventDict
from trio.testing import MockClock, wait_all_tasks_blocked

from tests.daemon.shell import GO, HaltingJournal, Pipe, Shell, move, over, turn
from tests.profile import sized
from ugs.broker.values.questions import PlanAsked
from ugs.broker.verdict import Cause
from ugs.championship.plan import parse_plan
from ugs.daemon.network.transport import SocketTransport
from ugs.daemon.server_clock import CATCHES_UP_S
from ugs.value import value
from ugs.wire.codec import encode
from ugs.wire.extensions import Family, Hello, Ping, Resume, Session
from ugs.wire.messages import (
    BeginGame,
    Error,
    GameMasterLogin,
    GameState,
    LeaveGame,
    Message,
    Move,
    PlayerLeftGame,
    PlayerLogin,
    ThankYou,
)

Opens = Callable[..., Shell]

LIMIT_S = 2.0
"""Every deadline."""
HALT_S = 60.0
HAD_TO_WAIT = "peers had to wait for the journal: no clock ran"
HARMLESS = (HAD_TO_WAIT, "no game master for this championship")
DEADLINES = {
    f"{name}_s": LIMIT_S
    for name in (
        *("begin_timeout", "move_timeout", "master_timeout", "thank_you_timeout"),
        *("login_timeout", "session_grace", "master_grace"),
    )
}


class Peers:
    """A master and two players on pipes, whose game has begun."""

    def __init__(self, shell: Shell, *families: Family) -> None:
        self.shell = shell
        self.families = tuple([family.value for family in families])
        self.master, self.ann, self.ben = (self.connects() for _ in range(3))

    def connects(self) -> Pipe:
        """One more."""
        pipe = Pipe()
        self.shell.attaches(pipe)
        return pipe

    def logs_in(self, pipe: Pipe, login: Message) -> None:
        """Greet and log in."""
        pipe.says(*([Hello(self.families), login] if self.families else [login]))

    async def log_in(self) -> "Peers":
        """Let all of them log in."""
        self.logs_in(self.master, GameMasterLogin("m", GO, "2", "2"))
        for nick, pipe in (("ann", self.ann), ("ben", self.ben)):
            self.logs_in(pipe, PlayerLogin(nick, GO))
            await wait_all_tasks_blocked()
        return self

    async def ask_ann(self) -> "Peers":
        """It is ann's turn."""
        await self.log_in()
        assert any(isinstance(message, BeginGame) for message in self.master.messages())
        self.master.says(turn("ann"))
        await wait_all_tasks_blocked()
        return self

    def both_say(self, message: Message) -> None:
        """The same of both players."""
        for pipe in (self.ann, self.ben):
            pipe.says(message)

    def token(self) -> str:
        """Of ann's session."""
        return next(message.token for message in self.ann.messages() if isinstance(message, Session))


async def _ask_for_more(peers: Peers) -> Peers:
    """A move of ann's is with the master."""
    await peers.ask_ann()
    peers.ann.says(move())
    await wait_all_tasks_blocked()
    return peers


async def _lack_one(peers: Peers) -> Peers:
    """There is one player too few."""
    peers.logs_in(peers.master, GameMasterLogin("m", GO, "2", "2"))
    peers.logs_in(peers.ann, PlayerLogin("ann", GO))
    await wait_all_tasks_blocked()
    return peers


async def _lose_master(peers: Peers) -> Peers:
    await peers.ask_ann()
    peers.master.half_closes()
    await wait_all_tasks_blocked()
    return peers


async def _lose_ann(peers: Peers) -> Peers:
    await peers.ask_ann()
    peers.ann.half_closes()
    await wait_all_tasks_blocked()
    return peers


async def _leave_championship(peers: Peers) -> Peers:
    plan = parse_plan({"name": "cup", "game_type": GO, "entrants": ["ann", "ben"], "return_s": LIMIT_S}, "here")
    for nick, pipe in (("ann", peers.ann), ("ben", peers.ben)):
        peers.logs_in(pipe, PlayerLogin(nick, GO))
        await wait_all_tasks_blocked()
    assert peers.shell.questions.ask(PlanAsked(plan, "eve", begins_in_s=0))["ok"]
    await wait_all_tasks_blocked()
    peers.ann.half_closes()
    peers.ann = peers.connects()
    await wait_all_tasks_blocked()
    return peers


async def _connect(peers: Peers) -> Peers:
    await wait_all_tasks_blocked()
    return peers


def _somebody_comes(peers: Peers) -> None:
    """Something has to be written down that has nothing to do with anyone else."""
    peers.logs_in(peers.connects(), PlayerLogin("cat", "chess"))


def _another_master(peers: Peers) -> None:
    peers.master = peers.connects()
    peers.logs_in(peers.master, GameMasterLogin("n", GO, "2", "2"))


def _ann_again(peers: Peers) -> None:
    token, peers.ann = peers.token(), peers.connects()
    peers.ann.says(Hello(peers.families), Resume(token))


@value
class Deadline:
    """How it comes that somebody has to act: ``before`` the journal halts and ``at`` that moment; and how it ``acts``
    when the journal goes on."""

    before: Callable[[Peers], Awaitable[Peers]]
    at: Callable[[Peers], object]
    acts: Callable[[Peers], object]
    families: tuple[Family, ...] = ()
    settings: tuple[tuple[str, object], ...] = ()


NO_MOVE_LIMIT = ("move_timeout_s", 1000.0)
SIGN_OF_LIFE = (
    ("player_idle_s", 1.0),
    ("player_inactive_s", LIMIT_S),
    ("first_idle_check_s", 0.5),
    ("idle_check_s", 0.5),
)
ALL = {
    "to log in": Deadline(_connect, _somebody_comes, lambda peers: peers.logs_in(peers.ann, PlayerLogin("ann", GO))),
    "to begin a game": Deadline(
        _lack_one,
        lambda peers: peers.logs_in(peers.ben, PlayerLogin("ben", GO)),
        lambda peers: peers.master.says(turn("ann")),
    ),
    "to move": Deadline(
        _ask_for_more, lambda peers: peers.master.says(turn("ben")), lambda peers: peers.ben.says(move())
    ),
    "to move, asked before": Deadline(Peers.ask_ann, _somebody_comes, lambda peers: peers.ann.says(move())),
    "to move within a budget": Deadline(
        _ask_for_more,
        lambda peers: peers.master.says(turn("ben")),
        lambda peers: peers.ben.says(move()),
        settings=(("time_s", LIMIT_S), NO_MOVE_LIMIT),
    ),
    "to move within a budget, asked before": Deadline(
        Peers.ask_ann,
        _somebody_comes,
        lambda peers: peers.ann.says(move()),
        settings=(("time_s", LIMIT_S), NO_MOVE_LIMIT),
    ),
    "to answer a move": Deadline(
        Peers.ask_ann, lambda peers: peers.ann.says(move()), lambda peers: peers.master.says(turn("ben"))
    ),
    "to answer a move, asked before": Deadline(
        _ask_for_more, _somebody_comes, lambda peers: peers.master.says(turn("ben"))
    ),
    "to end a game that all but one have left": Deadline(
        Peers.ask_ann,
        lambda peers: peers.ann.says(LeaveGame("g1")),
        lambda peers: peers.master.says(over("ben", "ann")),
    ),
    "to thank": Deadline(
        _ask_for_more,
        lambda peers: peers.master.says(over("ann", "ben")),
        lambda peers: peers.both_say(ThankYou("g1")),
    ),
    "to be the next master of a game": Deadline(
        _lose_master, _somebody_comes, _another_master, families=(Family.RESTORE,)
    ),
    "to take a game over": Deadline(
        _lose_master,
        _another_master,
        lambda peers: peers.master.says(turn("ann")),
        families=(Family.RESTORE,),
        settings=(NO_MOVE_LIMIT,),
    ),
    "to come back": Deadline(
        _lose_ann, _somebody_comes, _ann_again, families=(Family.SESSION,), settings=(NO_MOVE_LIMIT,)
    ),
    "to come back to a championship": Deadline(
        _leave_championship, _somebody_comes, lambda peers: peers.logs_in(peers.connects(), PlayerLogin("ann", GO))
    ),
    "to give a sign of life": Deadline(
        Peers.ask_ann,
        _somebody_comes,
        lambda peers: peers.both_say(Ping("1")),
        families=(Family.SESSION,),
        settings=(*SIGN_OF_LIFE, NO_MOVE_LIMIT),
    ),
}
"""What a peer may be too late for."""


def blamed(peers: Peers, journal: HaltingJournal, lines: Sequence[EventDict]) -> list[object]:
    """Everything that says that somebody was too late."""
    pipes = (peers.master, peers.ann, peers.ben)
    results = [one for one in journal.results if one.verdict.void or one.verdict.cause is Cause.TIMEOUT]
    warnings = [line["event"] for line in lines if line["log_level"] == "warning" and line["event"] not in HARMLESS]
    warnings += [line["event"] for line in lines if line["event"] in ("did not come back", "withdrawn")]
    return [*(one.text for pipe in pipes for one in pipe.messages() if isinstance(one, Error)), *results, *warnings]


@pytest.mark.parametrize("name", ALL)
async def test_nobody_is_late_who_had_to_wait_for_the_journal(
    opens: Opens, autojump_clock: MockClock, name: str
) -> None:
    deadline, journal = ALL[name], HaltingJournal(prompt=True)
    with capture_logs() as lines:
        peers = Peers(opens(journal=journal, **DEADLINES | dict(deadline.settings)), *deadline.families)
        await deadline.before(peers)
        await trio.sleep(LIMIT_S / 4)
        journal.halts()
        deadline.at(peers)
        await trio.sleep(HALT_S)
        journal.goes_on()
        await trio.sleep(LIMIT_S / 4)
        deadline.acts(peers)
        await trio.sleep(LIMIT_S / 4)
    assert blamed(peers, journal, lines) == []
    assert [line["seconds"] for line in lines if line["event"] == HAD_TO_WAIT] == [HALT_S]


@pytest.mark.parametrize("name", ALL)
async def test_who_lets_the_same_time_pass_with_a_journal_is_late(
    opens: Opens, autojump_clock: MockClock, name: str
) -> None:
    deadline, journal = ALL[name], HaltingJournal(prompt=True)
    with capture_logs() as lines:
        peers = Peers(opens(journal=journal, **DEADLINES | dict(deadline.settings)), *deadline.families)
        await deadline.before(peers)
        deadline.at(peers)
        await trio.sleep(2 * LIMIT_S)
    assert blamed(peers, journal, lines) != []


async def test_players_whose_result_waits_for_a_slow_disk_have_all_their_time_for_the_thanks(
    opens: Opens, autojump_clock: MockClock
) -> None:
    """With ``keep = "results"`` nothing else waits, and games go on meanwhile."""
    journal = HaltingJournal(prompt=False)
    with capture_logs() as lines:
        shell = opens(journal=journal, **DEADLINES | dict(SIGN_OF_LIFE))
        peers = await _ask_for_more(Peers(shell, Family.SESSION))
        journal.halts()
        peers.master.says(over("ann", "ben"))
        await trio.sleep(40)
        assert over("ann", "ben") not in peers.ann.messages()
        journal.goes_on()
        await trio.sleep(LIMIT_S * 0.9)
        assert over("ann", "ben") in peers.ann.messages()
        peers.both_say(ThankYou("g1"))
        await trio.sleep(LIMIT_S / 4)
    assert blamed(peers, journal, lines) == []


@pytest.mark.parametrize("commit_s", [0.2, 0.3, 1.0])
async def test_a_silent_player_is_judged_while_others_let_the_journal_write_without_a_pause(
    opens: Opens, autojump_clock: MockClock, commit_s: float
) -> None:
    """Its accomplices come one after the other, and each commit follows the one before."""
    journal = HaltingJournal(prompt=True)
    peers = await Peers(opens(journal=journal, **DEADLINES | {"master_timeout_s": 1000.0})).ask_ann()
    asked, slowness = trio.current_time(), max(1, commit_s / CATCHES_UP_S)
    while (took_s := trio.current_time() - asked) < 2 * LIMIT_S * slowness:
        journal.halts()
        peers.logs_in(peers.connects(), PlayerLogin(f"cat at {took_s:g}", "chess"))
        await trio.sleep(commit_s)
        journal.goes_on()
        await wait_all_tasks_blocked()
        if PlayerLeftGame("ann", "g1") in peers.master.messages():
            break
    assert took_s == pytest.approx(LIMIT_S * slowness, abs=2 * commit_s)


class Line:
    """A peer on a real socket, which the task reads that serves all of them."""

    def __init__(self, shell: Shell) -> None:
        self._own, theirs = socket.socketpair()
        self._own.setblocking(False)
        shell.attaches(SocketTransport(theirs, "192.0.2.9:9"))

    async def says(self, message: Message) -> None:
        """Send it, and let the server do what it can."""
        self._own.send(encode(message))
        await self.settles()

    async def settles(self) -> None:
        """Let the server do what it can."""
        for _ in range(3):  # a socket is readable at once, but is looked at in the next round
            await wait_all_tasks_blocked()

    def hears(self) -> bytes:
        """What has come."""
        with suppress(BlockingIOError):
            return self._own.recv(65536)
        return b""

    async def hangs_up(self) -> None:
        """Close, and let the server notice it."""
        self._own.close()
        await self.settles()


@pytest.mark.parametrize("_time", range(10))
async def test_a_move_that_is_written_does_not_wait_for_what_others_have_sent_meanwhile(
    opens: Opens, _time: int
) -> None:
    """Tasks that are woken together run in any order."""
    journal = HaltingJournal(prompt=True)
    shell = opens(journal=journal)
    lines = master, ann, ben, cat = [Line(shell) for _ in range(4)]
    await master.says(GameMasterLogin("m", GO, "2", "2"))
    await ann.says(PlayerLogin("ann", GO))
    await ben.says(PlayerLogin("ben", GO))
    await master.says(turn("ann"))
    master.hears()
    journal.halts()
    await ann.says(move())
    await cat.says(PlayerLogin("cat", "chess"))
    assert (master.hears(), cat.hears()) == (b"", b"")
    journal.goes_on()
    journal.halts()
    await master.settles()
    assert (encode(move()) in master.hears(), cat.hears()) == (True, b"")
    journal.goes_on()
    for line in lines:
        await line.hangs_up()


async def test_quick_moves_cost_little_of_a_time_for_the_game_though_each_comes_while_others_wait_for_a_commit(
    opens: Opens, autojump_clock: MockClock
) -> None:
    journal, wait_s = HaltingJournal(prompt=True), 0.2
    settings = DEADLINES | {"login_timeout_s": 1000.0, "time_s": LIMIT_S, "move_timeout_s": 1000.0}
    shell = opens(journal=journal, **settings)
    lines = master, ann, ben, cat = [Line(shell) for _ in range(4)]
    await master.says(GameMasterLogin("m", GO, "2", "2"))
    await ann.says(PlayerLogin("ann", GO))
    await ben.says(PlayerLogin("ben", GO))
    await master.says(turn("ann"))
    master.hears()
    for number in range(int(1.5 * LIMIT_S / wait_s)):
        journal.halts()
        await cat.says(PlayerLogin("cat", "chess"))
        await ann.says(move())
        await trio.sleep(wait_s)
        assert master.hears() == b""
        journal.goes_on()
        await cat.hangs_up()
        cat = Line(shell)
        assert master.hears() == encode(move()), f"move {number}"
        await master.says(turn("ann"))
    for line in (*lines, cat):
        await line.hangs_up()


# All at once.


class Robots:
    """A master and four players, who take at most a third of the time that they have for everything: a master may have
    two games to answer, and some of each wait counts."""

    def __init__(self, shell: Shell, nursery: trio.Nursery, chance: random.Random) -> None:
        self.shell = shell
        self.games = 0
        """How many the master has ended, or is about to."""
        self.errors: list[str] = []
        self._nursery = nursery
        self._chance = chance
        self._turns: dict[str, tuple[tuple[str, ...], int]] = {}
        """For each game its players, and how many moves were made."""

    def start(self) -> None:
        """Let all of them log in."""
        self._nursery.start_soon(self._play, GameMasterLogin("m", GO, "2", "2"), self._lead)
        for nick in ("ann", "ben", "cat", "dan"):
            self._nursery.start_soon(self._play, PlayerLogin(nick, GO), partial(self._answer, nick))

    async def _play(self, login: Message, answer: Callable[[Message], Message | None]) -> None:
        far = self.shell.connects()
        await far.says(login)
        while (message := await far.hears(math.inf)) is not None:
            said = answer(message)
            if said is not None:
                await trio.sleep(self._chance.uniform(0, LIMIT_S / 3))
                await far.says(said)

    def _lead(self, message: Message) -> Message | None:
        match message:
            case BeginGame(game_id, nicks):
                self._turns[game_id] = nicks, 0
            case Move(game_id):
                nicks, moves = self._turns[game_id]
                self._turns[game_id] = nicks, moves + 1
            case Error(text):
                self.errors.append(text)
                return None
            case _:
                return None
        nicks, moves = self._turns[game_id]
        if moves == 4:
            self.games += 1
            return over(*nicks, game_id=game_id)
        return turn(nicks[moves % 2], game_id)

    def _answer(self, nick: str, message: Message) -> Message | None:
        match message:
            case GameState(game_id, None):
                return ThankYou(game_id)
            case GameState(game_id, mover) if mover == nick:
                return move(game_id)
            case Error(text):
                self.errors.append(text)
        return None


@pytest.mark.parametrize("prompt", [True, False])
@pytest.mark.parametrize("seed", range(sized(quick=3, deep=40)))
async def test_games_go_on_as_if_nothing_had_been(
    opens: Opens, autojump_clock: MockClock, nursery: trio.Nursery, prompt: bool, seed: int
) -> None:
    chance, journal = random.Random(seed), HaltingJournal(prompt=prompt)
    with capture_logs() as lines:
        shell = opens(journal=journal, **DEADLINES)
        robots = Robots(shell, nursery, chance)
        robots.start()
        for _ in range(sized(quick=40, deep=100)):
            await trio.sleep(chance.uniform(0, 4))
            journal.halts()
            await trio.sleep(chance.choice((0.01, 0.2, 0.3, LIMIT_S, 40, HALT_S)))
            journal.goes_on()
        await trio.sleep(100)
    warnings = [line["event"] for line in lines if line["log_level"] == "warning"]
    assert set(warnings) <= {HAD_TO_WAIT}
    assert robots.errors == []
    assert {(one.verdict.cause, one.verdict.void) for one in journal.results} == {(Cause.FINISHED, False)}
    assert 10 < len(journal.results) <= robots.games <= len(journal.results) + 2  # some are just ending
