"""Results of games of two as a PGN file without moves, for programs that rate (Ordo, BayesElo).

The first seat is White. Only rated games are in it: played to an end, and not left by all players.
"""

from collections.abc import Iterable

from ugs.broker.verdict import GameResult, Outcome
from ugs.printable import safe
from ugs.standings.counts import ResultTally

RESULTS = {Outcome.WON: "1-0", Outcome.DRAWN: "1/2-1/2", Outcome.LOST: "0-1"}
"""What the outcome of the first seat is called."""


def pgn(results: Iterable[GameResult]) -> str:
    """Return these results as PGN, in their order; games of other numbers of seats are left out."""
    tally = ResultTally()
    for result in results:
        tally.add(result)
    return "".join(_game(number, one) for number, one in enumerate(_of_two(tally.rated), start=1))


def _of_two(games: Iterable[GameResult]) -> Iterable[GameResult]:
    return (game for game in games if len(game.seats) == 2)


def _game(number: int, game: GameResult) -> str:
    first, second = game.seats
    tags = {
        "Event": game.championship or game.game_type,
        "Site": game.game_id or "?",
        # PGN wants a date; results have none, and this is how it writes an unknown one.
        "Date": "????.??.??",
        "Round": str(number),
        "White": first.nick,
        "Black": second.nick,
        "Result": RESULTS[first.outcome],
        "Termination": str(game.verdict.cause),
    }
    lines = [f'[{name} "{_quoted(value)}"]' for name, value in tags.items()]
    return "\n".join([*lines, "", tags["Result"], "", ""])


def _quoted(text: str) -> str:
    return safe(text).replace("\\", "\\\\").replace('"', '\\"')
