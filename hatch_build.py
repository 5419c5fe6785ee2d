"""What travels in a wheel of the manual: its pages, not the screenshots beside them."""

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Manual(BuildHookInterface):  # type: ignore[type-arg,misc,unused-ignore]
    """Puts the pages of the manual where ``ugs example`` finds them."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Hatch is about to build a wheel; that of an editable installation has nothing of it."""
        if version != "editable":
            for page in sorted(Path(self.root, "docs").glob("*.md")):
                build_data["force_include"][str(page)] = f"ugs/_data/docs/{page.name}"
