"""Carries requests out: what is accepted when, who does it, and what follows without a question."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from game_masters.titan import battles, engaging, turns
from game_masters.titan import messages as msg
from game_masters.titan import requests as ask
from game_masters.titan.asking import is_settled, question
from game_masters.titan.beginning import Beginning
from game_masters.titan.endings import battle_is_over, eliminate, end_battle, next_turn, over, withdraw
from game_masters.titan.messages import Message
from game_masters.titan.play import Dice, Play, refuse
from game_masters.titan.position import MAX_UNDONE, Awaiting, Phase, Position
from game_masters.titan.requests import Request

Rule = Callable[[Play, int, Any], None]

RULES: Final[Mapping[Awaiting, Mapping[type[Request], Rule]]] = {
    Awaiting.COLOR: {ask.Color: turns.color},
    Awaiting.SPLIT: {ask.Split: turns.split, ask.Merge: turns.merge, ask.Roll: turns.roll},
    Awaiting.MOVE: {
        ask.Move: turns.move,
        ask.UndoMove: turns.undo_move,
        ask.Merge: turns.merge,
        ask.Mulligan: turns.mulligan,
        ask.DoneMoving: turns.done_moving,
        # These end the moves by themselves.
        ask.Engage: engaging.engage,
        ask.Recruit: turns.recruit,
        ask.NextTurn: turns.next_player,
    },
    Awaiting.ENGAGE: {ask.Engage: engaging.engage},
    Awaiting.FLEE: {
        ask.Flee: engaging.flee,
        ask.DoNotFlee: engaging.do_not_flee,
        ask.Negotiate: engaging.negotiate,
        ask.Fight: engaging.fight,
    },
    Awaiting.CONCEDE: {
        ask.Concede: engaging.concede,
        ask.DoNotConcede: engaging.do_not_concede,
        ask.Negotiate: engaging.negotiate,
        ask.Accept: engaging.accept,
        ask.Fight: engaging.fight,
    },
    Awaiting.NEGOTIATE: {
        ask.Negotiate: engaging.negotiate,
        ask.Accept: engaging.accept,
        ask.Fight: engaging.fight,
        ask.Concede: engaging.concede,
    },
    Awaiting.MANEUVER: {
        ask.Enter: battles.enter,
        ask.Maneuver: battles.maneuver,
        ask.UndoManeuver: battles.undo_maneuver,
        ask.Summon: battles.call,
        ask.Recruit: battles.reinforce,
        ask.UndoRecruit: battles.undo_reinforcement,
        ask.Concede: engaging.concede,
        ask.DoneManeuvering: battles.done_maneuvering,
    },
    Awaiting.STRIKE: {
        ask.Strike: battles.strike,
        ask.DoneStriking: battles.done_striking,
        ask.Concede: engaging.concede,
    },
    Awaiting.CARRY: {
        ask.Carry: battles.carry,
        # These drop what could still be carried.
        ask.Strike: battles.strike,
        ask.DoneStriking: battles.done_striking,
        ask.Concede: engaging.concede,
    },
    Awaiting.ACQUIRE: {ask.Acquire: engaging.acquire},
    Awaiting.SUMMON: {ask.Summon: engaging.summon},
    Awaiting.REINFORCE: {ask.Recruit: engaging.reinforce},
    Awaiting.MUSTER: {
        ask.Recruit: turns.recruit,
        ask.UndoRecruit: turns.undo_recruit,
        ask.NextTurn: turns.next_player,
    },
}
"""What a player may ask for, by what it is asked. ``withdraw`` and ``replay`` are always accepted."""

UNDOING: Final = (ask.Merge, ask.UndoMove, ask.UndoManeuver, ask.UndoRecruit)
"""Requests that take something back."""

LOBBY: Final[Mapping[type[Request], str]] = {
    ask.Join: "the game has begun, and its players are fixed",
    ask.Observe: "players see the game anyway, and others watch it at the server",
    ask.Start: "the game has begun",
}
"""Why requests that belong to the lobby are refused."""


def begin(
    options: tuple[tuple[str, str], ...],
    least: int,
    most: int,
    towers: Mapping[str, str],
    dice: Dice,
    fixed: Beginning | None = None,
) -> Play:
    """Set a game up: ``towers`` are those of the players, by name in the order of the seats.

    Raises :class:`game_masters.titan.play.Refused` if the requests of the fixed beginning are not allowed.
    """
    play = Play(Position(), Position(), dice)
    play.add(msg.FormGame(least, most, options))
    for name in towers:
        play.add(msg.Join(name))
    for name, hex in towers.items():
        play.add(msg.Tower(name, hex))
    if fixed is not None:
        for message in fixed.messages(list(towers)):
            play.add(message)
    advance(play)
    for request in fixed.requests if fixed is not None else ():
        asked = play.position.asked
        seat = asked.seat if asked is not None else 0
        done = carry_out(play.position, play.public, play.dice, seat, request)
        play.position, play.public, play.dice = done.position, done.public, done.dice
        play.msg += done.msg
    return play


def carry_out(position: Position, public: Position, dice: Dice, seat: int, request: Request) -> Play:
    """Carry a request of ``seat`` out, and what follows from it. ``public`` is what all know of the position.
    Raises :class:`game_masters.titan.play.Refused`."""
    play = Play(position, public, dice)
    if type(request) in LOBBY:
        refuse(request, LOBBY[type(request)])
    asked = position.asked
    if isinstance(request, ask.Withdraw):
        if not position.players[seat].alive:
            refuse(request, "you are out of the game")
        withdraw(play, seat)
    else:
        if asked is None or asked.seat != seat:
            whose = "no player is asked" if asked is None else f"{play.name(asked.seat)} is asked: {asked.awaiting}"
            refuse(request, f"it is not your turn; {whose}")
        rule = RULES[asked.awaiting].get(type(request))
        if rule is None:
            accepted = ", ".join(kind.TAG for kind in RULES[asked.awaiting])
            refuse(request, f"not now; you are asked: {asked.awaiting}, which takes {accepted}")
        if isinstance(request, UNDOING) and position.undone >= MAX_UNDONE:
            refuse(request, f"in one phase {MAX_UNDONE} requests can be taken back, and they have been")
        rule(play, seat, request)
    advance(play)
    return play


def leave(position: Position, public: Position, dice: Dice, seat: int) -> Play:
    """Take a player out who is gone."""
    play = Play(position, public, dice)
    if position.players[seat].alive:
        withdraw(play, seat)
    advance(play)
    return play


def advance(play: Play) -> None:
    """Do all that needs no decision, up to the next question."""
    while _step(play):
        pass
    _ask(play)


def _ask(play: Play) -> None:
    asked = question(play.public)
    play.position, play.public = replace(play.position, asked=asked), replace(play.public, asked=asked)


def resume(messages: Sequence[Message], dice: Dice) -> Play:
    """Return a game after all of these messages, with who is asked what. Raises
    :class:`game_masters.titan.history.Inconsistent`."""
    play = Play(Position(), Position(), dice)
    for message in messages:
        play.add(message)
    if is_settled(play.public):
        play.close()
    _ask(play)
    return play


def _step(play: Play) -> bool:
    """Do the next thing that needs no decision; return False if there is none."""
    position = play.position
    engagement = position.engagement
    if position.phase is Phase.OVER:
        return False
    if is_settled(play.public):
        play.close()
    # Angels for the points come before an elimination, unless that ends the game: then nothing is asked.
    elif engagement is not None and engagement.falls and (position.ends_with_falls or not position.open_chances):
        eliminate(play, engagement.falls[0])
    elif len(position.living) <= 1:
        over(play)
    elif position.phase is Phase.SETUP:
        if question(play.public) is not None:
            return False
        first = next(seat for seat in position.order if position.players[seat].alive)
        play.add(msg.Turn(play.name(first), 1))
    # The player whose turn it was is out of the game.
    elif engagement is None and not position.players[position.active].alive:
        next_turn(play)
    elif battle_is_over(position):
        end_battle(play)
    # A phase without a possible strike is closed without a question.
    elif battles.idle(position):
        battles.end_strikes(play)
    else:
        return False
    return True
