"""The table of all games in ``docs/games.md``, each played to its end: ``make games-table``, or

    python -m tests.game_table [GAME ...]

The kit's own master leads each game over the bytes of the wire, and bots that know nothing but what reaches them play
it. So the table shows what can be played here, and how fast: the installed games, the variants of those that have an
option ``variant``, and the games of OpenSpiel. Those of PettingZoo are not listed: any module may be one.
"""

import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from game_masters.kit.contract import ContractBroken
from game_masters.kit.rehearsal import Rehearsal, rehearse, wires_of
from game_masters.kit.rules import AnyGame
from game_masters.openspiel import COLLECTION
from game_masters.openspiel.pictures.bodies import PAINTERS, maker_of
from game_masters.registry import find_games

PAGE: Final = Path(__file__).parents[1] / "docs" / "games.md"
SPLIT: Final = "variant"
"""The option whose words are games of their own."""
MEASURED_S: Final = 0.5
"""A game is played again and again for this many seconds; at least one is played to its end."""
HEAD: Final = (
    "| game | what it is | seats | hidden | chance | to the end | moves | games a minute | picture |",
    "|---|---|---|---|---|---|---|---|---|",
)


@dataclass(frozen=True, slots=True)
class Entry:
    """One row to be."""

    label: str
    """How the game is called, options included."""
    title: str
    game: AnyGame
    picture: str
    """How it is drawn, in a word."""


def all_entries() -> Iterator[Entry]:
    """Yield the rows of all games that can be played here."""
    for installed in find_games().installed:
        yield from _entries(installed.game)
    yield from of_openspiel(COLLECTION.names())


def of_openspiel(names: Sequence[str]) -> Iterator[Entry]:
    """Yield the rows of these games, by their names in OpenSpiel."""
    for name in names:
        game = COLLECTION.game(name)
        picture = "own" if name in PAINTERS else "board" if maker_of(name) is not None else "text"
        yield Entry(game.name, game.summary.partition(", as OpenSpiel")[0], game, picture)


def _entries(game: AnyGame) -> Iterator[Entry]:
    picture = "own" if game.pictures is not None else "none"
    split = next((one for one in game.options if one.name == SPLIT and isinstance(one.allowed, tuple)), None)
    if split is None:
        yield Entry(game.name, game.summary, game, picture)
        return
    for word in split.allowed:
        options = tuple(replace(one, default=word) if one is split else one for one in game.options)
        yield Entry(f"{game.name} {SPLIT}={word}", f"the variant {word}", replace(game, options=options), picture)


def lines(entries: Iterable[Entry], measured_s: float = MEASURED_S) -> Iterator[str]:
    """Yield the lines of the table in Markdown, and last how many games were played to their end."""
    yield from HEAD
    ended = rows = 0
    for entry in entries:
        played, why = _played(entry.game, measured_s)
        ended, rows = ended + bool(played and not why), rows + 1
        yield _row(entry, played, why)
    yield ""
    yield f"{ended} of {rows} games were played to their end."


def _played(game: AnyGame, measured_s: float) -> tuple[list[tuple[Rehearsal, float]], str]:
    """The games that were played, each with the seconds it took; and why no other one was."""
    seats = game.players.wanted or game.players.min
    played: list[tuple[Rehearsal, float]] = []
    while not played or sum(seconds for _, seconds in played) < measured_s:
        begun = time.process_time()
        try:
            rehearsal = rehearse(game, wires_of(game)[0], seats, seats, len(played))
        except ContractBroken as broken:
            return played, str(broken)
        if not rehearsal.results:
            return played, "no end"
        played.append((rehearsal, max(time.process_time() - begun, 1e-6)))
    return played, ""


def facts(entry: Entry) -> tuple[str, ...]:
    """What a row says of a game that nobody has to play for it: label, title, seats, hidden, chance, picture."""
    players = entry.game.players
    return (
        f"`{entry.label}`",
        entry.title.replace("|", " "),
        f"{players.min} to {players.max}" if players.max > players.min else f"{players.min}",
        "yes" if entry.game.hides(entry.game.choose_options({})) else "no",
        "yes" if entry.game.chance else "no",
        entry.picture,
    )


def _row(entry: Entry, played: Sequence[tuple[Rehearsal, float]], why: str) -> str:
    moves = sum(len(rehearsal.events) - 1 for rehearsal, _ in played) / max(len(played), 1)
    speed = 60 * len(played) / max(sum(seconds for _, seconds in played), 1e-6)
    *before, picture = facts(entry)
    return f"| {' | '.join((*before, why or 'yes', f'{moves:.0f}', _short(speed), picture))} |"


def _short(number: float) -> str:
    """Two digits are all that such a measurement has."""
    return f"{float(f'{number:.2g}'):,.0f}"


def main(names: Sequence[str]) -> None:
    """Write the table of these games, or of all into the page."""
    if names:
        for line in lines(one for one in all_entries() if one.label in names or one.game.name in names):
            sys.stdout.write(f"{line}\n")
        return
    text = PAGE.read_text(encoding="utf-8")
    table = "\n".join(lines(all_entries()))
    PAGE.write_text(f"{text[: text.index(HEAD[0])]}{table}\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
