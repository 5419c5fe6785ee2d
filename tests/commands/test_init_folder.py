"""The files of a contest's folder."""

import errno
import re
import subprocess
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest

from tests.commands.line import ugs
from ugs.championship.plan import parse_plan
from ugs.commands.app import COMMANDS
from ugs.commands.init_folder import PLAN, Contest, Machine, files_of, page, plan, settings, write_files
from ugs.config import Config

UNITS = {
    name: (Path(__file__).parents[2] / "conf" / name).read_text("utf-8")
    for name in ("ugs.service", "ugs-master@.service")
}
CONTEST = Contest("cup", "tic-tac-toe", "5-in-line-tic-tac-toe", True, "tokens", 8)


@pytest.mark.parametrize("folder", ["/srv/cup", "/home/ann/cup"])
def test_units_are_those_that_come_with_ugs_for_this_folder(folder: str, tmp_path: Path) -> None:
    files = files_of(CONTEST, Path(folder), Machine("/opt/py/bin/python", "ann", UNITS))
    home = "read-only" if folder.startswith("/home") else "yes"
    for name, command in (("ugs.service", "ugs serve --config"), ("ugs-master.service", "ugs master tic-tac-toe")):
        lines = files[name].splitlines()
        assert lines[0] == "[Unit]"
        (start,) = [line for line in lines if line.startswith("ExecStart=")]
        assert start.startswith(f"ExecStart=/opt/py/bin/python -m {command}")
        assert {f"WorkingDirectory={folder}", "User=ann", f"ProtectHome={home}", "NoNewPrivileges=yes"} <= set(lines)
        assert "StateDirectory" not in files[name]
        assert "DynamicUser" not in files[name]
        (tmp_path / name).write_text(files[name])
        command_line = ["systemd-analyze", "security", "--offline=yes", "--threshold=20", str(tmp_path / name)]
        rated = subprocess.run(command_line, capture_output=True, text=True, check=False)
        assert rated.returncode == 0, rated.stdout[-200:] + rated.stderr


def test_the_page_names_commands_that_exist() -> None:
    known = {name for name, _ in COMMANDS} | {"master", "bot"}
    said = re.findall(r"^ugs (\w+)", page(CONTEST, "ann"), re.MULTILINE)
    assert len(said) >= 7
    assert set(said) <= known


def test_the_page_tells_what_comes_after_the_championship() -> None:
    told = page(replace(CONTEST, title="Ann's cup"), "ann")
    for command in (
        "ugs championship correct 'Ann'\"'\"'s cup' GAME",
        "ugs championship show 'Ann'\"'\"'s cup' --data-dir data",
        "ugs admin resume 5-in-line-tic-tac-toe",
        "ugs admin drain",
        "ugs site export",
        "ugs example organiser.md",
    ):
        assert command in told


def test_the_championship_is_all_that_is_played_and_a_trial_leaves_no_trace_in_it() -> None:
    assert parse_plan(tomllib.loads(plan(CONTEST)), PLAN).open_play is False
    assert "ugs serve --config ugs.toml --data-dir trial" in page(CONTEST, "ann")
    alone = page(replace(CONTEST, players=0), "ann")
    assert ("trial" in alone, "To try it:" in alone) == (False, True)


def test_the_page_tells_how_spectators_see_it_live_and_what_ends_with_the_server() -> None:
    told = page(CONTEST, "ann")
    assert "let the bots connect first: in championship.toml set `begins_at`" in told
    assert told.index("ugs admin drain") < told.index("stop the master and the bots with Ctrl-C") < told.index("export")


def test_where_names_register_the_page_tells_how_a_player_sets_its_secret() -> None:
    told = page(replace(CONTEST, auth="register"), "ann")
    assert "the first login of a name sets it" in told
    assert "ugs bot tic-tac-toe --connect THIS-MACHINE:4747 --nick NAME --token-file secret.txt" in told
    assert "--token-file" not in page(replace(CONTEST, auth="none"), "ann")


def test_games_of_a_lost_master_wait_as_the_manual_recommends() -> None:
    assert tomllib.loads(settings(CONTEST))["game_types"]["5-in-line-tic-tac-toe"]["master_grace_s"] == 30


def test_the_settings_have_places_for_ports_and_texts_with_their_defaults() -> None:
    defaults = Config()
    written = settings(CONTEST)
    assert tomllib.loads(written)["http"]["http_port"] == defaults.http_port
    assert "port" not in tomllib.loads(written)["server"]
    uncommented = tomllib.loads(re.sub(r"^# (?=\w+ = )", "", written, flags=re.MULTILINE))
    assert uncommented["server"]["port"] == defaults.port
    assert uncommented["site"] == {"title": CONTEST.title, "text": defaults.site.text}


@pytest.mark.parametrize(("form", "key"), [("round-robin", "repeats"), ("swiss", "rounds"), ("knock-out", "best_of")])
def test_a_plan_has_a_place_for_its_length(form: str, key: str) -> None:
    text = plan(replace(CONTEST, format=form))
    (line,) = (line for line in text.splitlines() if line.startswith(f"# {key} = "))
    longer = parse_plan(tomllib.loads(text.replace(line, line.removeprefix("# "))), PLAN)
    assert getattr(longer, key) == int(line.rpartition(" ")[2])


def test_a_folder_passes_its_own_examination(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert ugs("init", tmp_path / "cup", "--yes", "--players", "4").exit_code == 0
    monkeypatch.chdir(tmp_path / "cup")
    found = ugs("doctor").stdout
    assert re.search(r"good +settings +ugs.toml: can be used", found)


@pytest.mark.parametrize("there", [True, False])
def test_where_a_file_cannot_be_written_none_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, there: bool
) -> None:
    folder = tmp_path / "cup"
    if there:
        folder.mkdir()
    write = Path.write_text

    def full(path: Path, text: str, **how: str) -> int:
        if path.name == "c":
            path.touch()
            raise OSError(errno.ENOSPC, "No space left on device")
        return write(path, text, **how)

    monkeypatch.setattr(Path, "write_text", full)
    with pytest.raises(OSError, match="No space left"):
        write_files(folder, {"a": "1", "b": "2", "c": "3", "d": "4"})
    assert [path.name for path in tmp_path.rglob("*")] == (["cup"] if there else [])
