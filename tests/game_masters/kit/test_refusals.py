"""What a client does about a refused login."""

import math

import pytest

from game_masters.kit.client import Finish, Level, Note, Reconnect
from game_masters.kit.refusals import ADVICE, PATIENCE_S, REASONS, RETRY_S, Refusals, is_name
from ugs.broker.state.bans import Ban
from ugs.config import Config
from ugs.wire.messages import LoginError


def test_each_reason_has_words_and_advice() -> None:
    assert set(REASONS) == set(ADVICE) == set(LoginError)


def test_a_name_in_use_is_tried_again_for_a_while_that_is_told_and_then_given_up() -> None:
    refusals = Refusals("ann")
    left = []
    for _ in range(int(PATIENCE_S / RETRY_S)):
        note, again = refusals.refused(LoginError.WRONG_NICK, accepted_before=False)
        assert isinstance(note, Note)
        assert "in use" in str(note.fields["reason"])
        assert again == Reconnect(RETRY_S)
        left.append(note.fields["gives_up_in_s"])
    assert (left[0], left[-1]) == (PATIENCE_S, RETRY_S)
    note, end = refusals.refused(LoginError.WRONG_NICK, accepted_before=False)
    assert isinstance(note, Note)
    assert note.level is Level.ERROR
    assert note.fields["reason"] == "the name is still in use after 90 s"
    assert end == Finish(1)


@pytest.mark.parametrize("left_s", [None, 60.0])
def test_for_a_banned_name_no_token_is_advised(left_s: float | None) -> None:
    ban = Ban("ann", "plays for two", math.inf if left_s is None else left_s)
    note, end = Refusals("ann").unproven(f"playerLogin: {ban.refusal_text(0.0)}")
    assert isinstance(note, Note)
    assert note.fields["advice"] == "ask the organiser"
    assert end == Finish(1)
    (note, _) = Refusals("ann").unproven("playerLogin: this is not the token of this name")
    assert isinstance(note, Note)
    assert "--token-file" in str(note.fields["advice"])


def test_the_wait_is_longer_than_a_server_keeps_a_nick_by_default() -> None:
    assert Config.fields()["session_grace_s"].default < PATIENCE_S


@pytest.mark.parametrize("name", ["", " ", "\u2003", "a" * 65, "a\tb", "\x85"])
def test_a_name_that_no_server_accepts_is_the_end(name: str) -> None:
    assert not is_name(name)
    note, end = Refusals(name).refused(LoginError.WRONG_NICK, accepted_before=False)
    assert isinstance(note, Note)
    assert "1 to 64 characters" in str(note.fields["reason"])
    assert end == Finish(1)


@pytest.mark.parametrize("name", ["a", "a" * 64, "Zo\u00eb & co", "\U0001f642"])
def test_names_that_may_be(name: str) -> None:
    assert is_name(name)
