"""What Hypothesis feeds the wire: messages, streams of bytes, and right and wrong documents."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final
from xml.sax.saxutils import escape

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from tests.profile import sized
from tests.wire.samples import AWKWARD, DECLARATION, LENIENT, MESSAGES, WRONG
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

# The same examples in every run, and no deadline: a busy machine changes nothing.
STEADY: Final = settings(
    derandomize=True,
    deadline=None,
    max_examples=sized(quick=80, deep=1000),
    suppress_health_check=[HealthCheck.too_slow],
)

_CHARACTERS: Final = st.characters(exclude_characters="\ufffe\uffff", exclude_categories=["Cs", "Cc"])
TEXTS: Final = st.text(_CHARACTERS | st.sampled_from("<>&\"'\t\n\r]-? "), max_size=12)
"""Text that XML can hold, with many characters that need escaping."""

_INSIDE: Final = (
    "",
    " ",
    "x",
    "<a/>",
    "<a b='c'>d</a>",
    "<move/>",
    "<move></move>",
    "<movement/>",
    "<gameState><gameState/></gameState>",
    "<message/>",
    "<message type='logout'>y</message>",
    "<nextPlayer nick='z'/>",
    "<player nick='z' result='winner'/>",
    "<!-- </move> </message> -->",
    "<![CDATA[</gameState></message>]]>",
    "<?a </move>?>",
    "/>",
    "&lt;",
    "<p:q xmlns:p='u' xmlns:r='v' r:s='/>'/>",
    "ż",
)


@st.composite
def payloads(draw: st.DrawFn, name: str) -> bytes:
    """A well-formed element called ``name``."""
    attributes = draw(st.sampled_from(["", " ", " a='b'", ' xmlns="urn:g"', " xmlns:p='u' p:a='/>' b='\"'", "\n"]))
    inside = draw(st.lists(st.sampled_from(_INSIDE), max_size=4))
    if not inside and draw(st.booleans()):
        return f"<{name}{attributes}/>".encode()
    return f"<{name}{attributes}>{''.join(inside)}</{name}{draw(st.sampled_from(['', ' ']))}>".encode()


_COUNTS: Final = st.integers(min_value=0, max_value=10**18 - 1)
_PLAYER_RESULTS: Final = st.lists(st.builds(PlayerResult, TEXTS, st.sampled_from(Result)), min_size=1, max_size=3).map(
    tuple
)

MESSAGE: Final[st.SearchStrategy[Message]] = st.one_of(
    st.builds(Error, TEXTS),
    st.builds(PlayerLogin, st.none() | TEXTS, st.none() | TEXTS),
    st.builds(GameMasterLogin, st.none() | TEXTS, st.none() | TEXTS, st.none() | TEXTS, st.none() | TEXTS),
    st.builds(LoginResponse, st.none() | st.sampled_from(LoginError)),
    st.builds(
        BeginGame,
        TEXTS,
        st.lists(TEXTS, min_size=1, max_size=4).map(tuple),
        st.lists(st.builds(Choice, TEXTS, TEXTS), max_size=2).map(tuple),
        st.just(0) | _COUNTS,
        TEXTS,
    ),
    st.builds(GameState, TEXTS, TEXTS, st.none(), payloads("gameState")),
    st.builds(GameState, TEXTS, st.none(), _PLAYER_RESULTS, payloads("gameState")),
    st.builds(Move, TEXTS, payloads("move")),
    st.builds(ThankYou, TEXTS),
    st.builds(LeaveGame, TEXTS),
    st.builds(PlayerLeftGame, TEXTS, TEXTS),
    st.just(Logout()),
    st.just(ServerShutdown()),
    st.builds(ChampionsList, st.lists(st.builds(ChampionRow, TEXTS, _COUNTS, _COUNTS), max_size=4).map(tuple)),
)


@dataclass(slots=True)
class Tree:
    """An element that is still to be written; its text is markup already."""

    name: str
    attributes: dict[str, str] = field(default_factory=dict)
    content: list["Tree | str"] = field(default_factory=list)


def _leaf(name: str, **attributes: str) -> Tree:
    return Tree(name, attributes)


def _right_tree(draw: st.DrawFn) -> Tree:
    """A correct message."""
    value = st.sampled_from(["g", "ann", "", "a b", "<&\"'", "ż\n"])
    count = st.sampled_from(["0", "7", "007", "9" * 18])
    game = _leaf("gameId", id=draw(value))
    player = _leaf("player", nick=draw(value))
    kind = draw(st.sampled_from(_KINDS))
    content: list[Tree | str]
    match kind:
        case "error":
            content = [escape(draw(value))]
        case "playerLogin":
            content = [_leaf("playerLogin", nick=draw(value), gameType="t")]
        case "gameMasterLogin":
            content = [_leaf("gameMasterLogin", id=draw(value), gameType="t", playersMin="2", playersMax="x")]
        case "loginResponse" if draw(st.booleans()):
            content = [_leaf("response", accept="yes")]
        case "loginResponse":
            content = [_leaf("response", accept="no"), _leaf("error", id=draw(st.sampled_from("12345")))]
        case "beginGame":
            more = [
                Tree("option", {"name": draw(value), "value": ""}),
                _leaf("seats", total=draw(count)),
                _leaf("seed", value=draw(value)),
            ]
            content = [game, player, player, *more[draw(st.integers(0, 3)) :]]
        case "gameState" if draw(st.booleans()):
            content = [game, _leaf("nextPlayer", nick=draw(value)), draw(payloads("gameState")).decode()]
        case "gameState":
            over = Tree("gameOver", {}, [_leaf("player", nick="a", result=r) for r in ("winner", "loser")])
            content = [game, over, draw(payloads("gameState")).decode()]
        case "move":
            content = [game, draw(payloads("move")).decode()]
        case "thank you" | "leaveGame":
            content = [game]
        case "playerLeftGame":
            content = [player, game]
        case "championsList":
            content = [_leaf("player", nick=draw(value), won=draw(count), lost=draw(count)) for _ in "ab"]
        case _:
            content = []
    return Tree("message", {"type": kind}, content)


_KINDS: Final = (
    "error",
    "playerLogin",
    "gameMasterLogin",
    "loginResponse",
    "beginGame",
    "gameState",
    "gameState",
    "gameState",
    "move",
    "move",
    "thank you",
    "leaveGame",
    "playerLeftGame",
    "logout",
    "serverShutdown",
    "championsList",
)
_NAMES: Final = (
    "gameId",
    "player",
    "nextPlayer",
    "gameOver",
    "gameState",
    "move",
    "response",
    "error",
    "playerLogin",
    "gameMasterLogin",
    "option",
    "seats",
    "seed",
    "message",
    "x",
    "p:gameId",
)
_KEYS: Final = (
    "id",
    "nick",
    "type",
    "result",
    "accept",
    "won",
    "lost",
    "gameType",
    "playersMin",
    "name",
    "value",
    "total",
    "x",
    "xmlns",
    "xmlns:p",
    "xml:lang",
    "xsi:type",
)
STRINGS: Final = (
    "g",
    "",
    "yes",
    "no",
    "winner",
    "loser",
    "draw",
    "0",
    "1",
    "5",
    "6",
    "-1",
    " 1",
    "١",
    "move",
    "logout",
)
_MARKUP: Final = (
    " ",
    "\n\t",
    "<!-- a -->",
    "<?a b?>",
    "text",
    "\N{NO-BREAK SPACE}",
    "&#160;",
    "&#32;",
    "<![CDATA[ ]]>",
    "<![CDATA[a]]>",
    "<x/>",
    "<move/>",
    "<gameState></gameState>",
)


def all_elements(tree: Tree) -> list[Tree]:
    """Return an element and all elements in it, in document order."""
    return [tree, *(inner for child in tree.content if isinstance(child, Tree) for inner in all_elements(child))]


def mutate(draw: st.DrawFn, root: Tree, names: Sequence[str] = (), keys: Sequence[str] = ()) -> None:
    """Change one thing, which mostly makes a right message wrong. With ``names`` and ``keys``, a changed element or
    attribute mostly gets one of those names."""
    any_name = st.sampled_from(names or _NAMES) | st.sampled_from(_NAMES)
    any_key = st.sampled_from(keys or _KEYS) | st.sampled_from(_KEYS)
    tree = draw(st.sampled_from(all_elements(root)))
    places = st.integers(0, max(len(tree.content) - 1, 0))
    match draw(
        st.sampled_from(["drop", "repeat", "swap", "rename", "add", "insert", "insert", "key", "unkey", "value"])
    ):
        case "drop" if tree.content:
            del tree.content[draw(places)]
        case "repeat" if tree.content:
            tree.content.insert(draw(places), tree.content[draw(places)])
        case "swap" if tree.content:
            tree.content.append(tree.content.pop(draw(places)))
        case "rename" if tree is not root:
            tree.name = draw(any_name)
        case "add":
            attributes = {key: draw(st.sampled_from(STRINGS)) for key in draw(st.lists(any_key, max_size=2))}
            new = Tree(draw(any_name), attributes)
            tree.content.insert(draw(places), new)
        case "insert":
            tree.content.insert(draw(places), draw(st.sampled_from(_MARKUP)))
        case "key":
            tree.attributes[draw(any_key)] = draw(st.sampled_from(STRINGS))
        case "unkey" if tree.attributes:
            del tree.attributes[draw(st.sampled_from(sorted(tree.attributes)))]
        case "value" if tree.attributes:
            tree.attributes[draw(st.sampled_from(sorted(tree.attributes)))] = draw(st.sampled_from(STRINGS))
        case _:
            tree.content.append(draw(st.sampled_from(_MARKUP)))


def written(draw: st.DrawFn, tree: Tree, *, gaps: bool = True) -> str:
    """Write an element in one of many ways; with ``gaps``, there may be white space between its children."""
    attributes = "".join(
        f"{draw(_SPACES)}{key}={draw(_QUOTED)(value)}"
        for key, value in draw(st.permutations(list(tree.attributes.items())))
    )
    inside = "".join(
        (child if isinstance(child, str) else written(draw, child, gaps=gaps)) + (draw(_GAPS) if gaps else "")
        for child in tree.content
    )
    if not inside and draw(st.booleans()):
        return f"<{tree.name}{attributes}/>"
    return f"<{tree.name}{attributes}>{inside}</{tree.name}>"


_SPACES: Final = st.sampled_from([" ", " ", " ", "\n", "\t "])
_GAPS: Final = st.sampled_from(["", "", "", "", "", "\n", " "])
_IN_QUOTES: Final = {"\n": "&#10;", "\t": "&#9;", "\r": "&#13;", '"': "&quot;", "'": "&#39;"}
_QUOTED: Final = st.sampled_from(
    [lambda value: f'"{escape(value, _IN_QUOTES)}"', lambda value: f"'{escape(value, _IN_QUOTES)}'"]
)


@st.composite
def dressed(draw: st.DrawFn, most_changes: int = 3) -> bytes:
    """A well-formed document: a correct message with a few changes, or one of the samples."""
    if draw(st.integers(0, 9)) == 0:
        return draw(st.sampled_from(_SAMPLES))
    root = _right_tree(draw)
    for _ in range(draw(st.integers(0, most_changes))):
        mutate(draw, root)
    declaration = DECLARATION.decode() if draw(st.integers(0, 3)) == 0 else ""
    return (declaration + written(draw, root)).encode()


_SAMPLES: Final = [
    *(raw for raw, _ in MESSAGES.values()),
    *(raw for raw, _ in LENIENT.values()),
    *(raw for raw, _ in WRONG.values()),
    *AWKWARD.values(),
]

_SHREDS: Final = st.sampled_from(
    [
        b"<message",
        b"<message>",
        b'<message type="move">',
        b'<message type="logout"/>',
        b"</message",
        b"</message>",
        b"<messages>",
        b">",
        b"/>",
        b"<",
        b"<!--",
        b"-->",
        b"--",
        b"<![CDATA[",
        b"]]>",
        b"<?p ",
        b"?>",
        b"<?xml version='1.0'?>",
        DECLARATION,
        b"<!DOCTYPE",
        b'"',
        b"'",
        b" a='",
        b"<a>",
        b"</a>",
        b"<a/>",
        b"x",
        b"&lt;",
        b"&",
        b" ",
        b"\n",
        b"\0",
        b"\xff",
        b"\xef\xbb\xbf",
        "ż".encode(),
    ]
)


@st.composite
def streams(draw: st.DrawFn) -> bytes:
    """The bytes of a peer: documents, damaged documents, fragments of XML, or any bytes."""
    pieces = draw(
        st.lists(
            st.one_of(
                st.sampled_from(_SAMPLES), st.sampled_from(_SAMPLES), dressed(), _SHREDS, _SHREDS, st.binary(max_size=5)
            ),
            max_size=6,
        )
    )
    stream = b"".join(pieces)
    if stream and draw(st.booleans()):
        place = draw(st.integers(0, len(stream) - 1))
        stream = stream[:place] + draw(_SHREDS) + stream[place + draw(st.integers(0, 2)) :]
    return stream


_PREFIXED: Final = ("a", "b", "p:a", "p:a", "q:a", "q:b", "xml:a", "xmlns:a", "p:q:a", ":a", "p:", "p:1")
_DECLARING: Final = ("xmlns", "xmlns:p", "xmlns:p", "xmlns:q", "xmlns:q", "xmlns:xml", "xmlns:xmlns", "xmlnsp")
_URIS: Final = (
    "u",
    "u",
    "ua",
    "",
    " ",
    "&#117;",
    "http://www.w3.org/XML/1998/namespace",
    "http://www.w3.org/2000/xmlns/",
    "x" * 128,
    "x" * 129,
)


@st.composite
def prefixed(draw: st.DrawFn) -> bytes:
    """A document that is well-formed but for its prefixes and namespaces, which may be wrong."""
    rare = st.integers(0, 19).map(lambda number: number == 0)

    def name() -> str:
        chosen: str = draw(st.sampled_from(_PREFIXED if draw(rare) else _PREFIXED[:6]))
        return chosen

    def element(depth: int) -> str:
        declared = draw(
            st.lists(st.sampled_from(_DECLARING if draw(rare) else _DECLARING[:5]), max_size=3, unique=True)
        )
        attributes = {key: draw(st.sampled_from(_URIS if draw(rare) else _URIS[:3])) for key in declared}
        attributes |= {name(): "" for _ in range(draw(st.integers(0, 2)))}
        inside = "".join(element(depth + 1) for _ in range(draw(st.integers(0, 2 if depth < 2 else 0))))
        if draw(rare):
            inside += draw(st.sampled_from(["<?p:a b?>", "<!-- p:a -->", "p:a='' xmlns:p=''", "<![CDATA[<p:a/>]]>"]))
        tag = name()
        return f"<{tag}{''.join(f' {key}={value!r}' for key, value in attributes.items())}>{inside}</{tag}>"

    return f"<message xmlns:p='u' type='move'>{element(0)}{element(0)}</message>".encode()


@st.composite
def pieces(draw: st.DrawFn, stream: bytes) -> list[bytes]:
    """The stream in pieces."""
    cuts = sorted(draw(st.sets(st.integers(0, len(stream)), max_size=5)))
    return [stream[start:end] for start, end in zip([0, *cuts], [*cuts, len(stream)], strict=True)]
