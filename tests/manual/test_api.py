"""The pages about the kit."""

import pytest

from tests.manual.api import as_markdown, pages


@pytest.mark.parametrize(
    ("docstring", "page"),
    [
        ("See :class:`~ugs.peer.Peer` and ``x_y``.", "See `Peer` and `x_y`."),
        ("Like::\n\n    a * b <c>", "Like:\n\n    a * b <c>"),
        ("* one <b>\n* two_x", "* one &lt;b>\n* two\\_x"),
    ],
)
def test_docstrings_become_markdown(docstring: str, page: str) -> None:
    assert as_markdown(docstring) == page


def test_what_a_game_implements_is_there_with_its_promises() -> None:
    made = dict(pages())
    rules = made["game_masters.kit.rules.md"]
    assert "## State" in rules
    assert "### legal_moves" in rules
    assert "def legal_moves(self" in rules
    assert "has changed nothing" in " ".join(rules.split())
    assert "[`game_masters.kit.rules`](game_masters.kit.rules.md)" in made["index.md"]
