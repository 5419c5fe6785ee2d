"""Pictures of a game of random moves, to look at while a renderer is written.

python -m game_masters.kit.gallery my-game --moves 40                       on the terminal, with words
python -m game_masters.kit.gallery my-game --moves 40 --svg picture.svg     as a file for a browser
"""

import argparse
import random
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from game_masters.kit.rules import AnyGame, AnyState, Table
from game_masters.kit.seating import written
from game_masters.registry import Registry, find_games
from ugs.pictures.contract import Follower, Picture, Renderer, Scene, Seat, Shown
from ugs.pictures.paint import standalone

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
    game: AnyGame, nicks: Sequence[str], seed: object, options: Mapping[str, str], bot: str | None = None
) -> Iterator[tuple[AnyState, int]]:
    """Yield the states of a game, each with the length of the record at the state before; it is one state that changes.

    The moves are random; with ``bot``, they are that bot's.
    """
    rng = random.Random(f"{seed}")
    table = Table("gallery", tuple(nicks), game.choose_options(options))
    state: AnyState = game.start(table, random.Random(f"{seed}"))
    told = 0
    yield state, told
    while state.outcome is None:
        told = len(state.record)
        seat = rng.choice(state.movers)
        move: Any = rng.choice(state.legal_moves(seat)) if bot is None else game.bot(bot).choose(state.view(seat), rng)
        state.apply(seat, move)
        yield state, told


def picture_after(
    game: AnyGame, renderer: Renderer, moves: int, nicks: Sequence[str], seed: object, *,
    viewer: int | None = None, options: Mapping[str, str] | None = None, bot: str | None = None,
) -> tuple[Picture, AnyState]:  # fmt: skip
    """Return the picture after so many moves, or of the end if there are fewer, and the state."""
    follower: Follower | None = None
    table = Table("gallery", tuple(nicks), game.choose_options(options or {}))
    for number, (state, told) in enumerate(walk(game, nicks, seed, options or {}, bot)):
        if follower is None:
            follower = renderer(scene_of(game, table, state.labels, viewer))
        picture = follower(shown(game, state, viewer, told))
        if number == moves:
            break
    return picture, state


def main(arguments: Sequence[str], registry: Registry) -> str:
    """Return what ``python -m game_masters.kit.gallery`` prints."""
    parser = argparse.ArgumentParser(
        prog="python -m game_masters.kit.gallery", description="Show a picture of a game of random moves."
    )
    parser.add_argument("game", help="name of an installed game")
    parser.add_argument("--moves", type=int, default=30)
    parser.add_argument("--seats", type=int, default=0, help="number of players; as many as can play if not given")
    parser.add_argument("--viewer", type=int, help="the seat whose view it is; everybody's if not given")
    parser.add_argument("--bot", help="let this bot move")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--option", action="append", default=[], metavar="K=V")
    parser.add_argument("--width", type=int, default=80)
    parser.add_argument("--svg", type=Path, help="write an SVG to this file; with the offers if there is a viewer")
    chosen = parser.parse_args(arguments)
    game = registry.game(chosen.game)
    if game.pictures is None:
        return f"{game.name} has no pictures\n"
    nicks = tuple(
        NICKS[seat % len(NICKS)] + "2" * (seat // len(NICKS)) for seat in range(chosen.seats or game.players_max)
    )
    options = dict(pair.split("=", 1) for pair in chosen.option)
    picture, _ = picture_after(
        game, game.pictures, chosen.moves, nicks, chosen.seed, viewer=chosen.viewer, options=options, bot=chosen.bot
    )
    if chosen.svg is not None:
        chosen.svg.write_text(standalone(picture.svg("picture", chosen.viewer)), encoding="utf-8")
    return plain(picture, chosen.width)


def plain(picture: Picture, width: int) -> str:
    """Return a picture as text without styles: the lines, the news, the words."""
    lines = ["".join(span.text for span in line).rstrip() for line in picture.text(width)]
    return "\n".join([*lines, "", *(f"* {news}" for news in picture.news()), "", picture.words(), ""])


if __name__ == "__main__":
    sys.stdout.write(main(sys.argv[1:], find_games()))
