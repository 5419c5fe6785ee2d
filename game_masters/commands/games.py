"""The command ``ugs games``."""

import json
from dataclasses import replace
from typing import Annotated

import typer

from game_masters.registry import Installed, NoSuchGame, Registry, find_collected, find_game, find_games
from ugs.commands.demo_game import NO_GAMES, not_installed
from ugs.commands.failure import WRONG_USAGE, failure
from ugs.game_collections import find_collections, in_collection
from ugs.printable import unknown
from ugs.terminal import Cell, Column, grid, lines, output, safe

FILE_WIDTH = 160
"""Columns of the list where no terminal reports its width."""


def games(
    name: Annotated[
        str | None, typer.Argument(metavar="[NAME]", help="Only this game, by its name or its game type.")
    ] = None,
    every: Annotated[
        bool, typer.Option("--all", help="Also the games that collections make on demand; takes seconds.")
    ] = False,
    long: Annotated[
        bool, typer.Option("--long", help="With options and bots, and why a game cannot be played here.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")] = False,
) -> None:
    """List the installed games, one a line; of one game, or with --long of all, show the options and bots, too.

    Examples:

        ugs games

        ugs games 5-in-line-tic-tac-toe

        ugs games --all

        ugs games --long

    A collection makes games from names with its prefix: PREFIX:NAME.

    A package that declares a game but cannot be used is named on standard error, and the exit code is 1. Games and
    collections of which only a library is not installed are named in one line, with the command that installs it.
    """
    if every and name is not None:
        raise typer.BadParameter("does not go with the name of one game", param_hint="--all")
    if long and as_json:
        raise typer.BadParameter("does not go with --json", param_hint="--long")
    registry = find_games()
    if not registry.installed and not registry.broken and not (as_json or every or name):
        raise failure("ugs games", NO_GAMES)
    usable, without, faulty = _collections()
    if name is not None:
        registry = _only(registry, name)
    elif every:
        registry = find_collected(registry)
    if as_json:
        typer.echo(json.dumps({"games": _described(registry)}, indent=2))
    elif long or name is not None:
        _print_games(registry)
    else:
        columns = ("game", "game type", "players", "what it is")
        output(FILE_WIDTH).print(grid(columns, map(_short, registry.installed)))
        typer.echo("options and bots: ugs games NAME, or all of them: ugs games --long")
    if not (every or as_json or name) and usable:
        typer.echo(f"collections, with games of their own: {', '.join(usable)} (ugs games --all)")
    # A library that was not installed is a choice, not an error.
    lacking = {broken.name: broken.reason for broken in registry.broken if broken.lacks_library}
    lacking |= without if name is None else {}
    errors = [
        *(faulty if name is None else ()),
        *(str(broken) for broken in registry.broken if not broken.lacks_library),
    ]
    if lacking and not long:
        typer.echo(f"Note: {safe(not_installed(lacking))}", err=True)
    elif long:
        for which, why in lacking.items():
            typer.echo(f"Note: {safe(which)}: {safe(why)}", err=True)
    for error in errors:
        typer.echo(f"Error: {safe(error)}", err=True)
    if errors:
        raise typer.Exit(1)


def _collections() -> tuple[list[str], dict[str, str], list[str]]:
    """The prefixes of the collections that make games here; of those that cannot, what to install, by their names; and
    what is wrong with others."""
    usable: list[str] = []
    without: dict[str, str] = {}
    faulty: list[str] = []
    for prefix, point in sorted(find_collections().items()):
        try:
            why = point.load().missing()
        except Exception as error:  # the code behind an entry point is foreign and may do anything
            faulty.append(f"games of the collection {prefix!r} cannot be made: {type(error).__name__}: {error}")
            continue
        if why:
            without[f"games of {prefix}"] = why
        else:
            usable.append(prefix)
    return usable, without, faulty


def _only(registry: Registry, name: str) -> Registry:
    """The registry with the one game of this name or game type. Ends the command when there is none."""
    if in_collection(name):
        try:
            return Registry((Installed(find_game(name), name.partition(":")[0]),), ())
        except NoSuchGame as error:
            raise failure("ugs games", str(error), WRONG_USAGE) from error
    found = [entry for entry in registry.installed if name in (entry.game.name, entry.game.game_type)]
    if not found:
        known = dict.fromkeys(text for one in registry.installed for text in (one.game.name, one.game.game_type))
        raise failure("ugs games", unknown("game", name, known, registry.title_hint(name)), WRONG_USAGE)
    return replace(registry, installed=tuple(found), broken=())


def _short(entry: Installed) -> tuple[str, str, str, str]:
    return entry.game.name, entry.game.game_type, _players(entry), entry.game.summary


def _players(entry: Installed) -> str:
    fewest, most = entry.game.players.min, entry.game.players.max
    return f"{fewest} to {most}" if most > fewest else f"{fewest}"


def _described(registry: Registry) -> list[dict[str, object]]:
    """What ``ugs games --json`` prints."""
    return [
        {
            "name": game.name,
            "game_type": game.game_type,
            "summary": game.summary,
            "package": entry.package,
            "players_min": game.players.min,
            "players_max": game.players.max,
            "hidden_information": game.hidden_information,
            "simultaneous": game.conduct.simultaneous,
            "chance": game.chance,
            "options": [
                {
                    "name": option.name,
                    "type": option.type,
                    "default": option.default,
                    "allowed": option.allowed_text,
                    "explanation": option.explanation,
                }
                for option in game.options
            ],
            "bots": [{"name": bot.name, "explanation": bot.explanation} for bot in game.bots],
        }
        for entry in registry.installed
        for game in [entry.game]
    ]


def _print_games(registry: Registry) -> None:
    rows: list[tuple[Cell, ...]] = []
    for entry in registry.installed:
        game = entry.game
        options = (
            f"{option.name}={option.written(option.default)} ({option.allowed_text}): {option.explanation}"
            for option in game.options
        )
        bots = (f"{bot.name}: {bot.explanation}" for bot in game.bots)
        title = lines(game.name, game.summary, f"game type {game.game_type}, package {entry.package}")
        rows.append((title, _players(entry), lines(*options), lines(*bots)))
    output(FILE_WIDTH).print(grid(("game", Column("players", whole=True), "options", "bots"), rows, row_lines=True))
