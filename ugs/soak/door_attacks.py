"""Attacks at the doors: connections, logins, HTTP and WebSockets."""

import ssl
from contextlib import suppress
from itertools import count

import trio

from ugs.soak import traffic
from ugs.soak.target import AttackLine, AttackSite, ServerGone

BYTE_S = 1.0
"""Seconds between two bytes of who is as slow as can be."""
WRONG = ("", "{", "[]", "null", '{"message":', '{"message": "REGISTER"}', '{"message": 7, "context": {}}')
"""What no gateway takes for a request."""


async def slow_logins(site: AttackSite) -> None:
    """500 connections to the port of players that send a byte a second."""
    await _slowly(site, 500, site.place.game, traffic.player_login("p"))


async def slow_http(site: AttackSite) -> None:
    """500 HTTP requests that arrive at a byte per second each."""
    await _slowly(site, 500, _http(site), traffic.HTTP_BEGIN + b"x" * 100_000)


async def _slowly(site: AttackSite, clients: int, address: tuple[str, int], data: bytes) -> None:
    site.begins()

    async def sends(_number: int) -> None:
        line = await site.line(address)
        site.listens(line)
        for byte in traffic.pieces(data, 1):
            await line.send(byte)
            await trio.sleep(BYTE_S)

    await site.crowd(clients, sends)


async def http_sockets(site: AttackSite) -> None:
    """160 silent connections to the port of HTTP."""
    site.begins()

    async def waits(_number: int) -> None:
        await (await site.line(_http(site))).listen()

    await site.crowd(160, waits)


async def rapid_reset(site: AttackSite) -> None:
    """HTTP/2 requests that are taken back at once, thousands in one piece, from four connections."""
    data = traffic.rapid_reset(5000)
    await _floods(site, 4, _http(site), data)


async def http_requests(site: AttackSite) -> None:
    """Requests for the standings as fast as they can be sent, from eight connections."""
    await _floods(site, 8, _http(site), b"GET /standings.json HTTP/1.1\r\nHost: soak\r\n\r\n" * 100)


async def _floods(site: AttackSite, clients: int, address: tuple[str, int], data: bytes) -> None:
    site.begins()

    async def sends(_number: int) -> None:
        line = await site.line(address)
        site.listens(line)
        while True:
            await line.send(data)

    await site.crowd(clients, sends)


async def connections(site: AttackSite) -> None:
    """Connections that end as soon as they are made."""
    site.begins()

    async def comes(number: int) -> None:
        line = await site.line()
        # Half of them end with a reset, half in good order.
        await (line.cut() if number % 2 else line.close())

    await site.crowd(50, comes)


async def logins(site: AttackSite) -> None:
    """Players with long nicks, another one each time, who leave as soon as they are in."""
    site.begins()
    numbers = count(1)

    async def comes(_number: int) -> None:
        number = next(numbers)
        line = await site.line()
        await line.send(traffic.player_login(traffic.burnt_nick(number)))
        await line.receive("loginResponse")
        await line.close()

    await site.crowd(50, comes)


PLAIN_TEXT = b"GET / HTTP/1.1\r\nHost: soak\r\n\r\n"
NO_HELLO = b"\x16\x03\x01\x02\x00" + bytes(range(256)) * 2
"""Begins as TLS does, and goes on as nothing does."""


class TlsHello:
    """A client of TLS, as bytes."""

    def __init__(self, context: ssl.SSLContext) -> None:
        self._come, self._outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        self._tls = context.wrap_bio(self._come, self._outgoing)

    def outgoing(self) -> bytes:
        """Take the bytes that it sends next."""
        with suppress(ssl.SSLError):
            self._tls.do_handshake()
        return self._outgoing.read()

    def takes(self, data: bytes) -> None:
        """Take bytes from the server."""
        self._come.write(data)


async def handshakes(site: AttackSite) -> None:
    """Handshakes of TLS from 300 lines: left after the first message, never gone on with, gone through and closed, and
    garbage in their place."""
    assert site.place.tls is not None
    address = site.place.tls
    site.begins()
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE

    async def comes(number: int) -> None:
        line, client = await site.line(address), TlsHello(context)
        # 0 leaves, 1 goes through, 2 never goes on, 3 sends garbage, 4 sends plain text.
        if number % 5 < 3:
            await line.send(client.outgoing())
        if number % 5 == 0:
            await line.cut()
        elif number % 5 == 1:
            client.takes(await line.read())
            await line.send(client.outgoing())
            await line.close()
        else:
            if number % 5 > 2:
                await line.send(NO_HELLO if number % 5 == 3 else PLAIN_TEXT)
            await line.listen()

    await site.crowd(300, comes)


TOKENS = 'auth = "register"\nauth_addresses = ["127.0.0.1 *"]\nwrong_token_delay_s = 0.1\n'
"""Settings that require tokens of attackers, and of no other client."""
OWNERS = 100
"""Players whose nicks spectators have."""
OWN = 50
"""Names that one address may register."""


async def wrong_tokens(site: AttackSite) -> None:
    """Logins with wrong tokens from 300 lines at a time, for 50 names that have some, for others, and for none."""
    for number in range(OWN):
        line = await site.line()
        await line.send(traffic.player_login(f"own{number}#the right secret {number}"))
        await line.receive("loginResponse")
        await line.close()
    site.begins()
    numbers = count(1)

    async def guesses(_number: int) -> None:
        number = next(numbers)
        line = await site.line()
        # Half of these names have no token, so that both ways of being wrong are tried.
        await line.send(traffic.player_login(f"own{number % (2 * OWN)}#a wrong secret {number}"))
        await line.receive("loginResponse")
        await line.close()

    await site.crowd(300, guesses)


async def sessions(site: AttackSite) -> None:
    """Players with a session who hang up at once and keep their place, as fast as they come."""
    site.begins()
    numbers = count(1)

    async def comes(_number: int) -> None:
        number = next(numbers)
        line = await site.line()
        await line.send(traffic.hello("session", "lobby") + traffic.player_login(f"absent{number}"))
        await line.receive("loginResponse")
        await line.close()

    await site.crowd(50, comes)


async def squatters(site: AttackSite) -> None:
    """1000 spectators under the nicks of players who come later: these get in, and neither loses its name to the other;
    what the server sends to a player reaches no spectator, and what a spectator sends is not taken for the player's."""
    site.begins()

    async def comes(number: int) -> None:
        nick = f"s{number}"
        line = await site.line()
        await line.send(traffic.hello("watch", "chat", "reason") + traffic.watch_type(nick))
        if number < OWNERS:
            await _meets_its_player(site, line, nick)
        await line.listen()

    await site.crowd(1000, comes)


async def _meets_its_player(site: AttackSite, spectator: AttackLine, nick: str) -> None:
    """The player of this nick comes, and the two talk."""
    await spectator.send(traffic.why_nothing_begins())
    await spectator.receive("x-account")  # it has its nick
    player = await site.line()
    await player.send(traffic.hello("chat", "lobby") + traffic.player_login(nick))
    if 'accept="yes"' not in await player.receive("loginResponse"):
        site.dealt.harm.append(f"a spectator keeps {nick} from its player")
    await spectator.send(traffic.chat([nick], "to the player") + traffic.why_nothing_begins())
    kind, data = await spectator.receive_one_of(("x-account", "x-failed", "x-said"))
    if kind != "x-account":
        site.dealt.harm.append(f"the spectator {nick} has lost its name, or got the player's post: {data}")
    if f'<from nick="{nick}"/>' in await player.receive("x-said"):
        site.dealt.harm.append(f"what the spectator {nick} sends looks like the player's")
    await player.close()


async def fragments(site: AttackSite) -> None:
    """Messages of a WebSocket in frames of one byte, from four connections."""
    data = traffic.fragments('{"message": "' + "x" * 20_000, 1)
    site.begins()

    async def sends(_number: int) -> None:
        line = await _websocket(site)
        while True:
            await line.send(data)

    await site.crowd(4, sends)


async def wrong_requests(site: AttackSite) -> None:
    """50 WebSockets with requests that are none."""
    data = b"".join(traffic.fragments(text or " ", 1000) for text in WRONG) * 50
    site.begins()

    async def sends(_number: int) -> None:
        line = await _websocket(site)
        while True:
            await line.send(data)

    await site.crowd(50, sends)


async def _websocket(site: AttackSite) -> AttackLine:
    """A WebSocket to the gateway that is read."""
    address = site.place.gateway
    if address is None:
        raise ServerGone
    line = await site.line(address)
    await line.send(traffic.websocket_opening(address[0]))
    site.listens(line)
    return line


def _http(site: AttackSite) -> tuple[str, int]:
    assert site.place.http is not None
    return site.place.http
