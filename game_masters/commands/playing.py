"""What the commands ``ugs master`` and ``ugs bot`` have in common: what their options mean, and the run itself.

Exit codes: 0 all went well, 1 refused or failed, 2 the command line is wrong.
"""

import random
import ssl
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import structlog
import trio
import typer

from game_masters.commands.bot_lines import line_for_people
from game_masters.commands.options import LineOptions, LogLevel
from game_masters.kit.client import Client
from game_masters.kit.master import Master as Master
from game_masters.kit.memory import News, Whose
from game_masters.kit.memory_file import Keeping
from game_masters.kit.player import Player as Player
from game_masters.kit.rules import AnyGame, BadOption, Options
from game_masters.kit.run import forget, run_until_signal
from game_masters.kit.seating import written
from game_masters.registry import NoSuchGame, find_game
from ugs import peer
from ugs.commands.server_option import servers_at
from ugs.dialogue_log import DialogueLog
from ugs.log import configure_logging
from ugs.path_faults import reason_of
from ugs.state_files import default_path, forget_old
from ugs.wire.messages import Choice


def game_named(name: str) -> AnyGame:
    """An installed game. Raises typer.BadParameter for any other name."""
    try:
        return find_game(name)
    except NoSuchGame as error:
        raise typer.BadParameter(str(error), param_hint="GAME") from error


def options_of(game: AnyGame, pairs: list[str] | None) -> Options:
    """The options that ``--option K=V`` asks for, the others at their defaults. Raises typer.BadParameter."""
    texts: dict[str, str] = {}
    for pair in pairs or []:
        name, equals, value = pair.partition("=")
        if not equals:
            raise typer.BadParameter(f"{pair!r} is not of the form K=V", param_hint="--option")
        texts[name] = value
    try:
        return game.choose_options(texts)
    except BadOption as error:
        raise typer.BadParameter(str(error), param_hint="--option") from error


def choices_of(game: AnyGame, options: Options, pairs: list[str] | None) -> tuple[Choice, ...]:
    """The options on the command line, in the form of the wire."""
    named = {pair.partition("=")[0] for pair in pairs or []}
    return tuple(Choice(name, value) for name, value in written(game, options).items() if name in named)


def dialogue_of(file: Path | None, token: str) -> DialogueLog | None:
    """Where a dialogue is written down, if it is to be. Raises typer.BadParameter when that cannot be."""
    if file is None:
        return None
    try:
        return DialogueLog(file, (token,))
    except OSError as error:
        raise typer.BadParameter(f"{file}: {reason_of(error)}", param_hint="--log") from error


def keeping_of(file: Path | None, address: str, nick: str, game_type: str, log_level: LogLevel) -> Keeping:
    """What keeps the memory of a bot, in ``file`` or in its usual place. Raises typer.BadParameter where there is
    none."""
    host, port = servers_at(address)[0]
    server = f"{host}:{port}"
    configure_logging(log_level, for_people=line_for_people)
    try:
        path = file or default_path(server, nick)
    except RuntimeError as error:
        raise typer.BadParameter(f"there is no usual place: {error}", param_hint="--state") from error
    if file is None:
        # Only in the usual folder: a file that was named may lie among files of other programs.
        forget_old(path, time.time())
    log = structlog.get_logger().bind(role="bot", nick=nick.partition("#")[0])
    return Keeping(path.absolute(), Whose(server, nick, game_type), log)


@dataclass(frozen=True)
class Dialled:
    """Where a master or a bot connects, and how."""

    address: str
    """HOST:PORT, or several by commas."""
    tls: ssl.SSLContext | None
    """None: plain."""
    dialogue: DialogueLog | None = None
    """Where the line is written down."""


def run(
    client: Client,
    to: Dialled,
    line: LineOptions,
    *,
    rng: random.Random,
    name: str,
    keep: Callable[[News], None] = forget,
    closing: Iterable[Callable[[], None]] = (),
    begins: Mapping[str, object] | None = None,
) -> None:
    """Run a master, or with ``begins``, the fields of its first log line, a bot, until it is done or stopped; ``name``
    is that of the game. ``closing`` is called at the end. Raises typer.Exit with the exit code."""
    servers = servers_at(to.address)
    configure_logging(line.log_level, for_people=None if begins is None else line_for_people)
    log = structlog.get_logger().bind(role="master" if begins is None else "bot", game_name=name, server=to.address)
    if begins is not None:
        log.info("begins", **begins)
    follow = None if to.dialogue is None else to.dialogue.follow
    dial = partial(peer.connect_any, servers, tls=to.tls, follow=follow)
    try:
        code = trio.run(partial(run_until_signal, client, dial, once=line.once, rng=rng, log=log, keep=keep))
    finally:
        for close in closing:
            close()
        if to.dialogue is not None:
            to.dialogue.close()
    raise typer.Exit(code)
