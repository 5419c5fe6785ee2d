"""`docs/security.md` names what is there: files, attacks and settings."""

import re
from pathlib import Path

from ugs.config import Config
from ugs.soak.attacks import ATTACKS

TOP = Path(__file__).parents[2]
TEXT = (TOP / "docs" / "security.md").read_text(encoding="utf-8")
CODE = re.findall(r"`([^`\n]+)`", TEXT)


def test_every_file_is_there() -> None:
    files = {code for code in CODE if "/" in code[1:]}  # a slash before it makes it a path of the page
    assert len(files) > 40
    assert [file for file in sorted(files) if not (TOP / file).exists()] == []


def test_every_setting_is_there() -> None:
    settings = {code for code in CODE if re.fullmatch(r"[a-z]+(_[a-z]+)+", code)}
    assert len(settings) > 15
    assert settings <= set(Config.fields())


def test_every_attack_stands_for_a_promise() -> None:
    assert [name for name in ATTACKS if f"`{name}`" not in TEXT] == []


def test_no_attack_is_made_up() -> None:
    named = {
        name
        for line in TEXT.splitlines()
        if line.startswith("| ") and line.count("|") == 5
        for name in re.findall(r"`([^`]+)`", line.split("|")[4])
    }
    assert named == set(ATTACKS)
