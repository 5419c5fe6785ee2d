"""Dialogues of the lobby, as transcripts: what is refused and why, which reason comes first, how a game begins at a
table, and what becomes of it when a player leaves or comes back.

They stand in ``transcripts/``; :mod:`tests.broker.stage` says how to read them. The game is always chess. ``ada`` sets
tables up, ``ben`` and ``cyd`` sit down at them, ``m`` leads the games.
"""

from pathlib import Path

import pytest

from tests.broker.stage import dialogues, played, transcripts, written

TRANSCRIPTS = Path(__file__).parent / "transcripts"
REASONS_OF = {
    "x-advertise": ("ALREADY_PLAYING", "GAME_LIMIT", "INVALID_REQUEST"),
    "x-listTables": (),
    "x-join": ("ALREADY_PLAYING", "INVALID_GAME"),
    "x-start": ("NOT_PLAYING", "INVALID_GAME", "NOT_ADVERTISER", "GAME_LIMIT", "NO_MASTER"),
    "x-cancel": ("NOT_PLAYING", "INVALID_GAME", "NOT_ADVERTISER"),
    "x-quit": ("NOT_PLAYING", "INVALID_GAME", "ADVERTISER_MAY_NOT_QUIT"),
    "x-wait": ("ALREADY_PLAYING", "USER_LIMIT"),
    "x-say": ("INVALID_REQUEST", "INVALID_REQUEST", "RATE_LIMIT", "INVALID_PLAYER", "INVALID_GAME"),
}
"""For each request the reasons for which it is refused, in the order in which they are checked."""
ALL = transcripts(TRANSCRIPTS)
REFUSALS = dialogues(TRANSCRIPTS / "refusals.txt")
LEAVING = dialogues(TRANSCRIPTS / "leaving.txt")


@pytest.mark.parametrize("script", ALL.values(), ids=ALL)
def test_all_peers_hear_exactly_this(script: str) -> None:
    assert played(script) == written(script)


@pytest.mark.parametrize(
    ("request_type", "number", "reason"),
    [(kind, place + 1, reason) for kind, reasons in REASONS_OF.items() for place, reason in enumerate(reasons)],
)
def test_each_reason_has_its_dialogue(request_type: str, number: int, reason: str) -> None:
    of_it = {title: script for title, script in REFUSALS if title.startswith(f"{request_type} {number}")}
    assert not all(title.startswith(f"{request_type} {number} before ") for title in of_it)
    assert all(f"x-failed {reason} ({request_type}: " in script for script in of_it.values())


@pytest.mark.parametrize(
    ("request_type", "number", "later"),
    [
        (kind, number, later)
        for kind, reasons in REASONS_OF.items()
        for number in range(1, len(reasons))
        for later in range(number + 1, len(reasons) + 1)
    ],
)
def test_which_of_two_reasons_is_told_has_a_dialogue_where_both_can_be(
    request_type: str, number: int, later: int
) -> None:
    begin = f"{request_type} {number} before "
    both = [title.removeprefix(begin) for title, _ in REFUSALS if title.startswith(begin)]
    assert any(str(later) in title for title in both) != ((request_type, number, later) in NEVER_BOTH)


NEVER_BOTH = {
    **dict.fromkeys([("x-start", 1, later) for later in (2, 3, 4, 5)], "who sits at no table has none to start"),
    **dict.fromkeys([("x-start", 2, later) for later in (4, 5)], "a game that has begun needs no room"),
    **dict.fromkeys([("x-cancel", 1, later) for later in (2, 3)], "who sits at no table has none to cancel"),
    **dict.fromkeys([("x-quit", 1, later) for later in (2, 3)], "who sits at no table has none to leave"),
}
"""Pairs of reasons that never hold both."""


@pytest.mark.parametrize("where", ["an advertised table", "a game"])
@pytest.mark.parametrize("how", ["quits", "is disconnected", "unregisters", "is inactive"])
@pytest.mark.parametrize("who", ["who sat down", "who set it up"])
def test_each_way_to_leave_has_a_dialogue(who: str, how: str, where: str) -> None:
    titles = [title for title, _ in LEAVING]
    assert any(title.startswith(f"{who} {how}") and title.endswith(where) for title in titles)
