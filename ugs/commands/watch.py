"""The command ``ugs watch``: its options. What it does is in :mod:`ugs.commands.watch_run`."""

from typing import Annotated, Literal

import typer

from ugs.address import DEFAULT_ADDRESS
from ugs.commands.option_groups import OptionGroup, with_groups
from ugs.commands.server_option import Connect
from ugs.commands.token_option import LoginOptions, token_in


class WatchOptions(OptionGroup):
    """What is watched, and from when on."""

    game: Annotated[str, typer.Option(metavar="ID", help="The game to watch: its id, or the beginning of it.")] = ""
    game_type: Annotated[str, typer.Option("--type", metavar="NAME", help="Watch all games of this type.")] = ""
    begin: Annotated[
        Literal["now", "begin"],
        typer.Option("--from", help="now: what happens from now on; begin: what was before, too."),
    ] = "now"
    delay: Annotated[
        float, typer.Option(min=0, metavar="SECONDS", help="Delay of everything you see; the server may require more.")
    ] = 0

    once: Annotated[bool, typer.Option("--once", help="End when the server stops, also with --type.")] = False


class WatchForm(OptionGroup):
    """How it is printed, if not as pictures."""

    as_lines: Annotated[bool, typer.Option("--lines", help="One line for each thing that happens, no pictures.")] = (
        False
    )
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON lines.")] = False


@with_groups
def watch(
    *,
    of_type: Annotated[str, typer.Argument(metavar="[TYPE]", help="The same as --type.", show_default=False)] = "",
    connect: Connect = DEFAULT_ADDRESS,
    watched: WatchOptions,
    form: WatchForm,
    nick: Annotated[str, typer.Option(help="Your name as a spectator.  [default: none]")] = "",
    login: LoginOptions,
) -> None:
    """Watch a game, or all games of a type, as pictures. Without a type and --game: list the games that run.

    On a terminal the picture stays in its place and shows one game at a time; elsewhere every picture is printed, of
    positions that come at once the newest. A game without pictures is shown as a tree of its master's states, with what
    has changed marked. Ends when the game is over; a game type is watched until Ctrl-C, also when the server was away
    meanwhile. What only one player may see is not shown to spectators.

    With --lines or --json: the id of the game, the number of the event, the seconds since the begin of the game, and
    what has happened, with the state as it was sent.

    Examples:

        ugs watch

        ugs watch 5-in-line-tic-tac-toe

        ugs watch --connect games.example.org:4747 --game uQ3xK9 --from begin

        ugs watch --type 5-in-line-tic-tac-toe --lines

        ugs watch --type 5-in-line-tic-tac-toe --delay 30 --json
    """
    if of_type and watched.game_type not in ("", of_type):
        raise typer.BadParameter(f"two game types: {of_type!r} and {watched.game_type!r}", param_hint="--type")
    game_type = watched.game_type or of_type
    if watched.game and game_type:
        raise typer.BadParameter("they exclude each other", param_hint="--game and --type")
    if form.as_lines and form.as_json:
        raise typer.BadParameter("--lines and --json exclude each other", param_hint="--lines")
    from ugs.commands import watch_run

    token = token_in(login.token_file)
    visit = watch_run.visit(watched.game, game_type, watched.begin, watched.delay, nick, token, once=watched.once)
    tls_context = login.tls.context()
    if not watched.game and not game_type:
        watch_run.list_running(connect, tls_context, visit, as_json=form.as_json)
        return
    if form.as_lines or form.as_json:
        watch_run.print_lines(connect, tls_context, visit, as_json=form.as_json)
    else:
        watch_run.show_pictures(connect, tls_context, visit)
