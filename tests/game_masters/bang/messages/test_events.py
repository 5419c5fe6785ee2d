"""Each reader of an event is shown its own version: hidden cards without names, hidden roles unknown."""

import pytest

from game_masters.bang.cards.playing_cards import HIDDEN, Card
from game_masters.bang.messages.events import (
    SPECTATOR,
    Dealt,
    Event,
    Exited,
    Movement,
    Rejected,
    Resynced,
    SetPlayers,
    seen_by,
)
from game_masters.bang.messages.words import Pocket, Role, Type

BEER = Card(7, "beer", "playing", "hearts", "6")
DRAWN = Event(1, Type.DRAW_CARD, 2, commands=(Movement(Pocket.DECK, Pocket.HAND, 0, 2, BEER, frozenset({2})),))


def card_shown(viewer: int | None) -> Card:
    entry = seen_by(DRAWN, viewer)
    assert isinstance(entry, Event)
    [movement] = entry.commands
    assert isinstance(movement, Movement)
    return movement.card


def test_a_drawn_card_is_shown_to_who_draws_it_only() -> None:
    assert [card_shown(viewer) for viewer in (2, 3, SPECTATOR)] == [BEER, HIDDEN, HIDDEN]


def test_the_omniscient_log_sees_everything() -> None:
    assert seen_by(DRAWN, None) is DRAWN


def test_roles_are_unknown_but_for_the_own_and_the_sheriff() -> None:
    roles = (Role.SHERIFF, Role.OUTLAW, Role.RENEGADE)
    players = tuple(Dealt(number, f"p{number}", "", role, 4) for number, role in enumerate(roles, start=1))
    entry = seen_by(Event(1, Type.START_GAME, commands=(SetPlayers(players),)), 3)
    assert isinstance(entry, Event)
    [command] = entry.commands
    assert isinstance(command, SetPlayers)
    assert [player.role for player in command.players] == [Role.SHERIFF, Role.UNKNOWN, Role.RENEGADE]


@pytest.mark.parametrize("entry", [Exited(2), Rejected(2, "draw-card", "bad-predraw", "not now"), Resynced(2)])
def test_what_concerns_one_player_is_sent_to_no_other(entry: Exited | Rejected | Resynced) -> None:
    assert seen_by(entry, 2) is entry
    assert seen_by(entry, 3) is None
    assert seen_by(entry, SPECTATOR) is None
