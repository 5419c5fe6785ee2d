"""What costs are counted of: the server's own way with bytes, without the witnesses of the tests, for many peers."""

from collections import defaultdict
from collections.abc import Iterator
from contextlib import suppress
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from game_masters.apologies.gateway.requests import Malformed, read
from ugs.broker.broker import Broker
from ugs.broker.effects import AskWhy, Effect, Publish, Recording, RecordResult, Send, StartTimer, Stopped, StopTimer
from ugs.broker.events import (
    Asked,
    Connected,
    Disconnected,
    Event,
    Garbled,
    Misread,
    Received,
    ResultKept,
    Timer,
    TimerFired,
    WhyAnswered,
)
from ugs.broker.values.questions import (
    Act,
    ActKind,
    OwnerAsked,
    PublicAsked,
    PublicWhyAsked,
    Question,
    ServerAsked,
    WhyAsked,
)
from ugs.config import parse
from ugs.daemon.journal.why import read_account
from ugs.journal.journal import Journal
from ugs.wire.codec import WrongMessage, decode_sent, encode
from ugs.wire.fragment_cache import Familiar
from ugs.wire.framing import Framer, Limits, WireError

NOON_US: Final = 1_900_000_000_000_000
QUESTIONS: Final[dict[bytes, Question]] = {
    b"public": PublicAsked(),
    b"server": ServerAsked(),
    b"why": WhyAsked("nobody"),
    b"public-why": PublicWhyAsked("s0"),
    b"owner": OwnerAsked("nobody's"),
    b"broadcast": Act(ActKind.BROADCAST, "Lunch", "ada", "lunch", to_all=True),
}


def stream_cost(data: bytes) -> None:
    """One peer says this."""
    with suppress(WireError):
        for document in Framer(Limits(), Familiar(Limits().max_attributes)).feed(data):
            if document.message is None:
                with suppress(WrongMessage):
                    decode_sent(document.raw)


def requests_cost(data: bytes) -> None:
    """A client of the gateway says this."""
    with suppress(Malformed):
        read(data.decode(errors="replace"))


def crowd_cost(data: bytes) -> None:
    """Lines of a conversation. ``ann <message …``: this peer says the rest of the line, and connects first if it is
    not there. ``- ann``: its line is cut. ``~ 3``: seconds pass. ``? public``: somebody asks, as the page does."""
    Crowd().hears(data)


class Crowd:
    """A broker with peers, of which only bytes are known; what is sent is written as bytes."""

    def __init__(self) -> None:
        numbers = count(1)
        self.broker = Broker(
            parse({"max_errors_per_minute": 1_000_000, "login_timeout_s": 1_000_000}, "test"),
            lambda: f"g{next(numbers)}",
            lambda: f"{next(numbers):012}{'s' * 24}",
        )
        self.now = 1000.0
        self.limits = Limits()
        self.familiar = Familiar(self.limits.max_attributes)
        self.conns: dict[bytes, int] = {}
        self.names: dict[int, bytes] = {}
        """Who has had each of the connections."""
        self.framers: dict[int, Framer] = {}
        self.timers: dict[Timer, float] = {}
        self.channels: dict[str, list[int]] = defaultdict(list)
        self.records: list[tuple[Recording, int]] = []
        self.explains: list[AskWhy] = []
        self.stopped = False

    def hears(self, data: bytes) -> None:
        """A whole conversation; then the accounts that were asked for are read."""
        for line in data.split(b"\n"):
            who, _, said = line.partition(b" ")
            if self.stopped:
                break
            if who == b"?":
                self.happens(Asked(1, QUESTIONS.get(said, PublicAsked())))
            elif who == b"~":
                self.passes(float(said) if said.isdigit() and len(said) < 4 else 1.0)
            elif who == b"-":
                if said in self.conns:
                    self.happens(Disconnected(self.conns.pop(said)))
            elif who and said:
                self.says(who, said)
        if self.explains:
            self.explain()

    def says(self, who: bytes, said: bytes) -> None:
        """A peer says this."""
        if who not in self.conns:
            self.conns[who] = conn = len(self.framers) + 1
            self.names[conn] = who
            self.framers[conn] = Framer(self.limits, self.familiar)
            self.happens(Connected(conn, self.address(conn)))
        conn = self.conns[who]
        try:
            for document in self.framers[conn].feed(said):
                try:
                    event: Event = Received(conn, document.message or decode_sent(document.raw))
                except WrongMessage as wrong:
                    event = Misread(conn, str(wrong), wrong.kind, wrong.ref)
                self.happens(event)
        except WireError as error:
            self.happens(Garbled(conn, str(error), error.excerpt))

    def address(self, _conn: int) -> str:
        """From where a peer comes."""
        return "192.0.2.1:1"

    def happens(self, event: Event) -> None:
        """One event, and what follows from it."""
        events = [event]
        while events:
            for effect in self.broker.handle(events.pop(0), self.now):
                events += self._carried_out(effect)

    def _carried_out(self, effect: Effect) -> Iterator[Event]:
        if isinstance(effect, Recording):
            self.records.append((effect, int(self.now * 1e6)))
        match effect:
            case Send(message=message) | Publish(message=message):
                encode(message)
            case StartTimer(timer=timer, seconds=seconds):
                self.timers[timer] = self.now + seconds
            case StopTimer(timer=timer):
                self.timers.pop(timer, None)
            case RecordResult(result=result) if not result.verdict.void:
                yield ResultKept(result.game_id)
            case AskWhy():
                self.explains.append(effect)
                yield WhyAnswered(effect.conn, effect.ref, effect.game_id, "")
            case Stopped():
                self.stopped = True

    def passes(self, seconds: float) -> None:
        """Time goes by."""
        end = self.now + seconds
        for _ in range(1000):
            timer = min(self.timers, key=self.timers.__getitem__, default=None)
            if timer is None or self.timers[timer] > end:
                break
            self.now = max(self.now, self.timers.pop(timer))
            self.happens(TimerFired(timer))
        self.now = end

    def explain(self) -> None:
        """What was recorded is written, and each account read."""
        with TemporaryDirectory() as place:
            journal = Journal(Path(place), version="1", kept=lambda _: None, lost=lambda _: None, back=lambda: None)
            for effect, mono_us in self.records:
                journal.record(effect, NOON_US + mono_us, mono_us)
            journal.close()
            for one in self.explains:
                read_account(Path(place), one, NOON_US + int(self.now * 1e6))
