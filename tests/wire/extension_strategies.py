"""What Hypothesis feeds the extensions: messages of every type, and their documents in an unusual form or changed."""

from collections.abc import Iterator
from copy import deepcopy
from dataclasses import fields, is_dataclass
from enum import Enum
from types import UnionType
from typing import Any, Final, get_args, get_origin, get_type_hints
from xml.dom import expatbuilder
from xml.dom.minidom import Element, Text
from xml.sax.saxutils import escape

from hypothesis import strategies as st

from tests.wire.extension_samples import EXTENSION_MESSAGES, LENIENT_EXTENSIONS, WRONG_EXTENSIONS
from tests.wire.strategies import STRINGS, TEXTS, Tree, all_elements, mutate, payloads, written
from ugs.wire import extensions as x
from ugs.wire.codec import encode
from ugs.wire.messages import Extension

_COUNTS: Final = st.integers(min_value=0, max_value=10**18 - 1)
_MILLIONTHS: Final = st.integers(min_value=0, max_value=10**12).map(lambda number: number / 10**6)
_SIMPLE: Final[dict[object, st.SearchStrategy[Any]]] = {
    str: TEXTS,
    bool: st.booleans(),
    bool | None: st.none() | st.booleans(),
    int: _COUNTS,
    int | None: st.none() | _COUNTS | _COUNTS.map(lambda number: -number),
    float: _MILLIONTHS,
    float | None: st.none() | _MILLIONTHS,
}
_PAYLOADS: Final[dict[str, str]] = {"payload": "move", "state": "gameState", "sketch": "sketch"}
"""Fields with payloads, and their elements."""


def _payload(owner: type, name: str) -> st.SearchStrategy[bytes]:
    """The payloads of a field; it may be empty where that is its default."""
    there = payloads("gameState" if owner in (x.View, x.PastState) else _PAYLOADS[name])
    (default,) = [field.default for field in fields(owner) if field.name == name]
    return st.just(b"") | there if default == b"" else there


def _values(hint: Any, owner: type, name: str) -> st.SearchStrategy[Any]:
    """The values of a field of ``owner`` with that name and type."""
    if hint in _SIMPLE:
        return _SIMPLE[hint]
    if hint is bytes:
        return _payload(owner, name)
    if get_origin(hint) is tuple:
        return st.lists(_values(get_args(hint)[0], owner, name), max_size=3).map(tuple)
    if isinstance(hint, UnionType):
        return st.one_of([_values(one, owner, name) for one in get_args(hint)])
    if isinstance(hint, type) and issubclass(hint, Enum):
        return st.sampled_from(list(hint))
    assert is_dataclass(hint), hint
    return _instances(hint)


def _instances(cls: Any) -> st.SearchStrategy[Any]:
    hints = get_type_hints(cls)
    return st.builds(cls, **{field.name: _values(hints[field.name], cls, field.name) for field in fields(cls)})


def _right(message: Extension) -> bool:
    return not isinstance(message, x.Views) or bool(message.next_players) != bool(message.game_over)


EXTENSION: Final[st.SearchStrategy[Extension]] = st.sampled_from(sorted(x.EXTENSIONS)).flatmap(
    lambda kind: _instances(x.EXTENSIONS[kind].cls).filter(_right)
)
"""Every message of every extension, with everything that the wire can say."""

_SAMPLES: Final = [raw for raw, _ in (EXTENSION_MESSAGES | LENIENT_EXTENSIONS | WRONG_EXTENSIONS).values()]
_OF_GAMES: Final = frozenset({"gameState", "move", "sketch"})
_OF_PEOPLE: Final = frozenset({"text", "comment", "reason", "cause", "account", "said", "setup", "plan", "line"})
"""Elements whose text is a part of the message."""


def _tree(element: Element) -> Tree:
    """Return a document in a form that can be changed; payloads stay markup."""
    content: list[Tree | str] = []
    for child in element.childNodes:
        if isinstance(child, Element):
            content.append(child.toxml() if child.tagName in _OF_GAMES else _tree(child))
        elif isinstance(child, Text):
            content.append(escape(child.data, {"\r": "&#13;"}))
    return Tree(element.tagName, dict(element.attributes.items()), content)


def _root(raw: bytes) -> Element:
    root = expatbuilder.parseString(raw, namespaces=False).documentElement
    assert root is not None
    return root


def _parsed(raw: bytes) -> Tree:
    return _tree(_root(raw))


_STRANGERS: Final[tuple[Tree | str, ...]] = (
    Tree("x"),
    Tree("x-y", {"nick": "z", "xml:lang": "en"}, ["text"]),
    Tree("q:gameId", {"id": "z", "xmlns:q": "urn:q"}),
    Tree("z", {"xmlns": "urn:z"}, [Tree("message", {"type": "logout"}), "&lt;<![CDATA[</z>]]>"]),
    Tree("z", {}, [Tree("gameState"), Tree("view", {"nick": "z"}, [Tree("gameState")])]),
    Tree("moved-on", {}, [Tree("move")]),
)
_UNREAD: Final = ("<!-- </message> -->", "<?move </message>?>")
_LOOSE: Final = ("text", "\N{NO-BREAK SPACE}", "&#60;", "<![CDATA[<x>]]>", "\n\t")
_KEYS: Final = ("x", "xmlns", "xml:lang", "xsi:type", "p:nick", "refs")


@st.composite
def strange(draw: st.DrawFn) -> tuple[bytes, bytes]:
    """A correct document, and the same one with additions that mean nothing."""
    raw = encode(draw(EXTENSION))
    plain, root = _parsed(raw), _parsed(raw)
    root.attributes |= {"xmlns:p": "urn:p", "xmlns:xsi": "urn:xsi"}
    for _ in range(draw(st.integers(1, 4))):
        tree = draw(st.sampled_from(all_elements(root)))
        if draw(st.booleans()):
            tree.attributes.setdefault(draw(st.sampled_from(_KEYS)), draw(st.sampled_from(STRINGS)))
        else:
            additions = [*_STRANGERS, *_UNREAD, *(() if tree.name in _OF_PEOPLE else _LOOSE)]
            addition = deepcopy(draw(st.sampled_from(additions)))
            tree.content.insert(draw(st.integers(0, len(tree.content))), addition)
    return written(draw, plain, gaps=False).encode(), written(draw, root, gaps=False).encode()


@st.composite
def changed(draw: st.DrawFn) -> bytes:
    """A well-formed document: a correct message of an extension with a few changes, or a sample."""
    raw = draw(st.sampled_from(_SAMPLES) | EXTENSION.map(encode))
    root = _parsed(raw)
    names = sorted({tree.name for tree in all_elements(root)})
    keys = sorted({key for tree in all_elements(root) for key in tree.attributes})
    for _ in range(draw(st.integers(0, 3))):
        mutate(draw, root, names, keys)
    return written(draw, root).encode()


_OTHER_VALUES: Final = ("", "x", "-1", "0.5", "9" * 19)


def single_changes(raw: bytes) -> Iterator[bytes]:
    """Yield every document that results from removing one attribute or element, from another value of an attribute, or
    from repeating an element."""
    root = _root(raw)
    for element in [root, *root.getElementsByTagName("*")]:
        for key, value in list(element.attributes.items()):
            element.removeAttribute(key)
            yield root.toxml().encode()
            for other in _OTHER_VALUES:
                element.setAttribute(key, other)
                yield root.toxml().encode()
            element.setAttribute(key, value)
        parent = element.parentNode
        if isinstance(parent, Element):
            twin = element.cloneNode(True)
            assert twin is not None
            parent.insertBefore(twin, element)
            yield root.toxml().encode()
            parent.removeChild(twin)
            parent.replaceChild(empty := Text(), element)
            yield root.toxml().encode()
            parent.replaceChild(element, empty)
