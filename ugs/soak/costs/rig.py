"""A broker in this process with as many peers as a limit lets in: documents in, documents out, no sockets, no disk.

What one document costs here is what the loop of a server spends on it besides its system calls: cutting, decoding, the
broker, and writing each answer once.
"""

from collections import Counter, deque
from collections.abc import Callable, Mapping
from itertools import count
from typing import Any

from ugs.broker.broker import Broker
from ugs.broker.effects import Answer, Draw, Effect, Recall, RecordResult, Send, StartTimer, StopTimer
from ugs.broker.events import (
    Asked,
    Connected,
    Disconnected,
    Drawn,
    Event,
    Misread,
    Recalled,
    Received,
    ResultKept,
    Started,
    Timer,
    TimerFired,
)
from ugs.broker.values.questions import Question
from ugs.broker.values.recollection import Recollected
from ugs.broker.values.replies import as_json
from ugs.config import Config
from ugs.daemon.connections.standings_writer import StandingsWriter
from ugs.soak import traffic
from ugs.wire.codec import WrongMessage, decode_sent, encode
from ugs.wire.extensions import Advertised, Session
from ugs.wire.framing import Framer
from ugs.wire.messages import BeginGame, ChampionsList, Message

ADDRESS = "192.0.2.1:4000"
"""From where all peers come."""


class Rig:
    """One broker, the connections to it, and a clock that stands still unless :meth:`passes` is called."""

    def __init__(self, config: Config) -> None:
        self.config = config
        self.begun: deque[BeginGame] = deque()
        """Every game that has begun and was not taken out yet."""
        self.tables: deque[str] = deque()
        """The same for the ids of tables that were set up, ..."""
        self.tokens: deque[str] = deque()
        """... and for the tokens of sessions."""
        self.sent: Counter[type[Message]] = Counter()
        """How many messages of each type were sent; one message to many peers counts once."""
        self.now = 1000.0
        numbers, secrets = count(1), count(1)
        self.broker = Broker(config, lambda: f"g{next(numbers)}", lambda: f"{next(secrets):012}" + "s" * 24)
        self._connections = count(1)
        self._tickets = count(1)
        self._framers: dict[int, Framer] = {}
        self._standings = StandingsWriter()
        self._later: deque[Event] = deque()
        self._timers: dict[Timer, float] = {}
        self._answer: Mapping[str, object] = {}
        self._performers: Mapping[type[Effect], Callable[[Any], None]] = {
            Send: self._send,
            StartTimer: self._start,
            StopTimer: self._stop,
            RecordResult: self._result,
            Draw: lambda effect: self._later.append(Drawn(effect.championship, effect.request.draw())),
            Answer: self._answered,
            Recall: lambda effect: self._later.append(Recalled(effect.wish, Recollected(forgotten=True))),
        }
        self.happens(Started())

    def happens(self, event: Event) -> None:
        """Decide about one event and perform what follows; what comes after it waits for :meth:`settles`."""
        for effect in self.broker.handle(event, self.now):
            performer = self._performers.get(type(effect))
            if performer is not None:
                performer(effect)

    def settles(self) -> None:
        """Let the disk catch up, and timers fire that are due by now, until nothing more happens."""
        while True:
            due = [timer for timer, moment in self._timers.items() if moment <= self.now]
            for timer in due:
                del self._timers[timer]
                self._later.append(TimerFired(timer))
            if not self._later:
                return
            while self._later:
                self.happens(self._later.popleft())

    def passes(self, seconds: float) -> None:
        """Let time go by, then settle."""
        self.now += seconds
        self.settles()

    def connects(self, *first: bytes) -> int:
        """Open a connection and send ``first`` on it; returns its number."""
        number = next(self._connections)
        self._framers[number] = Framer()
        self.happens(Connected(number, ADDRESS))
        for document in first:
            self.sends(number, document)
        return number

    def sends(self, number: int, data: bytes) -> None:
        """Bytes of this connection: each document in them is handled."""
        for document in self._framers[number].feed(data):
            try:
                event: Event = Received(number, document.message or decode_sent(document.raw))
            except WrongMessage as wrong:
                event = Misread(number, str(wrong), wrong.kind, wrong.ref)
            self.happens(event)

    def goes(self, number: int) -> None:
        """The line of this connection is cut."""
        self.happens(Disconnected(number))

    def asks(self, question: Question) -> Mapping[str, object]:
        """Ask the broker what people and pages ask; returns the answer."""
        self.happens(Asked(next(self._tickets), question))
        return self._answer

    def players(self, number: int, game_type: str, *families: str, first: int = 0) -> list[int]:
        """Log ``number`` players in, with nicks p0, p1, …; returns their connections."""
        greeting = [traffic.hello(*families)] * bool(families)
        return [
            self.connects(*greeting, traffic.player_login(f"p{one}", game_type)) for one in range(first, first + number)
        ]

    def master(self, name: str, game_type: str, *families: str, least: int = 2, most: int = 2) -> int:
        """Log a game master in, which has no options to offer; returns its connection."""
        greeting = [traffic.hello(*families)] * bool(families)
        offers = [traffic.offers()] * ("table" in families)
        return self.connects(*greeting, traffic.master_login(name, least, most, game_type), *offers)

    def _send(self, effect: Send) -> None:
        message = effect.message
        self.sent[type(message)] += 1
        if type(message) is ChampionsList:
            self._standings.write(message)
            return
        encode(message)
        if type(message) is BeginGame:
            self.begun.append(message)
        elif type(message) is Advertised:
            self.tables.append(message.table.id)
        elif type(message) is Session:
            self.tokens.append(message.token)

    def _start(self, effect: StartTimer) -> None:
        self._timers[effect.timer] = self.now + effect.seconds

    def _stop(self, effect: Any) -> None:
        self._timers.pop(effect.timer, None)

    def _result(self, effect: RecordResult) -> None:
        if not effect.result.verdict.void:
            self._later.append(ResultKept(effect.result.game_id))

    def _answered(self, effect: Answer) -> None:
        self._answer = as_json(effect.reply)
