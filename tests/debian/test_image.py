"""The image of the server."""

import json
import os
import re
import shutil
import signal
import subprocess
import tarfile
import urllib.request
from pathlib import Path

import pytest

from tests.debian.image import STORAGE, TAG, USER, lay_out_root, pack
from tests.debian.scripts import DATA
from tests.debian.tree import SETTINGS
from tests.profile import ONLY_DEEP
from tests.sources import TOP

FILE = (TOP / "conf" / "Containerfile").read_text(encoding="utf-8")
NEEDED = pytest.mark.skipif(shutil.which("mmdebstrap") is None or os.geteuid() != 0, reason="needs mmdebstrap and root")
MAX_BYTES = 150_000_000
PYTHON = "/usr/lib/ugs/bin/python"
READ_ONLY = [
    *("unshare", "--mount", "--net", "sh", "-ec"),
    """ip link set lo up
    mount --bind "$0" "$0"
    mount -t tmpfs -o mode=700,uid=65532,gid=65532 data "$0/var/lib/ugs"
    mount -t tmpfs tmp "$0/tmp"
    mount -o remount,bind,ro "$0"
    exec "$@" """,
]
"""Runs a command with a folder as its root that may only be read, and a network of its own, as containers do: the root,
and the words of the command."""
LOOK = """
import pathlib, urllib.request
for path in ("/etc/ugs/ugs.toml", "/usr/lib/ugs/new", "/new"):
    try:
        pathlib.Path(path).write_text("")
    except OSError:
        continue
    raise SystemExit(path + " can be written")
assert (pathlib.Path("/var/lib/ugs") / "journal.sqlite").exists()
assert "Universal" in urllib.request.urlopen("http://127.0.0.1:8080/").read().decode()
"""


def words_of(instruction: str) -> list[str]:
    """The words of an instruction such as ``CMD ["a", "b"]``."""
    found = re.search(rf"^{instruction}\b[^\[]*(\[.*?\])$", FILE.replace("\\\n", ""), re.MULTILINE)
    assert found is not None, instruction
    words: list[str] = json.loads(found[1])
    return words


def test_it_runs_what_the_package_has_as_no_user_of_the_machine() -> None:
    assert f"USER {USER}:{USER}" in FILE
    assert words_of("ENTRYPOINT") == ["/usr/bin/ugs"]
    assert words_of("CMD")[-1] == DATA
    assert f"/{SETTINGS}" in words_of("CMD")
    assert "\nRUN " not in FILE, "there is no shell in it"


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files of the image, alone in a folder, as the build reads them."""
    made = tmp_path_factory.mktemp("image") / "made"
    lay_out_root(made)
    packed = tmp_path_factory.mktemp("context") / "root.tar"
    pack(made, packed)
    return packed


@ONLY_DEEP
@NEEDED
def test_it_is_small_and_as_large_as_the_manual_has_it(archive: Path) -> None:
    size = archive.stat().st_size
    assert size < MAX_BYTES
    for page in ("docs/organiser.md", "CONTRIBUTING.md"):
        written = re.search(r"image.*?(\d+) MB", (TOP / page).read_text(encoding="utf-8"))
        assert written is not None
        assert abs(int(written[1]) - size / 1e6) < 4, (page, size)


@ONLY_DEEP
@NEEDED
@pytest.mark.skipif(shutil.which("buildah") is None, reason="needs buildah")
def test_buildah_builds_it_without_a_registry_and_starts_it(archive: Path, tmp_path: Path) -> None:
    buildah = ["buildah", "--root", str(tmp_path / "storage"), "--runroot", str(tmp_path / "run"), *STORAGE]
    file = str(TOP / "conf" / "Containerfile")
    build = [*buildah, "build", "--format", "docker", "--tag", TAG, "--file", file, str(archive.parent)]
    subprocess.run(build, check=True, capture_output=True)
    made = subprocess.run([*buildah, "from", "--pull-never", TAG], check=True, capture_output=True, text=True)
    # The ports of the image may be in use on this machine, whose network it has here.
    command = [*words_of("ENTRYPOINT"), *words_of("CMD"), "--host", "127.0.0.1", "--port", "0", "--http-port", "0"]
    started = [*buildah, "run", "--isolation", "chroot", made.stdout.strip(), "--", *command]
    with subprocess.Popen(started, stderr=subprocess.PIPE, text=True) as container:
        assert container.stderr is not None
        first = container.stderr.readline()
        assert "listening" in first, first + container.stderr.read()
        ready = json.loads(first)
        with urllib.request.urlopen(f"http://{ready['http']}/healthz") as answer:
            assert answer.read() == b"ok"
        os.kill(ready["pid"], signal.SIGTERM)
        assert "stopped" in container.stderr.read()
    assert container.returncode == 0
    subprocess.run([*buildah, "rm", "--all"], check=True, capture_output=True)
    subprocess.run([*buildah, "rmi", "--all"], check=True, capture_output=True)


@ONLY_DEEP
@NEEDED
def test_it_serves_and_stops_in_good_order(archive: Path, tmp_path: Path) -> None:
    root = tmp_path / "root"
    with tarfile.open(archive) as packed:
        packed.extractall(root, filter="fully_trusted")
    inside = ["chroot", f"--userspec={USER}:{USER}", str(root)]
    with subprocess.Popen(
        [*READ_ONLY, str(root), *inside, *words_of("ENTRYPOINT"), *words_of("CMD")], stderr=subprocess.PIPE, text=True
    ) as server:
        assert server.stderr is not None
        first = server.stderr.readline()
        assert "listening" in first, first + server.stderr.read()
        there = ["nsenter", f"--target={server.pid}", "--mount", "--net", *inside]
        health = subprocess.run([*there, *words_of("HEALTHCHECK")], capture_output=True, text=True, check=False)
        assert health.returncode == 0, health.stderr
        look = subprocess.run([*there, PYTHON, "-c", LOOK], capture_output=True, text=True, check=False)
        assert look.returncode == 0, look.stderr
        status = Path(f"/proc/{server.pid}/status").read_text(encoding="utf-8")
        assert re.search(rf"^Uid:\t{USER}\t{USER}\t{USER}\t{USER}$", status, re.MULTILINE)
        assert re.search(r"^CapEff:\t0+$", status, re.MULTILINE)
        server.send_signal(signal.SIGTERM)
        rest = server.stderr.read()
        assert "stopped" in rest
        assert '"error"' not in rest
    assert server.returncode == 0
    assert not (root / "bin/sh").exists()
