"""The dialect of GitHub, in which the pages are written, as mkdocs reads it.

Lists and tables begin after an empty line, and what belongs to an item of a list is indented by four.
"""

import re
from typing import Final

ITEM: Final = re.compile(r"( *)(?:[-*+]|\d+\.) +")
FENCE: Final = re.compile(r"( *)(```+|~~~+)")
STEP: Final = 4
MAX_OF_ONE: Final = 3
"""Spaces that are one level of a list; more are two."""


def for_mkdocs(text: str) -> str:
    """The page with lists and tables as mkdocs wants them; code stays as it is."""
    lines: list[str] = []
    fence = ""
    old = new = 0
    in_list = False
    for line in text.splitlines():
        begun = FENCE.match(line)
        if fence:
            lines.append(line if not new else (" " * new + line[min(old, len(line) - len(line.lstrip())) :]).rstrip())
            if line.strip() == fence:
                fence = ""
            continue
        indent = len(line) - len(line.lstrip())
        item = ITEM.match(line)
        if line.strip() and not indent and not item:
            in_list = False
        level = (1 if indent <= MAX_OF_ONE else 2) if in_list and indent else 0
        if begun:
            fence, old, new = begun[2], indent, level * STEP
        if (item and not level and not in_list) or line.startswith("|"):
            _separate(lines, line)
        in_list = in_list or (item is not None and not indent)
        lines.append(" " * (level * STEP) + line.lstrip() if level else line)
    return "\n".join(lines) + "\n"


def _separate(lines: list[str], line: str) -> None:
    """Let an empty line stand before a list or a table that follows a paragraph."""
    before = lines[-1] if lines else ""
    if before.strip() and not (line.startswith("|") and before.startswith("|")):
        lines.append("")
