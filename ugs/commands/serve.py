"""The command ``ugs serve``."""

from pathlib import Path
from typing import Annotated

import typer

from ugs.commands.option_groups import OptionGroup, with_groups
from ugs.loading import loading, spare_extras
from ugs.setting_types import LogLevel


class PortOptions(OptionGroup):
    """Where the server listens."""

    host: Annotated[str | None, typer.Option(help="Address to listen on. [default: 127.0.0.1]")] = None
    port: Annotated[int | None, typer.Option(help="Port of players and masters; 0: a free one. [default: 4747]")] = None
    http_port: Annotated[int | None, typer.Option(help="Port of the web page; 0: a free one. [default: 8080]")] = None


class KeptOptions(OptionGroup):
    """Where the server keeps everything, and its part among several on one database."""

    data_dir: Annotated[
        Path | None, typer.Option(envvar="UGS_DATA_DIR", file_okay=False, help="Directory of everything that is kept.")
    ] = None
    journal: Annotated[
        str | None,
        typer.Option(metavar="URL", help="Database that keeps results and games instead: postgresql://HOST/DATABASE."),
    ] = None
    standby: Annotated[
        bool,
        typer.Option("--standby", help="With --journal: take over when its server ends."),
    ] = False
    node: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="With --journal: be one of several servers on its database, with this name."),
    ] = None
    home: Annotated[
        list[str] | None,
        typer.Option(metavar="TYPE", help="With --node: this game type is at home here. May be repeated."),
    ] = None


@with_groups
def serve(
    *,
    config: Annotated[
        Path | None, typer.Option("--config", "-c", help="TOML file; `ugs config` prints one with every key.")
    ] = None,
    ports: PortOptions,
    kept: KeptOptions,
    ready_file: Annotated[
        Path | None, typer.Option(help="Written as JSON (addresses, pid) once the server listens.")
    ] = None,
    log_level: Annotated[LogLevel | None, typer.Option(help="Lowest level of log lines shown. [default: info]")] = None,
    championship: Annotated[
        list[str] | None,
        typer.Option(
            metavar="PLAN|TYPE:N",
            help="A plan file (`ugs example championship.toml`), or: the first N players of TYPE play a round robin. "
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
    more: Annotated[list[str] | None, typer.Argument(metavar="[N]...", hidden=True)] = None,
) -> None:
    """Run the broker.

    Players and game masters connect to one port; stop it with Ctrl-C or SIGTERM.

    Examples:

        ugs serve

        ugs serve --host 0.0.0.0 --port 4747 --config my.toml

        ugs serve --data-dir data --championship 5-in-line-tic-tac-toe:8

        ugs serve --data-dir data --championship spring.toml

        ugs serve --gateway NAME=127.0.0.1:9000

        ugs serve --journal postgresql://db.example/ugs --node a --home chess
    """
    spare_extras()
    with loading():
        from ugs.commands.serve_run import run  # a shell that asks for the options does not wait for a server to load

    options = {
        "host": ports.host,
        "port": ports.port,
        "http_port": ports.http_port,
        "data_dir": str(kept.data_dir) if kept.data_dir is not None else None,
        "journal_url": kept.journal,
        "standby": kept.standby or None,
        "node": kept.node,
        "homes": tuple(kept.home) if kept.home else None,
        "log_level": log_level,
    }
    given = {key: value for key, value in options.items() if value is not None}
    run(given, config, championship or [], more or [], gateway or [], ready_file)
