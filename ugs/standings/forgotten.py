"""Nicks that organisers have forgotten: they have no line for the games before that, which count for their opponents as
before.

In such a game the nick is replaced by one that no player can have, so everything that is computed from results, ratings
too, takes it for another player, and a nick that comes back begins from nothing. Only the line of the replaced nick is
left out.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from ugs.broker.verdict import GameResult

MARK = "\0"
"""No nick holds a control character."""


def replaced(results: Iterable[GameResult], forgotten: Mapping[str, frozenset[str]]) -> Iterator[GameResult]:
    """The results with forgotten nicks replaced. ``forgotten`` holds for each nick the ids of the games that count no
    more for it; a game that was not played, which has no id, is one of them."""
    for result in results:
        names = {seat.nick for seat in result.seats if _is_forgotten(result, forgotten.get(seat.nick))}
        if not names:
            yield result
            continue
        seats = [replace(seat, nick=MARK + seat.nick) if seat.nick in names else seat for seat in result.seats]
        verdict = result.verdict
        if verdict.culprit in names:
            verdict = replace(verdict, culprit=f"{MARK}{verdict.culprit}")
        yield replace(result, seats=tuple(seats), verdict=verdict)


def has_line(nick: str) -> bool:
    """Whether a nick is shown."""
    return not nick.startswith(MARK)


def _is_forgotten(result: GameResult, games: frozenset[str] | None) -> bool:
    return games is not None and (result.game_id in games or not result.game_id)
