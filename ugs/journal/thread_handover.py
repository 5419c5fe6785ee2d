"""Items that the broker's thread has recorded and the writer's thread has not taken yet.

:class:`~ugs.journal.step_collector.StepCollector` puts whole steps of the broker in,
:class:`~ugs.journal.batch_taker.BatchTaker` takes batches out. Both hold the lock of the :class:`Handover` while they
change it, and never keep it between calls.
"""

import threading
from enum import Enum, IntEnum
from time import monotonic

from ugs.journal.batch import Batch
from ugs.journal.waiting import WaitingEntries
from ugs.journal.write_ahead import WriteAhead


class Arrived(IntEnum):
    """What has been handed over since the writer last took something."""

    NOTHING = 0
    SOMETHING = 1
    URGENT = 2
    """Something that people wait for: a result, or an act of an organiser."""


class Loss(Enum):
    """Whether the journal can be written."""

    NONE = "none"
    UNANNOUNCED = "unannounced"
    """It cannot, and the broker does not know: its records are void."""
    ANNOUNCED = "announced"
    """It cannot, and the broker's records take that into account."""


class Unwritten:
    """How many bytes are not on disk yet, and since when. :class:`~ugs.journal.waiting.WaitingEntries` adds those of
    waiting entries. Times are those of ``time.monotonic``."""

    def __init__(self) -> None:
        self.queued_bytes = 0
        self.taken_bytes = 0
        self._queued_at: float | None = None
        """When the oldest queued item was added."""
        self._taken_at: float | None = None
        """When the oldest item that is taken but not on disk was added."""

    @property
    def lag_s(self) -> float:
        """Seconds that the oldest item has waited."""
        oldest = self._taken_at or self._queued_at
        return monotonic() - oldest if oldest is not None else 0.0

    def step(self, size: int) -> None:
        """A step is handed over; ``size`` does not include its entries."""
        self.queued_bytes += size
        if self._queued_at is None:
            self._queued_at = monotonic()

    def taken(self, entry_bytes: int, *, left_some: bool) -> None:
        """The writer takes all queued items, with ``entry_bytes`` of entries; ``left_some``: it leaves some entries."""
        self.taken_bytes, self.queued_bytes = self.queued_bytes + entry_bytes, 0
        self._taken_at, self._queued_at = self._queued_at, self._queued_at if left_some else None

    def written(self) -> None:
        """The taken items are on disk, or given up."""
        self.taken_bytes, self._taken_at = 0, None

    def lost(self, *, kept_some: bool) -> None:
        """The items taken last are dropped; those that are kept are queued again."""
        self._queued_at = self._taken_at if kept_some else None
        self.written()

    def put_back(self) -> None:
        """The taken items are queued again."""
        self.queued_bytes += self.taken_bytes
        self._queued_at = self._taken_at or self._queued_at
        self.written()


class Handover:
    """Hold ``lock`` to change anything here or to call a method; ``ended``, ``arrived``, ``loss`` and the properties
    may be read without it.

    Without ``write_ahead``, a killed server loses the last moves of the games that can outlive it, unless it is
    ``prompt``: then nothing waits for more, because peers are not sent what depends on it before it is on disk.
    """

    def __init__(self, write_ahead: WriteAhead | None = None, *, prompt: bool = False) -> None:
        self.lock = threading.Lock()
        self.batch = Batch()
        self.entries = WaitingEntries()
        self.unwritten = Unwritten()
        self.write_ahead = write_ahead
        self.prompt = prompt
        self.steps = 0
        """How many steps have been handed over."""
        self.durable = 0
        """The last step that is wholly on disk."""
        self.arrived = Arrived.NOTHING
        self.loss = Loss.NONE
        self.ended = False
        """Nothing more is handed over."""
        self._changed = threading.Condition(self.lock)
        self._awaited: Arrived | None = None
        """The writer waits until this much has arrived."""

    @property
    def pending_bytes(self) -> int:
        """Roughly how many bytes are not on disk yet."""
        return self.unwritten.queued_bytes + self.entries.bytes + self.unwritten.taken_bytes

    @property
    def lag_s(self) -> float:
        """Seconds that the oldest of them has waited."""
        return self.unwritten.lag_s

    def arrives(self, what: Arrived) -> None:
        """A step has been handed over. Wakes the writer if it waits for ``what``."""
        self.arrived = max(self.arrived, what)
        # Woken only for what it waits for: each waking takes the interpreter's lock from the broker's thread.
        if self._awaited is not None and self.arrived >= self._awaited:
            self._awaited = None
            self._changed.notify()

    def end(self) -> None:
        """Nothing more is handed over. Ends every wait of the writer."""
        self.ended = True
        self._changed.notify()

    def wait_for(self, what: Arrived, seconds: float | None) -> None:
        """Wait until this much has arrived, for at most ``seconds`` (None: no limit)."""
        self._awaited = what
        self._changed.wait_for(lambda: self.ended or self.arrived >= what, seconds)
        self._awaited = None

    def wait_for_end(self, seconds: float) -> None:
        """Wait for ``seconds``, or until the end, regardless of what arrives."""
        self._changed.wait_for(lambda: self.ended, seconds)
