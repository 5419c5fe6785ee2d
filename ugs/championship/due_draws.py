"""What has to be drawn before a championship can go on: the games of a round, or of a whole format.

A request is a value with all that its games depend on: the same request always gets the same games, in whichever
process it is drawn. Small ones are drawn at once. Large ones take seconds; their owner may have them drawn elsewhere.
"""

from typing import TypeAlias

from ugs.championship.pairing.rounds import GauntletGames, RoundRobinGames, Rounds
from ugs.championship.pairing.swiss_round import Pairings, SwissRound

Request: TypeAlias = SwissRound | RoundRobinGames | GauntletGames
Drawing: TypeAlias = Pairings | Rounds

SMALL_ROUND = 48
"""A Swiss round of games of two is small up to this many players, with more seats up to a part of that."""
SMALL_LIST = 2_000
"""Games of two that are all known beforehand are small up to this many."""
SMALL_GROUPS = 7
"""Groups of 3 and more are searched for. Without repeats, and up to this many entrants, the search is over in no time;
else it may go on for a tenth of a second and more, as only the search itself can find out."""


def is_large(request: Request) -> bool:
    """Return whether drawing may take more than a few milliseconds."""
    if isinstance(request, SwissRound):
        return len(request.order) * (request.seats - 1) > SMALL_ROUND
    if request.seats == 2:
        # Half of them: each game is one of both its players.
        opponents = (request.entrants - 1) / 2 if isinstance(request, RoundRobinGames) else 1
        return request.entrants * opponents * request.repeats > SMALL_LIST
    return request.entrants > SMALL_GROUPS or request.repeats > 1


def described(request: Request) -> str:
    """Return in words what is drawn and for how many: ``round 3 for 1000 players``."""
    if isinstance(request, SwissRound):
        return f"round {request.number} for {len(request.order)} players"
    return f"all games for {request.entrants} players"
