"""The command ``ugs serve``."""

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Final

import trio
import typer

from ugs.championship.plan import Plan, PlanError, load_plan
from ugs.commands.failing import WRONG_USAGE, failure
from ugs.config import ConfigError, LogLevel, load
from ugs.daemon.access import read_access
from ugs.daemon.serve import StoppedEarly
from ugs.daemon.serve import serve as run_server
from ugs.gateway import GatewayError, read_options, settings_of
from ugs.journal.schema import JournalError
from ugs.log import configure_logging
from ugs.page.keys import KeysError, read_keys
from ugs.standings.seeding import seeded
from ugs.tls import TlsError

BY_SIGNAL: Final = 128
"""Exit code of a server that a signal stopped before it listened: this and the number of the signal, as in shells."""


def championships_of(texts: Sequence[str], more: Sequence[str]) -> tuple[dict[str, Any], list[Plan]]:
    """What follows ``--championship``: plan files, ``TYPE:N``, or (as earlier programs had it) ``TYPE N`` with the
    number left over at the end of the line, in ``more``. Gives settings of game types, and plans.

    Raises typer.BadParameter for anything else, and PlanError for a file that is no plan.
    """
    settings: dict[str, Any] = {}
    plans: list[Plan] = []
    numbers = list(more)
    for text in texts:
        if text.endswith(".toml"):
            plans.append(load_plan(Path(text)))
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
        raise typer.BadParameter(f"{numbers[0]!r}: nothing is known of this argument", param_hint="serve")
    return settings, plans


def serve(
    config: Annotated[
        Path | None, typer.Option("--config", "-c", help="TOML file; see conf/ugs.toml for every key.")
    ] = None,
    host: Annotated[str | None, typer.Option(help="Address to listen on. [default: 127.0.0.1]")] = None,
    port: Annotated[
        int | None, typer.Option(help="Port of players and masters; 0: a free one. [default: 4747]")
    ] = None,
    http_port: Annotated[int | None, typer.Option(help="Port of the web page; 0: a free one. [default: 8080]")] = None,
    data_dir: Annotated[
        Path | None, typer.Option(envvar="UGS_DATA_DIR", help="Directory of everything that is kept.")
    ] = None,
    ready_file: Annotated[
        Path | None, typer.Option(help="Written as JSON (addresses, pid) once the server listens.")
    ] = None,
    log_level: Annotated[LogLevel | None, typer.Option(help="Least severe log line shown. [default: info]")] = None,
    championship: Annotated[
        list[str] | None,
        typer.Option(
            metavar="PLAN|TYPE:N",
            help="A plan file (conf/championship.toml), or: the first N players of TYPE play a round robin. "
            "May be repeated.",
        ),
    ] = None,
    gateway: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=HOST:PORT",
            help="Also let in the clients of this gateway, over WebSockets; port 0: a free one. May be repeated.",
        ),
    ] = None,
    more: Annotated[list[str] | None, typer.Argument(hidden=True)] = None,
) -> None:
    """Run the broker.

    Players and game masters connect to one port; stop it with Ctrl-C or SIGTERM.

    Examples:

        ugs serve

        ugs serve --host 0.0.0.0 --port 4747 --config conf/ugs.toml

        ugs serve --data-dir data --championship 5-in-line-tic-tac-toe:8

        ugs serve --data-dir data --championship conf/championship.toml

        ugs serve --gateway NAME=127.0.0.1:9000
    """
    options = {
        "host": host,
        "port": port,
        "http_port": http_port,
        "data_dir": str(data_dir) if data_dir is not None else None,
        "log_level": log_level,
    }
    overrides: dict[str, object] = {key: value for key, value in options.items() if value is not None}
    try:
        championships, plans = championships_of(championship or [], more or [])
        if championships:
            overrides["game_types"] = championships
        if gateway:
            overrides["gateways"] = read_options(gateway)
        settings = load(config, overrides, settings_of)
        if settings.needs_tokens and not settings.data_dir:
            raise ConfigError("auth: tokens are kept in a data directory: give --data-dir, or data_dir in the settings")
        if settings.access_file:
            read_access(Path(settings.access_file), time.time())
        plans = [seeded(plan, Path(settings.data_dir) if settings.data_dir else None) for plan in plans]
        if ready_file is not None and not ready_file.absolute().parent.is_dir():
            raise ConfigError(f"command line: --ready-file {ready_file}: no such directory")
    except (ConfigError, PlanError) as error:
        raise failure("ugs serve", error, WRONG_USAGE) from None
    except JournalError as error:
        raise failure("ugs serve", error) from None
    try:
        if settings.admin_token_file:
            read_keys(Path(settings.admin_token_file))
    except KeysError as error:
        raise failure("ugs serve", f"admin_token_file: {error}", WRONG_USAGE) from None
    configure_logging(settings.log_level)
    try:
        trio.run(run_server, settings, ready_file, plans)
    except StoppedEarly as stopped:
        raise failure("ugs serve", stopped, BY_SIGNAL + stopped.number) from None
    except TlsError as error:
        raise failure("ugs serve", error, WRONG_USAGE) from None
    except (OSError, JournalError, GatewayError) as error:
        raise failure("ugs serve", error) from None
