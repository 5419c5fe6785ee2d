"""The command ``ugs games``."""

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated

import typer

from game_masters.registry import Installed, NoSuchGame, Registry, find_collected, find_game, find_games
from ugs.commands.demo_game import NO_GAMES
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
    short: Annotated[bool, typer.Option("--short", help="One line for each game.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")] = False,
) -> None:
    """Show the installed games with their players, options and bots.

    Examples:

        ugs games --short

        ugs games 5-in-line-tic-tac-toe

        ugs games --all --short

    A collection makes games from names with its prefix: PREFIX:NAME.

    A package that declares a game but cannot be used is named on standard error, and the exit code is 1.
    """
    if every and name is not None:
        raise typer.BadParameter("does not go with the name of one game", param_hint="--all")
    if short and as_json:
        raise typer.BadParameter("does not go with --json", param_hint="--short")
    registry = find_games()
    if not registry.installed and not registry.broken and not (as_json or every or name):
        raise failure("ugs games", NO_GAMES)
    missing = _missing() if every else ()
    if name is not None:
        registry = _only(registry, name)
    elif every:
        registry = find_collected(registry)
    if short:
        output(FILE_WIDTH).print(grid(("game", "game type", "what it is"), map(_short, registry.installed)))
    elif as_json:
        typer.echo(json.dumps({"games": _described(registry)}, indent=2))
    else:
        _print_games(registry)
    if not (every or as_json or name) and (prefixes := ", ".join(sorted(find_collections()))):
        typer.echo(f"collections, with games of their own: {prefixes} (ugs games --all)")
    for why in missing:
        typer.echo(f"Error: {safe(why)}", err=True)
    for broken in registry.broken:
        typer.echo(f"{'Note' if broken.lacks_library else 'Error'}: {safe(str(broken))}", err=True)
    # A library that was not installed is a choice, not an error.
    if missing or not all(broken.lacks_library for broken in registry.broken):
        raise typer.Exit(1)


def _missing() -> Sequence[str]:
    """Why collections can make no games here."""
    found: list[str] = []
    for prefix, point in sorted(find_collections().items()):
        try:
            why = point.load().missing()
        except Exception as error:  # the code behind an entry point is foreign and may do anything
            why = f"{type(error).__name__}: {error}"
        if why:
            found.append(f"games of the collection {prefix!r} cannot be made: {why}")
    return found


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


def _short(entry: Installed) -> tuple[str, str, str]:
    return entry.game.name, entry.game.game_type, entry.game.summary


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
        players = f"{game.players.min}" + (f" to {game.players.max}" if game.players.max > game.players.min else "")
        options = (
            f"{option.name}={option.written(option.default)} ({option.allowed_text}): {option.explanation}"
            for option in game.options
        )
        bots = (f"{bot.name}: {bot.explanation}" for bot in game.bots)
        title = lines(game.name, game.summary, f"game type {game.game_type}, package {entry.package}")
        rows.append((title, players, lines(*options), lines(*bots)))
    output(FILE_WIDTH).print(grid(("game", Column("players", whole=True), "options", "bots"), rows, row_lines=True))
