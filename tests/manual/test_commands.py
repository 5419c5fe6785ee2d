"""The pages about commands."""

from tests.manual.commands import every_command, pages
from ugs.commands.app import COMMANDS


def test_every_command_has_a_page_with_its_options() -> None:
    made = dict(pages())
    assert {f"{name}.md" for name, _ in COMMANDS} | {"master.md", "bot.md"} <= set(made)
    assert "| `--http-port NUMBER` | Port of the web page; 0: a free one. [default: 8080] |" in made["serve.md"]
    assert "| `--log-level debug|info".replace("|info", "\\|info") in made["serve.md"]
    assert "## ugs record export" in made["record.md"]
    assert "    ugs demo --bots 8" in made["demo.md"]


def test_nothing_is_without_an_explanation() -> None:
    left = [every_command()]
    while left:
        one = left.pop()
        left += one.below
        assert one.text, one.words
        assert all(text for _, text in one.options), one.words
