"""Settings: names, defaults, per-type overrides, and the messages about mistakes."""

from pathlib import Path

import pytest

from ugs.config import Config, ConfigError, GameTypeSettings, load, parse

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
    assert set(GameTypeSettings.fields()) >= PER_GAME_TYPE


@pytest.mark.parametrize("name", sorted(Config.fields()))
def test_every_setting_is_explained(name: str) -> None:
    description = Config.fields()[name].description
    assert description
    if name.endswith("_s"):
        assert "second" in description
    if name.endswith("_bytes"):
        assert "byte" in description


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
        ("max_depth = 3", ["max_depth = 3", "allowed: a whole number, at least 4, at most 1000"]),
        ("max_depth = true", ["max_depth = True", "whole number"]),
        ('port = "4747"', ["port = '4747'", "whole number"]),
        ("move_timeout_s = 0", ["move_timeout_s = 0", "above 0"]),
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
        ("port = 1\n[server]\nport = 2", ["server.port: port stands above the tables, too; give it once"]),
        ("[wire]\nmax_depth = 3", ["max_depth = 3", "allowed: a whole number, at least 4, at most 1000"]),
        ("wire = 5", ["wire = 5: a table is expected: [wire]"]),
        ("[wires]\nmax_depth = 5", ["unknown key wires", "did you mean 'wire'?", "allowed: "]),
        ('[wire]\n"\\u001b[31m" = 5', ["unknown key wire.\\u{1b}[31m; allowed in [wire]: "]),
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
