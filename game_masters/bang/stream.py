"""The omniscient log of a game as a file, with all hands and roles: ``<stream version="2">`` and its game events.

    python -m game_masters.bang.stream --players 5 --seed 7 > game.xml

prints that of a game between computer players. :func:`read` gives the events back; applied to a table without cards
they give the final state.
"""

import argparse
import random
import sys
from collections.abc import Iterable, Sequence
from xml.etree.ElementTree import Element, ParseError

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import fromstring

from game_masters.bang.bots import BOTS
from game_masters.bang.messages.events import Event
from game_masters.bang.parser.reading import read_event
from game_masters.bang.parser.writing import event_text
from game_masters.bang.rules import OPTIONS, Position
from game_masters.bang.setup.beginning import MAX_PLAYERS, MIN_PLAYERS
from game_masters.kit.rules import Options, Table, Unreadable

VERSION = "2"


def write(record: Iterable[object], game_id: str) -> str:
    """Return the game events of a record as a stream, an event a line."""
    events = (event_text(entry, game_id) for entry in record if isinstance(entry, Event))
    return "\n".join([f'<stream version="{VERSION}">', *events, "</stream>", ""])


def read(text: str) -> list[Event]:
    """Return the events of a stream. Raises Unreadable."""
    try:
        root: Element = fromstring(text, forbid_dtd=True)
    except (ParseError, DefusedXmlException, ValueError) as error:
        raise Unreadable(f"not well-formed XML: {error}") from error
    if root.tag != "stream" or root.get("version") != VERSION:
        raise Unreadable(
            f"element {root.tag[:40]!r}, version {root.get('version')!r}: not a stream of version {VERSION}"
        )
    return [read_event(child) for child in root]


def played(players: int, seed: str) -> Position:
    """Return a game between computer players, at its end."""
    options = Options({option.name: option.default for option in OPTIONS})
    names = tuple(f"deputy-{seat + 1}" for seat in range(players))
    state = Position(Table("game", names, options), random.Random(seed))
    rng = random.Random(f"{seed} for the bots")
    while state.outcome is None:
        seat = state.movers[0]
        state.apply(seat, BOTS[0].choose(state.view(seat, len(state.record)), rng))
    return state


def main(arguments: Sequence[str]) -> str:
    """Return what ``python -m game_masters.bang.stream`` prints."""
    parser = argparse.ArgumentParser(
        prog="python -m game_masters.bang.stream", description="The log of a game between computer players."
    )
    parser.add_argument("--players", type=int, default=MIN_PLAYERS, choices=range(MIN_PLAYERS, MAX_PLAYERS + 1))
    parser.add_argument("--seed", default="1")
    chosen = parser.parse_args(arguments)
    return write(played(chosen.players, chosen.seed).record, "game")


if __name__ == "__main__":
    sys.stdout.write(main(sys.argv[1:]))
