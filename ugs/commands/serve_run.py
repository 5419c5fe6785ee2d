"""The run of ``ugs serve``, once its options are read: settings, championships, the server itself.

A module of its own, so that a shell that completes the options of ``ugs serve`` does not wait for a server to load.
"""

import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import trio
import typer

from ugs.championship.plan import PlanError
from ugs.commands.failure import WRONG_USAGE, failure
from ugs.commands.serve_plans import plans_of
from ugs.config import Config, ConfigError, load
from ugs.daemon.access import read_access
from ugs.daemon.processes.supervision import TaskFailed
from ugs.daemon.serve import StoppedEarly, log_outside
from ugs.daemon.serve import serve as run_server
from ugs.distributions import missing
from ugs.gateway import GatewayError, listening, read_options, settings_of
from ugs.journal.journal_error import JournalError
from ugs.loading import entry_points
from ugs.log import configure_logging
from ugs.tls import TlsError

if TYPE_CHECKING:
    from ugs.cluster.node import ClusterNode

BY_SIGNAL: Final = 128
"""Exit code of a server that a signal stopped before it listened: this and the number of the signal, as in shells."""
HINT_S: Final = 10.0
"""Seconds that a start waits at most for the types of installed games."""


def championships_of(texts: Sequence[str], more: Sequence[str]) -> tuple[dict[str, Any], list[Path]]:
    """What follows ``--championship``: plan files, ``TYPE:N``, or (as earlier programs had it) ``TYPE N`` with the
    number left over at the end of the line, in ``more``. Gives settings of game types, and plan files.

    Raises typer.BadParameter for anything else.
    """
    settings: dict[str, Any] = {}
    plans: list[Path] = []
    numbers = list(more)
    for text in texts:
        if text.endswith(".toml"):
            plans.append(Path(text))
            continue
        name, _, number = text.rpartition(":")
        if not (name and number.isdecimal()) and numbers:
            name, number = text, numbers.pop(0)
        if not name or not number.isdecimal() or int(number) < 2:
            raise typer.BadParameter(
                f"{text!r}: allowed: a plan file (.toml), or TYPE:N or TYPE N with a game type and at least 2 players, "
                "e.g. 5-in-line-tic-tac-toe:8",
                param_hint="--championship",
            )
        settings[name] = {"mode": "championship", "championship_players": int(number)}
    if numbers:
        wanted = "--config FILE" if numbers[0].endswith(".toml") else "--port N or --data-dir DIR"
        raise typer.BadParameter(f"unexpected argument {numbers[0]!r}: all is given by options, such as {wanted}")
    return settings, plans


def run(
    options: Mapping[str, object],
    config: Path | None,
    championship: Sequence[str],
    more: Sequence[str],
    gateway: Sequence[str],
    ready_file: Path | None,
) -> None:
    """Run a server until it is stopped. ``options`` are settings of the command line, the others follow ``--config``,
    ``--championship`` with what is left over, ``--gateway`` and ``--ready-file``. Raises typer.Exit and
    typer.BadParameter."""
    overrides = dict(options)
    outside: list[str] = []
    try:
        championships, files = championships_of(championship, more)
        if championships:
            overrides["game_types"] = championships
        if gateway:
            overrides["gateways"] = read_options(gateway)
        settings = load(config, overrides, settings_of, outside.extend)
        if settings.standby and not settings.journal_url:
            raise ConfigError("standby: needs a database: give --journal, or journal_url in the settings")
        if settings.needs_tokens and not settings.kept_at:
            raise ConfigError("auth: tokens are kept in a data directory: give --data-dir, or data_dir in the settings")
        _check_installed(settings)
        if settings.node and not settings.journal_url:
            raise ConfigError("node: several servers need a database: give --journal, or journal_url in the settings")
        if settings.homes and not settings.node:
            raise ConfigError("homes: needs a node: give --node NAME, or node in the settings")
        if settings.access_file:
            # Read once already: with a mistake in it no server should begin to listen.
            read_access(Path(settings.access_file), time.time())
        plans = [*plans_of(files, settings.kept_at)]
        # Found out now, not when the server listens and cannot announce it.
        if ready_file is not None and not ready_file.absolute().parent.is_dir():
            raise ConfigError(f"command line: --ready-file {ready_file}: no such directory")
    except (ConfigError, PlanError) as error:
        raise failure("ugs serve", error, WRONG_USAGE) from None
    except JournalError as error:
        raise failure("ugs serve", error) from None
    if settings.admin_token_file:
        _check_keys(Path(settings.admin_token_file))
    for warning in package_warnings([*championships, *(plan.game_type for plan in plans)], [*settings.game_types]):
        typer.echo(f"ugs serve: warning: {warning}", err=True)
    # At the level debug each line counts.
    configure_logging(settings.log_level, joined=settings.log_joined and settings.log_level != "debug")
    if outside:
        log_outside(outside)
    node = None
    try:
        if settings.node:
            settings, node = _as_node(settings)
        trio.run(run_server, settings, ready_file, plans, node)
    except StoppedEarly as stopped:
        raise failure("ugs serve", stopped, BY_SIGNAL + stopped.number) from None
    except TlsError as error:
        raise failure("ugs serve", error, WRONG_USAGE) from None
    except (OSError, JournalError, GatewayError, TaskFailed) as error:
        raise failure("ugs serve", error) from None
    except ConfigError as error:
        # Names in the settings that stand for what packages bring are looked for when it is needed.
        raise failure("ugs serve", error, WRONG_USAGE) from None


def package_warnings(game_types: Sequence[str], set_for: Sequence[str] = ()) -> list[str]:
    """A line for each game type of a championship, or one that something is ``set_for``, that is the name of an
    installed game whose type is called otherwise: its players would be awaited for ever, and the settings hold for no
    game. The games are loaded by another process: a server has no use for them."""
    what = {**dict.fromkeys(set_for, "settings of game type"), **dict.fromkeys(game_types, "championship of")}
    if not what:  # most servers need not look what is installed
        return []
    named = {point.name for point in entry_points(group="ugs.games")}
    asked = sorted(named.intersection(what))
    if not asked:
        return []
    program = "import sys; from ugs.type_hint import type_hint; print(*map(type_hint, sys.argv[1:]), sep='\\n')"
    try:
        done = subprocess.run(
            [sys.executable, "-c", program, *asked], capture_output=True, text=True, timeout=HINT_S, check=True
        )
    except (OSError, subprocess.SubprocessError):  # nothing depends on it
        return []
    return [f"{what[name]} {name!r}{hint}" for name, hint in zip(asked, done.stdout.splitlines(), strict=False) if hint]


def _as_node(settings: Config) -> "tuple[Config, ClusterNode]":
    """Return the node that the settings name, and its settings. Raises JournalError and typer.Exit."""
    from ugs.cluster.node import as_node  # a server of its own needs no database driver

    try:
        return as_node(settings)
    except ConfigError as error:
        raise failure("ugs serve", error, WRONG_USAGE) from None


def _check_installed(settings: Config) -> None:
    """Raise ConfigError where the settings want something that this installation lacks."""
    wanted = {
        'validation = "strict"': "xmlschema" if settings.validation == "strict" else "",
        "a gateway": "trio_websocket" if listening(settings) else "",
        "auth with tokens": "argon2" if settings.needs_tokens else "",
        "a node": "psycopg" if settings.node else "",
    }
    for what, module in wanted.items():
        if module and (lacking := missing(module)):
            raise ConfigError(f"{what} {lacking}")


def _check_keys(path: Path) -> None:
    """Read the tokens of organisers, which few servers have. Raises typer.Exit when that fails."""
    from ugs.page.server.admin_tokens import KeysError, read_keys

    try:
        read_keys(path)
    except KeysError as error:
        raise failure("ugs serve", f"admin_token_file: {error}", WRONG_USAGE) from None
