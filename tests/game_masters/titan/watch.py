"""What always holds in a game, and between one position and the next one."""

from game_masters.titan import messages as said
from game_masters.titan.creatures import KINDS, TITAN
from game_masters.titan.maneuvers import touching
from game_masters.titan.position import BattlePhase, Phase, Position
from game_masters.titan.rules import Slugathon
from game_masters.titan.views import status_of


def check(position: Position, players: int) -> None:
    """What always holds."""
    inside = [creature for one in position.legions.values() for creature in one.creatures]
    waiting = position.engagement.lords if position.engagement is not None else ()
    for name, kind in KINDS.items():
        there = inside.count(name) + waiting.count(name) + position.stock[name] + position.dead[name]
        assert there == (players if name == TITAN else kind.count), name
    markers = [marker for player in position.players for marker in player.markers] + list(position.legions)
    assert len(markers) == len(set(markers))
    for one in position.legions.values():
        assert one.height <= (8 if position.turn <= 1 else 7)
        assert one.height > 0 or position.engagement is not None
    if position.phase not in (Phase.SETUP, Phase.SPLIT, Phase.MOVE, Phase.OVER):
        for hex in {one.hex for one in position.legions.values()}:
            here = position.in_land(hex)
            assert len(here) <= 2
            assert len({one.seat for one in here}) == len(here)
    for score in status_of(position, 0).scores:
        assert score.titan_power == 6 + score.points // 100
    battle = position.battle
    if battle is not None:
        places = [fighter.hex for fighter in battle.fighters if fighter.hex is not None]
        assert len(places) == len(set(places))
        for fighter in battle.fighters:
            surface = battle.land.surface(fighter.hex) if fighter.hex is not None else ""
            assert surface != "Tree"
            assert surface not in ("Bog", "Volcano") or surface in KINDS[fighter.creature].native
            assert battle.phase != "Maneuver" or position.alive(fighter)


def check_step(before: Position, after_: Position) -> None:
    """What holds between one position and the next one."""
    for old, new in zip(before.players, after_.players, strict=True):
        assert new.score >= old.score
    if after_.turn == before.turn and after_.active == before.active:
        assert sum(one.teleported for one in after_.legions.values() if one.seat == after_.active) <= 1
    then, now = before.battle, after_.battle
    if then is None or now is None or now.phase is not BattlePhase.MANEUVER:
        return
    for fighter in then.fighters if (then.turn, then.side) == (now.turn, now.side) else ():
        if touching(before, fighter) and not fighter.moved:
            assert now.at(fighter.hex or "") == fighter, "nobody moves while in contact"


class Watch:
    """Looks at a game after every move."""

    def __init__(self, players: int) -> None:
        self._players = players
        self._before: Position | None = None
        self._heard = 0
        self._summoned = 0
        self.most_summoned = 0

    def look(self, game: Slugathon) -> None:
        check(game.position, self._players)
        check_step(self._before or game.position, game.position)
        self._before = game.position
        for message in game.messages[self._heard :]:
            if isinstance(message, said.Turn):
                self._summoned = 0
            elif isinstance(message, said.Summon):
                self._summoned += message.creature is not None
            elif isinstance(message, said.Unsummon):
                self._summoned -= 1
            self.most_summoned = max(self.most_summoned, self._summoned)
        self._heard = len(game.messages)
