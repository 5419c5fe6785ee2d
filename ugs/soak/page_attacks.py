"""Attacks on the page: health checks without end, cookies that are none, requests that fill the log."""

from itertools import count
from typing import Final
from urllib.parse import quote, urlencode

import trio

from ugs.soak import traffic
from ugs.soak.neighbours import LOGIN_BOUND_S, SOURCE, Browser, Waits, play
from ugs.soak.target import AttackSite, ServerGone

CHECKERS: Final = 390
"""Fewer than one address may have connections."""
TRIP_S: Final = 0.05
CHECK_S: Final = 0.25
HEALTH: Final = b"GET /healthz HTTP/1.1\r\nHost: soak\r\n\r\n"


async def health_checks(site: AttackSite) -> None:
    """Health checks from 390 connections of one address, each as soon as the last is answered; beside them people play
    at browsers, and another client checks the health."""
    assert site.place.http is not None
    http = site.place.http
    players = await play(site)
    site.begins()

    async def checks(_number: int) -> None:
        line = await site.line(http)
        while True:
            await line.send(HEALTH)
            await line.read()

    async def others_check() -> None:
        with Waits(site.dealt, "a health check of another client").judged() as waits:
            while True:
                with waits.one():
                    line = await site.line(http, source=SOURCE)
                    await line.send(HEALTH)
                    await line.read()
                await line.close()
                await trio.sleep(CHECK_S)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(_moves, site, players)
        nursery.start_soon(others_check)
        await site.crowd(CHECKERS, checks)


async def _moves(site: AttackSite, players: tuple[Browser, Browser]) -> None:
    with Waits(site.dealt, "a person who plays at a browser").judged() as waits:
        while True:
            with waits.one():
                await players[0].trip()
            await trio.sleep(TRIP_S)


NAMES: Final = 200
"""Names that others own, whose tokens the attackers guess."""
OWNERS: Final = 30
"""Owners who log in meanwhile, each once: their secrets have to be hashed."""
REGISTERS: Final = 'auth = "register"\nauth_addresses = ["127.0.0.1 *"]\nmax_registered_per_ip = 1000\n'
"""Settings that require tokens of all but the witness."""


async def wrong_cookies(site: AttackSite) -> None:
    """The page of a player's own games, asked for with wrong cookies and wrong tokens of 200 names from 60 connections;
    beside them owners of names log in."""
    assert site.place.http is not None
    http = site.place.http
    for number in range(NAMES):
        await _logs_in(site, f"own{number}", "", "a secret of its own")
    for number in range(OWNERS):
        await _logs_in(site, f"owner{number}", SOURCE, f"the right secret {number}")
    site.begins()
    numbers = count()

    async def guesses(which: int) -> None:
        line = await site.line(http)
        while True:
            shown = f"own{next(numbers) % NAMES}#a wrong secret"
            if which % 2:
                await line.send(_get("/mine", f"Cookie: ugs_mine={quote(shown, safe='')}"))
            else:
                await line.send(_form("/mine/enter", urlencode({"token": shown})))
            await line.read()

    async def owners() -> None:
        with Waits(site.dealt, "the login of an owner", LOGIN_BOUND_S).judged() as waits:
            for number in range(OWNERS):
                with waits.one():
                    await _logs_in(site, f"owner{number}", SOURCE, f"the right secret {number}", 60.0)
                await trio.sleep(CHECK_S)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(owners)
        await site.crowd(60, guesses)


async def _logs_in(site: AttackSite, nick: str, source: str, secret: str, within_s: float = 20.0) -> None:
    line = await site.line(source=source)
    await line.send(traffic.player_login(f"{nick}#{secret}"))
    await line.receive("loginResponse", within_s)
    await line.close()


async def refused(site: AttackSite) -> None:
    """Requests that are refused, messages that are wrong, logins that fail, people who hang up in the middle of a form,
    tokens that are none: what the log may hold about each."""
    assert site.place.http is not None
    http = site.place.http
    site.begins()
    numbers = count()

    async def asks(number: int) -> None:
        line = await site.player(f"p{number}", "lobby", "chat", "state", "clock", "reason")
        while True:
            await line.send(
                traffic.asking("x-quit", 100) + traffic.join("nowhere") * 100 + traffic.asking("x-why", 100)
            )

    async def errs(_number: int) -> None:
        line = await site.line()
        site.listens(line)
        while True:
            await line.send(traffic.player_login("", "") + b'<message type="nothing"/>' * 20)

    async def reports(number: int) -> None:
        line = await site.player(f"r{number}")
        while True:
            await line.send(b'<message type="error">' + b"e" * 10_000 + traffic.END)

    async def hangs_up(_number: int) -> None:
        line = await site.line(http)
        # A form that never ends: ten bytes are announced, and fewer follow.
        await line.send(
            _form("/mine/enter", "")[:-4].replace(b"Content-Length: 0", b"Content-Length: 10") + b"\r\n\r\n"
        )
        # Half with a reset: neither is worth a line of the log.
        await (line.cut() if next(numbers) % 2 else line.close())

    async def comes(_number: int) -> None:
        await (await site.line()).close()

    async with trio.open_nursery() as nursery:
        for role, many in ((asks, 10), (errs, 10), (reports, 5), (hangs_up, 10), (comes, 5)):
            nursery.start_soon(site.crowd, many, role)


AMBIGUOUS: Final = (
    b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    b"Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n",
    b"Content-Length: 5\r\nContent-Length: 5\r\n\r\nhello",
    b"Content-Length: 5, 5\r\n\r\nhello",
    b"Content-Length: 5\r\nX-Folded: a\r\n b\r\n\r\nhello",
    b"Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
    b"Transfer-Encoding: chunked\r\n\r\nhello\r\n\r\n",
)
"""Ends of requests where two readers could disagree about the beginning of the next one."""


async def ambiguous_requests(site: AttackSite) -> None:
    """HTTP requests whose end is a matter of opinion, each with another request behind it."""
    assert site.place.http is not None
    http = site.place.http
    site.begins()

    async def asks(number: int) -> None:
        for kind, end in enumerate(AMBIGUOUS):
            line = await site.line(http)
            await line.send(b"GET /healthz HTTP/1.1\r\nHost: soak\r\n" + end + HEALTH)
            try:
                answer = await line.read()
            except ServerGone:
                continue
            # One of them judges; the others are there for the load.
            if not answer.startswith((b"HTTP/1.1 4", b"HTTP/1.1 5")) and number == 0:
                data = f"ambiguous request {kind} was answered: {answer[:12].decode(errors='replace')}"
                site.dealt.harm += [data] * (data not in site.dealt.harm)
            await line.close()

    await site.crowd(20, asks)


def _get(path: str, *headers: str) -> bytes:
    return "\r\n".join((f"GET {path} HTTP/1.1", "Host: soak", *headers, "", "")).encode()


def _form(path: str, body: str) -> bytes:
    kind = "Content-Type: application/x-www-form-urlencoded"
    head = (f"POST {path} HTTP/1.1", "Host: soak", kind, f"Content-Length: {len(body)}", "", "")
    return "\r\n".join(head).encode() + body.encode()
