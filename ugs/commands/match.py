"""The command `ugs match`: its options. What it does is in :mod:`ugs.commands.match_run`."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from ugs.commands.failure import WRONG_USAGE, failure
from ugs.commands.game_names import bot_words
from ugs.commands.game_names import games as games_named
from ugs.commands.named_values import named_values
from ugs.commands.option_groups import OptionGroup, with_groups


class MatchOutput(StrEnum):
    """How the result is written."""

    TABLE = "table"
    JSON = "json"
    CSV = "csv"
    JUNIT = "junit"
    TAP = "tap"


class MatchFormat(StrEnum):
    """Who plays whom."""

    ROUND_ROBIN = "round-robin"
    GAUNTLET = "gauntlet"
    SWISS = "swiss"
    KNOCK_OUT = "knock-out"


class SeatOrder(StrEnum):
    """Who sits where."""

    BALANCED = "balanced"
    FIXED = "fixed"


class ClockKind(StrEnum):
    """What limits of time count."""

    WALL = "wall"
    CPU = "cpu"


class Until(StrEnum):
    """When a match may end early."""

    BEST = "best"


class BotOptions(OptionGroup):
    """Who plays."""

    bot: Annotated[
        list[str] | None,
        typer.Option(
            "--bot",
            metavar="NAME=HOW",
            help="A bot, as often as there are bots. HOW is a command with {host}, {port} and {nick} in it, "
            "builtin:NAME, python:MODULE:OBJECT, or connect for a program that you start yourself.",
            autocompletion=bot_words,
        ),
    ] = None
    plan: Annotated[
        Path | None, typer.Option(dir_okay=False, help="A file (TOML) with the same settings; options go before it.")
    ] = None


class ScheduleOptions(OptionGroup):
    """How many games, how many of them at once, and in which seats and positions."""

    games: Annotated[
        int | None,
        typer.Option(
            help="Games to play, rounded up to whole sets of seat orders.  [default: 100; with --sprt at most 10000]"
        ),
    ] = None
    concurrency: Annotated[int | None, typer.Option(help="Games at once.  [default: 1]")] = None
    players: Annotated[
        int | None, typer.Option(help="Players of one game.  [default: as many of the bots as the game takes]")
    ] = None
    seats: Annotated[
        SeatOrder | None, typer.Option(help="balanced: all orders of seats; fixed: as named.  [default: balanced]")
    ] = None
    openings: Annotated[
        Path | None,
        typer.Option(
            help="A folder of fixtures, a file with [[opening]] tables, or a book that the game reads; each is played "
            "in all orders of seats."
        ),
    ] = None


class EndOptions(OptionGroup):
    """When the match ends early."""

    sprt: Annotated[
        list[str] | None,
        typer.Option(
            metavar="elo0=… elo1=…",
            help="End when it is decided which of two hypotheses holds of the first bot; also alpha=, beta=, "
            "model=normalised or logistic.",
        ),
    ] = None
    until: Annotated[Until | None, typer.Option(help="best: end when the first is better than the second.")] = None


class LimitOptions(OptionGroup):
    """How long a move and a game may take."""

    time: Annotated[
        str | None, typer.Option(metavar="MS+INC", help="Milliseconds of a player for a game, and more for each move.")
    ] = None
    move_timeout: Annotated[float | None, typer.Option(help="Seconds for one move.  [default: 30]")] = None
    connect_timeout: Annotated[
        float | None, typer.Option(help="Seconds that a program may take to log in.  [default: 600]")
    ] = None
    clock: Annotated[
        ClockKind | None,
        typer.Option(help="What --soft-ms and --hard-ms count: wall time, or that of processors.  [default: wall]"),
    ] = None
    soft_ms: Annotated[int | None, typer.Option(help="Milliseconds of one move; beyond them it is a strike.")] = None
    strikes: Annotated[int | None, typer.Option(help="Strikes that a bot may have in a game.  [default: 0]")] = None
    hard_ms: Annotated[int | None, typer.Option(help="Milliseconds of one move; beyond them the game is lost.")] = None


class PlayedOptions(OptionGroup):
    """Who plays whom, with which options and chance."""

    format: Annotated[MatchFormat | None, typer.Option(help="Who plays whom.  [default: round-robin]")] = None
    seed: Annotated[str | None, typer.Option(help="Of all chance: of games and of bundled bots.  [default: 1]")] = None
    option: Annotated[
        list[str] | None, typer.Option("--option", metavar="K=V", help="An option of the game; as often as needed.")
    ] = None
    master: Annotated[
        str | None,
        typer.Option(
            metavar="CMD",
            help="Command of a game master of your own, in any language, with {address}, or {host} and {port}, in it. "
            "GAME is its game type then.",
        ),
    ] = None


class RunOptions(OptionGroup):
    """Where the match is played and kept, and how its result is written."""

    data_dir: Annotated[
        Path | None, typer.Option(file_okay=False, help="Keep everything in this folder, to look at or go on with.")
    ] = None
    cluster: Annotated[
        str | None,
        typer.Option(
            metavar="WHERE",
            help="Play in batches on other machines: tcp://HOST:PORT or tls://HOST:PORT of a Dask scheduler, or "
            "local:N for N workers here.",
        ),
    ] = None
    output: Annotated[MatchOutput | None, typer.Option(help="How the result is written.  [default: table]")] = None
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with the match in --data-dir; nothing else is needed.")
    ] = False


@with_groups
def match(
    *,
    game: Annotated[
        str | None, typer.Argument(help="Name of an installed game; see `ugs games`.", autocompletion=games_named)
    ] = None,
    test: Annotated[
        list[str] | None, typer.Argument(metavar="[elo0=… elo1=…]", help="More of --sprt, without quotes.")
    ] = None,
    bots: BotOptions,
    schedule: ScheduleOptions,
    end: EndOptions,
    limits: LimitOptions,
    played: PlayedOptions,
    run: RunOptions,
) -> None:
    """Is it better? Let bots play each other, and print what the results are worth.

    Starts a server, a game master and the bots, and starts bots again that crash. The first line is the command that
    repeats the match. Ctrl-C ends it and shows what it has come to.

    Examples:

        ugs match tic-tac-toe --bot new="./new.py {address} {nick}" --bot old=builtin:threats --games 200

        ugs match tic-tac-toe --bot a=builtin:threats --bot b=builtin:random --sprt elo0=0 elo1=20

        ugs match connect-four --master "node master.mjs {host} {port}" --bot a="./a {address} {nick}" --bot b=connect

        ugs match --plan match.toml --data-dir data

        ugs match --plan match.toml --cluster tcp://10.0.0.5:8786

        ugs match --resume --data-dir data
    """
    from ugs.commands.match_run import run_match  # a shell that asks for the options does not wait for all this to load
    from ugs.match.match_settings import WrongMatch, parse_sprt
    from ugs.match.programs import MatchFailed

    options: dict[str, Any] = {"game": game, "until": end.until}
    for group in (schedule, limits, played, run):
        options |= vars(group)
    resume = options.pop("resume")
    for name in ("move_timeout", "connect_timeout"):
        options[f"{name}_s"] = options.pop(name)
    options = {key: str(value) if isinstance(value, Path | StrEnum) else value for key, value in options.items()}
    options["bots"] = named_values("ugs match", "--bot", bots.bot)
    options["option"] = named_values("ugs match", "--option", played.option)
    stray = next((word for word in test or () if "=" not in word), None)
    try:
        if stray is not None:
            raise WrongMatch(f"unexpected argument {stray!r}: each bot follows --bot, as NAME=HOW")
        if end.sprt or test:
            options["sprt"] = parse_sprt(" ".join([*(end.sprt or ()), *(test or ())]))
        wanted = {key: value for key, value in options.items() if value is not None}
        raise typer.Exit(run_match(wanted, bots.plan, resume))
    except WrongMatch as error:
        raise failure("ugs match", str(error), WRONG_USAGE) from None
    except MatchFailed as error:
        raise failure("ugs match", error) from None
