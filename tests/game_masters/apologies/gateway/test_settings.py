"""The settings of the gateway: what is promised of them, and that they are found where the server looks."""

import pytest

from game_masters.apologies.gateway.settings import ApologiesSettings
from ugs.config import load
from ugs.gateway import GatewaySettings, listening, settings_of

PROMISED: dict[str, object] = {
    "listen": "",
    "max_connections": 1000,
    "max_players": 100,
    "max_message_bytes": 64 * 1024,
    "connection_idle_s": 120,
    "connection_inactive_s": 300,
    "finished_keep_s": 2 * 24 * 60 * 60,
    "obsolete_check_s": 300,
    "ping_s": 20,
    "pong_timeout_s": 20,
    "close_s": 10,
}
"""The names and defaults in docs/apologies.md."""


def test_every_promised_setting_exists_with_its_default_and_no_other() -> None:
    assert ApologiesSettings.read({}).plain() == PROMISED


@pytest.mark.parametrize("name", sorted(set(ApologiesSettings.fields()) - set(GatewaySettings.fields())))
def test_every_setting_is_explained(name: str) -> None:
    description = ApologiesSettings.fields()[name].description
    assert description
    if name.endswith("_s"):
        assert "second" in description


def test_they_are_found_by_the_name_of_the_gateway() -> None:
    assert settings_of("apologies") is ApologiesSettings
    config = load(None, {"gateways": {"apologies": {"listen": "localhost:0", "max_players": 3}}}, settings_of)
    (settings,) = listening(config).values()
    assert isinstance(settings, ApologiesSettings)
    assert (settings.address, settings.max_players) == (("localhost", 0), 3)
