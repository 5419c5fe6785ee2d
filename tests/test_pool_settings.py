"""Settings of pools: in force for all game types or for one, with what they may be."""

import pytest

from ugs.config import ConfigError, parse
from ugs.pool_settings import PoolSettings


def test_they_may_differ_from_one_game_type_to_the_next() -> None:
    config = parse({"players_wanted": 3, "game_types": {"titan": {"players_wanted": 6, "gather_s": 60}}}, "test")
    titan, chess = config.game_type("titan"), config.game_type("chess")
    assert (titan.players_wanted, titan.gather_s, titan.gather_as_offered) == (6, 60, True)
    assert (chess.players_wanted, chess.gather_s, chess.gather_as_offered) == (3, 0, True)


@pytest.mark.parametrize("name", sorted(PoolSettings.fields()))
def test_none_of_them_is_negative(name: str) -> None:
    with pytest.raises(ConfigError, match=name):
        parse({"game_types": {"titan": {name: -1}}}, "test")
