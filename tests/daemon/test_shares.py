"""Who is served next. A turn costs what the test says: there is no clock."""

from collections import defaultdict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ugs.daemon.shares import LEAST_S, SHARE, Account, Shares


class Peer(Account):
    """A peer whose turns cost these seconds, one after the other; it waits until all are served."""

    def __init__(self, name: int, costs: list[float]) -> None:
        super().__init__()
        self.name = name
        self.costs = list(costs)


def serve(shares: Shares[Peer]) -> tuple[Peer, float]:
    """One turn; whose it was and what it cost."""
    peer = shares.next()
    cost = peer.costs.pop(0)
    shares.spent(peer, cost)
    if peer.costs:
        shares.arrives(peer)
    return peer, cost


def queue_of(*peers: Peer) -> Shares[Peer]:
    shares: Shares[Peer] = Shares()
    for peer in peers:
        shares.arrives(peer)
    return shares


def order(shares: Shares[Peer]) -> list[int]:
    """Serve all; whose turn it was each time."""
    names = []
    while shares:
        names.append(serve(shares)[0].name)
    return names


def test_equal_peers_take_turns_in_the_order_in_which_they_came() -> None:
    assert order(queue_of(*(Peer(name, [0.001] * 3) for name in (2, 0, 1)))) == [2, 0, 1] * 3


def test_who_says_little_is_served_before_all_that_say_much() -> None:
    busy = [Peer(name, [0.002] * 10) for name in range(1, 100)]
    shares = queue_of(*busy)
    for _ in range(300):
        serve(shares)
    calm = Peer(0, [0.0001] * 19)
    for _ in range(19):
        shares.arrives(calm)
        assert shares.next() is calm
        shares.spent(calm, calm.costs.pop())
        serve(shares)


def test_an_expensive_turn_is_paid_for_by_waiting() -> None:
    assert order(queue_of(Peer(0, [0.010, 0.001]), Peer(1, [0.002] * 6))) == [0, 1, 1, 1, 1, 1, 0, 1]


def test_silence_earns_one_share() -> None:
    late, busy = Peer(0, [0.001] * 6), Peer(1, [0.001] * 100)
    shares = queue_of(busy)
    for _ in range(90):
        serve(shares)
    shares.arrives(late)
    names = order(shares)
    assert names[:2] == [0, 0]
    assert names[3:7] in ([0, 1, 0, 1], [1, 0, 1, 0])


def test_when_nobody_waits_all_begin_anew() -> None:
    expensive, cheap = Peer(0, [10.0]), Peer(1, [0.001])
    shares = queue_of(expensive, cheap)
    assert order(shares) == [0, 1]
    expensive.costs, cheap.costs = [0.001] * 4, [0.001] * 4
    shares.arrives(expensive)
    shares.arrives(cheap)
    names = order(shares)
    assert names[:2] == [1, 1]
    assert names.index(0) <= 3, "no more than one share before the other"


def test_who_waits_already_is_queued_once() -> None:
    peer = Peer(0, [0.001])
    shares = queue_of(peer, peer)
    assert len(shares) == 1
    assert order(shares) == [0]


def test_nobody_is_next_when_nobody_waits() -> None:
    with pytest.raises(IndexError):
        Shares[Peer]().next()


def test_turns_that_cost_nothing_do_not_take_all_turns() -> None:
    assert order(queue_of(Peer(0, [0.0] * 3), Peer(1, [0.0] * 3))) == [0, 1] * 3


COSTS = st.lists(st.floats(0, 0.05), min_size=1, max_size=30)


@given(st.lists(COSTS, min_size=2, max_size=6))
def test_while_two_peers_wait_what_they_are_served_differs_by_little(costs: list[list[float]]) -> None:
    peers = [Peer(name, own) for name, own in enumerate(costs)]
    longest = [max(*own, LEAST_S) for own in costs]
    shares = queue_of(*peers)
    had: dict[int, float] = defaultdict(float)
    while all(peer.waits for peer in peers):
        peer, cost = serve(shares)
        had[peer.name] += max(cost, LEAST_S)
        for one in peers:
            for other in peers:
                assert (
                    abs(had[one.name] - had[other.name])
                    <= longest[one.name] + longest[other.name] + SHARE.seconds + 1e-9
                )


@given(st.lists(COSTS, min_size=1, max_size=8), st.integers(0, 60), st.floats(0, 0.05))
def test_a_calm_peer_waits_for_at_most_a_share_and_a_turn_of_each_other(
    costs: list[list[float]], before: int, cost: float
) -> None:
    shares = queue_of(*(Peer(name, own) for name, own in enumerate(costs, 1)))
    for _ in range(before):
        if shares:
            serve(shares)
    shares.arrives(Peer(0, [cost]))
    had: dict[int, float] = defaultdict(float)
    while (turn := serve(shares))[0].name != 0:
        peer, seconds = turn
        assert had[peer.name] <= SHARE.seconds + 1e-9, "it may begin one more turn"
        had[peer.name] += seconds


@given(st.lists(st.tuples(st.integers(0, 4), st.floats(LEAST_S, 0.05), st.booleans()), max_size=200))
def test_nobody_who_waits_is_passed_over_for_long(steps: list[tuple[int, float, bool]]) -> None:
    """However peers come and go: before one is served, each other gets no more than what the one's own last turn cost,
    a share and a turn."""
    peers = [Peer(name, []) for name in range(5)]
    shares: Shares[Peer] = Shares()
    last_cost: dict[Peer, float] = defaultdict(float)
    had_meanwhile: dict[Peer, dict[Peer, float]] = {}

    def arrives(peer: Peer) -> None:
        shares.arrives(peer)
        had_meanwhile.setdefault(peer, defaultdict(float))

    for name, cost, has_more in steps:
        arrives(peers[name])
        assert len(shares) == len(had_meanwhile)
        peer = shares.next()
        for seconds in had_meanwhile.pop(peer).values():
            assert seconds <= last_cost[peer] + SHARE.seconds + 0.05 + 1e-9
        for meanwhile in had_meanwhile.values():
            meanwhile[peer] += cost
        shares.spent(peer, cost)
        last_cost[peer] = cost
        if has_more:
            arrives(peer)
