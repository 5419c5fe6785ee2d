"""Turns begin, cards are drawn, turns end."""

from game_masters.bang.cards.characters import BLACK_JACK
from game_masters.bang.cards.playing_cards import RED
from game_masters.bang.messages.events import Command, Movement
from game_masters.bang.messages.words import Phase, Pocket, Type
from game_masters.bang.table.circle import Player
from game_masters.bang.table.course import Course, Turn
from game_masters.bang.table.requests import Look

USUAL = 2
"""Cards that are drawn in a turn."""
LOOKED_AT = 3
KEPT = 2
"""Cards that Kit Carlson looks at, and keeps."""


def start(course: Course, player: Player) -> None:
    """Begin a turn."""
    # A round is from one turn of the sheriff to the next, whatever number of players is left.
    number = course.turn.number + (1 if player.is_sheriff else 0)
    course.turn = Turn(player.id, number)
    course.record(Type.START_TURN, player.id)


def end(course: Course) -> None:
    """End the turn: it is the next one's."""
    start(course, course.players.after(course.turn.player))


def draw(course: Course) -> None:
    """Make the normal draw."""
    player = course.current
    course.refill(USUAL)
    deck = course.piles.deck
    # He draws in one event, so the second card is looked at in the deck, before it is known whether a third is needed.
    third = player.character == BLACK_JACK and len(deck) >= USUAL and deck[-USUAL].suit in RED
    if third:
        course.refill(USUAL + 1)
    # Also after a shuffle there may be no third card.
    third = third and len(course.piles.deck) > USUAL
    commands = course.drawn(player, 1)
    commands += course.drawn(player, 1, seen_by_all=player.character == BLACK_JACK)
    if third:
        commands += course.drawn(player, 1)
    _have_drawn(course, commands, ability=third)


def draw_from_player(course: Course, giver: Player) -> None:
    """Jesse Jones draws his first card from another hand."""
    player = course.current
    course.refill(1)
    commands: list[Command] = [course.taken(giver, player, course.any_card(giver))]
    _have_drawn(course, commands + course.drawn(player, 1), ability=True)


def draw_from_graveyard(course: Course) -> None:
    """Pedro Ramirez draws his first card from the discard pile."""
    player, piles = course.current, course.piles
    # A shuffle leaves the top of the discard pile: it is still his card.
    course.refill(1)
    card = piles.graveyard.pop()
    player.hand.append(card)
    # The card that lies on top from now on; KBang sends the one at the bottom.
    top = piles.graveyard[-1] if piles.graveyard else None
    commands: list[Command] = [Movement(Pocket.GRAVEYARD, Pocket.HAND, 0, player.id, card, second=top)]
    _have_drawn(course, commands + course.drawn(player, 1), ability=True)


def look(course: Course) -> None:
    """Kit Carlson looks at three cards, or as many as there are."""
    player, piles = course.current, course.piles
    course.refill(LOOKED_AT)
    piles.selection = piles.take(LOOKED_AT)
    seen = frozenset({player.id})
    commands: list[Command] = [
        Movement(Pocket.DECK, Pocket.SELECTION, 0, player.id, card, seen) for card in piles.selection
    ]
    if not commands:
        _have_drawn(course, commands, ability=True)
        return
    piles.owner = player.id
    course.stack.items.append(Look(player.id))
    course.record(Type.DRAW_CARD, player.id, commands, ability=True)


def keep(course: Course, look: Look, id: int) -> None:
    """Kit Carlson takes one of the cards he looks at; after the second, the rest goes back on top of the deck."""
    player, piles = course.current, course.piles
    card = next(card for card in piles.selection if card.id == id)
    piles.selection.remove(card)
    player.hand.append(card)
    seen = frozenset({player.id})
    commands: list[Command] = [Movement(Pocket.SELECTION, Pocket.HAND, 0, player.id, card, seen)]
    look.kept += 1
    if look.kept < KEPT and piles.selection:
        course.record(Type.DRAW_CARD, player.id, commands, ability=True)
        return
    for rest in piles.selection:
        piles.deck.append(rest)
        commands.append(Movement(Pocket.SELECTION, Pocket.DECK, 0, 0, rest, seen))
    piles.selection, piles.owner = [], 0
    course.stack.items.pop()
    _have_drawn(course, commands, ability=True)


def discard(course: Course, id: int) -> None:
    """Discard a surplus card. With the last one the turn ends."""
    player = course.current
    card = next(card for card in player.hand if card.id == id)
    moved = course.discarded(player, card)
    ends = len(player.hand) <= player.life
    if not ends:
        course.turn.phase = Phase.DISCARD
    # The end of a turn has no event: that the next one starts shows it.
    course.record(Type.DISCARD_CARD, player.id, [moved], context=not ends)
    if ends:
        end(course)


def _have_drawn(course: Course, commands: list[Command], *, ability: bool) -> None:
    course.turn.phase = Phase.TURN
    course.record(Type.DRAW_CARD, course.turn.player, commands, ability=ability)
