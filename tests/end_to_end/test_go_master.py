"""The kit of a game master in Go, where it does more than those in JavaScript and Python: it gives reasons, goes on
with games whose master was killed, comes back when its line was cut, and a fault of its program costs one game."""

import shutil
import signal
import socket
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final
from xml.etree import ElementTree

import pytest

from tests.commands.line import ugs
from tests.end_to_end.conftest import Serves
from tests.end_to_end.processes import BOUND_S, Peer, Program, own_port
from tests.kits import build, started
from tests.profile import ONLY_DEEP
from ugs.commands.kits import BOT, MASTER, Kit, kits_of
from ugs.wire.messages import GameState, Move, Result

KIT: Final = kits_of(MASTER)["go"]
GRANTED: Final = '<message type="x-hello">{}</message>'.format(
    "".join(f'<ext name="{family}"/>' for family in ("sketch", "reason", "restore", "table"))
)
LET_IN: Final = f"{GRANTED}<message type='loginResponse'><response accept='yes'/></message>"
REFUSED: Final = "<message type='loginResponse'><response accept='no'/><error id='{}'/></message>"
SHUTDOWN: Final = '<message type="serverShutdown"/>'
PLAYERS: Final = '<player nick="ann"/><player nick="bob"/>'

pytestmark = pytest.mark.skipif(bool(KIT.missing()), reason=f"not installed: {', '.join(KIT.missing())}")

Command = Sequence[str | Path]


def built(folder: Path, change: Callable[[str], str] = str) -> Command:
    """The kit as `ugs new` writes it, with its game changed, and built."""
    assert ugs("new", "master", "--language", "go", folder).exit_code == 0
    game = folder / KIT.idea
    game.write_text(change(game.read_text(encoding="utf-8")), encoding="utf-8")
    build(KIT, folder)
    return started(KIT, folder)


@pytest.fixture(scope="module")
def command(tmp_path_factory: pytest.TempPathFactory) -> Command:
    """The kit as it comes."""
    return built(tmp_path_factory.mktemp("go") / "kit")


class Line:
    """The server's end of the connection of a master."""

    def __init__(self, connection: socket.socket) -> None:
        self.socket = connection
        self.socket.settimeout(BOUND_S)

    def says(self, *said: str) -> None:
        """Send this in one piece."""
        self.socket.sendall("".join(said).encode())

    def hears(self, *kinds: str) -> list[ElementTree.Element]:
        """The next messages, which are of these kinds, all in one piece."""
        piece = self.socket.recv(65_536)
        found = list(ElementTree.fromstring(f"<all>{piece.decode()}</all>"))
        assert [one.get("type") for one in found] == list(kinds)
        return found


@contextmanager
def listening() -> Iterator[tuple[str, Callable[[], Line]]]:
    """A port where masters are waited for, and what takes the next one that comes."""
    with socket.create_server(("127.0.0.1", 0)) as server, ExitStack() as lines:
        server.settimeout(BOUND_S)

        def comes() -> Line:
            line = Line(lines.enter_context(server.accept()[0]))
            line.hears("x-hello", "gameMasterLogin")
            return line

        yield str(server.getsockname()[1]), comes


@contextmanager
def led(command: Command) -> Iterator[tuple[Program, Line]]:
    """A master that was let in, and its line."""
    with listening() as (port, comes), Program(*command, "127.0.0.1", port) as master:
        line = comes()
        line.says(LET_IN)
        line.hears("x-offers")
        yield master, line


def begins(game: str, options: str = "") -> str:
    """A game of ann and bob."""
    return f'<message type="beginGame"><gameId id="{game}"/>{PLAYERS}{options}<seed value="s"/></message>'


def chosen(**options: str) -> str:
    """Options of a game, as it begins."""
    return "".join(f'<option name="{name}" value="{value}"/>' for name, value in options.items())


def moves(game: str, column: str) -> str:
    """A disc is dropped."""
    return f'<message type="move"><gameId id="{game}"/><move><drop column="{column}"/></move></message>'


def results(message: ElementTree.Element) -> dict[str, str]:
    """By nick."""
    return {one.get("nick", ""): one.get("result", "") for one in message.iter("player")}


def test_the_reason_stands_before_the_end_in_one_piece_with_it(command: Command) -> None:
    with led(command) as (_, line):
        line.says(begins("g"))
        line.hears("x-sketch", "gameState")
        for column in "010101":
            line.says(moves("g", column))
            line.hears("x-sketch", "gameState")
        line.says(moves("g", "0"))
        drawn, reason, over = line.hears("x-sketch", "x-reason", "gameState")
        cause = reason.find("cause")
        assert cause is not None
        said = {"code": "row-completed", "draw": "no"}
        assert (cause.attrib, cause.text) == (said, "four in a row from 0,2 to 0,5")
        assert results(over) == {"ann": "winner", "bob": "loser"}
        assert drawn.find("sketch/offer") is None


@pytest.mark.parametrize("column", ["7", "-1", "", "0&#10;", "9" * 100_000])
def test_who_breaks_a_rule_is_named_and_the_picture_offers_nothing_more(command: Command, column: str) -> None:
    with led(command) as (master, line):
        line.says(begins("g"))
        line.hears("x-sketch", "gameState")
        line.says(moves("g", column))
        drawn, reason, over = line.hears("x-sketch", "x-reason", "gameState")
        cause = reason.find("cause")
        assert cause is not None
        assert cause.attrib == {"code": "illegal-move", "nick": "ann", "draw": "no"}
        assert len(cause.text or "") < 100
        assert "is full, or there is none" in (cause.text or "")
        assert results(over) == {"ann": "loser", "bob": "winner"}
        assert drawn.find("sketch/offer") is None
        master.waits_for("g: ann: column")


OFFERED: Final = [
    {"name": "columns", "value": "7", "least": "4", "most": "12"},
    {"name": "rows", "value": "6", "least": "4", "most": "12"},
]


def test_its_options_are_offered_and_a_game_is_played_with_what_was_chosen(command: Command) -> None:
    with listening() as (port, comes), Program(*command, "127.0.0.1", port):
        line = comes()
        line.says(LET_IN)
        (offers,) = line.hears("x-offers")
        assert [one.attrib for one in offers.iter("option")] == OFFERED
        assert offers.find("seats[@own='no']") is not None
        line.says(begins("g", chosen(columns="4", rows="5")))
        drawn, state = line.hears("x-sketch", "gameState")
        board = {"columns": "4", "rows": "5"}
        for found, expected in (
            (drawn.find("sketch/grid"), {**board, "numbers": "yes"}),
            (state.find("gameState/board"), board),
        ):
            assert found is not None
            assert found.attrib == expected
        assert [len(one.attrib["at"].split()) for one in drawn.iter("offer")] == [5] * 4
        line.says(begins("h"))
        *_, state = line.hears("x-sketch", "gameState")
        assert state.find("gameState/board[@columns='7'][@rows='6']") is not None, "where no one has chosen"


def test_a_full_board_is_a_draw_and_the_reason_says_so(command: Command) -> None:
    with led(command) as (_, line):
        line.says(begins("g", chosen(columns="4", rows="4")))
        line.hears("x-sketch", "gameState")
        for column in "012310321032012":
            line.says(moves("g", column))
            line.hears("x-sketch", "gameState")
        line.says(moves("g", "3"))
        _, reason, over = line.hears("x-sketch", "x-reason", "gameState")
        cause = reason.find("cause")
        assert cause is not None
        assert cause.attrib == {"code": "board-full", "draw": "yes"}
        assert results(over) == {"ann": "winner", "bob": "winner"}, "v4 has no word for a draw"


@pytest.mark.parametrize("kind", ["beginGame", "x-restore"])
@pytest.mark.parametrize("wrong", [{"columns": "13"}, {"columns": "3"}, {"columns": "four"}, {"depth": "2"}])
def test_a_game_of_other_options_than_it_offers_is_declined(command: Command, kind: str, wrong: dict[str, str]) -> None:
    with led(command) as (_, line):
        line.says(begins("g", chosen(**wrong)).replace("beginGame", kind))
        (failed,) = line.hears("x-failed")
        assert failed.find("gameId[@id='g']") is not None


def test_an_option_may_be_one_of_a_few_words(tmp_path: Path) -> None:
    mode = '{Name: "mode", Default: "calm", Values: []string{"calm", "wild"}},\n}\n\n// How the discs'
    command = built(tmp_path / "kit", lambda game: game.replace("}\n\n// How the discs", mode))
    with listening() as (port, comes), Program(*command, "127.0.0.1", port):
        line = comes()
        line.says(LET_IN)
        (offers,) = line.hears("x-offers")
        assert [one.attrib for one in offers.iter("option")] == [
            *OFFERED,
            {"name": "mode", "value": "calm", "values": "calm wild"},
        ]
        line.says(begins("g", chosen(mode="wild")))
        line.hears("x-sketch", "gameState")
        line.says(begins("h", chosen(mode="7")))
        line.hears("x-failed")


def test_a_hundred_games_at_once_are_answered_in_the_order_of_their_moves(command: Command) -> None:
    games = [f"g{number}" for number in range(100)]
    with led(command) as (_, line):
        line.says(*map(begins, games), *(moves(game, "3") for game in games))
        said = b""
        while said.count(b"</gameState>") < 200:
            said += line.socket.recv(1 << 20)
    heard = ElementTree.fromstring(f"<all>{said.decode()}</all>")
    states = heard.findall("message[@type='gameState']")
    assert [one.attrib["id"] for state in states for one in state.findall("gameId")] == games * 2
    assert all([one.attrib for one in state.iter("disc")] == [{"at": "3,5", "seat": "0"}] for state in states[100:])


def test_a_game_that_the_server_has_ended_is_forgotten(command: Command) -> None:
    with led(command) as (_, line):
        line.says(begins("g"))
        line.hears("x-sketch", "gameState")
        line.says('<message type="x-stop"><gameId id="g"/></message>', moves("g", "0"), begins("h"))
        *_, state = line.hears("x-sketch", "gameState")
        about = state.find("gameId")
        assert about is not None
        assert about.attrib == {"id": "h"}


PAST: Final[Mapping[str, tuple[str, list[str]]]] = {
    "moves": ("<moved nick='ann'><move><drop column='0'/></move></moved>", ["x-sketch", "gameState"]),
    "a bad move": ("<moved nick='ann'><move/></moved>", ["x-sketch", "x-reason", "gameState"]),
    "a leaver": ("<left nick='ann' cause='timeout'/>", ["x-sketch", "gameState"]),
}


@pytest.mark.parametrize("name", PAST)
def test_a_game_is_taken_over_with_all_that_has_happened_in_it(command: Command, name: str) -> None:
    past, kinds = PAST[name]
    with led(command) as (_, line):
        line.says(f'<message type="x-restore"><gameId id="g"/>{PLAYERS}<seed value="s"/>{past}</message>')
        *_, state = line.hears(*kinds)
        following = state.find("nextPlayer")
        if name == "moves":
            assert following is not None
            assert following.attrib == {"nick": "bob"}
        else:
            assert results(state) == {"ann": "loser", "bob": "winner"}


def shown(peers: Mapping[str, Peer], discs: int) -> GameState:
    """The state with so many discs, when all players have it; one may be shown the state before it once more."""
    first, *_ = [_shown(peer, discs) for peer in peers.values()]
    return first


def _shown(peer: Peer, discs: int) -> GameState:
    while True:
        state = peer.hears()
        assert isinstance(state, GameState)
        if state.payload.count(b"<disc") == discs:
            return state


def test_the_games_of_a_master_that_was_killed_go_on_with_the_next_one(serves: Serves, command: Command) -> None:
    server = serves("master_grace_s = 600\n")
    host, _, port = server.address.rpartition(":")
    with ExitStack() as stack:
        first = stack.enter_context(Program(*command, host, port))
        first.waits_for("leading connect-four")
        peers = {nick: server.player(nick, "connect-four") for nick in ("ann", "bob")}
        state = shown(peers, 0)

        def drops(column: str) -> None:
            assert state.next_player is not None
            peers[state.next_player].says(Move(state.game_id, f'<move><drop column="{column}"/></move>'.encode()))

        beginner = state.next_player
        for count, column in enumerate("01010", start=1):
            drops(column)
            state = shown(peers, count)
        first.signal(signal.SIGKILL)
        first.ends()
        drops("1")  # while nobody leads the game
        second = stack.enter_context(Program(*command, host, port))
        state = shown(peers, 6)
        server.logs("game taken over")
        drops("0")
        over = shown(peers, 7).game_over
        assert over is not None
        assert [one.nick for one in over if one.result is Result.WINNER] == [beginner]
        assert server.stops() == 0
        assert second.ends() == 0, second.output
    assert server.events("wrong message") == []


BUG: Final = """if wanted == "6" {
		panic("a bug")
	}
	for _, column := range game.open() {
		if strconv"""


def test_a_fault_of_its_program_costs_the_one_game(tmp_path: Path) -> None:
    def with_a_bug(game: str) -> str:
        return game.replace("for _, column := range game.open() {\n\t\tif strconv", BUG)

    restored = f'<message type="x-restore"><gameId id="k"/>{PLAYERS}<seed value="s"/>'
    with led(built(tmp_path / "kit", with_a_bug)) as (master, line):
        line.says(begins("g"))
        line.hears("x-sketch", "gameState")
        line.says(begins("h"))
        line.hears("x-sketch", "gameState")
        line.says(moves("g", "6"))
        (failed,) = line.hears("x-failed")
        assert failed.find("gameId[@id='g']") is not None
        assert failed.findtext("reason") == "its program has failed"
        line.says(restored, '<moved nick="ann"><move><drop column="6"/></move></moved></message>')
        (failed,) = line.hears("x-failed")
        assert failed.find("gameId[@id='k']") is not None
        line.says(moves("g", "0"), moves("h", "0"))
        line.hears("x-sketch", "gameState")
        master.waits_for("g: given up after move: a bug")


@pytest.mark.parametrize("number", ["1", "2", "3", "4", "5", "9"])
def test_a_refused_master_ends_with_one_line(command: Command, number: str) -> None:
    with listening() as (port, comes), Program(*command, "127.0.0.1", port, "other") as master:
        comes().says(GRANTED, REFUSED.format(number))
        assert master.ends() == 1
    (line,) = master.lines
    assert line.startswith("login refused: ")
    assert line.endswith(f" (error {number})")


def test_the_servers_own_reason_for_a_refusal_is_that_line(command: Command) -> None:
    failed = '<message type="x-failed"><reason code="INVALID_PLAYER">gameMasterLogin: not the token</reason></message>'
    with listening() as (port, comes), Program(*command, "127.0.0.1", port) as master:
        comes().says(GRANTED, failed, REFUSED.format("1"))
        assert master.ends() == 1
    assert master.lines == ["login refused: gameMasterLogin: not the token (error 1)"]


def test_it_comes_back_when_its_line_was_cut_and_ends_with_the_server(command: Command) -> None:
    with listening() as (port, comes), Program(*command, "127.0.0.1", port) as master:
        first = comes()
        first.says(LET_IN, begins("g"))
        first.hears("x-offers", "x-sketch", "gameState")
        first.socket.close()
        second = comes()
        second.says(REFUSED.format("4"))  # the server has not missed it yet
        third = comes()
        third.says(LET_IN, moves("g", "0"), begins("g"))
        *_, state = third.hears("x-offers", "x-sketch", "gameState")
        assert state.find("gameState/disc") is None, "games of a line that was cut are handed over, or gone"
        third.says(SHUTDOWN)
        assert master.ends() == 0
    assert master.lines == [
        "leading connect-four as four-in-a-row",
        "the server has closed the connection",
        "login refused: the game type has as many masters as it may have (error 4)",
        "leading connect-four as four-in-a-row",
        "the server shuts down",
    ]


def test_it_waits_for_a_server_that_is_not_there_yet(serves: Serves, command: Command) -> None:
    port = own_port()
    with Program(*command, "127.0.0.1", port, environment={"UGS_TOKEN": "a<b"}) as master:
        master.waits_for("no connection: ")
        server = serves("", "--port", port)
        server.logs("master logged in")
        assert server.stops() == 0
        assert master.ends() == 0


@ONLY_DEEP
def test_where_nobody_answers_a_login_it_says_so_and_ends(command: Command) -> None:
    with listening() as (port, comes), Program(*command, "127.0.0.1", port) as master:
        for _ in range(4):
            comes().socket.close()
        assert master.ends() == 1
    assert master.lines[-1].startswith("nobody answers a login there: is it the right port?")


def test_without_an_address_it_names_its_command_line(command: Command) -> None:
    with Program(*command, "127.0.0.1") as master:
        assert master.ends() == 2
    assert master.lines == ["usage: master HOST PORT [ID]"]


@pytest.mark.parametrize("kit", [KIT, kits_of(BOT)["go"]], ids=["master", "bot"])
def test_kits_in_go_are_formatted_and_vetted(kit: Kit, tmp_path: Path) -> None:
    folder = shutil.copytree(kit.folder, tmp_path / "kit")
    for line in (["gofmt", "-l", "."], ["go", "vet", "."]):
        done = subprocess.run(line, cwd=folder, capture_output=True, text=True, timeout=BOUND_S, check=False)
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
