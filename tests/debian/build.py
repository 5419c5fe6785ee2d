"""Builds the package: ``python -m tests.debian.build dist``. The same source and environment make the same bytes.

``DEBFULLNAME`` and ``DEBEMAIL`` say who builds it, as for all tools of Debian.
"""

import hashlib
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

from tests.debian.scripts import SCRIPTS, control
from tests.debian.tree import PYTHON, SETTINGS, lay_out
from tests.wheels.build import EPOCH
from ugs import __version__


def build(into: Path, version: str = __version__) -> Path:
    """Build the package into a folder; ``version`` is what dpkg takes it for. Raises CalledProcessError."""
    into.mkdir(parents=True, exist_ok=True)
    asked = subprocess.run(["dpkg", "--print-architecture"], capture_output=True, text=True, check=True)
    architecture = asked.stdout.strip()
    with tempfile.TemporaryDirectory(prefix="ugs-deb-") as room:
        root = Path(room, "root")
        root.mkdir(mode=0o755)
        lay_out(root)
        _control(root, architecture, version)
        package = into / f"ugs_{version}_{architecture}.deb"
        for path in sorted(root.rglob("*")):
            os.utime(path, (int(EPOCH), int(EPOCH)), follow_symlinks=False)
        command = ["dpkg-deb", "--root-owner-group", "-Zxz", "-z3", "--build", str(root), str(package)]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env={**os.environ, "SOURCE_DATE_EPOCH": EPOCH})
    return package


MAINTAINER: Final = "ugs <root@localhost>"


def _control(root: Path, architecture: str, version: str) -> None:
    files = [path for path in sorted(root.rglob("*")) if path.is_file() and not path.is_symlink()]
    sums = [f"{hashlib.md5(path.read_bytes()).hexdigest()}  {path.relative_to(root)}\n" for path in files]
    kilobytes = sum(path.stat().st_size for path in files) // 1024
    name, address = os.environ.get("DEBFULLNAME"), os.environ.get("DEBEMAIL")
    maintainer = f"{name} <{address}>" if name and address else MAINTAINER
    texts = {
        "control": control(version, architecture, kilobytes, maintainer, PYTHON),
        "conffiles": f"/{SETTINGS}\n",
        "md5sums": "".join(sums),
    }
    (root / "DEBIAN").mkdir()
    for file, text in {**texts, **SCRIPTS}.items():
        path = root / "DEBIAN" / file
        path.write_text(text, encoding="utf-8")
        path.chmod(0o755 if file in SCRIPTS else 0o644)


if __name__ == "__main__":
    made = build(Path(sys.argv[1]))
    print(f"{made}  {made.stat().st_size / 1e6:.1f} MB")
