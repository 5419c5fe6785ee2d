"""The workers of a Dask scheduler as a pool that plays batches of a match.

Dask's client has an event loop and a thread of its own; blocking calls to it run in threads of Trio, and it
reports with callbacks, so neither waits for the other. Dask plays the batch of a worker that is lost on another one.
What it cannot know is played again by the match: what was out when the scheduler was lost, and results that were lost
with it.
"""

import random
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, Final, TypeAlias

import trio
from distributed import Client, Future, KilledWorker

from ugs.dask_pool.gathered import Gathered
from ugs.dask_pool.packed_batches import Play, pack, play_packed, unpack
from ugs.match.batches import BatchJob, LostBatch, MatchBatch, PlayedBatch
from ugs.match.programs import MatchFailed

ClientMaker: TypeAlias = Callable[[], Client]
"""Connects to a scheduler; blocks. Raises OSError."""

LOOK_S: Final = 2.0
"""Seconds between two looks at the workers."""
ENDS_S: Final = 0.5
"""Seconds between two looks at which batches have ended without news: large ones, and those that failed."""
FETCH_S: Final = 60.0
"""Seconds for results to come from their workers; then their batches are played again."""
MAX_FETCHED: Final = 200
"""Results that are fetched together."""
ANSWER_S: Final = 10.0
"""Seconds for a scheduler to answer; then it is away."""
CLOSE_S: Final = 10.0
"""Seconds to close the connection."""
AWAY_S: Final = 600.0
"""Seconds that a scheduler may be away before the match ends. It can go on with ``--resume``."""
FIRST_AGAIN_S, MAX_AGAIN_S = 0.5, 30.0
"""Seconds between two tries to reach a scheduler that is away: a random part of twice as much each time, at most."""
MAX_WHY: Final = 300
"""Characters of a foreign error that are shown."""


class DaskPool:
    """The pool of one match. Runs in :meth:`run`, until that is cancelled."""

    def __init__(
        self, where: str, connect: ClientMaker, play: Play, job: BatchJob, note: Callable[[str], None], name: str
    ) -> None:
        """``where`` and ``note`` are for people; ``name`` is one that no other match on the scheduler has."""
        self._where = where
        self._connect = connect
        self._topic = f"ugs-{name}"
        """Of the news that bring results."""
        self._play = partial(play_packed, play, self._topic, pack(job))
        self._note = note
        self._name = name
        self._client: Client | None = None
        self._up = False
        """Whether the scheduler was there when it was last looked at, and has not been lost since."""
        self._out: dict[int, Future] = {}
        """By batch."""
        self._submitted = 0
        self._due = Gathered[MatchBatch]()
        """Those that are to be submitted."""
        self._submitting = False
        self._early: dict[str, bytes] = {}
        """Results, by key, that have come while their batches were still being submitted."""
        self._send, self._ends = trio.open_memory_channel[PlayedBatch | LostBatch](float("inf"))
        self._threads: dict[str, int] = {}
        """By address of a worker: batches that it plays at once."""
        self._excluded: set[str] = set()
        self._ready = Gathered[Future]()
        """Those whose results are to be fetched."""
        self._turn = trio.Lock()
        """Of those who use the client: it does not bear to be closed meanwhile."""
        self._token: trio.lowlevel.TrioToken | None = None

    @property
    def room(self) -> int:
        """Batches that can be played at once now; none while the scheduler is away."""
        return sum(self._fit.values()) if self._up else 0

    @property
    def _fit(self) -> dict[str, int]:
        return {address: threads for address, threads in self._threads.items() if address not in self._excluded}

    async def submit(self, batches: Sequence[MatchBatch]) -> None:
        """Have batches played."""
        for batch in batches:
            self._due.put(batch.number, batch)

    async def next_end(self) -> PlayedBatch | LostBatch:
        """Wait until a batch has come back, or is lost."""
        return await self._ends.receive()

    def exclude(self, worker: str) -> bool:
        """Give no more batches to this worker, whose address is the last word. Returns whether another one is left."""
        self._excluded.add(worker.rpartition(" ")[2])
        return bool(self._fit)

    async def run(self, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        """Keep in touch with the scheduler until cancelled. Raises MatchFailed when it is not to be reached."""
        self._token = trio.lowlevel.current_trio_token()
        try:
            await self._open()
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._collect)
                nursery.start_soon(self._keep_looking)
                nursery.start_soon(self._keep_submitting)
                task_status.started()
                while True:
                    await trio.sleep(LOOK_S)
                    if not await self._look():
                        await self._come_back()
        finally:
            with trio.move_on_after(CLOSE_S, shield=True):
                await self._close()

    # The scheduler.

    async def _open(self) -> None:
        try:
            client = await trio.to_thread.run_sync(self._connect, abandon_on_cancel=True)
            client.subscribe_topic(self._topic, self._receive)
            self._client = client
        except Exception as error:
            raise MatchFailed(f"no scheduler at {self._where}: {_words(error)}") from error
        await self._look()

    async def _look(self) -> bool:
        """See which workers there are. Returns whether the scheduler is there."""
        client = self._client
        if client is None or client.status not in ("running", "connecting"):
            return False
        try:
            with trio.fail_after(ANSWER_S):
                # Abandoned: a scheduler that hangs must not keep the match from seeing that it is away.
                found = await trio.to_thread.run_sync(client.nthreads, abandon_on_cancel=True)
        except Exception:  # a scheduler that does not answer shows itself in many ways
            return False
        self._threads, self._up = found, client.status == "running"
        return True

    async def _come_back(self) -> None:
        """Connect again to a scheduler that was lost: what was out is lost with it. Raises MatchFailed."""
        self._up = False
        self._note(f"the scheduler at {self._where} is away")
        await self._close()
        self._early.clear()
        for number in list(self._out):
            self._lose(number, "the scheduler was away", counts=False)
        wait_s, until = FIRST_AGAIN_S, trio.current_time() + AWAY_S
        while True:
            # At random: all matches that have lost this scheduler come back to it.
            await trio.sleep(random.uniform(0, wait_s))
            wait_s = min(2 * wait_s, MAX_AGAIN_S)
            try:
                await self._open()
                break
            except MatchFailed:
                if trio.current_time() > until:
                    raise
        self._note(f"the scheduler at {self._where} is back")

    async def _close(self) -> None:
        async with self._turn:
            client, self._client = self._client, None
            if client is None:
                return
            await trio.to_thread.run_sync(_close_client, client, list(self._out.values()), abandon_on_cancel=True)

    # One batch.

    async def _keep_submitting(self) -> None:
        """Submit what is due, for ever, all that has come together at once."""
        while True:
            batches = list((await self._due.take()).values())
            self._submitted += 1
            # Another key each time: Dask would take an equal one for the same task.
            keys = [f"{self._topic}-{batch.number}-{self._submitted}" for batch in batches]
            try:
                async with self._turn:
                    self._submitting = True
                    futures = await trio.to_thread.run_sync(self._submit, batches, keys)
            except Exception as error:  # what a client that is being closed raises is not documented
                for batch in batches:
                    self._send.send_nowait(LostBatch(batch.number, _words(error), counts=False))
                continue
            finally:
                self._submitting = False
            self._out.update((batch.number, future) for batch, future in zip(batches, futures, strict=True))
            early, self._early = self._early, {}
            for batch, key in zip(batches, keys, strict=True):
                if key in early:
                    self._came(batch.number, key, early[key])

    def _submit(self, batches: Sequence[MatchBatch], keys: list[str]) -> list[Future]:
        if self._client is None:
            raise OSError("the scheduler is away")
        only = list(self._fit) if self._excluded else None
        futures: list[Future] = self._client.map(
            self._play, [pack(batch) for batch in batches], keys, key=keys, pure=False, workers=only
        )
        return futures

    def _receive(self, event: tuple[float, Any]) -> None:
        """In Dask's thread: a result has come as news."""
        key, played = event[1]
        assert self._token is not None
        with suppress(trio.RunFinishedError):
            self._token.run_sync_soon(self._came, int(key.split("-")[-2]), key, played)

    def _came(self, number: int, key: str, played: bytes) -> None:
        """The same, in Trio's."""
        future = self._out.get(number)
        # The batch may have been lost and given out again meanwhile.
        if future is not None and future.key == key:
            del self._out[number]
            self._send.send_nowait(unpack(played))
        elif future is None and self._submitting:
            self._early[key] = played

    async def _keep_looking(self) -> None:
        while True:
            await trio.sleep(ENDS_S)
            self._look_for_ends()

    def _look_for_ends(self) -> None:
        """See which batches have ended without news."""
        for number, future in list(self._out.items()):
            status = future.status
            if status == "pending" or number in self._ready:
                continue
            if status == "error":
                self._lose(number, _words(future.exception()), counts=True)
            elif status == "finished":
                self._ready.put(number, future)
            else:  # a client that has lost its scheduler cancels everything
                self._up = False
                self._lose(number, "the scheduler was away", counts=False)

    async def _collect(self) -> None:
        """Fetch results, all that are ready at once."""
        async with trio.open_nursery() as nursery:
            while True:
                ready = await self._ready.take()
                while ready:
                    some = {number: ready.pop(number) for number in list(ready)[:MAX_FETCHED]}
                    nursery.start_soon(self._fetch, some)  # a slow worker holds up only what is fetched with it

    async def _fetch(self, futures: Mapping[int, Future]) -> None:
        client = self._client
        found: Mapping[int, bytes] = {}
        with trio.move_on_after(FETCH_S):
            try:
                if client is not None:
                    gather = partial(client.gather, dict(futures), errors="skip")
                    found = await trio.to_thread.run_sync(gather, abandon_on_cancel=True)
            except Exception:  # workers that have gone with their results, or the scheduler has
                found = {}
        for number, future in futures.items():
            # It came as news meanwhile, or was lost.
            if self._out.get(number) is not future:
                continue
            played = found.get(number)
            if played:
                del self._out[number]
                self._send.send_nowait(unpack(played))
            else:
                self._lose(number, "its result was lost", counts=False)

    def _lose(self, number: int, why: str, *, counts: bool) -> None:
        if self._out.pop(number, None) is not None:
            self._send.send_nowait(LostBatch(number, why, counts))


def _close_client(client: Client, futures: list[Future]) -> None:
    """Give up what is out, and close the connection, if the scheduler still answers."""
    with suppress(Exception):
        client.cancel(futures, force=True)
    with suppress(Exception):
        client.close(timeout=CLOSE_S / 2)


def _words(error: BaseException | None) -> str:
    """An error in one line."""
    if isinstance(error, KilledWorker):
        return f"its workers were lost, the last one {error.last_worker.name or error.last_worker.address}"
    text = " ".join(str(error).split()) or "no reason is known"
    return f"{type(error).__name__}: {text}"[:MAX_WHY]
