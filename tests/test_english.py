"""Words that readers stumble over stay rare in texts, comments and names: twice as many as in model code at most."""

import re
from collections.abc import Iterator

import pytest

from tests.sources import SOURCES, TOP

PREPOSITIONS = (
    "in on at by for from with of to under over behind beside through after before about into without within during "
    "until"
)
TOLD = ("tell", "tells", "telling", "told", "hear", "hears", "heard", "hearing", "said")
IN_CODE = "send, receive, show, report, in code"
"""A page may say what a setting says; code has its own words for that."""
GROUPS = {
    "that many": (("so many", "so much"), 4),
    "again, also, as before": (("anew", "likewise", "as ever"), 4),
    "no player, a peer, all players": (("nobody", "somebody", "everybody", "anybody"), 4),
    "send, receive, show, report": (TOLD, 76),
    IN_CODE: ((*TOLD, "say", "says"), 76),
    "where, whose, or two sentences": (tuple(f"{one} which" for one in PREPOSITIONS.split()), 70),
    "any, the peer that": (("whoever", "whatever", "whomever", "whosever"), 78),
}
"""By what to write instead: the words, and how often they may stand in 100,000 lines. Those of the wire (``x-say``), of
the journal and of the command line are among them."""
WORD = re.compile(r"[a-z]+|\n")


TEXTS = (".css", ".html", ".js", ".md", ".mjs", ".py", ".toml", ".txt", ".xml", ".xsd")


@pytest.fixture(scope="module")
def lines() -> dict[str, list[str]]:
    """By file, those of pages and schemas too."""
    pages = (path for top in ("docs", "game_masters", "schemas", "ugs") for path in (TOP / top).rglob("*"))
    found = {path for path in pages if path.suffix in TEXTS} | {*SOURCES.values()}
    return {str(path.relative_to(TOP)): path.read_text(encoding="utf-8").split("\n") for path in sorted(found)}


def found(words: tuple[str, ...], text: str) -> Iterator[int]:
    """The lines, from 1, with one of these words, also as a part of a name; two words may stand on two lines."""
    text = text.lower()
    if not any(word.split()[-1] in text for word in words):
        return
    before, line = "", 1
    for word in WORD.findall(text):
        if word == "\n":
            line += 1
            continue
        if word in words or f"{before} {word}" in words:
            yield line
        before = word


@pytest.mark.parametrize("instead", GROUPS)
def test_words_that_readers_stumble_over_are_rare(instead: str, lines: dict[str, list[str]]) -> None:
    words, per_100_000 = GROUPS[instead]
    if instead == IN_CODE:
        lines = {name: text for name, text in lines.items() if name.endswith(".py")}
    allowed = per_100_000 * sum(map(len, lines.values())) // 100_000
    where = [
        f"{name}:{at}: {text[at - 1].strip()}" for name, text in lines.items() for at in found(words, "\n".join(text))
    ]
    assert len(where) <= allowed, "\n".join([f"{len(where)} of at most {allowed}; write: {instead}", *where])


def test_words_are_found_in_names_and_over_two_lines() -> None:
    assert [*found(("told", "of which"), "x = is_told\n# a case of\n# which\n# untold")] == [1, 3]
