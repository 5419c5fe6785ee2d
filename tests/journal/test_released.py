"""Today's server goes on with the journal of every released version, and with that of the version that is here."""

import re
import zipfile
from pathlib import Path

import pytest

from tests.end_to_end.processes import Server
from tests.journal.released import FOLDER, known_of, unpack
from ugs import __version__

VERSIONS = sorted(FOLDER.glob("*.zip"))
CHANGELOG = (Path(__file__).parents[2] / "CHANGELOG.md").read_text(encoding="utf-8")


def test_there_is_a_journal_of_each_version_of_the_changelog_and_of_this_one() -> None:
    told = set(re.findall(r"^## (\d+\.\d+\.\d+)", CHANGELOG, re.MULTILINE))
    assert told | {__version__} == {path.stem for path in VERSIONS}


@pytest.mark.parametrize("archive", VERSIONS, ids=lambda path: path.stem)
def test_todays_server_goes_on_with_it(archive: Path, tmp_path: Path) -> None:
    data = tmp_path / "data"
    known = unpack(archive, data)
    assert known_of(data) == known, "read only, as `ugs record` does"
    with Server(tmp_path, "--data-dir", data, config="master_grace_s = 0\n") as server:
        assert server.stops() == 0, server.output
        assert server.complaints() == []
    after = known_of(data)
    assert after["championships"] == known["championships"] == ["cup"]
    assert after["acts"] == known["acts"] == ["ban eve until lifted"]
    ended = {name: game for name, game in known["games"].items() if game["outcomes"]}
    assert len(ended) == 4
    assert {name: after["games"][name] for name in ended} == ended
    (cut,) = set(after["games"]) - set(ended)
    assert set(after["games"][cut]["outcomes"].values()) == {"void"}


def test_archives_are_small() -> None:
    for path in VERSIONS:
        with zipfile.ZipFile(path) as packed:
            assert {"journal.sqlite", "expected.json"} <= set(packed.namelist())
        assert path.stat().st_size < 100_000
