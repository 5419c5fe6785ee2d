"""What ``ugs why`` does: prints the state of a player, a game master, a game or a server, and the reasons."""

import json
import os
import shlex
import ssl
from functools import partial
from pathlib import Path

import trio
import typer

from ugs.admin import NoAnswer, NoServer
from ugs.broker.verdict import Fault
from ugs.commands.failure import WRONG_USAGE, failure
from ugs.commands.picture_output import canvas
from ugs.commands.server_option import server_at
from ugs.commands.token_option import token_kept
from ugs.journal.journal_error import JournalError
from ugs.journal.reader import Reader
from ugs.match.match_file import bot_of, errors_of
from ugs.path_faults import reason_of
from ugs.pictures.recorded import last_picture
from ugs.pictures.terminal import show
from ugs.places import Place
from ugs.printable import safe, safe_lines
from ugs.record.game import GameRecord
from ugs.record.times import wall_us
from ugs.record.validation import RecordError
from ugs.why import server_status as whole
from ugs.why.answer import Account
from ugs.why.lookup import UnknownName, account_of, look_up
from ugs.why.packet import packet as make_packet
from ugs.why.remote import NoAccount, ask
from ugs.why.seat_packet import seat_packet
from ugs.why.text import as_text
from ugs.wire.extensions import Why

MAX_LAST = 100
"""Exchanges that one may ask a server for."""


def show_name(name: str, data_dir: Place, last: int, form: str) -> None:
    """Print what is known of all peers and games of this name."""
    try:
        accounts, notes = look_up(name, data_dir, last, wall_us())
    except (UnknownName, JournalError) as error:
        raise failure("ugs why", error, WRONG_USAGE) from None
    if form == "json":
        typer.echo(json.dumps({"found": accounts, "notes": notes}, indent=2))
        return
    for note in notes:
        typer.echo(f"ugs why: {safe(note)}", err=True)
    typer.echo("\n\n".join(as_text(one, whole=False) for one in accounts))
    for account in accounts:
        if account["kind"] == "game":
            _show_position(account["game"], data_dir)
            _name_replay(account, data_dir)


def write_packet(game: str, data_dir: Place, last: int, file: Path, nick: str | None, *, whole: bool) -> None:
    """Write the packet of a game, readable by its owner only; never over another file. That of the player ``nick``, or
    of the one at fault, unless the whole game is wanted."""
    try:
        with Reader(data_dir) as reader:
            record = reader.record(game)
            account = account_of(reader, record, last, wall_us())
        if whole:
            content = make_packet(record, account)
        else:
            player = _player(record, nick)
            errors = errors_of(data_dir, record.game_id, player) if isinstance(data_dir, Path) else b""
            content = seat_packet(record, player, wall_us(), errors)
        handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        try:
            with open(handle, "wb") as packed:
                packed.write(content)
        except BaseException:
            file.unlink()
            raise
    except (JournalError, RecordError) as error:
        raise failure("ugs why", error, WRONG_USAGE) from None
    except OSError as error:
        raise failure("ugs why", f"{file}: {reason_of(error)}") from None
    typer.echo(f"{safe(str(file))}: game {safe(record.game_id)}; README.txt in it explains how to replay it")


def _player(record: GameRecord, nick: str | None) -> str:
    """Whose packet it is; in a match the bot is enough. Ends the command when no player has this nick, or is at
    fault."""
    verdict = record.result.verdict if record.result is not None else None
    chosen = nick if nick is not None else (verdict.culprit if verdict is not None else None)
    if chosen in record.seats:
        assert chosen is not None
        return chosen
    copies = [seat for seat in record.seats if bot_of(seat) == nick]  # in a match a bot has more than one
    if len(copies) == 1:
        return copies[0]
    why = f"{safe(nick)} does not play in it" if nick is not None else "no player is at fault in it"
    seats = ", ".join(map(safe, record.seats))
    raise failure("ugs why", f"{why}: name one with --nick ({seats}), or --whole for everything", WRONG_USAGE)


def ask_far_away(
    address: str,
    tls: ssl.SSLContext | None,
    game: str,
    nick: str | None,
    token: str | None,
    state: Path | None,
    last: int,
) -> None:
    """Print a server's account for the bot with this token; about ``game``, unless it is empty."""
    host, port = server_at(address)
    if token is None:
        if nick is None:
            needs = "--connect needs --nick, --session-file, --token-file, or --token"
            raise failure("ugs why", f"{needs}{_example(address, game)}", WRONG_USAGE)
        token = token_kept("ugs why", f"{host}:{port}", nick, state)
    question = Why(game, token=token, last=min(last, MAX_LAST))
    try:
        text = trio.run(partial(ask, host, port, question, tls))
    except NoAccount as error:
        raise failure("ugs why", error) from None
    typer.echo(safe_lines(text))


def _example(address: str, name: str) -> str:
    """The right command where a nick may have been given in place of a game."""
    if not name:
        return f"; for example: ugs why --connect {safe(address)} --nick NICK"
    nick = shlex.join(["ugs", "why", "--connect", address, "--nick", name])
    game = shlex.join(["ugs", "why", name, "--connect", address, "--nick", "NICK"])
    return safe(f"; if {name} is your bot: {nick}; if it is a game of your bot NICK: {game}")


def _show_position(game_id: str, data_dir: Place) -> None:
    """Print the public view of the last position of a game; nothing where the journal has none."""
    screen = canvas()
    try:
        with Reader(data_dir) as reader:
            picture = last_picture(reader.record(game_id))
    except JournalError:
        return
    if picture is not None:
        typer.echo("\n  last position:")
        show(screen, picture, indent=4)


def _name_replay(account: Account, data_dir: Place) -> None:
    """Print how a game is shown move by move, where no fault explains how it ended."""
    verdict = account.get("verdict")
    if verdict is not None and verdict["fault"] == str(Fault.NONE):
        command = shlex.join(["ugs", "replay", account["game"], "--data-dir", str(data_dir)])
        typer.echo(f"\n  move by move: {safe(command)} (--words: without pictures)")


def show_server(data_dir: Place, form: str) -> None:
    """Print what the server that runs on a data directory is doing."""
    try:
        status = whole.ask_server(data_dir)
    except (NoServer, NoAnswer) as error:
        raise failure("ugs why", error) from None
    typer.echo(json.dumps(status, indent=2) if form == "json" else whole.as_text(status))
