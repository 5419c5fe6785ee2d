"""Attacks on the page that a person, or a strange page in the browser of one, could make: forms that drip, requests in
the name of a visitor, cookies and hosts that are none."""

from itertools import cycle
from typing import Final

import trio

from ugs.page.server.forms import MAX_BODY_S
from ugs.soak.neighbours import SOURCE, Waits
from ugs.soak.target import AttackSite, ServerGone

DRIPPERS: Final = 390
"""Fewer than one address may have connections."""
DRIP_S: Final = 2.0
LATE_S: Final = 12.0
"""Seconds that the server may need to close a form that has not come in time."""
LOOK_S: Final = 0.25
ELSEWHERE: Final = "elsewhere.example"
FORM: Final = "Content-Type: application/x-www-form-urlencoded"


async def dripped_forms(site: AttackSite) -> None:
    """Forms from 390 connections of one address that come byte by byte, or never; beside them a visitor looks at
    the page."""
    assert site.place.http is not None
    http = site.place.http
    await _looks(site)  # the first look starts what draws the page
    site.begins()

    async def drips(number: int) -> None:
        line = await site.line(http)
        await line.send(_request("POST /mine/enter", FORM, "Content-Length: 1000"))
        site.nursery.start_soon(line.listen)
        with trio.move_on_after(MAX_BODY_S + LATE_S) as patience:
            # Every second one drips, the others send nothing more.
            while number % 2:
                await line.send(b"t")
                await trio.sleep(DRIP_S)
            await line.ends()
        if patience.cancelled_caught:
            data = f"a form may take more than {MAX_BODY_S + LATE_S:g} s"
            # Once: hundreds of forms would add the same line.
            site.dealt.harm += [data] * (data not in site.dealt.harm)
            await line.close()

    async def looks() -> None:
        with Waits(site.dealt, "a look at the page by a visitor").judged() as waits:
            while True:
                with waits.one():
                    await _looks(site)
                await trio.sleep(LOOK_S)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(looks)
        await site.crowd(DRIPPERS, drips)


async def _looks(site: AttackSite) -> None:
    """A visitor looks at a page."""
    line = await site.line(site.place.http, source=SOURCE)
    await line.send(_request("GET /masters", "Host: 127.0.0.1"))
    await line.read()
    await line.close()


UPGRADE: Final = (
    "Connection: Upgrade",
    "Upgrade: websocket",
    "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Key: c29hayBzb2FrIHNvYWsgIQ==",
)
STRANGE: Final = (
    ("POST /mine/enter", f"Origin: https://{ELSEWHERE}", FORM, "Content-Length: 0"),
    ("POST /mine/enter", "Origin: http://[", FORM, "Content-Length: 0"),
    ("POST /mine/enter", "Origin: null", FORM, "Content-Length: 0"),
    ("POST /mine/enter", "Sec-Fetch-Site: cross-site", FORM, "Content-Length: 0"),
    ("POST /mine/leave", f"Origin: https://{ELSEWHERE}", "Cookie: ugs_mine=x", FORM, "Content-Length: 0"),
    ("POST /admin/enter", f"Origin: https://{ELSEWHERE}", FORM, "Content-Length: 0"),
    ("GET /play/line", f"Origin: https://{ELSEWHERE}", *UPGRADE),
    ("GET /play/line", "Sec-Fetch-Site: same-site", *UPGRADE),
)
"""What a strange page lets a browser send: each is refused."""
ODD: Final = (
    ("GET /masters/", f"Host: {ELSEWHERE}"),
    ("GET /mine/", f"Host: {ELSEWHERE}", "X-Forwarded-Host: elsewhere.example"),
    ("GET //elsewhere.example/mine", "Host: soak"),
    ("GET /mine", "Host: ["),
    ("GET /mine", "Host: a b"),
    ("GET /mine", "Host: soak", "Cookie: " + "; ".join(f"c{number}=v" for number in range(500))),
    ("GET /mine", "Host: soak", 'Cookie: ugs_mine="\\000\\377"; ugs_mine=;;;=; =x'),
    ("GET /mine-game?id=x", "Host: soak", "Cookie: ugs_mine=" + "y" * 3000),
    ("GET /admin", "Host: soak", "Cookie: ugs_admin=" + "z" * 3000),
)
"""What makes no sense: nothing of it is a bug, and no answer leads elsewhere."""


async def strange_pages(site: AttackSite) -> None:
    """Forms and WebSockets of strange pages in the name of a visitor, with hosts and cookies that are none: what is
    refused, what is answered, and where an answer leads to."""
    assert site.place.http is not None
    http = site.place.http
    site.begins()

    async def asks(number: int) -> None:
        for first, *headers in cycle(STRANGE + ODD):
            line = await site.line(http)
            own = () if any(one.startswith("Host: ") for one in headers) else ("Host: soak",)
            await line.send(_request(first, *own, *headers))
            try:
                answer = (await line.read()).decode(errors="replace")
            except ServerGone:
                continue
            # One of them judges the answers; the others are there for the load.
            if number == 0:
                wrong = _what_is_wrong(answer, is_strange=(first, *headers) in STRANGE)
                data = f"{first}, {headers[0]}: {wrong}"
                site.dealt.harm += [data] * (bool(wrong) and data not in site.dealt.harm)
            await line.close()

    await site.crowd(20, asks)


def _what_is_wrong(answer: str, *, is_strange: bool) -> str:
    """Why an answer must not be so; empty when it may."""
    status, head = answer[9:12], answer.partition("\r\n\r\n")[0]
    if status in ("500", "502"):
        return f"a bug: {status}"
    if is_strange and not status.startswith("4"):
        return f"answered with {status}"
    if ELSEWHERE in head or "location: //" in head.lower():
        return "the answer leads elsewhere"
    if "set-cookie: ugs_mine=" in head.lower() and 'ugs_mine=""' not in head:
        return "a cookie for nothing"
    return ""


def _request(first: str, *headers: str) -> bytes:
    return "\r\n".join((f"{first} HTTP/1.1", *headers, "", "")).encode()
