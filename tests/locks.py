"""What a demonstration needs of ``requirements.lock``.

That is what ugs needs and what installs a checkout, with all that these need: the same versions and hashes.
``python -m tests.locks > requirements-run.lock`` is a part of ``make lock``.
"""

import re
import tomllib
from collections.abc import Iterable, Iterator
from importlib.metadata import requires
from pathlib import Path
from typing import Final

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

LOCK: Final = Path(__file__).parents[1] / "requirements.lock"
RUNS: Final = LOCK.with_name("requirements-run.lock")


def needed(roots: Iterable[Requirement]) -> set[str]:
    """The distributions that are needed here by these, themselves among them."""
    found: set[str] = set()
    ahead = list(roots)
    while ahead:
        one = ahead.pop()
        name = canonicalize_name(one.name)
        if name in found:
            continue
        found.add(name)
        ahead += [part for part in map(Requirement, requires(name) or ()) if _applies(part, one.extras)]
    return found


def runs() -> str:
    """The lock of a demonstration."""
    project = tomllib.loads(LOCK.with_name("pyproject.toml").read_text("utf-8"))["project"]
    names = needed(map(Requirement, [*project["dependencies"], *project["optional-dependencies"]["build"]]))
    return "".join(block for name, block in _blocks(LOCK.read_text("utf-8")) if name in names)


def _applies(one: Requirement, extras: Iterable[str]) -> bool:
    return one.marker is None or any(one.marker.evaluate({"extra": extra}) for extra in ("", *extras))


def _blocks(lock: str) -> Iterator[tuple[str, str]]:
    for block in re.findall(r"^[A-Za-z0-9].*\n(?:[ \t#].*\n)*", lock, flags=re.MULTILINE):
        kept = [line for line in block.splitlines(keepends=True) if not line.lstrip().startswith("#")]
        yield canonicalize_name(re.split(r"[=\[ ;]", block)[0]), "".join(kept)


if __name__ == "__main__":
    print(runs(), end="")
