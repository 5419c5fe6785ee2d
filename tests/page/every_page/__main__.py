"""Take the pictures: ``python -m tests.page.every_page DIR``.

Each page in four ways (desktop and phone, light and dark), as long as it is, into DIR with an ``index.html``; what axe
finds that is serious, what a script stumbles over, and what is wider than a screen is printed, and makes the exit code
1. A server, its masters and bots are started for it, and stopped.
"""

import argparse
import signal
import sys
import tempfile
from pathlib import Path

from tests.end_to_end.browser import chromium
from tests.page.every_page import views
from tests.page.every_page.scene import played
from tests.page.every_page.shots import Shots


def main() -> int:
    """Take them; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.page.every_page", description=__doc__)
    parser.add_argument("directory", type=Path, help="where the pictures are put")
    parser.add_argument("--only", default="", help="only pictures whose names begin so, such as live-titan,now")
    parser.add_argument("--data-dir", type=Path, help="keep the games here; a second run need not play them again")
    parser.add_argument("--quick", action="store_true", help="two of four ways: light on a desktop, dark on a phone")
    asked = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # what was started is stopped
    with tempfile.TemporaryDirectory(prefix="ugs-every-page-") as name:
        work = Path(name)
        with played(work, asked.data_dir or work / "data") as scene, chromium() as browser:
            print(f"look at it: {scene.base}", flush=True)
            shots = Shots(browser, asked.directory, asked.only, quick=asked.quick)
            try:
                for part in (views.pages, views.people, views.live, views.organisers):
                    part(shots, scene)
            finally:
                shots.index()
    print("\n".join(shots.faults) or "no serious fault")
    print(f"{len(shots.names)} pages: {asked.directory / 'index.html'}")
    return 1 if shots.faults else 0


if __name__ == "__main__":
    sys.exit(main())
