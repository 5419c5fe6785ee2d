"""The process that draws for a server: one request from its standard input, its drawing to its standard output.

Standard input stays open while the server waits. When it ends, the server is gone, even if it was killed, and so is
this process. It must import little: the start is what small draws would wait for.
"""

import os
import pickle
import sys
from threading import Thread

from ugs.championship.due_draws import Request

NICENESS = 10
"""The games that are played meanwhile go first."""


def main() -> None:
    """Draw once."""
    os.nice(NICENESS)
    request: Request = pickle.load(sys.stdin.buffer)
    Thread(target=_end_with_the_server, daemon=True).start()
    sys.stdout.buffer.write(pickle.dumps(request.draw(), pickle.HIGHEST_PROTOCOL))
    sys.stdout.buffer.flush()


def _end_with_the_server() -> None:
    os.read(sys.stdin.fileno(), 1)  # not through a buffer, whose lock would be in the way at the end
    os._exit(1)


if __name__ == "__main__":
    main()
