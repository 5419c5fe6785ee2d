"""The tests of what has changed since the branch ``main``, for `make check`.

    python -m tests.changed

Prints what pytest is to run, separated by spaces; an empty line when no test belongs to what has changed. What has
changed is what commits since the merge base with the branch, the index, the work tree and new files say.
"""

import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath
from typing import Final

TOP: Final = Path(__file__).parents[1]
MAIN: Final = "main"

PURE: Final = ("wire", "broker", "championship", "record", "standings", "why", "lobby", "game_masters")
"""Folders of tests that start next to no processes."""
FOUNDATION: Final = ("ugs/value.py", "ugs/config.py", "tests/conftest.py", "tests/profile.py")
"""What everything stands on. Its tests are all pure ones, and those beside this file."""
IMPORTS: Final = "tests/test_imports.py"
MIRRORED: Final = {"ugs": "tests", "game_masters": "tests/game_masters"}
"""Packages, and the folder that holds their tests."""
ELSEWHERE: Final = {
    ".ci/": (),
    "Makefile": ("tests/end_to_end/test_readme.py",),
    "docs/first-bot.md": ("tests/end_to_end/test_readme.py",),
    "README.md": ("tests/end_to_end/test_readme.py", "tests/wire/test_readme.py"),
    ".github/": (),
    "CONTRIBUTING.md": ("tests/end_to_end/test_readme.py",),
    "conf/": ("tests/test_config.py", "tests/test_conf.py", "tests/debian"),
    "docs/bang.md": ("tests/game_masters/bang/test_docs.py",),
    "docs/titan.md": ("tests/game_masters/titan/test_docs.py",),
    "docs/titan-rules.md": ("tests/game_masters/titan/test_docs.py",),
    "docs/trials.md": ("tests/end_to_end/test_trials.py", "tests/end_to_end/test_readme.py"),
    "docs/": ("tests/end_to_end/test_readme.py", "tests/manual", "tests/game_masters/test_docs.py"),
    "examples/": (
        "tests/end_to_end/test_programs.py",
        "tests/end_to_end/test_bang.py",
        "tests/end_to_end/test_titan.py",
        "tests/game_masters/test_session_example.py",
        "tests/end_to_end/test_kits.py",
        "tests/end_to_end/test_go_master.py",
    ),
    "pyproject.toml": (IMPORTS, "tests/game_masters/test_registry.py", "tests/wheels"),
    "schemas/games/": ("tests/game_masters", "tests/test_validate.py"),
    "schemas/README.md": ("tests/wire/test_readme.py", "tests/manual"),
    "schemas/": ("tests/wire", "tests/test_validate.py"),
    "tests/golden/": ("tests/game_masters/kit/test_golden.py",),
    "tests/packages/": ("tests/game_masters/test_third_party.py", "tests/end_to_end/test_programs.py"),
    "game_masters/kit/": ("tests/game_masters",),
    "ugs/__init__.py": (IMPORTS,),
    "ugs/__main__.py": ("tests/commands/test_app.py",),
    "ugs/commands/demo_run.py": ("tests/commands/test_demo.py", "tests/end_to_end/test_programs.py"),
    "ugs/gateway.py": ("tests/daemon/gateways/test_gateway.py", "tests/game_masters/apologies/gateway"),
}
"""Where the tests of other files are, by the beginning of a path: the first that fits counts."""


def git(*arguments: str, top: Path = TOP) -> list[str]:
    """The lines that a git command prints. Raises CalledProcessError."""
    done = subprocess.run(["git", *arguments], cwd=top, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


def changed_files(top: Path = TOP, branch: str = MAIN) -> list[str]:
    """Paths of all files that differ from the merge base with the branch, sorted; deleted ones are among them.

    On the branch itself the one of ``origin`` counts; where there is none of them, only what is not committed.
    """
    current = git("rev-parse", "--abbrev-ref", "HEAD", top=top)[0]
    published = f"origin/{branch}"
    wanted = [published] if current == branch else [branch, published]
    known = git("for-each-ref", "--format=%(refname:short)", "refs/heads", "refs/remotes", top=top)
    base = next((git("merge-base", "HEAD", name, top=top)[0] for name in wanted if name in known), "HEAD")
    differing = git("diff", "--name-only", "--no-renames", base, top=top)
    return sorted({*differing, *git("ls-files", "--others", "--exclude-standard", top=top)})


def paths_for(path: str, top: Path = TOP) -> Iterator[str]:
    """The tests of one file, whether they are there or not."""
    if path.startswith(FOUNDATION):
        yield from (f"tests/{folder}" for folder in PURE)
        yield from (f"tests/{file.name}" for file in (top / "tests").glob("test_*.py"))
    elif (beginning := next(filter(path.startswith, ELSEWHERE), None)) is not None:
        yield from ELSEWHERE[beginning]
    elif path.startswith("tests/"):
        yield from _of_a_test_file(PurePosixPath(path), top)
    else:
        yield from _mirrored(PurePosixPath(path), top)
    if path.startswith(tuple(f"{package}/" for package in MIRRORED)):
        yield IMPORTS


def _of_a_test_file(path: PurePosixPath, top: Path) -> Iterator[str]:
    """A test is its own test; what tests share belongs to the tests of its folder, and to those that import it."""
    if path.name.startswith("test_"):
        yield str(path)
        return
    if len(path.parts) > 2:
        yield str(path.parent)
    module = ".".join(path.with_suffix("").parts)
    for file in (top / "tests").rglob("test_*.py"):
        if f"from {module} import" in file.read_text(encoding="utf-8"):
            yield file.relative_to(top).as_posix()


def _mirrored(path: PurePosixPath, top: Path) -> Iterator[str]:
    """``ugs/x/...`` has its tests in ``tests/x``, ``ugs/x/y/...`` in ``tests/x/y`` where that is there, ``ugs/x.py`` in
    ``tests/test_x.py``; ``game_masters`` likewise. `make test` runs the others of ``x``, too, which takes longer."""
    package, *inside = path.parts
    if package in MIRRORED and inside:
        nearer = PurePosixPath(MIRRORED[package], *inside[:2])
        if len(inside) > 2 and (top / nearer).is_dir():
            yield str(nearer)
        else:
            yield f"{MIRRORED[package]}/{inside[0] if len(inside) > 1 else f'test_{inside[0]}'}"


def selection(files: Iterable[str], top: Path = TOP) -> list[str]:
    """What pytest is to run for these files: sorted, and each once, be it by itself or as part of a folder."""
    wanted = {test for file in files for test in paths_for(file, top) if (top / test).exists()}
    return sorted(test for test in wanted if not {str(parent) for parent in PurePosixPath(test).parents} & wanted)


if __name__ == "__main__":
    print(*selection(changed_files()))
