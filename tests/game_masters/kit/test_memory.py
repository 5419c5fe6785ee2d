"""What a bot remembers, as lines of text."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from game_masters.kit.memory import NOTHING, Memory, Whose, head, read, step
from ugs.wire.messages import GameState, Move

WHOSE = Whose("127.0.0.1:4747", "ann", "chess")
STATE = GameState("g1", "ann", None, b"<gameState>\xff</gameState>")
MEMORY = Memory("token", game_id="g1", received=(STATE, Move("g1", b"<move/>")))

STEPS = st.one_of(
    st.builds(GameState, st.just("g1"), st.text(), st.none(), st.binary()),
    st.builds(Move, st.just("g1"), st.binary()),
)


@given(st.builds(Memory, st.text(), st.booleans(), st.just("g1"), st.lists(STEPS).map(tuple)))
def test_what_is_written_is_read(memory: Memory) -> None:
    assert read(head(WHOSE, memory), WHOSE) == memory


def test_lines_that_are_added_are_read() -> None:
    text = head(WHOSE, Memory("token", game_id="g1")) + "".join(map(step, MEMORY.received))
    assert read(text, WHOSE) == MEMORY


def test_a_last_line_that_was_cut_is_passed_over() -> None:
    text = head(WHOSE, MEMORY)
    assert read(text[:-5], WHOSE) == Memory("token", game_id="g1", received=(STATE,))


def test_the_last_game_counts() -> None:
    text = head(WHOSE, MEMORY) + head(WHOSE, Memory("x", game_id="g2")).splitlines()[1] + "\n"
    assert read(text, WHOSE) == Memory("token", game_id="g2")


@pytest.mark.parametrize(
    "whose",
    [Whose("127.0.0.1:1", "ann", "chess"), Whose(WHOSE.server, "bob", "chess"), Whose(WHOSE.server, "ann", "go")],
)
def test_what_another_bot_has_written_is_not_read(whose: Whose) -> None:
    assert read(head(WHOSE, MEMORY), whose) == NOTHING


@pytest.mark.parametrize("text", ["", "\n", "nonsense", "[]", "5", "[" * 100_000, '{"server": 1}'])
def test_anything_else_is_nothing(text: str) -> None:
    assert read(text, WHOSE) == NOTHING


@pytest.mark.parametrize("line", ['{"state": 5}', '{"state": "x"}', '{"move": []}', '{"game": 7}', "{}"])
def test_lines_of_later_versions_are_passed_over(line: str) -> None:
    assert read(head(WHOSE, MEMORY) + line + "\n", WHOSE) == MEMORY


def test_a_token_that_is_none_is_nothing() -> None:
    text = json.dumps({"server": WHOSE.server, "nick": "ann", "game_type": "chess", "token": None})
    assert read(text, WHOSE) == NOTHING


def test_a_bot_that_has_logged_out_does_not_come_back() -> None:
    assert Memory("token").resumes
    assert not Memory("token", over=True).resumes
    assert not NOTHING.resumes
