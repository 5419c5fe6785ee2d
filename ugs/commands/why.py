"""The command ``ugs why``."""

import json
import os
import ssl
from functools import partial
from pathlib import Path
from typing import Annotated, Literal

import trio
import typer

from ugs.admin import NoAnswer, NoServer
from ugs.commands.connecting import Ca, Cert, Key, Tls, encryption, server_at
from ugs.commands.drawing import canvas
from ugs.commands.failing import WRONG_USAGE, failure
from ugs.journal.reader import Reader
from ugs.journal.recovery import wall_us
from ugs.journal.schema import JournalError
from ugs.pictures.recorded import last_picture
from ugs.pictures.terminal import show
from ugs.printable import safe, safe_lines
from ugs.record.validation import RecordError
from ugs.state_files import default_path, token_in
from ugs.why import server as whole
from ugs.why.asking import NoAccount, ask
from ugs.why.packet import packet as make_packet
from ugs.why.sources import UnknownName, account_of, look_up
from ugs.why.text import as_text
from ugs.wire.extensions import Why

FAR_AWAY = "From far away: about a bot of yours"
MOST_LAST = 100
"""Exchanges that one may ask a server for."""


def why(
    data_dir: Annotated[
        Path | None, typer.Option(envvar="UGS_DATA_DIR", help="Data directory of the server, running or not.")
    ] = None,
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="[NAME]", help="A nick, a game master's id, or a game id's beginning.", show_default=False
        ),
    ] = None,
    server: Annotated[
        bool, typer.Option("--server", help="Instead of NAME: what the running server is doing.")
    ] = False,
    form: Annotated[
        Literal["text", "json"], typer.Option("--format", help="text: for people; json: everything, documents exact.")
    ] = "text",
    last: Annotated[int, typer.Option(min=0, help="How many exchanges, logins and games are shown.")] = 6,
    packet: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE.zip",
            dir_okay=False,
            help="Write all that is known of the game into this file, hidden hands included, to pass on.",
        ),
    ] = None,
    connect: Annotated[
        str | None,
        typer.Option(metavar="HOST:PORT", help="Ask a server far away about a bot of yours.", rich_help_panel=FAR_AWAY),
    ] = None,
    nick: Annotated[
        str | None, typer.Option(help="The nick of the bot, whose token is read.", rich_help_panel=FAR_AWAY)
    ] = None,
    token: Annotated[
        str | None,
        typer.Option(
            envvar="UGS_TOKEN",
            help="The token of its session.  [default: what the bot has kept, on this machine]",
            rich_help_panel=FAR_AWAY,
        ),
    ] = None,
    state: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            dir_okay=False,
            help="Where the bot has kept it (`ugs bot --state`).",
            rich_help_panel=FAR_AWAY,
        ),
    ] = None,
    tls: Tls = False,
    ca: Ca = None,
    cert: Cert = None,
    key: Key = None,
) -> None:
    """Why does this player wait? Why did this game end so? What is the server doing?

    Asks the server that runs on the data directory, and its journal; without a server, the journal alone. Of a game:
    whose turn it is, or why it ended and whose fault that was, its last exchanges byte for byte, and where the time of
    its last move went. Of a player or a game master: what it waits for, when it was here, what it played. With
    --server, of the running server: who is here, who holds how much memory, beside each limit, and what holds it up.

    Examples:

        ugs why ann --data-dir data

        ugs why uQ3x --data-dir data --last 20

        ugs why --server --data-dir data --format json

        ugs why uQ3x --data-dir data --packet game.zip

        ugs why uQ3x7kQ2mXw9 --connect server.example:4747 --nick ann

        ugs why --connect server.example:4747 --nick ann
    """
    if connect is not None:
        encrypted = encryption(tls, ca, cert, key)
        _ask_far_away(
            connect, encrypted, name, nick, token, state, last, others=server or packet is not None or form == "json"
        )
        return
    if data_dir is None:
        raise failure("ugs why", "give --data-dir DIR, or --connect HOST:PORT with --nick", WRONG_USAGE)
    if nick is not None or state is not None or tls:
        raise failure("ugs why", "--nick, --state and --tls go with --connect", WRONG_USAGE)
    if server == (name is not None):
        raise failure("ugs why", "give NAME or --server, one of them", WRONG_USAGE)
    if name is None:
        if packet is not None:
            raise failure("ugs why", "--packet is of a game: name it", WRONG_USAGE)
        _tell_of_server(data_dir, form)
        return
    if packet is not None:
        _write_packet(name, data_dir, last, packet)
        return
    try:
        accounts, notes = look_up(name, data_dir, last, wall_us())
    except (UnknownName, JournalError) as error:
        raise failure("ugs why", error, WRONG_USAGE) from None
    if form == "json":
        typer.echo(json.dumps({"found": accounts, "notes": notes}, indent=2))
        return
    for note in notes:
        typer.echo(f"ugs why: {safe(note)}", err=True)
    typer.echo("\n\n".join(map(as_text, accounts)))
    for account in accounts:
        if account["kind"] == "game":
            _show_position(account["game"], data_dir)


def _write_packet(game: str, data_dir: Path, last: int, file: Path) -> None:
    """Write the packet of a game, readable by its owner only; never over another file."""
    try:
        with Reader(data_dir) as reader:
            record = reader.record(game)
            account = account_of(reader, record, last, wall_us())
        content = make_packet(record, account)
        handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        with open(handle, "wb") as packed:
            packed.write(content)
    except (JournalError, RecordError) as error:
        raise failure("ugs why", error, WRONG_USAGE) from None
    except OSError as error:
        raise failure("ugs why", f"{file}: {error.strerror or error}") from None
    typer.echo(f"{safe(str(file))}: game {safe(record.game_id)}; README.txt in it says how to replay it")


def _ask_far_away(
    address: str,
    tls: ssl.SSLContext | None,
    game: str | None,
    nick: str | None,
    token: str | None,
    state: Path | None,
    last: int,
    *,
    others: bool,
) -> None:
    """Print what a server tells the bot that has this token."""
    host, port = server_at(address)
    if others:
        raise failure("ugs why", "--server, --packet and --format json are for --data-dir", WRONG_USAGE)
    if token is None:
        if nick is None:
            raise failure("ugs why", "--connect needs --nick, or --token", WRONG_USAGE)
        token = _kept_token(f"{host}:{port}", nick, state)
    question = Why(game or "", token=token, last=min(last, MOST_LAST))
    try:
        text = trio.run(partial(ask, host, port, question, tls))
    except NoAccount as error:
        raise failure("ugs why", error) from None
    typer.echo(safe_lines(text))


def _kept_token(server: str, nick: str, state: Path | None) -> str:
    try:
        path = state or default_path(server, nick)
        token = token_in(path, server, nick)
    except (OSError, RuntimeError) as error:
        reason = getattr(error, "strerror", None) or error
        raise failure(
            "ugs why", f"no token of {safe(nick)} for {server}: {reason}; give --token", WRONG_USAGE
        ) from None
    if not token:
        raise failure("ugs why", f"{path}: holds no token of {safe(nick)} for {server}; give --token", WRONG_USAGE)
    return token


def _show_position(game_id: str, data_dir: Path) -> None:
    """Print the last position of a game as everybody may see it; nothing where the journal has none."""
    screen = canvas()
    try:
        with Reader(data_dir) as reader:
            picture = last_picture(reader.record(game_id))
    except JournalError:
        return
    if picture is not None:
        typer.echo("\n  last position:")
        show(screen, picture, indent=4)


def _tell_of_server(data_dir: Path, form: str) -> None:
    try:
        told = whole.ask_server(data_dir)
    except (NoServer, NoAnswer) as error:
        raise failure("ugs why", error) from None
    typer.echo(json.dumps(told, indent=2) if form == "json" else whole.as_text(told))
