"""How far the standings of a game type are known to its players."""

from ugs.value import state


@state(eq=False)
class StandingsNews:
    """How far the standings of a game type are known to its players."""

    timer_runs: bool = False
    """Whether a timer runs that will send changed standings."""
    all_sent: int = -1
    """The version of the standings that all reachable idle players have got."""

    def timer_begins(self) -> None:
        """A timer runs from now on."""
        self.timer_runs = True

    def timer_ends(self) -> None:
        """No timer runs any more."""
        self.timer_runs = False

    def sent(self, version: int) -> None:
        """All idle players know this version."""
        self.all_sent = version

    def is_behind(self) -> None:
        """An idle player knows none, or a part."""
        self.all_sent = -1
