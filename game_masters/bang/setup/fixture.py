"""How a game begins from a fixture: roles, characters, life points, hands, tables, deck, discard pile, whose turn.

```toml
players = 4
seating = [1, 3, 2, 4]                      # ids in the order of the seats
deck = ["beer", "bang ace spades"]          # the next cards, first drawn first; dealing takes them first
discard = ["missed", "panic 8 diamonds"]    # its top last
begins = 1                                  # who has the first turn; otherwise the sheriff

[player.1]
role = "sheriff"
character = "suzy-lafayette"
life = 3
hand = ["bang", "bang"]
table = ["volcanic"]

[player.4]
alive = false
role = "outlaw"
```

A card is a name, or a name with rank and suit. What is not given is left to chance and to the rules.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from game_masters.bang.cards.characters import CHARACTERS
from game_masters.bang.cards.playing_cards import FACES, NAMES, RANKS, SUITS, Kind
from game_masters.bang.messages.words import Role
from game_masters.bang.setup.beginning import ROLES, FixedPlayer, Start
from game_masters.kit.rules import BadFixture, Entries, Options

OPEN_ROLES = tuple(str(role) for role in Role if role is not Role.UNKNOWN)
MAX_LIFE = 5


Face = tuple[str, str, str]


class _Cards:
    """The cards that have not been placed yet. Those that are named with rank and suit anywhere are kept for that."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._free = list(range(len(FACES)))
        self._kept: dict[Face, list[int]] = {}
        for face in filter(None, map(_face, texts)):
            place = next((place for place in self._free if FACES[place] == face), None)
            if place is not None:
                self._free.remove(place)
                self._kept.setdefault(face, []).append(place)

    def take(self, entries: Entries, key: str) -> tuple[int, ...]:
        """Return the places in the deck of the cards that are named, and keep them from being named again."""
        return tuple(self._one(entries, key, text) for text in entries.words(key))

    def _one(self, entries: Entries, key: str, text: str) -> int:
        face = _face(text)
        if face is None and text not in NAMES:
            entries.refuse(
                key, f"has {text!r}: a card is a name, or a name, a rank and a suit, as in 'bang ace spades'"
            )
        if face is None:
            place = next((place for place in self._free if FACES[place][0] == text), None)
            if place is not None:
                self._free.remove(place)
        else:
            kept = self._kept.get(face)
            place = kept.pop() if kept else None
        if place is None:
            entries.refuse(key, f"has {text!r}: there is no such card, or no more of them")
        return place


def _face(text: str) -> Face | None:
    """Return the face of a card that is named with rank and suit; None for any other text."""
    words = text.split()
    if len(words) != 3 or words[0] not in NAMES or words[1] not in RANKS or words[2] not in SUITS:
        return None
    return words[0], words[2], words[1]


def _texts(entries: Entries) -> Iterator[str]:
    """Yield all names of cards, as far as they can be read here."""
    for key in ("deck", "discard", "hand", "table"):
        if key in entries:
            yield from entries.words(key)
    if "player" in entries:
        players = entries.table("player")
        for key in players.keys:
            yield from _texts(players.table(key))


def read(entries: Entries, seats: int, options: Options) -> Start:
    """Return the beginning in a fixture. Raises BadFixture."""
    if not options.flag("auto-start"):
        raise BadFixture("auto-start: a game from a fixture starts at once, so the option cannot be no")
    cards = _Cards(_texts(entries))
    players = _players(entries, seats, cards)
    start = Start(
        _seating(entries, seats),
        players,
        cards.take(entries, "deck") if entries.asks("deck") else (),
        cards.take(entries, "discard") if entries.asks("discard") else (),
        entries.integer("begins", range(1, seats + 1)) if entries.asks("begins") else 0,
    )
    _check_living(entries, start, seats)
    return start


def _seating(entries: Entries, seats: int) -> tuple[int, ...]:
    if not entries.asks("seating"):
        return ()
    ids = entries.integers("seating", range(1, seats + 1))
    if sorted(ids) != [*range(1, seats + 1)]:
        entries.refuse("seating", f"does not name each of the players 1 to {seats} once")
    return ids


def _players(entries: Entries, seats: int, cards: _Cards) -> Mapping[int, FixedPlayer]:
    if not entries.asks("player"):
        return {}
    table = entries.table("player")
    known = [str(id) for id in range(1, seats + 1)]
    players: dict[int, FixedPlayer] = {}
    for key in table.keys:
        if key not in known:
            table.refuse(key, f"belongs to no player; there are 1 to {seats}")
        own = table.table(key)
        players[int(key)] = _player(own, cards)
        own.nothing_else()
    _check_roles(table, players, seats)
    _check_characters(table, players)
    return players


def _player(own: Entries, cards: _Cards) -> FixedPlayer:
    fixed = FixedPlayer(
        Role(own.word("role", OPEN_ROLES)) if own.asks("role") else None,
        own.word("character", tuple(CHARACTERS)) if own.asks("character") else None,
        own.integer("life", range(1, MAX_LIFE + 1)) if own.asks("life") else None,
        cards.take(own, "hand") if own.asks("hand") else None,
        cards.take(own, "table") if own.asks("table") else (),
        own.flag("alive") if own.asks("alive") else True,
    )
    _check_life(own, fixed)
    _check_table(own, fixed)
    if not fixed.alive and (fixed.hand or fixed.table):
        own.refuse("alive", "and there are cards: the dead have none")
    return fixed


def _check_life(own: Entries, fixed: FixedPlayer) -> None:
    if fixed.life is None:
        return
    if fixed.character is None:
        own.refuse("life", "needs a character, which sets how many there can be")
    # The sheriff has a life point more than the character.
    most = CHARACTERS[fixed.character].life + (fixed.role is Role.SHERIFF)
    if fixed.life > most:
        own.refuse("life", f"is more than the {most} of {fixed.character}")


def _check_table(own: Entries, fixed: FixedPlayer) -> None:
    names = [FACES[place][0] for place in fixed.table]
    twice = next((name for name, number in Counter(names).items() if number > 1), None)
    if twice is not None:
        own.refuse("table", f"has two cards {twice}")
    brown = next((name for name in names if NAMES[name].kind is Kind.BROWN), None)
    if brown is not None:
        own.refuse("table", f"has a {brown}, which does not stay on a table")
    if sum(NAMES[name].kind is Kind.WEAPON for name in names) > 1:
        own.refuse("table", "has two weapons")
    if "jail" in names and fixed.role in (None, Role.SHERIFF):
        own.refuse("table", "has a jail, which needs a role other than sheriff")


def _check_roles(table: Entries, players: Mapping[int, FixedPlayer], seats: int) -> None:
    free: Sequence[Role] = ROLES[seats]
    there = Counter(free)
    for id, fixed in players.items():
        if fixed.role is not None:
            there[fixed.role] -= 1
            if there[fixed.role] < 0:
                names = ", ".join(free)
                table.refuse(str(id), f"is one {fixed.role} more than there are among {seats} players: {names}")


def _check_characters(table: Entries, players: Mapping[int, FixedPlayer]) -> None:
    taken: set[str] = set()
    for id, fixed in players.items():
        if fixed.character in taken:
            table.refuse(str(id), f"is a second {fixed.character}")
        if fixed.character is not None:
            taken.add(fixed.character)


def _check_living(entries: Entries, start: Start, seats: int) -> None:
    """The game must not be over before it begins, with any draw of the other roles."""
    dead = {id for id, fixed in start.players.items() if not fixed.alive}
    if start.begins in dead:
        entries.refuse("begins", "is dead")
    if not dead:
        return
    for id in sorted(dead):
        role = start.of(id).role
        if role is None or role is Role.SHERIFF:
            raise BadFixture(f"player.{id}.role: a dead player needs a role other than sheriff")
    lawless = [role for role in ROLES[seats] if role in (Role.OUTLAW, Role.RENEGADE)]
    buried = [start.of(id).role for id in dead]
    if len(lawless) <= sum(role in (Role.OUTLAW, Role.RENEGADE) for role in buried):
        raise BadFixture("player: all outlaws and the renegade are dead, so the game would be over")
