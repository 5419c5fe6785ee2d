"""The process that answers for the page: reads the journal, computes standings, draws pictures, writes HTML and JSON.

Questions come on standard input, replies leave on standard output, each a pickle after its length; both ends belong to
the same server. The settings and limits come first. When standard input ends, the server is gone, even if it was
killed, and so is this process. It serves one question at a time; what takes longer than a moment (the standings of very
many games) is computed in a thread, and the answer meanwhile reports that. An answer that takes too much processor time
or memory ends the process: the system enforces that, even if the code hangs.
"""

import os
import pickle
import resource
import signal
import sys
import time
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from math import ceil
from typing import IO, Any

from ugs.page.pipe import HEAD, NO_MEMORY, Failure, WorkerLimits
from ugs.page.worker.answers import ANSWERS
from ugs.page.worker.public_journal import PublicJournal

NICENESS = 10
"""The games that are played meanwhile go first."""


def main() -> None:
    """Answer until the server is gone."""
    os.nice(NICENESS)
    # Ctrl-C reaches every process of a terminal; when a worker ends, the server decides.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))  # others' hands are here
    questions, replies = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what any library prints must not get between the replies
    question = _read(questions)
    if question is None:
        return
    settings, limits = question
    confine(limits)
    try:
        _serve(PublicJournal(settings), limits, questions, replies)
    except MemoryError:
        os._exit(NO_MEMORY)  # there may not be enough to report more
    os._exit(0)  # even while its threads run


def _serve(site: PublicJournal, limits: WorkerLimits, questions: IO[bytes], replies: IO[bytes]) -> None:
    while (question := _read(questions)) is not None:
        with limited(limits.cpu_s):
            data = pickle.dumps(answer(site, *question), pickle.HIGHEST_PROTOCOL)
        replies.write(HEAD.pack(len(data)))
        replies.write(data)
        replies.flush()


def confine(limits: WorkerLimits) -> None:
    """From now on the process has no more memory of its own than that, what it has already included."""
    if limits.memory_bytes:
        _, most = resource.getrlimit(resource.RLIMIT_DATA)
        wanted = limits.memory_bytes if most == resource.RLIM_INFINITY else min(limits.memory_bytes, most)
        resource.setrlimit(resource.RLIMIT_DATA, (wanted, most))


@contextmanager
def limited(seconds: int) -> Iterator[None]:
    """As long as this lasts, the process may use that much more processor time, its threads included; then it is ended
    by SIGXCPU. How long that takes on the clock does not matter: others may need the processors."""
    usual, most = resource.getrlimit(resource.RLIMIT_CPU)
    # The system counts from the begin of the process, in whole seconds.
    limit = ceil(time.process_time()) + seconds
    resource.setrlimit(resource.RLIMIT_CPU, (limit if most == resource.RLIM_INFINITY else min(limit, most), most))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_CPU, (usual, most))


def answer(site: PublicJournal, name: str, asked: dict[str, Any], facts: dict[str, Any]) -> Any:
    """The reply to one question. A bug costs this question only. Raises MemoryError."""
    try:
        return ANSWERS[name](site, asked, facts)
    except MemoryError:
        raise  # main ends the process: what is left may be too little for anything
    except Exception:
        return Failure(traceback.format_exc())


def _read(stream: IO[bytes]) -> Any:
    """The next thing that was sent; None when nothing more comes."""
    head = stream.read(HEAD.size)
    if len(head) < HEAD.size:
        return None
    (length,) = HEAD.unpack(head)
    data = stream.read(length)
    return pickle.loads(data) if len(data) == length else None


if __name__ == "__main__":
    main()
