"""structlog set-up, once per process: readable on a terminal, one JSON object per line otherwise.

Log lines hold what peers sent. On a terminal, control characters are written out; JSON has escapes for them that
programs read back exactly. What cannot be written, since the disk is full or the reader has gone, is lost, and the
program goes on.

Strangers can cause most lines of a server, as often as they like. So a server joins those that repeat: see
:class:`Joining`."""

import json
import logging
import sys
from collections import Counter
from collections.abc import Callable
from threading import Lock
from time import monotonic
from typing import Final, TextIO, cast

import structlog
from structlog.typing import EventDict, Processor

from ugs.address import origin_of
from ugs.printable import safe, safe_json, safe_lines
from ugs.value import state

TRACEBACKS = frozenset({"exception", "stack"})
_ENCODER = json.JSONEncoder(ensure_ascii=False, default=repr)


def as_json(event: object, **_settings: object) -> str:
    """Return an event as one line of JSON. A value that JSON does not know is written as its ``repr``."""
    return safe_json(_ENCODER.encode(event))


def made_safe(_logger: object, _method: str, event: EventDict) -> EventDict:
    """Make the texts of an event safe for a terminal; a traceback keeps its lines."""
    return {
        key: value if not isinstance(value, str) else safe_lines(value) if key in TRACEBACKS else safe(value)
        for key, value in event.items()
    }


class Log:
    """A stream for log lines that never raises OSError. When lines have been lost, the next one that is written counts
    them."""

    def __init__(self, out: TextIO) -> None:
        self._out = out
        self._lost = 0

    def write(self, text: str) -> None:
        """Write a line."""
        note = (
            as_json({"event": "log lines lost", "lines": self._lost, "level": "warning"}) + "\n" if self._lost else ""
        )
        try:
            self._out.write(note + text)
            # The lines before a crash are those that are looked for.
            self._out.flush()
        except OSError:
            self._lost += 1
        else:
            self._lost = 0

    def flush(self) -> None:
        """Every line is flushed when it is written."""


JOIN_S: Final = 10.0
"""Seconds that lines are joined."""
FREE, FREE_INFOS, FREE_WITHOUT_ORIGIN, FREE_TRACEBACKS = 5, 25, 50, 2
"""Lines of one kind that are written at once within that time: warnings about one address, other lines about one, those
that know none, and those with a traceback."""
MAX_LINES: Final = 150
"""All lines that are written at once within that time."""
MAX_LINES_OF_ORIGIN: Final = 50
"""Those about one address: it must not use up what others have."""
MAX_KINDS: Final = 300
"""Kinds and addresses that are counted separately; beyond that, only kinds."""
MAX_TEXT: Final = 400
"""Characters of a text in a line."""
SEVERAL: Final = "several addresses"


class Doing(str):
    """What happened, as the text of a line; ``origin`` is the address whose doing it is, which is not written."""

    __slots__ = ("origin",)

    origin: str

    def __new__(cls, event: str, origin: str) -> "Doing":
        """Lines with the same event and origin are joined."""
        doing = super().__new__(cls, event)
        doing.origin = origin
        return doing


@state(eq=True)
class _Kind:
    """Lines of one kind from one address since lines were joined last."""

    written: int = 0
    joined: int = 0
    method: str = ""
    last: EventDict | None = None


class Joining:
    """A processor that joins lines which repeat: those with the same event, from the same address. The first ones are
    written at once; the others are counted, and the last of them is written after :data:`JOIN_S` seconds, with
    ``times``, the number of lines that it stands for. So one address causes at most a few hundred bytes a second.
    Memory is bounded; long texts are cut.

    ``write`` is given each joined line with the name of its level.
    """

    def __init__(self, write: Callable[[str, EventDict], None], clock: Callable[[], float] = monotonic) -> None:
        self._write = write
        self._clock = clock
        self._until = clock() + JOIN_S
        self._kinds: dict[tuple[str, str], _Kind] = {}
        self._lines = 0
        """Written at once since lines were joined last."""
        self._of_origin: Counter[str] = Counter()
        """Those of them about each address."""
        self._lock = Lock()  # threads log, too

    def __call__(self, _logger: object, method: str, event: EventDict) -> EventDict:
        """Let a line pass, or count it. Raises structlog.DropEvent."""
        if self._clock() >= self._until:
            self.flush()
        origin = _origin(event)
        with self._lock:
            key = (str(event.get("event")), origin)
            if key not in self._kinds and len(self._kinds) >= MAX_KINDS:
                key = (key[0], SEVERAL)
            kind = self._kinds.setdefault(key, _Kind())
            if kind.written < _free(method, event, key[1]) and self._has_room(origin):
                kind.written += 1
                self._lines += 1
                self._of_origin[origin] += 1
                return _cut(event)
            kind.joined += 1
            kind.method, kind.last = method, _cut(event)  # what it holds may be long, and there are many kinds
        raise structlog.DropEvent

    def _has_room(self, origin: str) -> bool:
        return self._lines < MAX_LINES and (not origin or self._of_origin[origin] < MAX_LINES_OF_ORIGIN)

    def flush(self) -> None:
        """Write what was joined."""
        with self._lock:
            kinds, self._kinds = self._kinds, {}
            self._until, self._lines = self._clock() + JOIN_S, 0
            self._of_origin.clear()
        # Written without the lock: a slow terminal must not hold up all threads that log.
        for (_, origin), kind in kinds.items():
            if kind.last is not None:
                line = {name: value for name, value in kind.last.items() if name != "exc_info"}
                if kind.joined > 1:
                    line["times"] = kind.joined
                if origin == SEVERAL and "address" in line:
                    line["address"] = SEVERAL
                elif origin:
                    line.setdefault("address", origin)
                self._write(kind.method, line)


def _origin(event: EventDict) -> str:
    doing = event.get("event")
    if isinstance(doing, Doing):
        return doing.origin
    address = event.get("address")
    if not isinstance(address, str) or not address:
        return ""
    host, _, port = address.rpartition(":")
    # An IPv6 address without a port has digits behind its last colon, too.
    has_port = port.isdigit() and (":" not in host or host.endswith("]"))
    return origin_of(address if has_port else f"[{address}]:0")


def _free(method: str, event: EventDict, origin: str) -> int:
    if event.get("exc_info") or event.get("exception"):
        return FREE_TRACEBACKS
    if not origin:
        return FREE_WITHOUT_ORIGIN
    return FREE_INFOS if method == "info" else FREE


def _cut(event: EventDict) -> EventDict:
    """The same with texts that are not too long."""
    for name, value in event.items():
        if isinstance(value, str) and len(value) > MAX_TEXT and name not in TRACEBACKS:
            event[name] = f"{value[:MAX_TEXT]}… ({len(value)} characters)"
    return event


def joining() -> Joining | None:
    """What joins the lines of this process, if they are joined; a task should flush it every :data:`JOIN_S`."""
    processors = structlog.get_config()["processors"]
    return next((one for one in processors if isinstance(one, Joining)), None)


def configure_logging(
    level: str = "info",
    stream: TextIO | None = None,
    *,
    joined: bool = False,
    for_people: Callable[[EventDict], str] | None = None,
) -> None:
    """Send log lines of at least ``level`` (debug, info, warning, error) to ``stream`` (default: standard error);
    ``joined`` where strangers can cause them. ``for_people`` makes the lines on a terminal (None: structlog does)."""
    out = stream or sys.stderr
    log = Log(out)
    shared: list[Processor] = [
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=False),
        structlog.processors.format_exc_info,
    ]
    console: Processor = (
        (lambda _logger, _method, event: for_people(event))
        if for_people is not None
        else structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback)
    )
    rendering: list[Processor] = (
        [made_safe, console] if out.isatty() else [structlog.processors.JSONRenderer(serializer=as_json)]
    )

    def write(method: str, event: EventDict) -> None:
        line: object = event
        for processor in (*shared, *rendering):
            line = processor(None, method, cast(EventDict, line))
        log.write(f"{line}\n")

    structlog.configure(
        processors=[*([Joining(write)] if joined else []), *shared, *rendering],
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelNamesMapping()[level.upper()]),
        logger_factory=structlog.WriteLoggerFactory(cast(TextIO, log)),
        cache_logger_on_first_use=False,
    )
