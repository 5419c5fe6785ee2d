"""Questions to the broker, and orders for it: they are events like all others, and their answer is an effect."""

from collections.abc import Mapping

from ugs.broker.effects import Answer
from ugs.broker.events import Asked
from ugs.broker.values.questions import Question
from ugs.broker.values.replies import as_json
from ugs.daemon.connections.connection import Connection
from ugs.daemon.driver import Driver


class Questions:
    """Asks the broker. ``connections`` are those there are, by number."""

    def __init__(self, driver: Driver, connections: Mapping[int, Connection]) -> None:
        self._driver = driver
        self._connections = connections
        self._answers: dict[int, Mapping[str, object]] = {}
        """By ticket, while a question is being asked."""

    def ask(self, question: Question) -> Mapping[str, object]:
        """Ask the broker, or order it; its answer, ready to be JSON."""
        # More than 1 only where answering asks another question.
        ticket = len(self._answers) + 1
        # Stays where the broker was halted, which answers nothing.
        self._answers[ticket] = {"ok": False, "error": "the server is stopping"}
        self._driver.happens(Asked(ticket, question))
        return self._answers.pop(ticket)

    def round_trip_us(self, conn: int) -> int:
        """Microseconds that the network takes to this peer and back; 0 when that is not known."""
        connection = self._connections.get(conn)
        return 0 if connection is None else connection.round_trip_us()

    def answer(self, effect: Answer, _now: float) -> None:
        """Perform: the answer to a question."""
        self._answers[effect.ticket] = as_json(effect.reply)
