"""``ugs example``: what comes with ugs is there by its name."""

import re
from pathlib import Path

import pytest

from tests.commands.line import ugs
from ugs.commands.example import files, names

TOP = Path(__file__).parents[2]


@pytest.mark.parametrize(
    "name", ["examples/session_player.py", "conf/ugs.service", "docs/organiser.md", "schemas/games/catan.xsd"]
)
def test_a_file_is_printed_as_it_is(name: str) -> None:
    result = ugs("example", Path(name).name)
    assert (result.exit_code, result.stdout) == (0, (TOP / name).read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    "path",
    [
        "docs/first-bot.md",
        "examples/session_player.py",
        "examples/README.md",
        "conf/ugs.service",
        "schemas/README.md",
        "schemas/games/catan.xsd",
        "./docs/kits.md",
        "README.md",
        "CHANGELOG.md",
    ],
)
def test_a_file_is_printed_by_its_path_in_the_manual(path: str) -> None:
    result = ugs("example", path)
    assert (result.exit_code, result.stdout) == (0, (TOP / path).read_text(encoding="utf-8"))


def test_what_the_first_page_links_to_is_printed_or_said_to_be_in_a_checkout_only() -> None:
    links = set(re.findall(r"\]\(([^):#]+)[#)]", (TOP / "README.md").read_text(encoding="utf-8")))
    assert {"CONTRIBUTING.md", "docs/first-bot.md"} <= links
    for link in sorted(links):
        result = ugs("example", link)
        assert result.exit_code == 0 or f"{link} is in a checkout only; a running server shows" in result.stderr


def test_a_wrong_path_is_told_with_the_one_that_was_meant() -> None:
    result = ugs("example", "docs/frist-bot.md")
    assert result.exit_code == 2
    assert "(did you mean 'docs/first-bot.md'?)" in result.stderr


def test_without_a_name_all_are_listed() -> None:
    listed = ugs("example").stdout
    for folder in ("examples", "conf", "docs", "schemas", "schemas/games", "schemas/messages"):
        for path in (TOP / folder).iterdir():
            assert path.name in listed or path.is_dir() or path.name == "README.md"
    assert "payloads of the games: apologies.xsd, " in listed


@pytest.mark.parametrize(
    ("name", "path"),
    [("README.md", "README.md"), ("protocol.md", "schemas/README.md"), ("examples.md", "examples/README.md")],
)
def test_pages_with_one_name_have_names_of_their_own(name: str, path: str) -> None:
    assert ugs("example", name).stdout == (TOP / path).read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["ugs-nim", "tic-tac-toe"])
def test_a_package_and_a_game_are_copied(name: str, tmp_path: Path) -> None:
    done = ugs("example", name, str(tmp_path / "mine"))
    assert (done.exit_code, "files" in done.stdout) == (0, True)
    copied = {path.name for path in (tmp_path / "mine").rglob("*")}
    assert copied >= {"rules.py", "notation.py", "bots.py"}
    assert "__pycache__" not in copied
    again = ugs("example", name, str(tmp_path / "mine"))
    assert (again.exit_code, "exists" in again.stderr) == (1, True)


def test_a_wrong_name_is_told_with_the_one_that_was_meant() -> None:
    result = ugs("example", "sesion_player.py")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == (
        "ugs example: there is no file 'sesion_player.py' (did you mean 'session_player.py'?); "
        "`ugs example` lists them\n"
    )


def test_a_shell_completes_names() -> None:
    assert names("session") == ["session_player.py"]
    assert "ugs-nim" in names("ugs-")


def test_a_package_has_its_own_files(tmp_path: Path) -> None:
    package = tmp_path / "site-packages" / "ugs"
    (package / "_data" / "examples").mkdir(parents=True)
    (package / "_data" / "examples" / "x.py").touch()
    assert files(package) == {"x.py": package / "_data" / "examples" / "x.py"}


def test_a_file_is_not_copied_to_a_folder() -> None:
    said = ugs("example", "ugs.toml", "there")
    assert (said.exit_code, said.stdout, "ugs.toml is a file" in said.stderr) == (2, "", True)
