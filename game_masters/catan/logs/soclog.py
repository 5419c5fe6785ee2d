"""Logs of games in the text format of JSettlers, ``.soclog``, and as XML: written, read, and cut down to a view.

SOC game event log: type=F, version=2500, created_at=1700000000, now=1700000090, game_name=g1
# anything
0:00.004:all:SOCVersion:2500|str=2.5.00|verBuild=ugs|feats=;ch;|cliLocale=(null)
f3:SOCRollDice:game=g1
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple

from game_masters.catan.game.play import Play
from game_masters.catan.message.board_messages import Version
from game_masters.catan.message.coding import from_xml, kept_xml
from game_masters.catan.message.element import Element
from game_masters.catan.message.events import NO_AUDIENCE, Event, event_of, from_attributes, kept_event
from game_masters.catan.message.forms import Malformed
from game_masters.catan.message.messages import NewGame, NewGameWithOptions
from game_masters.kit import payload as xml
from game_masters.kit.rules import Unreadable

FULL, CLIENTS = "F", "C"
"""Types of logs: messages of both directions, or only those of the server to clients."""
MIN_VERSION: Final = 2500
_START: Final = "SOC game event log: "
_TIME: Final = re.compile(r"([0-9]{1,9}):([0-5][0-9])\.([0-9]{3}):")


class BadLog(Exception):
    """A text that is no log. The message gives the error and the line."""


@dataclass(frozen=True, slots=True)
class Header:
    """The first line of a log."""

    game: str
    type: str = FULL
    version: int = MIN_VERSION
    created_at: int | None = None
    """In seconds since 1970."""
    now: int | None = None
    more: tuple[tuple[str, str], ...] = ()
    """Other fields, in order."""

    def __str__(self) -> str:
        fields = [("type", self.type), ("version", str(self.version))]
        fields += [("created_at", str(self.created_at))] if self.created_at is not None else []
        fields += [("now", str(self.now))] if self.now is not None else []
        fields += [*self.more, ("game_name", self.game)]
        return _START + ", ".join(f"{name}={value}" for name, value in fields)


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of data."""

    event: Event
    game: str
    """The game that it names; empty if it names none."""
    at: int | None = None
    """Milliseconds since the game was made."""

    def __str__(self) -> str:
        return f"{_written_time(self.at)}{self.event.line(self.game)}"


class Kept(NamedTuple):
    """An entry that was not understood."""

    place: str
    """The line, or the event of the XML: ``line 7``."""
    why: str

    def __str__(self) -> str:
        return f"{self.place}: {self.why}"


@dataclass(frozen=True, slots=True)
class Log:
    """A log of one game."""

    header: Header
    entries: tuple[Entry, ...]
    kept: tuple[Kept, ...] = field(default=(), compare=False)
    """What was not understood; it stands among the entries as it was read."""

    @property
    def events(self) -> list[Event]:
        """The messages, without times."""
        return [entry.event for entry in self.entries]

    def clients(self) -> "Log":
        """Return the log without what clients sent."""
        kept = tuple(entry for entry in self.entries if not entry.event.audience.from_client)
        return replace(self, header=replace(self.header, type=CLIENTS), entries=kept)

    def view(self, seat: int) -> "Log":
        """Return what one player received."""
        kept = tuple(entry for entry in self.entries if entry.event.audience.includes(seat))
        return replace(self, header=replace(self.header, type=CLIENTS), entries=kept)


# --- from a game ------------------------------------------------------------------------------------------------------


def log_of(play: Play, times: Sequence[int | None] = (), created_at: int = 0, now: int = 0) -> Log:
    """Return the log of a game. ``times`` are those of the entries of its record, as far as they are known."""
    entries = []
    for number, entry in enumerate(play.record):
        if isinstance(entry, Event):
            game = play.game if entry.message.LABELLED else ""
            entries.append(Entry(entry, game, times[number] if number < len(times) else None))
    return Log(Header(play.game, created_at=created_at, now=now), tuple(entries))


def summary_of(play: Play) -> list[str]:
    """Return the comments at the end of the log of a game."""
    lines = [f"End of log. Game state {int(play.phase)}", "Player info:"]
    winners = play.ending.winners if play.ending is not None else ()
    for number in play.occupied:
        marks = ", Largest Army" if play.awards.army == number else ""
        marks += ", Longest Road" if play.awards.route == number else ""
        winner = ", Winner" if number in winners else ""
        lines.append(f"- pn {number}: total score {play.points(number)}: {play.name(number)}{marks}{winner}")
    return lines


# --- text -------------------------------------------------------------------------------------------------------------


def write(log: Log, comments: Iterable[str] = ()) -> str:
    """Return a log as text; ``comments`` stand at its end."""
    lines = [str(log.header), *map(str, log.entries), *(f"# {comment}" for comment in comments)]
    return "".join(f"{line}\n" for line in lines)


def read(text: str) -> Log:
    """Return the log in a text; what is not understood is kept as it stands. Raises BadLog for a text that does not
    begin as a log does."""
    lines = list(_data_lines(text))
    if not lines:
        raise BadLog("there is no header")
    number, first = lines[0]
    header = _header(number, first)
    entries, kept = [], []
    for number, line in lines[1:]:
        at, rest = _time_of(line)
        try:
            event, game = event_of(rest)
        except Malformed as why:
            event, game = kept_event(rest)
            kept.append(Kept(f"line {number}", str(why)))
        entries.append(Entry(event, game, at))
    _check_beginning(header, entries)
    return Log(header, tuple(entries), tuple(kept))


def read_any(text: str) -> Log:
    """Return the log in a text that is one of lines or XML. Raises BadLog."""
    if not text.lstrip().startswith("<"):
        return read(text)
    try:
        return read_xml(xml.parse(text.encode(), "soclog"))
    except Unreadable as why:
        raise BadLog(str(why)) from why


def _data_lines(text: str) -> Iterator[tuple[int, str]]:
    # At line feeds only: texts may hold other characters that Python takes for the end of a line.
    for number, line in enumerate(text.split("\n"), start=1):
        stripped = line.strip(" \r")
        if stripped and not stripped.startswith("#"):
            yield number, stripped


def _header(number: int, line: str) -> Header:
    if not line.startswith(_START):
        raise BadLog(f"line {number}: the header is missing, or does not stand first")
    fields: list[tuple[str, str]] = []
    for part in line[len(_START) :].split(", "):
        name, equals, value = part.partition("=")
        if not equals:
            raise BadLog(f"line {number}: {part!r} is no field of a header")
        fields.append((name, value))
    names = [name for name, _ in fields]
    if names[:1] != ["type"] or fields[0][1] not in (FULL, CLIENTS):
        raise BadLog(f"line {number}: the type comes first and is {FULL} or {CLIENTS}")
    if names[1:2] != ["version"] or not fields[1][1].isdigit() or int(fields[1][1]) < MIN_VERSION:
        raise BadLog(f"line {number}: the version comes second and is a number from {MIN_VERSION} on")
    if names[-1] != "game_name" or not _is_safe(fields[-1][1]):
        raise BadLog(f"line {number}: the game's name comes last, is not empty and has no comma or control character")
    times: dict[str, int] = {}
    for name, value in fields[2:-1]:
        if name in ("created_at", "now"):
            if not value.isdigit():
                raise BadLog(f"line {number}: {name}={value!r} is no number of seconds")
            times[name] = int(value)
    more = tuple((name, value) for name, value in fields[2:-1] if name not in times)
    return Header(fields[-1][1], fields[0][1], int(fields[1][1]), times.get("created_at"), times.get("now"), more)


def _is_safe(name: str) -> bool:
    return bool(name) and "," not in name and name.isprintable()


def _time_of(line: str) -> tuple[int | None, str]:
    """The time before a line, in milliseconds, and what follows it; None and the line where there is none."""
    match = _TIME.match(line)
    if match is None:
        return None, line
    return (int(match[1]) * 60 + int(match[2])) * 1000 + int(match[3]), line[match.end() :]


def _check_beginning(header: Header, entries: Sequence[Entry]) -> None:
    version = entries[0].event.message if entries else None
    if not isinstance(version, Version):
        raise BadLog("the first event is not SOCVersion")
    if version.version[0] != header.version:
        raise BadLog(f"the header has version {header.version}, SOCVersion has {version.version[0]}")
    made = entries[1] if len(entries) > 1 else None
    if made is None or not isinstance(made.event.message, NewGame | NewGameWithOptions):
        raise BadLog("the second event is neither SOCNewGame nor SOCNewGameWithOptions")
    if made.game != header.game:
        raise BadLog(f"the header has game {header.game!r}, the second event has {made.game!r}")


def _written_time(at: int | None) -> str:
    if at is None:
        return ""
    seconds, thousandths = divmod(at, 1000)
    return f"{seconds // 60}:{seconds % 60:02}.{thousandths:03}:"


# --- XML --------------------------------------------------------------------------------------------------------------


def read_xml(root: Element) -> Log:
    """Return the log in an element; messages that are not understood are kept as they stand. Raises BadLog for an
    element that is no log, or has a message that is neither understood nor kept."""
    try:
        if root.tag != "soclog":
            raise Malformed(f"element {root.tag[:40]} is no soclog")
        times = {name: root.attrib.get(name) for name in ("createdAt", "now")}
        created_at, now = (int(text) if text is not None else None for text in times.values())
        header = Header(
            root.attrib["gameName"], root.attrib["type"], int(root.attrib["version"]), created_at, now
        )  # fmt: skip
        entries, kept = [], []
        for number, event in enumerate(root, start=1):
            (inside,) = event
            at = event.attrib.get("at")
            to = event.attrib.get("to")
            audience = NO_AUDIENCE if to == "" else from_attributes(event.attrib.get("from"), to)
            game = event.attrib.get("game", header.game)
            try:
                message = from_xml(inside)
            except Malformed as why:
                message = kept_xml(inside)
                kept.append(Kept(f"event {number}", str(why)))
            entries.append(Entry(Event(audience, message), game, None if at is None else int(at)))
    except (ValueError, KeyError) as why:
        raise BadLog(f"the XML is no log: {why}") from why
    return Log(header, tuple(entries), tuple(kept))
