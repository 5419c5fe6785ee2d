"""The settings that say who may come in."""

import pytest

from ugs.config import ConfigError, parse


@pytest.mark.parametrize("rule", ["", "ann", "10.0.0.1", "10.0.0.1 ", "here ann", "10.0.0.0/33 ann"])
def test_a_rule_about_addresses_that_need_no_token_is_a_range_and_a_name(rule: str) -> None:
    with pytest.raises(ConfigError, match=r"auth_addresses = .*not RANGE NAME"):
        parse({"auth_addresses": [rule]}, "test")


def test_tokens_are_needed_by_players_or_by_masters_of_some_type() -> None:
    assert not parse({}, "test").needs_tokens
    assert parse({"auth": "register"}, "test").needs_tokens
    assert parse({"auth_masters": "tokens"}, "test").needs_tokens
    assert parse({"game_types": {"go": {"auth_masters": "tokens"}}}, "test").needs_tokens
