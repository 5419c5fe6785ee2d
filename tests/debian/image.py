"""Builds the image of ``conf/Containerfile``: ``python -m tests.debian.image FOLDER``. Needs mmdebstrap and buildah.

Its files are Debian's Python with the libraries that it needs, unpacked and not installed (no shell, no package
manager), and those of our own package. Nothing is fetched from a registry of images.
"""

import compileall
import io
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path
from py_compile import PycInvalidationMode
from typing import Final

from tests.debian.scripts import DATA, PREFIX
from tests.debian.tree import PYTHON, lay_out
from tests.sources import TOP
from tests.wheels.parts import SITE

SUITE: Final = "bookworm"
USER: Final = 65_532
TAG: Final = "localhost/ugs"
UNUSED: Final = (
    *("var", "usr/share/doc", "usr/share/man", "usr/share/locale", "usr/share/perl5", "usr/share/lintian", "usr/sbin"),
    f"{PREFIX[1:]}/lib/python{PYTHON[0]}.{PYTHON[1]}/site-packages/{SITE}",
    *("usr/share/bash-completion", "usr/share/zsh", "usr/share/fish", "usr/lib/systemd", "usr/share/debconf"),
)
"""What no program of the image needs; the manual would be a twelfth of it."""
KEPT_COMMANDS: Final = ("python*", "ugs")
FOLDERS: Final = (("tmp", 0o1777, 0), ("var", 0o755, 0), ("var/lib", 0o755, 0), (DATA[1:], 0o700, USER))
"""Folders that are empty at first: name, rights and owner."""
STORAGE: Final = ("--storage-driver", "vfs")
"""Works everywhere, in containers as well."""


def lay_out_root(root: Path) -> None:
    """Write the files of the image into a folder that does not exist yet. Raises CalledProcessError."""
    base = ["mmdebstrap", "--quiet", "--variant=extract", "--include=python3,ca-certificates"]
    subprocess.run([*base, SUITE, str(root)], check=True)
    own = root.with_name("own")
    own.mkdir()
    lay_out(own)
    shutil.copytree(own, root, symlinks=True, dirs_exist_ok=True)
    for path in UNUSED:
        shutil.rmtree(root / path, ignore_errors=True)
    kept = {path for pattern in KEPT_COMMANDS for path in (root / "usr/bin").glob(pattern)}
    for command in set((root / "usr/bin").iterdir()) - kept:
        command.unlink()
    certificates = sorted((root / "usr/share/ca-certificates").rglob("*.crt"))
    bundle = root / "etc/ssl/certs/ca-certificates.crt"
    bundle.parent.mkdir(parents=True, exist_ok=True)
    bundle.write_text("".join(path.read_text(encoding="utf-8") for path in certificates), encoding="utf-8")
    (root / "etc/passwd").write_text(f"ugs:x:{USER}:{USER}:ugs:{DATA}:/nonexistent\n", encoding="utf-8")
    (root / "etc/group").write_text(f"ugs:x:{USER}:\n", encoding="utf-8")
    # Its root may be read only, so nothing is compiled there later.
    for place in (root / PREFIX[1:], root / "usr/lib" / f"python{PYTHON[0]}.{PYTHON[1]}"):
        mode = PycInvalidationMode.UNCHECKED_HASH
        compileall.compile_dir(place, quiet=2, stripdir=str(root), prependdir="/", invalidation_mode=mode)


def pack(root: Path, archive: Path) -> None:
    """Pack the files, all owned by root, and the folder of the data, which belongs to the user of the image."""
    with tarfile.open(archive, "w") as packed:
        for path in sorted(root.iterdir()):
            packed.add(path, path.name, filter=_of_root)
        for name, mode, owner in FOLDERS:
            folder = tarfile.TarInfo(name)
            folder.type, folder.mode, folder.uid, folder.gid = tarfile.DIRTYPE, mode, owner, owner
            packed.addfile(folder, io.BytesIO())


def build(folder: Path) -> None:
    """Build the image in a folder, where its files stay. Raises CalledProcessError."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="ugs-image-") as room:
        root = Path(room, "root")
        lay_out_root(root)
        pack(root, folder / "root.tar")
    file = TOP / "conf" / "Containerfile"
    command = ["buildah", *STORAGE, "build", "--format", "docker", "--tag", TAG, "--file", str(file), str(folder)]
    subprocess.run(command, check=True)


def _of_root(one: tarfile.TarInfo) -> tarfile.TarInfo | None:
    one.uid = one.gid = 0
    one.uname = one.gname = ""
    return None if one.name == "tmp" or one.name.startswith("tmp/") else one


if __name__ == "__main__":
    build(Path(sys.argv[1]))
