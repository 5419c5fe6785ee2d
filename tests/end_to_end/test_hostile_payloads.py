"""A player whose moves are made to break a game master: it harms its own games only, and nobody else's."""

from collections.abc import Iterator

import pytest

from tests.end_to_end.processes import Peer, Server, client
from ugs.wire.framing import Limits
from ugs.wire.messages import Error, GameState, LoginResponse, Logout, Move, PlayerLogin, Result, ThankYou

GAME = "tic-tac-toe"
GAME_TYPE = "5-in-line-tic-tac-toe"
LIMITS = Limits()
LEGAL = b'<move><tic x="0" y="0"/>%b</move>'


def of_the_size_limit(game_id: str) -> bytes:
    """A legal move in a document that is exactly as long as the server accepts."""
    document = b'<message type="move"><gameId id="%b"/>%b</message>' % (game_id.encode(), LEGAL)
    return document % (b" " * (LIMITS.max_message_bytes - len(document % b"")))


HOSTILE = [
    b"<move>%b%b</move>" % (b"<a>" * (LIMITS.max_depth - 2), b"</a>" * (LIMITS.max_depth - 2)),
    b"<move><tic%b/></move>" % b"".join(b' a%d=""' % number for number in range(LIMITS.max_attributes)),
    b"<move>%b</move>" % (b"<tic/>" * (LIMITS.max_markup - 5)),
    b'<move><tic x="%b" y="0"/></move>' % (b"9" * 500_000),
    b'<move><tic x="1" y="&#1114111;"/></move>',
    b'<move xmlns="urn:x"><tic x="0" y="0"/></move>',
    b"<move><![CDATA[<!DOCTYPE x>]]><!-- --><?xml-stylesheet x?></move>",
]


class Pair:
    """A game of two players for whom the test speaks, at a master that leads other games too."""

    def __init__(self, server: Server, *nicks: str) -> None:
        self._players = {nick: enters(server, nick) for nick in nicks}
        self.hears()

    def hears(self) -> GameState:
        """The next state, which is the same for both."""
        self.state, other = (hears_a_state(player) for player in self._players.values())
        assert other == self.state
        return self.state

    @property
    def mover(self) -> Peer:
        """Whose turn it is."""
        assert self.state.next_player is not None
        return self._players[self.state.next_player]

    def plays_on(self) -> None:
        """Five in line, move by move: who is asked first wins."""
        for number in range(9):
            self.mover.says(Move(self.state.game_id, b'<move><tic x="%d" y="%d"/></move>' % divmod(number, 2)))
            self.hears()
        assert {result.result for result in self.state.game_over or ()} == {Result.LOSER, Result.WINNER}

    def goes(self) -> None:
        """Both thank for the game if it is over, and log out."""
        for player in self._players.values():
            player.says(*([ThankYou(self.state.game_id)] if self.state.game_over else []), Logout())
        for player in self._players.values():
            while player.hears() is not None:
                pass
            player.closes()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server and one master for all hostile moves; at the end the master has never been away."""
    with Server(tmp_path_factory.mktemp("server")) as server, client("master", server, GAME, "--check") as master:
        server.logs("master logged in")
        yield server
        assert len(master.events("logged in")) == 1
        assert server.stops() == 0
        assert master.ends() == 0
        assert "Traceback" not in master.output


@pytest.mark.parametrize("number", range(-1, len(HOSTILE)))
def test_a_hostile_move_costs_its_player_the_game_and_the_master_nothing(server: Server, number: int) -> None:
    hostile = Pair(server, "hostile", "partner")
    others = Pair(server, "ann", "bob")
    first = hostile.state
    if number < 0:
        hostile.mover.says(of_the_size_limit(first.game_id))
        state = hostile.hears()
        assert state.next_player not in (None, first.next_player), "a legal move like any other"
    else:
        hostile.mover.says(Move(first.game_id, HOSTILE[number]))
        state = hostile.hears()
        results = {entry.nick: entry.result for entry in state.game_over or ()}
        assert first.next_player is not None
        assert results.pop(first.next_player) is Result.LOSER
        assert list(results.values()) == [Result.WINNER]
    others.plays_on()
    for pair in (hostile, others):
        pair.goes()


def enters(server: Server, nick: str) -> Peer:
    """A player that speaks without declarations."""
    peer = server.dials(declares=False)
    peer.says(PlayerLogin(nick, GAME_TYPE))
    assert peer.hears() == LoginResponse()
    return peer


def hears_a_state(peer: Peer) -> GameState:
    """The next message, which must be a state."""
    message = peer.hears()
    assert not isinstance(message, Error), message.text
    assert isinstance(message, GameState)
    return message
