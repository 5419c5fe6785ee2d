"""The command ``ugs lobby``."""

import json
import socket
import threading
from collections.abc import Iterator

import pytest

from tests.commands.line import ugs
from tests.lobby.lists import PLAYERS, TABLES, TYPES
from ugs.wire.codec import decode, encode
from ugs.wire.extensions import Failed, Hello, RefusalReason
from ugs.wire.framing import Framer
from ugs.wire.messages import LoginError, LoginResponse, Logout, Message

BOUND_S = 120.0


class Server:
    """Always sends the same messages, to one caller, and keeps what it receives until the logout."""

    def __init__(self) -> None:
        self.says: tuple[Message, ...] = ()
        self.heard: list[Message] = []
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._listener.settimeout(BOUND_S)
        self.address = f"127.0.0.1:{self._listener.getsockname()[1]}"
        self.thread = threading.Thread(target=self._serve)

    def _serve(self) -> None:
        caller, _ = self._listener.accept()
        framer = Framer()
        with caller:
            caller.settimeout(BOUND_S)
            caller.sendall(b"".join(map(encode, self.says)))
            while Logout() not in self.heard and (data := caller.recv(65_536)):
                self.heard += [decode(document.raw) for document in framer.feed(data)]

    def closes(self) -> None:
        """Stop waiting for a caller."""
        self._listener.close()
        if self.thread.ident is not None:
            self.thread.join(BOUND_S)


@pytest.fixture
def server() -> Iterator[Server]:
    """A server with nothing to say yet."""
    server = Server()
    yield server
    server.closes()


def lobby(*words: str) -> tuple[int, str, str]:
    """Exit code and what is written, of a command line of its own."""
    result = ugs("lobby", *words)
    return result.exit_code, result.stdout, result.stderr


def visits(server: Server, answer: Message, *words: str) -> tuple[int, str, str]:
    """The same at a server that sends this answer."""
    server.says = (Hello(("lobby",)), LoginResponse(), answer)
    server.thread.start()
    return lobby(*words, "--connect", server.address)


@pytest.mark.parametrize(
    ("words", "answer", "shown", "not_shown"),
    [
        ("players --nick bob", PLAYERS, ["ann", "cyd", "sits at a table"], "bob"),
        ("--nick bob", PLAYERS, ["ann", "cyd", "sits at a table"], "bob"),
        ("types --nick bob", TYPES, ["nim", "mode=fast (fast, slow)"], "lobby"),
        ("tables --nick bob --type nim", TABLES, ["Friday [bold]", "the invited", "bob"], "eve"),
    ],
)
def test_lists_are_shown_to_people(
    server: Server, words: str, answer: Message, shown: list[str], not_shown: str
) -> None:
    exit_code, output, _ = visits(server, answer, *words.split())
    assert exit_code == 0
    for word in shown:
        assert word in output
    assert not_shown not in output


def test_lists_are_shown_to_programs(server: Server) -> None:
    exit_code, output, _ = visits(server, TABLES, "tables", "--nick", "bob", "--type", "nim", "--json")
    assert exit_code == 0
    assert [table["id"] for table in json.loads(output)["tables"]] == ["t1", "t2"]


def test_a_failure_is_exit_code_1_and_one_line(server: Server) -> None:
    server.says = (Hello(("lobby",)), LoginResponse(LoginError.WRONG_NICK))
    server.thread.start()
    exit_code, output, error = lobby("players", "--nick", "bob", "--connect", server.address)
    assert (exit_code, output) == (1, "")
    assert error == "ugs lobby: login refused: nick 'bob' is malformed or in use\n"


@pytest.mark.parametrize(
    ("words", "hint"),
    [((), "; give --nick NICK with --token-file FILE\n"), (("--nick", "bob"), "; give --token-file FILE\n")],
)
def test_where_names_need_tokens_it_is_told_how_to_give_one(server: Server, words: tuple[str, ...], hint: str) -> None:
    server.says = (Hello(("lobby",)), Failed(RefusalReason.INVALID_PLAYER, "this name has no token here"))
    server.thread.start()
    exit_code, _, error = lobby("players", *words, "--connect", server.address)
    assert exit_code == 1
    assert error == f"ugs lobby: login refused: this name has no token here{hint}"


def test_what_the_server_says_does_nothing_to_a_terminal(server: Server) -> None:
    server.says = (Hello(("lobby",)), LoginResponse(), Failed(RefusalReason.USER_LIMIT, "not\nyou\x9b2J\u202e"))
    server.thread.start()
    _, _, error = lobby("players", "--nick", "bob", "--connect", server.address)
    assert error.startswith(r"ugs lobby: the server refuses: not\nyou\u{9b}2J\u{202e} (")
    assert error.count("\n") == 1


def test_nobody_at_the_address_is_exit_code_1(server: Server) -> None:
    server.closes()
    exit_code, _, error = lobby("players", "--nick", "bob", "--connect", server.address)
    assert exit_code == 1
    assert error.startswith("ugs lobby: cannot connect to 127.0.0.1 port ")
    assert error.count("\n") == 1


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("games --nick bob", "'games' is not one of 'players', 'types', 'tables'"),
        ("tables --nick bob", "give --type: tables belong to one game type; `ugs lobby types` lists all"),
        ("players --nick bob --connect nowhere", "'nowhere' is not HOST:PORT with a port from 1 to 65535"),
        ("players --nick bob --connect [::1]:70000", "'[::1]:70000' is not HOST:PORT"),
    ],
)
def test_wrong_usage_is_exit_code_2_and_says_what_is_allowed(words: str, why: str) -> None:
    exit_code, _, error = lobby(*words.split())
    assert exit_code == 2
    assert why in " ".join(error.replace("│", " ").split())


def test_it_explains_itself_with_examples() -> None:
    exit_code, output, _ = lobby("--help")
    assert exit_code == 0
    assert "ugs lobby tables" in output.partition("Examples")[2]
