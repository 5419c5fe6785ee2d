"""Whether a server lives and is ready for peers, as load balancers and supervisors ask."""

import os
from collections.abc import Callable

from ugs.broker.state.server_state import ServerState
from ugs.daemon.journal.recorder import Recorder
from ugs.daemon.status.cluster_status import ALONE, ClusterStatus

MIN_FREE_BYTES = 16_777_216
"""Bytes that the disk of the journal has free, at least: a few seconds of play, and all that SQLite needs to go on."""
MAX_LAG_S = 10.0
"""Seconds that something recorded waits for the disk, at most."""


def free_bytes(directory: str) -> int:
    """What the server may still write into a directory. Raises OSError when it is gone."""
    disk = os.statvfs(directory)
    # Not f_bfree, which counts what is kept for root.
    return disk.f_bavail * disk.f_frsize


class Health:
    """Knows the reasons why a server is not ready. ``data_dir`` is empty where nothing is kept."""

    def __init__(
        self,
        server: ServerState,
        recorder: Recorder,
        data_dir: str,
        free: Callable[[str], int] = free_bytes,
        cluster: ClusterStatus = ALONE,
    ) -> None:
        self.listening = False
        """Whether peers can connect; set by the code that opens the doors."""
        self.code_replaced = False
        """Whether the page's workers fail, since the code on disk is another one than the server's."""
        self._server = server
        self._recorder = recorder
        self._data_dir = data_dir
        self._free = free
        self.cluster = cluster
        """What is known of other nodes."""

    def obstacles(self) -> list[str]:
        """Why it is not ready: a list of words for programs; empty when it is."""
        found = {
            "not listening": not self.listening,
            "draining": self._server.condition.draining,
            "journal lost": bool(self._server.condition.journal_lost),
            "journal behind": self._recorder.behind() or self._recorder.lag_s > MAX_LAG_S,
            "code replaced": self.code_replaced,
            "disk full": self.free_disk_bytes() < MIN_FREE_BYTES if self._data_dir else False,
        }
        reasons = [reason for reason, true in found.items() if true]
        obstacle = self.cluster.obstacle()
        return [*reasons, obstacle] if obstacle else reasons

    def find_code_replaced(self) -> None:
        """The page has met other code on disk than the server's."""
        self.code_replaced = True

    def free_disk_bytes(self) -> int:
        """What is free on the disk of the journal; 0 where that is gone, or nothing is kept."""
        try:
            return self._free(self._data_dir) if self._data_dir else 0
        except OSError:
            return 0
