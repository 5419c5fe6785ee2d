"""A game in a package of its own, as a third party would make it."""

import shutil
import subprocess
import sys
from pathlib import Path

PACKAGE = Path(__file__).parent / "packages" / "ugs-nim"


def installed(directory: Path, package: Path = PACKAGE) -> Path:
    """Install it; the directory in which there is nothing else."""
    target, source = directory / "site", directory / "source"
    shutil.copytree(package, source)  # so that no build directory is left in the checkout
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "install", "--quiet"]
    offline = ["--no-index", "--no-build-isolation", "--no-deps", "--target", str(target)]
    subprocess.run([*pip, *offline, str(source)], check=True, timeout=600)
    return target
