"""Attacks on the pictures of the page: games that are expensive to draw, asked for again and again, and watched;
beside them a visitor asks for the overview."""

import re
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from itertools import count
from typing import Final

import trio

from ugs.soak import traffic
from ugs.soak.neighbours import SOURCE, Waits
from ugs.soak.target import AttackLine, AttackSite, ServerGone, game_id

FIVE_IN_LINE: Final = "5-in-line-tic-tac-toe"
"""A game type that is drawn for every master."""
SIDE: Final = 100
WIDE_STATES: Final = 400
ELEMENTS: Final = traffic.MAX_MARKUP - 20
AT_ONCE: Final = 50
SMALL_BYTES: Final = 1_000
"""Small states that a master sends before it waits for a move; others come one at a time."""
ASKING: Final = 10
"""Connections that ask."""
WATCHING: Final = 10
"""Open pages."""
OVERVIEW_S: Final = 0.5
OVERVIEW_BOUND_S: Final = 2.5
"""Seconds between two looks at the overview, and for one, on a machine that does other things, too."""
OWN_BOUND_S: Final = 20.0
"""Seconds for the answer about an expensive game itself, behind what its attackers ask: each of their turns is
bounded."""
WRITTEN_S: Final = 2.0
"""Seconds until the end of a game is in the journal."""

_LENGTH: Final = re.compile(rb"\r\ncontent-length: (\d+)", re.IGNORECASE)


async def large_board(site: AttackSite) -> None:
    """Two players on a board of 100 x 100 fill it, and its replay is asked for at one position after the other from
    10 connections; a visitor asks for the overview."""
    await seen_once(site)
    played = await _played(site, "l", SIDE * SIDE, _stone)
    site.begins()
    async with neighbour(site):
        await _asked_for(site, played)


async def wide_states(site: AttackSite) -> None:
    """A master sends 400 states of 15,900 elements each; its game is asked for from 10 connections, and a second one
    that goes on in the same way is watched by 10 open pages; a visitor asks for the overview."""
    await seen_once(site)
    played = await _played(site, "w", WIDE_STATES, _wide)
    running = await _begins(site, "v")
    site.begins()
    async with neighbour(site):
        site.nursery.start_soon(_goes_on, running)
        for _ in range(WATCHING):
            site.nursery.start_soon(watches, site, f"game&id={running.game_id}")
        await _asked_for(site, played)


# Games.


def _stone(number: int) -> bytes:
    """The fields one after the other."""
    return b'<tac x="%d" y="%d"/>' % (number % SIDE, number // SIDE)


def _wide(number: int) -> bytes:
    return b"<a/>" * ELEMENTS + b'<n n="%d"/>' % number


class _Led:
    """A game that the attacker leads, with its two players."""

    def __init__(self, master: AttackLine, players: list[AttackLine], nicks: list[str], game: str) -> None:
        self._master = master
        self._players = players
        self._nicks = nicks
        self.game_id = game

    async def sends_states(self, states: Iterable[tuple[int, bytes]]) -> None:
        """Send more states, by their numbers; the players receive all of them, then one of them moves."""
        number_sent = mover = 0
        data = b""
        for number, inside in states:
            number_sent, mover = number_sent + 1, number % 2
            state = traffic.state(self.game_id, self._nicks[mover])
            data += state.replace(b"<gameState></gameState>", b"<gameState>%b</gameState>" % inside)
        await self._master.send(data)
        # Both read all of it, or they would be closed as peers that do not read.
        for turn in range(2 * number_sent):
            await self._players[turn % 2].receive("gameState")
        # A move in between: what a master may send without one has a limit.
        await self._players[mover].send(traffic.move(self.game_id))
        await self._master.receive("move")

    async def ends(self) -> None:
        """It is over, and all go once it is written down: they are not wanted for another game."""
        await self._master.send(traffic.over(self.game_id, self._nicks[0], self._nicks[1:]))
        for line in self._players:
            await line.send(traffic.thanks(self.game_id))
        await trio.sleep(WRITTEN_S)
        for line in (*self._players, self._master):
            await line.close()


async def _begins(site: AttackSite, prefix: str) -> _Led:
    master = await site.line()
    await master.send(traffic.master_login(f"m{prefix}", game_type=FIVE_IN_LINE))
    await master.receive("loginResponse")
    players, nicks = [], [f"{prefix}0", f"{prefix}1"]
    for nick in nicks:
        player = await site.line()
        await player.send(traffic.player_login(nick, FIVE_IN_LINE))
        await player.receive("loginResponse")
        players.append(player)
    return _Led(master, players, nicks, game_id(await master.receive("beginGame")))


async def _played(site: AttackSite, prefix: str, states: int, inside: Callable[[int], bytes]) -> str:
    """A game with these states that has ended; its id."""
    led = await _begins(site, prefix)
    at_once = AT_ONCE if len(inside(0)) < SMALL_BYTES else 1
    for first in range(0, states, at_once):
        await led.sends_states((number, inside(number)) for number in range(first, first + at_once))
    await led.ends()
    return led.game_id


async def _goes_on(led: _Led) -> None:
    for number in count():
        try:
            await led.sends_states([(number, _wide(number))])
        except (ServerGone, trio.TooSlowError):
            return


# The page.


async def _asked_for(site: AttackSite, game: str) -> None:
    """Its page and its positions, for ever; a page that is missing or late is harm."""
    assert site.place.http is not None
    http = site.place.http
    # 97 has no factor in common with the number of positions, so hardly any is asked for twice.
    places = count(1, 97)

    async def asks(number: int) -> None:
        line = await site.line(http)
        while True:
            at = next(places) % (SIDE * SIDE) + 1
            path = f"/game?id={game}&at={at}" if number % 2 else f"/api/v1/positions?id={game}&from={at}"
            await _fetched(line, path)

    with Waits(site.dealt, "the page of the game itself", OWN_BOUND_S).judged() as own:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(site.crowd, ASKING, asks)
            line = await site.line(http)
            while True:
                with own.one():
                    status = await _fetched(line, f"/game?id={game}")
                if status != 200:
                    site.dealt.harm += [f"its page: status {status}"] * (len(site.dealt.harm) < ASKING)
                await trio.sleep(OVERVIEW_S)


async def watches(site: AttackSite, page: str) -> None:
    """Keep a page open, which a query names."""
    assert site.place.http is not None
    line = await site.line(site.place.http)
    await line.send(_get(f"/live?page={page}"))
    await line.listen()


@asynccontextmanager
async def neighbour(site: AttackSite) -> AsyncIterator[None]:
    """A visitor asks for the overview as long as the block lasts."""
    assert site.place.http is not None
    http = site.place.http

    async def asks() -> None:
        with Waits(site.dealt, "the overview of a visitor", OVERVIEW_BOUND_S).judged() as waits:
            line = await site.line(http, source=SOURCE)
            while True:
                with waits.one():
                    status = await _fetched(line, "/")
                if status != 200:
                    site.dealt.harm += [f"the overview: status {status}"] * (len(site.dealt.harm) < ASKING)
                await trio.sleep(OVERVIEW_S)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(asks)
        yield
        nursery.cancel_scope.cancel()


async def seen_once(site: AttackSite) -> None:
    """The workers of the page start with the first question; that is not measured."""
    assert site.place.http is not None
    line = await site.line(site.place.http, source=SOURCE)
    for path in ("/", "/game?id=none"):
        await _fetched(line, path)
    await line.close()


async def _fetched(line: AttackLine, path: str) -> int:
    """Ask for a page and read it to its end; its status."""
    return (await page_of(line, path))[0]


async def page_of(line: AttackLine, path: str) -> tuple[int, bytes]:
    """Ask for a page; its status and its body."""
    await line.send(_get(path))
    head = b""
    while b"\r\n\r\n" not in head:
        head += await line.read()
    head, _, body = head.partition(b"\r\n\r\n")
    length = _LENGTH.search(head)
    size = int(length[1]) if length else 0
    while len(body) < size:
        body += await line.read()
    return int(head[9:12]), body


def _get(path: str) -> bytes:
    return f"GET {path} HTTP/1.1\r\nHost: soak\r\n\r\n".encode()
