"""Programs of this protocol that are older than the server: they understand less of it, and must be able to play.

They send no XML declaration and expect none, send several documents in one segment and find any number in one; a
declaration in mid-segment makes their parser deaf for ever. Their master crashes on messages it does not know, and
ends with bare text; their players wait in silence after a refusal and close right after logout.
"""

import re
import signal
import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import pytest

from tests.end_to_end.conftest import Serves
from tests.end_to_end.processes import BOUND_S, GAME_TYPE, Server

SETTINGS = f"""
goodbye_s = 0.2
log_joined = false
[game_types."{GAME_TYPE}"]
quiet_master = true
"""
MOVES = 6
MESSAGE = re.compile(rb'<message type="([^"]+)"(?:/>|>(.*?)</message>)', re.DOTALL)
NICK = re.compile(rb'nick="([^"]*)"')
GAME_ID = re.compile(rb'<gameId id="([^"]*)"/>')


class Crash(Exception):
    """An old program has read something that it does not know."""


class OldPeer:
    """What all old programs have in common: a socket, a parser that knows one way of writing, and no patience."""

    def __init__(self, server: Server) -> None:
        host, _, port = server.address.rpartition(":")
        self._socket = socket.create_connection((host, int(port)), timeout=BOUND_S)
        server.at_end(self._socket.close)
        self._buffer = b""

    def says(self, *documents: bytes) -> None:
        """All in one segment, nothing between."""
        self._socket.sendall(b"".join(documents))

    def hears(self) -> tuple[bytes, bytes] | None:
        """Type and content of the next message, None at the end."""
        while True:
            if b"<?xml" in self._buffer:
                raise Crash("deaf: a declaration in the middle of the stream")
            if self._buffer and not self._buffer.startswith(b"<"):
                raise Crash(f"white space or worse before a message: {self._buffer[:20]!r}")
            match = MESSAGE.match(self._buffer)
            if match is not None:
                self._buffer = self._buffer[match.end() :]
                return match[1], match[2] or b""
            data = self._socket.recv(65_536)
            if not data:
                return None
            self._buffer += data

    def closes(self) -> None:
        """Hang up."""
        self._socket.close()


class OldMaster(OldPeer):
    """Leads games of MOVES moves; knows three messages and crashes on any other."""

    def __init__(self, server: Server) -> None:
        super().__init__(server)
        self._moves: dict[bytes, int] = {}
        self._players: dict[bytes, list[bytes]] = {}
        self.says(
            b'<message type="gameMasterLogin"><gameMasterLogin id="old" gameType="%b" playersMin="2" playersMax="2"/>'
            b"</message>" % GAME_TYPE.encode()
        )
        self.steps()

    def leads(self) -> None:
        """Lead games until the server closes."""
        while self.steps():
            pass
        self.closes()

    def steps(self) -> bool:
        """Read one message and answer it; False at the end."""
        heard = self.hears()
        if heard is None:
            return False
        kind, content = heard
        if kind == b"loginResponse":
            return True
        if kind not in (b"beginGame", b"move"):
            raise Crash(f"unknown message {kind!r}")
        found = GAME_ID.search(content)
        assert found is not None
        game = found[1]
        if kind == b"beginGame":
            self._players[game], self._moves[game] = NICK.findall(content), 0
        else:
            self._moves[game] += 1
        self.says(self._state(game))
        return True

    def _state(self, game: bytes) -> bytes:
        players, moves = self._players[game], self._moves[game]
        if moves < MOVES:
            whose = b'<nextPlayer nick="%b"/>' % players[moves % 2]
        else:
            results = zip(players, (b"winner", b"loser"), strict=True)
            whose = b"<gameOver>%b</gameOver>" % b"".join(b'<player nick="%b" result="%b"/>' % one for one in results)
        payload = b'<gameState><tac x="%d" y="0"/></gameState>' % moves if moves else b"<gameState/>"
        return b'<message type="gameState"><gameId id="%b"/>%b%b</message>' % (game, whose, payload)


class OldPlayer(OldPeer):
    """Moves when it is its turn, thanks and goes on; keeps the states it has heard, and complains of nothing."""

    def __init__(self, server: Server, nick: bytes) -> None:
        super().__init__(server)
        self.nick = nick
        self.states: list[bytes] = []
        self.ends: list[bytes] = []
        login = b'<playerLogin nick="%b" gameType="%b"/>' % (nick, GAME_TYPE.encode())
        self.says(b'<message type="playerLogin">%b</message>' % login)

    def reads(self) -> tuple[bytes, bytes]:
        """The next message, remembered if it is a state, and not answered."""
        heard = self.hears()
        assert heard is not None, "closed by the server"
        kind, content = heard
        if kind == b"gameState":
            self.states.append(content)
        if b"<gameOver>" in content:
            self.ends.append(content)
        return heard

    def plays_until_games_over(self, games: int) -> None:
        """Read and answer until ``games`` games are over."""
        while len(self.ends) < games:
            kind, content = self.reads()
            assert kind in (b"loginResponse", b"championsList", b"gameState"), f"{kind!r} {content!r}"
            if kind == b"gameState":
                self._answers(content)

    def _answers(self, state: bytes) -> None:
        found = GAME_ID.search(state)
        assert found is not None
        if b"<gameOver>" in state:
            self.says(b'<message type="thank you"><gameId id="%b"/></message>' % found[1])
        elif b'<nextPlayer nick="%b"/>' % self.nick in state:
            self.says(b'<message type="move"><gameId id="%b"/><move><tic x="0" y="0"/></move></message>' % found[1])


class House:
    """A server with ``quiet_master``, one such master at work, and threads for the players."""

    def __init__(self, server: Server, threads: ThreadPoolExecutor) -> None:
        self.server = server
        self.master = OldMaster(server)
        self.leading = threads.submit(self.master.leads)
        self._threads = threads

    def play(self, games: int, *players: OldPlayer) -> None:
        """These players play until each of them has seen ``games`` ends."""
        for playing in [self._threads.submit(player.plays_until_games_over, games) for player in players]:
            playing.result(BOUND_S)

    def begins(self) -> tuple[OldPlayer, OldPlayer]:
        """Two players in a game; the one whose turn it is, and has not moved yet, comes first."""
        first, second = OldPlayer(self.server, b"first"), OldPlayer(self.server, b"second")
        for player in (first, second):
            while not player.states:
                player.reads()
        return (first, second) if b'nextPlayer nick="first"' in first.states[0] else (second, first)


@contextmanager
def at_work(server: Server) -> Iterator[House]:
    """At the end the server stops, and the master, who was told nothing it does not know, has not crashed."""
    with ThreadPoolExecutor() as threads:
        house = House(server, threads)
        yield house
        assert server.stops() == 0
        house.leading.result(BOUND_S)


@pytest.fixture
def house(serves: Serves) -> Iterator[House]:
    """A house with time enough for everybody."""
    with at_work(serves(SETTINGS)) as house:
        yield house


def test_games_are_played_to_the_end_and_every_state_comes_once(house: House) -> None:
    ann, bob = OldPlayer(house.server, b"ann"), OldPlayer(house.server, b"bob")
    house.play(3, ann, bob)
    assert ann.states == bob.states
    assert len(ann.states) == len(set(ann.states)) == 3 * (MOVES + 1)
    for player in (ann, bob):
        player.says(b'<message type="logout"/>')
        player.closes()
    # A fourth game may have begun before the players logged out.
    assert [event["verdict"] for event in house.server.logs("game ended", times=3)][:3] == ["finished"] * 3
    assert house.server.events("wrong message") == []


def test_who_leaves_loses_and_the_server_ends_the_game_for_the_master(house: House) -> None:
    leaver, other = house.begins()
    found = GAME_ID.search(leaver.states[0])
    assert found is not None
    leaver.says(b'<message type="leaveGame"><gameId id="%b"/></message>' % found[1], b'<message type="logout"/>')
    house.play(1, other)
    assert b'<player nick="%b" result="winner"/>' % other.nick in other.ends[0]
    assert b'<player nick="%b" result="loser"/>' % leaver.nick in other.ends[0]
    third = OldPlayer(house.server, b"third")
    other.ends.clear()
    house.play(1, other, third)


@pytest.mark.parametrize("logs_out", [True, False])
def test_who_closes_in_the_middle_of_a_game_does_not_disturb_the_master(house: House, logs_out: bool) -> None:
    leaver, other = house.begins()
    if logs_out:
        leaver.says(b'<message type="logout"/>')
    leaver.closes()
    house.play(1, other)
    assert b'<player nick="%b" result="winner"/>' % other.nick in other.ends[0]


def test_who_does_not_move_is_out_of_time(serves: Serves) -> None:
    with at_work(serves(SETTINGS + "move_timeout_s = 2")) as house:
        silent, other = house.begins()
        house.play(1, other)
        assert b'<player nick="%b" result="winner"/>' % other.nick in other.ends[0]
        (ended,) = house.server.logs("game ended")
        assert (ended["verdict"], ended["culprit"]) == ("timeout", silent.nick.decode())


def test_several_documents_in_one_segment(house: House) -> None:
    """A player that moves out of turn, thanks for nothing and plays on, all at once: only it hears of it."""
    mover, other = house.begins()
    found = GAME_ID.search(other.states[0])
    assert found is not None
    move = b'<message type="move"><gameId id="%b"/><move><tic x="0" y="0"/></move></message>' % found[1]
    other.says(move, move, b'<message type="thank you"><gameId id="1"/></message>')
    for _ in range(3):
        kind, _ = other.reads()
        assert kind == b"error"
    mover.says(move)
    house.play(1, mover, other)
    assert len(mover.states) == len(set(mover.states)) == MOVES + 1


def test_after_a_refusal_a_silent_player_is_closed(serves: Serves) -> None:
    with at_work(serves("login_timeout_s = 4" + SETTINGS)) as house:
        ann = OldPlayer(house.server, b"ann")
        assert ann.reads()[0] == b"loginResponse"
        same = OldPlayer(house.server, b"ann")
        kind, content = same.reads()
        assert (kind, b'accept="no"' in content, b'id="1"' in content) == (b"loginResponse", True, True)
        kind, content = same.reads()
        assert (kind, b"no login within 4 s" in content) == (b"error", True)
        assert same.hears() is None


def test_three_refusals_close_at_once(house: House) -> None:
    player = OldPlayer(house.server, b"")
    player.says(*[b'<message type="playerLogin"><playerLogin nick="" gameType="x"/></message>'] * 2)
    assert [player.reads()[0] for _ in range(3)] == [b"loginResponse"] * 3
    assert player.hears() is None


def test_a_master_that_ends_with_bare_text_is_logged_and_not_feared(serves: Serves) -> None:
    server = serves(SETTINGS)
    master = OldMaster(server)
    ann, bob = OldPlayer(server, b"ann"), OldPlayer(server, b"bob")
    assert master.steps()
    for player in (ann, bob):
        while not player.states:
            player.reads()
    master.says(b"server closing connection")
    assert master.hears() is None, "and no error that it could not read"
    (line,) = server.logs("dismissed")
    assert (line["master"], "byte" in line["reason"]) == ("old", True)
    for player in (ann, bob):
        while (heard := player.reads())[0] == b"championsList":
            pass
        assert (heard[0], b"game void" in heard[1]) == (b"error", True)
    next_master = OldMaster(server)
    assert next_master.steps()
    assert [player.reads()[0] for player in (ann, bob)]


def test_the_shutdown_is_told_to_players_only(serves: Serves) -> None:
    server = serves(SETTINGS)
    master, ann = OldMaster(server), OldPlayer(server, b"ann")
    while ann.reads()[0] != b"championsList":
        pass
    server.signal(signal.SIGTERM)
    assert ann.reads()[0] == b"serverShutdown"
    assert ann.hears() is master.hears() is None
    ann.closes()
    master.closes()
    assert server.ends() == 0
