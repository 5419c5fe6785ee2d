"""Legal moves carried out."""

from collections.abc import Callable, Mapping

from game_masters.bang.cards.characters import JESSE, JOURDONNAIS, KIT, PEDRO, SID
from game_masters.bang.cycle.answers import answer, give_in, use_barrel_ability
from game_masters.bang.cycle.checks import begin as begin_check
from game_masters.bang.cycle.harm import healed, revive
from game_masters.bang.cycle.plays import play
from game_masters.bang.cycle.turns import discard, draw, draw_from_graveyard, draw_from_player, end, look
from game_masters.bang.messages.events import Command
from game_masters.bang.messages.moves import Ability, Discard, Draw, EndTurn, Move, Pass, Play
from game_masters.bang.messages.words import Phase, Type
from game_masters.bang.table.course import Course
from game_masters.bang.table.requests import Check, LastSave


def act(course: Course, move: Move) -> None:
    """Carry out a move of the player who is asked; it is legal."""
    match move:
        case Play():
            _play(course, move)
        case Ability():
            _ABILITIES[course.requested.character](course, move)
        case Discard():
            discard(course, move.card)
        case Draw():
            draw(course)
        case Pass():
            give_in(course)
        case EndTurn():
            end(course)


def _play(course: Course, move: Play) -> None:
    if course.stack.top is not None:
        answer(course, move.card)
        return
    player = course.current
    # Playing a card of the own table is how a player checks it; that is all that can be played before the draw.
    if course.turn.phase is Phase.DRAW:
        cause = player.on_table(move.card)
        assert cause is not None
        begin_check(course, Check(player.id, cause))
        return
    card, target = player.in_hand(move.card), course.players.find(move.player)
    assert card is not None
    owner = course.players.owner(move.target)
    play(course, card, target, owner.on_table(move.target) if owner is not None else None)


def _discard_two(course: Course, move: Ability) -> None:
    """Sid Ketchum discards two cards for a life point."""
    player = course.requested
    cards = [card for id in move.cards for card in player.hand if card.id == id]
    moved: list[Command] = [course.discarded(player, card) for card in cards]

    # Discards and life point are one event; in a last save, what follows needs to know whether he is saved.
    def record(commands: list[Command]) -> None:
        course.record(Type.DISCARD_CARD, player.id, [*moved, *commands], ability=True)

    if isinstance(course.stack.top, LastSave):
        revive(course, player, record)
    else:
        record(healed(player))


_ABILITIES: Mapping[str, Callable[[Course, Ability], None]] = {
    JESSE: lambda course, move: draw_from_player(course, course.players[move.player]),
    JOURDONNAIS: lambda course, move: use_barrel_ability(course),
    KIT: lambda course, move: look(course),
    PEDRO: lambda course, move: draw_from_graveyard(course),
    SID: _discard_two,
}
