"""Values from outside, checked against a class that declares them."""

import pickle
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Annotated, Any, Literal

import pytest

from ugs.declared import MAX_MISTAKES, Declared, Mistake, WrongValues, declared


def even(number: int) -> int:
    """Refuses odd numbers."""
    if number % 2:
        raise ValueError("an odd number")
    return number


class Leaf(Declared):
    """A table in a table."""

    word: Literal["a", "b", "c"] = "a"
    pair: int = declared(0, check=even)


class Tree(Declared):
    """A table of everything."""

    name: str = declared(min_length=1, description="what it is called")
    size: Annotated[int, declared(ge=2, le=9)] = declared(3, gt=3)
    share: float = 0.5
    live: bool = False
    since: datetime | None = None
    leaf: Leaf = Leaf()
    leaves: tuple[Leaf, ...] = declared((), max_length=2)
    by_name: Mapping[Annotated[str, declared(max_length=3)], int] = {}

    def _goes_together(self) -> None:
        if self.live and self.size == 9:
            raise ValueError("live and size 9 exclude each other")


class Loose(Declared):
    """Numbers may be texts."""

    strict = False
    size: int = 1


def mistakes(kind: type[Declared], values: Any) -> list[str]:
    """The lines about values that are refused."""
    with pytest.raises(WrongValues) as refused:
        kind.read(values)
    return refused.value.lines("here")


def test_values_are_read_and_written() -> None:
    moment = datetime(2030, 5, 1, tzinfo=UTC)
    values = {"name": "oak", "size": 4, "leaves": [{"word": "b"}], "by_name": {"one": 1}, "since": moment}
    tree = Tree.read(values)
    assert (tree.name, tree.size, tree.share, tree.leaves, tree.leaf) == ("oak", 4, 0.5, (Leaf(word="b"),), Leaf())
    assert tree.given == {*values}
    assert tree.plain()["leaves"] == [{"word": "b", "pair": 0}]
    assert Tree.read({**tree.plain(), "since": moment}) == tree
    assert pickle.loads(pickle.dumps(tree)) == tree
    assert Loose.read({"size": "7"}).size == 7


@pytest.mark.parametrize(
    ("values", "line"),
    [
        ({}, "here: name is missing"),
        ({"name": ""}, "here: name = '': allowed: a text, at least 1 character"),
        ({"name": 5}, "here: name = 5: allowed: a text, at least 1 character"),
        ({"size": 3}, "here: size = 3: allowed: a whole number, above 3, at most 9"),
        ({"size": True}, "here: size = True: allowed: a whole number, above 3, at most 9"),
        ({"size": 1 << 10**5}, "here: size = a number of 100001 bits: allowed: a whole number, above 3, at most 9"),
        ({"share": "much"}, "here: share = 'much': allowed: a number"),
        ({"live": 1}, "here: live = 1: allowed: true or false"),
        ({"since": 7}, "here: since = 7: allowed: a time"),
        ({"leaf": 5}, "here: leaf = 5: a table is expected"),
        ({"leaf": {"word": "d"}}, "here: leaf.word = 'd': allowed: 'a', 'b' or 'c'"),
        ({"leaf": {"\x1b[31m\n": 1}}, "here: unknown key leaf.\\u{1b}[31m\\n; allowed: pair, word"),
        ({"leaf": {"wort": "d"}}, "here: unknown key leaf.wort (did you mean 'word'?); allowed: pair, word"),
        ({"leaves": [{}, {"pair": 1}]}, "here: leaves.1.pair = 1: an odd number"),
        ({"leaves": [{}, {}, {}]}, "here: leaves = [{}, {}, {}]: allowed: a list, at most 2 entries"),
        ({"leaves": "ab"}, "here: leaves = 'ab': allowed: a list, at most 2 entries"),
        ({"by_name": {"long": 1}}, "here: by_name.long = 'long': allowed: a text, at most 3 characters"),
        ({"by_name": {"one": "1"}}, "here: by_name.one = '1': allowed: a whole number"),
        ({"by_name": []}, "here: by_name = []: allowed: a table"),
        ({"live": True, "size": 9}, "here: live and size 9 exclude each other"),
    ],
)
def test_a_mistake_is_named_with_its_place_and_what_is_allowed(values: dict[str, Any], line: str) -> None:
    whole = values if values == {} else {"name": "oak", **values}
    assert mistakes(Tree, whole) == [line]


def test_all_mistakes_are_named_at_once_and_no_more_than_people_read() -> None:
    assert len(mistakes(Tree, {"size": 0, "live": 7, "colour": 1})) == 4
    assert len(mistakes(Tree, {f"key{number}": 1 for number in range(99)})) == MAX_MISTAKES


def test_only_a_table_is_read() -> None:
    assert mistakes(Leaf, [1]) == ["here: [1]: a table is expected"]


def test_a_table_of_a_source_is_named_and_its_other_keys() -> None:
    error = WrongValues([Mistake(("x",), 1, "", "unknown", ("a",))])
    assert error.lines("here", ("gateways", "toy")) == ["here: unknown key gateways.toy.x; allowed: a"]
    assert error.lines("here", more=("wire",)) == ["here: unknown key x; allowed: a, wire"]


def test_an_instance_does_not_change_but_has_copies() -> None:
    tree = Tree(name="oak")
    with pytest.raises(AttributeError, match=r"Tree\.name cannot be changed"):
        tree.name = "elm"
    assert (tree.but(name="elm").name, tree.name) == ("elm", "oak")
    assert tree.but(share=1.0).given == {"name", "share"}
    assert tree != Leaf()
    assert Tree.unchecked(name="oak") == tree
    assert repr(Leaf()) == "Leaf(word='a', pair=0)"
    with pytest.raises(TypeError, match="unhashable"):
        hash(tree)


def test_a_default_is_a_value_of_its_type_and_shown_as_it_is_written() -> None:
    class Table(Declared):
        seconds: float = declared(30)

    assert repr(Table().seconds) == repr(Table.unchecked().seconds) == repr(Table(seconds=30).seconds) == "30.0"
    assert repr(Table.fields()["seconds"].default) == "30"
