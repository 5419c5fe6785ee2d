"""The example players show the token of their nick, where they have one."""

import importlib.util
import socket
import subprocess
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Final

import pytest

from tests.end_to_end.processes import BOUND_S, TOP
from ugs.wire.codec import decode
from ugs.wire.extensions import Hello
from ugs.wire.framing import Framer
from ugs.wire.messages import Message, PlayerLogin

TOKEN: Final = 'a<"token"&'
EXAMPLES: Final = TOP / "examples"
PLAYS: Final[dict[str, Callable[[ModuleType, socket.socket], object]]] = {
    "kits/bot/python/protocol": lambda module, line: module.play(
        line, "ann", None, module.Memory(object, "chess", None)
    ),
    "bang_player": lambda module, line: module.play(line, "ann", None, module.Memory()),
    "settlers_player": lambda module, line: module.play(line, "ann", None, module.Memory()),
    "titan_player": lambda module, line: module.play(line, "ann", None, module.Memory()),
    "session_player": lambda module, line: module.Player("ann", None).talk(line),
}
every_example = pytest.mark.parametrize("name", PLAYS)


def said_by(name: str) -> list[Message]:
    """What an example in Python says on a line that ends at once."""
    spec = importlib.util.spec_from_file_location(Path(name).name, EXAMPLES / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    near, far = socket.socketpair()
    with near, far:
        far.shutdown(socket.SHUT_WR)
        PLAYS[name](module, near)
        return messages(far.recv(65536))


def messages(said: bytes) -> list[Message]:
    """These bytes, read."""
    return [decode(document.raw) for document in Framer().feed(said)]


@every_example
def test_an_example_shows_the_token_of_its_nick(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UGS_TOKEN", TOKEN)
    hello, login = said_by(name)
    assert isinstance(hello, Hello)
    assert hello.token == TOKEN
    assert isinstance(login, PlayerLogin)
    assert login.nick == "ann"


@every_example
def test_an_example_without_a_token_shows_none(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("UGS_TOKEN", raising=False)
    *hello, login = said_by(name)
    assert all(isinstance(one, Hello) and one.token == "" for one in hello)
    assert isinstance(login, PlayerLogin)


@pytest.mark.parametrize("token", [TOKEN, ""])
def test_the_example_in_c_does_the_same(token: str, tmp_path: Path) -> None:
    program = tmp_path / "bot"
    subprocess.run(["cc", "-o", program, *EXAMPLES.glob("kits/bot/c/*.c")], check=True, timeout=BOUND_S)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(BOUND_S)
        arguments: list[str | Path] = [program, "127.0.0.1", str(listener.getsockname()[1]), "ann"]
        with subprocess.Popen(arguments, env={"UGS_TOKEN": token}, stdout=subprocess.DEVNULL) as player:
            line, _ = listener.accept()
            with line:
                line.settimeout(BOUND_S)
                said = b""
                while len(heard := messages(said)) < 2:
                    said += line.recv(65536)
            player.kill()
    hello, login = heard
    assert isinstance(hello, Hello)
    assert hello.token == token
    assert isinstance(login, PlayerLogin)
