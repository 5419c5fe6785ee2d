"""How much each peer may send, and which documents took too long: one of each for a server."""

from collections.abc import Callable

from ugs.config import Config
from ugs.daemon.fairness.rates import Rates
from ugs.daemon.fairness.watchdog import Watchdog


class Fairness:
    """``name_of`` gives the name that a connection has logged in with."""

    def __init__(self, config: Config, name_of: Callable[[int], str]) -> None:
        self.watchdog = Watchdog(name_of)
        self.rates = Rates(config)
