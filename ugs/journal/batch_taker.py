"""The writer's end of the hand-over: how long it waits for more, and what happens to a taken batch."""

from time import monotonic

from ugs.journal.batch import Batch
from ugs.journal.thread_handover import Arrived, Handover, Loss
from ugs.journal.waiting import LINGER_S

QUIET_LINGER_S = 0.001
"""How long items wait for more under little load. If the server is killed, items not on disk are lost."""
REST_S = 0.015
"""After a transaction under load the writer rests this long, and at least as long as the transaction took: results that
arrive together share one, and neither the processor nor a slow disk is kept busy by small ones. Longer rests save
little: most of a transaction's work is that of its rows. Without load the writer does not rest."""
MAX_REST_S = 0.1
"""Upper limit of that rest, because players wait for results."""


class BatchTaker:
    """Takes batches out of the hand-over. For the writer's thread."""

    def __init__(self, handover: Handover) -> None:
        self._handover = handover
        self._took_all = True
        """Whether the last taking left no entries behind."""
        self._taken = 0
        """The last step whose entries have been taken."""
        self._rested_at = 0.0
        """When the rest after the last transaction ends."""

    @property
    def ended(self) -> bool:
        """Whether nothing more will arrive. Waiting items can still be taken."""
        return self._handover.ended

    @property
    def has_content(self) -> bool:
        """Whether something has arrived since the last taking."""
        return self._handover.arrived is not Arrived.NOTHING

    @property
    def busy(self) -> bool:
        """Whether there was load at the last taking of all entries."""
        return self._handover.entries.busy

    @property
    def loss_unannounced(self) -> bool:
        """Whether the broker does not know of the loss yet."""
        return self._handover.loss is Loss.UNANNOUNCED

    @property
    def pending_bytes(self) -> int:
        """Roughly how many bytes are not on disk yet."""
        return self._handover.pending_bytes

    def take(self, idle_s: float | None) -> Batch:
        """Wait, then take everything but entries that may wait longer.

        Waits until something arrives. Then waits a little for more, unless something urgent is there, and keeps the
        rest that the last transaction requires (:data:`REST_S`). The end of the hand-over ends every wait. Returns
        an empty batch if nothing but such entries arrives for ``idle_s`` seconds (None: no limit).
        """
        handover = self._handover
        with handover.lock:
            if not handover.entries.games:
                handover.wait_for(Arrived.SOMETHING, idle_s)
            if (handover.entries.games or self.has_content) and not handover.ended:
                handover.wait_for(Arrived.URGENT, LINGER_S if handover.entries.busy else QUIET_LINGER_S)
                # Rested even for urgent items: results that come in this time share the next transaction.
                rest_s = self._rested_at - monotonic()
                if rest_s > 0:
                    handover.wait_for_end(rest_s)
            return self._take(leave=not handover.ended)

    def take_now(self) -> Batch:
        """Take everything without waiting."""
        with self._handover.lock:
            return self._take()

    def done(self, took_s: float = 0.0) -> None:
        """The last taken batch is on disk or given up; its transaction took ``took_s`` seconds."""
        handover = self._handover
        with handover.lock:
            handover.unwritten.written()
            if self._took_all:
                handover.durable = self._taken
                if handover.write_ahead is not None:
                    handover.write_ahead.on_disk()
            busy = handover.entries.busy and not handover.prompt
        self._rested_at = monotonic() + min(max(REST_S, took_s), MAX_REST_S) if busy else 0.0

    def lose(self, taken: Batch) -> None:
        """The batch ``taken`` could not be written. Drop everything except void results, ledger entries, sessions and
        acts: the broker will void the games that have begun.

        A ledger stays correct: an entry for a result that never counted is followed by one that declares the game void.
        """
        handover = self._handover
        with handover.lock:
            handover.loss = Loss.UNANNOUNCED
            # What has arrived meanwhile was recorded without knowing of the loss, so it is judged in the same way.
            taken.extend(self._take())
            if handover.write_ahead is not None:
                handover.write_ahead.give_up()
            kept = handover.batch = taken.after_loss(announced=False)
            handover.arrived = Arrived.SOMETHING if kept else Arrived.NOTHING
            handover.unwritten.lost(kept_some=bool(kept))

    def pause(self, seconds: float) -> None:
        """Wait for ``seconds``, or until the end."""
        with self._handover.lock:
            self._handover.wait_for_end(seconds)

    def put_back(self, batch: Batch) -> None:
        """This batch could not be written either: keep it for the next attempt, ahead of later items."""
        handover = self._handover
        with handover.lock:
            # In front of what came later: of two changes of a session the later one has to win.
            batch.extend(handover.batch)
            handover.batch = batch
            handover.arrived = Arrived.SOMETHING if batch else Arrived.NOTHING
            handover.unwritten.put_back()

    def resume(self) -> None:
        """Writing works again: games are recorded again, from their beginnings."""
        handover = self._handover
        with handover.lock:
            handover.loss = Loss.NONE
            if handover.write_ahead is not None:
                handover.write_ahead.begin_again()

    def _take(self, *, leave: bool = False) -> Batch:
        """Take everything. If ``leave``, entries that may wait longer stay."""
        handover, now = self._handover, monotonic()
        # Exchanged, not copied: the broker's thread waits for this lock.
        batch, handover.batch = handover.batch, Batch()
        waiting = handover.entries
        entry_bytes = waiting.bytes
        self._took_all = handover.prompt or not (leave and waiting.may_wait(now))
        if self._took_all:
            self._taken = handover.steps
        batch.parts = waiting.take_all(now) if self._took_all else waiting.take_over()
        if self._took_all and handover.write_ahead is not None:
            handover.write_ahead.taken()
        handover.unwritten.taken(entry_bytes - waiting.bytes, left_some=bool(waiting.bytes))
        handover.arrived = Arrived.NOTHING
        return batch
