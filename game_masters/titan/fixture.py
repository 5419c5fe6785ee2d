"""How a game of Titan begins from a fixture: a position, dice, and requests that lead on from there; or a save.

```toml
players = 2
towers = ["600", "300"]               # by seat
colors = ["Red", "Blue"]
scores = [120, 0]
turn = 3
active = 0                            # the seat whose turn it is
dice = [2, 6, 6, 1]                   # what the first dice show
requests = ['<roll/>', '<move legion="Rd02" hex="41"/>', '<engage hex="41"/>']
lost = { Troll = 3 }                  # out of the game

[[legions]]
player = 0
marker = "Rd02"
hex = "600"
creatures = ["Titan", "Ogre", "Ogre"]
```

With ``legions`` no first legions are dealt, and each player needs one with a Titan; it needs ``colors`` and ``turn``. A
save stands alone: ``save = '<titan>...</titan>'``, or in its short form, in base64.
"""

import random
from collections import Counter

from game_masters.kit.rules import Entries, Options, RuleBroken, Table, Unreadable
from game_masters.titan import saves
from game_masters.titan.beginning import Beginning, Placed, Saved
from game_masters.titan.creatures import KINDS, TITAN
from game_masters.titan.history import Inconsistent
from game_masters.titan.lands import LANDS, TOWERS
from game_masters.titan.messages import FormGame, Join
from game_masters.titan.notation import read_move
from game_masters.titan.position import COLOURS, HIGHEST, START_HEIGHT, markers_of
from game_masters.titan.requests import Request
from game_masters.titan.rules import Slugathon, form_options

MAX_POINTS = 5000
MAX_TURNS = 1000


def read(entries: Entries, seats: int, options: Options) -> Beginning:
    """Return the content of a fixture. Raises BadFixture."""
    if entries.asks("save"):
        return Beginning(saved=_saved(entries, seats, options))
    every = range(seats)
    towers = entries.words("towers", TOWERS) if entries.asks("towers") else ()
    colors = entries.words("colors", tuple(COLOURS)) if entries.asks("colors") else ()
    scores = entries.integers("scores", range(MAX_POINTS)) if entries.asks("scores") else ()
    for key, values in (("towers", towers), ("colors", colors)):
        if values and (len(values) != seats or len(set(values)) != seats):
            entries.refuse(key, f"are not {seats} different ones")
    if len(scores) not in (0, seats):
        entries.refuse("scores", f"are not {seats}")
    turn = entries.integer("turn", range(1, MAX_TURNS)) if entries.asks("turn") else None
    active = entries.integer("active", every) if entries.asks("active") else 0
    dice = entries.integers("dice", range(1, 7)) if entries.asks("dice") else ()
    lost = _lost(entries) if entries.asks("lost") else ()
    legions = _legions(entries, seats, colors) if entries.asks("legions") else ()
    if legions and (not colors or turn is None):
        entries.refuse("legions", "need colors and turn")
    _check_places(entries, legions, turn, active)
    requests = _requests(entries) if entries.asks("requests") else ()
    found = Beginning(towers, colors, legions, lost, scores, turn, active, dice, requests)
    _try(entries, found, seats, options)
    return found


def _saved(entries: Entries, seats: int, options: Options) -> Saved:
    try:
        saved = saves.read(saves.unpacked(entries.text("save")))
    except Unreadable as error:
        entries.refuse("save", f"cannot be loaded: {error}")
    if sum(isinstance(message, Join) for message in saved.messages) != seats:
        entries.refuse("save", f"is not of {seats} players")
    had = dict(next(message.options for message in saved.messages if isinstance(message, FormGame)))
    for name, value in form_options(options):
        if had.get(name, value) != value:
            entries.refuse("save", f"is of a game with {name} = {had[name]}, here it is {value}; give it in options")
    return saved


def _lost(entries: Entries) -> tuple[tuple[str, int], ...]:
    table = entries.table("lost")
    for name in table.keys:
        # Without its Titan a player would be out of the game.
        if name not in KINDS or name == TITAN:
            table.refuse(name, "names no creature that can be lost")
    return tuple((name, table.integer(name, range(1, KINDS[name].count + 1))) for name in table.keys)


def _legions(entries: Entries, seats: int, colors: tuple[str, ...]) -> tuple[Placed, ...]:
    found: list[Placed] = []
    titans: Counter[int] = Counter()
    for table in entries.tables("legions"):
        seat = table.integer("player", range(seats))
        markers = markers_of(colors[seat]) if len(colors) == seats else ()
        marker = table.word("marker", markers)
        hex = table.word("hex", tuple(LANDS))
        creatures = table.words("creatures", tuple(KINDS))
        table.nothing_else()
        if not 1 <= len(creatures) <= START_HEIGHT:
            table.refuse("creatures", f"are not 1 to {HIGHEST} creatures, or {START_HEIGHT} before the first split")
        for other in found:
            if other.marker == marker:
                table.refuse("marker", "is used twice")
            if other.hex == hex and other.seat == seat:
                table.refuse("hex", f"has {other.marker} of the same player in it")
        titans[seat] += creatures.count(TITAN)
        found.append(Placed(seat, marker, hex, creatures))
    if any(titans[seat] != 1 for seat in range(seats)):
        entries.refuse("legions", "do not have one Titan for each player")
    counts = Counter(creature for one in found for creature in one.creatures)
    for creature, number in counts.items():
        if number > KINDS[creature].count:
            entries.refuse("legions", f"have {number} {creature}, and there are {KINDS[creature].count}")
    return tuple(found)


def _check_places(entries: Entries, legions: tuple[Placed, ...], turn: int | None, active: int) -> None:
    """Refuse legions that no game could go on with: what cannot be split, or engagements out of turn."""
    owners: dict[str, set[int]] = {}
    for one in legions:
        lords = sum(KINDS[creature].lord for creature in one.creatures)
        if len(one.creatures) > HIGHEST and (turn != 1 or lords != 2):
            why = f"have {one.marker} with {START_HEIGHT} creatures: only on turn 1, and with two lords to part"
            entries.refuse("legions", why)
        owners.setdefault(one.hex, set()).add(one.seat)
    for hex, seats in owners.items():
        if len(seats) > 2 or (len(seats) == 2 and active not in seats):
            why = f"stand together in {hex}: only one opponent can be in a land, with a legion of whose turn it is"
            entries.refuse("legions", why)


def _requests(entries: Entries) -> tuple[Request, ...]:
    found: list[Request] = []
    for text in entries.words("requests"):
        try:
            found += read_move(f"<move>{text}</move>".encode())
        except Unreadable as error:
            entries.refuse("requests", f"have {text!r}: {error}")
    return tuple(found)


def _try(entries: Entries, found: Beginning, seats: int, options: Options) -> None:
    """Raise BadFixture unless a game can begin so."""
    names = tuple(f"seat {seat}" for seat in range(seats))
    try:
        Slugathon(Table("trial", names, options, fixture=found), random.Random(0))
    except RuleBroken as refused:
        entries.refuse("requests", f"have one that is refused: {refused}")
    except Inconsistent as error:
        key = "lost" if found.lost else "legions"
        entries.refuse(key, f"cannot be: {error}")
