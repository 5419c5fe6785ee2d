"""Connections of people who play with a browser: a pair of sockets whose one end is in this process."""

import socket
from collections import Counter

import pytest
import trio

from tests.daemon.shell import GO, Shell
from ugs.daemon.http.page_players import PagePlayers
from ugs.peer import Peer
from ugs.wire.messages import Error, LoginResponse, PlayerLogin

BOUND_S = 120.0


def players(shell: Shell, turned_away: Counter[str] | None = None) -> PagePlayers:
    return PagePlayers(shell.config, shell.tasks, shell.peers, Counter() if turned_away is None else turned_away)


async def test_its_player_is_one_like_any_other_from_the_address_of_its_browser(nursery: trio.Nursery) -> None:
    shell = Shell(nursery)
    with trio.fail_after(BOUND_S):
        peer = Peer(players(shell).connect("[2001:db8::7]:4321"))
        await peer.send(PlayerLogin("ann", GO))
        assert await peer.receive() == LoginResponse()
        (player,) = shell.broker.server.names.players.values()
        assert player.connection.address == "[2001:db8::7]:4321"
        assert not player.connection.by_gateway
        await peer.aclose()
        await shell.peers.all_gone()
    assert shell.broker.server.names.players == {}


async def test_an_address_has_its_share_of_them(nursery: trio.Nursery) -> None:
    shell, turned_away = Shell(nursery, max_connections_per_ip=1), Counter[str]()
    door = players(shell, turned_away)
    with trio.fail_after(BOUND_S):
        first = Peer(door.connect("192.0.2.1:1"))
        second = Peer(door.connect("192.0.2.1:2"))
        other = Peer(door.connect("192.0.2.2:1"))
        assert await second.receive() == Error("too many connections from your address")
        assert await second.receive() is None
        for peer, nick in ((first, "ann"), (other, "bob")):
            await peer.send(PlayerLogin(nick, GO))
            assert await peer.receive() == LoginResponse()
        for peer in (first, second, other):
            await peer.aclose()
        await shell.peers.all_gone()
    assert turned_away == {"too many connections from your address": 1}


async def test_no_more_sockets_is_an_error(nursery: trio.Nursery, monkeypatch: pytest.MonkeyPatch) -> None:
    def none() -> tuple[socket.socket, socket.socket]:
        raise OSError("too many open files")

    monkeypatch.setattr(socket, "socketpair", none)
    with pytest.raises(OSError, match="too many open files"):
        players(Shell(nursery)).connect("192.0.2.1:1")
