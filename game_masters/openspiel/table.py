"""A table of all games of OpenSpiel, each played to its end: ``python -m game_masters.openspiel.table [GAME ...]``.

The kit's own master leads each game, and bots that know nothing but what reaches them play it, over the bytes of the
wire. So the table shows which games can be played here, and how fast. It writes Markdown.
"""

import sys
import time
from collections.abc import Iterator, Sequence
from typing import Final

from game_masters.kit.contract import ContractBroken
from game_masters.kit.rehearsal import Rehearsal, rehearse, wires_of
from game_masters.kit.rules import Game
from game_masters.openspiel import COLLECTION
from game_masters.openspiel.pictures.bodies import PAINTERS, maker_of
from game_masters.openspiel.view import Play, View

MEASURED_S: Final = 0.5
"""A game is played again and again for this many seconds; at least one is played to its end."""
HEAD: Final = (
    "| game | what it is | seats | hidden | chance | to the end | moves | games a minute | picture |",
    "|---|---|---|---|---|---|---|---|---|",
)


def lines(names: Sequence[str], measured_s: float = MEASURED_S) -> Iterator[str]:
    """Yield the rows of the table, and last how many games were played to their end."""
    yield from HEAD
    ended = 0
    for name in names:
        game = COLLECTION.game(name)
        played, why = _played(game, measured_s)
        ended += bool(played)
        yield _row(name, game, played, why)
    yield ""
    yield f"{ended} of {len(names)} games were played to their end."


def _played(game: Game[Play, View], measured_s: float) -> tuple[list[tuple[Rehearsal, float]], str]:
    """The games that were played, each with the seconds it took; and why no other one was."""
    seats = game.players.wanted or game.players.min
    played: list[tuple[Rehearsal, float]] = []
    while sum(seconds for _, seconds in played) < measured_s:
        begun = time.process_time()
        try:
            rehearsal = rehearse(game, wires_of(game)[0], seats, seats, len(played))
        except ContractBroken as broken:
            return played, str(broken)
        if not rehearsal.results:
            return played, "no end"
        played.append((rehearsal, max(time.process_time() - begun, 1e-6)))
    return played, ""


def _row(name: str, game: Game[Play, View], played: Sequence[tuple[Rehearsal, float]], why: str) -> str:
    seats = f"{game.players.min}" + (f" to {game.players.max}" if game.players.max > game.players.min else "")
    moves = sum(len(rehearsal.events) - 1 for rehearsal, _ in played) / max(len(played), 1)
    speed = 60 * len(played) / max(sum(seconds for _, seconds in played), 1e-6)
    title = game.summary.partition(", as OpenSpiel")[0].replace("|", " ")
    picture = "own" if name in PAINTERS else "board" if maker_of(name) is not None else "text"
    cells = (
        f"`{name}`",
        title,
        seats,
        "yes" if game.hides(game.choose_options({})) else "no",
        "yes" if game.chance else "no",
        why or "yes",
        f"{moves:.0f}",
        f"{float(f'{speed:.2g}'):,.0f}",
        picture,
    )
    return f"| {' | '.join(cells)} |"


def main(names: Sequence[str]) -> None:
    """Write the table of these games, or of all."""
    for line in lines(names or COLLECTION.names()):
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1:])
