"""Results of games for the tests of standings."""

import random
from collections.abc import Iterable, Sequence
from math import exp

from ugs.broker.verdict import Cause, GameResult, Outcome, SeatResult, Verdict

WON, LOST, DRAWN, VOID = Outcome.WON, Outcome.LOST, Outcome.DRAWN, Outcome.VOID
GAME_TYPE = "chess"


def game(
    *outcomes: tuple[str, Outcome],
    verdict: Verdict | None = None,
    departures: dict[str, Cause] | None = None,
    game_id: str = "g",
) -> GameResult:
    """A finished game with this outcome for each nick, in the order of the seats."""
    gone = departures or {}
    seats = tuple(SeatResult(nick, outcome, gone.get(nick)) for nick, outcome in outcomes)
    return GameResult(game_id, GAME_TYPE, "m", seats, verdict or Verdict(Cause.FINISHED), 7, 1000.0, 1060.0)


def won(winner: str, loser: str) -> GameResult:
    """A game of two."""
    return game((winner, WON), (loser, LOST))


def drawn(one: str, other: str) -> GameResult:
    """A drawn game of two."""
    return game((one, DRAWN), (other, DRAWN), verdict=Verdict(Cause.DRAW))


def void(*nicks: str) -> GameResult:
    """A game whose master was lost."""
    return game(*((nick, VOID) for nick in nicks), verdict=Verdict(Cause.MASTER_LOST, "m"))


def forfeit(winner: str, gone: str) -> GameResult:
    """A game that was not played."""
    return game((winner, WON), (gone, LOST), verdict=Verdict(Cause.FORFEIT, gone), game_id="")


def score_table(nicks: str, table: str) -> list[GameResult]:
    """A round robin from its printed cross table: one row per player, one sign per opponent (1, 0, = or *)."""
    rows = [row.split() for row in table.strip().splitlines()]
    games = []
    for one, row in enumerate(rows):
        for other in range(one):
            sign = row[other]
            if sign == "=":
                games.append(drawn(nicks[one], nicks[other]))
            elif sign == "1":
                games.append(won(nicks[one], nicks[other]))
            elif sign == "0":
                games.append(won(nicks[other], nicks[one]))
    return games


def played_by_strength(
    strengths: Sequence[float], pairings: Iterable[tuple[int, int]], chance: random.Random
) -> list[GameResult]:
    """Games of two with results drawn from the Bradley-Terry model, strengths in its own unit; nicks are p0, p1, …"""
    games = []
    for one, other in pairings:
        wins = chance.random() < 1 / (1 + exp(strengths[other] - strengths[one]))
        games.append(won(f"p{one}", f"p{other}") if wins else won(f"p{other}", f"p{one}"))
    return games
