"""How engagements, players and the game end: points, eliminations, and the next turn."""

from dataclasses import replace

from game_masters.titan import messages as msg
from game_masters.titan.battlelands import ATTACKER, DEFENDER
from game_masters.titan.creatures import TITAN, value
from game_masters.titan.play import Play, battle_in, engagement_of
from game_masters.titan.position import BATTLE_TURNS, OTHER, BattlePhase, Fall, Method, Phase, Position


def destroy(play: Play, side: str, method: Method, *, withdraws: bool = False) -> None:
    """Let the legion of a side flee or be conceded, and the other side score for it."""
    engagement, position = engagement_of(play), play.position
    legion = position.legions[engagement.marker(side)]
    battle = position.battle
    fallen = [creature for where, creature in battle.fallen if where == side] if battle is not None else []
    # All creatures of the legion count, those that fell before as well.
    points = value([*fallen, *legion.creatures], position.score_of(legion.seat))
    if method is Method.FLEE:
        play.add(msg.Flee(legion.marker, legion.creatures))
        # A flight is worth half.
        points //= 2
    else:
        play.add(msg.Concede(legion.marker, legion.creatures, True if withdraws else None))
    # What the other side has lost so far stands: it may be beaten as well, and then no one wins.
    winner = play.position.legions[engagement.marker(OTHER[side])]
    if battle is not None and play.position.beaten(OTHER[side]):
        play.add(msg.EndEngage(engagement.hex, method, None, None))
        return
    survivors = winner.creatures if battle is not None else None
    play.add(msg.EndEngage(engagement.hex, method, winner.marker, survivors))
    _score(play, winner.seat, points)


def end_battle(play: Play) -> None:
    """End a battle if a side is beaten, or if it has lasted too long."""
    engagement, battle, position = engagement_of(play), battle_in(play), play.position
    beaten = [side for side in (ATTACKER, DEFENDER) if position.beaten(side)]
    if len(beaten) == 2:
        play.add(msg.EndEngage(engagement.hex, Method.FIGHT, None, None))
        return
    # No side is beaten: the battle has lasted too long, and the attacker has lost.
    loser = beaten[0] if beaten else ATTACKER
    winner = position.legions[engagement.marker(OTHER[loser])]
    method = Method.FIGHT if beaten else Method.TIME_LOSS
    play.add(msg.EndEngage(engagement.hex, method, winner.marker, winner.creatures))
    # Time loss brings no points, not even for creatures that were killed earlier.
    if beaten:
        fallen = [creature for side, creature in battle.fallen if side == loser]
        _score(play, winner.seat, value(fallen, position.score_of(engagement.seats[loser])))


def battle_is_over(position: Position) -> bool:
    """Return whether a battle is over, at the beginning of a side's part of a turn."""
    battle = position.battle
    if battle is None or battle.phase is not BattlePhase.MANEUVER:
        return False
    return battle.turn > BATTLE_TURNS or position.beaten(ATTACKER) or position.beaten(DEFENDER)


def _score(play: Play, seat: int, points: int) -> None:
    play.add(msg.Points(play.name(seat), points, None))


def withdraw(play: Play, seat: int) -> None:
    """Take a player out of the game. A running engagement is conceded first."""
    engagement = play.position.engagement
    if engagement is not None and engagement.method is None:
        side = engagement.side_of(seat)
        if side is not None:
            destroy(play, side, Method.CONCEDE, withdraws=True)
            return
    falling = engagement.falls if engagement is not None else ()
    # It is out already: the elimination that is due will be carried out.
    if any(fall.seat == seat for fall in falling):
        return
    winner = play.position.legions.get(engagement.winner or "") if engagement is not None else None
    if winner is not None and winner.seat == seat:
        for fall in falling:
            eliminate(play, fall)
    eliminate(play, Fall(seat, None))


def eliminate(play: Play, fall: Fall) -> None:
    """Take a player's legions off the board. Half of their value goes to those who are engaged with them, or to the
    slayer."""
    position = play.position
    engagement = position.engagement
    falling = {fall.seat, *(one.seat for one in engagement.falls)} if engagement is not None else {fall.seat}
    # A player who withdraws beside an enemy is slain by it; elsewhere no one gains the markers.
    able = [seat for seat in position.living if seat not in falling]
    slayer = fall.slayer if fall.slayer is not None else _beside_titan(position, fall.seat)
    slayer = slayer if slayer in able else None
    shares = dict.fromkeys(able, 0)
    legions = [legion for legion in position.legions_of(fall.seat) if legion.creatures]
    for legion in legions:
        # The opponent in the same land goes before the slayer.
        opponents = [other.seat for other in position.in_land(legion.hex) if other.seat in able]
        heir = opponents[0] if opponents else slayer
        if heir is not None:
            shares[heir] += value(legion.creatures, position.score_of(fall.seat))
    for seat, share in shares.items():
        # Added up first, halved once.
        if share // 2:
            play.add(msg.Points(play.name(seat), share // 2, "half"))
    # Contents become public before the legions go.
    for legion in legions:
        play.add(msg.Reveal(legion.marker, legion.creatures))
    name = play.name(slayer) if slayer is not None else None
    play.add(msg.EliminatePlayer(play.name(fall.seat), name))


def _beside_titan(position: Position, seat: int) -> int | None:
    """Return who stands in the land of a player's living Titan, and so slays a player who withdraws."""
    for legion in position.legions_of(seat):
        if TITAN in legion.creatures:
            return next((other.seat for other in position.in_land(legion.hex) if other.seat != seat), None)
    return None


def next_turn(play: Play) -> None:
    """Begin the turn of the next player who is in the game."""
    position = play.position
    order = position.order
    own = order.index(position.active)
    following = [*order[own + 1 :], *order[: own + 1]]
    # A turn is counted when it comes to the first in order again.
    seat = next(seat for seat in following if position.players[seat].alive)
    number = position.turn + (order.index(seat) <= own)
    play.add(msg.Turn(play.name(seat), number))


def over(play: Play) -> None:
    """End the game: the one who is left has won, if there is one."""
    living = play.position.living
    play.add(msg.GameOver(play.name(living[0]) if living else None))


def over_by_points(play: Play) -> None:
    """End a game that several players are in, if it is not over: the one with most points has won, if it is one."""
    position = play.position
    if position.phase is Phase.OVER:
        return
    most = max(position.score_of(seat) for seat in position.living)
    best = [seat for seat in position.living if position.score_of(seat) == most]
    play.add(msg.GameOver(play.name(best[0]) if len(best) == 1 else None))
    # The game ends whatever was being asked.
    play.position = replace(play.position, asked=None)
