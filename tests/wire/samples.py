"""Documents by name: one of every type, awkward but right ones, hostile ones and wrong ones."""

from typing import Final

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

DECLARATION: Final = b'<?xml version="1.0" encoding="UTF-8"?>'

# Every message as the server writes it, with its meaning.
MESSAGES: Final[dict[str, tuple[bytes, Message]]] = {
    "error": (b'<message type="error">no such game</message>', Error("no such game")),
    "player login": (
        b'<message type="playerLogin"><playerLogin nick="ann" gameType="chess"/></message>',
        PlayerLogin("ann", "chess"),
    ),
    "player login without anything": (
        b'<message type="playerLogin"><playerLogin/></message>',
        PlayerLogin(None, None),
    ),
    "master login": (
        b'<message type="gameMasterLogin">'
        b'<gameMasterLogin id="m" gameType="chess" playersMin="2" playersMax="4"/></message>',
        GameMasterLogin("m", "chess", "2", "4"),
    ),
    "master login with odd numbers": (
        b'<message type="gameMasterLogin"><gameMasterLogin id="m" playersMin="two" playersMax=""/></message>',
        GameMasterLogin("m", None, "two", ""),
    ),
    "accepted": (b'<message type="loginResponse"><response accept="yes"/></message>', LoginResponse()),
    "refused": (
        b'<message type="loginResponse"><response accept="no"/><error id="4"/></message>',
        LoginResponse(LoginError.MASTER_ALREADY_REGISTERED),
    ),
    "begin game": (
        b'<message type="beginGame"><gameId id="g"/><player nick="ann"/><player nick="bob"/></message>',
        BeginGame("g", ("ann", "bob")),
    ),
    "begin game with all that may be said": (
        b'<message type="beginGame"><gameId id="g"/><player nick="ann"/><option name="mode" value="LONG"/>'
        b'<option name="rules" value=""/><seats total="3"/><seed value="s"/>'
        b"<setup>players = 3\n&lt;&amp;</setup></message>",
        BeginGame("g", ("ann",), (Choice("mode", "LONG"), Choice("rules", "")), 3, "s", "players = 3\n<&"),
    ),
    "turn": (
        b'<message type="gameState"><gameId id="g"/><nextPlayer nick="ann"/>'
        b'<gameState><tac x="3"/></gameState></message>',
        GameState("g", "ann", None, b'<gameState><tac x="3"/></gameState>'),
    ),
    "first turn": (
        b'<message type="gameState"><gameId id="g"/><nextPlayer nick="ann"/><gameState/></message>',
        GameState("g", "ann", None),
    ),
    "end": (
        b'<message type="gameState"><gameId id="g"/><gameOver><player nick="ann" result="winner"/>'
        b'<player nick="bob" result="loser"/></gameOver><gameState/></message>',
        GameState("g", None, (PlayerResult("ann", Result.WINNER), PlayerResult("bob", Result.LOSER))),
    ),
    "move": (
        b'<message type="move"><gameId id="g"/><move><tic x="3" y="4"/></move></message>',
        Move("g", b'<move><tic x="3" y="4"/></move>'),
    ),
    "thanks": (b'<message type="thank you"><gameId id="g"/></message>', ThankYou("g")),
    "leaving": (b'<message type="leaveGame"><gameId id="g"/></message>', LeaveGame("g")),
    "player left": (
        b'<message type="playerLeftGame"><player nick="ann"/><gameId id="g"/></message>',
        PlayerLeftGame("ann", "g"),
    ),
    "logout": (b'<message type="logout"/>', Logout()),
    "shutdown": (b'<message type="serverShutdown"/>', ServerShutdown()),
    "table": (
        b'<message type="championsList"><player nick="ann" won="2" lost="0"/>'
        b'<player nick="bob" won="0" lost="2"/></message>',
        ChampionsList((ChampionRow("ann", 2, 0), ChampionRow("bob", 0, 2))),
    ),
    "empty table": (b'<message type="championsList"></message>', ChampionsList(())),
}


def move(inside: bytes) -> bytes:
    """Return a move with these bytes as the content of its payload."""
    return b'<message type="move"><gameId id="g"/><move>' + inside + b"</move></message>"


# Whole documents whose end is easily mistaken. The framer need not know what they mean, or whether they mean anything.
AWKWARD: Final[dict[str, bytes]] = {
    "end tag in a comment": move(b"<!-- </message> -->"),
    "end tag in CDATA": move(b"<![CDATA[</message>]]>"),
    "end tag in CDATA, whole document": move(b'<![CDATA[<message type="logout"/></message>]]>'),
    "end tag in an instruction": move(b"<?note </message> ?>"),
    "end tag in a comment of the prolog": b'<!-- </message> --><message type="logout"/>',
    "end tag in an instruction of the prolog": b'<?note </message>?><message type="logout"/>',
    "escaped end tag in an attribute": move(b'<a b="&lt;/message>"/>'),
    "nested message": move(b'<message type="x">hello</message>'),
    "nested messages, one empty": move(b"<message/><message ><message a='>'/></message >"),
    "nested message that only looks empty": move(b'<message a="/>">x</message>'),
    "element whose name begins like the root": move(b"<messages><message-x/></messages>"),
    "comment with many ends": move(b"<!-- </message> </message> <message> > - -->"),
    "blank in the end tag": b'<message type="logout"></message \n>',
    "blank in the end tag behind a nested message": b"<message><message></message></message \r\n>",
    "greater-than in the type": b'<message type="a>b"><x/></message>',
    "empty tag in the type": b'<message type="a/>"></message>',
    "empty root with greater-than in the type": b'<message type="/>"/>',
    "single quotes": b"<message type='lo\"gout'/>",
    "slash before the end of the root tag": b'<message type="logout" />',
    "no attribute": b"<message><x/></message>",
    "no content": b"<message/>",
    "line breaks everywhere": b'<message\n\ttype\r\n=\n"logout"\n>\n</message\n>',
    "usual declaration": DECLARATION + b'<message type="move"><x/></message>',
    "declaration and line break": DECLARATION + b'\r\n<message type="logout"/>',
    "declaration in other dress": b"<?xml\tversion = '1.0'\nencoding='utf-8' standalone='yes' ?><message/>",
    "declaration without encoding": b'<?xml version="1.0"?><message/>',
    "declaration of plain ASCII": b'<?xml version="1.0" encoding="us-ascii"?><message type="logout"/>',
    "instruction that begins like a declaration": b'<?xml-stylesheet href="a.css"?><message type="logout"/>',
    "instruction after the declaration": DECLARATION + b"<?a?><!----> <message/>",
    "every quote in content": move(b'it\'s "quoted" <a b=\'"\' c="\'"/>'),
    "brackets in content": move(b"]] > ]]&gt; <![CDATA[]]]]><![CDATA[>]]>"),
    "prefixes": move(b"<a:b xmlns:a='u' xmlns:c='v' c:d='e' xml:lang='en'><a:f d='' a:d='' c:d=''/></a:b>"),
    "prefix that is declared behind its use": move(b"<a:b a:c='d' xmlns:a='u'/>"),
    "prefix with another meaning inside": move(b"<a:b xmlns:a='u'><a:b xmlns:a='v' xmlns=''/></a:b>"),
    "two names that look alike in pieces": move(b"<x xmlns:a='u' xmlns:b='uv' a:vw='' b:w=''/>"),
    "namespace with blanks": move(b"<x xmlns='a b' xmlns:p=' '/>"),
    "long name of a namespace": move(b"<x xmlns='%b' xmlns:p=\"%b\"/>" % (b"u" * 999, b"v" * 123 + b"&amp;")),
    "long value that looks like the declaration of a namespace": move(b"<x y=\"xmlns:p='%b'\"/>" % (b"u" * 200)),
    "long text that looks like the name of a namespace": move(
        b"xmlns='%b' <x xmlnsp='%b'/>" % (b"u" * 200, b"v" * 200)
    ),
    "white space between attributes": move(b"<x%ba%b=%b'b'%b></x%b>" % ((b" \t\r\n" * 256,) * 5)),
    "more white space in text and in a value": move(b"<x a='%b'> %b<y/></x>" % (b"\t" * 1025, b"\n" * 2000)),
    "beyond ASCII": move("żółw <ruch>♞</ruch> 𝄞".encode()),
    "character references": move(b"&#60;&#x2F;message&#62;"),
}

# Streams that can never become a message; the offset at which that shows, and a word of the reason.
HOSTILE: Final[dict[str, tuple[bytes, int, str]]] = {
    "byte order mark": (b'\xef\xbb\xbf<message type="logout"/>', 0, "0xEF"),
    "UTF-16, big end first": ('<message type="logout"/>'.encode("utf-16-be"), 0, "0x00"),
    "UTF-16 with mark": ('<message type="logout"/>'.encode("utf-16"), 0, "0x"),
    "UTF-16, little end first": ('<message type="logout"/>'.encode("utf-16-le"), 1, "NUL"),
    "plain words": (b"hello", 0, "0x68"),
    "NUL": (b"\0", 0, "0x00"),
    "another root": (b"<mess/>", 0, "root"),
    "a longer root": (b"<messages/>", 0, "root"),
    "a prefixed root": (b"<message:x/>", 0, "root"),
    "an end tag": (b"</message>", 0, "root"),
    "text after the declaration": (DECLARATION + b" x<message/>", 39, "root"),
    "CDATA before the root": (b"<![CDATA[x]]><message/>", 0, "root"),
    "half a comment": (b"<!x--><message/>", 0, "root"),
    "DOCTYPE": (b'<!DOCTYPE message><message type="logout"/>', 0, "document type"),
    "DOCTYPE after a declaration": (DECLARATION + b"\n<!DOCTYPE message>", 39, "document type"),
    "billion laughs": (
        b'<!DOCTYPE m [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]><message type="error">&b;</message>',
        0,
        "document type",
    ),
    "external entity": (
        b'<!DOCTYPE m [<!ENTITY a SYSTEM "file:///etc/passwd">]><message type="error">&a;</message>',
        0,
        "document type",
    ),
    "parameter entity": (b'<!DOCTYPE m [<!ENTITY % a SYSTEM "http://x/">%a;]><message/>', 0, "document type"),
    "attribute by DTD": (
        b'<!DOCTYPE message [<!ATTLIST message type CDATA "logout">]><message/>',
        0,
        "document type",
    ),
    "undeclared entity": (b'<message type="error">&nbsp;</message>', 22, "entity"),
    "version 1.1": (b'<?xml version="1.1"?><message/>', 0, "version"),
    "no version": (b'<?xml encoding="UTF-8"?><message/>', 0, "version"),
    "Latin 1": (b'<?xml version="1.0" encoding="ISO-8859-1"?><message/>', 0, "encoding"),
    "UTF-16 declared": (b'<?xml version="1.0" encoding="UTF-16"?><message/>', 0, "encoding"),
    "a word too many in the declaration": (b'<?xml version="1.0" lang="en"?><message/>', 0, "declaration"),
    "a second declaration": (DECLARATION + DECLARATION + b"<message/>", 38, "declaration"),
    "NUL inside": (b'<message type="error">\0</message>', 22, "not well-formed"),
    "NUL inside, without an end": (b'<message type="error">\0', 22, "NUL"),
    "NUL behind a false end": (move(b"<!--</message>--> \0"), 61, "NUL"),
    "NUL behind ill-formed XML": (b'<message type="error"><a></message>\0', 27, "mismatched"),
    "NUL before ill-formed XML": (b'<message type="error">\0<a></message>', 22, "NUL"),
    "NUL in the declaration": (b"<?xml version='1.1'\0?><message/>", 19, "NUL"),
    "invalid UTF-8": (b'<message type="error">\xff</message>', 22, "not well-formed"),
    "overlong UTF-8": (b'<message type="error">\xc0\xaf</message>', 22, "not well-formed"),
    "surrogate in UTF-8": (b'<message type="error">\xed\xa0\x80</message>', 22, "not well-formed"),
    "noncharacter": (b'<message type="error">\xef\xbf\xbf</message>', 22, "not well-formed"),
    "control character by reference": (b'<message type="error">&#1;</message>', 22, "character"),
    "wrong nesting": (b'<message type="move"><a></message>', 26, "mismatched"),
    "attribute twice": (b'<message type="move" type="move"></message>', 21, "duplicate"),
    "raw end tag in an attribute": (b'<message type="</message>"/>', 15, "not well-formed"),
    "double hyphen in a comment": (b'<message type="move"><!-- -- </message> -->', 28, "not well-formed"),
    "no quotes": (b"<message type=logout></message>", 14, "not well-formed"),
    "undeclared prefix": (move(b"<a:b/>"), 43, "prefix"),
    "undeclared prefix of an attribute": (move(b"<a b:c=''/>"), 43, "prefix"),
    "prefix declared elsewhere": (move(b"<a xmlns:b='u'/><b:c/>"), 59, "prefix"),
    "prefix undeclared again": (move(b"<b:a xmlns:b='u'><b:c xmlns:b=''/></b:a>"), 60, "prefix"),
    "two colons": (move(b"<a:b:c xmlns:a='u'/>"), 47, "not well-formed"),
    "nothing before the colon": (move(b"<:a/>"), 44, "not well-formed"),
    "nothing behind the colon": (move(b"<a: xmlns:a='u'/>"), 46, "not well-formed"),
    "digit behind the colon": (move(b"<a:1 xmlns:a='u'/>"), 46, "not well-formed"),
    "colon in the name of an instruction": (move(b"<?a:b?>"), 46, "not well-formed"),
    "one attribute with two prefixes": (move(b"<a xmlns:b='u' xmlns:c='u' b:d='' c:d=''/>"), 43, "duplicate"),
    "prefix xmlns": (move(b"<a xmlns:xmlns='u'/>"), 43, "reserved"),
    "prefix xml with another meaning": (move(b"<a xmlns:xml='u'/>"), 43, "reserved"),
    "reserved namespace": (move(b"<a xmlns:b='http://www.w3.org/2000/xmlns/'/>"), 43, "reserved"),
    "very long name of a namespace": (move(b"<a xmlns:b='%b'/>" % (b"u" * 129)), 43, "namespace is longer"),
    "very long name of a namespace that is used": (
        move(b"<a/><b xmlns:c = \"%b\" c:d=''/>" % (b"u" * 5000)),
        47,
        "namespace is longer",
    ),
    "white space before an attribute": (move(b"<x%ba=''/>" % (b" " * 1025)), 43, "1024 bytes of white space in a row"),
    "white space behind a name": (move(b"<a/><x a%b=''/>" % (b"\r\n" * 513)), 47, "1024 bytes of white space in a row"),
    "white space behind a value": (move(b"<x a='%b'%b/>" % (b" " * 1025, b"\t" * 2000)), 43, "in its tag: 2000"),
    "white space in an end tag": (move(b"<x>" * 9 + b"</x%b>" % (b"\n" * 1025)), 70, "<x> has more than 1024"),
    "white space in the root, and another root": (
        b'<message xmlns:m="u" %b/></message>' % (b" " * 3000),
        0,
        "<message> has more than 1024",
    ),
    "white space in a tag that is wrong at its end": (move(b"<x a=''%b=''/>" % (b" " * 1025)), 1075, "not well-formed"),
    "white space in an end tag that is wrong": (move(b"<x></x%b''>" % (b" " * 1025)), 1074, "not well-formed"),
    "declaration behind a blank": (b'<message type="a"><?xml version="1.0"?></message>', 18, "declaration"),
}

# Well-formed, but no message; with a word that the text of the error must contain.
WRONG: Final[dict[str, tuple[bytes, str]]] = {
    "no type": (b"<message/>", "type"),
    "unknown type": (b'<message type="hello"/>', "'hello'"),
    "type in other case": (b'<message type="Logout"/>', "'Logout'"),
    "type with a blank": (b'<message type=" logout"/>', "' logout'"),
    "attribute of message": (b'<message type="logout" id="1"/>', "id"),
    "namespace of message": (b'<message xmlns="urn:x" type="logout"/>', "xmlns"),
    "prefix on message": (b'<message xmlns:p="urn:x" type="logout"/>', "xmlns:p"),
    "language of message": (b'<message xml:lang="en" type="logout"/>', "xml:lang"),
    "text in a bare message": (b'<message type="logout">bye</message>', "'bye'"),
    "no child": (b'<message type="move"></message>', "gameId"),
    "stranger behind a thank you": (b'<message type="thank you"><gameId id="g"/><x/></message>', "<x>"),
    "text behind a thank you": (b'<message type="thank you"><gameId id="g"/>bye</message>', "'bye'"),
    "no payload": (b'<message type="move"><gameId id="g"/></message>', "<move>"),
    "two payloads": (b'<message type="move"><gameId id="g"/><move/><move/></message>', "second <move>"),
    "two payloads with a stranger between": (
        b'<message type="move"><gameId id="g"/><move/><x/><move></move></message>',
        "<x>",
    ),
    "two game ids": (b'<message type="move"><gameId id="g"/><gameId id="h"/><move/></message>', "second <gameId>"),
    "stranger behind the payload": (b'<message type="move"><gameId id="g"/><move></move><x/></message>', "<x>"),
    "stranger before the payload": (b'<message type="move"><gameId id="g"/><x/><move></move></message>', "<x>"),
    "text behind the payload": (b'<message type="move"><gameId id="g"/><move></move>x</message>', "'x'"),
    "text behind an empty payload, like the end of a tag": (
        b'<message type="move"><gameId id="g"/><move/>x/></message>',
        "'x/>'",
    ),
    "text before the payload": (b'<message type="move"><gameId id="g"/>x<move></move></message>', "'x'"),
    "text as CDATA": (b'<message type="move"><gameId id="g"/><![CDATA[x]]><move/></message>', "'x'"),
    "text of a blank that is none": (
        '<message type="move"><gameId id="g"/>\N{NO-BREAK SPACE}<move/></message>'.encode(),
        "\\xa0",
    ),
    "text in an element": (b'<message type="move"><gameId id="g">g</gameId><move/></message>', "'g'"),
    "blank that is none in an element": (
        '<message type="move"><gameId id="g">\N{EM SPACE}</gameId><move/></message>'.encode(),
        "\\u2003",
    ),
    "element in an element": (b'<message type="move"><gameId id="g"><x/></gameId><move/></message>', "<x>"),
    "namespace of a game id": (b'<message type="move"><gameId xmlns="u" id="g"/><move/></message>', "xmlns"),
    "game id without id": (b'<message type="thank you"><gameId/></message>', "id"),
    "payload of another type": (b'<message type="move"><gameId id="g"/><gameState/></message>', "<gameState>"),
    "next player of a move": (
        b'<message type="move"><gameId id="g"/><nextPlayer nick="a"/><move/></message>',
        "<nextPlayer>",
    ),
    "prefixed child": (b'<message type="thank you"><p:gameId xmlns:p="urn:x" id="g"/></message>', "<p:gameId>"),
    "neither turn nor end": (b'<message type="gameState"><gameId id="g"/><gameState/></message>', "missing"),
    "turn and end": (
        b'<message type="gameState"><gameId id="g"/><nextPlayer nick="a"/>'
        b'<gameOver><player nick="a" result="loser"/></gameOver><gameState/></message>',
        "present",
    ),
    "turn behind the payload, twice": (
        b'<message type="gameState"><gameId id="g"/><nextPlayer nick="a"/><gameState></gameState>'
        b'<nextPlayer nick="b"/></message>',
        "second <nextPlayer>",
    ),
    "player outside the end": (
        b'<message type="gameState"><gameId id="g"/><player nick="a" result="winner"/><gameState/></message>',
        "<player>",
    ),
    "end without players": (
        b'<message type="gameState"><gameId id="g"/><gameOver/><gameState/></message>',
        "<player>",
    ),
    "result that is none": (
        b'<message type="gameState"><gameId id="g"/>'
        b'<gameOver><player nick="a" result="draw"/></gameOver><gameState/></message>',
        "'draw'",
    ),
    "begin without players": (b'<message type="beginGame"><gameId id="g"/></message>', "<player>"),
    "seats that are no number": (
        b'<message type="beginGame"><gameId id="g"/><player nick="a"/><seats total="all"/></message>',
        "'all'",
    ),
    "option without a value": (
        b'<message type="beginGame"><gameId id="g"/><player nick="a"/><option name="mode"/></message>',
        "value",
    ),
    "two seeds": (
        b'<message type="beginGame"><gameId id="g"/><player nick="a"/><seed value="1"/><seed value="2"/></message>',
        "second <seed>",
    ),
    "refusal without number": (b'<message type="loginResponse"><response accept="no"/></message>', "missing"),
    "acceptance with number": (
        b'<message type="loginResponse"><response accept="yes"/><error id="1"/></message>',
        "present",
    ),
    "number out of range": (
        b'<message type="loginResponse"><response accept="no"/><error id="6"/></message>',
        "'6'",
    ),
    "perhaps": (b'<message type="loginResponse"><response accept="maybe"/></message>', "'maybe'"),
    "unknown attribute of a login": (
        b'<message type="playerLogin"><playerLogin nick="a" password="b"/></message>',
        "password",
    ),
    "no login": (b'<message type="playerLogin"/>', "<playerLogin>"),
    "two logins": (b'<message type="playerLogin"><playerLogin/><playerLogin/></message>', "second"),
    "element in an error": (b'<message type="error">a <b/></message>', "<b>"),
    "negative count": (
        b'<message type="championsList"><player nick="a" won="-1" lost="0"/></message>',
        "'-1'",
    ),
    "count with a blank": (
        b'<message type="championsList"><player nick="a" won="1" lost="0&#10;"/></message>',
        "'0\\n'",
    ),
    "count in other digits": (
        '<message type="championsList"><player nick="a" won="١" lost="0"/></message>'.encode(),
        "'١'",
    ),
    "count without end": (
        b'<message type="championsList"><player nick="a" won="' + b"1" * 5000 + b'" lost="0"/></message>',
        "...",
    ),
    "long name": (b'<message type="logout"><' + b"x" * 5000 + b"/></message>", "..."),
}

# Messages in a form that the server would not write.
LENIENT: Final[dict[str, tuple[bytes, Message]]] = {
    "other order": (
        b'<message type="move"><move a="b"/><gameId id="g"/></message>',
        Move("g", b'<move a="b"/>'),
    ),
    "white space and comments": (
        b'<message type="move">\n <!-- a --> <gameId id="g"> <!-- b --> </gameId>\t<?c?><move> </move>\r\n</message>',
        Move("g", b"<move> </move>"),
    ),
    "single quotes": (
        b"<message type='gameState'><gameId id='g\"'/><nextPlayer nick='a'></nextPlayer>"
        b"<gameState></gameState></message>",
        GameState('g"', "a", None, b"<gameState></gameState>"),
    ),
    "references in attributes": (
        b'<message type="&#109;ove"><gameId id="&lt;&#x67;&amp;"/><move/></message>',
        Move("<g&", b"<move/>"),
    ),
    "line break in an attribute is a blank": (
        b'<message type="move"><gameId id="a\nb&#10;c"/><move/></message>',
        Move("a b\nc", b"<move/>"),
    ),
    "blank as a reference": (b'<message type="logout">&#32;<![CDATA[\n]]></message>', Logout()),
    "payload in a payload": (
        b'<message type="move"><gameId id="g"/><move><move/>a</move></message>',
        Move("g", b"<move><move/>a</move>"),
    ),
    "payload whose name begins another": (
        b'<message type="move"><gameId id="g"/><move><movement/></move></message>',
        Move("g", b"<move><movement/></move>"),
    ),
    "envelope in a payload": (
        b'<message type="gameState"><gameId id="g"/><nextPlayer nick="a"/><gameState>'
        b'<gameOver><player nick="b" result="winner"/></gameOver><nextPlayer nick="c"/></gameState></message>',
        GameState(
            "g",
            "a",
            None,
            b'<gameState><gameOver><player nick="b" result="winner"/></gameOver><nextPlayer nick="c"/></gameState>',
        ),
    ),
    "empty payload that looks longer": (
        b'<message type="move"><gameId id="g"/><move a="1>2" b="/>"/></message>',
        Move("g", b'<move a="1>2" b="/>"/>'),
    ),
    "payload that ends like an empty tag": (
        b'<message type="move"><gameId id="g"/><move><a/></move></message>',
        Move("g", b"<move><a/></move>"),
    ),
    "payload that ends like an empty tag, in text": (
        b'<message type="move"><gameId id="g"/><move>/></move ></message>',
        Move("g", b"<move>/></move >"),
    ),
    "empty nick": (
        b'<message type="gameState"><gameId id=""/><nextPlayer nick=""/><gameState/></message>',
        GameState("", "", None),
    ),
    "results with line breaks between": (
        b'<message type="gameState"><gameId id="g"/><gameOver>\n<player nick="a" result="loser"/>\n</gameOver>\n'
        b"<gameState/>\n</message>",
        GameState("g", None, (PlayerResult("a", Result.LOSER),)),
    ),
    "result that looks like another": (
        b'<message type="gameState"><gameId id=\'g\'/><gameOver><player nick=\'nick="a" result="loser"\' '
        b'result="winner"/></gameOver><gameState/></message>',
        GameState("g", None, (PlayerResult('nick="a" result="loser"', Result.WINNER),)),
    ),
    "payload with a namespace": (
        b'<message type="move"><gameId id="g"/><move xmlns="urn:a" xmlns:b="c" b:e="f">&amp;</move></message>',
        Move("g", b'<move xmlns="urn:a" xmlns:b="c" b:e="f">&amp;</move>'),
    ),
    "everything behind the payload": (
        b'<message type="gameState"><gameState><a/></gameState><nextPlayer nick="a"/><gameId id="g"/></message>',
        GameState("g", "a", None, b"<gameState><a/></gameState>"),
    ),
    "comment behind the payload": (
        b'<message type="move"><gameId id="g"/><move></move><!-- </move> --></message>',
        Move("g", b"<move></move>"),
    ),
    "instruction that holds a whole move": (
        b'<?xml-x > <message type="move"><gameId id="h"/><move ?>'
        b'<message type="move"><gameId id="g"/><move></move></message>',
        Move("g", b"<move></move>"),
    ),
    "declaration": (
        DECLARATION + b'\n<message type="move"><gameId id="g"/><move/></message>',
        Move("g", b"<move/>"),
    ),
    "error in pieces": (
        b'<message type="error"> a &lt;<!-- b --><![CDATA[<c>]]>\r\n </message>',
        Error(" a <<c>\n "),
    ),
    "error with nothing": (b'<message type="error"/>', Error("")),
    "begin game in other order, with what says nothing": (
        b'<message type="beginGame"><seed value=""/><seats total="000"/><option value="b" name="a"/>'
        b'<player nick="ann"/><gameId id="g"/></message>',
        BeginGame("g", ("ann",), (Choice("a", "b"),)),
    ),
}
