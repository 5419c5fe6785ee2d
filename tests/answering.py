"""A server as its admin socket shows it: a thread that answers as a test says, and keeps what it was asked."""

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import trio

from ugs.admin import SOCKET_NAME
from ugs.broker.values.questions import Question
from ugs.daemon.admin import serve_admin

BOUND_S = 120.0


class Answering:
    """Stands in for a driver: gives one answer to every question."""

    def __init__(self, answer: Mapping[str, object]) -> None:
        self._answer = answer
        self.asked: list[Question] = []
        self.read_again = 0
        """How often it was to read again what may have changed."""

    def ask(self, question: Question) -> Mapping[str, object]:
        """The answer, always the same."""
        self.asked.append(question)
        return self._answer

    def reads(self) -> str:
        """Nothing is wrong with what there is to read."""
        self.read_again += 1
        return ""

    def answer(self) -> Mapping[str, object]:
        """The same answer."""
        return self._answer

    def round_trip_us(self, conn: int) -> int:
        """A hundred microseconds times the number of the connection."""
        return 100 * conn


@contextmanager
def answering(data_dir: Path, answer: Mapping[str, object]) -> Iterator[Answering]:
    """While the block runs, somebody answers at the admin socket of this data directory."""
    driver = Answering(answer)
    ready = threading.Event()
    ends: list[tuple[trio.lowlevel.TrioToken, trio.CancelScope]] = []

    async def serve() -> None:
        async with trio.open_nursery() as nursery:
            await nursery.start(serve_admin, data_dir / SOCKET_NAME, driver, driver, driver.reads)
            ends.append((trio.lowlevel.current_trio_token(), nursery.cancel_scope))
            ready.set()

    thread = threading.Thread(target=trio.run, args=(serve,))
    thread.start()
    assert ready.wait(BOUND_S)
    try:
        yield driver
    finally:
        token, scope = ends[0]
        trio.from_thread.run_sync(scope.cancel, trio_token=token)
        thread.join(BOUND_S)
