"""What players answer when they are asked: a card, a check, a choice, or nothing."""

from collections.abc import Callable, Mapping

from game_masters.bang.cards.playing_cards import CHARACTER, Card
from game_masters.bang.cycle.checks import begin as begin_check
from game_masters.bang.cycle.checks import choose, succeed
from game_masters.bang.cycle.harm import advance, give_up, revive, wound
from game_masters.bang.cycle.turns import keep
from game_masters.bang.messages.events import Command, Movement
from game_masters.bang.messages.words import Pocket, Reaction, Type
from game_masters.bang.table.circle import Player
from game_masters.bang.table.course import Course
from game_masters.bang.table.requests import ABILITY, BARREL, Check, Duel, DuelOver, LastSave, Look, Series, Shot, Store


def answer(course: Course, id: int) -> None:
    """Let the player who is asked answer with the card that has this id."""
    top = course.stack.top
    assert top is not None
    _ANSWERS[top.reaction](course, course.requested, id)


def give_in(course: Course) -> None:
    """Let the player who is asked pass."""
    top, player = course.stack.top, course.requested
    if isinstance(top, LastSave):
        give_up(course, player)
        return
    if isinstance(top, Duel):
        # The challenger is to blame even for losing: an own duel that is lost rewards no player.
        culprit = top.challenger
        # Not taken off yet: Suzy Lafayette draws only when the hit has had all its consequences.
        course.stack.items[-1] = DuelOver(frozenset({top.challenger, top.opponent}))
    else:
        assert isinstance(top, Shot | Series)
        culprit = top.cause
        if isinstance(top, Series):
            # It stays below a last save, and goes on from there.
            top.answered = True
        else:
            course.stack.items.pop()
    wound(course, player, culprit, 1, lambda commands: course.record(Type.REACTION_PASS, player.id, commands))


def use_barrel_ability(course: Course) -> None:
    """Let Jourdonnais try his own Barrel."""
    player = course.requested
    # A character is no playing card, so its id is 0.
    _try(course, ABILITY, Check(player.id, Card(0, player.character, CHARACTER), ability=True))


def _try(course: Course, what: str, check: Check) -> None:
    shot = course.stack.shot
    assert shot is not None
    # Each once per shot, also where Slab the Killer makes two necessary.
    shot.tried |= {what}
    begin_check(course, check)


def _dodge(course: Course, player: Player, id: int) -> None:
    """A Missed!, or a Barrel of the own table."""
    barrel = player.on_table(id)
    if barrel is not None:
        _try(course, BARREL, Check(player.id, barrel))
        return
    card, moved = _spent(course, player, id)
    # First the success, then the event: it carries the question that is open then.
    succeed(course)
    # Calamity Janet's BANG! is shown as the card that it is.
    _record(course, player, card, [moved], ability=card.name != "missed")


def _fight_off(course: Course, player: Player, id: int) -> None:
    """A BANG! against Indians."""
    card, moved = _spent(course, player, id)
    series = course.stack.top
    assert isinstance(series, Series)
    series.answered = True
    advance(course)
    _record(course, player, card, [moved], ability=card.name != "bang")


def _shoot_back(course: Course, player: Player, id: int) -> None:
    """A BANG! in a duel."""
    card, moved = _spent(course, player, id)
    duel = course.stack.top
    assert isinstance(duel, Duel)
    duel.requested = duel.cause
    _record(course, player, card, [moved], ability=card.name != "bang")


def _drink(course: Course, player: Player, id: int) -> None:
    """A Beer in a last save."""
    card, moved = _spent(course, player, id)
    revive(course, player, lambda commands: _record(course, player, card, [moved, *commands]))


def _keep(course: Course, player: Player, id: int) -> None:
    look = course.stack.top
    assert isinstance(look, Look)
    keep(course, look, id)


def _buy(course: Course, player: Player, id: int) -> None:
    """A card of the General Store. The last one goes to the last player without asking."""
    store = course.stack.top
    assert isinstance(store, Store)
    card = next(card for card in course.piles.selection if card.id == id)
    course.piles.selection.remove(card)
    player.hand.append(card)
    if course.piles.selection:
        store.requested = course.players.after(player.id).id
    else:
        course.stack.items.pop()
    moved = Movement(Pocket.SELECTION, Pocket.HAND, 0, player.id, card)
    course.record(Type.DRAW_CARD, player.id, [moved])
    take_last(course)


def take_last(course: Course) -> None:
    """If a single card is left in a General Store, let the player whose turn to take it is have it."""
    if isinstance(course.stack.top, Store) and len(course.piles.selection) == 1:
        _buy(course, course.requested, course.piles.selection[0].id)


def _spent(course: Course, player: Player, id: int) -> tuple[Card, Movement]:
    card = player.in_hand(id)
    assert card is not None
    return card, course.discarded(player, card)


def _record(course: Course, player: Player, card: Card, commands: list[Command], *, ability: bool = False) -> None:
    course.record(Type.REACTION_PLAY, player.id, commands, ability=ability, meaning=(("card-played", card),))


_ANSWERS: Mapping[Reaction, Callable[[Course, Player, int], None]] = {
    Reaction.BANG: _dodge,
    Reaction.GATLING: _dodge,
    Reaction.INDIANS: _fight_off,
    Reaction.DUEL: _shoot_back,
    Reaction.LAST_SAVE: _drink,
    Reaction.GENERAL_STORE: _buy,
    Reaction.LUCKY_DUKE: lambda course, player, id: choose(course, id),
    Reaction.KIT_CARLSON: _keep,
}
