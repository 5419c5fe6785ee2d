"""Messages and requests in words for people."""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

from game_masters.titan import messages as msg
from game_masters.titan import requests as ask
from game_masters.titan.creatures import UNKNOWN
from game_masters.titan.lands import LANDS
from game_masters.titan.messages import Losses, Message, Stack
from game_masters.titan.pictures.odds import mustered, of_strike
from game_masters.titan.position import Awaiting, Position
from game_masters.titan.requests import Request


def creatures(names: Sequence[str] | None) -> str:
    """Return creatures as a list; those of a kind are counted."""
    return _counted(tuple(names)) if names else "nothing"


@lru_cache(maxsize=4096)
def _counted(names: tuple[str, ...]) -> str:
    """A legion is shown in each position, and changes rarely."""
    counted = ((name, names.count(name)) for name in dict.fromkeys(names))
    return ", ".join(
        f"{number} unknown" if name == UNKNOWN else name if number == 1 else f"{number} {name}"
        for name, number in counted
    )


def land(label: str) -> str:
    """Return a land with its terrain."""
    return f"{label} ({LANDS[label].terrain})" if label in LANDS else label


def _stack(stack: Stack) -> str:
    return f"{stack.name}: {creatures(stack.creatures)}"


def _lost(losses: Sequence[Losses]) -> str:
    words = (f"{one.legion} {'gets back' if one.returned else 'loses'} {creatures(one.creatures)}" for one in losses)
    return "; ".join(words)


def _count(number: int, what: str, more: str = "") -> str:
    return f"{number} {what if number == 1 else more or f'{what}s'}"


def _struck(one: msg.Strike) -> str:
    rolls = " ".join(map(str, one.rolls))
    more = f", {one.carries} to carry" if one.carries else ""
    return f"{one.striker_hex} strikes {one.target_hex}: {rolls}, {_count(one.hits, 'hit')} with {one.strike}+{more}"


def _moved(one: msg.Move) -> str:
    how = f"teleports, showing {one.lord or 'a lord'}," if one.teleport else "moves"
    return f"{one.legion} {how} to {land(one.hex)}, entering from {one.entry_side}"


def _recruited(one: msg.Recruit) -> str:
    if one.recruit is None:
        return f"{one.legion} is not reinforced"
    shown = f", showing {one.number or 1} {one.recruiter}" if one.recruiter else ""
    return f"{one.legion} musters {one.recruit}{shown}"


def _ended(one: msg.EndEngage) -> str:
    left = f", left are {creatures(one.creatures)}" if one.creatures else ""
    return f"the engagement in {land(one.hex)} is over ({one.method}): {one.winner or 'no legion'} survives{left}"


NEWS: Final[Mapping[type[Message], Callable[[Any], str]]] = {
    msg.FormGame: lambda one: f"a game for {one.min_players} to {one.max_players} players",
    msg.Join: lambda one: f"{one.name} plays",
    msg.Tower: lambda one: f"{one.name} begins in tower {one.hex}",
    msg.Color: lambda one: f"{one.name} is {one.color}, first legion {one.first_marker}",
    msg.Place: lambda one: f"{one.legion} of {one.player} ({_count(one.height, 'creature')}) is in {land(one.hex)}",
    msg.Lost: lambda one: f"{one.number} {one.creature} are out of the game",
    msg.Turn: lambda one: f"turn {one.number} of {one.player}",
    msg.Split: lambda one: f"{one.child} ({_count(one.numsplit, 'creature')}) is split off {one.parent}",
    msg.Merge: lambda one: f"{one.child} goes back into {one.parent}",
    msg.Roll: lambda one: f"movement roll {one.die}",
    msg.Mulligan: lambda one: "mulligan",
    msg.Move: _moved,
    msg.UndoMove: lambda one: f"{one.legion} goes back",
    msg.DoneMoving: lambda one: "the moves are over",
    msg.Engage: lambda one: f"engagement in {land(one.hex)}",
    msg.Flee: lambda one: f"{one.legion} flees and is lost: {creatures(one.creatures)}",
    msg.DoNotFlee: lambda one: f"{one.legion} does not flee",
    msg.Concede: lambda one: f"{one.legion} concedes and is lost: {creatures(one.creatures)}",
    msg.DoNotConcede: lambda one: f"{one.legion} does not concede",
    msg.Negotiate: lambda one: f"{one.legion} offers that {one.survivor or 'no legion'} survives",
    msg.Accept: lambda one: f"agreed in {land(one.hex)}: {_lost(one.losses)}",
    msg.Fight: lambda one: f"battle in {land(one.hex)}: {_stack(one.attacker)} against {_stack(one.defender)}",
    msg.EndEngage: _ended,
    msg.Enter: lambda one: f"{one.creature} enters on {one.hex}",
    msg.Maneuver: lambda one: f"from {one.start_hex} to {one.end_hex}",
    msg.UndoManeuver: lambda one: f"back from {one.hex}",
    msg.DoneManeuvering: lambda one: "maneuvers are over" + (f"; {_lost(one.losses)}" if one.losses else ""),
    msg.Drift: lambda one: f"the drift hurts {one.hex}",
    msg.Strike: _struck,
    msg.Carry: lambda one: f"{_count(one.hits, 'hit')} carried to {one.target_hex}",
    msg.DoneStriking: lambda one: "strikes are over" + (f"; {_lost(one.losses)}" if one.losses else ""),
    msg.Points: lambda one: f"{one.player} scores {one.points}{' (half points)' if one.kind else ''}",
    msg.Acquire: lambda one: f"{one.legion} acquires {one.creature or 'nothing'}",
    msg.Summon: lambda one: f"{one.summoner} summons {one.creature or 'nothing'}",
    msg.Unsummon: lambda one: f"{one.creature} goes back to {one.donor}",
    msg.Recruit: _recruited,
    msg.UndoRecruit: lambda one: f"{one.legion} gives its recruit back",
    msg.Reveal: lambda one: f"{one.legion} was {creatures(one.creatures)}",
    msg.EliminatePlayer: lambda one: f"{one.loser} is eliminated{f' by {one.slayer}' if one.slayer else ''}",
    msg.GameOver: lambda one: f"the game is over: {one.winner or 'no player'} has won",
}
"""What has happened, by message."""


def _move_label(one: ask.Move) -> str:
    how = f" by teleport{f' showing {one.lord}' if one.lord else ''}" if one.teleport else ""
    return f"{one.legion} to {land(one.hex)} from {one.entry_side}{how}"


def _offer_label(one: ask.Negotiate) -> str:
    if not one.survivor:
        return "offer that both are destroyed"
    return f"offer that {one.survivor} survives with {creatures(one.creatures)}"


def _recruit_label(one: ask.Recruit) -> str:
    if one.recruit is None:
        return f"no reinforcement for {one.legion}"
    shown = f" with {one.recruiter}" if one.recruiter else ""
    return f"{one.legion} musters {one.recruit}{shown}"


LABELS: Final[Mapping[type[Request], Callable[[Any], str]]] = {
    ask.Color: lambda one: f"{one.color}, first legion {one.first_marker}",
    ask.Split: lambda one: f"split {creatures(one.creatures)} off {one.parent} as {one.child}",
    ask.Merge: lambda one: f"put {one.child} back into {one.parent}",
    ask.Roll: lambda one: "roll",
    ask.Mulligan: lambda one: "mulligan: roll again",
    ask.Move: _move_label,
    ask.UndoMove: lambda one: f"{one.legion} back",
    ask.DoneMoving: lambda one: "end the moves",
    ask.Engage: lambda one: f"engagement in {land(one.hex)}",
    ask.Flee: lambda one: f"{one.legion} flees",
    ask.DoNotFlee: lambda one: f"{one.legion} stays",
    ask.Concede: lambda one: f"{one.legion} concedes",
    ask.DoNotConcede: lambda one: f"{one.legion} does not concede",
    ask.Negotiate: _offer_label,
    ask.Accept: lambda one: "accept the offer",
    ask.Fight: lambda one: "fight",
    ask.Enter: lambda one: f"{one.creature} enters on {one.hex}",
    ask.Maneuver: lambda one: f"{one.start_hex} to {one.end_hex}",
    ask.UndoManeuver: lambda one: f"{one.hex} back",
    ask.DoneManeuvering: lambda one: "end the maneuvers",
    ask.Strike: lambda one: (
        f"{one.striker_hex} strikes {one.target_hex}: {_count(one.dice, 'die', 'dice')}, {one.strike}+"
    ),
    ask.Carry: lambda one: f"carry {_count(one.hits, 'hit')} to {one.target_hex}" if one.hits else "carry no more",
    ask.DoneStriking: lambda one: "end the strikes",
    ask.Summon: lambda one: f"summon {one.creature} from {one.donor}" if one.creature else "summon nothing",
    ask.Acquire: lambda one: f"acquire {one.creature}" if one.creature else "acquire nothing",
    ask.Recruit: _recruit_label,
    ask.UndoRecruit: lambda one: f"{one.legion} gives its recruit back",
    ask.NextTurn: lambda one: "end the turn",
}
"""What may be asked for, by request."""


ASKED: Final[Mapping[Awaiting, str]] = {
    Awaiting.COLOR: "chooses a colour",
    Awaiting.SPLIT: "splits legions",
    Awaiting.MOVE: "moves",
    Awaiting.ENGAGE: "chooses an engagement",
    Awaiting.FLEE: "flees or stays",
    Awaiting.CONCEDE: "concedes or not",
    Awaiting.NEGOTIATE: "negotiates",
    Awaiting.MANEUVER: "maneuvers",
    Awaiting.STRIKE: "strikes",
    Awaiting.CARRY: "carries hits over",
    Awaiting.ACQUIRE: "may acquire an angel",
    Awaiting.SUMMON: "may summon an angel",
    Awaiting.REINFORCE: "may reinforce",
    Awaiting.MUSTER: "musters",
}
"""What a player is asked, as the end of a sentence that begins with its name."""


def news(message: Message) -> str:
    """Return a message in words."""
    return NEWS[type(message)](message)


def label(request: Request, position: Position) -> str:
    """Return a request in words, with what it leads to as far as it is known."""
    words = LABELS[type(request)](request)
    why = _LEADS_TO.get(type(request))
    more = why(position, request) if why is not None else ""
    return f"{words}: {more}" if more else words


def _brings(position: Position, request: ask.Move) -> str:
    found = mustered(position, request.legion, request.hex)
    return f"may muster {', '.join(found[:3])}" if found else ""


_LEADS_TO: Final[Mapping[type[Request], Callable[[Position, Any], str]]] = {ask.Move: _brings, ask.Strike: of_strike}


def places(request: Request) -> tuple[str, ...]:
    """Return the parts of a picture that stand for a request: lands, legions, hexes."""
    found = (getattr(request, name, None) for name in _PLACES)
    return tuple(dict.fromkeys(str(place) for place in found if place))


_PLACES: Final = (
    "hex", "legion", "parent", "start_hex", "end_hex", "striker_hex", "target_hex", "summoner", "donor",
)  # fmt: skip
