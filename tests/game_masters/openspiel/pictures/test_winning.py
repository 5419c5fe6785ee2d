"""What has won on a board is found."""

from game_masters.openspiel.pictures.layouts import FieldAt
from game_masters.openspiel.pictures.winning import chain, in_rows


def fields(board: str, letter: str = "x") -> set[FieldAt]:
    return {
        FieldAt(row, column)
        for row, line in enumerate(board.split())
        for column, one in enumerate(line)
        if one == letter
    }


def test_a_row_lies_in_any_direction_and_may_be_longer() -> None:
    assert in_rows(fields("x.. .x. ..x"), 3) == fields("x.. .x. ..x")
    assert in_rows(fields("..x .x. x.. x.."), 3) == fields("..x .x. x.. ...")
    assert in_rows(fields("xxxx x... x..."), 3) == fields("xxxx x... x...")
    assert in_rows(fields("xx.x ...x"), 3) == frozenset()


def test_a_chain_is_as_short_as_can_be_and_goes_from_edge_to_edge() -> None:
    board = ".x. xx. x.."
    assert chain(fields(board), 2, across=False) == fields(".x. .x. x..")
    assert chain(fields(board), 2, across=True) == frozenset()
    assert chain(fields("... xxx .x."), 2, across=True) == fields("... xxx ...")


def test_fields_that_only_look_beside_each_other_join_nothing() -> None:
    """Where rows lie half a field to the right, a field does not touch the one to the lower right."""
    assert chain(fields("x. .x"), 1, across=False) == frozenset()
