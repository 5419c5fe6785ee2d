"""The files of the package: ugs with all that it needs in an environment of its own below ``/usr/lib/ugs``.

Packages of others are copied from the environment that runs this, whose versions are those of ``requirements.lock``.
"""

import gzip
import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from importlib.metadata import distribution
from pathlib import Path
from typing import Final

from packaging.requirements import Requirement

from tests.debian import man
from tests.debian.scripts import DATA, PREFIX
from tests.locks import needed
from tests.sources import TOP
from tests.wheels.build import build_all
from tests.wheels.project import declared

PYTHON: Final = sys.version_info[:2]
SHELLS: Final = {
    "bash": "usr/share/bash-completion/completions/ugs",
    "zsh": "usr/share/zsh/vendor-completions/_ugs",
    "fish": "usr/share/fish/vendor_completions.d/ugs.fish",
}
"""Where completions go."""
SETTINGS: Final = "etc/ugs/ugs.toml"
UNITS: Final = ("ugs.service", "ugs-master@.service")
DOCUMENTATION: Final = "usr/share/doc/ugs"
SKIPPED: Final = ("__pycache__", "tests", "test")
"""Folders of packages that are of no use to a server."""


def lay_out(root: Path) -> None:
    """Write all files of the package, but those of dpkg, into an empty folder."""
    _environment(root / PREFIX[1:], root.with_name("wheels"))
    (root / "usr/bin").mkdir(parents=True)
    (root / "usr/bin/ugs").symlink_to("../lib/ugs/bin/ugs")
    for path, text in _texts():
        _write(root / path, text)
    for name, text in man.pages().items():
        _write_packed(root / "usr/share/man/man1" / f"{name}.gz", text)
    _write_packed(root / DOCUMENTATION / "changelog.gz", (TOP / "CHANGELOG.md").read_text(encoding="utf-8"))


def unit(text: str) -> str:
    """A unit of ``conf/`` for the places of the package, without the words on how to copy it."""
    return (
        text[text.index("[Unit]") :]
        .replace("/opt/ugs/.venv/bin/ugs", "/usr/bin/ugs")
        .replace("/opt/ugs/conf/ugs.toml", f"/{SETTINGS}")
    )


def completion(shell: str) -> str:
    """What lets a shell complete commands, options and names of games."""
    environment = {**os.environ, "_UGS_COMPLETE": f"source_{shell}"}
    command = [sys.executable, "-c", "import sys; sys.argv = ['ugs']; from ugs.__main__ import main; main()"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert "ugs" in done.stdout, done.stderr
    return done.stdout


def _environment(place: Path, room: Path) -> None:
    """A virtual environment that the interpreter of the system runs."""
    major, minor = PYTHON
    libraries = place / "lib" / f"python{major}.{minor}" / "site-packages"
    libraries.mkdir(parents=True)
    for name in needed(map(Requirement, declared()["dependencies"])):
        _copy(name, libraries)
    for wheel in build_all(room):
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(libraries)
    (place / "bin").mkdir()
    (place / "bin/python").symlink_to(f"/usr/bin/python{major}.{minor}")
    start = f"#!{PREFIX}/bin/python\nimport sys\n\nfrom ugs.__main__ import main\n\nsys.exit(main())\n"
    _write(place / "bin/ugs", start, mode=0o755)
    _write(place / "pyvenv.cfg", f"home = /usr/bin\ninclude-system-site-packages = false\nversion = {major}.{minor}\n")


def _copy(name: str, libraries: Path) -> None:
    """Copy an installed package, without its commands."""
    for file in distribution(name).files or ():
        if ".." not in file.parts and not set(file.parts) & set(SKIPPED):
            path = libraries / file
            path.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(str(file.locate()), path)
            path.chmod(0o644)


def _texts() -> Iterator[tuple[str, str]]:
    conf = TOP / "conf"
    yield SETTINGS, (conf / "ugs.toml").read_text(encoding="utf-8")
    for name in UNITS:
        yield f"usr/lib/systemd/system/{name}", unit((conf / name).read_text(encoding="utf-8"))
    for shell, path in SHELLS.items():
        yield path, completion(shell)
    yield f"{DOCUMENTATION}/copyright", (TOP / "LICENSE").read_text(encoding="utf-8")
    yield f"{DOCUMENTATION}/README.Debian", _first_steps()


def _first_steps() -> str:
    return f"""\
The server runs as the user ugs and keeps everything in {DATA}. Its settings are in
/{SETTINGS}; after a change: systemctl restart ugs.

A game needs a game master:

    systemctl enable --now ugs-master@tic-tac-toe

Then bots of this machine play at 127.0.0.1:4747, and the page is at http://127.0.0.1:8080/.
`ugs doctor --config /{SETTINGS}` says what is in the way, man ugs what else there is.
"""


def _write(path: Path, text: str, mode: int = 0o644) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    path.chmod(mode)


def _write_packed(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(text.encode(), 9, mtime=0))
