"""The process that answers for the page: reads the journal, computes standings, draws pictures, writes HTML and JSON.

Questions come on standard input, replies leave on standard output, each a pickle after its length; both ends are of the
same server. The first thing that comes are the settings. When standard input ends, the server is gone, even if it was
killed, and so is this process. It serves one question at a time; what takes longer than a moment (the standings of very
many games) is computed in a thread, and the answer meanwhile says so.
"""

import os
import pickle
import signal
import sys
import traceback
from typing import IO, Any

from ugs.page.answers import ANSWERS
from ugs.page.contract import SiteSettings
from ugs.page.pipe import HEAD, Failure
from ugs.page.site import Site

NICENESS = 10
"""The games that are played meanwhile go first."""


def main() -> None:
    """Answer until the server is gone."""
    os.nice(NICENESS)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    questions, replies = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what any library prints must not get between the replies
    settings: SiteSettings | None = _read(questions)
    if settings is None:
        return
    site = Site(settings)
    while (question := _read(questions)) is not None:
        data = pickle.dumps(answer(site, *question), pickle.HIGHEST_PROTOCOL)
        replies.write(HEAD.pack(len(data)) + data)
        replies.flush()
    os._exit(0)  # whatever its threads do


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
