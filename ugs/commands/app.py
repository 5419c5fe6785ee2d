"""The command ``ugs``: which commands there are, and where each of them is.

Other packages add theirs through the entry-point group ``ugs.commands``: each entry is a function that takes the
application and adds commands to it, at best with :func:`ugs.commands.lazy.add_listed`, so that ``ugs --help`` stays
quick.
"""

from collections.abc import Sequence
from typing import Annotated, Any, Final

import typer

from ugs import __version__
from ugs.commands.lazy import BEGIN, BETTER, LOOK_ON, MARKUP, RUN, LazyGroup, add_listed
from ugs.loading import entry_points
from ugs.printable import safe

GROUPED: Final = {
    BEGIN: (
        (
            "demo",
            "Start a broker, a game master and some bots, and show a game and the table as they move, until Ctrl-C.",
        ),
        ("new", "Begin a bot, a game master or a game of your own: write a folder that works."),
        ("init", "Make a folder for a contest: settings, plan, systemd units and a page with the next steps."),
        (
            "example",
            "Print a file that comes with ugs, or copy a folder: a player or a game to begin with, a page of the "
            "manual, an XML schema of the protocol or of a game's moves and states.",
        ),
    ),
    LOOK_ON: (
        (
            "watch",
            "Watch a game, or all games of a type, as pictures. Without a type and --game: list the games that run.",
        ),
        ("lobby", "Look who is on a server, what is played there, and which tables you may sit down at."),
        ("standings", "Show who stands where: points, tie-breaks, faults, ratings and how sure one can be of them."),
        ("why", "Why does this player wait? Why did this game end so? What is the server doing?"),
        ("replay", "Play a recorded game again: on the terminal, against a game master, or against a player."),
        ("record", "The games that a journal keeps: list, show, export, import and rescue them."),
    ),
    BETTER: (
        ("match", "Is it better? Let bots play each other, and print what the results are worth."),
        (
            "check",
            "Does this bot, or this game master, speak the protocol? Play the other side around it, in hundreds "
            "of ways.",
        ),
        ("validate", "Check documents against the protocol: framing, envelope and XML schema."),
        (
            "sketch",
            "Show how a sketch of a game master looks, without a server and a game: on the terminal, or as a picture.",
        ),
    ),
    RUN: (
        ("serve", "Run the broker."),
        ("doctor", "Look at this machine and at a configuration, and advise what to do before a server starts."),
        ("config", "Print a configuration file with every setting, its default and what it does."),
        ("championship", "Plan championships, look at them, step in."),
        ("admin", "Step in on a running server: pause, stop, end games, remove, ban or forget a player."),
        (
            "token",
            "Print a link to the games of a bot of yours, as it saw them; or make, list and revoke the tokens of "
            "names.",
        ),
        ("site", "The page of a server as files, for any web server or a disk."),
        ("journal", "Back up or move a whole journal: results, games, tokens."),
        ("bench", "Measure what a relayed message costs the broker, beside two yardsticks under the same traffic."),
        (
            "soak",
            "Prove that no peer spoils it for others: attack a real server beside calm games, or crash everything.",
        ),
    ),
}
"""Name and one line of help, in the order of ``ugs --help``, by what they are for; the command NAME is
``ugs.commands.NAME:NAME``, except for those of :data:`ELSEWHERE`."""
COMMANDS: Final = tuple(command for commands in GROUPED.values() for command in commands)
LINE: Final = "ugs.line"
"""What is known of a command line while it is read: its words, for options that depend on others."""
VERBOSE: Final = "--verbose"
ELSEWHERE: Final = {"token": "ugs.commands.token_admin:tokens"}


class AllCommands(LazyGroup):
    """The commands, and what is printed where none is on the line."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Keep the line for :func:`show_version`; print the guide where it is empty."""
        # A shell that completes words gets no guide.
        if not args and not ctx.resilient_parsing:
            from ugs.commands.guide import guide  # no command waits for what it looks at

            typer.echo(guide(), nl=False)
            ctx.exit()
        ctx.meta[LINE] = tuple(args)
        return super().parse_args(ctx, args)


def show_version(context: typer.Context, wanted: bool) -> None:
    """Print the version, or with ``--verbose`` on the line all that belongs into a report, and end."""
    if not wanted:
        return
    if VERBOSE in context.meta[LINE]:
        from ugs.commands.versions import report  # only reports read what is installed

        typer.echo(report(), nl=False)
    else:
        typer.echo(f"ugs {__version__}")
    raise typer.Exit


def all_commands(
    version: Annotated[
        bool, typer.Option("--version", callback=show_version, is_eager=True, help="Print the version.")
    ] = False,
    verbose: Annotated[
        bool, typer.Option(VERBOSE, help="With --version: all that belongs into a report of a fault.")
    ] = False,
) -> None:
    """The universal game server: a broker for the XML protocol UGS v4, with game masters and bots.

    Examples:

        ugs demo

        ugs serve --data-dir data

        ugs master tic-tac-toe --connect 127.0.0.1:4747

        ugs bot tic-tac-toe --connect 127.0.0.1:4747 --nick me

        ugs new bot mybot

        ugs why me --data-dir data
    """
    if verbose:  # with --version the program has ended
        raise typer.BadParameter("only goes with --version; commands have --log-level", param_hint=VERBOSE)


def application(line: Sequence[str] = ()) -> typer.Typer:
    """The whole command line, with what installed packages add; no command is loaded yet. Nothing is looked for among
    packages where ``line`` begins with a command of ours."""
    app = typer.Typer(
        name="ugs",
        cls=AllCommands,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
        rich_markup_mode=MARKUP,
    )
    app.callback()(all_commands)
    for panel, commands in GROUPED.items():
        for name, help in commands:
            add_listed(app, name, ELSEWHERE.get(name, f"ugs.commands.{name}:{name}"), help, panel=panel)
    if not line or line[0] not in dict(COMMANDS):
        add_commands_of_packages(app)
    return app


def add_commands_of_packages(to: typer.Typer) -> None:
    """Add what installed packages offer; one that cannot be loaded is named, and hides nothing else."""
    for entry in sorted(entry_points(group="ugs.commands"), key=lambda entry: entry.name):
        try:
            entry.load()(to)
        except Exception as error:  # any error in another package
            package = entry.dist.name if entry.dist is not None else "unknown"
            why = safe(f"package {package}: its commands ({entry.value}) cannot be loaded: {error}")
            typer.echo(f"ugs: {why}", err=True)
