"""How a game is set up: seats, roles, characters, the deck, the deal; by chance, or from a fixture."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import shake_256

from game_masters.bang.cards.characters import CHARACTERS
from game_masters.bang.cards.playing_cards import FACES, Card, deck
from game_masters.bang.cycle.turns import start as start_turn
from game_masters.bang.messages.events import Command, Dealt, Movement, SetPlayers, Update
from game_masters.bang.messages.words import Pocket, Role, Stage, Type
from game_masters.bang.table.circle import Circle, Player
from game_masters.bang.table.course import Course

MIN_PLAYERS, MAX_PLAYERS = 4, 7
"""Players."""
SECRET_BYTES = 32
_ID_BYTES = 4
_MAX_ID = 2**31

_S, _D, _O, _R = Role.SHERIFF, Role.DEPUTY, Role.OUTLAW, Role.RENEGADE
ROLES: Mapping[int, Sequence[Role]] = {
    4: (_S, _O, _O, _R),
    5: (_S, _D, _O, _O, _R),
    6: (_S, _D, _O, _O, _O, _R),
    7: (_S, _D, _D, _O, _O, _O, _R),
}
"""The roles by the number of players."""


@dataclass(frozen=True, slots=True)
class FixedPlayer:
    """One player in a fixture; None: chance or the rules."""

    role: Role | None = None
    character: str | None = None
    life: int | None = None
    hand: tuple[int, ...] | None = None
    """Cards by their places in ``FACES``."""
    table: tuple[int, ...] = ()
    alive: bool = True


@dataclass(frozen=True, slots=True)
class Start:
    """The beginning in a fixture."""

    seating: tuple[int, ...] = ()
    """The ids of the players in the order of their seats."""
    players: Mapping[int, FixedPlayer] = field(default_factory=dict)
    """By id."""
    deck: tuple[int, ...] = ()
    """The first cards of the deck, the first to be drawn first; dealing takes them first."""
    discard: tuple[int, ...] = ()
    """The discard pile, its top last."""
    begins: int = 0
    """Who has the first turn; 0: the sheriff."""

    def of(self, id: int) -> FixedPlayer:
        """Return the entry of a player."""
        return self.players.get(id, FixedPlayer())


def begin(course: Course, secret: bytes, start: Start, *, shuffle: bool) -> None:
    """Deal roles, characters and cards, and begin the first turn."""
    rng, players = course.piles.rng, course.players.players
    if shuffle:
        rng.shuffle(players)
    if start.seating:
        players.sort(key=lambda player: start.seating.index(player.id))
    by_id = sorted(players, key=lambda player: player.id)
    _deal_roles(by_id, start, rng)
    _deal_characters(by_id, start, rng)
    for player in players:
        fixed = start.of(player.id)
        # The sheriff has a life point more, and with it a card more at the deal.
        player.most = CHARACTERS[player.character].life + player.is_sheriff
        player.alive = fixed.alive
        player.life = player.most if fixed.life is None else fixed.life
        if not fixed.alive:
            player.life = 0
    cards = deck(ids(secret, len(FACES)))
    course.piles.deck = _ordered(cards, start, rng)
    course.stage = Stage.PLAYING
    dealt = tuple([Dealt(one.id, one.name, one.character, one.role, one.life) for one in players])
    course.record(Type.START_GAME, 0, [SetPlayers(dealt)])
    course.record(Type.DEAL_CARDS, 0, [*_deal(course, cards, start), *_lay_out(course, cards, start)])
    sheriff = next(player for player in players if player.is_sheriff)
    first = course.players[start.begins] if start.begins else sheriff
    # Rounds are counted at the sheriff's turns: before the first of them, the first round is on.
    if first is not sheriff:
        course.turn.number = 1
    start_turn(course, first)


def ids(secret: bytes, number: int) -> list[int]:
    """Return different positive numbers that reveal nothing, unpredictable without ``secret``."""
    found: dict[int, None] = {}
    length = number
    while len(found) < number:
        stream = shake_256(secret + b"ids").digest(_ID_BYTES * length)
        numbers = (int.from_bytes(stream[at : at + _ID_BYTES]) % _MAX_ID for at in range(0, len(stream), _ID_BYTES))
        found = dict.fromkeys(one for one in numbers if one)
        length += 1
    return list(found)[:number]


def circle(names: Sequence[str], programs: range) -> Circle:
    """Return the players before the game starts, with ids from 1."""
    return Circle([Player(seat + 1, name, ai=seat in programs) for seat, name in enumerate(names)])


def _deal_roles(players: Sequence[Player], start: Start, rng: random.Random) -> None:
    free = list(ROLES[len(players)])
    for player in players:
        fixed = start.of(player.id).role
        if fixed is not None:
            free.remove(fixed)
            player.role = fixed
    rng.shuffle(free)
    for player in players:
        if start.of(player.id).role is None:
            player.role = free.pop()


def _deal_characters(players: Sequence[Player], start: Start, rng: random.Random) -> None:
    fixed = {start.of(player.id).character for player in players}
    free = [character for character in CHARACTERS if character not in fixed]
    rng.shuffle(free)
    for player in players:
        player.character = start.of(player.id).character or free.pop()


def _ordered(cards: Sequence[Card], start: Start, rng: random.Random) -> list[Card]:
    """Return the deck, its top last, without the cards that the fixture puts elsewhere."""
    placed = {*start.deck, *start.discard}
    for fixed in start.players.values():
        placed |= {*(fixed.hand or ()), *fixed.table}
    rest = [card for place, card in enumerate(cards) if place not in placed]
    rng.shuffle(rest)
    return rest + [cards[place] for place in reversed(start.deck)]


def _deal(course: Course, cards: Sequence[Card], start: Start) -> list[Command]:
    """Deal one card at a time to each player who has fewer than the maximum of life points, or than the fixture's
    number."""
    commands: list[Command] = []
    for number in range(len(cards)):
        before = len(commands)
        for player in course.players.living:
            hand = start.of(player.id).hand
            if hand is None and number < player.most:
                commands += course.drawn(player, 1)
            elif hand is not None and number < len(hand):
                card = cards[hand[number]]
                player.hand.append(card)
                seen = frozenset({player.id})
                commands.append(Movement(Pocket.DECK, Pocket.HAND, 0, player.id, card, seen))
        if len(commands) == before:
            break
    return commands


def _lay_out(course: Course, cards: Sequence[Card], start: Start) -> list[Command]:
    """Put the cards on tables and on the discard pile that the fixture puts there, and send who is dead."""
    commands: list[Command] = []
    for player in course.players:
        for place in start.of(player.id).table:
            player.table.append(cards[place])
            commands.append(Movement(Pocket.DECK, Pocket.TABLE, 0, player.id, cards[place]))
    for place in start.discard:
        course.piles.graveyard.append(cards[place])
        commands.append(Movement(Pocket.DECK, Pocket.GRAVEYARD, 0, 0, cards[place]))
    commands += [Update(player.id, player.role, alive=False) for player in course.players if not player.alive]
    return commands
