"""Settings: names, defaults, per-type overrides, and the messages about mistakes."""

from pathlib import Path

import pytest

from ugs.config import Config, ConfigError, GameTypeSettings, load, parse
from ugs.config_text import written_out
from ugs.gateway import all_settings, settings_of
from ugs.setting_tables import TABLE_OF, TABLES, as_toml

CONF = Path(__file__).parents[1] / "conf"

# Every setting that the text of the protocol names, with the default given there.
PROMISED: dict[str, object] = {
    "xml_declaration": "mirror",
    "max_message_bytes": 1024 * 1024,
    "max_message_bytes_before_login": 256 * 1024,
    "max_depth": 64,
    "max_attributes": 64,
    "max_markup": 16_000,
    "max_errors_per_minute": 30,
    "login_timeout_s": 10,
    "login_attempts": 3,
    "allowed_game_types": (),
    "max_pool": 10_000,
    "masters_per_game": 1,
    "gather_s": 0,
    "max_games_per_master": 0,
    "begin_timeout_s": 10,
    "master_strikes": 3,
    "move_timeout_s": 30,
    "master_timeout_s": 30,
    "master_grace_s": 0,
    "thank_you_timeout_s": 10,
    "champions_interval_s": 2,
    "drain_s": 0,
    "validation": "envelope",
    "quiet_master": False,
    "max_outbox_bytes": 4 * 1024 * 1024,
    "write_timeout_s": 30,
    "max_connections": 12_000,
    "max_connections_per_ip": 5_000,
    "port": 4747,
    "host": "127.0.0.1",
}
PER_GAME_TYPE = {"gather_s", "max_pool", "masters_per_game", "max_games_per_master", "begin_timeout_s"} | {
    *("master_strikes", "move_timeout_s", "master_timeout_s", "master_grace_s", "thank_you_timeout_s"),
    *("champions_interval_s", "quiet_master"),
}


@pytest.mark.parametrize("name", sorted(PROMISED))
def test_every_promised_setting_exists_with_its_default(name: str) -> None:
    assert getattr(load(None), name) == PROMISED[name]


def test_what_may_differ_between_game_types() -> None:
    assert set(GameTypeSettings.model_fields) >= PER_GAME_TYPE


@pytest.mark.parametrize("name", sorted(Config.model_fields))
def test_every_setting_is_explained(name: str) -> None:
    description = Config.model_fields[name].description
    assert description
    if name.endswith("_s"):
        assert "second" in description
    if name.endswith("_bytes"):
        assert "byte" in description


def test_the_file_of_defaults_is_the_code_written_out() -> None:
    assert (CONF / "ugs.toml").read_text(encoding="utf-8") == written_out(all_settings())


def test_the_file_of_defaults_sets_everything_to_its_default() -> None:
    config = load(CONF / "ugs.toml", None, settings_of)
    assert config.model_copy(update={"gateways": {}}) == load(None)
    assert config.model_fields_set == set(Config.model_fields) - {"game_types"}
    assert set(config.gateways) == set(all_settings())
    for name, model in all_settings().items():
        assert config.gateways[name] == model.model_validate({})
        assert config.gateways[name].model_fields_set == set(model.model_fields)


def test_the_example_in_the_file_of_defaults_may_be_uncommented(tmp_path: Path) -> None:
    head, _, example = written_out().partition("# ---- Single game types, for example ----\n#\n")
    file = tmp_path / "ugs.toml"
    file.write_text(head + example.replace("# ", ""))
    assert load(file).game_type("5-in-line-tic-tac-toe").championship_players == 8


def test_without_a_file_all_is_default() -> None:
    assert load(None) == load(None)


def test_a_setting_of_one_game_type_holds_for_that_one_only(tmp_path: Path) -> None:
    file = tmp_path / "ugs.toml"
    file.write_text('move_timeout_s = 20\ngather_s = 1.5\n[game_types."go 9x9"]\nmove_timeout_s = 5\n')
    config = load(file)
    assert (config.game_type("go 9x9").move_timeout_s, config.game_type("go 9x9").gather_s) == (5, 1.5)
    assert (config.game_type("chess").move_timeout_s, config.game_type("chess").gather_s) == (20, 1.5)


def test_the_command_line_lies_over_the_file(tmp_path: Path) -> None:
    file = tmp_path / "ugs.toml"
    file.write_text('port = 1\nhost = "::1"\n[game_types.go]\nmove_timeout_s = 5\n[game_types.chess]\ngather_s = 2\n')
    championship = {"go": {"mode": "championship", "championship_players": 4}}
    config = load(file, {"port": 2, "game_types": championship})
    assert (config.port, config.host) == (2, "::1")
    assert (config.game_type("go").move_timeout_s, config.game_type("go").championship_players) == (5, 4)
    assert config.game_type("chess").gather_s == 2


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("gather = 1", ["unknown key gather", "allowed: ", "gather_s", "max_pool"]),
        ("[game_types.go]\nport = 1", ["unknown key game_types.go.port", "allowed: ", "gather_s"]),
        ("max_depth = 3", ["max_depth = 3", "greater than or equal to 4"]),
        ("max_depth = true", ["max_depth = True", "integer"]),
        ('port = "4747"', ["port = '4747'", "integer"]),
        ("move_timeout_s = 0", ["move_timeout_s = 0", "greater than 0"]),
        ("move_timeout_s = inf", ["move_timeout_s = inf", "finite"]),
        ("gather_s = nan", ["gather_s = nan"]),
        ('xml_declaration = "never"', ["xml_declaration = 'never'", "'mirror' or 'always'"]),
        ('validation = "lax"', ["validation = 'lax'", "'envelope' or 'strict'"]),
        ('log_level = "loud"', ["log_level = 'loud'", "'debug', 'info', 'warning' or 'error'"]),
        ('allowed_game_types = [""]', ["allowed_game_types.0 = ''", "at least 1 character"]),
        ('[game_types.go]\nmode = "cup"', ["game_types.go.mode = 'cup'", "'open' or 'championship'"]),
        ('[game_types.go]\nchampionship_at = "noon"', ["championship_at = 'noon'", "allowed", "2030-05-01T20:00"]),
        ('championship_at = "2030-05-01T20:00"', ["championship_at", "allowed only under [game_types."]),
        ("port = ", ["not TOML"]),
        ("[wire]\nport = 1", ["wire.port: port stands in [server]"]),
        (
            "[wire]\nmax_dept = 9",
            ["unknown key wire.max_dept", "did you mean 'max_depth'?", "allowed in [wire]: ", "validation"],
        ),
        ("port = 1\n[server]\nport = 2", ["server.port: port stands above the tables, too; say it once"]),
        ("[wire]\nmax_depth = 3", ["max_depth = 3", "greater than or equal to 4"]),
        ("wire = 5", ["wire = 5: a table is expected: [wire]"]),
        ("[wires]\nmax_depth = 5", ["unknown key wires", "did you mean 'wire'?", "allowed: "]),
        ("[game_types.go.clocks]\nmove_timeout_s = 5", ["unknown key game_types.go.clocks", "move_timeout_s"]),
    ],
)
def test_a_mistake_is_named_with_file_key_value_and_what_is_allowed(
    tmp_path: Path, text: str, words: list[str]
) -> None:
    file = tmp_path / "my.toml"
    file.write_text(text)
    with pytest.raises(ConfigError) as caught:
        load(file)
    message = str(caught.value)
    assert str(file) in message
    for word in words:
        assert word in message


def test_every_mistake_is_named_at_once() -> None:
    with pytest.raises(ConfigError) as caught:
        parse({"port": -1, "colour": "red"}, "here")
    assert len(str(caught.value).splitlines()) == 2


def test_a_mistake_of_the_command_line_is_not_blamed_on_the_file(tmp_path: Path) -> None:
    file = tmp_path / "my.toml"
    file.write_text("port = 1")
    with pytest.raises(ConfigError, match=r"^command line: port = 99999: "):
        load(file, {"port": 99_999})


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"nowhere\.toml: cannot be read: No such file"):
        load(tmp_path / "nowhere.toml")


def test_a_file_in_another_encoding(tmp_path: Path) -> None:
    file = tmp_path / "latin.toml"
    file.write_bytes('host = "h\xf6st"'.encode("latin-1"))
    with pytest.raises(ConfigError, match=r"latin\.toml: not UTF-8: .* at byte 9"):
        load(file)


def test_each_setting_stands_in_one_table() -> None:
    own_tables = {"game_types", "gateways", "site", "tls"}
    assert sorted(name for names in TABLES.values() for name in names) == sorted(set(Config.model_fields) - own_tables)
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
