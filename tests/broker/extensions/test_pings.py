"""Pings are answered."""

import pytest

from tests.broker.house import House
from ugs.wire.extensions import Family, Ping, Pong

LOBBY = (Family.SESSION, Family.LOBBY)


@pytest.mark.parametrize("families", [(Family.LOBBY,), (Family.WATCH,), (Family.TABLE,), LOBBY])
def test_a_ping_is_answered_after_a_hello_with_any_families(house: House, families: tuple[Family, ...]) -> None:
    peer = house.greets(*families)
    peer.says(Ping("7"))
    assert peer.hears() == [Pong("7")]
