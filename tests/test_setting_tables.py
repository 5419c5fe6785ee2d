"""Settings in tables of a file, and above them."""

from pathlib import Path

from ugs.config import Config, load, parse
from ugs.gateway import settings_of
from ugs.setting_tables import TABLE_OF, TABLES, as_toml

CONF = Path(__file__).parents[1] / "conf"


def test_each_setting_stands_in_one_table() -> None:
    own_tables = {"game_types", "gateways", "site", "tls"}
    assert sorted(name for names in TABLES.values() for name in names) == sorted(set(Config.fields()) - own_tables)
    assert not {*TABLES, *own_tables} & {*TABLE_OF}


def test_tables_and_settings_outside_of_them_are_read_alike(tmp_path: Path) -> None:
    old, new = tmp_path / "old.toml", tmp_path / "new.toml"
    old.write_text("port = 1\nmax_depth = 9\nmove_timeout_s = 3\n[game_types.go]\ngather_s = 2\n")
    new.write_text(
        "[server]\nport = 1\n[wire]\nmax_depth = 9\n[clocks]\nmove_timeout_s = 3\n[game_types.go]\ngather_s = 2\n"
    )
    noted: list[str] = []
    assert load(old, note=noted.extend) == load(new)
    assert noted == ["port", "max_depth", "move_timeout_s"]


def test_nothing_is_noted_of_a_file_with_tables(tmp_path: Path) -> None:
    noted: list[str] = []
    load(CONF / "ugs.toml", {"port": 2}, settings_of, noted.extend)
    assert noted == []


def test_settings_written_in_tables_are_read_back(tmp_path: Path) -> None:
    file = tmp_path / "ugs.toml"
    said: dict[str, bool | float | str] = {
        "port": 1,
        "move_timeout_s": 2.5,
        "log_joined": False,
        "host": "::1",
        "time_s": 9,
    }
    file.write_text(as_toml(said))
    assert load(file) == parse(said, "here")
