"""The process that answers for the page: reads the journal, computes standings, draws pictures, writes HTML and JSON.

Questions come on standard input, replies leave on standard output, each a pickle after its length; both ends are of the
same server. The first thing that comes are the settings. When standard input ends, the server is gone, even if it was
killed, and so is this process. It serves one question at a time; what takes longer than a moment (the standings of very
many games) is computed in a thread, and the answer meanwhile says so. An answer that takes too much processor time is
the end of the process, whatever holds it: the system sees to that.
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

from ugs.log import configure_logging
from ugs.page.answers import ANSWERS
from ugs.page.contract import SiteSettings
from ugs.page.pipe import HEAD, MOST_CPU_S, Failure
from ugs.page.site import Site

NICENESS = 10
"""The games that are played meanwhile go first."""


def main() -> None:
    """Answer until the server is gone."""
    os.nice(NICENESS)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))  # others' hands are here
    questions, replies = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what any library prints must not get between the replies
    settings: SiteSettings | None = _read(questions)
    if settings is None:
        return
    configure_logging(joined=True)  # strangers ask: what fails for one of them can fail as often as they like
    site = Site(settings)
    while (question := _read(questions)) is not None:
        with limited():
            data = pickle.dumps(answer(site, *question), pickle.HIGHEST_PROTOCOL)
        replies.write(HEAD.pack(len(data)) + data)
        replies.flush()
    os._exit(0)  # whatever its threads do


@contextmanager
def limited(seconds: int = MOST_CPU_S) -> Iterator[None]:
    """As long as this lasts, the process may use so much more processor time, its threads included; then it is ended
    by SIGXCPU. How long that takes on the clock does not matter: others may need the processors."""
    usual, most = resource.getrlimit(resource.RLIMIT_CPU)
    limit = ceil(time.process_time()) + seconds
    resource.setrlimit(resource.RLIMIT_CPU, (limit if most == resource.RLIM_INFINITY else min(limit, most), most))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_CPU, (usual, most))


def answer(site: Site, name: str, asked: dict[str, Any], facts: dict[str, Any]) -> Any:
    """The reply to one question. A bug costs this question only."""
    try:
        return ANSWERS[name](site, asked, facts)
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
