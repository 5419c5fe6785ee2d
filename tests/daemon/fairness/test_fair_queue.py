"""Who is served next. A turn costs what the test says: there is no clock."""

from collections import defaultdict

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ugs.daemon.fairness.fair_queue import MIN_S, SHARE, PeerStanding, Queue, QueueMember, Shares, Usage


class Member(Usage):
    """A peer whose turns cost these seconds, one after the other; it waits until all are served."""

    def __init__(self, name: int, costs: list[float]) -> None:
        super().__init__()
        self.name = name
        self.costs = list(costs)


def serve(queue: Queue[Member]) -> tuple[Member, float]:
    """One turn; whose it was and what it cost."""
    peer = queue.next()
    cost = peer.costs.pop(0)
    queue.spent(peer, cost)
    if peer.costs:
        queue.arrives(peer)
    return peer, cost


def queue_of(*peers: Member) -> Queue[Member]:
    queue: Queue[Member] = Queue()
    for peer in peers:
        queue.arrives(peer)
    return queue


def order(queue: Queue[Member]) -> list[int]:
    """Serve all; whose turn it was each time."""
    names = []
    while queue:
        names.append(serve(queue)[0].name)
    return names


def test_equal_peers_take_turns_in_the_order_in_which_they_came() -> None:
    assert order(queue_of(*(Member(name, [0.001] * 3) for name in (2, 0, 1)))) == [2, 0, 1] * 3


def test_who_says_little_is_served_before_all_that_say_much() -> None:
    busy = [Member(name, [0.002] * 10) for name in range(1, 100)]
    queue = queue_of(*busy)
    for _ in range(300):
        serve(queue)
    calm = Member(0, [0.0001] * 19)
    for _ in range(19):
        queue.arrives(calm)
        assert queue.next() is calm
        queue.spent(calm, calm.costs.pop())
        serve(queue)


def test_an_expensive_turn_is_paid_for_by_waiting() -> None:
    assert order(queue_of(Member(0, [0.010, 0.001]), Member(1, [0.002] * 6))) == [0, 1, 1, 1, 1, 1, 0, 1]


def test_silence_earns_one_share() -> None:
    late, busy = Member(0, [0.001] * 6), Member(1, [0.001] * 100)
    queue = queue_of(busy)
    for _ in range(90):
        serve(queue)
    queue.arrives(late)
    names = order(queue)
    assert names[:2] == [0, 0]
    assert names[3:7] in ([0, 1, 0, 1], [1, 0, 1, 0])


def test_when_nobody_waits_all_begin_anew() -> None:
    expensive, cheap = Member(0, [10.0]), Member(1, [0.001])
    queue = queue_of(expensive, cheap)
    assert order(queue) == [0, 1]
    expensive.costs, cheap.costs = [0.001] * 4, [0.001] * 4
    queue.arrives(expensive)
    queue.arrives(cheap)
    names = order(queue)
    assert names[:2] == [1, 1]
    assert names.index(0) <= 3, "no more than one share before the other"


def test_who_waits_already_is_queued_once() -> None:
    peer = Member(0, [0.001])
    queue = queue_of(peer, peer)
    assert len(queue) == 1
    assert order(queue) == [0]


def test_nobody_is_next_when_nobody_waits() -> None:
    with pytest.raises(IndexError):
        Queue[Member]().next()


def test_turns_that_cost_nothing_do_not_take_all_turns() -> None:
    assert order(queue_of(Member(0, [0.0] * 3), Member(1, [0.0] * 3))) == [0, 1] * 3


COSTS = st.lists(st.floats(0, 0.05), min_size=1, max_size=30)


@given(st.lists(COSTS, min_size=2, max_size=6))
def test_while_two_peers_wait_what_they_are_served_differs_by_little(costs: list[list[float]]) -> None:
    peers = [Member(name, own) for name, own in enumerate(costs)]
    longest = [max(*own, MIN_S) for own in costs]
    queue = queue_of(*peers)
    had: dict[int, float] = defaultdict(float)
    while all(peer.waits for peer in peers):
        peer, cost = serve(queue)
        had[peer.name] += max(cost, MIN_S)
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
    queue = queue_of(*(Member(name, own) for name, own in enumerate(costs, 1)))
    for _ in range(before):
        if queue:
            serve(queue)
    queue.arrives(Member(0, [cost]))
    had: dict[int, float] = defaultdict(float)
    while (turn := serve(queue))[0].name != 0:
        peer, seconds = turn
        assert had[peer.name] <= SHARE.seconds + 1e-9, "it may begin one more turn"
        had[peer.name] += seconds


NEWCOMERS = [
    (4, 0.001, True),
    (3, 0.001, False),
    (1, 0.02, False),
    (2, 0.001, True),
    (2, 0.001, True),
    (1, 0.001, False),
    (2, 0.001, True),
    (2, 0.05, True),
    (1, 0.02, False),
]
"""Each of them begins a share before those who wait, and must not let the next one begin a share before that."""


@given(
    st.lists(
        st.tuples(st.integers(0, 4), st.sampled_from([0.001, 0.02, 0.05]) | st.floats(MIN_S, 0.05), st.booleans()),
        max_size=200,
    )
)
@example(NEWCOMERS)
def test_nobody_who_waits_is_passed_over_for_long(steps: list[tuple[int, float, bool]]) -> None:
    """However peers come and go: before one is served, each other gets no more than what the one's own last turn cost,
    a share and a turn."""
    peers = [Member(name, []) for name in range(5)]
    queue: Queue[Member] = Queue()
    last_cost: dict[Member, float] = defaultdict(float)
    had_meanwhile: dict[Member, dict[Member, float]] = {}

    def arrives(peer: Member) -> None:
        queue.arrives(peer)
        had_meanwhile.setdefault(peer, defaultdict(float))

    for name, cost, has_more in steps:
        arrives(peers[name])
        assert len(queue) == len(had_meanwhile)
        peer = queue.next()
        for seconds in had_meanwhile.pop(peer).values():
            assert seconds <= last_cost[peer] + SHARE.seconds + 0.05 + 1e-9
        for meanwhile in had_meanwhile.values():
            meanwhile[peer] += cost
        queue.spent(peer, cost)
        last_cost[peer] = cost
        if has_more:
            arrives(peer)


class Caller(QueueMember):
    """A peer with a name."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name


def turns(
    shares: Shares[Caller], standings: dict[Caller, PeerStanding], costs: dict[Caller, float], count: int
) -> list[str]:
    """Whose turns these are while everybody always has more to say."""
    names = []
    for caller, standing in standings.items():
        shares.arrives(caller, standing)
    for _ in range(count):
        caller = shares.next()
        names.append(caller.name)
        shares.spent(caller, costs[caller])
        shares.arrives(caller, standings[caller])
    return names


def test_those_who_play_get_half_of_the_time_however_many_others_the_same_address_has() -> None:
    crowd = {Caller("crowd"): PeerStanding("home", False) for _ in range(800)}
    player = Caller("player")
    standings = {**crowd, player: PeerStanding("home", True)}
    names = turns(Shares[Caller](), standings, dict.fromkeys(standings, 0.002), 1000)
    assert 499 <= names.count("player") <= 502
    assert all("player" in names[begin : begin + 3] for begin in range(0, 900, 3))


def test_a_crowd_from_one_address_gets_no_more_than_one_peer_from_another() -> None:
    crowd = {Caller("crowd"): PeerStanding("there", False) for _ in range(100)}
    guest = Caller("guest")
    standings = {**crowd, guest: PeerStanding("here", False)}
    names = turns(Shares[Caller](), standings, dict.fromkeys(standings, 0.001), 200)
    assert 99 <= names.count("guest") <= 102


def test_each_player_of_an_address_counts_where_they_play() -> None:
    school = {Caller(f"pupil {number}"): PeerStanding("school", True) for number in range(9)}
    alone = Caller("alone")
    standings = {**school, alone: PeerStanding("home", True)}
    names = turns(Shares[Caller](), standings, dict.fromkeys(standings, 0.001), 500)
    assert 45 <= names.count("alone") <= 55
    assert all(45 <= names.count(pupil.name) <= 55 for pupil in school)


def test_a_master_has_the_shares_of_its_players() -> None:
    master, player = Caller("master"), Caller("player")
    standings = {master: PeerStanding("a", True, 9), player: PeerStanding("b", True)}
    names = turns(Shares[Caller](), standings, dict.fromkeys(standings, 0.001), 500)
    assert 440 <= names.count("master") <= 460


def test_a_turn_out_of_the_queue_is_paid_for_too() -> None:
    shares, rest = Shares[Caller](), PeerStanding("a", False)
    eager, calm, other = Caller("eager"), Caller("calm"), Caller("other")
    shares.arrives(other, rest)
    shares.known(eager, rest)
    shares.spent(eager, 0.010)
    shares.arrives(eager, rest)
    shares.arrives(calm, rest)
    names = []
    while shares:
        caller = shares.next()
        names.append(caller.name)
        shares.spent(caller, 0.001)
    assert names == ["other", "calm", "eager"]


def test_who_begins_to_play_takes_no_debts_along() -> None:
    shares = Shares[Caller]()
    beginner, player = Caller("beginner"), Caller("player")
    shares.known(beginner, PeerStanding("a", False))
    shares.spent(beginner, 5.0)
    shares.arrives(player, PeerStanding("a", True))
    shares.arrives(beginner, PeerStanding("a", True))
    shares.spent(shares.next(), 0.001)
    assert shares.next() is beginner


def test_a_turn_that_is_dearer_than_usual_is_no_debt_among_players() -> None:
    """The thanks of one player lead to the next game. It moves in the next round, as do all others."""
    players = [Caller(str(number)) for number in range(100)]
    standings = {player: PeerStanding("school", True) for player in players}
    costs = dict.fromkeys(players, 0.000_05)
    costs[players[7]] = 0.000_45
    names = turns(Shares[Caller](), standings, costs, 500)
    rounds = [sorted(names[begin : begin + 100]) for begin in range(0, 500, 100)]
    assert rounds == [sorted(player.name for player in players)] * 5


def test_for_a_turn_that_takes_very_long_the_group_pays() -> None:
    """A document, or the machine, has taken 20 ms: its player misses a few rounds of its school, not forty. Others have
    the time back."""
    players = [Caller(str(number)) for number in range(10)]
    guest = Caller("guest")
    standings = {**{player: PeerStanding("school", False) for player in players}, guest: PeerStanding("home", False)}
    costs = dict.fromkeys(standings, 0.000_5)
    shares = Shares[Caller]()
    turns(shares, standings, costs, 100)
    dear = shares.next()
    shares.spent(dear, 0.020)
    shares.arrives(dear, standings[dear])
    names = turns(shares, standings, costs, 200)
    assert names[:36] == ["guest"] * 36
    school = [name for name in names if name != "guest"]
    assert school.index(dear.name) <= 3 * len(players)


def test_who_comes_back_is_not_served_for_many_rounds_before_the_others() -> None:
    """Its games lasted long meanwhile: it has one turn more, not forty."""
    players = [Caller(str(number)) for number in range(10)]
    standings = {player: PeerStanding("school", True) for player in players}
    shares, late = Shares[Caller](), Caller("late")
    turns(shares, standings, dict.fromkeys(players, 0.000_05), 1000)
    standings[late] = PeerStanding("school", True)
    names = turns(shares, standings, dict.fromkeys(standings, 0.000_05), 22)
    assert names.count("late") == 1 + 2


def test_groups_that_owe_nothing_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ugs.daemon.fairness.fair_queue.FEW_GROUPS", 10)
    shares = Shares[Caller]()
    waiting = Caller("waits")
    shares.arrives(waiting, PeerStanding("waits", False))
    for number in range(1000):
        gone = Caller("gone")
        shares.known(gone, PeerStanding(number, False))
        shares.spent(gone, 1e-9)
        assert len(shares._groups) <= 20
    heavy = Caller("heavy")
    shares.known(heavy, PeerStanding("heavy", False))
    shares.spent(heavy, 1.0)
    for number in range(5000):
        shares.arrives(Caller("new"), PeerStanding(number, False))
    assert ("heavy", False) in shares._groups
    assert ("waits", False) in shares._groups


@given(
    st.lists(
        st.tuples(st.integers(0, 5), st.integers(0, 2), st.booleans(), st.floats(MIN_S, 0.02), st.integers(1, 5)),
        max_size=100,
    )
)
def test_everybody_who_waits_is_served_once(steps: list[tuple[int, int, bool, float, int]]) -> None:
    """Whatever comes and from where: nobody is forgotten in a group, and the shares of those who wait add up."""
    callers = [Caller(str(number)) for number in range(6)]
    shares = Shares[Caller]()
    standings: dict[Caller, PeerStanding] = {}
    waiting: set[Caller] = set()
    for number, origin, plays, cost, weight in steps:
        caller = callers[number]
        if caller not in waiting:
            standings[caller] = PeerStanding(origin, plays, weight)
            waiting.add(caller)
        shares.arrives(caller, standings[caller])
        if cost > 0.01:
            served = shares.next()
            waiting.remove(served)
            shares.spent(served, cost)
        for group in shares._groups.values():
            assert group.weight == sum(one.weight for one in waiting if one.group is group)
    while shares:
        served = shares.next()
        waiting.remove(served)
        shares.spent(served, 0.001)
    assert not waiting
