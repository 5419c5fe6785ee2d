"""Who may find a table, or the game at it: one decision for all answers, lists and pages.

Strangers get neither the id of a private table or game nor its events. The id is the key: anyone who got it from a
person who may know it can watch the running game (``x-watch``, the page), and everything shown there is public.
"""

from ugs.broker.state.model import Game, Player, Table
from ugs.broker.values.name_rules import unique_form
from ugs.wire.extensions import Visibility


def is_open(place: Game | Table) -> bool:
    """Whether strangers may find a table, or a game."""
    table = place.setting.table if isinstance(place, Game) else place
    return table is None or table.visibility is Visibility.PUBLIC


def may_find(player: Player, place: Game | Table) -> bool:
    """Return whether this player may find it: if it is public, or the player is its owner, is invited or sits there."""
    if is_open(place):
        return True
    table = place.setting.table if isinstance(place, Game) else place
    assert table is not None
    # In any spelling that counts as the same, as the owner may have written it.
    if player is table.owner or unique_form(player.name) in table.invited:
        return True
    there = place.present.values() if isinstance(place, Game) else place.members
    return player in there


def is_in_private(player: Player) -> bool:
    """Whether a player sits at a private table, or in the game at one."""
    return any(not is_open(place) for place in (player.table, player.game) if place is not None)
