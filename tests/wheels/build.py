"""Builds the wheels: ``python -m tests.wheels.build dist``. The same source makes the same bytes.

Each wheel is laid out in a folder of its own, with a ``pyproject.toml`` made for it, and hatchling packs it.
"""

import os
import shutil
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Final
from unittest import mock

import tomlkit
from hatchling.builders.wheel import WheelBuilder

from tests.manual.build import build as build_site
from tests.wheels.bill import bill_of
from tests.wheels.parts import MANUAL, SERVER, TOP, contents, contents_of_site, tracked
from tests.wheels.project import project_of
from ugs.config_text import written_out

BILL: Final = "bill.cdx.json"
EPOCH: Final = "1767225600"
"""The time of all files in a wheel, as SOURCE_DATE_EPOCH gives it: 1 January 2026."""
SETTINGS: Final = "ugs/_data/conf/ugs.toml"
"""The settings of a checkout have those of the gateways that come with games, which ``ugs`` alone does not know."""


def build_all(into: Path) -> list[Path]:
    """Build all wheels; their paths, and that of each bill of materials beside it."""
    into.mkdir(parents=True, exist_ok=True)
    made = []
    with tempfile.TemporaryDirectory(prefix="ugs-site-") as site:
        build_site(Path(site))
        for part, files in {**contents(tracked()), MANUAL: contents_of_site(Path(site))}.items():
            with tempfile.TemporaryDirectory(prefix="ugs-wheel-") as room:
                wheel, bill = build(part, files, Path(room))
                made.append(Path(shutil.copy(wheel, into)))
                shutil.copy(bill, into / f"{made[-1].stem}.cdx.json")
    return made


def build(part: str, files: Mapping[str, str], room: Path) -> tuple[Path, Path]:
    """Build one wheel of these files, place by source, in an empty folder; the paths of the wheel and of its bill.
    Sources are paths below the repository, or absolute ones."""
    for place, source in files.items():
        path = room / place
        path.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(TOP / source, path)
        path.chmod(0o644)
    if part == SERVER:
        (room / SETTINGS).write_text(written_out({}), encoding="utf-8")
    project = project_of(part, files)
    for name in project["license-files"]:
        shutil.copyfile(TOP / name, room / name)
    (room / BILL).write_text(bill_of(project), encoding="utf-8")
    target = {"only-include": sorted({place.partition("/")[0] for place in files}), "sbom-files": [BILL]}
    whole = {"project": project, "tool": {"hatch": {"build": {"targets": {"wheel": target}}}}}
    (room / "pyproject.toml").write_text(tomlkit.dumps(whole), encoding="utf-8")
    with mock.patch.dict(os.environ, SOURCE_DATE_EPOCH=EPOCH):
        (wheel,) = WheelBuilder(str(room)).build(directory=str(room / "made"), versions=["standard"])
    return Path(wheel), room / BILL


if __name__ == "__main__":
    for one in build_all(Path(sys.argv[1])):
        print(f"{one}  {one.stat().st_size / 1024:.0f} KiB")
