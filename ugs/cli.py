"""The command ``ugs``: arguments in, a running part of the system out.

Commands of packages above this one (masters, bots, games) are found through the entry-point group ``ugs.commands``;
each entry is a function that adds its commands to the application.
"""

from collections.abc import Sequence
from importlib.metadata import entry_points
from pathlib import Path
from typing import Annotated, Any, Literal

import trio
import typer

from ugs import __version__
from ugs.bench.command import register as register_bench
from ugs.championship.command import register as register_championship
from ugs.championship.plan import Plan, PlanError, load_plan
from ugs.config import ConfigError, LogLevel, load, written_out
from ugs.daemon.serve import serve as run_server
from ugs.demo import run_demo
from ugs.gateway import GatewayError, all_settings, read_options, settings_of
from ugs.journal.schema import JournalError
from ugs.lobby.command import register as register_lobby
from ugs.log import configure_logging
from ugs.record.command import register as register_record
from ugs.replay.command import register as register_replay
from ugs.standings.command import register as register_standings
from ugs.watch.command import register as register_watch
from ugs.why.command import register as register_why

WRONG_USAGE = 2
FAILED = 1

app = typer.Typer(
    name="ugs",
    help="The universal game server: a broker for the XML protocol UGS v4, with game masters and bots.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    rich_markup_mode="markdown",
)


def show_version(wanted: bool) -> None:
    """Print the version and end."""
    if wanted:
        typer.echo(f"ugs {__version__}")
        raise typer.Exit


@app.callback()
def all_commands(
    version: Annotated[
        bool, typer.Option("--version", callback=show_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """The universal game server: a broker for the XML protocol UGS v4, with game masters and bots."""


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


@app.command()
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
        if ready_file is not None and not ready_file.absolute().parent.is_dir():
            raise ConfigError(f"command line: --ready-file {ready_file}: no such directory")
    except (ConfigError, PlanError) as error:
        typer.echo(f"ugs serve: {error}", err=True)
        raise typer.Exit(WRONG_USAGE) from None
    configure_logging(settings.log_level)
    try:
        trio.run(run_server, settings, ready_file, plans)
    except (OSError, JournalError, GatewayError) as error:
        typer.echo(f"ugs serve: {error}", err=True)
        raise typer.Exit(FAILED) from None


@app.command()
def config() -> None:
    """Print a configuration file with every setting, its default and what it does.

    Example:

        ugs config > my.toml
    """
    try:
        typer.echo(written_out(all_settings()), nl=False)
    except GatewayError as error:
        typer.echo(f"ugs config: {error}", err=True)
        raise typer.Exit(FAILED) from None


@app.command()
def validate(
    files: Annotated[list[str], typer.Argument(help="Files of one or more UGS documents; - is standard input.")],
    payload_schema: Annotated[
        Path | None,
        typer.Option(help="An XSD of schemas/games/ (or your own) for the <move> or <gameState> inside."),
    ] = None,
    payload: Annotated[
        Literal["move", "gameState"] | None,
        typer.Option(help="The files hold no messages but single payload elements of this name."),
    ] = None,
) -> None:
    """Check documents against the protocol: framing, envelope and XML schema.

    Prints one line per document; the exit code is 1 if any is wrong.

    Examples:

        ugs validate my-login.xml my-move.xml

        ugs validate recorded.xml --payload-schema schemas/games/my-game.xsd
    """
    from ugs.validate import validate_files  # brings the XML schemas, which no other command should wait for

    wrong = 0
    try:
        for finding in validate_files(files, payload_schema, payload):
            typer.echo(str(finding))
            wrong += not finding.ok
    except OSError as error:
        typer.echo(f"ugs validate: {error}", err=True)
        raise typer.Exit(WRONG_USAGE) from None
    raise typer.Exit(FAILED if wrong else 0)


@app.command()
def demo(
    bots: Annotated[int, typer.Option(min=2, help="How many bots play.")] = 4,
    games: Annotated[int, typer.Option(min=0, help="Games to play in all; 0: until stopped.")] = 0,
    think_ms: Annotated[int, typer.Option(min=0, help="How long a bot thinks about each move.")] = 100,
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port to use; 0: a free one.")] = 4747,
    data_dir: Annotated[Path | None, typer.Option(help="Keep the games in this directory, to look at later.")] = None,
) -> None:
    """Start a broker, a game master and some bots, and show the table as it moves, until Ctrl-C.

    Plug in a bot of your own from another terminal: it is playing at once.

    Examples:

        ugs demo

        ugs demo --bots 8 --games 20 --think-ms 0

        ugs demo --data-dir data
    """
    raise typer.Exit(trio.run(run_demo, bots, games, think_ms, port, data_dir))


def add_commands(to: typer.Typer) -> None:
    """Add what installed packages offer; one that cannot be loaded is named, and hides nothing else."""
    for register in (
        register_bench,
        register_championship,
        register_lobby,
        register_record,
        register_replay,
        register_standings,
        register_watch,
        register_why,
    ):
        register(to)
    for entry in sorted(entry_points(group="ugs.commands"), key=lambda entry: entry.name):
        try:
            entry.load()(to)
        except Exception as error:  # whatever somebody else's package does wrong
            package = entry.dist.name if entry.dist is not None else "unknown"
            typer.echo(f"ugs: package {package}: its commands ({entry.value}) cannot be loaded: {error}", err=True)


add_commands(app)
