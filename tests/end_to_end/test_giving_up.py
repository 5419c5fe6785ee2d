"""Example players that meet what no trying helps against end with the reason; a server that is away is waited for."""

import shutil
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.end_to_end.processes import BOUND_S, TOP
from tests.profile import sized
from ugs.wire.codec import encode
from ugs.wire.extensions import Failed, RefusalReason
from ugs.wire.messages import LoginError, LoginResponse

EXAMPLES = TOP / "examples"
KITS = EXAMPLES / "kits" / "bot"
TLS_ALERT = b"\x15\x03\x01\x00\x02\x02\x46"


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    compiler = shutil.which("cc")
    assert compiler is not None
    program = tmp_path_factory.mktemp("compiled") / "bot"
    no_pause = program.with_name("no_pause.c")
    no_pause.write_text("int nanosleep(const void *wanted, void *left) { return wanted == left; }")
    subprocess.run([compiler, "-O1", "-w", "-o", program, *sorted(KITS.glob("c/*.c")), no_pause], check=True)
    return program


def python(name: str) -> list[str | Path]:
    """An example player whose pauses are short."""
    script = (
        f"import runpy, sys, time; time.sleep = lambda s: None; sys.path.insert(0, {str(KITS / 'python')!r}); "
        f"runpy.run_path({str(EXAMPLES / name)!r}, run_name='__main__')"
    )
    return [sys.executable, "-c", script]


PLAYERS = sized(
    quick=("kits/bot/python/bot.py", "session_player.py"),
    deep=("kits/bot/python/bot.py", "session_player.py", "bang_player.py", "settlers_player.py", "titan_player.py"),
)
AT_ONCE = "data:text/javascript,const later=setTimeout;globalThis.setTimeout=(f)=>later(f,0)"
"""Lets Node wait for nothing."""
NODE: list[str | Path] = ["node", "--import", AT_ONCE, KITS / "javascript" / "bot.mjs"]


@contextmanager
def listener(says: bytes) -> Iterator[int]:
    """Something that says this to whoever has said something, and hangs up."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            while True:
                try:
                    line, _ = server.accept()
                except OSError:
                    return
                with line:
                    line.recv(65_536)
                    line.sendall(says)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield server.getsockname()[1]
        server.shutdown(socket.SHUT_RDWR)
    thread.join(BOUND_S)


def ends(command: list[str | Path], port: int, *more: str) -> str:
    """What a player says that gives up."""
    arguments = [*command, "127.0.0.1", str(port), "ann", *more]
    done = subprocess.run(arguments, capture_output=True, text=True, timeout=BOUND_S, check=False)
    assert done.returncode == 1, done
    assert not done.stderr, done.stderr
    return done.stdout


@pytest.mark.parametrize("name", PLAYERS)
@pytest.mark.parametrize("says", [TLS_ALERT, b"", b"<html></wrong>"])
def test_a_port_of_something_else_is_given_up(name: str, says: bytes) -> None:
    with listener(says) as port:
        assert "nobody answers a login there: is it the right port? It may speak TLS" in ends(python(name), port)


def test_so_does_the_one_in_c(compiled: Path) -> None:
    with listener(TLS_ALERT) as port:
        assert "nobody answers a login there" in ends([compiled], port)


def test_so_does_the_one_for_node() -> None:
    with listener(TLS_ALERT) as port:
        assert "nobody answers a login there" in ends(NODE, port)


@pytest.mark.parametrize("command", [python("kits/bot/python/bot.py"), NODE])
def test_what_does_not_speak_tls_is_given_up_at_once(command: list[str | Path]) -> None:
    with listener(b"<message/>") as port:
        assert "nobody answers a login there" in ends(command, port, "--tls")


@pytest.mark.parametrize("name", PLAYERS)
def test_a_refused_login_is_not_tried_again(name: str) -> None:
    with listener(encode(LoginResponse(LoginError.WRONG_NICK))) as port:
        assert "login refused: the nick is taken, needs its token" in ends(python(name), port)


@pytest.mark.parametrize("name", PLAYERS)
def test_of_a_refused_login_the_servers_own_reason_is_repeated_alone(name: str) -> None:
    reason = "playerLogin: nick is in use"
    failed = encode(Failed(RefusalReason.DUPLICATE_USER, reason))
    with listener(failed + encode(LoginResponse(LoginError.WRONG_NICK))) as port:
        said = ends(python(name), port)
    assert said.splitlines()[:2] == [f"the server says: {reason}", "login refused (error 1)"]
