"""Who is whose enemy, as far as a player can know: from the roles that are known, from those that are left, and from
who has harmed whom."""

from collections.abc import Mapping, Sequence

from game_masters.bang.messages.events import PlayerView
from game_masters.bang.messages.words import Role
from game_masters.bang.setup.beginning import ROLES
from game_masters.bang.views.known import Known

SURE = 4.0
"""The weight of a role that is known."""
OUTLAWRY: Mapping[Role, float] = {
    Role.SHERIFF: -SURE, Role.DEPUTY: -SURE, Role.OUTLAW: SURE, Role.RENEGADE: SURE / 2, Role.UNKNOWN: 0.0,
}  # fmt: skip
TAKES_SIDES = 0.5
"""The weight of an act against a player known only by acts; one against the sheriff weighs 1."""
GRUDGE = 0.4
"""The weight of an act against oneself."""
MAX_GRUDGE = 2.0
LAW = frozenset({Role.SHERIFF, Role.DEPUTY})
PRIOR: Mapping[Role, float] = {
    Role.SHERIFF: 0.6,
    Role.DEPUTY: 0.6,
    Role.OUTLAW: 0.3,
    Role.RENEGADE: 0.8,
    Role.UNKNOWN: 0.0,
}
"""How much of an enemy a player is of whom nothing is known, by the own role."""


def outlawry(known: Known) -> dict[int, float]:
    """Return for each player how much of an outlaw it looks: positive against the sheriff, negative for the sheriff."""
    first = {player.id: OUTLAWRY[player.role] for player in known.players}
    against = {player.id for player in known.players if player.sheriff}
    # Acts against the sheriff first: they show a side while no other role is known.
    sided = dict(first)
    for player, target, weight in known.deeds:
        if target in against and player in sided:
            sided[player] += weight
    found = dict(sided)
    for player, target, weight in known.deeds:
        if player in found and target in sided and target not in against:
            side = max(-1.0, min(1.0, sided[target]))
            found[player] -= TAKES_SIDES * weight * side
    # A role that is known counts, whatever its player has done.
    return {id: first[id] if first[id] else value for id, value in found.items()}


def enmity(known: Known) -> dict[int, float]:
    """Return for each other living player how much of an enemy it is to the reader; negative for a friend."""
    outlaws = outlawry(known)
    others = [player for player in known.players if player.alive and player.id != known.you]
    alone = len(others) == 1
    grudges = {deed.player: min(MAX_GRUDGE, GRUDGE * deed.weight) for deed in known.deeds if deed.target == known.you}
    prior = PRIOR[known.role]
    if known.role in LAW and not _outlaws_left(known):
        outlaws |= _renegade_among(others, outlaws)
    found: dict[int, float] = {}
    for player in others:
        looks = outlaws[player.id]
        if known.role is Role.OUTLAW:
            found[player.id] = 2 * SURE if player.sheriff else prior - looks
        elif known.role is Role.RENEGADE:
            found[player.id] = _to_renegade(player.sheriff, alone=alone, looks=looks, prior=prior)
        else:
            found[player.id] = -2 * SURE if player.sheriff else prior + looks
        # A deputy bears with the sheriff, who cannot know whom the shots hit.
        if not (known.role is Role.DEPUTY and player.sheriff):
            found[player.id] += grudges.get(player.id, 0.0)
    return found


def _outlaws_left(known: Known) -> int:
    """Return how many outlaws are alive: the roles of the dead are known, and which roles were dealt."""
    dead = sum(player.role is Role.OUTLAW for player in known.players if not player.alive)
    return ROLES[len(known.players)].count(Role.OUTLAW) - dead


def _renegade_among(others: Sequence[PlayerView], outlaws: Mapping[int, float]) -> dict[int, float]:
    """Return how much of a renegade those look whose role is hidden, when one of them must be it: more than the others,
    however lawful they all look. Otherwise they would spare one another for ever."""
    hidden = [player.id for player in others if player.role is Role.UNKNOWN]
    if len(hidden) == 1:
        return {hidden[0]: SURE}
    usual = sum(outlaws[id] for id in hidden) / max(1, len(hidden))
    return {id: outlaws[id] - usual for id in hidden}


def _to_renegade(sheriff: bool, *, alone: bool, looks: float, prior: float) -> float:
    """The sheriff has to die last; until then all others are in the way, outlaws first."""
    if sheriff:
        return 2 * SURE if alone else -SURE
    return prior + max(0.0, looks) / 2
