"""Which tests `make check` runs."""

import subprocess
from pathlib import Path

import pytest

from tests.changed import ELSEWHERE, FOUNDATION, IMPORTS, PURE, TOP, changed_files, paths_for, selection


@pytest.mark.parametrize(
    ("file", "tests"),
    [
        ("ugs/journal/writer.py", {"tests/journal", IMPORTS}),
        ("ugs/broker/extensions/chat.py", {"tests/broker/extensions", IMPORTS}),
        ("ugs/broker/broker.py", {"tests/broker", IMPORTS}),
        ("ugs/wire/codec.py", {"tests/wire", IMPORTS}),
        ("ugs/page/templates/now.html", {"tests/page", IMPORTS}),
        ("ugs/log.py", {"tests/test_log.py", IMPORTS}),
        ("ugs/gateway.py", {"tests/daemon/gateways/test_gateway.py", "tests/game_masters/apologies/gateway", IMPORTS}),
        ("game_masters/tic_tac_toe/rules.py", {"tests/game_masters/tic_tac_toe", IMPORTS}),
        ("game_masters/kit/rules.py", {"tests/game_masters", IMPORTS}),
        ("game_masters/registry.py", {"tests/game_masters/test_registry.py", IMPORTS}),
        ("tests/journal/test_writer.py", {"tests/journal/test_writer.py"}),
        ("schemas/games/tic_tac_toe.xsd", {"tests/game_masters", "tests/test_validate.py"}),
        ("schemas/move.xsd", {"tests/wire", "tests/test_validate.py"}),
        ("CHANGELOG.md", set()),
        (".ci/run", set()),
    ],
)
def test_a_file_has_its_tests_where_its_package_has_them(file: str, tests: set[str]) -> None:
    assert set(paths_for(file)) == tests


@pytest.mark.parametrize("file", FOUNDATION)
def test_what_everything_stands_on_is_tested_by_all_that_is_pure(file: str) -> None:
    assert {f"tests/{folder}" for folder in PURE} < set(selection([file]))


def test_what_tests_share_is_tested_by_its_folder_and_by_those_who_import_it(tmp_path: Path) -> None:
    for name in ("tests/a/shared.py", "tests/a/test_a.py", "tests/b/test_b.py", "tests/b/test_c.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    (tmp_path / "tests/b/test_b.py").write_text("from tests.a.shared import thing\n")
    assert selection(["tests/a/shared.py"], tmp_path) == ["tests/a", "tests/b/test_b.py"]


def test_nothing_is_run_twice_and_nothing_that_is_not_there() -> None:
    files = ["tests/journal/test_writer.py", "ugs/journal/writer.py", "ugs/nowhere.py", "tests/test_gone.py"]
    assert selection(files) == ["tests/journal", IMPORTS]


def test_all_that_is_named_is_there() -> None:
    named = {test for tests in ELSEWHERE.values() for test in tests} | {f"tests/{folder}" for folder in PURE}
    assert sorted(test for test in named if not (TOP / test).exists()) == []
    assert sorted(file for file in (*FOUNDATION, *ELSEWHERE) if not (TOP / file).exists()) == []


class Repository:
    """A repository of one file on its branch ``main``."""

    def __init__(self, top: Path, origin: Path | None = None) -> None:
        self.top = top
        if origin is not None:
            self.git("clone", "--quiet", str(origin), ".")
            return
        self.git("init", "--quiet", "--initial-branch", "main")
        self.commits("old.py")

    def git(self, *arguments: str) -> None:
        """Run git there, as an author who has no configuration of its own."""
        author = ("-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false")
        subprocess.run(["git", *author, *arguments], cwd=self.top, check=True, capture_output=True)

    def writes(self, name: str) -> None:
        """Change a file, or begin one."""
        with (self.top / name).open("a") as file:
            file.write("more\n")

    def commits(self, name: str) -> None:
        """Change a file and commit it."""
        self.writes(name)
        self.git("add", name)
        self.git("commit", "--quiet", "--message", name)


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    """One that nobody has cloned."""
    (tmp_path / "first").mkdir()
    return Repository(tmp_path / "first")


def test_on_a_branch_commits_changes_and_new_files_since_main_count(repository: Repository) -> None:
    repository.git("checkout", "--quiet", "-b", "mine")
    repository.commits("committed.py")
    repository.writes("old.py")
    repository.writes("new.py")
    repository.git("branch", "other", "main")
    assert changed_files(repository.top) == ["committed.py", "new.py", "old.py"]


def test_what_main_has_got_since_is_not_ours(repository: Repository) -> None:
    repository.git("branch", "mine")
    repository.commits("theirs.py")
    repository.git("checkout", "--quiet", "mine")
    repository.commits("ours.py")
    assert changed_files(repository.top) == ["ours.py"]


def test_on_main_itself_what_is_not_published_counts(repository: Repository, tmp_path: Path) -> None:
    (tmp_path / "second").mkdir()
    clone = Repository(tmp_path / "second", repository.top)
    clone.commits("ours.py")
    assert changed_files(clone.top) == ["ours.py"]


def test_where_nothing_is_published_what_is_not_committed_counts(repository: Repository) -> None:
    repository.commits("ours.py")
    repository.writes("old.py")
    assert changed_files(repository.top) == ["old.py"]


def test_a_deleted_file_has_changed(repository: Repository) -> None:
    (repository.top / "old.py").unlink()
    assert changed_files(repository.top) == ["old.py"]
