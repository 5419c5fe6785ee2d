"""The running games that the overview shows as pictures: each keeps its place until its end was seen."""

import math
from collections.abc import Mapping, Sequence
from typing import Any, Final

from ugs.page.contract import Facts
from ugs.page.played import LiveBoard

SEATS: Final = 6
"""Games that are shown as pictures."""
END_S: Final = 12.0
"""Seconds that the end of a game stays: open pages look every two, and people need some to see who has won."""
SEEN_S: Final = 5.0
"""Seconds after which it makes room for a game that runs and has no place: an open page has shown it by then."""


class FrontRow:
    """The place where each game is shown."""

    def __init__(self) -> None:
        self._places: list[Mapping[str, Any]] = []
        """What is known of each game, by place."""
        self._ended_at: dict[str, float] = {}
        """When a game that has ended was last seen running."""
        self._looked_at = -math.inf

    def wanted(self, games: Sequence[Facts], now: float) -> list[str]:
        """The ids of the games to be shown, of those that run: ``games``. Those that were shown stay where they are; a
        place is free as soon as the end of its game was shown for :data:`END_S`, or if its end is unknown, and for a
        game that would have none after :data:`SEEN_S`. An end that came while nobody looked is no news by then."""
        by_id = {str(game["game"]): game for game in games}
        shown = [str(one["game"]) for one in self._places]
        new = [game for name, game in by_id.items() if name not in shown]
        types = {one.get("game_type") for one in self._places if str(one["game"]) in by_id}
        for name in shown:
            if name not in by_id:
                self._ended_at.setdefault(name, self._looked_at)
        free = self._free(len(new), now)
        places: list[Mapping[str, Any]] = []
        for name, place in zip(shown, self._places, strict=True):
            if name not in free:
                places.append(by_id.get(name, place))
            elif new:
                places.append(_unlike(new, types))
        while new and len(places) < SEATS:
            places.append(_unlike(new, types))
        self._places, self._looked_at = places[:SEATS], now
        kept = {str(one["game"]) for one in self._places}
        self._ended_at = {name: at for name, at in self._ended_at.items() if name in kept}
        return [str(one["game"]) for one in self._places]

    def _free(self, new: int, now: float) -> set[str]:
        """The games that have ended and give their places up to this number of new ones: those that were shown
        for long enough, then those that ended first."""
        ended = sorted(self._ended_at.items(), key=lambda one: one[1])
        over = {name for name, at in ended if now - at >= END_S}
        seen = [name for name, at in ended if name not in over and now - at >= SEEN_S]
        lacking = new - len(over) - (SEATS - len(self._places))
        return over.union(seen[: max(0, lacking)])

    def arranged(self, games: Sequence[Facts], boards: Mapping[str, LiveBoard]) -> list[Facts]:
        """All games, those in front first. One that has ended is among them as long as its board is shown, and is
        ``ended``: its picture may not have come to its end yet."""
        running = {str(game["game"]) for game in games}
        front = [
            one if one["game"] in running else {**one, "ended": True}
            for one in self._places
            if one["game"] in running or one["game"] in boards
        ]
        shown = {one["game"] for one in front}
        return [*front, *(game for game in games if game["game"] not in shown)]


def _unlike(new: list[Mapping[str, Any]], types: set[Any]) -> Mapping[str, Any]:
    """Take out the first game of a type that is not shown yet, else the first one: who looks sees what is played here,
    not the game that most play six times."""
    at = next((place for place, game in enumerate(new) if game.get("game_type") not in types), 0)
    game = new.pop(at)
    types.add(game.get("game_type"))
    return game
