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
EARLIER = "0.0.1"
"""What dpkg takes for an earlier version: the same files."""
LOOK = """
import json, sys, urllib.request
page = json.load(open("/tmp/ready"))["http"]
for path, words in (("healthz", "ok"), ("docs/", "Universal"), ("", "Universal game server")):
    with urllib.request.urlopen(f"http://{page}/{path}") as answer:
        assert words.lower() in answer.read().decode().lower(), path
"""
INSTALLED = """
set -e
serves() {
    rm -f /tmp/ready
    setpriv --reuid=ugs --regid=ugs --clear-groups sh -c '
        ugs serve --config /etc/ugs/ugs.toml --port 0 --http-port 0 --data-dir /var/lib/ugs --ready-file /tmp/ready &
        while [ ! -e /tmp/ready ]; do kill -0 $!; sleep 0.1; done; python3 /look.py; kill $!; wait $!'
}
dpkg -i /earlier.deb
test "$(stat -c %U:%a /var/lib/ugs)" = ugs:700
test "$(stat -c %U:%a /etc/ugs/ugs.toml)" = root:644
test -L /etc/systemd/system/multi-user.target.wants/ugs.service
ugs --version
serves
before=$(stat -c %i /var/lib/ugs/journal.sqlite)

dpkg -i /ugs.deb
dpkg-query -W -f '${Version}' ugs | grep -qx VERSION
test "$(stat -c %i /var/lib/ugs/journal.sqlite)" = "$before"
serves
echo "# mine" >> /etc/ugs/ugs.toml
dpkg -i /ugs.deb
tail -n 1 /etc/ugs/ugs.toml | grep -q mine
test -z "$(dpkg -V ugs | grep -v ' c ')"

test "$(zcat /usr/share/man/man1/ugs*.gz | grep -c '^.TH')" -gt 20
bash -n /usr/share/bash-completion/completions/ugs
bash -c '. /usr/share/bash-completion/completions/ugs; COMP_WORDS=(ugs ser); COMP_CWORD=1; $(complete -p ugs |
    sed "s/.*-F \\([^ ]*\\).*/\\1/") ugs ser ugs; test "${COMPREPLY[0]}" = serve'
ugs doctor --config /etc/ugs/ugs.toml >&2

dpkg -r ugs
test -e /var/lib/ugs/journal.sqlite -a -e /etc/ugs/ugs.toml
test ! -e /usr/lib/ugs -a ! -e /usr/bin/ugs
dpkg -P ugs
test ! -e /var/lib/ugs -a ! -e /etc/ugs
! getent passwd ugs
test -z "$(find / -xdev -name '*ugs*' -not -path '/ugs.deb' -not -path '/proc/*' -not -path '/var/log/*' \
    -not -path '/var/lib/dpkg/*' -not -name '*debugs*' | grep -w ugs)"
"""


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package."""
    return build(tmp_path_factory.mktemp("deb"))


@pytest.fixture(scope="module")
def earlier(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A package for dpkg to upgrade from."""
    return build(tmp_path_factory.mktemp("earlier"), EARLIER)


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
def test_it_is_installed_upgraded_removed_and_purged(package: Path, earlier: Path, tmp_path: Path) -> None:
    root = tmp_path / "root"
    base = ["mmdebstrap", "--quiet", "--variant=minbase", "--include=python3,adduser,init-system-helpers"]
    subprocess.run([*base, "bookworm", str(root)], check=True)
    shutil.copy(package, root / "ugs.deb")
    shutil.copy(earlier, root / "earlier.deb")
    (root / "look.py").write_text(LOOK, encoding="utf-8")
    commands = INSTALLED.replace("VERSION", __version__)
    # A network of its own: others on this machine may have the usual ports.
    alone = ["unshare", "--net", "sh", "-ec", 'ip link set lo up; exec chroot "$0" bash -xc "$1"', str(root), commands]
    done = subprocess.run(alone, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_same_source_makes_the_same_bytes(package: Path, tmp_path: Path) -> None:
    assert build(tmp_path).read_bytes() == package.read_bytes()
