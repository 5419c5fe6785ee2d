"""Both ends of a hand-over, for tests that speak for the broker's thread and for the writer's."""

from collections.abc import Iterable

from ugs.journal.batch_taker import BatchTaker
from ugs.journal.continuing_games import UnfinishedGame
from ugs.journal.step_collector import StepCollector
from ugs.journal.thread_handover import Handover
from ugs.journal.write_ahead import WriteAhead


class Ends:
    """What the collector hands over, the taker takes."""

    def __init__(
        self,
        next_game: int = 1,
        next_login: int = 1,
        unfinished: Iterable[UnfinishedGame] = (),
        write_ahead: WriteAhead | None = None,
    ) -> None:
        self.handover = Handover(write_ahead)
        self.collector = StepCollector(self.handover, next_game, next_login, 1, unfinished)
        self.taker = BatchTaker(self.handover)
