"""Pictures of a game of random moves, or of recorded ones, to look at while a renderer is written.

python -m game_masters.kit.gallery my-game --moves 40                       on the terminal, with words
python -m game_masters.kit.gallery my-game --moves 40 --svg picture.svg     as a file for a browser
python -m game_masters.kit.gallery my-game --moves 40 --bot my-bot --keep game.moves
python -m game_masters.kit.gallery game.moves                               the same game, even if the bot has changed
"""

import argparse
import random
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

from game_masters.kit.fixture import read_fixture
from game_masters.kit.golden import LEAVES, REJOINS, Script, read_script
from game_masters.kit.rules import AnyGame, AnyState, RuleBroken, Table, Unreadable
from game_masters.kit.seating import written
from game_masters.registry import Registry, find_games
from ugs.pictures.contract import Follower, Picture, Renderer, Scene, Seat, Shown
from ugs.pictures.paint import standalone

DEFAULT_MOVES = 30
NICKS = ("ada", "bob", "cyd", "dee", "eve", "fay", "gus", "hal")


def scene_of(game: AnyGame, table: Table, labels: Sequence[str], viewer: int | None) -> Scene:
    """Return what a viewer knows of a game before its first state."""
    called = labels or [""] * len(table.names)
    seats = tuple(Seat(nick, label) for nick, label in zip(table.names, called, strict=True))
    return Scene(seats, viewer, written(game, table.options))


def shown(game: AnyGame, state: AnyState, viewer: int | None, since: int) -> Shown:
    """Return what a viewer is shown of a state."""
    outcome = state.outcome
    winners = None if outcome is None else outcome.winners
    return Shown(game.notation.write_view(state.view(viewer, since)), tuple(state.movers), winners)


def walk(
    game: AnyGame, nicks: Sequence[str], seed: object, options: Mapping[str, str], bot: str | None = None,
    made: list[tuple[str, str]] | None = None,
) -> Iterator[tuple[AnyState, int]]:  # fmt: skip
    """Yield the states of a game, each with the length of the record at the state before; it is one state that changes.

    The moves are random; with ``bot``, they are that bot's. ``made`` is given each move: nick and payload.
    """
    # Two of one seed: the moves must not use up chance of the game, which a replay has alone.
    rng = random.Random(f"{seed}")
    table = Table("gallery", tuple(nicks), game.choose_options(options))
    state: AnyState = game.start(table, random.Random(f"{seed}"))
    shown = 0
    yield state, shown
    while state.outcome is None:
        shown = len(state.record)
        seat = rng.choice(state.movers)
        move: Any = rng.choice(state.legal_moves(seat)) if bot is None else game.bot(bot).choose(state.view(seat), rng)
        if made is not None:
            made.append((nicks[seat], game.notation.write_move(move).decode()))
        state.apply(seat, move)
        yield state, shown


def played(game: AnyGame, script: Script) -> Iterator[tuple[AnyState, int]]:
    """Yield the states of a recorded game as :func:`walk` does. What the rules refuse is a fault of who tried it."""
    options = game.choose_options(dict(script.options))
    start = read_fixture(game, "\n".join(script.fixture)).start(game, options) if script.fixture else None
    state: AnyState = game.start(Table("gallery", script.players, options, fixture=start), random.Random(script.seed))
    yield state, 0
    for nick, what in script.actions:
        shown = len(state.record)
        seat = script.players.index(nick)
        if what == LEAVES:
            state.leave(seat)
        elif what == REJOINS:
            state.rejoin(seat)
        else:
            _try(game, state, seat, what)
        yield state, shown


def _try(game: AnyGame, state: AnyState, seat: int, what: str) -> None:
    try:
        state.apply(seat, game.notation.read_move(what.encode()))
    except (RuleBroken, Unreadable) as cause:
        state.fault(seat, cause)


def ends(game: AnyGame, renderer: Renderer, script: Script) -> Iterator[tuple[str, Picture]]:
    """Yield each viewer of the end of a recorded game and what it sees: a spectator, each player, and the first player
    if the program plays all other seats."""
    table = Table("gallery", script.players, game.choose_options(dict(script.options)))
    for viewer, nick in ((None, "public"), *enumerate(script.players)):
        yield nick, _end(game, renderer, table, script, viewer, alone=False)
    yield f"{script.players[0]} against the program", _end(game, renderer, table, script, 0, alone=True)


def _end(
    game: AnyGame, renderer: Renderer, table: Table, script: Script, viewer: int | None, *, alone: bool
) -> Picture:  # fmt: skip
    """Return the last picture. With ``alone``, the viewer is shown a state only when it is asked, and at the end."""
    follower: Follower | None = None
    shown_until, own_move = 0, b""
    actions = [("", ""), *script.actions]
    for (nick, what), (state, _) in zip(actions, played(game, script), strict=True):
        if follower is None:
            follower = renderer(scene_of(game, table, state.labels, viewer))
        if viewer is not None and nick == script.players[viewer] and what.startswith("<"):
            own_move = what.encode()
        if not alone or viewer in state.movers or state.outcome is not None:
            picture = follower(replace(shown(game, state, viewer, shown_until), own_move=own_move))
            shown_until, own_move = len(state.record), b""
    return picture


def picture_of(
    game: AnyGame, renderer: Renderer, table: Table, steps: Iterator[tuple[AnyState, int]], viewer: int | None
) -> tuple[Picture, AnyState]:
    """Return the picture of the last of the states (at least one), and that state."""
    follower: Follower | None = None
    for state, start in steps:
        if follower is None:
            follower = renderer(scene_of(game, table, state.labels, viewer))
        picture = follower(shown(game, state, viewer, start))
    return picture, state


def main(arguments: Sequence[str], registry: Registry) -> str:
    """Return what ``python -m game_masters.kit.gallery`` prints."""
    parser = argparse.ArgumentParser(
        prog="python -m game_masters.kit.gallery", description="Show a picture of a game of random or recorded moves."
    )
    parser.add_argument("source", help="name of an installed game, or a file with a golden game or what --keep wrote")
    parser.add_argument("--moves", type=int, help="after how many moves; 30, or all of a file, if not given")
    parser.add_argument("--seats", type=int, default=0, help="number of players; as many as can play if not given")
    parser.add_argument("--viewer", type=int, help="the seat whose view it is; the public one if not given")
    parser.add_argument("--bot", help="let this bot move")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--option", action="append", default=[], metavar="K=V")
    parser.add_argument("--width", type=int, default=80)
    parser.add_argument("--svg", type=Path, help="write an SVG to this file; with the offers if there is a viewer")
    parser.add_argument("--keep", type=Path, help="write the moves to this file, which is a source from now on")
    chosen = parser.parse_args(arguments)
    if Path(chosen.source).is_file():
        script = read_script(Path(chosen.source).read_text(encoding="utf-8"))
        game = registry.game(script.game)
    else:
        game = registry.game(chosen.source)
        script = _chosen_game(game, chosen)
    if game.pictures is None:
        return f"{game.name} has no pictures\n"
    if chosen.keep is not None:
        moves = (f"> {nick} {move}" for nick, move in script.actions)
        chosen.keep.write_text("\n".join([*script.header(), *moves, ""]), encoding="utf-8")
    table = Table("gallery", script.players, game.choose_options(dict(script.options)))
    steps = played(game, script) if chosen.moves is None else islice(played(game, script), chosen.moves + 1)
    picture, _ = picture_of(game, game.pictures, table, steps, chosen.viewer)
    if chosen.svg is not None:
        chosen.svg.write_text(standalone(picture.svg("picture", chosen.viewer)), encoding="utf-8")
    return plain(picture, chosen.width)


def _chosen_game(game: AnyGame, chosen: argparse.Namespace) -> Script:
    """Play as the command line asks, and return the game."""
    seats = range(chosen.seats or game.players.max)
    nicks = tuple(NICKS[seat % len(NICKS)] + "2" * (seat // len(NICKS)) for seat in seats)
    options = dict(pair.split("=", 1) for pair in chosen.option)
    moves = DEFAULT_MOVES if chosen.moves is None else chosen.moves
    made: list[tuple[str, str]] = []
    for _ in islice(walk(game, nicks, chosen.seed, options, chosen.bot, made), moves + 1):
        pass
    return Script(("Moves for a picture.",), game.name, chosen.seed, tuple(options.items()), (), nicks, tuple(made))


def plain(picture: Picture, width: int) -> str:
    """Return a picture as text without styles: the lines, the news, the words."""
    lines = ["".join(span.text for span in line).rstrip() for line in picture.text(width)]
    return "\n".join([*lines, "", *(f"* {news}" for news in picture.news()), "", picture.words(), ""])


if __name__ == "__main__":
    sys.stdout.write(main(sys.argv[1:], find_games()))
