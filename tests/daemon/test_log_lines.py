"""Every line of the log, by who can cause it: whatever a stranger does, and how often, the log grows slowly."""

import io
from enum import Enum
from functools import cache
from itertools import count

import pytest
import structlog

from tests.daemon.log_calls import Call, log_calls
from tests.profile import sized
from ugs.log import FREE_WITHOUT_ORIGIN, JOIN_S, Doing, configure_logging, joining
from ugs.soak.findings import LOG_BYTES_PER_S

SECONDS = 30
OF_ALL_KINDS = 200
"""Lines a second that a stranger causes."""
OF_ONE_KIND = sized(quick=50, deep=200)
"""Those of one kind: within the ten seconds for which lines are joined ten times as many as are free at most."""
LONG = "n" * 64
ADDRESS = "192.0.2.1"


class Who(Enum):
    """Who can cause a line, as often as it likes."""

    PEER = "a stranger, whose address the line knows: joined by address"
    GAMES = "strangers who play, or who ask much: there is no one address, joined by kind"
    BUG = "a bug or a fault that a stranger may find: few tracebacks, joined by kind"
    RARE = "only organisers, the machine, or the plan of a championship"


P, G, B, R = Who.PEER, Who.GAMES, Who.BUG, Who.RARE

TABLE = {
    # The journal.
    "journal": R,
    "the database does not keep what it confirms": R,
    # Peers that come, wait and go.
    "connected": P,
    "disconnected": P,
    "dismissed": P,
    "logged out": P,
    "login refused": P,
    "master logged in": P,
    "nick lost to its owner": P,
    "player logged in": P,
    "spectator came": P,
    "token not needed": P,
    "token refused": P,
    "too many refused logins": P,
    "turned away": P,
    "no TLS handshake": P,
    # Sessions.
    "absent player given up": P,
    "did not come back": P,
    "line cut": P,
    "nick lost": P,
    "place given up for another game": P,
    "session resumed": P,
    "session taken over": P,
    # What they say.
    "a peer held the server up": P,
    "game declined": P,
    "game given up": P,
    "no game master offers the options of this championship": R,
    "ignored: game has ended already": P,
    "ignored: the game did not wait for it": P,
    "ignored: player had left already": P,
    "peer reports an error": P,
    "refused": P,
    "slow spectator": P,
    "socket closed": P,
    "socket opened": P,
    "too much from a socket": P,
    "watches": P,
    "wrong message": P,
    "wrong token at the administration": P,
    "no connection for a player at a browser": P,
    # Games.
    "game handed over": P,
    "game taken over": P,
    "master silent": P,
    "moves too large": P,
    "no move in time": P,
    "player has its seat again": P,
    "player left game": P,
    "move refused": P,
    "player rests": P,
    "player silent for too long": P,
    "table set up": P,
    "entrant came late": P,
    "entrant is away": P,
    "entrant is back": P,
    "game begun": G,
    "game cannot be handed over: its past is too long": G,
    "game ended": G,
    "game too large": G,
    "game waits for its master": G,
    "game cannot be handed over: its past is forgotten": G,
    "past of a game forgotten": G,
    "past of a game not read": G,
    "table put away": G,
    "withdrawn": G,
    "memory shed": G,
    "too much memory": G,
    "unsent bytes shed": G,
    "cannot accept": G,
    "account not read": G,
    "a token cannot be checked": G,
    "a game is not drawn any more": G,
    "no picture": G,
    "no picture of a puzzle": G,
    "no pictures of a game": G,
    "no puzzles of a game": G,
    "the page has no answer": G,
    "open pages are not brought up to date": G,
    "the file of tokens cannot be used": G,
    # Bugs.
    "bug in a gateway": B,
    "bug in the page": B,
    "bug in the server": B,
    "the page's worker is lost": B,
    "the code was replaced while the server runs; the page needs a restart": B,
    "drawing failed": B,
    # What no stranger can do.
    "access read": R,
    "access_file cannot be used; the rules stay as they were": R,
    "act": R,
    "another championship is still played": R,
    "asked to stop": R,
    "certificate not changed": R,
    "championship announced": R,
    "championship awaited": R,
    "championship begun": R,
    "championship edited": R,
    "championship goes on": R,
    "championship is known already": R,
    "championship not announced": R,
    "championship over": R,
    "championship without players": R,
    "draining": R,
    "drawing": R,
    "drawn": R,
    "drawn in vain": R,
    "journal back": R,
    "journal lost": R,
    "listening": R,
    "nothing is kept: results are lost when the server stops": R,
    "disqualified": R,
    "ordered": R,
    "organiser has come": R,
    "others can read the tokens of organisers: chmod 600": R,
    "paused after its championship": R,
    "reading again": R,
    "removed": R,
    "home moved": R,
    "peers had to wait for the journal: no clock ran": R,
    "settings outside of tables": R,
    "shutting down": R,
    "stopped": R,
    "the clock of this machine was set": R,
    "the hour of this championship is over": R,
    "the journal is incomplete": R,
    "token *": R,
    "tokens cannot be read": R,
}
COMPUTED = {
    "broker/championships/playing.py": R,
    "broker/entrance/refusals.py": P,
    "daemon/journal/bridge.py": R,
    "pictures/installed_renderers.py": R,
}
"""Whose events are computed."""


def _who(call: Call) -> Who | None:
    return COMPUTED.get(call.place.partition(":")[0]) if call.event == "*" else TABLE.get(call.event)


@cache
def calls() -> list[Call]:
    """All calls, read from the sources when a test wants them: the tests of single lines do not."""
    return list(log_calls())


def test_every_line_stands_in_the_table_and_no_other_does() -> None:
    assert [call for call in calls() if _who(call) is None] == []
    assert set(TABLE) <= {call.event for call in calls()}
    assert set(COMPUTED) <= {call.place.partition(":")[0] for call in calls() if call.event == "*"}


def test_lines_about_one_stranger_know_its_address() -> None:
    assert [call for call in calls() if _who(call) is Who.PEER and not call.has_origin] == []


def _written(events: dict[str, Who], per_second: int = OF_ALL_KINDS) -> float:
    """How many bytes a second are written when one stranger causes all of these all the time, for half a minute."""
    out = io.StringIO()
    configure_logging("info", out, joined=True)
    joins = joining()
    assert joins is not None
    now = 0.0
    joins._clock, joins._until = lambda: now, JOIN_S
    log = structlog.get_logger("ugs")
    numbers = count()
    for step in range(SECONDS * per_second // len(events)):
        now = step * len(events) / per_second
        for event, who in events.items():
            fields = {"conn": next(numbers), "nick": LONG, "reason": "r" * 150, "game": "g" * 20}
            if who is Who.BUG:
                fields["exception"] = "Traceback\n" + "x" * 2500
            said = Doing(event, ADDRESS) if who is Who.PEER else event
            log.info(said, **fields)  # of which more are written than of warnings
    now = SECONDS
    joins.flush()
    structlog.reset_defaults()
    return len(out.getvalue().encode()) / SECONDS


@pytest.mark.parametrize("event", [event for event, who in TABLE.items() if who is not Who.RARE])
def test_whatever_a_stranger_does_writes_little(event: str) -> None:
    written = _written({event: TABLE[event]}, OF_ONE_KIND)
    assert 0 < written < LOG_BYTES_PER_S / 4
    if TABLE[event] is Who.GAMES:
        assert written > FREE_WITHOUT_ORIGIN, "so much it writes, where organisers want to see each"


def test_a_stranger_who_does_everything_at_once_writes_little() -> None:
    assert _written({event: who for event, who in TABLE.items() if who is not Who.RARE}) < LOG_BYTES_PER_S * 1.5
    assert _written({event: who for event, who in TABLE.items() if who is Who.PEER}) < LOG_BYTES_PER_S
