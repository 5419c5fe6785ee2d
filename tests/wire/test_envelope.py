"""What an error says of an envelope that is wrong, besides what all ways of the codec share."""

import pytest

from ugs.wire.envelope import read_envelope
from ugs.wire.errors import WrongMessage

LONG = "s3cret" * 500


@pytest.mark.parametrize(
    ("document", "reason"),
    [
        (
            f'<message type="playerLogin"><playerLogin nick="ann#{LONG}" gameType="chess"/></message>',
            "playerLogin: nick of <playerLogin> is 'ann#…', not a text of at most 1024 characters",
        ),
        (
            f'<message type="gameMasterLogin"><gameMasterLogin id="m1#{LONG}" gameType="chess" playersMin="2"'
            ' playersMax="2"/></message>',
            "gameMasterLogin: id of <gameMasterLogin> is 'm1#…', not a text of at most 1024 characters",
        ),
        (
            f'<message type="x-hello"><identity token="{LONG}"/></message>',
            "x-hello: token of <identity> is '…', not ",
        ),
        (
            f'<message type="x-resume"><session token="{LONG}"/></message>',
            "x-resume: token of <session> is '…', not ",
        ),
        (
            f'<message type="playerLogin"><playerLogin nick="ann" gameType="#{LONG}"/></message>',
            "playerLogin: gameType of <playerLogin> is '#s3crets3cret",  # no name, so nothing to hide
        ),
    ],
)
def test_no_error_repeats_a_secret(document: str, reason: str) -> None:
    with pytest.raises(WrongMessage) as caught:
        read_envelope(document.encode())
    assert str(caught.value).startswith(reason)
    assert "s3cret" not in str(caught.value) or "gameType" in reason
