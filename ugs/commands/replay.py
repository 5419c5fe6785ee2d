"""The command ``ugs replay``: its options. What it does is in :mod:`ugs.commands.replay_run`.

Exit codes: 0 shown, or all the same; 1 something differs, or cannot be read or played; 2 wrong usage.
"""

import shlex
from collections.abc import Sequence
from typing import Annotated, Any

import typer

from ugs.commands.option_groups import OptionGroup, with_groups
from ugs.commands.place_option import place_option


class ShownOptions(OptionGroup):
    """How a game is shown on the terminal."""

    speed: Annotated[
        float | None, typer.Option(min=0, help="Speed factor, 2 for twice as fast; 0: do not wait.  [default: 1]")
    ] = None
    full: Annotated[bool, typer.Option("--full", help="Payloads instead of pictures, none of them shortened.")] = False
    raw: Annotated[bool, typer.Option("--raw", help="Payloads instead of pictures.")] = False
    words: Annotated[
        bool, typer.Option("--words", help="Only the moves in words, without pictures, and without waiting.")
    ] = False
    steps: Annotated[bool, typer.Option("--step", help="On a terminal: wait for a key at each position.")] = False
    viewer: Annotated[
        str | None, typer.Option(metavar="NICK", help="Show what this player saw.  [default: the public view]")
    ] = None

    @property
    def given(self) -> bool:
        """Whether any of the options is on the command line."""
        payloads = self.full or self.raw
        return self.speed is not None or payloads or self.words or self.steps or self.viewer is not None


class AgainOptions(OptionGroup):
    """Who plays a game again, and what is compared."""

    master: Annotated[
        str | None, typer.Option(metavar="CMD", help="Let this game master lead the game again and compare its states.")
    ] = None
    nick: Annotated[
        str | None, typer.Option("--as", metavar="NICK", help="Let CMD play for NICK again and compare its moves.")
    ] = None
    position: Annotated[
        bool,
        typer.Option("--position", help="With --as: only whether its moves are legal counts, not which they are."),
    ] = False
    timeout: Annotated[
        float, typer.Option(min=0.01, help="Seconds that a master or player may take to connect, or for an answer.")
    ] = 10.0


@with_groups
def replay(
    *,
    game: Annotated[str, typer.Argument(help="A file (.ugsg or .jsonl) with one game, or an id with --data-dir.")],
    command: Annotated[
        list[str] | None, typer.Argument(metavar="-- CMD...", help="With --as: the player's command line.")
    ] = None,
    data_dir: Annotated[Any, place_option("Directory where a server keeps its journal")] = None,
    shown: ShownOptions,
    again: AgainOptions,
) -> None:
    """Play a recorded game again: on the terminal, against a game master, or against a player.

    On the terminal every position is a picture, with the moves in words (with --words, these alone); with --raw, the
    payloads are shown instead.

    A master or player is started by its command line, where {address}, {host} and {port} are replaced by the address to
    connect to; the environment has the same as UGS_ADDRESS, UGS_HOST and UGS_PORT. A player that chooses by chance
    needs the seed that it had in the game.

    Examples:

        ugs replay game.ugsg --speed 10

        ugs replay game.ugsg --step --viewer ann

        ugs replay game.ugsg --words

        ugs replay 3f9a --data-dir data --master "ugs master tic-tac-toe --connect {address} --once"

        ugs replay game.ugsg --as ann -- ugs bot tic-tac-toe --nick ann --seed 7 --connect {address} --once
    """
    _check_usage(command, shown, again)
    from ugs.commands import replay_run

    speed = 1.0 if shown.speed is None else shown.speed
    with replay_run.failures():
        if again.master is not None:
            replay_run.against_master(_words(again.master), again.timeout, game, data_dir)
        elif again.nick is not None:
            against = replay_run.in_last_position if again.position else replay_run.against_player
            against(command or [], again.timeout, game, data_dir, again.nick)
        elif shown.full or shown.raw:
            replay_run.payloads(game, data_dir, speed, full=shown.full)
        elif shown.words:
            replay_run.words(game, data_dir, shown.viewer, shown.speed or 0.0)
        else:
            replay_run.pictures(game, data_dir, shown.viewer, speed, steps=shown.steps)


def _check_usage(command: Sequence[str] | None, shown: ShownOptions, again: AgainOptions) -> None:
    """Raises typer.BadParameter."""
    if again.master is not None and again.nick is not None:
        raise typer.BadParameter("--master and --as exclude each other")
    if (again.nick is not None) != bool(command):
        raise typer.BadParameter("--as NICK and -- CMD... go together", param_hint="--as")
    if (again.master is not None or again.nick is not None) and shown.given:
        options = "--speed, --full, --raw, --words, --step and --viewer"
        raise typer.BadParameter(f"{options} not with --master or --as")
    if again.master is not None:
        _words(again.master)
    if again.position and again.nick is None:
        raise typer.BadParameter("it goes with --as NICK", param_hint="--position")
    if shown.words and (shown.full or shown.raw or shown.steps):
        raise typer.BadParameter("not with --full, --raw or --step", param_hint="--words")
    if shown.viewer is not None and (shown.full or shown.raw):
        raise typer.BadParameter(
            "pictures are seen by a viewer; --raw and --full show all payloads", param_hint="--viewer"
        )


def _words(command: str) -> list[str]:
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise typer.BadParameter(f"{command!r}: {error}", param_hint="--master") from None
    if not words:
        raise typer.BadParameter("the command is empty", param_hint="--master")
    return words
