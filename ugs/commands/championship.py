"""The commands ``ugs championship …``: plan one, look at it, step in.

Looking works on the data directory alone. Orders go to the server that runs on it; who gave them and why is kept in
the ledger of the championship.
"""

import getpass
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from ugs.admin import NoAnswer, NoServer, ask
from ugs.commands.failure import FAILED, WRONG_USAGE, failure
from ugs.commands.game_names import championship_names
from ugs.commands.installed_options import refused_options
from ugs.commands.misplaced import OrdersOfChampionships
from ugs.commands.place_option import place_option
from ugs.places import Place
from ugs.printable import safe
from ugs.type_hint import type_hint


def login_name() -> str:
    """The name of the user who runs the command; a number where the system knows no name."""
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):
        # In a container a user may be a number without a name.
        return f"user {os.getuid()}"


DataDir = Annotated[Any, place_option("Data directory of the server")]
Name = Annotated[
    str, typer.Argument(metavar="NAME", help="Name of the championship.", autocompletion=championship_names)
]
Why = Annotated[str, typer.Option("--why", help="The reason; it is kept in the ledger.")]
Who = Annotated[
    str,
    typer.Option(
        "--who",
        envvar="UGS_WHO",
        default_factory=login_name,
        help="Who gives the order, as people will read it.",
        show_default="your login name",
    ),
]
Form = Annotated[Literal["text", "json"], typer.Option("--format", help="text: for people; json: everything.")]

Results = Annotated[
    list[str],
    typer.Option(
        "--result", metavar="NICK=WORD", help="won, lost or drawn; without NICK=: for all others. May be repeated."
    ),
]
Counting = Annotated[str, typer.Argument(metavar="GAME", help="Id of a game that counts (its beginning), or #N.")]
Deciding = Annotated[str, typer.Argument(metavar="GAME", help="Id of a game (its beginning), or #N: the fixture.")]
Nick = Annotated[str, typer.Argument(metavar="NICK", help="The entrant.")]
WORDS = ("won", "lost", "drawn")

championship = typer.Typer(
    cls=OrdersOfChampionships,
    help="Plan championships, look at them, step in.",
    no_args_is_help=True,
)


@championship.command()
def plan(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The plan; `ugs example championship.toml` prints one.")],
    who: Who,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only print what the plan would come to.")] = False,
    entrants: Annotated[
        int | None, typer.Option(min=2, help="With --dry-run: how many play.  [default: as many as in the plan]")
    ] = None,
    seats: Annotated[
        int | None, typer.Option(min=2, help="With --dry-run: players of a game.  [default: those of the plan, or 2]")
    ] = None,
    game_s: Annotated[float, typer.Option(min=0, help="With --dry-run: seconds that a game takes.")] = 60.0,
    at_a_time: Annotated[
        int, typer.Option(min=0, help="With --dry-run: games at a time at most; 0: as many as can be.")
    ] = 0,
    data_dir: Annotated[Any, place_option("Data directory of the running server")] = None,
) -> None:
    """Announce a championship to the running server, or print beforehand what it would come to.

    Examples:

        ugs championship plan spring.toml --dry-run --entrants 12 --game-s 20

        ugs championship plan spring.toml --data-dir data
    """
    from ugs.commands import championship_plan

    planned = championship_plan.read(file, data_dir)
    _warn_of_game(planned.game_type, planned.options)
    if dry_run:
        championship_plan.foretell(planned, entrants, seats, game_s, at_a_time)
        return
    if data_dir is None:
        raise _stop("give --data-dir of the server that plays it, or --dry-run", WRONG_USAGE)
    _order(data_dir, {"ask": "plan", "plan": planned.plain(), "who": who})
    begins = f"; it begins at {planned.hour_text}" if planned.hour_text else ""
    typer.echo(f"championship {safe(planned.name)} is announced{begins}")


@championship.command()
def edit(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The whole new plan, under the name it had.")],
    why: Why,
    who: Who,
    data_dir: DataDir,
) -> None:
    """Change the plan of a championship: everything before it begins, later only what nothing drawn depends on.

    Example:

        ugs championship edit spring.toml --why "an hour later" --data-dir data
    """
    from ugs.commands import championship_plan

    planned = championship_plan.read(file, data_dir)
    _warn_of_game(planned.game_type, planned.options)
    _give_reason(why)
    _order(data_dir, {"ask": "edit", "plan": planned.plain(), "who": who, "why": why})
    typer.echo(f"championship {safe(planned.name)} has its new plan")


@championship.command("list")
def list_(data_dir: DataDir, form: Form = "text") -> None:
    """List the championships there are and were.

    Example:

        ugs championship list --data-dir data
    """
    from ugs.commands import championship_show

    championship_show.show_all(data_dir, form)


@championship.command()
def show(
    name: Name,
    data_dir: DataDir,
    form: Form = "text",
    ledger: Annotated[bool, typer.Option("--ledger", help="Only the ledger, entry by entry.")] = False,
    whole: Annotated[bool, typer.Option("--all", help="Each game that is open, not the first three alone.")] = False,
) -> None:
    """Show a championship: standings, bracket or cross table, rounds with their scores, what is open, who stepped in.

    Examples:

        ugs championship show spring --data-dir data

        ugs championship show spring --ledger --data-dir data
    """
    from ugs.commands import championship_show

    championship_show.show_one(data_dir, name, form, ledger=ledger, whole=whole)


@championship.command()
def pause(name: Name, why: Why, who: Who, data_dir: DataDir) -> None:
    """Begin no new game; those that run are played to their end.

    Example:

        ugs championship pause spring --why "fire alarm" --data-dir data
    """
    _step_in(data_dir, "pause", name, "", who, why)
    typer.echo(f"championship {safe(name)} is paused")


@championship.command()
def resume(name: Name, who: Who, data_dir: DataDir, why: Why = "") -> None:
    """Begin games again.

    Example:

        ugs championship resume spring --data-dir data
    """
    _step_in(data_dir, "resume", name, "", who, why)
    typer.echo(f"championship {safe(name)} goes on")


@championship.command()
def withdraw(
    name: Name,
    nick: Nick,
    why: Why,
    who: Who,
    data_dir: DataDir,
) -> None:
    """Take an entrant out for good; the plan sets what becomes of its results. A place that it has, it keeps: see
    disqualify.

    Example:

        ugs championship withdraw spring ann --why "went home" --data-dir data
    """
    _step_in(data_dir, "withdraw", name, nick, who, why)
    typer.echo(f"{safe(nick)} is out of championship {safe(name)}")


@championship.command()
def disqualify(name: Name, nick: Nick, why: Why, who: Who, data_dir: DataDir) -> None:
    """Take an entrant out for good and its place away, also after the end: it stands last and wins nothing. What it
    played counts for the others.

    Example:

        ugs championship disqualify spring ann --why "plays with help" --data-dir data
    """
    _step_in(data_dir, "disqualify", name, nick, who, why)
    typer.echo(f"{safe(nick)} is disqualified in championship {safe(name)}")


@championship.command()
def replay(
    name: Name,
    game: Annotated[str, typer.Argument(metavar="GAME", help="The id of a game that counts.")],
    why: Why,
    who: Who,
    data_dir: DataDir,
) -> None:
    """Let a game not count, and play it again.

    Example:

        ugs championship replay spring uQ3xW0dE9fT1aB5cK7mN2w --why "wrong rules" --data-dir data
    """
    _step_in(data_dir, "replay", name, game, who, why)
    typer.echo(f"game {safe(game)} does not count in championship {safe(name)} any more and is played again")


@championship.command()
def correct(name: Name, game: Counting, result: Results, why: Why, who: Who, data_dir: DataDir) -> None:
    """Put the result of a game right; the old one is kept and shown. Also after the end.

    Example:

        ugs championship correct spring uQ3xW0dE9fT1aB5cK7mN2w --result ann=won --why "wrong clock" --data-dir data
    """
    _step_in(data_dir, "correct", name, game, who, why, parsed_results(result))
    typer.echo(f"game {safe(game)} is corrected in championship {safe(name)}")


@championship.command()
def adjudicate(name: Name, game: Deciding, result: Results, why: Why, who: Who, data_dir: DataDir) -> None:
    """Decide a game that has no result: one that is void, given up, played right now or not begun.

    Example:

        ugs championship adjudicate spring '#17' --result drawn --why "power cut" --data-dir data
    """
    _step_in(data_dir, "adjudicate", name, game, who, why, parsed_results(result))
    typer.echo(f"game {safe(game)} is decided in championship {safe(name)}")


@championship.command()
def enter(name: Name, nick: Nick, why: Why, who: Who, data_dir: DataDir) -> None:
    """Take one more entrant in: in a Swiss from the next round on, in a league from the next season on. Or take back
    that one is out: who was disqualified has its place again, and in a Swiss and a ladder it plays on.

    Examples:

        ugs championship enter spring zoe --why "her train was late" --data-dir data

        ugs championship enter spring ann --why "it was her brother" --data-dir data
    """
    _step_in(data_dir, "enter", name, nick, who, why)
    typer.echo(f"{safe(nick)} is an entrant of championship {safe(name)}")


@championship.command()
def bye(
    name: Name,
    nick: Nick,
    why: Why,
    who: Who,
    data_dir: DataDir,
    round_: Annotated[int, typer.Option("--round", min=1, help="A round of a Swiss that is not drawn yet.")],
) -> None:
    """Let an entrant of a Swiss sit out a round; it counts like any bye.

    Example:

        ugs championship bye spring ann --round 3 --why "exam" --data-dir data
    """
    _step_in(data_dir, "bye", name, nick, who, why, round_=round_)
    typer.echo(f"{safe(nick)} sits out round {round_} of championship {safe(name)}")


@championship.command()
def cancel(name: Name, why: Why, who: Who, data_dir: DataDir) -> None:
    """End it: nothing more is played, what counted stands. Games that run do not count.

    Example:

        ugs championship cancel spring --why "too few came" --data-dir data
    """
    _step_in(data_dir, "cancel", name, "", who, why)
    typer.echo(f"championship {safe(name)} is cancelled")


def parsed_results(results: Sequence[str]) -> dict[str, str]:
    """Parse ``--result``: by nick won, lost or drawn; a word without a nick holds for all others. Ends the command when
    it is anything else."""
    found: dict[str, str] = {}
    for text in results:
        # A nick may hold a = itself.
        nick, _, word = text.rpartition("=")
        if word not in WORDS or nick in found:
            allowed = "NICK=won, NICK=lost, NICK=drawn, or drawn, each nick once"
            raise _stop(f"--result {text!r}: allowed: {allowed}", WRONG_USAGE)
        found[nick] = word
    return found


# Asking the server.


def _warn_of_game(game_type: str, options: Mapping[str, str]) -> None:
    """Warn where a plan names a package instead of the type of its game, and where an installed game of this type
    refuses its options; another game may be meant."""
    if hint := type_hint(game_type):
        typer.echo(f"ugs championship: warning: game_type = {safe(game_type)!r}{hint}", err=True)
    if wrong := refused_options(game_type, options):
        typer.echo(f"ugs championship: warning: {safe(wrong)}", err=True)


def _stop(text: str, code: int) -> typer.Exit:
    return failure("ugs championship", text, code)


def _give_reason(why: str) -> None:
    if not why.strip():
        raise _stop("give --why TEXT: a reason is kept with the order", WRONG_USAGE)


def _step_in(
    data_dir: Place,
    kind: str,
    name: str,
    subject: str,
    who: str,
    why: str,
    results: Mapping[str, str] | None = None,
    round_: int = 0,
) -> None:
    if kind != "resume":
        _give_reason(why)
    request: dict[str, object] = {
        "ask": "order",
        "kind": kind,
        "championship": name,
        "subject": subject,
        "who": who,
        "why": why,
    }
    if results is not None:
        request["results"] = results
    if round_:
        request["round"] = round_
    _order(data_dir, request)


def _order(data_dir: Place, request: Mapping[str, object]) -> None:
    """Let the server do this; ends the command when it does not."""
    try:
        answer = ask(data_dir, request)
    except (NoServer, NoAnswer) as error:
        raise _stop(f"{error}; an order needs a running server", FAILED) from None
    if not answer["ok"]:
        raise _stop(str(answer["error"]), FAILED)
    if "warning" in answer:
        typer.echo(f"ugs championship: warning: {safe(str(answer['warning']))}", err=True)
