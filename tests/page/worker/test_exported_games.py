"""Games of a copy of the site that several draw at a time."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.page.test_pages import ended
from ugs.journal.importing import store
from ugs.page.contract import SiteSettings
from ugs.page.worker.exported_games import ExportedGame, _Alone, _Several
from ugs.page.worker.public_journal import NotThere


def test_several_write_what_one_writes(tmp_path: Path) -> None:
    data_dir, alone, several = (tmp_path / name for name in ("data", "alone", "several"))
    for path in (data_dir, alone, several):
        path.mkdir()
    for number in range(6):
        assert store(data_dir, ended(number))
    settings = SiteSettings(str(data_dir))
    with ThreadPoolExecutor(2) as pool:
        found: list[list[ExportedGame]] = []
        for studio in (_Alone(settings, alone), _Several(settings, several, pool)):
            for number in range(6):
                studio.order(f"page{number}.html", {"id": f"game{number}"})
            found.append([studio.take(f"page{number}.html") for number in range(6)])
    assert found[0] == found[1]
    assert [(one.file, one.script) for one in found[0]] == [(f"page{n}.ugsg", f"page{n}.js") for n in range(6)]
    files = {path.name: path.read_bytes() for path in alone.iterdir() if path.is_file()}
    assert len(files) == 12
    assert {path.name: path.read_bytes() for path in several.iterdir() if path.is_file()} == files


def test_a_game_that_is_not_there_is_told_where_it_is_taken(tmp_path: Path) -> None:
    assert store(tmp_path, ended(1))
    settings = SiteSettings(str(tmp_path))
    with ThreadPoolExecutor(1) as pool:
        for studio in (_Alone(settings, tmp_path), _Several(settings, tmp_path, pool)):
            studio.order("page.html", {"id": "other"})
            with pytest.raises(NotThere):
                studio.take("page.html")
