"""Attacks with documents that are hard to read, and with documents that do not end."""

from collections.abc import Awaitable, Callable

import trio

from ugs.soak import traffic
from ugs.soak.target import AttackLine, AttackSite

SMALL_STEP = 64
MEGABYTE = 1_048_576
BEFORE_LOGIN = 262_144
"""Bytes of a document before its sender has logged in, by default."""


async def attributes(site: AttackSite) -> None:
    """100 000 attributes in one element, from four players."""
    await _players_send(site, 4, traffic.attributes(100_000))


async def levels(site: AttackSite) -> None:
    """100 000 levels in one document, from four players."""
    await _players_send(site, 4, traffic.levels(100_000))


async def comments(site: AttackSite) -> None:
    """1 MB of comments, again and again, from 30 players."""
    await _players_send(site, 30, traffic.comments(MEGABYTE - 100))


async def instructions(site: AttackSite) -> None:
    """1 MB of processing instructions, again and again, from 30 players."""
    await _players_send(site, 30, traffic.instructions(MEGABYTE - 100))


async def blanks(site: AttackSite) -> None:
    """1 MB of tags that are full of blanks, as many in a row as allowed, again and again, from 30 players."""
    await _players_send(site, 30, traffic.blanks_allowed(MEGABYTE - 100))


async def blanks_before_login(site: AttackSite) -> None:
    """24 000 blanks in a tag, again and again, from 50 connections."""
    await _before_login(site, 50, traffic.blanks(24_000))


async def deep_unfinished(site: AttackSite) -> None:
    """1 MB of a document that goes up and down, and then a byte at a time, from 30 players."""
    await _trickled(site, 30, traffic.unfinished_levels(MEGABYTE - 100_000), b"<a/>")


async def trickle(site: AttackSite) -> None:
    """A byte at a time behind 900 KB of a document, from 30 players."""
    await _trickled(site, 30, traffic.unfinished(900_000), b"x")


async def trickled_ends(site: AttackSite) -> None:
    """A byte at a time behind 900 KB of what looks like ends of the document but is none, from 30 players."""
    begin = b'<message type="error"><![CDATA[' + b"</message>" * 90_000
    await _trickled(site, 30, begin, b"</message>")


async def _trickled(site: AttackSite, count: int, begin: bytes, step: bytes) -> None:
    async def sends(line: AttackLine) -> None:
        await line.send(begin)
        while True:
            await line.send(step)
            # send() may return at once: the other lines want their turn.
            await trio.lowlevel.checkpoint()

    await _as_players(site, count, sends)


async def unfinished(site: AttackSite) -> None:
    """800 players with 1 MB of a document each that does not end."""
    document = traffic.unfinished(MEGABYTE - 1000)

    async def sends(line: AttackLine) -> None:
        await line.send(document)
        await line.ends()

    await _as_players(site, 800, sends)


async def quiet_again(site: AttackSite) -> None:
    """500 players who send one document of 1 MB each, one after the other, and then nothing."""
    document = traffic.comments(MEGABYTE - 100, most=1)
    floor = trio.CapacityLimiter(10)  # more at the same time would be refused for what has not ended yet

    async def sends(line: AttackLine) -> None:
        async with floor:
            await line.send(document)
        await line.ends()

    await _as_players(site, 500, sends)


async def nuls(site: AttackSite) -> None:
    """NUL bytes in place of the end of a document, from 50 connections."""
    await _before_login(site, 50, traffic.nuls(BEFORE_LOGIN - 1000))


async def ill_formed(site: AttackSite) -> None:
    """A large document that is no XML at its end, from 200 connections, again and again."""
    await _before_login(site, 200, traffic.ill_formed(BEFORE_LOGIN - 1000))


async def lingering(site: AttackSite) -> None:
    """50 connections that the server has refused, and that go on saying megabytes."""
    await _before_login(site, 50, b"no XML" * 500_000)


async def _before_login(site: AttackSite, count: int, data: bytes) -> None:
    site.begins()

    async def sends(_number: int) -> None:
        line = await site.line()
        # Both at once: a server that has refused a peer may stop reading it.
        async with trio.open_nursery() as nursery:
            nursery.start_soon(line.send, data)
            await line.listen()
            nursery.cancel_scope.cancel()

    await site.crowd(count, sends)


async def _players_send(site: AttackSite, count: int, document: bytes) -> None:
    async def sends(line: AttackLine) -> None:
        while True:
            await line.send(document)

    await _as_players(site, count, sends)


async def _as_players(site: AttackSite, count: int, role: Callable[[AttackLine], Awaitable[None]]) -> None:
    site.begins()

    async def plays(number: int) -> None:
        await role(await site.player(f"p{number}"))

    await site.crowd(count, plays)
