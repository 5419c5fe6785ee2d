"""Players who wait for a game of a type, and when one begins.

Open play: first come, first served; with ``variety_s`` players who have just met wait for others, so that all meet all.
A game begins when at least the minimum number of players waits and either the wanted number is reached or the gathering
time has passed since the minimum was reached; it takes all waiting players, up to the wanted number. The organiser sets
wanted number and gathering time, or the master does (``x-offers``); by default the maximum is wanted, with no gathering
time. While a championship of the type is played, its plan pairs the players; while it is only announced, open play goes
on if the plan allows it.
"""

import math
from collections.abc import Mapping, Sequence
from itertools import islice
from math import inf

from ugs.broker.championships import announcing, champions_list, playing
from ugs.broker.events import Timer, TimerKind
from ugs.broker.play import beginning
from ugs.broker.state import gathering, rests
from ugs.broker.state.model import GameType, Player
from ugs.broker.state.server_state import ROUNDING, ServerState

LOOK_AT = 32
"""Opponents are chosen among this many players, those who have waited longest."""
MAX_CHOSEN = 256
"""Seats that opponents are chosen for in one look; for larger games, fewer waiting players are tried as the first."""
FEW_GAMES = 4
"""In a pool with players for at most this many games, no player meets the same one twice while it could meet another.
In a larger pool, one more meeting is no reason to wait."""
PATIENCE = 1.25
"""How long a player waits for an opponent that it has met less often, as a multiple of its own last game: games of
equal length end in that time."""
LASTING = 3.0
"""How long the running game of an opponent may have lasted to be worth waiting for, as a multiple of the player's own
last game: the end of a longer one cannot be foreseen, and a single slow pair would make a whole pool wait."""
BEGUN_AT_ONCE = 16
"""Games that begin at once: about 1 ms. After the end of a championship hundreds may begin; they begin a few at a time,
and other peers are served between."""
MAX_SEATED_AT_ONCE = 256
"""Seats of these games: about 2 ms. A larger game begins alone."""


def free(server: ServerState, players: Sequence[Player]) -> None:
    """These players are free: send them the standings, put those who are ``pooled`` into the pool, begin games."""
    for player in players:
        game_type = player.type
        player.is_free(server.now)
        game_type.is_free_for(player)
        game_type.meetings.is_free(player.name, server.now)
        if player.pooled and not player.away and player.table is None:
            game_type.waiting[player.conn] = player
        # D18: once right after becoming idle, before a game can begin and forbid it.
        champions_list.welcome(server, player)
    # Only when all are in the pool: otherwise the first would be seated before the others count.
    for game_type in {player.type.name: player.type for player in players}.values():
        match(server, game_type)


def match(server: ServerState, game_type: GameType) -> None:
    """Begin every game that can begin now."""
    announcing.announce_configured(server, game_type)
    if game_type.championship is not None:
        playing.play(server, game_type, game_type.championship)
    if is_open(game_type) and not server.is_closed(game_type):
        _open_play(server, game_type)


def is_open(game_type: GameType) -> bool:
    """Return whether the players of this type meet in open play."""
    championship = game_type.championship
    return championship is None or (not championship.begun and championship.plan.open_play)


def gathered(server: ServerState, game_type: str) -> None:
    """The gathering time is over: begin games."""
    server.types[game_type].gathers(None)
    match(server, server.types[game_type])


def _open_play(server: ServerState, game_type: GameType) -> None:
    begun = seated = 0
    while (waiting := gathering.ready(server, game_type)) and (masters := game_type.free_masters(len(waiting))):
        master, wait = gathering.first_to_begin(server, game_type, masters, waiting)
        take = min(len(waiting), gathering.wanted(game_type, master))
        if wait > 0:
            _look_again(server, game_type, wait)
            return
        # The rest at a timer of 0 s: others are served before it.
        if begun == BEGUN_AT_ONCE or (begun and seated + take > MAX_SEATED_AT_ONCE):
            _look_again(server, game_type, 0)
            return
        players, wait = _who_meets(server, game_type, list(islice(waiting.values(), max(take, LOOK_AT))), take)
        if wait > 0:
            _look_again(server, game_type, wait)
            return
        beginning.begin(server, game_type, master, players)
        begun += 1
        seated += take
    # A rest may end by any message, which no timer waits for.
    if rests.resting(server, game_type):
        _look_again(server, game_type, math.inf)
    elif game_type.gathers_until is not None:
        game_type.gathers(None)
        server.stop(Timer(TimerKind.GATHER, game_type.name))


def _look_again(server: ServerState, game_type: GameType, seconds: float) -> None:
    """Look again in ``seconds``, or when a player has rested: no more games can begin now."""
    if rests.resting(server, game_type):
        seconds = min(seconds, rests.next_look_s(server, game_type))
    game_type.gathers(server.now + seconds)
    server.start(Timer(TimerKind.GATHER, game_type.name), seconds)


def _who_meets(
    server: ServerState, game_type: GameType, near: Sequence[Player], take: int
) -> tuple[Sequence[Player], float]:
    """Return the ``take`` players of the next game, and how many seconds it still has to wait; ``near`` are the players
    who have waited longest.

    Without ``variety_s`` these are the first of ``near``. Otherwise each in turn gets the players that it has met least
    often and least recently; a game waits as long as :func:`_worth_s` returns.
    """
    # With more seats than LOOK_AT all of ``near`` play: there is nothing to choose.
    if not game_type.settings.variety_s or take > LOOK_AT:
        return near[:take], 0.0
    coming = _coming(game_type)
    waits = []
    met = {player: game_type.meetings.met(player.name) for player in near}
    for leader in near[: MAX_CHOSEN // take]:
        players = _with_leader(met, leader, take)
        wait = _worth_s(server, game_type, players, coming)
        if wait <= ROUNDING:
            game_type.meetings.add([player.name for player in players], server.now)
            return players, 0.0
        waits.append(wait)
    return [], min(waits)


def _coming(game_type: GameType) -> list[str]:
    """Return the players who may become free, in a pool of at most LOOK_AT players; none in a larger one, where enough
    come. Unreachable players may never come."""
    if len(game_type.players) > LOOK_AT:
        return []
    waiting, players = game_type.waiting, game_type.players.values()
    return [one.name for one in players if one.pooled and not one.away and one.conn not in waiting]


def _worth_s(server: ServerState, game_type: GameType, players: Sequence[Player], coming: Sequence[str]) -> float:
    """Return how many seconds the first of these players should wait for another opponent.

    Players of the same game wait for ``variety_s``. A player who has met these more often than one who is still playing
    waits for that one, at most as long as its own last game took: then all meet all, however long games are. It does
    not wait for games that last far longer.
    """
    meetings, all_players = game_type.meetings, len(game_type.players)
    if all_players <= len(players):
        return 0.0
    names = [player.name for player in players]
    variety = game_type.settings.variety_s if meetings.again(names) else 0.0
    slack = 0 if all_players <= FEW_GAMES * len(players) else 1
    waits = [players[0].idle_since + variety]
    for player in players:
        took_s = meetings.took_s(player.name)
        if coming and took_s is not None:
            met = max(meetings.times(player.name, name) for name in names if name != player.name)
            less_met = [name for name in coming if met - meetings.times(player.name, name) > slack]
            latest = max((meetings.plays_since(name) + LASTING * took_s for name in less_met), default=-inf)
            waits.append(min(latest, player.idle_since + PATIENCE * took_s))
    return max(waits) - server.now


def _with_leader(met: Mapping[Player, Mapping[str, tuple[int, int]]], leader: Player, take: int) -> list[Player]:
    """Return the leader, and the players who have met it and each other least often and least recently. ``met`` has all
    waiting players, and whom each has met."""
    if not any(met.values()):
        return [leader, *[player for player in met if player is not leader][: take - 1]]
    chosen = [leader]
    seen = {player: (0, 0) for player in met if player is not leader}
    while len(chosen) < take:
        latest = chosen[-1].name
        for player, (times, recently) in seen.items():
            if latest in met[player]:
                more, place = met[player][latest]
                seen[player] = times + more, max(recently, place)
        # Of equals the first, who has waited longest: a dictionary keeps that order.
        following = min(seen, key=seen.__getitem__)
        del seen[following]
        chosen.append(following)
    return chosen
