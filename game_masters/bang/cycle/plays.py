"""What cards do that are played in the own turn. Whether they may be played is asked elsewhere."""

from collections.abc import Callable, Mapping

from game_masters.bang.cards.characters import SLAB
from game_masters.bang.cards.playing_cards import Card, is_weapon
from game_masters.bang.cycle.answers import take_last
from game_masters.bang.cycle.harm import healed
from game_masters.bang.messages.events import Command, Movement
from game_masters.bang.messages.words import Pocket, Reaction, Type
from game_masters.bang.table.circle import Player
from game_masters.bang.table.course import Course
from game_masters.bang.table.requests import Duel, Series, Shot, Store

STAGECOACH, WELLS_FARGO = 2, 3
"""Cards that are drawn."""
MIN_FOR_BEER = 3
"""With fewer players alive a Beer has no effect."""


def play(course: Course, card: Card, target: Player | None, aim: Card | None) -> None:
    """Let the current player play a card of the hand, on a player or on a card of a table if it needs that."""
    player = course.current
    if target is not None:
        _ON_PLAYER[card.name](course, player, card, target)
    elif aim is not None:
        _on_card(course, player, card, aim)
    else:
        _ALONE.get(card.name, _on_own_table)(course, player, card)


# --- on players and cards ---------------------------------------------------------------------------------------------


def _bang(course: Course, player: Player, card: Card, target: Player) -> None:
    """A BANG!, also one that is a Missed! of Calamity Janet's."""
    moved = course.discarded(player, card)
    # With a Volcanic, too: it may be gone before the next BANG!.
    course.turn.bangs += 1
    # His BANG! only: against his Gatling one Missed! is enough.
    course.stack.items.append(Shot(target.id, player.id, 2 if player.character == SLAB else 1))
    _play_on_player(course, player, card, target, [moved], ability=card.name != "bang")


def _duel(course: Course, player: Player, card: Card, target: Player) -> None:
    moved = course.discarded(player, card)
    # The player who is challenged is asked first.
    course.stack.items.append(Duel(player.id, target.id, target.id))
    _play_on_player(course, player, card, target, [moved])


def _jail(course: Course, player: Player, card: Card, target: Player) -> None:
    _play_on_player(course, player, card, target, [course.laid(player, target, card)])


def _panic(course: Course, player: Player, card: Card, target: Player) -> None:
    # First the played card: used on oneself, it must not be the one that chance takes.
    moved = course.discarded(player, card)
    _play_on_player(course, player, card, target, [moved, course.taken(target, player, course.any_card(target))])


def _cat_balou(course: Course, player: Player, card: Card, target: Player) -> None:
    moved = course.discarded(player, card)
    _play_on_player(course, player, card, target, [moved, course.discarded(target, course.any_card(target))])


def _play_on_player(
    course: Course, player: Player, card: Card, target: Player, commands: list[Command], *, ability: bool = False
) -> None:
    meaning = (("card-played", card),)
    course.record(Type.PLAY_ON_PLAYER, player.id, commands, target=target.id, ability=ability, meaning=meaning)


def _on_card(course: Course, player: Player, card: Card, aim: Card) -> None:
    """Panic! and Cat Balou on a card of a table."""
    owner = course.players.owner(aim.id)
    assert owner is not None
    moved = course.discarded(player, card)
    also = course.taken(owner, player, aim) if card.name == "panic" else course.discarded(owner, aim)
    meaning = (("card-played", card), ("card-target", aim))
    course.record(Type.PLAY_ON_CARD, player.id, [moved, also], target=owner.id, meaning=meaning)


_ON_PLAYER: Mapping[str, Callable[[Course, Player, Card, Player], None]] = {
    "bang": _bang, "missed": _bang, "duel": _duel, "jail": _jail, "panic": _panic, "cat-balou": _cat_balou,
}  # fmt: skip


# --- alone ------------------------------------------------------------------------------------------------------------


def _play_alone(course: Course, player: Player, card: Card, commands: list[Command]) -> None:
    course.record(Type.PLAY_CARD, player.id, commands, meaning=(("card-played", card),))


def _beer(course: Course, player: Player, card: Card) -> None:
    moved = course.discarded(player, card)
    # A Beer may be played when it has no effect, and is used up.
    helps = len(course.players.living) >= MIN_FOR_BEER
    _play_alone(course, player, card, [moved, *(healed(player) if helps else [])])


def _saloon(course: Course, player: Player, card: Card) -> None:
    commands: list[Command] = [course.discarded(player, card)]
    # With two players left a Saloon still works, unlike a Beer.
    for guest in course.players.from_player(player.id):
        commands += healed(guest)
    _play_alone(course, player, card, commands)


def _draws(number: int) -> Callable[[Course, Player, Card], None]:
    def draws(course: Course, player: Player, card: Card) -> None:
        # Before it is discarded: shuffled in, the card could be drawn by its own effect.
        course.refill(number)
        moved = course.discarded(player, card)
        _play_alone(course, player, card, [moved, *course.drawn(player, number)])

    return draws


def _general_store(course: Course, player: Player, card: Card) -> None:
    piles, guests = course.piles, len(course.players.living)
    course.refill(guests)
    moved = course.discarded(player, card)
    piles.selection, piles.owner = piles.take(guests), 0
    shown = [Movement(Pocket.DECK, Pocket.SELECTION, 0, 0, one) for one in piles.selection]
    if piles.selection:
        course.stack.items.append(Store(player.id, player.id))
    _play_alone(course, player, card, [moved, *shown])
    take_last(course)


def _series(reaction: Reaction) -> Callable[[Course, Player, Card], None]:
    def asks_all(course: Course, player: Player, card: Card) -> None:
        moved = course.discarded(player, card)
        course.stack.items.append(Series(reaction, player.id, course.players.after(player.id).id))
        _play_alone(course, player, card, [moved])

    return asks_all


def _on_own_table(course: Course, player: Player, card: Card) -> None:
    """A blue card or a weapon, which takes the place of another weapon."""
    # Both in one event, so that no reader ever sees two weapons.
    old = player.weapon if is_weapon(card) else None
    commands: list[Command] = [course.discarded(player, old)] if old is not None else []
    commands.append(course.laid(player, player, card))
    course.record(Type.PLAY_ON_TABLE, player.id, commands, meaning=(("card-played", card),))


_ALONE: Mapping[str, Callable[[Course, Player, Card], None]] = {
    "beer": _beer,
    "saloon": _saloon,
    "diligenza": _draws(STAGECOACH),
    "wells-fargo": _draws(WELLS_FARGO),
    "general-store": _general_store,
    "gatling": _series(Reaction.GATLING),
    "indians": _series(Reaction.INDIANS),
}
