"""Inserts into several SQL tables that are executed as one statement: an insert into a temporary view, whose trigger
carries all of them out.

Each statement releases the interpreter's lock and takes it again. While the broker's thread works, that takes up to
the interpreter's switch interval (5 ms), so the number of statements is what a small transaction costs.
"""

from collections.abc import Iterator, Sequence
from itertools import count
from typing import Any, Final

from ugs.value import value

MAX_WAITING: Final = 1 << 20
"""When more bytes and characters than this wait, they are inserted at once."""
MAX_VIEWS: Final = 100
"""At most this many combinations of inserts get a view of their own; others are executed one by one."""


@value
class WaitingInsert:
    """An insert that waits: its text, where ``{0}``, ``{1}`` … stand for the values."""

    statement: str
    values: Sequence[str | bytes]


class JoinedInserts:
    """The inserts that wait on one connection, and the views that it has. The same inserts in the same order share a
    view. A view that was made in a transaction is kept when the transaction is committed."""

    def __init__(self) -> None:
        self.waiting: list[WaitingInsert] = []
        """What :meth:`take` returns next, in the order in which it was added."""
        self._size = 0
        self._views: dict[tuple[str, ...], str] = {}
        self._made: dict[tuple[str, ...], str] = {}
        """The views made in this transaction."""
        self._numbers = count()
        """A view from before a savepoint is still there when the transaction goes back to it."""

    @property
    def much(self) -> bool:
        """Whether enough waits that it should not wait for more."""
        return self._size > MAX_WAITING

    @property
    def is_one(self) -> bool:
        """Whether one statement carries out all that waits."""
        return len(self.waiting) == 1 or tuple(one.statement for one in self.waiting) in self._views

    def add(self, statement: str, values: Sequence[str | bytes]) -> None:
        """An insert waits."""
        self.waiting.append(WaitingInsert(statement, values))
        self._size += sum(map(len, values))

    def take(self) -> Iterator[tuple[str, Sequence[Any]]]:
        """Yield the statements, each with its values, that carry out all that waits; then nothing waits any more."""
        taken, self.waiting, self._size = self.waiting, [], 0
        shape = tuple(one.statement for one in taken)
        view = self._views.get(shape) or self._made.get(shape)
        if len(taken) == 1 or (view is None and len(self._views) >= MAX_VIEWS):
            for one in taken:
                yield one.statement.format(*_marks(len(one.values))), one.values
            return
        if view is None:
            view = f"joined_{next(self._numbers)}"
            for statement in _definition(view, taken):
                yield statement, ()
            self._made[shape] = view
        values = [each for one in taken for each in one.values]
        yield f"INSERT INTO temp.{view} VALUES ({', '.join(_marks(len(values)))})", values

    def committed(self) -> None:
        """The transaction is committed."""
        self._views |= self._made
        self._made.clear()

    def rolled_back(self) -> None:
        """The transaction is rolled back, or a part of it: what waits is dropped, and the views made in it are gone."""
        self._made.clear()
        self.waiting, self._size = [], 0


def _marks(count: int) -> list[str]:
    return [f"?{place}" for place in range(1, count + 1)]


def _definition(view: str, inserts: Sequence[WaitingInsert]) -> Iterator[str]:
    """Yield the statements that make a view with a column per value, and its trigger."""
    columns: list[str] = []
    statements: list[str] = []
    for one in inserts:
        own = [f"v{len(columns) + place}" for place in range(len(one.values))]
        columns += own
        statements.append(one.statement.format(*(f"NEW.{column}" for column in own)))
    yield f"CREATE TEMP VIEW {view} AS SELECT {', '.join(f'NULL AS {column}' for column in columns)}"
    yield f"CREATE TEMP TRIGGER {view}_inserted INSTEAD OF INSERT ON {view} BEGIN {'; '.join(statements)}; END"
