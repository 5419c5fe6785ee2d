"""What attackers send, as bytes: the same for `ugs soak` and for the tests on memory streams.

Every function is pure. Sizes are in bytes or counted in elements; each function gives what one peer sends.
"""

import struct
from collections.abc import Iterable, Iterator
from typing import Final
from xml.sax.saxutils import quoteattr

from wsproto.frame_protocol import FrameProtocol

GAME_TYPE: Final = "attack"
"""The game type of all attackers: no other player waits in its pool or sits at its tables."""
MAX_NICK_LENGTH: Final = 64
END: Final = b"</message>"
MAX_MARKUP: Final = 15_900
"""As many '<' as a document may have by default (``max_markup``), less a few for what is around them."""
MAX_BLANKS: Final = 1024
"""As much white space in a row as a tag may have."""

# Coming in.


def hello(*families: str) -> bytes:
    """The wish for these families of extensions."""
    return b'<message type="x-hello">%b</message>' % "".join(f'<ext name="{name}"/>' for name in families).encode()


def player_login(nick: str, game_type: str = GAME_TYPE) -> bytes:
    """The login of a player; any nick that XML can hold."""
    login = f"<playerLogin nick={quoteattr(nick)} gameType={quoteattr(game_type)}/>"
    return f'<message type="playerLogin">{login}</message>'.encode()


def master_login(name: str, least: int = 2, most: int = 2, game_type: str = GAME_TYPE) -> bytes:
    """The login of a game master for games of ``least`` to ``most`` players."""
    login = f'<gameMasterLogin id="{name}" gameType="{game_type}" playersMin="{least}" playersMax="{most}"/>'
    return f'<message type="gameMasterLogin">{login}</message>'.encode()


def burnt_nick(number: int) -> str:
    """A nick that takes five bytes for each of its characters in a championsList; another one for each number."""
    return f"{number:06}".rjust(MAX_NICK_LENGTH, "&")  # written as &amp;


# Requests.


def asking(kind: str, times: int) -> bytes:
    """A request that needs nothing but its type, ``times`` times in one piece."""
    return b"".join(b'<message type="%b" ref="%d"/>' % (kind.encode(), number) for number in range(times))


def table(name: str, *, seats: int = 2, invited: Iterable[str] = (), options: int = 0, private: bool = False) -> bytes:
    """x-advertise: a table with these guests, and with a number of options that no master offers, public or not."""
    inside = "".join(f'<option name="o{number}" value="{number}"/>' for number in range(options))
    inside += "".join(f"<invite nick={quoteattr(nick)}/>" for nick in invited)
    facts = f'name="{name}" seats="{seats}"' + (' visibility="PRIVATE"' if private else "")
    return f'<message type="x-advertise"><table {facts}>{inside}</table></message>'.encode()


def join(table_id: str) -> bytes:
    """x-join: a seat at this table."""
    return f'<message type="x-join"><table id="{table_id}"/></message>'.encode()


def guests(count: int, characters: int = MAX_NICK_LENGTH) -> list[str]:
    """``count`` nicks of this number of characters, for invitations."""
    return [str(number).rjust(characters, "g") for number in range(count)]


def offers(options: int = 0) -> bytes:
    """x-offers of a master with this number of options."""
    inside = "".join(f'<option name="o{number}" value="{number}"/>' for number in range(options))
    return f'<message type="x-offers">{inside}</message>'.encode()


def labels(game_id: str, seats: int) -> bytes:
    """x-labels of a master: this number of seats, not those of the game."""
    inside = "".join(f'<seat nick="s{number}" label="{number}" kind="program"/>' for number in range(seats))
    return f'<message type="x-labels"><gameId id="{game_id}"/>{inside}</message>'.encode()


def watch(game_id: str, times: int = 1) -> bytes:
    """x-watch of a game from its beginning, and x-unwatch, ``times`` times in one piece; it ends with x-watch."""
    begin = f'<message type="x-watch"><watch gameId="{game_id}" from="begin"/></message>'.encode()
    return begin + (b'<message type="x-unwatch"/>' + begin) * (times - 1)


def watch_type(nick: str = "", game_type: str = GAME_TYPE) -> bytes:
    """x-watch of all games of a type."""
    named = f' nick="{nick}"' if nick else ""
    return f'<message type="x-watch"><watch gameType="{game_type}"{named}/></message>'.encode()


def chat(recipients: Iterable[str], text: str = "a text") -> bytes:
    """x-say to these recipients."""
    to = "".join(f"<to nick={quoteattr(nick)}/>" for nick in recipients)
    return f'<message type="x-say">{to}<text>{text}</text></message>'.encode()


def why_nothing_begins(game_type: str = GAME_TYPE) -> bytes:
    """x-why of a spectator about a game type."""
    return f'<message type="x-why"><game gameType={quoteattr(game_type)}/></message>'.encode()


def why(game_id: str, times: int) -> bytes:
    """x-why about a game, ``times`` times in one piece."""
    return f'<message type="x-why"><gameId id="{game_id}"/></message>'.encode() * times


def resend(game_id: str, times: int) -> bytes:
    """x-resend, ``times`` times in one piece."""
    return f'<message type="x-resend"><gameId id="{game_id}"/></message>'.encode() * times


# Games.


def state(game_id: str, mover: str, size: int = 0) -> bytes:
    """A gameState that names whose turn it is, with a payload of at least ``size`` bytes."""
    payload = b"<gameState>%b</gameState>" % (b"s" * size)
    begin = f'<message type="gameState"><gameId id="{game_id}"/><nextPlayer nick="{mover}"/>'.encode()
    return begin + payload + END


def over(game_id: str, winner: str, losers: Iterable[str]) -> bytes:
    """The gameState that ends a game."""
    listed = f'<player nick="{winner}" result="winner"/>'
    listed += "".join(f'<player nick="{nick}" result="loser"/>' for nick in losers)
    body = f'<gameId id="{game_id}"/><gameOver>{listed}</gameOver><gameState/>'
    return f'<message type="gameState">{body}</message>'.encode()


def remark(game_id: str, size: int) -> bytes:
    """A remark with a plan of ``size`` bytes."""
    begin = f'<message type="x-remark"><gameId id="{game_id}"/><worth value="0.5"/>'.encode()
    return begin + b"<plan>%b</plan>" % (b"p" * size) + END


def refusal(game_id: str, nick: str, text: str) -> bytes:
    """x-fault: a master refuses the last move of this player, for this reason."""
    cause = f'<cause code="illegal-move" nick={quoteattr(nick)}>{text}</cause>'
    return f'<message type="x-fault"><gameId id="{game_id}"/>{cause}</message>'.encode()


def move(game_id: str, size: int = 0) -> bytes:
    """A move with a payload of at least ``size`` bytes."""
    return moving(game_id, b"<move>%b</move>" % (b"m" * size))


def moving(game_id: str, payload: bytes) -> bytes:
    """A move with this ``<move>``."""
    return f'<message type="move"><gameId id="{game_id}"/>'.encode() + payload + END


def dear_move(game_id: str) -> bytes:
    """A move of as many of the shortest processing instructions as a document may have."""
    return moving(game_id, b"<move>%b</move>" % (b"<?a?>" * MAX_MARKUP))


def thanks(game_id: str) -> bytes:
    """The thanks for a game."""
    return f'<message type="thank you"><gameId id="{game_id}"/></message>'.encode()


# Documents.


def errors(times: int) -> bytes:
    """The shortest message there is, ``times`` times in one piece."""
    return b"<message type='error'/>" * times


def padded(kind: str, size: int) -> bytes:
    """A request with ``size`` bytes of elements that mean nothing."""
    return b'<message type="%b">' % kind.encode() + b"<a/>" * (size // 4) + END


def attributes(count: int) -> bytes:
    """A document whose payload has an element with ``count`` attributes."""
    inside = b" ".join(b"a%d=''" % number for number in range(count))
    return b'<message type="move"><gameId id="x"/><move %b/>' % inside + END


def levels(count: int) -> bytes:
    """A document whose payload is so deep."""
    return b'<message type="move"><gameId id="x"/><move>' + b"<a>" * count + b"</a>" * count + b"</move>" + END


def unfinished(size: int) -> bytes:
    """``size`` bytes of a document of text without an end."""
    return b'<message type="error">'.ljust(size, b"x")


def unfinished_levels(size: int, deep: int = 60, most: int = MAX_MARKUP) -> bytes:
    """``size`` bytes of a document that goes down and up again and has no end; never deeper than allowed, and with at
    most as many '<'."""
    unit = b"<a>" * deep + b"</a>" * deep
    units = unit * min(size // len(unit), most // (2 * deep))
    return b'<message type="move"><gameId id="x"/><move>' + units + b"x" * (size - len(units))


def comments(size: int, most: int = MAX_MARKUP) -> bytes:
    """``size`` bytes of comments, at most ``most`` comments, in a document that ends."""
    return b'<message type="error">' + _filled(b"<!--", b"-->", size, most) + END


def instructions(size: int, most: int = MAX_MARKUP) -> bytes:
    """``size`` bytes of processing instructions, at most ``most``, in a document that ends."""
    return b'<message type="error">' + _filled(b"<?a ", b"?>", size, most) + END


def blanks(count: int) -> bytes:
    """A document with ``count`` blanks behind the declaration of a prefix in its root."""
    return b'<message xmlns:m="u" ' + b" " * count + b"/>"


def blanks_allowed(size: int) -> bytes:
    """A move of ``size`` bytes, or a little less: as much white space in each tag as allowed, and comments, so that
    every tag has to be looked at."""
    tag = b'<a xmlns:m="u"' + b" " * MAX_BLANKS + b"/><!---->"
    return moving("x", b"<move>%b</move>" % (tag * (size // len(tag))))


def _filled(opening: bytes, closing: bytes, size: int, most: int) -> bytes:
    """At most ``most`` of these, short ones if there is room for no more, that fill ``size`` bytes."""
    shortest = len(opening) + len(closing)
    count = min(size // shortest, most)
    return (opening + b"x" * (size // count - shortest) + closing) * count


def nuls(size: int) -> bytes:
    """The beginning of a document, and ``size`` NUL bytes."""
    return b'<message type="error">' + b"\0" * size


def ill_formed(size: int) -> bytes:
    """A document of ``size`` bytes that has an end and is not well-formed there."""
    return b'<message type="error">'.ljust(size, b"x") + b"</wrong>" + END


# HTTP and WebSockets.

HTTP_BEGIN: Final = b"GET /healthz HTTP/1.1\r\nHost: soak\r\nX-Slow: "
"""A request over HTTP that has no end."""
_PREFACE: Final = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
_SETTINGS, _HEADERS, _RESET = 4, 1, 3
_WHOLE_REQUEST = 0x5
"""The flags END_STREAM and END_HEADERS."""


def websocket_opening(host: str) -> bytes:
    """The request that opens a WebSocket."""
    lines = (
        "GET / HTTP/1.1",
        f"Host: {host}",
        "Upgrade: websocket",
        "Connection: Upgrade",
        "Sec-WebSocket-Version: 13",
    )
    return "\r\n".join((*lines, "Sec-WebSocket-Key: c29hayBzb2FrIHNvYWsgIQ==", "", "")).encode()


def fragments(text: str, characters: int) -> bytes:
    """A text message of a WebSocket in frames of this number of characters."""
    frames = FrameProtocol(client=True, extensions=[])
    parts = [text[at : at + characters] for at in range(0, len(text), characters)]
    return b"".join(frames.send_data(part, fin=number == len(parts)) for number, part in enumerate(parts, 1))


def rapid_reset(streams: int) -> bytes:
    """HTTP/2: one request per stream, each taken back at once."""
    request = bytes([0x82, 0x86, 0x84, 0x41, 4]) + b"soak"  # HPACK: GET, http, /, and the name of the host
    opened = range(1, 2 * streams, 2)
    return _PREFACE + _frame(_SETTINGS, 0, 0, b"") + b"".join(_opened_and_reset(each, request) for each in opened)


def _opened_and_reset(stream: int, request: bytes) -> bytes:
    return _frame(_HEADERS, _WHOLE_REQUEST, stream, request) + _frame(_RESET, 0, stream, struct.pack(">I", 8))


def _frame(kind: int, flags: int, stream: int, body: bytes) -> bytes:
    return struct.pack(">I", len(body))[1:] + bytes([kind, flags]) + struct.pack(">I", stream) + body


def pieces(data: bytes, size: int) -> Iterator[bytes]:
    """The data in pieces of at most ``size`` bytes."""
    return (data[at : at + size] for at in range(0, len(data), size))
