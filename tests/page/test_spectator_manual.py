"""The manual for spectators names every page that there is."""

import re
from pathlib import Path

from ugs.page.html import DOORS, NAV

MANUAL = (Path(__file__).parents[2] / "docs" / "spectator.md").read_text(encoding="utf-8")
SCRIPTS = Path(__file__).parents[2] / "ugs" / "page" / "assets"


def test_each_page_of_the_navigation_has_its_line() -> None:
    lines = set(re.findall(r"^\| ([^|]+) \|", MANUAL, re.MULTILINE))
    assert {title for _, title in (*NAV, *DOORS)} <= lines


def test_each_key_of_a_board_is_named() -> None:
    script = (SCRIPTS / "replay_board.js").read_text(encoding="utf-8")
    keys = re.search(r"const keys = \{(.*?)\};", script)
    assert keys is not None
    names = {"ArrowRight": "`→`", "ArrowLeft": "`←`", '" "': "space bar"}
    for key in re.findall(r"(\w+|\" \"):", keys[1]):
        assert names.get(key, f"`{key}`") in MANUAL, key
    assert "`z`" in MANUAL
