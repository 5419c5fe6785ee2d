"""The commands ``ugs check bot``, ``master`` and ``cases``: their options. What they do is in
:mod:`ugs.commands.check_run`.

Exit codes: 0 no case has failed, or with --lenient none that a program must pass; 1 some have failed, or nothing could
be tried; 2 wrong usage.
"""

from enum import StrEnum
from typing import Annotated

import typer

from ugs.commands.game_names import games


class CheckOutput(StrEnum):
    """How the result is written."""

    CONSOLE = "console"
    JUNIT = "junit"
    TAP = "tap"


class TriedSide(StrEnum):
    """Who is on trial."""

    BOT = "bot"
    MASTER = "master"


Command = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="-- CMD...", help="Command line of the program, with {address}, or {host} and {port}, in it."
    ),
]
Listen = Annotated[
    str | None,
    typer.Option("--listen", metavar="HOST:PORT", help="Wait here for a program that you start by hand; no CMD then."),
]
Only = Annotated[
    list[str] | None,
    typer.Option("--only", metavar="PATTERN", help="Try these cases only, such as turn/*; as often as needed."),
]
Timeout = Annotated[float, typer.Option(min=0.1, help="Seconds that the program has for an answer.")]
Written = Annotated[CheckOutput, typer.Option("--output", help="How the result is written.")]
Lenient = Annotated[bool, typer.Option("--lenient", help="Exit with 0 when only cases of the level should fail.")]

check = typer.Typer(
    help="Does this bot, or this game master, speak the protocol? Play the other side around it, in hundreds of ways.",
    no_args_is_help=True,
)


@check.command("bot")
def check_bot(
    game: Annotated[
        str,
        typer.Option(
            "--game",
            help="Name of an installed game; see `ugs games`. With --master: a game type.  [default: that of --master]",
            autocompletion=games,
            show_default=False,
        ),
    ] = "",
    command: Command = None,
    master: Annotated[
        str,
        typer.Option(
            metavar='"CMD"',
            help="Command line of the game master of a game of your own, with {address}, or {host} and {port}, in it; "
            "opponents make the moves that its sketches offer.",
            show_default=False,
        ),
    ] = "",
    listen: Listen = None,
    only: Only = None,
    timeout: Timeout = 10.0,
    output: Written = CheckOutput.CONSOLE,
    lenient: Lenient = False,
) -> None:
    """Try a bot: server, game master and opponents are played around it.

    Documents come in pieces and glued, written in other ways and with more than is known; nicks, ids and texts are
    unusual; games end in each way; lines are cut. What it sends is held to the protocol all the time.

    Examples:

        ugs check bot --game tic-tac-toe -- python3 mybot.py {host} {port} ann

        ugs check bot --master "./mymaster {host} {port}" -- ./mybot {host} {port} ann

        ugs check bot --game tic-tac-toe --listen 127.0.0.1:9000

        ugs check bot --game tic-tac-toe --output junit -- ./mybot {address} > check.xml
    """
    from ugs.commands import check_run

    check_run.run_bot(game, master, command or [], listen, only or [], timeout, output, lenient=lenient)


@check.command("master")
def check_master(
    command: Command = None,
    game_type: Annotated[
        str, typer.Option("--game-type", help="The game type that it has to lead.  [default: the one it names]")
    ] = "",
    listen: Listen = None,
    only: Only = None,
    timeout: Timeout = 10.0,
    output: Written = CheckOutput.CONSOLE,
    lenient: Lenient = False,
) -> None:
    """Try a game master: server and players are played around it.

    Where the rules of its game are installed, it is given legal moves and spoiled ones, and the verdicts of 100 games
    are compared. For other games the moves are those that it offers in its sketches; without sketches the cases are
    tried that need no moves.

    Examples:

        ugs check master -- ./mymaster {host} {port}

        ugs check master --game-type 5-in-line-tic-tac-toe --listen 127.0.0.1:9000
    """
    from ugs.commands import check_run

    check_run.run_master(game_type, command or [], listen, only or [], timeout, output, lenient=lenient)


@check.command("cases")
def cases(side: Annotated[TriedSide, typer.Argument(help="Whose cases.")]) -> None:
    """List the cases as a table: name, level, what is tried, and the sentence of schemas/README.md that it is based on.

    Examples:

        ugs check cases bot
    """
    from ugs.commands import check_run

    check_run.list_cases(side)
