"""What must hold of the games of a churn, whatever happens: each loss is explained by what its player did. No I/O."""

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from ugs.broker.verdict import Cause, Outcome
from ugs.journal.row_reader import GameSummary


class Deed(StrEnum):
    """What a player does by its own will, or what is done to its process."""

    LEAVES = "leaves"
    LOGS_OUT = "logs out"
    HANGS_UP = "hangs up"
    """For longer than its session lasts, or without a session."""
    BLINKS = "blinks"
    """Loses its line and is back within the time of its session. This explains no loss."""
    FALLS_SILENT = "falls silent"
    IS_KILLED = "is killed"


@dataclass(frozen=True, slots=True)
class DoneDeed:
    """A deed of a player, and when it was done, in microseconds since 1970 (UTC)."""

    nick: str
    deed: Deed
    at_us: int


EXPLAINS: Final[dict[Cause, frozenset[Deed]]] = {
    Cause.LEFT: frozenset({Deed.LEAVES}),
    Cause.LOGOUT: frozenset({Deed.LOGS_OUT}),
    Cause.DISCONNECTED: frozenset({Deed.HANGS_UP, Deed.IS_KILLED, Deed.FALLS_SILENT, Deed.LOGS_OUT}),
    Cause.SILENT: frozenset({Deed.FALLS_SILENT, Deed.HANGS_UP, Deed.IS_KILLED}),
    Cause.TIMEOUT: frozenset({Deed.FALLS_SILENT, Deed.HANGS_UP, Deed.IS_KILLED}),
}
"""Why a player left a game early, and the deeds that lead to it. Other causes are nothing that a player does. Who has
fallen silent does not come back when its line is gone, either, such as after a restart; and the last word of who logs
out may be lost with its line."""
OVER: Final = "over"
"""The phase of a game that only waits for thanks."""
EARLY_US: Final = 5_000_000
"""How long before the beginning of a game a deed may be done and still cost the player this game: it is on its way to
the server, which may stand still meanwhile."""


def unexplained(games: Iterable[GameSummary], deeds: Collection[DoneDeed]) -> list[tuple[str, str]]:
    """The losses without a fault: the id of each game, and the loss in words.

    A loss is explained by the rules of the game when the player was there to the end and the master named the winner;
    else by a deed of that player, done while the game went on.
    """
    found = []
    of_nick: dict[str, list[DoneDeed]] = {}
    for done in sorted(deeds, key=_moment):
        of_nick.setdefault(done.nick, []).append(done)
    for game in games:
        if game.verdict is None or game.ended_us is None:
            continue
        for seat in game.seats:
            if seat.outcome is not Outcome.LOST or (seat.departure is None and not game.verdict.by_server):
                continue
            allowed = EXPLAINS.get(seat.departure, frozenset()) if seat.departure is not None else frozenset()
            own = of_nick.get(seat.nick, [])
            first = bisect_left(own, game.began_us - EARLY_US, key=_moment)
            meanwhile = [one.deed for one in own[first : bisect_right(own, game.ended_us, key=_moment)]]
            if allowed.isdisjoint(meanwhile):
                own_words = ", ".join(meanwhile) or "none"
                words = f"{seat.nick} has lost ({seat.departure or 'to the end'}); its deeds: {own_words}"
                found.append((game.game_id, words))
    return found


def _moment(done: DoneDeed) -> int:
    return done.at_us


def untold(games: Iterable[GameSummary], received: Iterable[tuple[str, str, bool]]) -> list[tuple[str, str]]:
    """Results that a player has received and the journal does not hold; ``received`` is a game's id, a nick and whether
    it has won."""
    known = {game.game_id: game for game in games}
    found = []
    for game_id, nick, won in received:
        game = known.get(game_id)
        seat = next((one for one in game.seats if one.nick == nick), None) if game is not None else None
        if game is None or seat is None or seat.outcome is None:
            found.append((game_id, f"{nick} was sent a result that the journal does not hold"))
        elif won != (seat.outcome is Outcome.WON):
            data = "has won" if won else "has not won"
            found.append((game_id, f"{nick} was sent that it {data}; the journal holds {seat.outcome}"))
    return found


def in_two(games: Iterable[Mapping[str, Any]]) -> list[tuple[str, str, str]]:
    """Players who are in two of these games at once: the nick and both ids. A game is given as the server's
    answer to x-why; one that is over, or that the player has left, does not count."""
    seen: dict[str, str] = {}
    found = []
    for game in games:
        if game["phase"] == OVER:
            continue
        for nick in game["seats"]:
            if nick in game["departures"]:
                continue
            if nick in seen:
                found.append((nick, seen[nick], game["game"]))
            seen[nick] = game["game"]
    return found


def tallied(games: Iterable[GameSummary]) -> dict[str, tuple[int, int]]:
    """Games won and lost by nick, as a ``championsList`` counts them."""
    counts: dict[str, tuple[int, int]] = {}
    for game in games:
        for seat in game.seats if game.counts else ():
            won, lost = counts.get(seat.nick, (0, 0))
            counts[seat.nick] = (won + (seat.outcome is Outcome.WON), lost + (seat.outcome is Outcome.LOST))
    return {nick: count for nick, count in counts.items() if count != (0, 0)}


def slope(points: list[float]) -> float:
    """By how much values grow from one to the next, by least squares; 0 for fewer than two."""
    if len(points) < 2:
        return 0.0
    middle, mean = (len(points) - 1) / 2, sum(points) / len(points)
    spread = sum((number - middle) ** 2 for number in range(len(points)))
    return sum((number - middle) * (point - mean) for number, point in enumerate(points)) / spread
