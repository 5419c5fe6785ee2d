"""Silence: players and tables that do nothing for long are warned, and later given up."""

from ugs.broker.desk import Desk
from ugs.broker.extensions.refusal import Refusal
from ugs.broker.extensions.tables import Tables
from ugs.broker.link import Link
from ugs.broker.rules import Rules
from ugs.wire.extensions import Ping


class Silence:
    """Looks now and then for who is idle or inactive."""

    def __init__(self, desk: Desk, rules: Rules, tables: Tables) -> None:
        self._desk = desk
        self._rules = rules
        self._tables = tables

    def ping(self, link: Link, message: Ping) -> Refusal | None:
        raise NotImplementedError

    def look(self, _subject: str) -> None:
        raise NotImplementedError
