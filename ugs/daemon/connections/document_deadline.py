"""Documents that do not end: a peer that begins one has to finish it within ``document_timeout_s``."""

from collections.abc import Callable

import trio

from ugs.daemon.connections.connection import Connection
from ugs.daemon.processes.supervision import Tasks


class Unfinished:
    """The connections that have sent the beginning of a document and not its end.

    ``expired`` is called with each whose document is unfinished for ``seconds``. A task of ``tasks`` looks for these,
    as long as there are any.
    """

    def __init__(self, seconds: float, tasks: Tasks, expired: Callable[[Connection], None]) -> None:
        self._seconds = seconds
        self._tasks = tasks
        self._expired = expired
        self._since: dict[Connection, float] = {}
        """When the beginning came, the earliest first."""
        self._looking = False

    def begun(self, connection: Connection, now: float) -> None:
        """The beginning of a document has come, or more of one that is known."""
        # More of a document does not move its deadline: one byte a second would keep it open for ever.
        if connection not in self._since:
            self._since[connection] = now
            if not self._looking:
                self._looking = True
                self._tasks.start_soon(self._look)

    def over(self, connection: Connection) -> None:
        """The document of this connection, if there is one, is whole, or nothing more comes."""
        self._since.pop(connection, None)

    async def _look(self) -> None:
        try:
            while self._since:
                await trio.sleep_until(next(iter(self._since.values())) + self._seconds)
                now = trio.current_time()
                for connection, since in list(self._since.items()):
                    if since + self._seconds > now:
                        break
                    del self._since[connection]
                    self._expired(connection)
        finally:  # should it fail, the next document that begins lets it look again
            self._looking = False
