"""The wire once more, in the simplest correct way: slow, short, and sharing no code with what it checks."""

import re
from typing import Final, TypeAlias
from xml.dom import expatbuilder
from xml.dom.minidom import Element, Text
from xml.parsers.expat import ExpatError, ParserCreate


def documents(stream: bytes) -> tuple[list[bytes], bytes]:
    """Cut a stream: return the leading documents, each the shortest piece that is one, and the bytes after them."""
    cut: list[bytes] = []
    stream = stream.lstrip(b" \t\r\n")
    while (end := _first_end(stream)) is not None:
        cut.append(stream[:end])
        stream = stream[end:].lstrip(b" \t\r\n")
    return cut, stream


def _first_end(stream: bytes) -> int | None:
    for match in re.finditer(b">", stream):
        if _is_document(stream[: match.end()]):
            return match.end()
    return None


def _is_document(raw: bytes) -> bool:
    roots: list[str] = []
    refused: list[str] = []
    parser = ParserCreate("UTF-8")

    def starts(name: str, _attributes: dict[str, str]) -> None:
        roots.append(name)

    def declared(version: str, encoding: str | None, _standalone: int) -> None:
        if version != "1.0" or (encoding or "utf-8").lower() not in ("utf-8", "us-ascii"):
            refused.append(version)

    def doctype(name: str, _system: str | None, _public: str | None, _internal: bool) -> None:
        refused.append(name)

    parser.StartElementHandler = starts
    parser.XmlDeclHandler = declared
    parser.StartDoctypeDeclHandler = doctype
    try:
        parser.Parse(raw, True)
    except ExpatError:
        return False
    if roots[0] != "message" or refused or raw.startswith(b"\xef\xbb\xbf"):
        return False
    return names_are_right(raw) and widest_space(raw) <= 1024


def widest_space(raw: bytes) -> int:
    """The most bytes of white space in a row in the tags of a well-formed document, values left aside."""
    elements = re.sub(rb"(?s)<!--.*?-->|<!\[CDATA\[.*?\]\]>|<\?.*?\?>", b"", raw)
    tags = re.findall(rb"<[^<>\"']*(?:(?:\"[^\"]*\"|'[^']*')[^<>\"']*)*>", elements)
    bare = b"".join(re.sub(rb"\"[^\"]*\"|'[^']*'", b"''", tag) for tag in tags)
    return max(map(len, re.split(rb"[^ \t\r\n]", bare)))


_XML: Final = "http://www.w3.org/XML/1998/namespace"
_XMLNS: Final = "http://www.w3.org/2000/xmlns/"
_LOCAL: Final = re.compile(r"[^\W\d]|_")
"""The first character of a local name; the parser has checked the others."""


def names_are_right(raw: bytes) -> bool:
    """Return whether a well-formed document is well-formed in the sense of *Namespaces in XML* too, and all names of
    namespaces with prefixes are short enough."""
    scopes: list[dict[str, str]] = [{"": "", "xml": _XML}]
    wrong: list[str] = []
    parser = ParserCreate("UTF-8")

    def starts(name: str, attributes: dict[str, str]) -> None:
        declared = {key.partition(":")[2]: uri for key, uri in attributes.items() if re.fullmatch("xmlns(:.*)?", key)}
        for prefix, uri in declared.items():
            if (prefix == "xml") != (uri == _XML) or prefix == "xmlns" or uri == _XMLNS or (prefix and not uri):
                wrong.append(prefix)
            if prefix and (len(uri.encode()) > 128 or not _LOCAL.match(prefix)):
                wrong.append(prefix)
        scope = {**scopes[-1], **declared}
        scopes.append(scope)
        keys = [key for key in attributes if not re.fullmatch("xmlns(:.*)?", key)]
        for key in (name, *keys):
            prefix, colon, local = key.rpartition(":")
            if prefix not in scope or (colon and not prefix) or not _LOCAL.match(local):
                wrong.append(key)
        expanded = [
            (scope.get(prefix), local) for prefix, colon, local in (key.rpartition(":") for key in keys) if colon
        ]
        if len(expanded) > len(set(expanded)):
            wrong.append(name)

    def ends(_name: str) -> None:
        scopes.pop()

    def instructs(target: str, _data: str) -> None:
        if ":" in target:
            wrong.append(target)

    parser.StartElementHandler = starts
    parser.EndElementHandler = ends
    parser.ProcessingInstructionHandler = instructs
    parser.Parse(raw, True)
    return not wrong


def extent(raw: bytes) -> tuple[int, int]:
    """Return the depth of a well-formed document, and the most attributes that one of its elements has."""
    depths: list[int] = [0]
    widths: list[int] = [0]
    parser = ParserCreate("UTF-8")

    def starts(_name: str, attributes: dict[str, str]) -> None:
        depths.append(depths[-1] + 1)
        widths.append(len(attributes))

    def ends(_name: str) -> None:
        depths.append(depths[-1] - 1)

    parser.StartElementHandler = starts
    parser.EndElementHandler = ends
    parser.Parse(raw, True)
    return max(depths), max(widths)


# A message as the sorted list of its children, each as its name, its sorted attributes and its own children.
_LOGIN: Final = r"playerLogin\((gameType,)?(nick,)?\)"
_GRAMMAR: Final = {
    "error": r"",
    "playerLogin": _LOGIN,
    "gameMasterLogin": r"gameMasterLogin\((gameType,)?(id,)?(playersMax,)?(playersMin,)?\)",
    "loginResponse": r"response\(accept=yes,\)|error\(id,\)response\(accept=no,\)",
    "beginGame": r"gameId\(id,\)(option\(name,value,\))*(player\(nick,\))+(seats\(total,\))?(seed\(value,\))?",
    "gameState": r"gameId\(id,\)(gameOver\((player\(nick,result,\))+\)gameState\*|gameState\*nextPlayer\(nick,\))",
    "move": r"gameId\(id,\)move\*",
    "thank you": r"gameId\(id,\)",
    "leaveGame": r"gameId\(id,\)",
    "playerLeftGame": r"gameId\(id,\)player\(nick,\)",
    "logout": r"",
    "serverShutdown": r"",
    "championsList": r"(player\(lost,nick,won,\))*",
}
_VALUES: Final = {
    ("response", "accept"): r"yes|no",
    ("error", "id"): r"[1-5]",
    ("player", "result"): r"winner|loser",
    ("player", "won"): r"[0-9]{1,18}",
    ("player", "lost"): r"[0-9]{1,18}",
    ("seats", "total"): r"[0-9]{1,18}",
}

Facts: TypeAlias = tuple[str, str, tuple[tuple[str, tuple[tuple[str, str], ...]], ...], str]


def facts(raw: bytes) -> Facts | None:
    """Return the content of a document: type, text, elements with attributes grouped by name, payload; None if it is no
    message."""
    root = expatbuilder.parseString(raw, namespaces=False).documentElement
    assert root is not None
    kind = root.getAttribute("type")
    if set(root.attributes.keys()) != {"type"} or kind not in _GRAMMAR:
        return None
    found: list[tuple[str, tuple[tuple[str, str], ...]]] = []
    payloads: list[str] = []
    children, text = _content(root)
    shape = "".join(sorted(_shape(child, kind, found, payloads) for child in children))
    if "!" in shape or not re.fullmatch(_GRAMMAR[kind], shape):
        return None
    if kind != "error" and text.strip(" \t\r\n"):
        return None
    # These mean the same as if they were missing.
    found = [element for element in found if element not in (("seats", (("total", "0"),)), ("seed", (("value", ""),)))]
    found.sort(key=lambda element: element[0])
    return kind, text if kind == "error" else "", tuple(found), "".join(payloads)


def _content(element: Element) -> tuple[list[Element], str]:
    """Return the child elements, and all text between them; comments and processing instructions do not count."""
    children = [child for child in element.childNodes if isinstance(child, Element)]
    text = "".join(child.data for child in element.childNodes if isinstance(child, Text))
    return children, text


def _shape(
    element: Element, kind: str, found: list[tuple[str, tuple[tuple[str, str], ...]]], payloads: list[str]
) -> str:
    name = element.tagName
    if name == kind in ("move", "gameState"):
        payloads.append(element.toxml())
        return f"{name}*"
    attributes = sorted(element.attributes.items())
    # Leading zeros of a number mean nothing.
    found.append((name, tuple((key, re.sub("^0+(?=[0-9])", "", value)) for key, value in attributes)))
    if not all(re.fullmatch(_VALUES.get((name, key), r"(?s:.*)"), value) for key, value in attributes):
        return "!"
    children, text = _content(element)
    if text.strip(" \t\r\n"):
        return "!"
    inside = "".join(_shape(child, "", found, payloads) for child in children)
    keys = "".join(f"{key}={value}," if key == "accept" else f"{key}," for key, value in attributes)
    return f"{name}({keys}{inside})"
