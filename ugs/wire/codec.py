"""Documents to messages and back: one table holds a reader and a writer for every class.

``move`` and ``gameState`` are nearly all of the traffic, and most have the same form. These are read from their
beginning and end, without a parser; :func:`_read_usual` explains why that is enough. All others go through
:mod:`ugs.wire.envelope`. Both give the same message.
"""

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from types import MappingProxyType
from typing import Any, Final

from ugs.value import value
from ugs.wire.element import Element
from ugs.wire.envelope import read_envelope
from ugs.wire.errors import WrongMessage
from ugs.wire.escaping import written_name, written_text, written_value
from ugs.wire.extension_codec import read_extension, write_extension
from ugs.wire.extensions import EXTENSIONS
from ugs.wire.fast_path import is_single
from ugs.wire.messages import (
    BeginGame,
    ChampionRow,
    ChampionsList,
    Choice,
    Error,
    GameMasterLogin,
    GameState,
    LeaveGame,
    LoginError,
    LoginResponse,
    Logout,
    Message,
    Move,
    PlayerLeftGame,
    PlayerLogin,
    PlayerResult,
    Result,
    ServerShutdown,
    ThankYou,
)
from ugs.wire.shapes import MAX_RESULTS
from ugs.wire.text_limits import MAX_ERROR, MAX_ID, MAX_NICK_LENGTH

__all__ = ["DECLARATION", "ONLY_FROM_SERVERS", "WrongMessage", "decode", "decode_sent", "encode"]

DECLARATION: Final = b'<?xml version="1.0" encoding="UTF-8"?>'
"""Goes before each document to a peer that wants it."""
ONLY_FROM_SERVERS: Final = frozenset(
    {message.TYPE for message in (LoginResponse, BeginGame, ServerShutdown, ChampionsList)}
    | {kind for kind, form in EXTENSIONS.items() if form.most_elements is None}
)
"""The types of the messages that no server reads. Their lists may have any length."""


def decode(raw: bytes) -> Message:
    """Return the message in a document.

    ``raw`` is the ``raw`` of a :class:`~ugs.wire.framing.Document`. The framer has made sure that it is one well-formed
    document; that is not checked again. Raises WrongMessage when it is no message of UGS v4 or its extensions; the text
    names message type, field and value.
    """
    return _decode(raw, ())


def decode_sent(raw: bytes) -> Message:
    """Return the message in a document that a peer has sent to the server.

    Like :func:`decode`, but a message that only a server sends is refused for its type alone.
    """
    return _decode(raw, ONLY_FROM_SERVERS)


def _decode(raw: bytes, refused: Collection[str]) -> Message:
    usual = _USUAL.match(raw)
    if usual is not None:
        message = _read_usual(raw, usual)
        if message is not None:
            return message
    envelope = read_envelope(raw, refused)
    try:
        return _READERS[envelope.attributes["type"]](envelope)
    except WrongMessage as wrong:
        raise wrong.of(envelope.attributes) from None


def encode(message: Message) -> bytes:
    """Return the document for ``message``, without declaration, its elements in the order of the specification.

    There is no white space outside the payload. The payload is written unchanged: the caller must make sure that it is
    well-formed. In the text of an Error, U+FFFD replaces characters that XML cannot hold: people read it. Raises
    ValueError for such characters in an id or a nick, and for every other message that :func:`decode` would refuse.
    Ids, nicks and results of v4 are not counted again: they come from the server.
    """
    return _WRITERS[type(message)](message)


# --- reading -----------------------------------------------------------------------------------------------------

_VALUE: Final = rb"""[^"&<\t\r\n]*"""  # nothing that a parser would resolve or normalise
_USUAL: Final = re.compile(
    rb"""(?:<\?xml[ \t\r\n][^>]*>[ \t\r\n]*)?
    <message[ ]type="(move|gameState|thank\ you)">[ \t\r\n]*
    <gameId[ ]id="(VALUE)"[ ]?/>[ \t\r\n]*
    (?:<nextPlayer[ ]nick="(VALUE)"[ ]?/>[ \t\r\n]*
    |<gameOver>((?:<player[ ]nick="VALUE"[ ]result="(?:winner|loser)"[ ]?/>)+)</gameOver>)?""".replace(
        b"VALUE", _VALUE
    ),
    re.VERBOSE,
)
_USUAL_RESULT: Final = re.compile(rb'nick="(VALUE)" result="([a-z]*)"'.replace(b"VALUE", _VALUE))


def _read_usual(raw: bytes, usual: re.Match[bytes]) -> Move | GameState | ThankYou | None:
    """Read a document that begins in the usual way. Return None if only a parser can decide what it is. Raises
    WrongMessage for results of too many players.

    The last ``<`` of a well-formed document begins the end tag of its root. So the bytes between the match and that
    place are the rest of the envelope: empty in a thank you, otherwise the payload if they are a single element.
    """
    kind, game_id, nick, results = usual.groups()
    if len(game_id) > MAX_ID or (nick is not None and len(nick) > MAX_NICK_LENGTH):
        return None
    rest = raw[usual.end() : raw.rfind(b"<")]
    if rest and not rest.endswith(b">"):
        rest = rest.rstrip(b" \t\r\n")
    if kind == b"gameState":
        if not is_single(rest, b"<gameState", b"</gameState>"):
            return None
        if nick is not None:
            return GameState(game_id.decode(), nick.decode(), None, rest)
        if results is not None:
            if results.count(b"<player ") > MAX_RESULTS:  # refused here: the parser would read all of them
                raise WrongMessage(f"gameState: more than {MAX_RESULTS} <player> in <gameOver>", "gameState")
            players = _USUAL_RESULT.findall(results)
            if max([len(nick) for nick, _ in players]) > MAX_NICK_LENGTH:
                return None
            game_over = tuple([PlayerResult(nick.decode(), _RESULTS[result]) for nick, result in players])
            return GameState(game_id.decode(), None, game_over, rest)
    elif nick is None and results is None:
        if kind == b"move":
            if is_single(rest, b"<move", b"</move>"):
                return Move(game_id.decode(), rest)
        elif not rest:
            return ThankYou(game_id.decode())
    return None


_RESULTS: Final = MappingProxyType({result.value.encode(): result for result in Result})


def _game_id(message: Element) -> str:
    return message["gameId"].attributes["id"]


def _nicks(elements: Iterable[Element]) -> tuple[str, ...]:
    return tuple(element.attributes["nick"] for element in elements)


def _read_player_login(message: Element) -> PlayerLogin:
    login = message["playerLogin"].attributes
    return PlayerLogin(login.get("nick"), login.get("gameType"))


def _read_game_master_login(message: Element) -> GameMasterLogin:
    login = message["gameMasterLogin"].attributes
    return GameMasterLogin(login.get("id"), login.get("gameType"), login.get("playersMin"), login.get("playersMax"))


def _read_login_response(message: Element) -> LoginResponse:
    accept = message["response"].attributes["accept"]
    error = message.first("error")
    if (accept == "no") != (error is not None):
        raise WrongMessage(
            f'loginResponse: accept of <response> is "{accept}" and <error> is '
            + ("missing" if error is None else "present")
        )
    return LoginResponse(None if error is None else LoginError(int(error.attributes["id"])))


def _read_begin_game(message: Element) -> BeginGame:
    options = (option.attributes for option in message.all("option"))
    seats, seed, setup = message.first("seats"), message.first("seed"), message.first("setup")
    return BeginGame(
        _game_id(message),
        _nicks(message.all("player")),
        tuple([Choice(option["name"], option["value"]) for option in options]),
        0 if seats is None else int(seats.attributes["total"]),
        "" if seed is None else seed.attributes["value"],
        "" if setup is None else setup.text,
    )


def _read_game_state(message: Element) -> GameState:
    turn, over = message.first("nextPlayer"), message.first("gameOver")
    if (turn is None) == (over is None):
        raise WrongMessage(
            "gameState: <nextPlayer> and <gameOver> are both "
            + ("missing" if turn is None else "present")
            + ", exactly one must be there"
        )
    return GameState(
        _game_id(message),
        None if turn is None else turn.attributes["nick"],
        None
        if over is None
        else tuple(
            PlayerResult(player.attributes["nick"], Result(player.attributes["result"]))
            for player in over.all("player")
        ),
        message["gameState"].raw,
    )


def _read_champions_list(message: Element) -> ChampionsList:
    rows = (player.attributes for player in message.all("player"))
    return ChampionsList(tuple(ChampionRow(row["nick"], int(row["won"]), int(row["lost"])) for row in rows))


# --- writing -----------------------------------------------------------------------------------------------------

_HIGHEST_COUNT: Final = 10**18 - 1


def _optional(name: bytes, text: str | None) -> bytes:
    return b"" if text is None else b" " + name + b'="' + written_value(text) + b'"'


def _count(number: int) -> bytes:
    if not 0 <= number <= _HIGHEST_COUNT:
        raise ValueError(f"a number of games cannot be {number}")
    return b"%d" % number


def _payload(element: bytes, raw: bytes) -> bytes:
    if not raw.startswith(element):
        raise ValueError(f"the payload does not begin with {element.decode()}")
    return raw


def _write_error(message: Error) -> bytes:
    return b'<message type="error">' + written_text(message.text[:MAX_ERROR]) + b"</message>"


def _write_player_login(message: PlayerLogin) -> bytes:
    return (
        b'<message type="playerLogin"><playerLogin'
        + _optional(b"nick", message.nick)
        + _optional(b"gameType", message.game_type)
        + b"/></message>"
    )


def _write_game_master_login(message: GameMasterLogin) -> bytes:
    return (
        b'<message type="gameMasterLogin"><gameMasterLogin'
        + _optional(b"id", message.id)
        + _optional(b"gameType", message.game_type)
        + _optional(b"playersMin", message.players_min)
        + _optional(b"playersMax", message.players_max)
        + b"/></message>"
    )


def _write_login_response(message: LoginResponse) -> bytes:
    if message.error is None:
        return b'<message type="loginResponse"><response accept="yes"/></message>'
    return b'<message type="loginResponse"><response accept="no"/><error id="%d"/></message>' % message.error


def _write_begin_game(message: BeginGame) -> bytes:
    if not message.players:
        raise ValueError("beginGame: a game needs players")
    players = b"".join(b'<player nick="' + written_name(nick) + b'"/>' for nick in message.players)
    return (
        b'<message type="beginGame"><gameId id="'
        + written_name(message.game_id)
        + b'"/>'
        + players
        + b"".join(
            b'<option name="' + written_value(option.name) + b'" value="' + written_value(option.value) + b'"/>'
            for option in message.options
        )
        + (b'<seats total="' + _count(message.seats) + b'"/>' if message.seats else b"")
        + (b'<seed value="' + written_value(message.seed) + b'"/>' if message.seed else b"")
        + (b"<setup>" + written_text(message.setup) + b"</setup>" if message.setup else b"")
        + b"</message>"
    )


def _write_game_state(message: GameState) -> bytes:
    if message.next_player is not None and message.game_over is None:
        turn = b'<nextPlayer nick="' + written_name(message.next_player) + b'"/>'
    elif message.game_over and message.next_player is None:
        results = (
            b'<player nick="' + written_name(player.nick) + b'" result="' + player.result.value.encode() + b'"/>'
            for player in message.game_over
        )
        turn = b"<gameOver>" + b"".join(results) + b"</gameOver>"
    else:
        raise ValueError("gameState: needs either next_player or a game_over with players")
    return (
        b'<message type="gameState"><gameId id="'
        + written_name(message.game_id)
        + b'"/>'
        + turn
        + _payload(b"<gameState", message.payload)
        + b"</message>"
    )


def _write_move(message: Move) -> bytes:
    return (
        b'<message type="move"><gameId id="'
        + written_name(message.game_id)
        + b'"/>'
        + _payload(b"<move", message.payload)
        + b"</message>"
    )


def _write_player_left_game(message: PlayerLeftGame) -> bytes:
    return (
        b'<message type="playerLeftGame"><player nick="'
        + written_name(message.nick)
        + b'"/><gameId id="'
        + written_name(message.game_id)
        + b'"/></message>'
    )


def _write_game_id(message: ThankYou | LeaveGame) -> bytes:
    return b'<message type="%b"><gameId id="%b"/></message>' % (message.TYPE.encode(), written_name(message.game_id))


def _write_bare(message: Logout | ServerShutdown) -> bytes:
    return b'<message type="%b"/>' % message.TYPE.encode()


def _write_champions_list(message: ChampionsList) -> bytes:
    rows = (
        b'<player nick="%b" won="%b" lost="%b"/>' % (written_name(row.nick), _count(row.won), _count(row.lost))
        for row in message.rows
    )
    return b'<message type="championsList">' + b"".join(rows) + b"</message>"


# --- the table ---------------------------------------------------------------------------------------------------


@value
class _Kind:
    """How one message class is read from its envelope, and how it is written."""

    message: type[Message]
    read: Callable[[Element], Message]
    # The argument is an instance of ``message``; the type system cannot express that for a table.
    write: Callable[[Any], bytes]


_KINDS: Final = (
    _Kind(Error, lambda message: Error(message.text), _write_error),
    _Kind(PlayerLogin, _read_player_login, _write_player_login),
    _Kind(GameMasterLogin, _read_game_master_login, _write_game_master_login),
    _Kind(LoginResponse, _read_login_response, _write_login_response),
    _Kind(
        BeginGame,
        _read_begin_game,
        _write_begin_game,
    ),
    _Kind(GameState, _read_game_state, _write_game_state),
    _Kind(Move, lambda message: Move(_game_id(message), message["move"].raw), _write_move),
    _Kind(ThankYou, lambda message: ThankYou(_game_id(message)), _write_game_id),
    _Kind(LeaveGame, lambda message: LeaveGame(_game_id(message)), _write_game_id),
    _Kind(
        PlayerLeftGame,
        lambda message: PlayerLeftGame(message["player"].attributes["nick"], _game_id(message)),
        _write_player_left_game,
    ),
    _Kind(Logout, lambda message: Logout(), _write_bare),
    _Kind(ServerShutdown, lambda message: ServerShutdown(), _write_bare),
    _Kind(ChampionsList, _read_champions_list, _write_champions_list),
)

_READERS: Final[Mapping[str, Callable[[Element], Message]]] = MappingProxyType(
    {kind.message.TYPE: kind.read for kind in _KINDS} | dict.fromkeys(EXTENSIONS, read_extension)
)
_WRITERS: Final[Mapping[type[Message], Callable[[Any], bytes]]] = MappingProxyType(
    {kind.message: kind.write for kind in _KINDS} | {form.cls: write_extension for form in EXTENSIONS.values()}
)
