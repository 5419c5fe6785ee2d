"""Builds the site: ``python -m tests.manual.build dist/docs``. It is read from a disk as well as from a server.

No file of it comes from the network, and everything but the search is there without a script. mkdocs runs in its strict
mode: a link that leads nowhere fails.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, Final

from tests.manual.nav import navigation
from tests.manual.staging import stage
from ugs import __version__

# The name is what keeps the plugin from loading another one over the network.
SHIM: Final = "assets/iframe-worker-shim.js"
SLUGS: Final = "!!python/object/apply:pymdownx.slugs.slugify {kwds: {case: lower}}"


def settings(pages: list[str], source: Path, into: Path) -> dict[str, Any]:
    """What mkdocs is to do."""
    palettes = [
        {"media": f"(prefers-color-scheme: {name})", "scheme": scheme, "primary": "indigo"}
        for name, scheme in (("light", "default"), ("dark", "slate"))
    ]
    return {
        "site_name": f"ugs {__version__}",
        "docs_dir": str(source),
        "site_dir": str(into.absolute()),
        "use_directory_urls": False,
        "theme": {
            "name": "material",
            "font": False,
            "palette": palettes,
            "features": ["navigation.tabs", "navigation.prune", "navigation.top", "toc.follow", "search.highlight"],
        },
        "plugins": ["search", "offline"],
        "extra": {"polyfills": [SHIM], "generator": False},
        "markdown_extensions": [
            *("tables", "def_list", "pymdownx.superfences", "pymdownx.highlight"),
            {"toc": {"slugify": "SLUGS", "permalink": False}},
        ],
        "nav": navigation(pages),
        "not_in_nav": "files/",
        "validation": {"links": {"not_found": "warn", "anchors": "warn", "unrecognized_links": "warn"}},
    }


def build(into: Path) -> None:
    """Build the site into a folder. Raises CalledProcessError when a link is broken."""
    with tempfile.TemporaryDirectory(prefix="ugs-docs-") as room:
        source = Path(room, "docs")
        pages = stage(source)
        (source / SHIM).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(Path(__file__).with_name("shim.js"), source / SHIM)
        config = Path(room, "mkdocs.yml")  # JSON is YAML, but for the one function that makes anchors
        written = json.dumps(settings(pages, source, into), indent=1)
        config.write_text(written.replace('"SLUGS"', SLUGS), encoding="utf-8")
        command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--config-file", str(config)]
        subprocess.run(command, check=True, env={**os.environ, "NO_MKDOCS_2_WARNING": "1"})


if __name__ == "__main__":
    build(Path(sys.argv[1]))
