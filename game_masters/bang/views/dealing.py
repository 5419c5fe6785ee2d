"""All that a player does not know, dealt at random: what the contract tests look for leaks with."""

import random
from dataclasses import replace

from game_masters.bang.cards.playing_cards import Card
from game_masters.bang.messages.events import SPECTATOR, Command, Event, Movement, SetPlayers, seen_by
from game_masters.bang.messages.words import Role
from game_masters.bang.table.course import Course


def dealt_again(course: Course, viewer: int, rng: random.Random) -> bool:
    """Change roles, hands, deck and a selection of others, and their places in the log, wherever ``viewer`` does not
    know them. Returns whether the log is the same as before for the viewer and for spectators, as it should be."""
    before = list(course.log.entries)
    _roles(course, viewer, rng)
    piles = course.piles
    hands = [player.hand for player in course.players if player.id != viewer]
    hidden = [card for hand in hands for card in hand] + piles.deck
    if piles.owner not in (0, viewer):
        hidden += piles.selection
    dealt = dict(zip(hidden, rng.sample(hidden, len(hidden)), strict=True))
    for cards in (*hands, piles.deck, piles.selection):
        cards[:] = [dealt.get(card, card) for card in cards]
    _rewrite(course, viewer, dealt)
    # Chance to come is part of what the player does not know.
    piles.rng = random.Random(rng.getrandbits(64))
    return all(
        old is new or all(seen_by(old, reader) == seen_by(new, reader) for reader in (viewer, SPECTATOR))
        for old, new in zip(before, course.log.entries, strict=True)
    )


def _rewrite(course: Course, viewer: int, dealt: dict[Card, Card]) -> None:
    """Change the log: after the last moment when the viewer has seen a card, it is another one."""
    unseen = dict(dealt)
    entries = course.log.entries
    for number in range(len(entries) - 1, -1, -1):
        entry = entries[number]
        if isinstance(entry, Event):
            commands = tuple([_moved(command, viewer, unseen) for command in reversed(entry.commands)][::-1])
            if commands != entry.commands:
                entries[number] = replace(entry, commands=commands)


def _moved(command: Command, viewer: int, unseen: dict[Card, Card]) -> Command:
    if not isinstance(command, Movement) or command.card not in unseen:
        return command
    if command.seen is None or viewer in command.seen:
        del unseen[command.card]
        return command
    return command._replace(card=unseen[command.card])


def _roles(course: Course, viewer: int, rng: random.Random) -> None:
    """Deal the hidden roles at random."""
    # The dead have shown their roles, and the sheriff's is known.
    hidden = [one for one in course.players if one.alive and not one.is_sheriff and one.id != viewer]
    if any(player.role is Role.UNKNOWN for player in course.players) or course.ended is not None:
        return
    roles = [player.role for player in hidden]
    rng.shuffle(roles)
    for player, role in zip(hidden, roles, strict=True):
        player.role = role
    by_id = {player.id: player.role for player in course.players}
    for number, entry in enumerate(course.log.entries):
        if isinstance(entry, Event) and entry.commands and isinstance(entry.commands[0], SetPlayers):
            players = tuple(one._replace(role=by_id.get(one.id, one.role)) for one in entry.commands[0].players)
            course.log.entries[number] = replace(entry, commands=(SetPlayers(players), *entry.commands[1:]))
