"""The table of kits: which there are, and where."""

import sys
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest

from ugs.commands.kits import BOT, MASTER, Kit, kit_called, kits_folder, kits_of

LANGUAGES: Final = {
    *("python", "javascript", "typescript", "java", "c", "cpp"),
    *("go", "rust", "csharp", "perl", "lua", "ruby", "ocaml"),
}
KITS: Final = [(side, kit) for side in (BOT, MASTER) for kit in kits_of(side).values()]
each_kit = pytest.mark.parametrize(("side", "kit"), KITS, ids=lambda value: getattr(value, "language", value))


def test_there_are_bots_in_thirteen_languages() -> None:
    assert set(kits_of(BOT)) >= LANGUAGES


@each_kit
def test_a_language_is_known_by_what_people_call_it(side: str, kit: Kit) -> None:
    for name in (kit.language, kit.language.upper(), *kit.also):
        assert kit_called(name, kits_of(side).values()) == kit


def test_an_installed_package_has_kits_of_its_own(tmp_path: Path) -> None:
    inside = tmp_path / "ugs" / "_data" / "examples" / "kits"
    inside.mkdir(parents=True)
    assert kits_folder(tmp_path / "ugs") == inside


@pytest.mark.parametrize(("probe", "missing"), [("raise SystemExit(3)", True), ("pass", False)])
def test_a_library_that_is_missing_counts_as_a_tool(probe: str, missing: bool) -> None:
    kit = replace(kits_of(BOT)["python"], tools=(), probe=(sys.executable, "-c", probe))
    assert bool(kit.missing()) == missing


def test_where_there_is_no_master_the_bot_names_what_a_master_takes_of_its_protocol() -> None:
    masters = kits_of(MASTER)
    for kit in kits_of(BOT).values():
        if kit.language not in masters and kit.language != "python-kit":
            file, *names = kit.reading
            text = (kit.folder / file).read_text(encoding="utf-8")
            assert names
            assert [name for name in names if name not in text] == []
