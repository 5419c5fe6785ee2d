"""The image of the server."""

import json
import os
import re
import shutil
import signal
import subprocess
import tarfile
from pathlib import Path

import pytest

from tests.debian.image import USER, lay_out_root, pack
from tests.debian.scripts import DATA
from tests.debian.tree import SETTINGS
from tests.profile import ONLY_DEEP
from tests.sources import TOP

FILE = (TOP / "conf" / "Containerfile").read_text(encoding="utf-8")
MAX_BYTES = 150_000_000


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


@ONLY_DEEP
@pytest.mark.skipif(shutil.which("mmdebstrap") is None or os.geteuid() != 0, reason="needs mmdebstrap and root")
def test_it_is_small_serves_and_stops_in_good_order(tmp_path: Path) -> None:
    lay_out_root(tmp_path / "made")
    pack(tmp_path / "made", tmp_path / "root.tar")
    assert (tmp_path / "root.tar").stat().st_size < MAX_BYTES
    root = tmp_path / "root"
    with tarfile.open(tmp_path / "root.tar") as packed:
        packed.extractall(root, filter="fully_trusted")
    command = ["chroot", f"--userspec={USER}:{USER}", str(root), *words_of("ENTRYPOINT"), *words_of("CMD")]
    command += ["--port", "0", "--http-port", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as server:
        assert server.stderr is not None
        assert "listening" in server.stderr.readline()
        server.send_signal(signal.SIGTERM)
        assert "stopped" in server.stderr.read()
    assert server.returncode == 0
    assert not (root / "bin/sh").exists()
