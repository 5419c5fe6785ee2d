"""``docs/glossary.md`` and the tree say the same: its places are there, and no other names of files stand twice."""

import re
from collections import Counter
from pathlib import Path
from typing import Final

TOP: Final = Path(__file__).parents[1]
GLOSSARY = (TOP / "docs" / "glossary.md").read_text(encoding="utf-8")
ROWS: Final = [line.split("|")[1:4] for line in GLOSSARY.splitlines() if line.startswith("| ")][1:]
PATHS: Final = [path for row in ROWS for path in re.findall(r"`([\w./]+/[\w./]*)`", row[2])]
MAX_WORDS: Final = 800
"""With its paths; what fits on a printed page."""
REPEATED: Final = [
    "access",
    "admin",
    "app",
    "asking",
    "championship",
    "chat",
    "config",
    "connection",
    "contract",
    "counts",
    "faults",
    "figures",
    "forgotten",
    "games",
    "gateway",
    "intake",
    "journal",
    "ledgers",
    "lobby",
    "measure",
    "model",
    "my_games",
    "orders",
    "pages",
    "past",
    "process",
    "proofs",
    "questions",
    "ready",
    "record",
    "rejoin",
    "report",
    "serve",
    "sketch",
    "source",
    "spectators",
    "standings",
    "table",
    "terminal",
    "text",
    "tls",
    "tokens",
    "validate",
    "views",
    "watch",
    "why",
]
"""Names of files that may stand in several folders: each is the same idea in another layer, or a part of every
folder of its kind has."""
CLASSES: Final = ["Connection", "Offer", "Peer", "Sketch"]
"""Names of classes that may stand in several files: each is the same thing, seen from another layer."""


def test_each_place_is_there() -> None:
    assert len(PATHS) > len(ROWS) > 40
    assert [path for path in PATHS if not (TOP / path).exists()] == []


def test_it_fits_on_a_page() -> None:
    assert len(GLOSSARY.split()) <= MAX_WORDS


def test_each_word_stands_once_in_order() -> None:
    words = [row[0].strip() for row in ROWS]
    assert words == sorted(set(words))


def test_only_names_on_the_list_stand_in_several_folders() -> None:
    counted = Counter(path.stem for path in (TOP / "ugs").rglob("*.py") if not path.stem.startswith("__"))
    assert sorted(name for name, times in counted.items() if times > 1) == REPEATED


def test_only_classes_on_the_list_have_names_of_others() -> None:
    texts = [path.read_text(encoding="utf-8") for path in (TOP / "ugs").rglob("*.py")]
    counted = Counter(name for text in texts for name in re.findall(r"^class (\w+)", text, re.MULTILINE))
    repeated = sorted(name for name, times in counted.items() if times > 1 and not name.startswith("_"))
    assert repeated == CLASSES
