"""The configuration file: every setting at its default, as the code has it."""

from pathlib import Path

from ugs.config import Config, load
from ugs.config_text import written_out
from ugs.gateway import all_settings, settings_of

CONF = Path(__file__).parents[1] / "conf"


def test_the_file_of_defaults_is_the_code_written_out() -> None:
    assert (CONF / "ugs.toml").read_text(encoding="utf-8") == written_out(all_settings())


def test_the_file_of_defaults_sets_everything_to_its_default() -> None:
    config = load(CONF / "ugs.toml", None, settings_of)
    assert config.but(gateways={}) == load(None)
    assert config.given == set(Config.fields()) - {"game_types"}
    assert set(config.gateways) == set(all_settings())
    for name, model in all_settings().items():
        assert config.gateways[name] == model.read({})
        assert config.gateways[name].given == set(model.fields())


def test_the_example_in_the_file_of_defaults_may_be_uncommented(tmp_path: Path) -> None:
    head, _, example = written_out().partition("# ---- Single game types, for example ----\n#\n")
    file = tmp_path / "ugs.toml"
    file.write_text(head + example.replace("# ", ""))
    assert load(file).game_type("5-in-line-tic-tac-toe").championship_players == 8
