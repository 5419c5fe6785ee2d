"""What is played for a player who only sends requests that are refused."""

from collections.abc import Callable, Mapping
from typing import Final

from game_masters.titan import requests as ask
from game_masters.titan.legal import legal_requests
from game_masters.titan.position import Awaiting, Position
from game_masters.titan.requests import Request


def default(position: Position) -> Request:
    """Return what is played for the player who is asked: the shortest way on. Raises ValueError if no player is
    asked."""
    if position.asked is None:
        raise ValueError("no player is asked")
    found = legal_requests(position)
    wanted = _WANTED[position.asked.awaiting]
    return next((request for kind in wanted for request in found if _is(request, kind)), found[0])


def _is(request: Request, wanted: type[Request] | Callable[[Request], bool]) -> bool:
    return isinstance(request, wanted) if isinstance(wanted, type) else wanted(request)


def _declines(request: Request) -> bool:
    if isinstance(request, ask.Acquire | ask.Summon):
        return request.creature is None
    return isinstance(request, ask.Recruit) and request.recruit is None


_WANTED: Final[Mapping[Awaiting, tuple[type[Request] | Callable[[Request], bool], ...]]] = {
    Awaiting.COLOR: (ask.Color,),
    Awaiting.SPLIT: (ask.Roll, ask.Split),
    Awaiting.MOVE: (ask.DoneMoving, ask.Move),
    Awaiting.ENGAGE: (ask.Engage,),
    Awaiting.FLEE: (ask.DoNotFlee,),
    Awaiting.CONCEDE: (ask.Fight,),
    Awaiting.NEGOTIATE: (ask.Fight,),
    Awaiting.MANEUVER: (ask.DoneManeuvering,),
    Awaiting.STRIKE: (ask.DoneStriking, ask.Strike),
    Awaiting.CARRY: (ask.DoneStriking, ask.Strike, ask.Carry),
    Awaiting.ACQUIRE: (_declines,),
    Awaiting.SUMMON: (_declines,),
    Awaiting.REINFORCE: (_declines,),
    Awaiting.MUSTER: (ask.NextTurn,),
}
"""In each case the first of these that is possible."""
