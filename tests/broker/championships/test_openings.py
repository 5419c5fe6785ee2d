"""Games of a championship that begin with an opening."""

from tests.broker.cup import comes, plays
from tests.broker.house import House
from ugs.broker.values.questions import WhyAsked
from ugs.broker.values.record import EntryKind
from ugs.championship.ledger import What
from ugs.wire.extensions import Family
from ugs.wire.messages import BeginGame

TWO = ({"name": "first", "text": "a = 1"}, {"name": "second", "text": "a = 2"})


def test_the_master_is_told_how_each_game_begins(house: House) -> None:
    house.plans(entrants=("a", "b"), openings=TWO)
    master = house.leader("m", Family.TABLE, setup="its own beginning")
    peers = comes(house, *"ab")
    setups: list[str] = []
    while house.broker.games and len(setups) < 4:
        setups += [message.setup for message in master.hears() if isinstance(message, BeginGame)]
        plays(house, master, peers, games=1)
    assert setups == ["a = 1", "a = 1", "a = 2", "a = 2"]
    assert [one.text for one in house.entries("g4") if one.kind is EntryKind.SETUP] == ["a = 2"]
    fixtures = [one.data["opening"] for one in house.ledger("cup") if one.what is What.FIXTURE]
    assert fixtures == [1, 1, 2, 2]
    again = house.again()
    assert again.broker.server.championships["cup"].plan == house.broker.server.championships["cup"].plan


def test_a_master_that_cannot_be_told_leads_none_of_them_and_players_hear_why(house: House) -> None:
    house.plans(entrants=("a", "b"), openings=TWO)
    house.master()
    comes(house, *"ab")
    assert house.broker.games == []
    found = house.is_asked(WhyAsked("a"))["found"]
    assert isinstance(found, list)
    assert "no game master here takes set-ups of games" in found[0]["why"][0]
