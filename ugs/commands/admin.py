"""The commands ``ugs admin …``: what an organiser does to a running server, outside of any championship.

Each is an act: the server does it or says why not, and its journal keeps who did it, when and why. Who did it is the
user of the operating system, as the server sees it at its socket.
"""

from pathlib import Path
from typing import Annotated, Any

import typer

from ugs.admin import NoAnswer, NoServer, ask
from ugs.broker.questions import ActKind
from ugs.commands.failing import WRONG_USAGE, failure
from ugs.terminal import safe

DataDir = Annotated[Path, typer.Option(envvar="UGS_DATA_DIR", help="Data directory of the running server.")]
Why = Annotated[str, typer.Option("--why", help="The reason; the journal keeps it.")]

admin = typer.Typer(
    help="Step in on a running server: forget a nick.",
    no_args_is_help=True,
)


@admin.callback()
def group() -> None:
    """Step in on a running server: forget a nick."""


@admin.command()
def forget(
    nick: Annotated[str, typer.Argument(metavar="NICK", help="The nick, exactly as it stands in the standings.")],
    why: Why,
    data_dir: DataDir,
    game_type: Annotated[str, typer.Option("--type", help="Only for this game type.  [default: all]")] = "",
) -> None:
    """Take the row of a nick out of the standings of open play, for good.

    What the nick has played stays in the journal, and counts for its opponents as before. Whoever comes back with this
    nick begins with 0 and 0. A nick that is here, sits in a running game, or is in a championship that is not over
    cannot be forgotten.

    Example:

        ugs admin forget "&&&" --why "nobody will ever play with it again" --data-dir data
    """
    answer = _act(data_dir, ActKind.FORGET, nick, game_type, why)
    typer.echo(safe(f"{nick} is forgotten in the standings of {', '.join(answer['game_types'])}"))


def _act(data_dir: Path, kind: ActKind, subject: str, game_type: str, why: str) -> dict[str, Any]:
    """Let the server do it, and return its answer; ends the command when it does not."""
    if not why.strip():
        raise failure("ugs admin", "--why is empty: the journal keeps a reason with the act", WRONG_USAGE)
    request = {"ask": "act", "kind": kind, "subject": subject, "game_type": game_type, "why": why}
    try:
        answer = ask(data_dir, request)
    except (NoServer, NoAnswer) as error:
        raise failure("ugs admin", f"{error}; an act needs a running server") from None
    if not answer["ok"]:
        raise failure("ugs admin", answer["error"])
    return answer
