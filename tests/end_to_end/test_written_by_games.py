"""What a game has written is checked by the kits of masters as the server reads it: what the server refuses costs that
game alone, as the kit does not send it, and what the server takes is sent."""

import re
from collections.abc import Iterator, Mapping
from typing import Final
from xml.sax.saxutils import quoteattr

import pytest

from tests.commands.line import ugs
from tests.end_to_end.processes import Program
from tests.end_to_end.test_failing_masters import PLAYED, READ, SEEN, SKETCH, STATE, Bug, with_a_bug
from tests.end_to_end.test_go_master import Line, listening
from tests.kits import build, started
from ugs.commands.kits import MASTER, kits_of
from ugs.wire.codec import WrongMessage, decode
from ugs.wire.errors import WireError
from ugs.wire.wellformed import check_document

SAYS: Final[Mapping[str, tuple[Bug, ...]]] = {
    "javascript": (
        ("function play(", '  game.said = child(move, "say")?.attributes;'),
        ("  state() {", '    if (this.said?.state) return Buffer.from(this.said.state, "hex").toString();'),
        ("  sketch() {", '    if (this.said?.sketch) return Buffer.from(this.said.sketch, "hex").toString();'),
    ),
    "python": (
        ("    def __init__(self, nicks", "        self.said = {}"),
        (PLAYED, '        self.said = getattr(move.find("say"), "attrib", {})'),
        (READ, '        if "state" in self.said: return bytes.fromhex(self.said["state"]).decode()'),
        (SEEN, '        if "sketch" in self.said: return bytes.fromhex(self.said["sketch"]).decode()'),
    ),
    "go": (
        ("type connectFour struct", "\tstate, sketch string"),
        ("func (game *connectFour) Play(", '\tfmt.Sscanf(move.Child("say").Attribute("state"), "%x", &game.state)'),
        ("func (game *connectFour) Play(", '\tfmt.Sscanf(move.Child("say").Attribute("sketch"), "%x", &game.sketch)'),
        (STATE, '\tif game.state != "" {\n\t\treturn game.state\n\t}'),
        (SKETCH, '\tif game.sketch != "" {\n\t\treturn game.sketch\n\t}'),
    ),
}
"""By language: a state, or a sketch, is the one that the last move has said in its element ``<say>``, in hex digits."""

LET_IN: Final = (
    '<message type="x-hello"><ext name="sketch"/><ext name="reason"/></message>'
    '<message type="loginResponse"><response accept="yes"/></message>'
)


class Led:
    """A master, and the server's end of its line."""

    def __init__(self, master: Program, line: Line, language: str) -> None:
        self.master, self.line, self.language, self.games = master, line, language, 0

    def begins(self, *nicks: str) -> None:
        """Another game, of these players."""
        self.games += 1
        players = "".join(f"<player nick={quoteattr(nick)}/>" for nick in nicks or ("ann", "bob"))
        self.line.says(f'<message type="beginGame"><gameId id="g{self.games}"/>{players}</message>')
        self.line.hears("x-sketch", "gameState")

    def moves(self, column: int, **said: str) -> None:
        """A move in that game; after it the game says this."""
        words = " ".join(f'{where}="{text.encode().hex()}"' for where, text in said.items())
        move = f'<move><drop column="{column}"/><say {words}/></move>'
        self.line.says(f'<message type="move"><gameId id="g{self.games}"/>{move}</message>')

    def sends(self, state: str) -> bool:
        """Whether this is sent as a state."""
        self.begins()
        self.moves(0, state=state)
        piece = self.line.socket.recv(1 << 20)
        given_up = piece.startswith(b'<message type="x-failed"')
        assert given_up or state.strip().encode() in piece
        return not given_up


@pytest.fixture(scope="module", params=kits_of(MASTER))
def led(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Led]:
    """The kit as it comes, but what a game says may be set from outside."""
    kit, folder = kits_of(MASTER)[request.param], tmp_path_factory.mktemp("kit") / "kit"
    if missing := kit.missing():
        pytest.skip(f"not installed: {', '.join(missing)}")
    assert ugs("new", "master", "--language", request.param, folder).exit_code == 0
    for line in SAYS[request.param]:
        with_a_bug(folder / kit.idea, *line)
    build(kit, folder)
    with listening() as (port, comes), Program(*started(kit, folder), "127.0.0.1", port) as master:
        line_of_it = comes()
        line_of_it.says(LET_IN)
        yield Led(master, line_of_it, request.param)


WITHIN: Final = (
    *(f"&#{number};" for number in ("0", "1", "9", "32", "55296", "65534", "65536", "1114111", "1114112", "99999999")),
    *(f"&#x{number};" for number in ("1", "D800", "dfff", "FFFD", "FFFE", "1F600", "110000")),
    *("&lt;", "&nbsp;", "&", "]]>", "<![CDATA[]]]]>", "<![CDATA[&#xD800;]]>", "<!-- &#xD800; -->", "\1", "\ufffe"),
    *("<!-- \1 -->", "<?a \1?>", "<!-- -- -->", "<!--->", "<a/>", "<a", "<a></b>", "</a>", "<!DOCTYPE a>"),
    *("<?a?>", "<?a b?>", "<?a?b?>", "<?a<?>", "<?xml version='1.0'?>", "<?XML b?>", "<?a:b c?>", "<? a?>"),
    *("<a b='1' b='2'/>", "<a b='1'c='2'/>", "<a b='c=' c=\"b='\"/>", "<a b=\"' c=\" c='1'/>", "<a b='<'/>", "<a b/>"),
    *("<a b='&#xD800;'/>", "<a b='&#0;'/>", "<a b=']]>'/>", "<a xml:lang='en'/>", "<a xml:lang='' xml:lang=''/>"),
    *("<xml:a/>", "<b:a/>", "<a b:c=''/>", "<:a/>", "<a:/>", "<a :b=''/>", "<a b:=''/>", "<b:a xmlns:b='c'/>"),
    *(f"<a{sign}/>" for sign in "\xb7\xd7\xf7\xe9\u037e\u0394\u042f\u4e00\u2028\xa0"),
    *(f"<{sign}/>" for sign in "\xb7\xd7\xf7\xe9\u037e\u0394\u042f\u4e00\u2028\xa01-."),
)
STATES: Final = (
    *(f"<gameState>{text}</gameState>" for text in WITHIN),
    *(" ", "x", "<!-- a -->", "<gameState/>", "\n<gameState />\n", "\xa0<gameState/>\xa0", "<gamestate/>"),
    *("<gameState xmlns='a'/>", "<b:gameState xmlns:b='a'/>", "<gameStates/>", "<gameState/><gameState/>"),
    *("<!-- <gameState> -->\n<gameState/>", "<gameState/><!-- a -->\n", "<?a <gameState?><gameState/><?b?>"),
    *("<!-- a -->\xa0<gameState/>", "<gameState/>\xa0<!-- a -->", "<gameState/>x", "<!-- a --><b/><gameState/>"),
    *("<!-- a --><?b?>\n<!-- <c> --> <gameState/>", "<!-- <gameState --><b:gameState xmlns:b='a'/>"),
    *("<![CDATA[ ]]><gameState/>", "<gameState/></message>", "<gameState/></gameState>", "<gameState>"),
)
OUTSIDE: Final = "<![CDATA[ ]]><gameState/>"
PREFIXES: Final = {"<gameState><xml:a/></gameState>", "<gameState><b:a xmlns:b='c'/></gameState>"}
STRICTER: Final[Mapping[str, set[str]]] = {
    "javascript": {OUTSIDE, *PREFIXES},
    "python": {OUTSIDE},
    "go": {OUTSIDE, *PREFIXES, "<gameState><a b=']]>'/></gameState>"},
}
"""By language: what the server would take, but the kit does not send."""


def takes(state: str) -> bool:
    """Whether the server takes this as a state."""
    about = '<gameId id="g"/><nextPlayer nick="ann"/>'
    raw = f'<message type="gameState">{about}{state.strip()}</message>'.encode()
    try:
        check_document(raw)
        decode(raw)
    except (WireError, WrongMessage):
        return False
    return True


def test_what_a_game_has_written_is_sent_where_the_server_takes_it(led: Led) -> None:
    expected = {state: takes(state) and state not in STRICTER[led.language] for state in STATES}
    assert {state: led.sends(state) for state in STATES} == expected


def test_in_javascript_the_letters_of_names_are_some_of_those_of_the_server() -> None:
    kit = kits_of(MASTER)["javascript"]
    letters = re.search(r"LETTER = String.raw`(.+)`;", (kit.folder / kit.idea).read_text(encoding="utf-8"))
    assert letters is not None
    found = re.findall(f"[{letters[1]}]", "".join(map(chr, range(0xD800))))
    assert len(found) > 20_000
    check_document(f"<a>{''.join(f'<{letter}/>' for letter in found)}</a>".encode())


@pytest.mark.parametrize("sign", ["'", '"', "'\""])
@pytest.mark.parametrize("word", ["nick", "code", "colour"])
def test_nicks_that_look_like_attributes_void_no_game(led: Led, sign: str, word: str) -> None:
    led.begins(f"x{sign} {word}=", f"y{sign} {word}={sign}")
    led.moves(0)
    led.line.hears("x-sketch", "gameState")
    led.moves(99)
    *_, over = led.line.hears("x-sketch", "x-reason", "gameState")
    results = {one.get("nick"): one.get("result") for one in over.iter("player")}
    assert results == {f"x{sign} {word}=": "winner", f"y{sign} {word}={sign}": "loser"}


@pytest.mark.parametrize("where", ["state", "sketch"])
def test_a_fault_in_what_is_said_last_costs_that_game_alone(led: Led, where: str) -> None:
    led.begins()
    led.moves(99, **{where: "<sketch><gameState>"})
    (failed,) = led.line.hears("x-failed")
    assert failed.find(f"gameId[@id='g{led.games}']") is not None
    led.master.waits_for(f"g{led.games}: given up after move")
    led.moves(0)  # forgotten
    led.begins()


def test_an_element_of_many_attributes_is_sent(led: Led) -> None:
    many = " ".join(f"a{number}='b'" for number in range(1_000))
    assert led.sends(f"<gameState {many}/>")
