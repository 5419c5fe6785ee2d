"""Names with tokens at a real server: registered, shown by programs, kept, revoked; and nothing tells a secret."""

import os
import shutil
import signal
import urllib.error
import urllib.request
from pathlib import Path

from tests.end_to_end.conftest import Serves
from tests.end_to_end.processes import BOUND_S, Peer, Program, Server, client, output, until
from tests.kits import bot_kit, started
from ugs.broker.values.identity import MARK
from ugs.journal.tokens import rows
from ugs.wire.extensions import Failed, Hello
from ugs.wire.messages import Error, LoginError, LoginResponse, Message, PlayerLogin

GAME = "tic-tac-toe"
GAME_TYPE = "5-in-line-tic-tac-toe"
CONFIG = 'auth = "register"\nlog_level = "debug"\nwrong_token_delay_s = 0.05\n'
SECRET = "correct horse battery"
GUESS = "wrong horse battery"


def logs_in(server: Server, nick: str, secret: str, *, hello: bool = False) -> tuple[Peer, LoginResponse]:
    """A player who shows a secret, and the answer to its login."""
    peer = server.dials()
    if hello:
        peer.says(Hello((), token=secret), PlayerLogin(nick, GAME_TYPE))
        assert peer.hears() == Hello(())
    else:
        peer.says(PlayerLogin(f"{nick}{MARK}{secret}", GAME_TYPE))
    heard: Message | None = peer.hears()
    if isinstance(heard, Failed):
        heard = peer.hears()
    assert isinstance(heard, LoginResponse)
    return peer, heard


def own_token(directory: Path, *arguments: str) -> str:
    """The token that the command has made and printed, once."""
    return output("token", "add", *arguments, "--data-dir", directory / "data").split("\t")[1].strip()


def test_a_name_is_for_its_owner_over_a_kill_and_nothing_tells_the_secret(serves: Serves, tmp_path: Path) -> None:
    data = tmp_path / "data"
    of_ann = own_token(tmp_path, "ann")
    first = serves(CONFIG, "--data-dir", str(data))
    ann, answer = logs_in(first, "ann", of_ann)
    assert answer.accepted
    ben, answer = logs_in(first, "ben", SECRET, hello=True)
    assert answer.accepted
    for hello in (False, True):
        _, answer = logs_in(first, "BEN", GUESS, hello=hello)
        assert answer.error is LoginError.WRONG_NICK, "in use, whatever is shown"
    ben.closes()
    first.logs("disconnected", nick="ben")
    for hello in (False, True):
        _, answer = logs_in(first, "ben", GUESS, hello=hello)
        assert answer.error is LoginError.WRONG_NICK
    of_cat = own_token(tmp_path, "cat")
    until(lambda: logs_in(first, "cat", of_cat)[1].accepted or first.events("player logged in", nick="cat") != [])
    first.signal(signal.SIGKILL)
    first.ends()
    second = serves(CONFIG, "--data-dir", str(data))
    assert not logs_in(second, "ben", GUESS)[1].accepted
    assert logs_in(second, "ben", SECRET)[1].accepted
    ann, answer = logs_in(second, "ann", of_ann)
    assert answer.accepted
    output("token", "revoke", "ann", "--why", "she lost it", "--data-dir", data)
    while (heard := ann.hears()) is not None:
        if isinstance(heard, Error):
            assert heard.text == "the token of ann was revoked by the organiser: she lost it"
    for secret in (of_ann, f"{SECRET} of another"):
        assert not logs_in(second, "ann", secret)[1].accepted, "who found the laptop may be first"
    new = own_token(tmp_path, "ann")
    until(lambda: logs_in(second, "ann", new)[1].accepted or second.events("player logged in", nick="ann") != [])
    said = [output("why", "ben", "--data-dir", data), output("token", "list", "--data-dir", data)]
    said.append(output("admin", "bans", "--data-dir", data))
    second.logs("token refused")
    assert second.stops() == 0
    said += [first.output, second.output]
    kept = [path.read_bytes() for path in data.rglob("*") if path.is_file()]
    assert [row.name for row in rows(data)] == ["ann", "ben", "cat", "ann", "ann"]
    for secret in (SECRET, GUESS, of_ann, of_cat, new):
        assert not any(secret in text for text in said)
        assert not any(secret.encode() in content for content in kept)


def test_bots_masters_and_examples_show_their_tokens(serves: Serves, tmp_path: Path) -> None:
    tokens = {}
    for name, *more in (("m1", "--master", "--type", GAME_TYPE), ("ada",), ("bob",), ("cyd",)):
        file = tmp_path / name
        file.write_text(own_token(tmp_path, name, *more))
        file.chmod(0o600)
        tokens[name] = file
    server = serves('auth = "tokens"', "--data-dir", str(tmp_path / "data"))
    node = shutil.which("node")
    environment = {**os.environ, "UGS_TOKEN": tokens["cyd"].read_text()}
    host, _, port = server.address.rpartition(":")
    kit = bot_kit("javascript" if node else "python")
    with (
        client("master", server, GAME, "--id", "m1", "--token-file", str(tokens["m1"])) as master,
        client("bot", server, GAME, "--nick", "ada", "--games", "1", "--token-file", str(tokens["ada"])) as ada,
        Program(*started(kit, kit.folder), host, port, "cyd", "--games", "1", environment=environment) as cyd,
    ):
        assert ada.ends() == 0
        assert cyd.ends() == 0
        master.signal(signal.SIGTERM)
        master.ends()
    with client(
        "bot", server, GAME, "--nick", "bob", "--v4", "--games", "1", "--token-file", str(tokens["bob"])
    ) as bob:
        server.logs("player logged in", nick="bob")
        bob.signal(signal.SIGTERM)
        bob.ends()
    with client("bot", server, GAME, "--nick", "bob", "--no-state", "--token-file", str(tokens["ada"])) as thief:
        assert thief.ends() == 1
        assert "this is not the token of this name" in thief.output
    with client("master", server, GAME, "--id", "m2") as stranger:
        assert stranger.ends() == 1
        assert "this name has no token here" in stranger.output
    for file in tokens.values():
        assert file.read_text() not in server.output + ada.output + cyd.output + master.output + thief.output


def test_the_page_shows_no_secret(serves: Serves, tmp_path: Path) -> None:
    server = serves(CONFIG, "--data-dir", str(tmp_path / "data"))
    logs_in(server, "ben", SECRET)
    logs_in(server, "ben", GUESS)
    shown = ""
    for path in ("/", "/players/ben", "/waiting?nick=ben", "/api/v1/openapi.json", "/metrics", "/pools"):
        try:
            with urllib.request.urlopen(f"http://{server.ready['http']}{path}", timeout=BOUND_S) as answer:
                shown += answer.read().decode()
        except urllib.error.HTTPError as error:
            shown += error.read().decode()
    assert "ben" in shown
    assert SECRET not in shown
    assert GUESS not in shown


def test_who_may_come_in_is_read_again_on_a_signal(serves: Serves, tmp_path: Path) -> None:
    rules = tmp_path / "access.toml"
    rules.write_text("")
    server = serves(f'access_file = "{rules}"', "--data-dir", str(tmp_path / "data"))
    ann = server.player("ann")
    rules.write_text('[[deny]]\nname = "ANN"\nwhy = "plays for two"')
    server.signal(signal.SIGHUP)
    while (heard := ann.hears()) is not None:
        if isinstance(heard, Error):
            assert heard.text == "removed by the organiser: ANN is banned from this server: plays for two"
    rules.write_text("[[deny")
    server.signal(signal.SIGHUP)
    server.logs("access_file cannot be used; the rules stay as they were")
    peer = server.dials()
    peer.says(PlayerLogin("ann", GAME_TYPE))
    assert peer.hears() == LoginResponse(LoginError.WRONG_NICK)
    rules.write_text("")
    output("admin", "reread", "--data-dir", tmp_path / "data")
    server.player("ann")
    assert server.stops() == 0
