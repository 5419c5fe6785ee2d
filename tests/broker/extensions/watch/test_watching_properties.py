"""Whatever happens, every spectator gets every event once."""

from hypothesis import given
from hypothesis import strategies as st

from tests.broker.extensions.watch.spectators import BEGIN, numbers, spectator
from tests.broker.house import CHESS, House, move, over, turn
from ugs.wire.extensions import GameEvent, Unwatch, Watch, WatchFrom, Watching

STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("passes"), st.sampled_from([0.0, 0.4, 1.0, 2.5])),
        st.tuples(st.just("plays"), st.just(0.0)),
        st.tuples(st.sampled_from(["watches", "watches type", "stops", "goes"]), st.sampled_from([0.0, 1.0, 2.5])),
        st.tuples(st.just("ends"), st.just(0.0)),
    ),
    max_size=40,
)


@given(steps=STEPS, from_begin=st.booleans())
def test_every_spectator_gets_every_event_once_in_order_and_not_too_early(
    steps: list[tuple[str, float]], from_begin: bool
) -> None:
    house = House()
    master, ann, ben = house.table("ann", "ben")
    began_at, ended, peers, moves = house.now, False, [], 0
    for step, value in steps:
        if step == "passes":
            house.passes(value)
        elif step == "plays" and not ended:
            (ann, ben)[moves % 2].says(move("g1"))
            moves += 1
            master.says(turn("g1", ("ann", "ben")[moves % 2]))
        elif step == "ends" and not ended:
            ended = True
            master.says(over("g1", "ann", losers=("ben",)))
        elif step.startswith("watches"):
            watch = Watch("g1") if step == "watches" else Watch(game_type=CHESS)
            begin = BEGIN if from_begin else WatchFrom.NOW
            peer = spectator(house, Watch(watch.game_id, watch.game_type, begin, value))
            peers.append((peer, value))
        elif peers and step == "stops":
            peers[0][0].says(Unwatch())
            peers.pop(0)
        elif peers:
            peers.pop()[0].is_lost()
        for peer, delay in peers:
            for one in peer.mail:
                if isinstance(one, GameEvent):
                    assert one.after_s + began_at + delay <= house.now + 1e-5
    house.passes(10)
    for peer, _ in peers:
        heard = peer.hears()
        snapshots = [one for one in heard if isinstance(one, Watching)]
        if snapshots:
            first = snapshots[0].number
            last = 2 + 2 * moves + 2 * ended
            assert numbers(heard) == list(range(first + 1, last + 1))
