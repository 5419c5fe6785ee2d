"""A player whose moves are made to break a game master: it harms its own games only, and nobody else's."""

import pytest

from tests.end_to_end.conftest import Serves
from tests.end_to_end.processes import Peer, Server, client
from ugs.wire.framing import Limits
from ugs.wire.messages import Error, GameState, LoginResponse, Move, PlayerLogin, Result, ThankYou

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


@pytest.mark.parametrize("number", range(-1, len(HOSTILE)))
def test_a_hostile_move_costs_its_player_the_game_and_the_master_nothing(serves: Serves, number: int) -> None:
    server = serves()
    with client("master", server, GAME, "--check") as master:
        server.logs("master logged in")
        hostile, partner = enters(server, "hostile"), enters(server, "partner")
        first = hears_a_state(hostile)
        assert hears_a_state(partner) == first
        with (
            client("bot", server, GAME, "--nick", "ann", "--games", "1", "--think-ms", "30") as ann,
            client("bot", server, GAME, "--nick", "bob", "--games", "1", "--think-ms", "30") as bob,
        ):
            server.logs("game begun", times=2)
            mover = hostile if first.next_player == "hostile" else partner
            if number < 0:
                mover.says(of_the_size_limit(first.game_id))
                state = hears_a_state(hostile)
                assert state.next_player not in (None, first.next_player), "a legal move like any other"
            else:
                mover.says(Move(first.game_id, HOSTILE[number]))
                state = hears_a_state(hostile)
                results = {entry.nick: entry.result for entry in state.game_over or ()}
                assert first.next_player is not None
                assert results.pop(first.next_player) is Result.LOSER
                assert list(results.values()) == [Result.WINNER]
                mover.says(ThankYou(first.game_id))
            assert (ann.ends(), bob.ends()) == (0, 0), ann.output + bob.output
        assert len(master.events("logged in")) == 1
        assert server.stops() == 0
        assert master.ends() == 0


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
