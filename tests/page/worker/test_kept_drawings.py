"""A game that the last copy of the site has drawn is not drawn again, unless something about it has changed."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.page.test_pages import ended
from ugs.journal.importing import store
from ugs.page.contract import Facts, SiteSettings
from ugs.page.played import PlayedGame
from ugs.page.worker import exported_games, kept_drawings
from ugs.page.worker import games as worker_games
from ugs.page.worker.exported_games import ExportedGame, _Alone
from ugs.page.worker.kept_drawings import FOLDER
from ugs.page.worker.public_journal import PublicJournal


class Copies:
    """Copies of a site with one game into the same directory."""

    def __init__(self, directory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.settings = SiteSettings(str(directory / "data"))
        self.site = directory / "site"
        self.site.mkdir()
        Path(self.settings.data_dir).mkdir()
        assert store(Path(self.settings.data_dir), ended(1))
        self.drawn = 0
        draw = worker_games.game

        def counted(site: PublicJournal, asked: Mapping[str, Any], facts: Facts) -> PlayedGame:
            self.drawn += 1
            return draw(site, asked, facts)

        monkeypatch.setattr(exported_games, "game", counted)

    def makes(self) -> ExportedGame:
        """One more copy."""
        studio = _Alone(self.settings, self.site)
        studio.order("page.html", {"id": "game1"})
        return studio.take("page.html")


@pytest.fixture
def copies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Copies:
    return Copies(tmp_path, monkeypatch)


def test_the_second_copy_draws_nothing_and_shows_the_same(copies: Copies) -> None:
    first, files = copies.makes(), {path: path.read_bytes() for path in copies.site.iterdir() if path.is_file()}
    assert copies.makes() == first
    assert copies.drawn == 1
    assert {path: path.read_bytes() for path in copies.site.iterdir() if path.is_file()} == files


def test_other_settings_draw_again(copies: Copies) -> None:
    copies.makes()
    copies.settings = replace(copies.settings, open_records=True)
    copies.makes()
    assert copies.drawn == 2


def test_other_code_draws_again(copies: Copies, monkeypatch: pytest.MonkeyPatch) -> None:
    copies.makes()
    monkeypatch.setattr(kept_drawings, "code_digest", lambda: b"other")
    copies.makes()
    assert copies.drawn == 2


def test_positions_that_are_gone_are_drawn_again(copies: Copies) -> None:
    first = copies.makes()
    (copies.site / first.script).unlink()
    assert copies.makes() == first
    assert copies.drawn == 2


@pytest.mark.parametrize("damaged", [b"", b"{}", b"[1]", b'{"origin": 1', b"\xff"])
def test_what_is_damaged_is_drawn_again(copies: Copies, damaged: bytes) -> None:
    first = copies.makes()
    (copies.site / FOLDER / "page.json").write_bytes(damaged)
    assert copies.makes() == first
    assert copies.drawn == 2
