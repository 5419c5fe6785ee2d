"""The site as files: whole, with links that lead somewhere, without anything from elsewhere."""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import ugs.page.worker.export as export_module
import ugs.page.worker.exported_games as exported_games
from tests.commands.line import ugs
from tests.page.test_pages import NICK, SECRET, Links, ended, hidden
from tests.page.worker.test_packed_positions import read
from tests.standings.journals import Kept
from tests.standings.test_source import OPEN, a_cup, written
from tests.why.records import MOVE, STATE
from ugs.broker.values.record import EntryKind
from ugs.commands.site import QUIET_S
from ugs.journal.importing import store
from ugs.journal.reader import Reader
from ugs.page import worker_limits
from ugs.page.contract import PLAIN, Facts, SiteSettings
from ugs.page.worker.export import LEFT_OUT, export, file_name
from ugs.page.worker.exported_games import ExportedGame
from ugs.page.worker.games import replay_for
from ugs.page.worker.public_journal import NotThere, PublicJournal
from ugs.page.worker.replays import Replay
from ugs.page.worker_limits import MAX_EXPORT_S, STEPS_BEFORE


class Clock:
    """Processor time that passes as a test wants."""

    spent = 0.0

    def process_time(self) -> float:
        return self.spent

    def monotonic(self) -> float:
        return self.spent


def exported(tmp_path: Path, *options: str) -> dict[str, str]:
    """What is written of the journal in ``tmp_path/data``: texts by name."""
    site = tmp_path / "site"
    done = ugs("site", "export", str(site), "--data-dir", str(tmp_path / "data"), "--processes", "1", *options)
    assert done.exit_code == 0, done.output
    return {path.name: path.read_text("utf-8") for path in site.iterdir() if path.is_file()}


def kept(tmp_path: Path) -> None:
    """A journal with 60 games and a hostile nick."""
    (tmp_path / "data").mkdir()
    for number in range(60):
        assert store(tmp_path / "data", ended(number))
    assert store(tmp_path / "data", ended(60, NICK, "ann"))


def test_every_link_leads_to_a_file(tmp_path: Path) -> None:
    kept(tmp_path)
    files = exported(tmp_path)
    names = set(files) | {f"assets/{path.name}" for path in (tmp_path / "site" / "assets").iterdir()}
    pages = {name: Links(text) for name, text in files.items() if name.endswith(".html")}
    for name, page in pages.items():
        missing = [link for link in page.links if link.partition("?")[0].partition("#")[0] not in {*names, ""}]
        assert missing == [], name
        assert page.tags.isdisjoint({"style", "iframe", "object"})
    assert sum(name.startswith("game-") for name in pages) == 61
    assert "<script>alert" not in "".join(text for name, text in files.items() if name.endswith(".html"))


def test_games_come_after_the_pages_that_lead_to_games(tmp_path: Path) -> None:
    """Other processes draw them meanwhile: they had nothing to do until the games of the page before were written."""
    kept(tmp_path)
    wrote: list[str] = []
    export(SiteSettings(str(tmp_path / "data")), tmp_path / "site", 5, lambda name, _ahead: wrote.append(name))
    first_game = next(place for place, name in enumerate(wrote) if name.startswith("game-"))
    assert any(name.startswith("games-12-") for name in wrote[:first_game])  # those before the last fifty


def test_what_is_no_terminal_gets_a_line_of_progress_now_and_then(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A copy of sixty games took half a minute in silence."""
    kept(tmp_path)
    clock = Clock()

    def passing() -> float:
        clock.spent += QUIET_S / 4
        return clock.spent

    monkeypatch.setattr("ugs.commands.site.time", SimpleNamespace(monotonic=passing))
    done = ugs("site", "export", str(tmp_path / "site"), "--data-dir", str(tmp_path / "data"), "--games", "5")
    lines = done.stderr.splitlines()
    pages = int(re.findall(r": (\d+) pages", done.stdout)[0])
    assert len(lines) == (pages - 1) // 4
    found = [[int(number) for number in re.findall(r"\d+", line)] for line in lines]
    assert [written for written, _ in found] == [4 * number for number in range(1, len(lines) + 1)]
    assert all(ahead for _, ahead in found)
    assert "more are to come" in lines[0]


def test_games_are_drawn_from_the_beginning(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They were ordered page by page, and two drawing processes had nothing to do for a second."""
    kept(tmp_path)
    ordered: list[str] = []

    class Orders:
        def order(self, page: str, _query: object) -> None:
            ordered.append(page)

        def take(self, page: str) -> ExportedGame:
            raise NotThere(page)

    @contextmanager
    def studio(*_all: object) -> Iterator[Orders]:
        yield Orders()

    monkeypatch.setattr(export_module, "studio", studio)
    at_first: list[int] = []
    export(SiteSettings(str(tmp_path / "data")), tmp_path / "site", 60, lambda *_: at_first.append(len(ordered)))
    assert at_first[0] == 60
    assert len(set(ordered)) == 60


def test_games_whose_end_is_a_secret_take_the_place_of_none(tmp_path: Path) -> None:
    """The newest games did, of a type that spectators see late: a page that says so stood in the place of a replay."""
    (tmp_path / "data").mkdir()
    for number in range(2):
        assert store(tmp_path / "data", ended(number))
    newest = ended(2)
    assert newest.result is not None
    late = replace(newest, game_type="late", result=replace(newest.result, game_type="late"))
    assert store(tmp_path / "data", late)
    settings = SiteSettings(str(tmp_path / "data"), delays={"late": 1e9})
    done = export(settings, tmp_path / "site", 2, lambda *_: None)
    assert (done.games, done.left_out) == (2, set())
    assert len(list((tmp_path / "site").glob("game-*.js"))) == 2


def test_a_replay_has_its_positions_beside_it(tmp_path: Path) -> None:
    kept(tmp_path)
    files = exported(tmp_path, "--games", "2")
    scripts = [text for name, text in files.items() if name.endswith(".js")]
    assert len(scripts) == 2
    assert [len(read(script.encode())["positions"]) for script in scripts] == [3, 3]
    assert any(LEFT_OUT in text for text in files.values())


def test_a_replay_lists_all_its_moves_each_with_a_link_to_its_position(tmp_path: Path) -> None:
    """The page had the last sixty: the list was empty as soon as another one was shown."""
    (tmp_path / "data").mkdir()
    game, many = ended(1), 2 * STEPS_BEFORE
    begin, *_, end, verdict = game.entries
    moves = [replace(one, mono_us=one.mono_us + n) for n in range(many) for one in (STATE, MOVE)]
    assert store(tmp_path / "data", replace(game, entries=(begin, *moves, end, verdict)))
    files = exported(tmp_path)
    (page,) = [name for name in files if name.startswith("game-") and name.endswith(".html")]
    positions = len(read(files[page.replace(".html", ".js")].encode())["positions"])
    assert positions == many + 1
    lines = re.findall(r'<li value="\d+" data-position="(\d+)"[^>]*><a href="([^"]*)"', files[page])
    assert lines == [(str(number), f"{page}#move-{number - 1}") for number in range(1, positions + 1)]
    assert ">earlier</a>" not in files[page]


def test_replays_of_championships_come_before_those_of_open_play(tmp_path: Path) -> None:
    def cup_and_open_play(kept: Kept) -> None:
        a_cup(kept)
        kept.results(OPEN)  # the newest

    written(tmp_path / "data", cup_and_open_play)
    with Reader(tmp_path / "data") as reader:
        of_the_cup = {game.game_id for _number, game in reader.ended(championship="cup")}
        others = [game.game_id for _number, game in reader.ended() if not game.championship]
    assert len(of_the_cup) > 1
    assert len(others) > 1
    most = len(of_the_cup) + 1
    done = ugs("site", "export", str(tmp_path / "site"), "--data-dir", str(tmp_path / "data"), "--games", str(most))
    shown = [path.name for path in (tmp_path / "site").iterdir() if path.name.startswith("game-")]
    wanted = {*of_the_cup, others[0]}
    assert {game_id for game_id in (*of_the_cup, *others) if file_name("game", {"id": game_id}) in shown} == wanted
    assert f"{most} games with a replay; {len(others) - 1} games without, 0 of them of championships" in done.output
    one = ugs("site", "export", str(tmp_path / "other"), "--data-dir", str(tmp_path / "data"), "--games", "1")
    assert "1 game with a replay" in one.output


def test_games_of_championships_without_a_replay_are_counted(tmp_path: Path) -> None:
    written(tmp_path / "data", a_cup)
    done = ugs("site", "export", str(tmp_path / "site"), "--data-dir", str(tmp_path / "data"), "--games", "0")
    with Reader(tmp_path / "data") as reader:
        count = len(list(reader.ended(championship="cup")))
    assert f"{count} games without, {count} of them of championships" in done.output
    assert "<h1>This game has no replay in this copy</h1>" in (tmp_path / "site" / LEFT_OUT).read_text("utf-8")


def test_a_game_that_is_too_dear_is_written_as_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A full board of 100 x 100 took minutes."""
    kept(tmp_path)
    drawn: list[str] = []

    def dear(site: PublicJournal, query: Mapping[str, Any], facts: Facts) -> Replay:
        drawn.append(facts.get(PLAIN, ""))
        if not drawn[-1]:
            clock.spent += MAX_EXPORT_S
        return replay_for(site, query, facts)

    clock = Clock()
    monkeypatch.setattr(exported_games, "replay_for", dear)
    monkeypatch.setattr(worker_limits, "time", clock)
    files = exported(tmp_path, "--games", "1")
    why = "its pictures take more than 20 s of processor time"
    assert list(dict.fromkeys(drawn)) == ["", why]
    (script,) = [text for name, text in files.items() if name.endswith(".js")]
    assert len(read(script.encode())["positions"]) == 3
    assert any(why in text for name, text in files.items() if name.startswith("game-"))


def test_a_game_that_is_too_dear_even_as_text_has_its_record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept(tmp_path)
    monkeypatch.setattr(exported_games, "MAX_EXPORT_S", 0.0)
    files = exported(tmp_path, "--games", "1")
    assert not [name for name in files if name.endswith(".js")]
    (page,) = [text for name, text in files.items() if name.startswith("game-") and name.endswith(".html")]
    assert "data-replay" not in page
    assert ".ugsg" in page


def test_nothing_hidden_is_written(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    assert store(tmp_path / "data", hidden())
    everything = "".join(exported(tmp_path).values())
    assert SECRET.decode() not in everything
    assert "s3cr3t" not in everything


def test_a_directory_without_a_journal_is_one_line(tmp_path: Path) -> None:
    done = ugs("site", "export", str(tmp_path / "site"), "--data-dir", str(tmp_path))
    assert (done.exit_code, done.output.count("\n")) == (1, 1)
    assert "there is no journal here" in done.output


def test_names_of_files_are_harmless_and_each_its_own() -> None:
    nicks = ["ann", "Ann", "../../etc", "a/b", "a b", "a\x00b", "ü", "ö", "con", "x" * 64, "x" * 63]
    names = [file_name("player", {"nick": nick}) for nick in nicks]
    assert len({name.lower() for name in names}) == len(nicks)
    assert all(name.replace("-", "").replace(".", "").isalnum() and name.isascii() for name in names)


def test_the_first_page_is_as_the_settings_say_and_shows_the_last_championship(tmp_path: Path) -> None:
    written(tmp_path / "data", a_cup)
    settings = tmp_path / "evening.toml"
    settings.write_text('[site]\ntitle = "The cup of Kiel"\ntext = "Come all."\n')
    files = exported(tmp_path, "--config", str(settings))
    first = files["index.html"]
    assert "<h1>The cup of Kiel</h1>" in first
    assert "<p>Come all.</p>" in first
    assert '<dd class="winner"><bdi>ben</bdi></dd>' in first
    assert all("– The cup of Kiel</title>" in text for name, text in files.items() if name.endswith(".html"))


def test_a_championship_that_is_called_as_the_site_names_it_once(tmp_path: Path) -> None:
    """As ``ugs init`` calls it."""
    written(tmp_path / "data", a_cup)
    (tmp_path / "evening.toml").write_text('[site]\ntitle = "cup"\n')
    files = exported(tmp_path, "--config", str(tmp_path / "evening.toml"), "--games", "0")
    titles = [text.partition("<title>")[2].partition("</title>")[0] for text in files.values()]
    assert "cup – championship" in titles
    assert "cup – championship – cup" not in titles


def test_settings_that_cannot_be_used_are_one_line(tmp_path: Path) -> None:
    (tmp_path / "wrong.toml").write_text("[site]\ntitel = 'x'\n")
    done = ugs("site", "export", str(tmp_path / "site"), "--config", str(tmp_path / "wrong.toml"))
    assert (done.exit_code, "did you mean 'title'?" in done.output) == (2, True)
    done = ugs("site", "export", str(tmp_path / "site"))
    assert (done.exit_code, "give --data-dir, or data_dir in the settings" in done.output) == (2, True)


def test_a_game_that_its_master_has_sketched_is_drawn_so(tmp_path: Path) -> None:
    """Nobody needs the package of the game."""
    (tmp_path / "data").mkdir()
    sketch = b'<sketch><grid columns="2" rows="2"/><pieces at="1,1" colour="red"/><words>one red piece</words></sketch>'
    record = ended(1)
    state = next(place for place, one in enumerate(record.entries) if one.kind is EntryKind.STATE)
    drawn = replace(record.entries[state], kind=EntryKind.SKETCH, body=sketch)
    entries = (*record.entries[:state], drawn, *record.entries[state:])
    assert store(tmp_path / "data", replace(record, entries=entries))
    files = exported(tmp_path)
    (script,) = [text for name, text in files.items() if name.endswith(".js")]
    pieces = "".join(read(script.encode())["pieces"])
    assert "one red piece" in pieces
    assert "f-red" in pieces


def test_a_file_in_the_place_of_the_directory_is_named(tmp_path: Path) -> None:
    (tmp_path / "site").touch()
    done = ugs("site", "export", str(tmp_path / "site"), "--data-dir", str(tmp_path))
    assert (done.exit_code, "is a file, not a directory" in done.stderr) == (2, True)
