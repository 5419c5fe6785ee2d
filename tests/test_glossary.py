"""``docs/glossary.md`` and the tree say the same: its places are there, and no other names of files stand twice."""

import ast
import re
from collections import Counter
from pathlib import Path
from typing import Final

TOP: Final = Path(__file__).parents[1]
GLOSSARY, REPEATED, CLASSES = (TOP / "docs" / "glossary.md").read_text(encoding="utf-8").split("\n## ")
ROWS: Final = [line.split("|")[1:4] for line in GLOSSARY.splitlines() if line.startswith("| ")][1:]
PATHS: Final = [path for row in ROWS for path in re.findall(r"`([\w./]+/[\w./]*)`", row[2])]


def test_each_place_is_there() -> None:
    assert len(PATHS) > len(ROWS) > 40
    assert [path for path in PATHS if not (TOP / path).exists()] == []


def test_each_word_stands_once_in_order() -> None:
    words = [row[0].strip() for row in ROWS]
    assert words == sorted(set(words))


def test_only_names_on_the_list_stand_in_several_folders() -> None:
    counted = Counter(path.stem for path in (TOP / "ugs").rglob("*.py") if not path.stem.startswith("__"))
    assert sorted(name for name, times in counted.items() if times > 1) == re.findall(r"`(\w+)`", REPEATED)


def test_only_classes_on_the_list_have_names_of_others() -> None:
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in (TOP / "ugs").rglob("*.py")]
    counted = Counter(node.name for tree in trees for node in tree.body if isinstance(node, ast.ClassDef))
    repeated = sorted(name for name, times in counted.items() if times > 1 and not name.startswith("_"))
    assert repeated == re.findall(r"`(\w+)`", CLASSES)
