"""The command ``ugs new``: a folder with a bot, a game master or a game to begin with. How they are written is in
:mod:`ugs.commands.new_folder`.

Exit codes: 0 done; 1 the folder cannot be written; 2 there is no such language, or the name does not do.
"""

import shlex
from pathlib import Path
from typing import Annotated, Final

import typer

from ugs.commands.failure import WRONG_USAGE, failure
from ugs.commands.kits import BOT, GAME, MASTER, Kit, another_game, kit_called, kits_folder, kits_of
from ugs.path_faults import reason_of
from ugs.printable import meant, safe

COMMAND: Final = "ugs new"
HOST: Final = "127.0.0.1"
PORT: Final = "4747"
NICK: Final = "ada"
SESSION: Final = ["--session-file", f"{NICK}.session"]

Folder = Annotated[Path, typer.Argument(metavar="DIR", file_okay=False, help="The new folder; it must not exist yet.")]


def bot_languages(incomplete: str = "") -> list[str]:
    """The languages of bots that begin so, for the completion of a shell."""
    return [language for language in kits_of(BOT) if language.startswith(incomplete)]


def master_languages(incomplete: str = "") -> list[str]:
    """The same for game masters."""
    return [language for language in kits_of(MASTER) if language.startswith(incomplete)]


new = typer.Typer(
    help="Begin a bot, a game master or a game of your own: write a folder that works.", no_args_is_help=True
)


@new.command("bot")
def new_bot(
    directory: Folder,
    language: Annotated[
        str, typer.Option("--language", "-l", help="See `ugs new languages`.", autocompletion=bot_languages)
    ] = "python",
) -> None:
    """Write a bot: one file for the protocol, one for your ideas, and what builds it.

    As it comes it plays five in line, and every game whose states list the legal moves, at random.

    Examples:

        ugs new bot mybot

        ugs new bot --language rust mybot
    """
    kit = _chosen(language, BOT)
    _written(kit, directory)
    check = shlex.join(["ugs", "check", "bot", "--game", "tic-tac-toe", "--", *kit.command, "{host}", "{port}", NICK])
    other = shlex.join([*kit.command, HOST, PORT, NICK, *another_game()])
    _next_steps(kit, directory, [HOST, PORT, NICK, *(SESSION if kit.keeps_session else [])], other, check)


@new.command("master")
def new_master(
    directory: Folder,
    language: Annotated[
        str, typer.Option("--language", "-l", help="See `ugs new languages`.", autocompletion=master_languages)
    ] = "javascript",
) -> None:
    """Write a game master, which leads a game that is written in the same language.

    As it comes it leads Connect Four. In Python, `ugs new game` does more: there the game is all that you write.

    Examples:

        ugs new master mymaster

        ugs new master --language python mymaster

        ugs new master --language go mymaster
    """
    kit = _chosen(language, MASTER)
    _written(kit, directory)
    check = shlex.join(["ugs", "check", "master", "--", *kit.command, "{host}", "{port}"])
    _next_steps(kit, directory, [HOST, PORT], check)


@new.command("game")
def new_game(
    directory: Folder,
    name: Annotated[
        str,
        typer.Option("--name", help="What the game is called: small letters, digits and hyphens.  [default: as DIR]"),
    ] = "",
) -> None:
    """Write a game: a Python package with rules, notation, bots, schema and a drawn board, which `ugs` finds once it is
    installed. As it comes it is Nim.

    Examples:

        ugs new game my-game

        ugs new game games/draughts --name polish-draughts
    """
    from ugs.commands import new_folder

    try:
        new_folder.write_game(directory, name or directory.name, kits_folder() / GAME)
    except new_folder.BadName as error:
        raise failure(COMMAND, error, WRONG_USAGE) from None
    except OSError as error:
        raise failure(COMMAND, f"{directory}: {reason_of(error)}") from None
    called = name or directory.name
    typer.echo(f"{safe(str(directory))}: the game {called}; rules.py is a good place to begin")
    for line in (
        f"pip install --editable {_quoted(directory)}",
        f"python -m game_masters.kit.check {called}",
        f"ugs master {called}",
        f"ugs bot {called} --nick {NICK}",
    ):
        typer.echo(f"    {line}")


@new.command("languages")
def languages() -> None:
    """List the languages that there are kits for, and what is missing here to build them.

    Examples:

        ugs new languages
    """
    for side in (BOT, MASTER):
        for kit in kits_of(side).values():
            missing = kit.missing()
            lacking = f"; not here: {', '.join(missing)} (Debian: {' '.join(kit.packages)})" if missing else ""
            typer.echo(f"{side:6}  {kit.language:10}  {kit.title}{lacking}")


def _chosen(language: str, side: str) -> Kit:
    kits = kits_of(side)
    kit = kit_called(language, kits.values())
    if kit is None:
        listed = f"there are {', '.join(kits)}"
        why = f"there is no {side} in {language!r}{meant(language, kits)}; {listed}"
        bot = kit_called(language, kits_of(BOT).values()) if side == MASTER else None
        if bot is not None and bot.reading:
            file, *names = bot.reading
            why = (
                f"{why}; in {bot.language}: take {', '.join(names)} from {file} of `ugs new bot --language "
                f"{bot.language}` to read and write documents; `ugs example master-writer.md` has the messages"
            )
        elif side == BOT and not meant(language, kits):
            why = f"{why}; your language is not here: begin with `ugs example first-bot.md`"
        raise failure(COMMAND, why, WRONG_USAGE)
    return kit


def _written(kit: Kit, directory: Path) -> None:
    """Copy a kit. Raises typer.Exit."""
    from ugs.commands import new_folder

    try:
        new_folder.write_copy(kit.folder, directory)
    except OSError as error:
        raise failure(COMMAND, f"{directory}: {reason_of(error)}") from None


def _next_steps(kit: Kit, directory: Path, arguments: list[str], *more: str) -> None:
    typer.echo(f"{safe(str(directory))}: {kit.title}; your ideas go into {kit.idea}")
    for line in (
        f"cd {_quoted(directory)}",
        *map(shlex.join, kit.build),
        shlex.join([*kit.command, *arguments]),
        *more,
    ):
        typer.echo(f"    {line}")
    if missing := kit.missing():
        packages = " ".join(kit.packages)
        typer.echo(f"{COMMAND}: not here: {', '.join(missing)} (Debian: apt-get install {packages})", err=True)


def _quoted(directory: Path) -> str:
    """A folder as a word of a shell, that no command takes for an option."""
    text = str(directory)
    return shlex.quote(safe(f"./{text}" if text.startswith("-") else text))
