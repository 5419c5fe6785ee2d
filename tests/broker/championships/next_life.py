"""Championships after a restart."""

from tests.broker.house import House


def assert_the_same_in_the_next_life(house: House) -> None:
    """The next broker, which knows what the journal has, holds the same championships."""
    again = house.again()
    for name, one in house.broker.server.championships.items():
        then = again.broker.server.championships[name]
        assert (then.ledger.state, then.plan, then.field) == (one.ledger.state, one.plan, one.field)
        assert then.standings.rows() == one.standings.rows()
        assert then.byes == one.byes
        assert then.placing == one.placing
        assert [(n.fixture, dict(n.outcomes)) for n in then.ledger.counted.values()] == [
            (n.fixture, dict(n.outcomes)) for n in one.ledger.counted.values()
        ]
