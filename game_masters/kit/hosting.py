"""The two ways to a seat at a table: set one up, or sit down at one that another player has set up."""

from collections.abc import Sequence

from game_masters.kit.client import Effect, Level, Note
from game_masters.kit.tables import LOOK_AGAIN_S, AtTables
from ugs.wire.extensions import (
    Advertise,
    Failed,
    Join,
    ListTables,
    NewTable,
    Ping,
    Pong,
    RefusalReason,
    Start,
    TableInfo,
    Tables,
)
from ugs.wire.messages import Extension


class Host(AtTables):
    """Sets a table up before each game. The server begins when no seat is free. With ``start_with`` the host begins as
    soon as that many players sit there, the host included, and the game master plays the other seats."""

    def __init__(self, game_type: str, table: NewTable, start_with: int | None = None) -> None:
        super().__init__(game_type)
        self._new_table, self._chosen = table, table.options
        # Seats of computers are not waited for.
        self._players = table.seats - table.computers
        self._enough = self._players if start_with is None else start_with

    def _seeks(self) -> list[Effect]:
        return self._ask(lambda ref: Advertise(self._new_table, ref))

    def _answered(self, message: Extension) -> list[Effect]:
        return self._begins() if isinstance(message, Pong) else super()._answered(message)

    def _looks_round(self) -> list[Effect]:
        if self._awaited is not None or not self._ready:
            return []
        # A full table begins by itself, and the server reports it before it answers this; then there is nothing to
        # start.
        return self._ask(Ping) if self._present == self._players else self._begins()

    def _begins(self) -> list[Effect]:
        return self._ask(Start) if self._ready else []

    def _refused(self, message: Failed) -> list[Effect]:
        if not self._seated:
            return super()._refused(message)
        if message.code not in (RefusalReason.NO_MASTER, RefusalReason.GAME_LIMIT):
            return [Note("the game was not started", {"reason": message.text}, Level.DEBUG)]
        note = self._once("the game cannot begin yet, will try again", message.text)
        # A player has left meanwhile, for instance; the table is looked at again when the next one comes.
        return [note, *self._ask(Ping, LOOK_AGAIN_S)]

    # A master may log in, or another game end: the answer to this ping leads to the next try.
    @property
    def _ready(self) -> bool:
        return self._seated and not self._begun and self._present >= self._enough


class Guest(AtTables):
    """Sits down at the table with this id or name, as soon as there is one. After the game it waits for a table of the
    same name."""

    def __init__(self, game_type: str, wanted: str) -> None:
        super().__init__(game_type)
        self._wanted_id = self._wanted_name = wanted

    def _seeks(self) -> list[Effect]:
        return self._ask(ListTables)

    def _seeks_again(self) -> list[Effect]:
        # After a cut line it keeps to its table; another table of that name may stand there by now.
        return self._sits_down_at(self._table_id) if self._table_id else self._seeks()

    def _answered(self, message: Extension) -> list[Effect]:
        return self._chooses(message.tables) if isinstance(message, Tables) else super()._answered(message)

    def _chooses(self, tables: Sequence[TableInfo]) -> list[Effect]:
        # An id names one table, a name may be that of several: ids go first.
        for wanted in (self._is_meant, self._is_called_so):
            for table in filter(wanted, tables):
                return self._joins(table)
        there = ", ".join(f"{table.name} ({table.id})" for table in tables) or "none"
        note = self._once("no such table yet, will look again", f"{self._wanted_name}; open tables: {there}")
        return [note, *self._ask(ListTables, LOOK_AGAIN_S)]

    def _joins(self, table: TableInfo) -> list[Effect]:
        self._chosen = table.options
        return self._sits_down_at(table.id)

    def _sits_down_at(self, table_id: str) -> list[Effect]:
        self._table_id = table_id
        return self._ask(lambda ref: Join(table_id, ref))

    def _sits_at(self, table: TableInfo) -> list[Effect]:
        self._wanted_name = table.name
        return super()._sits_at(table)

    def _invited(self, table: TableInfo) -> list[Effect]:
        # An invitation counts only while there is no table to go back to.
        wanted = not self._table_id and (self._is_meant(table) or self._is_called_so(table))
        return [*super()._invited(table), *(self._joins(table) if wanted else [])]

    def _is_meant(self, table: TableInfo) -> bool:
        return table.id == self._wanted_id

    def _is_called_so(self, table: TableInfo) -> bool:
        return table.name == self._wanted_name
