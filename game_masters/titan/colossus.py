"""Saved games of the program Colossus, as far as they hold what a game here is made of.

    python -m game_masters.titan.colossus snap123.xml > game.toml
    ugs master titan --fixture game.toml

Colossus saves the position as it was when the present phase began (``Player``, ``Legion``, ``Caretaker``), what has
been done in it since (``Redo``), and what all have seen (``History``). Here that becomes the messages of a game: the
legions are placed, the turn begins, and what has been done is sent again. An engagement that was going on begins again,
as it does in Colossus. What is not taken over is listed, line by line (:attr:`Imported.left_out`).

Players who are out of the game have no seat. Colours that there are not here become others.
"""

import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from xml.etree.ElementTree import Element

from game_masters.kit import payload as xml
from game_masters.kit.rules import Unreadable
from game_masters.titan import messages as msg
from game_masters.titan.creatures import KINDS, TITAN, Creature, ordered, without
from game_masters.titan.history import Inconsistent, after
from game_masters.titan.lands import LANDS, TOWERS
from game_masters.titan.messages import Message
from game_masters.titan.movement import steps, teleports
from game_masters.titan.mustering import musters
from game_masters.titan.packing import packed, written
from game_masters.titan.play import Dice
from game_masters.titan.position import COLOURS, HIGHEST, START_HEIGHT, Phase, Position, markers_of
from game_masters.titan.referee import resume
from game_masters.titan.rules import PLAYERS

ROOT: Final = "ColossusSnapshot"
VARIANT: Final = "Default"
MAX_LISTED: Final = 40
"""Things that are not taken over, named at most."""
MAX_BYTES: Final = 16 * 1024 * 1024
PHASES: Final = (Phase.SETUP, Phase.SPLIT, Phase.MOVE, Phase.ENGAGE, Phase.MUSTER)
"""By their numbers in a save."""
ENTRY_SIDES: Final[Mapping[str, str]] = {"1": "right", "3": "bottom", "5": "left"}
NONE: Final = "null"
_KNOWN: Final = frozenset(
    {"Variant", "TurnNumber", "CurrentPlayer", "CurrentPhase", "Caretaker", "Player", "History", "Redo"}
)


@dataclass(frozen=True, slots=True)
class Imported:
    """What has become of a save."""

    names: tuple[str, ...]
    """The players, by seat."""
    messages: tuple[Message, ...]
    position: Position
    left_out: tuple[str, ...]
    """What is not taken over, for people."""

    def fixture(self, secret: bytes) -> str:
        """Return a fixture for a game that goes on from there; ``secret`` makes its dice."""
        save = packed(written(self.messages, Dice(secret), self.position))
        notes = "".join(f"# Not taken over: {line}\n" for line in self.left_out)
        seats = "".join(f"# Seat {seat}: {name}\n" for seat, name in enumerate(map(_line, self.names)))
        return f'{seats}{notes}players = {len(self.names)}\nsave = "{save}"\n'


def read(save: bytes) -> Imported:
    """Return what a save of Colossus becomes here. Raises Unreadable if nothing can be made of it."""
    if len(save) > MAX_BYTES:
        raise Unreadable(f"a save of {len(save)} bytes; at most {MAX_BYTES}")
    root = xml.parse(save, ROOT)
    variant = _one(root, "Variant").get("name") or _one(root, "Variant").get("file", "").removesuffix("Var.xml")
    if variant != VARIANT:
        raise Unreadable(f"element Variant, name: {variant[:60]!r}; only {VARIANT} is played here")
    return _Reading(root).whole()


class _Reading:
    """One save while it is read."""

    def __init__(self, root: Element) -> None:
        self._root = root
        self._left_out: dict[str, None] = {}
        self._messages: list[Message] = []
        self._position = Position()
        every = root.findall("Player")
        active = _number(_one(root, "CurrentPlayer"), "CurrentPlayer")
        if not 0 <= active < len(every):
            raise Unreadable(f"element CurrentPlayer: {active}; there are {len(every)} players")
        self._players = [one for one in every if one.get("dead") != "true"]
        if every[active] not in self._players:
            raise Unreadable("the player whose turn it is is out of the game; save it once more a phase later")
        if len(self._players) not in PLAYERS:
            raise Unreadable(f"{len(self._players)} players are in the game; {PLAYERS[0]} to {PLAYERS[-1]} are needed")
        self._active = every[active]
        self._dead = [one for one in every if one not in self._players]
        self._markers: dict[str, str] = {}

    def whole(self) -> Imported:
        """Return all of it."""
        number = _number(_one(self._root, "CurrentPhase"), "CurrentPhase")
        if not 1 <= number < len(PHASES):
            raise Unreadable(f"element CurrentPhase: {number}; 1 to {len(PHASES) - 1} are known")
        phase = PHASES[number]
        names = tuple(_text(player, "name") for player in self._players)
        if len(set(names)) != len(names):
            raise Unreadable("two players have the same name")
        self._sets_up(names)
        self._begins_turn(phase)
        for event in _one(self._root, "Redo"):
            self._does(event)
        self._counts_what_is_lost()
        self._does_not_take()
        play = resume(self._messages, Dice(b""))
        listed = [*self._left_out][:MAX_LISTED]
        if len(self._left_out) > MAX_LISTED:
            listed.append(f"{len(self._left_out) - MAX_LISTED} more")
        return Imported(names, tuple(self._messages), play.position, tuple(listed))

    def _adds(self, *messages: Message) -> None:
        for message in messages:
            try:
                self._position = after(self._position, message)
            except Inconsistent as error:
                raise Unreadable(f"what cannot be: {error}") from error
            self._messages.append(message)

    def _leaves_out(self, what: str) -> None:
        self._left_out[_line(what)] = None

    # --- the position -------------------------------------------------------------------------------------------------

    def _sets_up(self, names: Sequence[str]) -> None:
        self._adds(msg.FormGame(PLAYERS[0], PLAYERS[-1], (("variant", VARIANT),)))
        self._adds(*map(msg.Join, names))
        towers = [_text(player, "startingTower") for player in self._players]
        if len(set(towers)) != len(towers) or not set(towers) <= set(TOWERS):
            raise Unreadable(f"startingTower: {', '.join(towers)[:60]} are not {len(towers)} different towers")
        self._adds(*map(msg.Tower, names, towers))
        colors = self._colors()
        for name, player in zip(names, self._players, strict=True):
            for legion in player.findall("Legion"):
                self._places(name, legion)
        self._loses()
        for name, player, color in zip(names, self._players, colors, strict=True):
            self._adds(msg.Color(name, color, markers_of(color)[0]))
            if score := xml.integer(player, "score"):
                self._adds(msg.Points(name, score, "half"))

    def _colors(self) -> list[str]:
        """Return the colours of the players, and note the markers of those that there are not here."""
        wanted = [_text(player, "color") for player in self._players]
        free = [color for color in COLOURS if color not in wanted]
        found = []
        for player, color in zip(self._players, wanted, strict=True):
            mine = color if color in COLOURS and color not in found else free.pop(0)
            found.append(mine)
            if mine != color:
                self._leaves_out(f"the colour {color} of {player.get('name')}, who has {mine}")
                prefixes = {_text(one, "name")[:2] for one in player.findall("Legion")}
                for prefix in prefixes - set(COLOURS.values()):
                    self._markers[prefix] = COLOURS[mine]
        return found

    def _marker(self, name: str) -> str:
        return self._markers.get(name[:2], name[:2]) + name[2:]

    def _places(self, owner: str, legion: Element) -> None:
        marker, hex = self._marker(_text(legion, "name")), _text(legion, "startingHex")
        if not any(marker in markers_of(color) for color in COLOURS) or marker in self._position.legions:
            raise Unreadable(f"element Legion, name {marker[:60]!r}: is no marker, or used twice")
        for label in (hex, _text(legion, "currentHex")):
            if label not in LANDS:
                raise Unreadable(f"element Legion {marker}: there is no land {label[:60]!r}")
        creatures = _creatures(legion)
        recruit = legion.get("recruitName", NONE)
        # What it has recruited this turn comes back by a message of its own.
        if recruit in creatures:
            creatures = without(creatures, (recruit,))
        if not 1 <= len(creatures) <= START_HEIGHT:
            raise Unreadable(f"element Legion {marker}: {len(creatures)} creatures; 1 to {START_HEIGHT} can be there")
        self._adds(msg.Place(owner, marker, hex, creatures, len(creatures)))

    def _loses(self) -> None:
        """Write what is out of the game for good."""
        for creature in _one(self._root, "Caretaker").findall("Creature"):
            name, dead = _kind(creature), xml.integer(creature, "dead")
            # Titans are not counted as lost: their owners are out of the game, and have no seat here.
            if dead and name != TITAN:
                self._adds(msg.Lost(name, dead))

    def _counts_what_is_lost(self) -> None:
        for creature in _one(self._root, "Caretaker").findall("Creature"):
            name, left = _kind(creature), xml.integer(creature, "remaining")
            recruits = Counter(one.recruit for one in self._messages if isinstance(one, msg.Recruit))
            here = self._position.stock[name] + recruits[name]
            if name != TITAN and left not in (here, self._position.stock[name]):
                self._leaves_out(f"that {left} {name} are left; by what is on the board and dead it is {here}")

    # --- the turn -----------------------------------------------------------------------------------------------------

    def _begins_turn(self, phase: Phase) -> None:
        """Write what has been done in the turn before the present phase."""
        turn = _number(_one(self._root, "TurnNumber"), "TurnNumber")
        name = _text(self._active, "name")
        self._adds(msg.Turn(name, turn))
        if phase is Phase.SPLIT:
            return
        if turn == 1 and self._active.get("mulligansLeft") == "0":
            self._adds(msg.Mulligan())
        self._adds(msg.Roll(self._rolled()))
        if phase is Phase.MOVE:
            return
        for legion in self._active.findall("Legion"):
            if legion.get("moved") == "true":
                self._moves(legion)
        self._adds(msg.DoneMoving())
        if self._active.get("summoned") == "true":
            self._leaves_out(f"that {name} has summoned this turn")
        for legion in self._active.findall("Legion"):
            recruit = legion.get("recruitName", NONE)
            if recruit != NONE and recruit in _creatures(legion):
                self._musters(self._marker(_text(legion, "name")), recruit, None)

    def _rolled(self) -> int:
        """Return what the die of this turn shows: the last roll of whose turn it is."""
        own = [
            one.get("roll", "")
            for part in ("History", "Redo")
            for one in _one(self._root, part).findall("MovementRoll")
            if one.get("playerName") == self._active.get("name")
        ]
        shown = own[-1] if own else self._active.get("movementRoll", "")
        if shown not in set("123456"):
            raise Unreadable(f"no movement roll of {_line(_text(self._active, 'name'))} is in the save")
        return int(shown)

    def _moves(self, legion: Element) -> None:
        marker, hex = self._marker(_text(legion, "name")), _text(legion, "currentHex")
        side = ENTRY_SIDES.get(legion.get("entrySide", ""), LANDS[hex].entry_sides[0])
        own = self._position.legions[marker]
        # What can be reached on foot is taken for a normal move.
        stepped = any(way.hex == hex for way in steps(self._position, own))
        ways = [] if stepped else [way for way in teleports(self._position, own) if way.hex == hex]
        self._adds(msg.Move(marker, hex, side, bool(ways), ways[0].lord if ways else None))

    def _musters(self, marker: str, recruit: Creature, recruiter: Creature | None) -> None:
        legion = self._position.legions[marker]
        terrain = LANDS[legion.hex].terrain
        shown = [one for one in musters(terrain, legion.creatures, self._position.stock) if one.recruit == recruit]
        # A recruiter that does not fit here gives way to the one that shows least.
        shown = [one for one in shown if recruiter in (None, one.recruiter)] or shown
        if not shown or legion.height >= HIGHEST:
            raise Unreadable(f"{marker} cannot have mustered {recruit} in {legion.hex}")
        self._adds(msg.Recruit(marker, recruit, shown[0].recruiter, shown[0].number or None))

    # --- what has been done since the phase began ---------------------------------------------------------------------

    def _does(self, event: Element) -> None:
        done = _EVENTS.get(event.tag)
        if done is None:
            if event.tag not in _SHOWN_OTHERWISE:
                self._leaves_out(f"the event {event.tag} in the present phase")
            return
        try:
            self._adds(*done(self, event))
        except KeyError as error:
            raise Unreadable(f"element Redo, {event.tag}: there is no legion {error}") from error

    def _split(self, event: Element) -> Iterator[Message]:
        names = [(one.text or "").strip() for one in event.iterfind("splitoffs/creature")]
        gone = ordered(_known(name) for name in names)
        yield msg.Split(self._named(event, "parentId"), self._named(event, "childId"), len(gone), gone)

    def _merge(self, event: Element) -> Iterator[Message]:
        yield msg.Merge(self._named(event, "survivorId"), self._named(event, "splitoffId"))

    def _roll(self, event: Element) -> Iterator[Message]:
        if self._position.phase is Phase.SPLIT:
            yield msg.Roll(self._rolled())

    def _move(self, event: Element) -> Iterator[Message]:
        hex, side = _text(event, "newHex"), event.get("entrySide", "").lower()
        if hex not in LANDS:
            raise Unreadable(f"element Redo, Move: there is no land {hex[:60]!r}")
        # An entry side that the land does not have, such as any but the bottom of a tower, becomes its first.
        side = side if side in LANDS[hex].entry_sides else LANDS[hex].entry_sides[0]
        lord = event.get("revealedLord", NONE)
        teleport = event.get("teleport") == "true"
        shown = lord if teleport and lord != NONE else None
        yield msg.Move(self._named(event, "markerId"), hex, side, teleport, _known(shown) if shown else None)

    def _undo_move(self, event: Element) -> Iterator[Message]:
        yield msg.UndoMove(self._named(event, "markerId"))

    def _recruit(self, event: Element) -> Iterator[Message]:
        recruiter = event.get("recruiter", NONE)
        found = None if recruiter == NONE else _known(recruiter)
        self._musters(self._named(event, "markerId"), _known(_text(event, "recruit")), found)
        return iter(())

    def _undo_recruit(self, event: Element) -> Iterator[Message]:
        yield msg.UndoRecruit(self._named(event, "markerId"))

    def _named(self, event: Element, attribute: str) -> str:
        return self._marker(_text(event, attribute))

    # --- what is listed as left out -----------------------------------------------------------------------------------

    def _does_not_take(self) -> None:
        for player in self._dead:
            self._leaves_out(f"{player.get('name')}, who is out of the game, and the free markers of that colour")
        if any(player.get("type", "").rpartition(".")[2] != "Human" for player in self._players):
            self._leaves_out("which players are programs: seats are taken as for any game")
        seen = len(_one(self._root, "History"))
        if seen:
            self._leaves_out(f"what the players have seen of each other's legions ({seen} events of the History)")
        for tag, number in Counter(one.tag for one in self._root if one.tag not in _KNOWN).items():
            if tag == "Battle":
                self._leaves_out("the battle that is going on: its engagement begins again")
            else:
                self._leaves_out(f"{number} elements {tag}")


_EVENTS: Final[Mapping[str, Callable[[_Reading, Element], Iterator[Message]]]] = {
    "Split": _Reading._split,
    "Merge": _Reading._merge,
    "MovementRoll": _Reading._roll,
    "Move": _Reading._move,
    "UndoMove": _Reading._undo_move,
    "Recruit": _Reading._recruit,
    "UndoRecruit": _Reading._undo_recruit,
}
_SHOWN_OTHERWISE: Final = frozenset({"Reveal", "AddCreature"})
"""Events that come along with those above."""


def _one(root: Element, tag: str) -> Element:
    found = root.find(tag)
    if found is None:
        raise Unreadable(f"element {root.tag}: no element {tag}")
    return found


def _text(element: Element, attribute: str) -> str:
    text = element.get(attribute)
    if not text or len(text) > 64:
        raise Unreadable(f"element {element.tag}, attribute {attribute}: is missing, empty or too long")
    return text


def _number(element: Element, tag: str) -> int:
    return xml.integer(Element(tag, {"value": (element.text or "").strip()}), "value")


def _known(name: str) -> Creature:
    if name not in KINDS:
        raise Unreadable(f"there is no creature {name[:60]!r}")
    return name


def _kind(element: Element) -> Creature:
    return _known(_text(element, "name"))


def _creatures(legion: Element) -> tuple[Creature, ...]:
    return ordered(_kind(one) for one in legion.findall("Creature"))


def _line(text: str) -> str:
    return "".join(one if one.isprintable() else " " for one in text)


def main(arguments: Sequence[str], secret: Callable[[int], bytes]) -> str:
    """Return the fixture for the save in a file. Raises SystemExit with what is wrong."""
    if len(arguments) != 1 or arguments[0] in ("-h", "--help"):
        raise SystemExit("usage: python -m game_masters.titan.colossus SAVE > FIXTURE.toml")
    try:
        return read(Path(arguments[0]).read_bytes()).fixture(secret(32))
    except (OSError, Unreadable) as error:
        raise SystemExit(f"{arguments[0]}: {error}") from error


if __name__ == "__main__":
    from secrets import token_bytes

    sys.stdout.write(main(sys.argv[1:], token_bytes))
