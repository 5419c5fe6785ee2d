"""The package, put together, unpacked and run; with ``mmdebstrap`` also installed, upgraded, removed and purged."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.debian.build import build
from tests.debian.tree import PYTHON, SETTINGS
from tests.profile import ONLY_DEEP
from ugs import __version__

pytestmark = ONLY_DEEP
INSTALLED = """
set -e
dpkg -i /ugs.deb
test "$(stat -c %U:%a /var/lib/ugs)" = ugs:700
test -L /etc/systemd/system/multi-user.target.wants/ugs.service
ugs --version
setpriv --reuid=ugs --regid=ugs --clear-groups sh -c '
    ugs serve --config /etc/ugs/ugs.toml --port 0 --http-port 0 --data-dir /var/lib/ugs --ready-file /tmp/ready &
    while [ ! -e /tmp/ready ]; do sleep 0.1; done; kill $!; wait $!'
echo "# mine" >> /etc/ugs/ugs.toml
dpkg -i /ugs.deb
tail -n 1 /etc/ugs/ugs.toml | grep -q mine
dpkg -r ugs
test -e /var/lib/ugs/journal.sqlite -a -e /etc/ugs/ugs.toml
test ! -e /usr/lib/ugs
dpkg -P ugs
test ! -e /var/lib/ugs -a ! -e /etc/ugs
! getent passwd ugs
"""


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package."""
    return build(tmp_path_factory.mktemp("deb"))


def test_what_is_unpacked_runs_without_anything_else_of_ours(package: Path, tmp_path: Path) -> None:
    subprocess.run(["dpkg-deb", "-x", str(package), str(tmp_path)], check=True)
    place = tmp_path / "usr/lib/ugs"
    libraries = place / "lib" / f"python{PYTHON[0]}.{PYTHON[1]}" / "site-packages"
    environment = {**os.environ, "PYTHONPATH": str(libraries)}
    command = [sys.executable, "-S", "-m", "ugs", "doctor", "--config", str(tmp_path / SETTINGS), "--json"]
    done = subprocess.run(command, env=environment, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert '"games"' in done.stdout, done.stderr
    assert f"ugs_{__version__}_" in package.name
    assert package.stat().st_size < 20_000_000


@pytest.mark.skipif(shutil.which("mmdebstrap") is None or os.geteuid() != 0, reason="needs mmdebstrap and root")
def test_it_is_installed_upgraded_removed_and_purged(package: Path, tmp_path: Path) -> None:
    root = tmp_path / "root"
    base = ["mmdebstrap", "--quiet", "--variant=minbase", "--include=python3,adduser,init-system-helpers"]
    subprocess.run([*base, "bookworm", str(root)], check=True)
    shutil.copy(package, root / "ugs.deb")
    done = subprocess.run(["chroot", str(root), "sh", "-c", INSTALLED], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
