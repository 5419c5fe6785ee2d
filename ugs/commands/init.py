"""The command ``ugs init``: five questions, and the folder of a contest."""

import sys
from pathlib import Path
from typing import Annotated, Final, get_args

import typer

from ugs.commands.demo_game import NoDemo, demo_game
from ugs.commands.example import files
from ugs.commands.failure import WRONG_USAGE, failure
from ugs.commands.game_names import games as games_named
from ugs.commands.init_folder import Auth, Contest, files_of, this_machine

UNITS: Final = ("ugs.service", "ugs-master@.service")
FORMATS: Final = ("round-robin", "swiss", "knock-out", "ladder", "gauntlet")
AUTHS: Final = get_args(Auth)


def init(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder; it must be empty, or not exist yet.")],
    title: Annotated[str | None, typer.Option(help="What the contest is called.")] = None,
    game: Annotated[
        str | None, typer.Option(help="What is played; `ugs games` lists those installed.", autocompletion=games_named)
    ] = None,
    public: Annotated[bool | None, typer.Option("--public/--local", help="Whether other machines may come in.")] = None,
    auth: Annotated[
        str | None, typer.Option(metavar="|".join(AUTHS), help="Who may use a name; see [access] in the settings.")
    ] = None,
    players: Annotated[
        int | None, typer.Option(min=0, max=1000, help="A championship begins with this many; 0: there is none.")
    ] = None,
    format: Annotated[
        str | None, typer.Option(metavar="|".join(FORMATS), help="Who plays whom.  [default: by the number of players]")
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Ask nothing; what is not given has its default.")] = False,
) -> None:
    """Make a folder for a contest: settings, plan, systemd units and a page with the next steps.

    Asks five questions, each with a default; what is given as an option is not asked.

    Examples:

        ugs init my-contest

        ugs init my-contest --yes --public --auth register --players 8
    """
    # systemd takes absolute paths only, and "." has no name to propose.
    folder = folder.absolute()
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise failure("ugs init", f"{folder}: is there already, and not empty")
    known = games_named()
    usual = "tic-tac-toe" if "tic-tac-toe" in known or not known else known[0]
    given = {"--title": title, "--game": game, "--public or --local": public, "--auth": auth, "--players": players}
    try:
        title = title if title is not None else _asked("What is the contest called?", folder.name, yes)
        game = game if game is not None else _asked(f"Which game? ({', '.join(known)})", usual, yes)
        if public is None:
            public = not yes and typer.confirm("May other machines come in?", default=False)
        auth = auth if auth is not None else _asked(f"Who may use a name? ({', '.join(AUTHS)})", AUTHS[0], yes)
        if players is None:
            asks = "With how many players does a championship begin? (0: none)"
            players = 0 if yes else typer.prompt(asks, 0, type=int)
    except typer.Abort:
        if sys.stdin.isatty():  # Ctrl-C
            raise
        typer.echo()  # the question has no answer, and stands on the line
        flags = ", ".join(flag for flag, value in given.items() if value is None)
        why = f"nothing is left on standard input that answers: use a terminal, or give {flags}, or --yes for defaults"
        raise failure("ugs init", why, WRONG_USAGE) from None
    contest = _contest(title, game, public, auth, players, format or "")
    units = {name: path.read_text(encoding="utf-8") for name, path in files().items() if name in UNITS}
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in files_of(contest, folder, this_machine(units)).items():
            (folder / name).write_text(text, encoding="utf-8")
            typer.echo(f"{folder.name}/{name}")
    except OSError as error:
        raise failure("ugs init", f"{folder}: {error.strerror or error}") from None
    typer.echo(f"\nNext: cd {folder.name}, then `ugs doctor`; README.md has the next steps.")


def _asked(question: str, default: str, yes: bool) -> str:
    return default if yes else str(typer.prompt(question, default)).strip()


def _contest(title: str, game: str, public: bool, auth: str, players: int, format: str) -> Contest:
    """What was decided. Raises typer.BadParameter and typer.Exit."""
    if not title.strip() or not title.isprintable() or len(title) > 64:
        raise typer.BadParameter("1 to 64 printable characters are wanted", param_hint="--title")
    found = next((known for known in AUTHS if known == auth), None)
    if found is None:
        raise typer.BadParameter(f"{auth!r}: allowed: {', '.join(AUTHS)}", param_hint="--auth")
    if format and format not in FORMATS:
        raise typer.BadParameter(f"{format!r}: allowed: {', '.join(FORMATS)}", param_hint="--format")
    if players == 1:
        raise typer.BadParameter("1: a championship needs at least two; 0: there is none", param_hint="--players")
    try:
        shown = demo_game(game)
    except NoDemo as error:
        raise failure("ugs init", error) from None
    return Contest(title.strip(), game, shown.game_type, public, found, players, format)
