"""Values are frozen structs that the library of dataclasses takes for dataclasses, states are others that change."""

from dataclasses import asdict, field, fields, is_dataclass, replace
from typing import ClassVar, Generic, TypeVar

import pytest

from ugs.value import state, value

T = TypeVar("T")


@value
class Move:
    """With all that a value may have."""

    KIND: ClassVar[str] = "move"
    seat: int
    cells: tuple[int, ...] = ()
    notes: dict[str, int] = field(default_factory=dict)

    @property
    def is_first(self) -> bool:
        return self.seat == 0


@value
class Pass(Move):
    """A value that follows another."""

    why: str = ""


@value
class Pair(Generic[T]):
    """A value of any type."""

    one: T
    other: T


@value
class Login:
    """A value with a secret."""

    nick: str
    secret: str = field(repr=False)
    address: str = field(default="", compare=False)


def test_values_are_compared_by_content_and_class() -> None:
    assert Move(1, (2,)) == Move(1, (2,)) != Move(1, (3,))
    assert Move(0) != Pass(0)
    assert hash(Pair(1, "a")) == hash(Pair(1, "a"))
    assert Login("ann", "x", "here") == Login("ann", "x", "there") != Login("ann", "y", "here")


def test_a_value_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        Move(0).seat = 1  # type: ignore[misc]


def test_each_value_has_a_default_of_its_own() -> None:
    Move(0).notes["seen"] = 1
    assert Move(0).notes == {}


def test_the_tools_of_dataclasses_work() -> None:
    some: type = Move
    assert is_dataclass(some)
    for _ in range(2):  # the first one makes what the second one finds
        assert [(one.name, one.type) for one in fields(Move)][:1] == [("seat", int)]
    assert [one.name for one in fields(Move)] == ["seat", "cells", "notes"]
    assert replace(Move(0, (1,)), seat=2) == Move(2, (1,))
    assert asdict(Move(3, (1,), {"a": 2})) == {"seat": 3, "cells": (1,), "notes": {"a": 2}}
    assert asdict(Pass(3, why="tired")) == {"seat": 3, "cells": (), "notes": {}, "why": "tired"}
    assert replace(Pass(0), why="lost") == Pass(0, why="lost")


def test_it_is_told_apart_by_its_name_and_its_doc() -> None:
    assert (Move.__name__, Move.__module__, Move.__doc__) == ("Move", __name__, "With all that a value may have.")
    assert (Move.KIND, Move(0).is_first) == ("move", True)
    assert repr(Pass(1, why="tired")) == "Pass(seat=1, cells=(), notes={}, why='tired')"


def test_a_secret_is_not_printed() -> None:
    assert repr(Login("ann", "xyzzy")) == "Login(nick='ann', address='')"


def test_a_field_of_a_value_that_follows_another_is_refused() -> None:
    with pytest.raises(TypeError, match="Late: a value that follows another one has no field"):

        @value
        class Late(Move):
            more: list[int] = field(default_factory=list)


@state(eq=True)
class Tally:
    """What changes, compared by content."""

    games: int = 0
    seats: list[int] = field(default_factory=list)


@state(eq=False)
class Chair(Generic[T]):
    """What changes and stays itself."""

    sitter: T


def test_a_state_changes_and_has_only_its_own_attributes() -> None:
    tally = Tally()
    tally.games += 1
    tally.seats.append(2)
    assert (tally, Tally()) == (Tally(1, [2]), Tally(0, []))
    with pytest.raises(AttributeError):
        tally.game = 1  # type: ignore[attr-defined]


def test_states_are_compared_by_content_or_by_identity() -> None:
    assert Tally(1) == Tally(1) != Tally(2)
    with pytest.raises(TypeError, match="unhashable"):
        hash(Tally())
    chair = Chair("ann")
    assert chair != Chair("ann")
    assert {chair: 1}[chair] == 1


def test_the_tools_of_dataclasses_work_with_states() -> None:
    assert asdict(Tally(1)) == {"games": 1, "seats": []}
    assert replace(Tally(1), games=2) == Tally(2)


def test_a_field_of_a_state_is_at_most_a_default() -> None:
    with pytest.raises(TypeError, match="Hidden: a field of a state is at most a default"):

        @state(eq=True)
        class Hidden:
            secret: str = field(repr=False)
