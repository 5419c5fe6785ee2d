"""The command ``ugs tour``: ten guided minutes. Each step explains one thing and runs a command."""

import json
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final

import typer

from ugs.path_faults import reason_of

GAME: Final = "tic-tac-toe"
FOLDER: Final = Path("ugs-tour")


@dataclass(frozen=True, slots=True)
class Step:
    """One thing to see."""

    title: str
    text: str
    command: str
    """What is run behind ``ugs``; ``{python}`` is the interpreter, ``{game}`` the last game of the match, and paths are
    in the folder of the tour."""


STEPS: Final = (
    Step(
        "What can be played",
        "A game master leads games, bots play them, and the server in between looks into no move. These games come "
        "with ugs; with the name of one, its options and bots are listed.",
        "games",
    ),
    Step(
        "Which bot is better",
        "A match starts a server, a game master and the bots by itself. Here two bundled bots play four games.",
        f"match {GAME} --bot threats=builtin:threats --bot random=builtin:random --games 4 --data-dir match",
    ),
    Step("What was kept", "Each game is kept with all its messages.", "record list --data-dir match/server"),
    Step(
        "Why a player won or lost",
        "Of a game, a player or a master that is known to a server, ugs explains why things are so. Here of the last "
        "game of the match; `threats` in its place lists what that bot has played.",
        "why {game} --data-dir match/server --last 2",
    ),
    Step(
        "A bot of your own",
        "This writes a whole bot in Python without anything else; move in bot.py is where your ideas go. "
        "`ugs new languages` lists the other languages.",
        "new bot mybot",
    ),
    Step(
        "Is it right?",
        "A check plays the other side around a program in hundreds of ways. These are a few; without --only it is all.",
        f"check bot --game {GAME} --only glued/* --only void/* -- "
        # In two braces each, since the check fills these in and not the tour.
        "{python} mybot/bot.py {{host}} {{port}} ann",
    ),
    Step(
        "Is it better?",
        "Now it plays against a bundled bot. Change move in mybot/bot.py and run this again.",
        f'match {GAME} --bot mine="{{python}} mybot/bot.py {{{{host}}}} {{{{port}}}} {{{{nick}}}}" '
        "--bot random=builtin:random --games 4",
    ),
)
LAST: Final = (
    "That was it. From here: `ugs example bot-writer.md` for writers of bots, `ugs example master-writer.md` for those "
    "of game masters, `ugs serve --data-dir data` for a server of your own, `ugs demo` to look on with a browser."
)


def tour(
    folder: Annotated[Path, typer.Option(file_okay=False, help="Where the files of the tour go.")] = FOLDER,
    yes: Annotated[bool, typer.Option("--yes", help="Do not wait for Enter between the steps.")] = False,
) -> None:
    """Ten guided minutes: games, a match, why a player lost, a bot of your own, a check of it.

    Each step explains itself and shows its command before it runs. q ends the tour; what it has made stays
    in its folder.

    Examples:

        ugs tour

        ugs tour --yes --folder /tmp/tour
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        typer.echo(f"ugs tour: {folder}: {reason_of(error)}", err=True)
        raise typer.Exit(1) from None
    if (folder / "match").exists():
        typer.echo(f"ugs tour: {folder} holds an earlier tour: remove it, or take another --folder", err=True)
        raise typer.Exit(1)
    for number, step in enumerate(STEPS, 1):
        typer.secho(f"\n{number} of {len(STEPS)}: {step.title}\n", bold=True)
        typer.echo(f"{_wrapped(step.text)}\n\n$ ugs {filled(step, folder, 'python3')}")
        if not yes and not _goes_on():
            return
        code = run(step, folder)
        if code:
            typer.echo(f"ugs tour: this command has ended with {code}; the tour ends here", err=True)
            raise typer.Exit(code)
    typer.echo(f"\n{_wrapped(LAST)}\n\nThe files are in {folder}.")


def run(step: Step, folder: Path) -> int:
    """Run the command of a step in the folder; its exit code."""
    words = [sys.executable, "-m", "ugs", *shlex.split(filled(step, folder, shlex.quote(sys.executable)))]
    return subprocess.run(words, cwd=folder, check=False).returncode


def filled(step: Step, folder: Path, python: str) -> str:
    """The command of a step with the interpreter and, where it wants one, the last game of the match in the folder;
    GAME where none is kept there."""
    game = _last_game(folder) if "{game}" in step.command else ""
    return step.command.format(python=python, game=game)


def _last_game(folder: Path) -> str:
    words = ["record", "list", "--data-dir", str(folder / "match" / "server"), "--limit", "1", "--format", "json"]
    done = subprocess.run([sys.executable, "-m", "ugs", *words], capture_output=True, text=True, check=False)
    games = json.loads(done.stdout)["games"] if done.returncode == 0 else []
    return str(games[0]["game"]) if games else "GAME"


def _goes_on() -> bool:
    typer.echo("[Enter runs it, q ends the tour] ", nl=False)
    try:
        return input().strip().lower() not in ("q", "quit", "exit")
    except (EOFError, KeyboardInterrupt):
        typer.echo("")
        return False


def _wrapped(text: str) -> str:
    width, lines = min(100, shutil.get_terminal_size().columns), [""]
    for word in text.split():
        lines = [*lines[:-1], f"{lines[-1]} {word}".strip()] if len(lines[-1]) + len(word) < width else [*lines, word]
    return "\n".join(lines)
