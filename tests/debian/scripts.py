"""What dpkg runs when the package comes and goes, and what it is told about it."""

from typing import Final

USER: Final = "ugs"
DATA: Final = "/var/lib/ugs"
PREFIX: Final = "/usr/lib/ugs"

AFTER_INSTALLING: Final = f"""\
#!/bin/sh
set -e
if [ "$1" = configure ]; then
    if ! getent passwd {USER} > /dev/null; then
        adduser --quiet --system --group --home {DATA} --no-create-home --gecos "universal game server" {USER}
    fi
    [ -d {DATA} ] || install -d -o {USER} -g {USER} -m 700 {DATA}
    {PREFIX}/bin/python -m compileall -q {PREFIX}/lib || true
    if command -v deb-systemd-helper > /dev/null; then
        deb-systemd-helper unmask ugs.service > /dev/null || true
        deb-systemd-helper enable ugs.service > /dev/null || true
    fi
    if [ -d /run/systemd/system ]; then
        systemctl daemon-reload
        # Games go on afterwards where their masters can restore them; results are on disk.
        deb-systemd-invoke restart ugs.service || true
    fi
fi
"""
BEFORE_REMOVING: Final = f"""\
#!/bin/sh
set -e
if [ "$1" = remove ] && [ -d /run/systemd/system ]; then
    deb-systemd-invoke stop ugs.service || true
fi
find {PREFIX} -name __pycache__ -type d -prune -exec rm -rf {{}} +
"""
AFTER_REMOVING: Final = f"""\
#!/bin/sh
set -e
if [ -d /run/systemd/system ]; then
    systemctl daemon-reload || true
fi
if [ "$1" = remove ] && command -v deb-systemd-helper > /dev/null; then
    deb-systemd-helper mask ugs.service > /dev/null || true
fi
if [ "$1" = purge ]; then
    if command -v deb-systemd-helper > /dev/null; then
        deb-systemd-helper purge ugs.service > /dev/null || true
        deb-systemd-helper unmask ugs.service > /dev/null || true
    fi
    rm -rf {DATA} /etc/ugs
    if getent passwd {USER} > /dev/null && command -v deluser > /dev/null; then
        deluser --quiet --system {USER} || true
    fi
fi
"""
SCRIPTS: Final = {"postinst": AFTER_INSTALLING, "prerm": BEFORE_REMOVING, "postrm": AFTER_REMOVING}


def control(version: str, architecture: str, kilobytes: int, maintainer: str, python: tuple[int, int]) -> str:
    """What the package says of itself; ``python`` is the version that it was put together with, and runs with."""
    major, minor = python
    return f"""\
Package: ugs
Version: {version}
Architecture: {architecture}
Maintainer: {maintainer}
Installed-Size: {kilobytes}
Depends: python3 (>= {major}.{minor}~), python3 (<< {major}.{minor + 1}), adduser, init-system-helpers
Section: games
Priority: optional
Description: universal game server
 Lets programs play games against each other: bots and game masters in any
 language connect to one port, and the server pairs them, runs the clocks,
 decides who is at fault, and keeps every move and the standings.
 .
 With games, bots, a page, man pages and systemd units. The Python packages
 that it needs come with it, below /usr/lib/ugs.
"""
