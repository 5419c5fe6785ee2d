"""A worker of Dask that plays nothing: for its scheduler it is one as all others, and it takes little of the machine.

It registers, gives signs of life, takes batches, plays one after another, and gives some back when the scheduler moves
them, with the same messages as Dask's own worker. A thousand of those would take all processors from the front that is
to be measured. It has no port: nothing is ever fetched from it.
"""

import asyncio
import random
import time
from collections import deque
from collections.abc import Mapping
from typing import Any, Final

from distributed import worker as dask_worker
from distributed.batched import BatchedSend
from distributed.comm import connect
from distributed.comm.core import Comm
from distributed.protocol.pickle import dumps
from distributed.versions import get_versions

BATCHED: Final = "2ms"
"""How long Dask's worker lets messages come together after it has sent some."""
RESULT_TYPE: Final = dumps(bytes)
METRICS: Final = {
    "task_counts": {"executing": 1},
    "bandwidth": {"total": 1e8, "workers": {}, "types": {}},
    "digests_total_since_heartbeat": {
        ("execute", "play_packed", kind, "seconds"): 0.1
        for kind in ("thread-cpu", "thread-noncpu", "deserialize", "other")
    }
    | {"tick-duration": 0.1, "latency": 0.01, "profile-duration": 0.001},
    "managed_bytes": 0,
    "spilled_bytes": {"memory": 0, "disk": 0},
    "transfer": dict.fromkeys(
        ("incoming_bytes", "incoming_count", "incoming_count_total", "outgoing_bytes", "outgoing_count",
         "outgoing_count_total"), 0,
    ),
    "event_loop_interval": 0.02,
    "cpu": 5.0, "memory": 100_000_000, "time": 0.0, "num_fds": 30,
    "host_net_io": {"read_bps": 0.0, "write_bps": 0.0}, "host_disk_io": {"read_bps": 0.0, "write_bps": 0.0},
}  # fmt: skip


class MadeUpWorker:
    """One worker at the scheduler of this address, with a name that no other one has."""

    def __init__(self, scheduler: str, name: str, batch_s: float) -> None:
        """``batch_s``: seconds of a batch, on average."""
        self._scheduler = scheduler
        self._name = name
        self._batch_s = batch_s
        self._due: deque[Mapping[str, Any]] = deque()
        """Batches that wait."""
        self._playing = ""
        """The key of the one that is being played."""
        self._ready = asyncio.Event()
        self._sending = BatchedSend(BATCHED)

    async def run(self) -> None:
        """Work until the scheduler has gone. Raises OSError."""
        comm = await connect(self._scheduler)
        try:
            beat_s = await self._register(comm)
            self._sending.start(comm)
            tasks = [asyncio.ensure_future(one) for one in (self._listen(comm), self._play(), self._beat(comm, beat_s))]
            try:
                await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            finally:
                for task in tasks:
                    task.cancel()
                await asyncio.gather(*tasks, return_exceptions=True)
        finally:
            comm.abort()

    def log_event(self, topic: str, what: object) -> None:
        """Send news, as Dask's worker does for what it runs."""
        self._sending.send({"op": "log-event", "topic": topic, "msg": what})

    async def _register(self, comm: Comm) -> float:
        """Returns the seconds between two signs of life."""
        self._address = comm.local_address
        await comm.write(
            {
                "op": "register-worker", "reply": False, "address": self._address, "status": "running", "nthreads": 1,
                "name": self._name, "now": time.time(), "resources": {}, "memory_limit": None, "local_directory": "",
                "services": {}, "nanny": None, "pid": 0, "versions": get_versions(), "metrics": METRICS, "extra": {},
                "stimulus_id": f"worker-connect-{time.time()}", "server_id": f"Worker-{self._name}",
            },
            serializers=["msgpack"],
        )  # fmt: skip
        answer = await comm.read(deserializers=["msgpack"])
        if answer["status"] != "OK":
            raise OSError(answer["message"])
        return float(answer["heartbeat-interval"])

    async def _beat(self, comm: Comm, beat_s: float) -> None:
        line = await connect(self._scheduler)
        try:
            while True:
                await asyncio.sleep(beat_s)
                executing = {self._playing: 0.1} if self._playing else {}
                await line.write(
                    {
                        "op": "heartbeat_worker", "reply": True, "address": self._address, "now": time.time(),
                        "metrics": METRICS, "executing": executing, "extensions": {},
                    }
                )  # fmt: skip
                answer = await line.read()
                if answer["status"] != "OK":
                    return
                beat_s = answer["heartbeat-interval"]
        finally:
            line.abort()

    async def _listen(self, comm: Comm) -> None:
        while True:
            messages = await comm.read()
            for message in messages if isinstance(messages, list | tuple) else (messages,):
                match message["op"]:
                    case "compute-task":
                        self._due.append(message)
                        self._ready.set()
                    case "free-keys":
                        gone = set(message["keys"])
                        self._due = deque(one for one in self._due if one["key"] not in gone)
                    case "steal-request":
                        self._give_back(message["key"], message["stimulus_id"])
                    case "close" | "close-stream":
                        return

    def _give_back(self, key: str, stimulus: str) -> None:
        """Another worker is to play this one, if it has not begun."""
        waits = [one for one in self._due if one["key"] == key]
        for one in waits:
            self._due.remove(one)
        state = "ready" if waits else "executing" if key == self._playing else None
        self._sending.send({"op": "steal-response", "key": key, "state": state, "stimulus_id": stimulus})

    async def _play(self) -> None:
        while True:
            self._ready.clear()
            while self._due:
                task = self._due.popleft()
                key = self._playing = task["key"]
                began = time.time()
                await asyncio.sleep(random.uniform(0, 2 * self._batch_s))
                token = dask_worker._worker_cvar.set(self)
                try:
                    task["run_spec"]()
                finally:
                    dask_worker._worker_cvar.reset(token)
                self._playing = ""
                self._sending.send(
                    {
                        "op": "task-finished", "key": key, "run_id": task["run_id"], "nbytes": 33, "type": RESULT_TYPE,
                        "typename": "bytes", "metadata": {}, "thread": 1, "status": "OK",
                        "startstops": [{"action": "compute", "start": began, "stop": time.time()}],
                        "stimulus_id": f"task-finished-{began}",
                    }
                )  # fmt: skip
            await self._ready.wait()
