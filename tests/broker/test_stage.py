"""The stage itself: a script that is not what the server says is not equal to what is played."""

from pathlib import Path

import pytest

from tests.broker.stage import dialogues, played, transcripts, written

SCRIPT = """
    * m leads 2 to 2
    * ann comes with v4
    - ben comes with v4
        m: beginGame g1: ann, ben
    - m: turn g1 ann
        ann, ben: gameState g1: ann to move
"""


def test_a_true_script_is_played_as_it_is_written() -> None:
    assert played(SCRIPT) == written(SCRIPT)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("ann, ben: gameState", "ben, ann: gameState"),
        ("ann, ben: gameState g1: ann to move", ""),
        ("m: beginGame g1: ann, ben", "m: beginGame g1: ann, ben\nann: closed"),
    ],
    ids=["another order of peers", "a line too few", "a line too many"],
)
def test_another_script_is_not(old: str, new: str) -> None:
    assert old in SCRIPT
    wrong = SCRIPT.replace(old, new)
    assert played(wrong) == played(SCRIPT) != written(wrong)


def test_settings_hold_for_the_server_and_its_next_lives() -> None:
    script = """
        * login_attempts = 1
        - the server is killed and starts again
        * eve connects
        - eve: enter ""
            eve: loginResponse WRONG_NICK
            eve: closed
    """
    assert played(script) == written(script)


@pytest.mark.parametrize("line", ["- ann dances", "- it rains cats and dogs"])
def test_a_line_that_says_nothing_that_can_happen_is_an_error(line: str) -> None:
    with pytest.raises(AssertionError, match="nothing that can happen"):
        played(line)


def test_a_file_has_titles_scripts_and_comments(tmp_path: Path) -> None:
    path = tmp_path / "some.txt"
    path.write_text("# What it is about.\n\n== one\n\n# why\n- a\n\n== two\n\n- b\n    c\n", encoding="utf-8")
    assert [(title, written(script)) for title, script in dialogues(path)] == [("one", "- a"), ("two", "- b\n    c")]
    assert list(transcripts(tmp_path)) == ["some: one", "some: two"]


def test_a_title_occurs_once_in_a_file(tmp_path: Path) -> None:
    (tmp_path / "some.txt").write_text("\n== one\n\n- a\n\n== one\n\n- b\n", encoding="utf-8")
    with pytest.raises(AssertionError, match="same title"):
        transcripts(tmp_path)
