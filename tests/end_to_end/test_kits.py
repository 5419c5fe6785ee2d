"""The kits of `ugs new`: each is built, speaks the protocol in all ways that a check knows, and plays whole games.

A quick run takes those that need no compiler, and the one in C. What is not installed here is named by
:func:`test_which_languages_cannot_be_tried_here`; with ``UGS_KITS=all`` in the environment
it has to be installed.
"""

import os
import random
import re
import shutil
import signal
import socket
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from xml.etree import ElementTree

import pytest
import structlog
import trio
import trio.testing

from game_masters.kit.master import Master
from game_masters.kit.run import run
from game_masters.tic_tac_toe import GAME as FIVE
from tests.commands.line import ugs
from tests.end_to_end.conftest import Serves
from tests.end_to_end.processes import POLL_S, TOP, Program, Server, client, own_port, played, until
from tests.kits import build, started
from tests.profile import ONLY_DEEP, sized
from tests.third_party import installed
from ugs.check.case import Case, CaseFinding, CaseVerdict
from ugs.check.referee import BundledOpponents, MasterReferee
from ugs.check.suites import of_bots, of_masters
from ugs.check.trial import Trial
from ugs.check.tried_bot import TriedBot
from ugs.check.visitors import StartedProgram
from ugs.check.whole_check import Where, check_bot, check_master
from ugs.commands.kits import BOT, MASTER, kits_of
from ugs.match.games import find_game
from ugs.peer import Peer
from ugs.replay.dialogue import Dialogue
from ugs.wire.codec import encode
from ugs.wire.messages import BeginGame, GameState, LoginError, LoginResponse, Move, PlayerResult, Result

GAME = "tic-tac-toe"
BOTS = kits_of(BOT)
ALL_IN_XML = tuple(language for language in BOTS if language != "python-kit")
"""What speaks the protocol by itself; the other one is tried with the kit in Python."""
QUICK = ("c", "javascript", "lua", "perl", "python", "ruby")
"""Languages that a quick run takes: what they need to be built costs next to nothing."""
ALL_NEEDED = os.environ.get("UGS_KITS") == "all"
MISSING = {language: kit.missing() for language, kit in BOTS.items() if kit.missing()}
HERE = [language for language in sized(quick=QUICK, deep=tuple(BOTS)) if language not in MISSING]
PLAYERS = [language for language in HERE if language in sized(quick=("c", "javascript", "python"), deep=ALL_IN_XML)]
"""Those that play whole games at a real server, and say so in the same words."""
ARGUMENTS = ("{host}", "{port}", "ann")
SOME_CASES = (
    "cut/state-byte-by-byte",
    "entry/refused-1",
    "error/document",
    "over/lost",
    "session/move-arrived",
    "session/move-lost",
    "session/over",
    "turn/legal-1",
)
"""What a quick check tries, besides that on which all stands."""
TIMEOUT_S = 120.0
"""Seconds for an answer, on a busy machine."""
AS_THE_KIT = {"LC_ALL": "C.UTF-8"}
"""Where Java takes the letters of a command line from."""

Commands = Mapping[str, tuple[str | Path, ...]]


def test_which_languages_cannot_be_tried_here() -> None:
    if MISSING and ALL_NEEDED:
        pytest.fail(f"not installed: {MISSING}")
    if MISSING:
        pytest.skip("not installed: " + "; ".join(f"{one}: {', '.join(tools)}" for one, tools in MISSING.items()))


class BuiltBots(dict[str, tuple[str | Path, ...]]):
    """How bots are started, by language: each is written by `ugs new`, and built, when it is asked for first."""

    def __init__(self, room: Path) -> None:
        super().__init__()
        self._room = room

    def __missing__(self, language: str) -> tuple[str | Path, ...]:
        folder = self._room / f"{language}-bot"
        assert ugs("new", "bot", "--language", language, folder).exit_code == 0
        build(BOTS[language], folder)
        self[language] = started(BOTS[language], folder)
        return self[language]


@pytest.fixture(scope="module")
def examples(tmp_path_factory: pytest.TempPathFactory) -> Commands:
    """The bots that can be tried here."""
    return BuiltBots(tmp_path_factory.mktemp("kits"))


async def tried(commands: Commands, cases: Sequence[Case]) -> dict[str, list[CaseFinding]]:
    """What comes of these bots. They are tried at the same time, since they mostly wait."""
    found: dict[str, list[CaseFinding]] = {}

    async def one(language: str, command: Sequence[str | Path]) -> None:
        found[language] = await findings(command, cases)

    async with trio.open_nursery() as nursery:
        for language, command in commands.items():
            nursery.start_soon(one, language, command)
    return found


async def findings(
    command: Sequence[str | Path], cases: Sequence[Case], options: Sequence[str | Path] = ()
) -> list[CaseFinding]:
    """What comes of one bot with these options; a game master in this process leads its games."""
    game = find_game(GAME)
    async with trio.open_nursery() as nursery:
        ours, theirs = trio.testing.memory_stream_pair()

        async def dial() -> Peer:
            return Peer(theirs)

        master = Master(FIVE, FIVE.choose_options({}), id="m", chance=random.Random)
        log = structlog.get_logger()
        nursery.start_soon(partial(run, master, dial, once=True, rng=random.Random(1), log=log))
        referee = MasterReferee(Dialogue(ours, TIMEOUT_S))
        await referee.enter()
        program = StartedProgram([*map(str, command), *ARGUMENTS, *map(str, options)], nursery, TIMEOUT_S)
        stage = TriedBot(program, referee, BundledOpponents(game), game.game_type, TIMEOUT_S)
        found = await Trial(cases, stage, lambda finding: None).run()
        await program.aclose()
        nursery.cancel_scope.cancel()
    return found


def wrong(found: list[CaseFinding]) -> list[tuple[str, str]]:
    """What has not come out well."""
    return [(one.case.name, one.text) for one in found if one.verdict in (CaseVerdict.FAILED, CaseVerdict.BLOCKED)]


def test_bots_pass_some_cases(examples: Commands) -> None:
    cases = [case for case in of_bots() if case.basic or case.run is None or case.name in SOME_CASES]
    found = trio.run(tried, {language: examples[language] for language in QUICK if language in HERE}, cases)
    assert {language: wrong(findings) for language, findings in found.items()} == {language: [] for language in found}
    assert all(sum(one.verdict is CaseVerdict.PASSED for one in findings) > 10 for findings in found.values())


def test_a_bot_that_keeps_its_session_from_one_start_to_the_next_is_let_in_for_each_case(
    examples: Commands, tmp_path: Path
) -> None:
    cases = [case for case in of_bots() if case.basic or case.run is None or case.name in SOME_CASES]
    found = trio.run(findings, examples["python"], cases, ("--session-file", tmp_path / "token"))
    assert (tmp_path / "token").exists()
    assert wrong(found) == []


@ONLY_DEEP
@pytest.mark.parametrize("language", HERE)
def test_a_bot_passes_all_cases(examples: Commands, language: str) -> None:
    where = Where([*map(str, examples[language]), *ARGUMENTS], timeout_s=TIMEOUT_S)
    found = trio.run(check_bot, where, find_game(GAME), of_bots(), lambda finding: None)
    assert wrong(found) == []
    assert sum(one.verdict is CaseVerdict.PASSED for one in found) > 200


@ONLY_DEEP
@pytest.mark.parametrize("language", kits_of(MASTER))
def test_a_master_passes_the_check(language: str, tmp_path: Path) -> None:
    kit = kits_of(MASTER)[language]
    if missing := kit.missing():
        pytest.skip(f"not installed: {', '.join(missing)}")
    assert ugs("new", "master", "--language", language, tmp_path / "kit").exit_code == 0
    build(kit, tmp_path / "kit")
    command = [*map(str, started(kit, tmp_path / "kit")), "{host}", "{port}"]
    found = trio.run(check_master, Where(command, timeout_s=TIMEOUT_S), "", of_masters(), lambda finding: None)
    assert [(one.case.name, one.text) for one in found if one.verdict is CaseVerdict.FAILED] == []


BEGUN = (
    "<message type='loginResponse'><response accept='yes'/></message>"
    '<message type="x-hello"><ext name="sketch"/></message>'
    '<message type="beginGame"><gameId id="g&amp;1"/><player nick="a&lt;n"/><player nick="bob"/></message>'
)
GIVEN: Mapping[str, tuple[tuple[str, ...], dict[str, str]]] = {
    "four in a row": (("0", "1", "0", "1", "0", "1", "0"), {"a<n": "winner", "bob": "loser"}),
    "the seventh disc in a column": (("2",) * 7, {"a<n": "loser", "bob": "winner"}),
    "no such column": (("6", "7"), {"a<n": "winner", "bob": "loser"}),
}
"""Columns that discs are dropped into, and what has to come of it."""


@pytest.mark.parametrize("language", kits_of(MASTER))
def test_a_master_leads_short_games(language: str, tmp_path: Path) -> None:
    kit = kits_of(MASTER)[language]
    if missing := kit.missing():
        pytest.skip(f"not installed: {', '.join(missing)}")
    assert ugs("new", "master", "--language", language, tmp_path / "kit").exit_code == 0
    build(kit, tmp_path / "kit")
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
        with Program(*started(kit, tmp_path / "kit"), "127.0.0.1", str(port)) as master:
            connection, _ = listening.accept()
            with connection:
                connection.settimeout(TIMEOUT_S)
                assert {name: led_to_the_end(connection, columns) for name, (columns, _) in GIVEN.items()} == {
                    name: results for name, (_, results) in GIVEN.items()
                }
                connection.sendall(b'<message type="serverShutdown"/>')
            assert master.ends() == 0, master.output


@pytest.mark.parametrize("language", kits_of(MASTER))
def test_a_refused_master_gives_the_servers_reason_and_fails(language: str, tmp_path: Path) -> None:
    kit = kits_of(MASTER)[language]
    if missing := kit.missing():
        pytest.skip(f"not installed: {', '.join(missing)}")
    assert ugs("new", "master", "--language", language, tmp_path / "kit").exit_code == 0
    build(kit, tmp_path / "kit")
    with Server(tmp_path, "--data-dir", tmp_path / "data", config='auth = "tokens"') as server:
        host, _, port = server.address.rpartition(":")
        with Program(*started(kit, tmp_path / "kit"), host, port) as master:
            assert master.ends() == 1
            (line,) = master.lines
    assert re.fullmatch(r"login refused: .*token.* \(error 1\)", line), line


def led_to_the_end(connection: socket.socket, columns: Sequence[str]) -> dict[str, str]:
    """The results of a game with these moves; the master at the other end has to draw each state before it sends it."""
    connection.sendall(BEGUN.encode())
    heard = b""
    for count, column in enumerate((*columns, ""), start=1):
        while heard.count(b'type="gameState"') < count or not heard.endswith(b"</message>"):
            heard += connection.recv(65536)
        if column:
            move = f'<move><drop column="{column}"/></move>'
            connection.sendall(f'<message type="move"><gameId id="g&amp;1"/>{move}</message>'.encode())
    said = ElementTree.fromstring(f"<all>{heard.decode().replace(DECLARATION, '')}</all>")
    shown = [one.get("type") for one in said if one.get("type") in ("x-sketch", "gameState")]
    assert shown == ["x-sketch", "gameState"] * (len(columns) + 1)
    return {player.get("nick", ""): player.get("result", "") for player in said.findall("message/gameOver/player")}


@pytest.fixture(scope="module")
def led(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server and a master for the bots of all languages; neither finds fault with any of them."""
    with Server(tmp_path_factory.mktemp("server")) as server, client("master", server, GAME, "--check") as master:
        server.logs("master logged in")
        yield server
        assert server.stops() == 0
        assert master.ends() == 0
        assert server.events("wrong message") == []
        assert server.events("peer reports an error") == []


@pytest.mark.parametrize("language", PLAYERS)
def test_the_bots_play(led: Server, examples: Commands, language: str) -> None:
    host, _, port = led.address.rpartition(":")
    nick, other = f"example in {language}", f"bot for {language}"
    with (
        client("bot", led, GAME, "--nick", other, "--games", "3") as bot,
        Program(*examples[language], host, port, nick, "--games", "3") as example,
    ):
        assert (example.ends(), bot.ends()) == (0, 0), example.output + bot.output
    assert played(led, nick) == played(led, other) == 3
    assert len(re.findall(r"^why: .+ won, as judged by the game master", example.output, re.MULTILINE)) == 3


def test_the_bots_come_back_when_the_server_does(serves: Serves, examples: Commands) -> None:
    sessions = (sys.executable, "-I", TOP / "examples" / "session_player.py")
    commands: Commands = {**{one: examples[one] for one in PLAYERS}, "sessions": sessions}
    if len(commands) % 2:  # each has somebody to play with
        commands = {**commands, "sessions too": sessions}
    port = own_port()
    first = serves("", "--port", port)
    with ExitStack() as stack:
        players = [
            stack.enter_context(Program(*command, "127.0.0.1", port, f"example in {language}", "--games", "1"))
            for language, command in commands.items()
        ]
        first.logs("player logged in", times=len(players))
        first.signal(signal.SIGKILL)
        first.ends()
        second = serves("", "--port", port)
        second.logs("player logged in", times=len(players))
        with client("master", second, GAME):
            assert [player.ends() for player in players] == [0] * len(players), [player.output for player in players]


DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>'
GAME_ID = "g&<é>"
SAID = [
    '<message type="x-hello"><ext name="reason"/></message>',
    "<message type='loginResponse'><response accept = 'yes' /></message>",
    '<!-- > <message> --><message type="championsList"><x><![CDATA[</message>]]></x></message>',
    '<message type="gameState"><gameId id="g&amp;&lt;&#xe9;&#62;"/><nextPlayer nick="Zo&#235;"/><gameState>'
    '<tac x="3" y="4"/><nextPlayer nick="nobody"/></gameState></message>',
    '<message type="error">mind &lt;the&gt; <![CDATA[<gap>]]></message>',
    '<message type="gameState"><gameId id="g&amp;&lt;é&gt;"/><gameOver><player nick="x>y" result="loser"/>'
    '<player nick="Zoë" result="winner"/></gameOver><gameState><gameOver/></gameState></message>',
    '<message type="x-verdict"><account>Zoë won</account><said>said the &quot;master&quot;</said></message>',
]
"""What a server may say, in forms of XML that none of ours uses."""


@pytest.mark.parametrize("language", PLAYERS)
@pytest.mark.parametrize("piece", [1, 7, 1 << 20])
def test_the_bots_read_any_xml_in_any_pieces(examples: Commands, language: str, piece: int) -> None:
    stream = "".join(f"{DECLARATION}{document}" for document in SAID).encode()
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
        with Program(
            *examples[language], "127.0.0.1", str(port), "Zoë", "--games", "1", environment=AS_THE_KIT
        ) as player:
            connection, _ = listening.accept()
            with connection:
                connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                for at in range(0, len(stream), piece):
                    connection.sendall(stream[at : at + piece])
                heard = b""
                while b"logout" not in heard and (chunk := connection.recv(65536)):
                    heard += chunk
            assert player.ends() == 0, player.output
    assert player.lines == [
        "logged in as Zoë",
        f"in game {GAME_ID}",
        "the server says: mind <the> <gap>",
        f"game over: winner in {GAME_ID}",
        'why: Zoë won; said the "master"',
    ]
    said = ElementTree.fromstring(f"<all>{heard.decode().replace(DECLARATION, '')}</all>")
    (game,) = said.findall("message[@type='move']/gameId")
    assert game.attrib == {"id": GAME_ID}


LET_IN = "<message type='loginResponse'><response accept='yes'/></message>"
PLAYS = ("17", "4", "0")
LISTED = LET_IN + (
    '<message type="gameState"><gameId id="g"/><nextPlayer nick="ann"/><gameState game="x()" seats="2" turn="0">'
    '<board>&lt;</board><play id="17" text="&lt;17"/><play text="4" id="4"/><play id="0"/><event kind="chance"/>'
    "</gameState></message>"
)
"""A state that lists the legal moves, as those of the games of OpenSpiel do."""


@pytest.mark.parametrize("language", PLAYERS)
def test_the_bots_play_by_listed_moves(examples: Commands, language: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
        with Program(*examples[language], "127.0.0.1", str(port), "ann", "--game", "a<b") as player:
            connection, _ = listening.accept()
            with connection:
                connection.sendall(LISTED.encode())
                heard = b""
                while b"</move>" not in heard and (chunk := connection.recv(65536)):
                    heard += chunk
            player.signal(signal.SIGKILL)
    said = ElementTree.fromstring(f"<all>{heard.decode().replace(DECLARATION, '')}</all>")
    (play,) = said.findall("message[@type='move']/move/play")
    assert set(play.attrib) == {"id"}
    assert play.get("id") in PLAYS
    (login,) = said.iter("playerLogin")
    assert login.get("gameType") == "a<b"


@pytest.mark.parametrize("language", HERE)
def test_the_bots_say_which_program_they_are_in_which_version(examples: Commands, language: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
        with Program(*examples[language], "127.0.0.1", str(port), "ann") as player:
            connection, _ = listening.accept()
            connection.settimeout(TIMEOUT_S)
            said = heard(connection, b"playerLogin nick")
            player.signal(signal.SIGKILL)
            connection.close()
    program = rf'<program name="{language}-bot" version="1" ?/>'
    assert re.search(f'<message type="x-hello">.*{program}.*</message>', said), said


IDS = ("ba68", "d325", "74b2")
NESTED = LET_IN + (
    '<message type="gameState"><gameId id="g"/><nextPlayer nick="ann"/><gameState><apologies v="1" play="8" turn="RED">'
    '<seat nick="ann"><pawn id="0" at="4"/></seat><legal><play id="ba68" card="CARD_1"><do pawn="0" from="1"/></play>'
    '<play id="d325" card="CARD_2"/><forfeit id="74b2" card="CARD_3"/></legal><since><played color="RED"/></since>'
    "</apologies></gameState></message>"
)
"""A state that lists the legal moves deep in it, as those of Apologies do."""


@pytest.mark.parametrize("language", PLAYERS)
def test_the_bots_find_listed_moves_at_any_depth(examples: Commands, language: str) -> None:
    heard = told(examples[language], NESTED, b"</move>")
    (move,) = heard.findall("message[@type='move']/move")
    (chosen,) = move
    assert chosen.tag == "play"
    assert set(chosen.attrib) == {"id"}
    assert chosen.attrib["id"] in IDS


NOT_OURS = ("<gameState><board>X.O</board><moves/></gameState>", '<gameState fen="8/8" ply="0"/>')


@pytest.mark.parametrize("language", PLAYERS)
@pytest.mark.parametrize("state", NOT_OURS)
def test_the_bots_end_where_they_know_no_move(examples: Commands, language: str, state: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
        with Program(*examples[language], "127.0.0.1", str(port), "ann", "--game", "go") as player:
            connection, _ = listening.accept()
            with connection:
                connection.sendall(LET_IN.encode() + shown_and_asked("ann", state).encode())
                heard = b""
                while b"logout" not in heard and (chunk := connection.recv(65536)):
                    heard += chunk
            assert player.ends() == 1, player.output
    assert player.lines[-1] == "this state lists no moves that I know how to choose"
    assert b"<move>" not in heard


def test_so_does_the_one_on_the_kit_without_a_traceback(examples: Commands) -> None:
    state = '<gameState fen="rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1" ply="0"/>'
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
        with Program(*examples["python-kit"], "127.0.0.1", str(port), "ann", "--game", "chess") as player:
            connection, _ = listening.accept()
            with connection:
                connection.sendall(LET_IN.encode() + shown_and_asked("ann", state).encode())
                heard = b""
                while b"logout" not in heard and (chunk := connection.recv(65536)):
                    heard += chunk
            assert player.ends() == 1, player.output
    assert "this state lists no moves that I know how to choose" in player.lines[-1]
    assert "Traceback" not in player.output


@pytest.mark.parametrize("language", PLAYERS)
@pytest.mark.parametrize(
    ("results", "said"),
    [
        (("loser", "loser"), "a draw"),
        (("winner", "winner"), "a draw"),
        (("loser", "winner"), "loser"),
        (("loser",), "loser"),
    ],
)
def test_the_bots_call_equal_results_a_draw(
    examples: Commands, language: str, results: Sequence[str], said: str
) -> None:
    players = "".join(
        f'<player nick="{nick}" result="{result}"/>' for nick, result in zip(("ann", "bob"), results, strict=False)
    )
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
        with Program(*examples[language], "127.0.0.1", str(port), "ann", "--games", "1") as player:
            connection, _ = listening.accept()
            with connection:
                over = f'<message type="gameState"><gameId id="g"/><gameOver>{players}</gameOver><gameState/></message>'
                connection.sendall(LET_IN.encode() + over.encode())
                heard = b""
                while b"logout" not in heard and (chunk := connection.recv(65536)):
                    heard += chunk
            assert player.ends() == 0, player.output
    assert f"game over: {said} in g" in player.lines


@pytest.mark.parametrize("language", PLAYERS)
def test_the_bots_keep_the_token_of_their_session(examples: Commands, language: str, tmp_path: Path) -> None:
    kept = tmp_path / "token"
    given = LET_IN + '<message type="x-session"><session token="t-&#49;" resumed="no"/></message>'
    command = (*examples[language], "127.0.0.1")
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = str(listening.getsockname()[1])
        with Program(*command, port, "ann", "--games", "1", "--session-file", kept) as player:
            connection, _ = listening.accept()
            with connection:
                connection.sendall(given.encode() + OVER.encode())
                heard = b""
                while b"logout" not in heard and (chunk := connection.recv(65536)):
                    heard += chunk
            assert player.ends() == 0, player.output
    assert kept.read_text() == "t-1\n"
    assert player.lines[0] == f"logged in as ann (why? ugs why --connect 127.0.0.1:{port} --session-file {kept})"
    assert not kept.stat().st_mode & 0o077


@pytest.mark.parametrize("language", [language for language in HERE if language in ALL_IN_XML])
def test_a_session_file_that_cannot_be_written_is_seen_before_the_login(
    examples: Commands, language: str, tmp_path: Path
) -> None:
    nowhere = tmp_path / "missing" / "token"
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = str(listening.getsockname()[1])
        with Program(*examples[language], "127.0.0.1", port, "ann", "--session-file", nowhere) as player:
            assert player.ends() == 1, player.output
        listening.setblocking(False)
        with pytest.raises(BlockingIOError):
            listening.accept()
    (said,) = player.lines
    assert re.fullmatch(rf"cannot write {re.escape(str(nowhere))}: .*\b(no such|could not find).*", said, re.IGNORECASE)


@pytest.mark.parametrize("language", [language for language in HERE if language in ALL_IN_XML])
def test_a_session_file_that_cannot_be_written_any_more_is_no_cut_line(
    examples: Commands, language: str, tmp_path: Path
) -> None:
    kept = tmp_path / "kept" / "token"
    kept.parent.mkdir()
    session = '<message type="x-session"><session token="t-1" resumed="no"/></message>'
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = str(listening.getsockname()[1])
        with Program(*examples[language], "127.0.0.1", port, "ann", "--session-file", kept) as player:
            connection, _ = listening.accept()
            with connection:
                heard = connection.recv(65536)
                shutil.rmtree(kept.parent)
                connection.sendall(f'{LET_IN}{session}{session}<message type="x-ping"/>'.encode())
                while b"x-pong" not in heard and (chunk := connection.recv(65536)):
                    heard += chunk
            assert b"x-pong" in heard, player.output
            player.signal(signal.SIGKILL)
    said = [line for line in player.lines if "cannot write" in line]
    (line,) = said
    how = rf"cannot write {re.escape(str(kept))}: .*\b(no such|could not find).*; playing on without it"
    assert re.fullmatch(how, line, re.IGNORECASE)


BREAKS = {
    "csharp": (
        "Bot.cs",
        "    public XElement Move()\n    {\n",
        '    public XElement Move()\n    {\n        System.IO.File.ReadAllText("/nowhere");\n',
    ),
    "ocaml": ("bot.ml", "let rec move () =\n", "let rec move () =\n    if Sys.argv <> [||] then raise Not_found;\n"),
    "lua": ("bot.lua", "function Bot:move()\n", "function Bot:move()\n  local none = nil\n  none.x = 1\n"),
    "python": ("bot.py", "        if self.legal:\n", '        open("/nowhere")\n        if self.legal:\n'),
    "ruby": ("bot.rb", "  def move\n", '  def move\n    File.read("/nowhere")\n'),
}
"""Languages in which an error may be taken for one of the line, or loses its place: the file, and how it is broken."""


@pytest.mark.parametrize("language", [language for language in HERE if language in BREAKS])
def test_the_error_of_a_bot_is_shown_with_the_place_in_its_own_code(language: str, tmp_path: Path) -> None:
    """Whatever it is: an error of a file was taken for a cut line, and the bot logged in again without end."""
    file, before, after = BREAKS[language]
    assert ugs("new", "bot", "--language", language, tmp_path / "bot").exit_code == 0
    source = tmp_path / "bot" / file
    text = source.read_text(encoding="utf-8")
    assert before in text
    source.write_text(text.replace(before, after, 1), encoding="utf-8")
    build(BOTS[language], tmp_path / "bot")
    asked = '<message type="gameState"><gameId id="g"/><nextPlayer nick="ann"/><gameState/></message>'
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = str(listening.getsockname()[1])
        with Program(*started(BOTS[language], tmp_path / "bot"), "127.0.0.1", port, "ann") as player:
            connection, _ = listening.accept()
            with connection:
                connection.recv(65536)
                connection.sendall(f"{LET_IN}{asked}".encode())
                assert player.ends() != 0, player.output
    assert (file if language != "csharp" else "Bot.Move") in player.output  # mono knows no lines without --debug
    assert "no connection" not in player.output


OVER = (
    '<message type="gameState"><gameId id="g"/><gameOver><player nick="ann" result="winner"/></gameOver>'
    "<gameState/></message>"
)


def told(command: Sequence[str | Path], what: str, until: bytes) -> ElementTree.Element:
    """What a bot has said by then that has been told this."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
        with Program(*command, "127.0.0.1", str(port), "ann") as player:
            connection, _ = listening.accept()
            with connection:
                connection.sendall(what.encode())
                heard = b""
                while until not in heard and (chunk := connection.recv(65536)):
                    heard += chunk
            player.signal(signal.SIGKILL)
    return ElementTree.fromstring(f"<all>{heard.decode().replace(DECLARATION, '')}</all>")


def shown_and_asked(move_after: str, *states: str) -> str:
    """Some states of a game, the last of which asks for a move."""
    return "".join(
        f'<message type="gameState"><gameId id="g"/><nextPlayer nick="{nick}"/>{state}</message>'
        for state, nick in zip(states, (*("bob",) * (len(states) - 1), move_after), strict=True)
    )


@pytest.mark.parametrize("language", PLAYERS)
def test_the_bots_play_on_the_board_that_they_are_shown(examples: Commands, language: str) -> None:
    states = (
        '<gameState width="26" height="1" row="5"/>',
        *(f'<gameState><tac x="{x}" y="0"/></gameState>' for x in range(25)),
    )
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
        with Program(*examples[language], "127.0.0.1", str(port), "ann") as player:
            connection, _ = listening.accept()
            with connection:
                connection.sendall(LET_IN.encode() + shown_and_asked("ann", *states).encode())
                heard = b""
                while b"</move>" not in heard and (chunk := connection.recv(65536)):
                    heard += chunk
            player.signal(signal.SIGKILL)
    said = ElementTree.fromstring(f"<all>{heard.decode().replace(DECLARATION, '')}</all>")
    (tic,) = said.findall("message[@type='move']/move/tic")
    assert tic.attrib == {"x": "25", "y": "0"}


@ONLY_DEEP
@pytest.mark.skipif(find_spec("pyspiel") is None, reason="OpenSpiel is not installed")
@pytest.mark.parametrize("game", ["openspiel:connect_four", "openspiel:leduc_poker"])
def test_the_bots_play_games_of_openspiel(serves: Serves, examples: Commands, game: str) -> None:
    server = serves()
    host, _, port = server.address.rpartition(":")
    with client("master", server, game, "--check") as master:
        server.logs("master logged in")
        for language in HERE:
            with (
                client("bot", server, game, "--nick", f"for {language}", "--games", "2") as bot,
                Program(*examples[language], host, port, language, "--game", game, "--games", "2") as example,
            ):
                assert (example.ends(), bot.ends()) == (0, 0), example.output + bot.output
            assert played(server, language) == 2
        assert server.stops() == 0
        assert master.ends() == 0
    assert server.events("wrong message") == []


@pytest.mark.parametrize("language", PLAYERS)
def test_a_refused_login_is_not_tried_again(examples: Commands, language: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
        with Program(*examples[language], "127.0.0.1", str(port), "ann") as player:
            connection, _ = listening.accept()
            with connection:
                connection.recv(65536)
                connection.sendall(encode(LoginResponse(LoginError.WRONG_NICK)))
                assert player.ends() == 1
    assert "login refused: the nick is taken, needs its token" in player.output
    assert "(error 1)" in player.output


@pytest.mark.parametrize("language", PLAYERS)
def test_of_a_refused_login_the_servers_own_reason_is_repeated_alone(examples: Commands, language: str) -> None:
    reason = "playerLogin: ann plays here already"
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
        with Program(*examples[language], "127.0.0.1", str(port), "ann") as player:
            connection, _ = listening.accept()
            with connection:
                connection.recv(65536)
                failed = f'{DECLARATION}<message type="x-failed"><reason>{reason}</reason></message>'
                connection.sendall(failed.encode() + encode(LoginResponse(LoginError.WRONG_NICK)))
                assert player.ends() == 1
    assert player.lines[:2] == [f"the server says: {reason}", "login refused (error 1)"]


GREETED = '<message type="x-hello"><ext name="session"/><ext name="reason"/></message>' + LET_IN
WAITING = (
    '<message type="x-account" ref="waiting"><account>there is no game master for it\nann waits</account></message>'
)
NOT_NOW = '<message type="x-failed" ref="waiting"><reason code="RATE_LIMIT">x-why: ask later</reason></message>'


@pytest.mark.parametrize("language", PLAYERS)
def test_who_waits_long_is_told_why(examples: Commands, language: str) -> None:
    over = '<gameOver><player nick="ann" result="winner"/><player nick="bob" result="loser"/></gameOver>'
    game = f'<message type="gameState"><gameId id="g"/><gameState/>{over}</message>'
    session = '<message type="x-session"><session token="t" nick="ann" resumed="no" graceSec="60"/></message>'
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
        with Program(*examples[language], "127.0.0.1", str(port), "ann") as player:
            connection, _ = listening.accept()
            with connection:
                connection.settimeout(TIMEOUT_S)
                for says, expected in ((GREETED + session, b"x-why"), (WAITING + game, b"x-why"), (NOT_NOW, b"")):
                    connection.sendall(says.encode())
                    heard = b""
                    while expected not in heard and (chunk := connection.recv(65536)):
                        heard += chunk
                    assert b'<message type="x-why" ref="waiting"' in heard or not expected
                connection.sendall(b'<message type="serverShutdown"/>')
                player.waits_for("the server shuts down")
            player.signal(signal.SIGKILL)
    (waiting,) = [line for line in player.lines if line.startswith("waiting:")]
    assert waiting == "waiting: there is no game master for it; ann waits", player.output
    assert "the session is over" not in player.output


NEW_STARTS = [language for language in HERE if language in ALL_IN_XML]
DEAF: Mapping[str, tuple[signal.Signals, ...]] = {"lua": (signal.SIGTERM,)}
"""Signals that end a program in these languages at once, whatever it says about them."""
KEPT = (
    '<message type="x-failed"><reason code="DUPLICATE_USER" waitSec="0.25">kept</reason></message>'
    "<message type='loginResponse'><response accept='no'/><error id='1'/></message>"
)
GONE = '<message type="x-failed"><reason code="INVALID_PLAYER">no such session, or it is over</reason></message>'
NO_FAMILIES = '<message type="error">unknown message: x-hello</message>'
SAME_TOKEN = '<session token="t-0" nick="ann" resumed="yes" graceSec="60"'


def heard(connection: socket.socket, until: bytes) -> str:
    """What comes on a line, up to these bytes, or to its end."""
    said = b""
    while until not in said and (chunk := connection.recv(65536)):
        said += chunk
    return said.decode()


def hangs_up(connection: socket.socket) -> None:
    """Close a line as the server does, which has read all that came."""
    connection.shutdown(socket.SHUT_WR)
    while connection.recv(65536):
        pass
    connection.close()


@pytest.mark.parametrize("language", NEW_STARTS)
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_who_is_stopped_logs_out(examples: Commands, language: str, number: signal.Signals) -> None:
    if number in DEAF.get(language, ()):
        pytest.skip(f"{language} ends at once")
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
        with Program(*examples[language], "127.0.0.1", str(port), "ann") as player:
            connection, _ = listening.accept()
            connection.sendall(LISTED.encode())
            heard(connection, b"</move>")
            player.signal(number)
            assert '<message type="logout"' in heard(connection, b"logout")
            hangs_up(connection)
            assert player.ends() == 0, player.output
    assert player.lines[-1] == "stopped"
    assert not re.search("Traceback|Error|Exception|at ", player.output), player.output


@pytest.mark.parametrize("language", NEW_STARTS)
def test_who_is_stopped_between_two_lines_ends(examples: Commands, language: str) -> None:
    if signal.SIGINT in DEAF.get(language, ()):
        pytest.skip(f"{language} ends at once")
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
        with Program(*examples[language], "127.0.0.1", str(port), "ann") as player:
            connection, _ = listening.accept()
            with connection:
                connection.sendall(KEPT.replace("0.25", "3600").encode())
                heard(connection, b"playerLogin")
                hangs_up(connection)
            player.waits_for("the nick is kept for 3600 s more: waiting")
            player.signal(signal.SIGINT)
            assert player.ends() == 0, player.output
    assert not re.search("Traceback|Error|Exception|at ", player.output), player.output


@pytest.mark.parametrize("language", NEW_STARTS)
def test_a_nick_that_is_kept_is_waited_for_once(examples: Commands, language: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
        with Program(*examples[language], "127.0.0.1", str(port), "ann") as player:
            for _ in range(2):
                connection, _ = listening.accept()
                with connection:
                    connection.sendall(KEPT.encode())
                    assert '<playerLogin nick="ann"' in heard(connection, b"playerLogin nick")
                    hangs_up(connection)
            assert player.ends() == 1, player.output
    waiting = "the nick is kept for 0.25 s more: waiting"
    assert player.lines[:3] == [waiting, "the server says: kept", "login refused (error 1)"]


@pytest.mark.parametrize("language", NEW_STARTS)
def test_a_session_goes_on_at_a_new_start(examples: Commands, language: str, tmp_path: Path) -> None:
    kept = tmp_path / "token"
    kept.write_text("t-0\n")
    last, next_one = (
        f'<message type="gameState"><gameId id="g"/><nextPlayer nick="ann"/>{state}</message>'
        for state in ('<gameState><tac x="1" y="2"/></gameState>', '<gameState><tac x="3" y="4"/></gameState>')
    )
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
        with Program(*examples[language], "127.0.0.1", str(port), "ann", "--session-file", kept) as player:
            connection, _ = listening.accept()
            with connection:
                assert re.search(
                    '<message type="x-resume"><session token="t-0" ?/>', heard(connection, b"session token")
                )
                back = f'<message type="x-session">{SAME_TOKEN} turn="no"/></message>'
                connection.sendall((LET_IN + back + last + '<message type="x-ping" ref="1"/>').encode())
                assert "<move>" not in heard(connection, b"x-pong"), "the server has had this answer"
                connection.sendall(next_one.encode())
                assert "<tic" in heard(connection, b"</move>")
            player.signal(signal.SIGKILL)


STATE_GRANTED = '<message type="x-hello"><ext name="session"/><ext name="state"/></message>' + LET_IN


@pytest.mark.parametrize("language", NEW_STARTS)
def test_who_comes_back_asks_for_the_states_before_the_last_one(
    examples: Commands, language: str, tmp_path: Path
) -> None:
    kept = tmp_path / "token"
    kept.write_text("t-0\n")
    begun, *stones = (
        '<gameState width="4" height="1" row="4"/>',
        *(f'<gameState><tac x="{x}" y="0"/></gameState>' for x in range(4)),
    )
    back = STATE_GRANTED + f'<message type="x-session">{SAME_TOKEN} turn="{{}}"/></message>'
    earlier = "".join(f"<shown>{state}</shown>" for state in (begun, stones[0]))
    listed = f'<message type="x-states" ref="states"><gameId id="g"/>{earlier}</message>'
    refused = '<message type="x-failed" ref="states"><reason code="RATE_LIMIT">ask later</reason></message>'
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
        with Program(*examples[language], "127.0.0.1", str(port), "ann", "--session-file", kept) as player:
            connection, _ = listening.accept()
            with connection:
                connection.settimeout(TIMEOUT_S)
                connection.sendall((back.format("no") + shown_and_asked("ann", stones[0])).encode())
                asked = heard(connection, b'<gameId id="g"')
                assert re.search('<message type="x-listStates" ref="states"><gameId id="g"', asked)
                late = shown_and_asked("ann", stones[1])
                connection.sendall((late + '<message type="x-ping" ref="1"/>').encode())
                assert "<move>" not in heard(connection, b"x-pong"), "the states before it are on their way"
                connection.sendall((listed + late).encode())
                (chosen,) = re.findall('<tic x="([23])" y="0"', heard(connection, b"</move>"))
                hangs_up(connection)
            connection, _ = listening.accept()
            with connection:
                connection.settimeout(TIMEOUT_S)
                connection.sendall((back.format("yes") + shown_and_asked("ann", stones[int(chosen)])).encode())
                assert "x-listStates" in heard(connection, b'<gameId id="g"'), (
                    "it may have missed some while it was away"
                )
                connection.sendall(refused.encode())
                assert f'<tic x="{5 - int(chosen)}" y="0"' in heard(connection, b"</move>"), "it knows them by itself"
            player.signal(signal.SIGKILL)


STRIP = 12
"""Fields of a board in one line, on which nobody who does not know it moves rightly to the end."""


@pytest.mark.parametrize("language", PLAYERS)
def test_a_bot_that_was_killed_ends_its_game_without_a_wrong_move(
    serves: Serves, examples: Commands, language: str, tmp_path: Path
) -> None:
    server = serves()
    host, _, port = server.address.rpartition(":")
    command = (*examples[language], host, port, "ann", "--games", "1", "--session-file", tmp_path / "token")
    master, bob = server.master(), server.player("bob")
    with ExitStack() as stack:
        player = stack.enter_context(Program(*command))
        begun = master.hears()
        assert isinstance(begun, BeginGame)
        state, free = f'<gameState width="{STRIP}" height="1" row="5"/>', set(map(str, range(STRIP)))
        cuts = 0
        while free:
            master.says(GameState(begun.game_id, "ann", None, state.encode()))
            if len(free) == STRIP // 3:  # the state waits for who comes back
                player = stack.enter_context(Program(*command))
            heard = master.hears()
            assert isinstance(heard, Move)
            (field,) = ElementTree.fromstring(heard.payload)
            assert field.attrib["x"] in free, f"that is taken: {field.attrib}\n{player.output}"
            free.remove(field.attrib["x"])
            state = f'<gameState><tac x="{field.attrib["x"]}" y="0"/></gameState>'
            if len(free) in (2 * STRIP // 3, STRIP // 3):
                player.signal(signal.SIGKILL)
                player.ends()
                cuts += 1
                server.logs("line cut", times=cuts)
            if len(free) == 2 * STRIP // 3:  # who comes back waits for the state
                player = stack.enter_context(Program(*command))
                server.logs("session resumed")
        results = tuple(PlayerResult(nick, Result.LOSER) for nick in ("ann", "bob"))
        master.says(GameState(begun.game_id, None, results))
        assert player.ends() == 0, player.output
    assert "back again" in player.lines
    assert "game over: a draw in " + begun.game_id in player.lines
    bob.closes()


@pytest.mark.parametrize("language", NEW_STARTS)
@pytest.mark.parametrize("refusal", [GONE, NO_FAMILIES])
def test_who_is_not_taken_back_logs_in(examples: Commands, language: str, refusal: str, tmp_path: Path) -> None:
    kept = tmp_path / "token"
    kept.write_text("t-0\n")
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
        with Program(*examples[language], "127.0.0.1", str(port), "ann", "--session-file", kept) as player:
            connection, _ = listening.accept()
            with connection:
                connection.sendall(refusal.encode())
                assert '<playerLogin nick="ann"' in heard(connection, b"playerLogin nick")
                connection.sendall((LET_IN + CALLED.format("ann")).encode())
                player.waits_for("logged in as ann")
                assert len(player.lines) == 1, "an earlier start has ended well, so nothing is wrong"
                hangs_up(connection)
            connection, _ = listening.accept()
            with connection:
                heard(connection, b"session token")
                connection.sendall(refusal.encode())
                assert '<playerLogin nick="ann"' in heard(connection, b"playerLogin nick")
            player.waits_for("the session is over: ")
            player.signal(signal.SIGKILL)


CALLED = '<message type="x-session"><session token="t" nick="{}" resumed="no" graceSec="60"/></message>'
ERROR = '<message type="error">{}</message>'
ANSWERED = '<message type="gameState"><gameId id="g"/><nextPlayer nick="{}"/><gameState/></message>'


@pytest.mark.parametrize("language", NEW_STARTS)
@pytest.mark.parametrize("called", ["ann", "ann#s3cret"])
def test_the_nick_is_the_one_that_the_server_calls_a_bot_by(examples: Commands, language: str, called: str) -> None:
    given = LET_IN + CALLED.format(called) + ANSWERED.format(called)
    over = f'<gameOver><player nick="{called}" result="loser"/><player nick="bob" result="winner"/></gameOver>'
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
        with Program(*examples[language], "127.0.0.1", str(port), "ann#s3cret", "--games", "1") as player:
            connection, _ = listening.accept()
            with connection:
                connection.settimeout(TIMEOUT_S)
                connection.sendall(given.encode())
                assert '<playerLogin nick="ann#s3cret"' in heard(connection, b"</move>")
                connection.sendall(f'<message type="gameState"><gameId id="g"/>{over}<gameState/></message>'.encode())
                heard(connection, b"logout")
                hangs_up(connection)
            assert player.ends() == 0, player.output
    assert player.lines[:3] == ["logged in as ann", "in game g", "game over: loser in g"]
    assert "s3cret" not in player.output


WITHOUT_GAME_OVER = (
    "no move within 30 s: game g0 is lost",
    "your move is refused: mind &lt;the&gt; gap; game g1 is lost; that is the 2nd game in a row lost by your own fault",
    "game void: the game master is gone",
    "removed by the game master",
    "document refused at byte 7: there is no such thing",
    "while you were away: game g5 is won",
    "while you were away: game g6 is drawn",
    "while you were away: removed by the game master: game g7 is lost",
)
"""How the server tells a player that its game is over; the numbers in it are those of the games."""


@pytest.mark.parametrize("language", NEW_STARTS)
def test_a_game_counts_once_however_the_server_ends_it(examples: Commands, language: str) -> None:
    games = len(WITHOUT_GAME_OVER)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
        with Program(*examples[language], "127.0.0.1", str(port), "ann", "--games", str(games)) as player:
            connection, _ = listening.accept()
            with connection:
                connection.settimeout(TIMEOUT_S)
                connection.sendall((LET_IN + ERROR.format("game void: of somebody else")).encode())
                for number, text in enumerate(WITHOUT_GAME_OVER):
                    asked = ANSWERED.format("ann").replace('"g"', f'"g{number}"')
                    connection.sendall((asked + ERROR.format("game other is lost")).encode())
                    assert "logout" not in heard(connection, b"</move>")
                    connection.sendall((ERROR.format(text) * 2 + '<message type="x-ping" ref="1"/>').encode())
                    assert ("logout" in heard(connection, b"x-pong")) is (number == games - 1), text
                hangs_up(connection)
            assert player.ends() == 0, player.output
    results = ["loser", "loser", "void", "loser", "loser", "winner", "a draw", "loser"]
    ends = [line for line in player.lines if line.startswith("game over: ")]
    assert ends == [f"game over: {result} in g{number}" for number, result in enumerate(results)]


@pytest.mark.parametrize("language", NEW_STARTS)
def test_who_comes_back_to_no_game_says_so_and_how_the_last_one_ended(
    examples: Commands, language: str, tmp_path: Path
) -> None:
    kept = tmp_path / "token"
    kept.write_text("t-0\n")
    missed = ERROR.format("while you were away: no move within 30 s: game g0 is lost")
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
        with Program(*examples[language], "127.0.0.1", str(port), "ann", "--session-file", kept) as player:
            connection, _ = listening.accept()
            with connection:
                connection.settimeout(TIMEOUT_S)
                back = f'<message type="x-session">{SAME_TOKEN}/></message>'
                connection.sendall((LET_IN + back + missed + ANSWERED.format("ann")).encode())
                heard(connection, b"</move>")
                player.waits_for("in game g")
            player.signal(signal.SIGKILL)
    assert player.lines[1:4] == [
        "back again: no game of yours goes on",
        "the server says: while you were away: no move within 30 s: game g0 is lost",
        "in game g",
    ]


@pytest.mark.parametrize("language", NEW_STARTS)
def test_a_game_that_a_broken_document_ends_is_not_played_again(examples: Commands, language: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
        with Program(*examples[language], "127.0.0.1", str(port), "ann", "--games", "1") as player:
            connection, _ = listening.accept()
            with connection:
                connection.settimeout(TIMEOUT_S)
                connection.sendall((LET_IN + ANSWERED.format("ann")).encode())
                heard(connection, b"</move>")
                connection.sendall(ERROR.format("document refused at byte 7: mismatched tag").encode())
            assert player.ends() == 0, player.output


@pytest.mark.parametrize("why", ["document refused at byte 7: mismatched tag", "this session continues on another one"])
@pytest.mark.parametrize("language", NEW_STARTS)
def test_a_bot_that_is_put_out_again_and_again_ends(examples: Commands, language: str, why: str) -> None:
    """It has a fault, or another program plays with its session file: the two put each other out for ever."""
    refused = ERROR.format(why).encode()
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
        with Program(*examples[language], "127.0.0.1", str(port), "ann") as player:
            for whole in ("", "", OVER, "", ""):
                listening.settimeout(TIMEOUT_S)
                connection, _ = listening.accept()
                with connection:
                    connection.settimeout(TIMEOUT_S)
                    heard(connection, b"playerLogin nick")
                    connection.sendall((LET_IN + whole + ANSWERED.format("ann").replace('"g"', '"h"')).encode())
                    heard(connection, b"</move>")
                    connection.sendall(refused)
                    hangs_up(connection)
            assert player.ends() == 1, player.output
    assert player.lines[-1] == ("the server has put us out three times in a row: it says above why")


@pytest.mark.parametrize("language", NEW_STARTS)
def test_a_bot_that_has_logged_out_counts_no_further_games(examples: Commands, language: str) -> None:
    lost = "".join(
        ANSWERED.format("ann").replace('"g"', f'"g{number}"') + ERROR.format(f"no move: game g{number} is lost")
        for number in range(3)
    )
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
        with Program(*examples[language], "127.0.0.1", str(port), "ann", "--games", "1") as player:
            connection, _ = listening.accept()
            connection.settimeout(TIMEOUT_S)
            connection.sendall((LET_IN + lost).encode())
            heard(connection, b"logout")
            hangs_up(connection)
            assert player.ends() == 0, player.output


UNPROVEN = (
    '<message type="x-failed"><reason code="INVALID_PLAYER">this name has a token</reason></message>'
    "<message type='loginResponse'><response accept='no'/><error id='1'/></message>"
)
BANNED = UNPROVEN.replace("this name has a token", "this name is banned")


@pytest.mark.parametrize("language", NEW_STARTS)
def test_the_token_of_the_nick_is_in_a_file(examples: Commands, language: str, tmp_path: Path) -> None:
    own = tmp_path / "own.txt"
    own.write_text("s&cret\n")
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = str(listening.getsockname()[1])
        command = (*examples[language], "127.0.0.1", port, "ann", "--token-file")
        with Program(*command, own, environment={"UGS_TOKEN": "another"}) as player:
            listening.settimeout(TIMEOUT_S)
            connection, _ = listening.accept()
            with connection:
                said = heard(connection, b"playerLogin nick")
            player.signal(signal.SIGKILL)
        with Program(*command, tmp_path / "none.txt") as other:
            assert other.ends() == 2, other.output
    assert re.search('<identity token="s&(amp|#38);cret" ?/>', said)
    assert own.read_text() == "s&cret\n"
    assert "none.txt" in other.output
    assert not re.search("Traceback|Exception|at ", other.output), other.output


@pytest.mark.parametrize("language", NEW_STARTS)
@pytest.mark.parametrize("answer", [UNPROVEN, BANNED])
def test_who_lacks_the_token_of_a_nick_and_no_other_reads_how_it_is_given(
    examples: Commands, language: str, answer: str
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
        with Program(*examples[language], "127.0.0.1", str(port), "ann") as player:
            connection, _ = listening.accept()
            with connection:
                heard(connection, b"playerLogin nick")
                connection.sendall(answer.encode())
                hangs_up(connection)
            assert player.ends() == 1, player.output
    how = "where a nick has a token: --token-file FILE, or UGS_TOKEN in the environment"
    why = ["this name has a token", how] if answer == UNPROVEN else ["this name is banned"]
    assert player.lines[: len(why) + 1] == [f"the server says: {why[0]}", *why[1:], "login refused (error 1)"]


START_ONE = "no server there: start one with ugs serve, or ugs demo (with bots); trying on until there is one"


@pytest.mark.parametrize("language", NEW_STARTS)
def test_who_finds_no_server_says_once_how_one_is_started(examples: Commands, language: str) -> None:
    with Program(*examples[language], "127.0.0.1", own_port(), "ann") as player:
        until(lambda: player.output.count("no connection: ") > 1)
        player.signal(signal.SIGKILL)
    assert player.lines[1] == START_ONE
    assert player.lines.count(START_ONE) == 1


@ONLY_DEEP
@pytest.mark.parametrize("language", PLAYERS)
def test_a_port_of_something_else_is_given_up(examples: Commands, language: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
        with Program(*examples[language], "127.0.0.1", str(port), "ann") as player:
            while player.running:
                listening.settimeout(POLL_S)
                with suppress(TimeoutError):
                    line, _ = listening.accept()
                    with line:
                        line.recv(65536)
            assert player.ends() == 1
    closed, hint, *_, last = player.lines
    assert (closed, hint) == ("the server has closed the connection", last), "it is said with the first one already"
    assert hint.startswith("nobody answers a login there: is it the right port? It may speak TLS")


@pytest.mark.parametrize("language", PLAYERS)
@pytest.mark.parametrize("words", [(), ("host",), ("host", "1", "ann", "--games", "0"), ("host", "1", "ann", "--what")])
def test_a_wrong_command_line_is_answered_with_how_it_should_be(
    examples: Commands, language: str, words: tuple[str, ...]
) -> None:
    with Program(*examples[language], *words) as player:
        assert player.ends() == 2
    assert "usage" in player.output


@ONLY_DEEP
def test_a_new_game_keeps_all_promises_once_it_is_installed(tmp_path: Path) -> None:
    assert ugs("new", "game", tmp_path / "my-game").exit_code == 0
    environment = {"PYTHONPATH": os.fspath(installed(tmp_path, tmp_path / "my-game"))}
    with Program(sys.executable, "-m", "game_masters.kit.check", "my-game", environment=environment) as check:
        assert check.ends() == 0, check.output
