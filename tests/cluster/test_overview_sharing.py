"""How much of itself a node shows, when, and what the others make of it."""

from dataclasses import replace

import msgspec
import pytest
from structlog.testing import capture_logs

from tests.broker.views.test_whole import GAME, POOL, PUBLIC, THERE
from ugs.broker.values.node_overview import NodeOverview
from ugs.broker.views.public import MAX_GAMES, MAX_NAMED, MAX_TYPES
from ugs.cluster.overview_sharing import MAX_OVERVIEW_BYTES, MOVES_S, OverviewSharing, packed, unpacked
from ugs.cluster.overview_table import OverviewRow


def full(name: str) -> NodeOverview:
    """An overview as full as it gets, of things that are called so."""
    names = (name,) * MAX_NAMED
    master = replace(POOL.masters[0], name=name, program=name)
    pool = replace(POOL, game_type=name, waiting=names, masters=(master,) * MAX_NAMED, why=(name * 50,) * 5)
    public = replace(PUBLIC, games=(replace(GAME, nicks=names),) * MAX_GAMES, game_types=(pool,) * MAX_TYPES)
    return replace(THERE, public=replace(public, more_games=1000 - MAX_GAMES), offers=THERE.offers * MAX_TYPES)


@pytest.mark.parametrize("name", ["ann", "\N{PILE OF POO}" * 64, '"\\' * 32], ids=["short", "four bytes", "escaped"])
def test_an_overview_is_bounded_however_much_goes_on(name: str) -> None:
    some, body = packed(full(name))
    assert len(body) <= MAX_OVERVIEW_BYTES
    assert len(some.public.games) + some.public.more_games == 1000
    assert len(some.public.game_types) + some.public.more_game_types == MAX_TYPES
    assert unpacked(body) == some
    assert some.public.games


def test_what_is_no_overview_is_not_shown_and_no_row_sends_peers_what_no_message_may_hold() -> None:
    body = msgspec.json.encode(THERE)
    for wrong in (b"", b"{}", b"[" * 5000, body[:-1], body + b" " * MAX_OVERVIEW_BYTES, body.replace(b"7", b'"7"')):
        assert unpacked(wrong) is None
    found = unpacked(body.replace(b'"eve"', b'"<\\u0000\\ud83d\\ude00"'))
    assert found is not None
    assert found.public.games[0].nicks == ("<\N{REPLACEMENT CHARACTER}\N{GRINNING FACE}", "fay")


def moved(moves: int) -> NodeOverview:
    return replace(THERE, public=replace(PUBLIC, games=(replace(GAME, moves=moves, running_s=float(moves)),)))


def test_it_is_written_when_it_has_changed_and_moves_now_and_then() -> None:
    sharing, idle = OverviewSharing(), replace(THERE, public=replace(PUBLIC, games=()))

    def writes(overview: NodeOverview, now: float, nodes: int = 2) -> bool:
        due = sharing.due(overview, now, nodes)
        sharing.take(due[0] if due is not None else None, (), now)
        return due is not None

    written = [writes(moved(now), float(now)) for now in range(int(2 * MOVES_S))]
    assert written == [True, *[False] * 4, True, *[False] * 4]
    assert writes(idle, 10.0)
    assert not writes(moved(1), 11.0, nodes=16), "many nodes write less often"
    assert writes(moved(1), 12.0, nodes=16)
    assert sharing.due(idle, 13.0, 2)
    assert sharing.due(idle, 14.0, 2), "it was not written"


def test_rows_are_kept_until_their_node_has_gone() -> None:
    sharing = OverviewSharing()
    sharing.take(None, [OverviewRow("b", 1, 0.5, packed(THERE)[1]), OverviewRow("c", 7, 0.0, packed(THERE)[1])], 0.0)
    assert sharing.known == {"b": 1, "c": 7}
    sharing.take(None, [OverviewRow("b", 1, 1.5, None)], 1.0)
    ((name, age_s),) = [(one.name, one.age_s) for one in sharing.others()]
    assert (name, age_s, dict(sharing.counts())) == ("b", 1.5, {"b": THERE.counts})
    with capture_logs() as log:
        sharing.take(None, [OverviewRow("b", 2, 0.0, b"nonsense")], 2.0)
        sharing.take(None, [OverviewRow("b", 2, 1.0, None)], 3.0)
    assert [one["event"] for one in log] == ["overview of a node cannot be read"]
    assert (sharing.known, sharing.others()) == ({"b": 2}, ())
