"""``ugs new``: folders to begin with, and names that do not do."""

import os
import re
import runpy
import sys
from pathlib import Path
from typing import Final

import pytest
from defusedxml.ElementTree import fromstring

from tests.commands.line import ugs
from ugs.commands.kits import BOT, MASTER, Kit, kits_of
from ugs.commands.new import bot_languages, master_languages

KITS: Final = [(side, kit) for side in (BOT, MASTER) for kit in kits_of(side).values()]
each_kit = pytest.mark.parametrize(("side", "kit"), KITS, ids=lambda value: getattr(value, "language", value))


def files_in(folder: Path) -> dict[str, bytes]:
    """What a folder holds."""
    paths = [path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    return {str(path.relative_to(folder)): path.read_bytes() for path in paths}


@each_kit
def test_a_kit_is_copied_and_says_what_to_do(side: str, kit: Kit, tmp_path: Path) -> None:
    done = ugs("new", side, "--language", kit.language, tmp_path / "mine")
    assert done.exit_code == 0, done.output
    renamed = {
        name.replace("mybot", "mine"): re.sub(rb"\bmy(bot|master)\b", b"mine", content)
        for name, content in files_in(kit.folder).items()
    }
    assert files_in(tmp_path / "mine") == renamed
    assert renamed != files_in(kit.folder)
    assert {"README.md", kit.idea} <= files_in(kit.folder).keys()
    assert " ".join(kit.command) in done.stdout
    assert f"ugs check {side}" in done.stdout
    readme = (kit.folder / "README.md").read_text(encoding="utf-8")
    if side == BOT:
        assert "Edit this for your game" in readme
        other = f"    {' '.join(kit.command)} 127.0.0.1 4747 ada --game apologies --games 10\n"
        assert other in done.stdout
        assert other in readme
        first = (
            f"{' '.join(kit.command)} 127.0.0.1 4747 ada{' --session-file ada.session' if kit.keeps_session else ''}\n"
        )
        assert first in done.stdout
        assert first in readme
        match = f'{" ".join(kit.command)} {{host}} {{port}} {{nick}}" --bot random=builtin:random'
        assert f'ugs match tic-tac-toe --bot mine="{match}\n' in readme
        assert kit.keeps_session == ("session-file" in "".join(map(str, files_in(kit.folder).values())))
    assert " ".join(kit.command) in readme
    assert all(" ".join(line).removesuffix(" --offline") in readme or len(kit.build) > 1 for line in kit.build)


def test_the_kits_of_masters_show_a_state_and_a_move_of_their_game(monkeypatch: pytest.MonkeyPatch) -> None:
    kits = kits_of(MASTER)
    monkeypatch.syspath_prepend(kits["python"].folder)
    names = runpy.run_path(str(kits["python"].folder / "master.py"))
    monkeypatch.delitem(sys.modules, "protocol")
    game = names["ConnectFour"](["ann", "ben"])
    for column in (3, 2):
        assert game.play(fromstring(f'<move><drop column="{column}"/></move>')) == ""
    for kit in kits.values():
        readme = (kit.folder / "README.md").read_text(encoding="utf-8")
        assert f"    {game.state()}\n" in readme
        assert '    <move><drop column="3"/></move>\n' in readme


@pytest.mark.parametrize("folder", ["4 in a row", "lua", "my_bot", "ä"])
def test_a_folder_whose_name_does_not_do_everywhere_has_a_program_with_that_of_the_kit(
    folder: str, tmp_path: Path
) -> None:
    assert ugs("new", "bot", "--language", "lua", tmp_path / folder).exit_code == 0
    assert files_in(tmp_path / folder) == files_in(kits_of(BOT)["lua"].folder)
    assert ugs("new", "bot", "--language", "lua", tmp_path / "luabot").exit_code == 0
    assert (tmp_path / "luabot" / "luabot-1.0-1.rockspec").is_file()


def test_without_a_language_a_bot_is_in_python(tmp_path: Path) -> None:
    assert ugs("new", "bot", tmp_path / "mine").exit_code == 0
    assert (tmp_path / "mine" / "bot.py").is_file()


def test_an_unknown_language_is_told_with_what_there_is(tmp_path: Path) -> None:
    done = ugs("new", "bot", "--language", "pyton", tmp_path / "mine")
    assert done.exit_code == 2
    assert (
        "there is no bot in 'pyton' (did you mean 'python'?); there are python, python-kit, javascript" in done.stderr
    )
    assert not (tmp_path / "mine").exists()


def test_a_bot_in_another_language_begins_with_a_page(tmp_path: Path) -> None:
    done = ugs("new", "bot", "-l", "tcl", tmp_path / "mine")
    assert done.exit_code == 2
    end = "ocaml; your language is not here: begin with `ugs example first-bot.md`"
    assert " ".join(done.stderr.split()).endswith(end)


def test_a_master_in_a_language_that_has_only_a_bot_begins_with_its_protocol(tmp_path: Path) -> None:
    done = ugs("new", "master", "--language", "RS", tmp_path / "mine")
    assert done.exit_code == 2
    end = (
        "in rust: take Element, Documents, escape from src/protocol.rs of `ugs new bot --language rust` to read and "
        "write documents; `ugs example master-writer.md` has the messages"
    )
    assert " ".join(done.stderr.split()).endswith(end)


def test_a_kit_of_a_bot_whose_language_has_a_master_is_told_with_what_there_is(tmp_path: Path) -> None:
    done = ugs("new", "master", "--language", "python-kit", tmp_path / "mine")
    assert done.exit_code == 2
    assert " ".join(done.stderr.split()).endswith("there are javascript, python, go")


@pytest.mark.parametrize("words", [("bot",), ("master",), ("game", "--name", "mine")])
@pytest.mark.parametrize("there", ["folder", "file", "link"])
def test_nothing_is_overwritten(words: tuple[str, ...], there: str, tmp_path: Path) -> None:
    mine = tmp_path / "mine"
    if there == "folder":
        mine.mkdir()
        (mine / "bot.py").write_text("all my work")
    elif there == "file":
        mine.write_text("all my work")
    else:
        mine.symlink_to(tmp_path / "elsewhere")
    done = ugs("new", *words, mine)
    why = {"folder": "File exists", "file": "is a file, not a", "link": "is a link to what does not exist"}[there]
    assert (done.exit_code, why in done.stderr) == (1 if there == "folder" else 2, True)
    assert not (tmp_path / "elsewhere").exists()
    assert [file.read_text() for file in tmp_path.rglob("*") if file.is_file()] in (["all my work"], [])


def test_a_folder_with_an_odd_name_is_a_word_of_a_shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert "cd 'my bot; ls'\n" in ugs("new", "bot", "my bot; ls").stdout
    assert "cd ./-rf\n" in ugs("new", "bot", "--", "-rf").stdout
    assert "\x1b" not in ugs("new", "bot", "red\x1b[31m").stdout


def test_languages_are_listed_with_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    listed = ugs("new", "languages").stdout.splitlines()
    assert [line.split()[:2] for line in listed] == [[side, kit.language] for side, kit in KITS]
    monkeypatch.setenv("PATH", os.devnull)
    (rust,) = [line for line in ugs("new", "languages").stdout.splitlines() if line.split()[1] == "rust"]
    assert rust.endswith("not here: cargo (Debian: cargo)")


def test_a_missing_tool_is_named_with_its_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", os.devnull)
    done = ugs("new", "bot", "--language", "go", tmp_path / "mine")
    assert (done.exit_code, done.stderr) == (0, "ugs new: not here: go (Debian: apt-get install golang-go)\n")


def test_a_shell_completes_languages() -> None:
    assert bot_languages("ja") == ["javascript", "java"]
    assert master_languages("j") == ["javascript"]
