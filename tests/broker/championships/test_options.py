"""Championships whose plan has options: all their games are played with them, led by masters that offer them."""

from typing import Any

import pytest

from tests.broker.cup import comes, plays
from tests.broker.house import CHESS, House, Peer, turn
from ugs.broker.championships.ledgers import plan_of_ledger
from ugs.broker.effects import RecordBegin
from ugs.broker.values.questions import EditAsked, PublicAsked, WhyAsked
from ugs.championship.ledger import What
from ugs.championship.plan import Plan
from ugs.wire.extensions import Family, OfferedOption, Offers, Restore
from ugs.wire.messages import BeginGame, Choice, GameMasterLogin, Logout

SIZE, MODE = OfferedOption("board_size", "5", least=3, most=9), OfferedOption("mode", "rules", "rules more")
SMALL = OfferedOption("board_size", "5", least=3, most=5)
SEVEN = {"board_size": 7}
UNMET = (
    "championship cup: no game master here offers its options: option value '7' for 'board_size': allowed are 3 to 5"
)


@pytest.fixture
def house() -> House:
    """A broker where several masters may lead games of one type."""
    return House(masters_per_game=9)


def leads(house: House, name: str, *options: OfferedOption, families: tuple[Family, ...] = ()) -> Peer:
    return house.leader(name, Family.TABLE, *families, options=options)


def sizes(house: House) -> list[str]:
    """The board of each game so far, by the records."""
    return [one.options.get("board_size", "") for one in house.records if isinstance(one, RecordBegin)]


def why(house: House, name: str) -> list[str]:
    found: Any = house.is_asked(WhyAsked(name))["found"]
    return [*found[0]["why"]]


def test_each_game_has_them_beside_the_defaults_of_its_master(house: House) -> None:
    assert house.plans(entrants=("a", "b", "c"), options={"board_size": 7}) == {
        "ok": True,
        "warning": "game_type = 'chess': there is no game master for chess",
    }
    master = leads(house, "m", SIZE, MODE)
    peers = comes(house, *"abc")
    (begin,) = [one for one in master.hears() if isinstance(one, BeginGame)]
    assert begin.options == (Choice("board_size", "7"), Choice("mode", "rules"))
    plays(house, master, peers)
    assert sizes(house) == ["7", "7", "7", "5"], "open play, which follows, has the defaults"


def test_a_void_game_is_played_again_with_them_and_so_are_those_of_the_next_life(house: House) -> None:
    house.plans(entrants=("a", "b"), options=SEVEN, repeats=2)
    leads(house, "m", SIZE).is_lost()
    comes(house, *"ab")
    for _ in range(2):
        leads(house, "m", SIZE).is_lost()
    assert sizes(house) == ["7", "7"]
    again = house.again()
    assert again.broker.server.championships["cup"].plan.options == {"board_size": "7"}
    leads(again, "m", SIZE)
    comes(again, *"ab")
    assert sizes(again) == ["7"]


def test_a_master_that_does_not_offer_them_gets_none_of_its_games(house: House) -> None:
    house.master("plain")
    leads(house, "small", SMALL)
    assert house.plans(entrants=("a", "b"), options=SEVEN) == {"ok": True, "warning": UNMET}
    assert why(house, "cup")[0] == UNMET
    comes(house, *"ab")
    assert sizes(house) == []
    assert [note["reason"] for note in house.noted("no game master offers the options of this championship")] == [
        "option value '7' for 'board_size': allowed are 3 to 5"
    ]
    assert why(house, "a") == why(house, "cup") == [UNMET]
    public: Any = house.is_asked(PublicAsked())["championships"]
    assert public[0]["options_unmet"] == UNMET
    leads(house, "large", SIZE)
    assert sizes(house) == ["7"]
    assert house.game("g1").master.name == "large"
    assert why(house, "cup") == ["1 game of championship cup runs"]


def test_a_master_that_leads_as_many_games_as_it_may_is_waited_for() -> None:
    house = House(max_games_per_master=1, masters_per_game=9)
    house.plans(entrants=tuple("abcd"), options=SEVEN)
    leads(house, "plain")
    leads(house, "m", SIZE)
    comes(house, *"abcd")
    assert len(house.broker.games) == 1
    assert "every game master for chess that could begin one leads 1 game, which is the most" in why(house, "cup")


def test_games_are_given_up_when_those_who_remain_are_too_few_for_each_that_offers_them(house: House) -> None:
    house.plans(entrants=("a", "b", "c"), options=SEVEN)
    house.master("plain", (2, 3))
    peers = comes(house, *"abc")
    peers["c"].says(Logout())
    assert not any(entry.what is What.GIVEN_UP for entry in house.ledger("cup")), "no such master is here"
    assert any("no game master here offers" in sentence for sentence in why(house, "a"))
    house.leader("m", Family.TABLE, options=(SIZE,), players=(3, 3))
    assert house.ledger("cup")[-1].what is What.OVER


def test_names_that_do_not_exist_and_options_that_no_master_has_together_are_told(house: House) -> None:
    leads(house, "m", SIZE)
    leads(house, "n", MODE)
    assert str(house.plans(first=2, options={"bord_size": 7})["warning"]).endswith(
        ": option name 'bord_size': allowed are board_size, mode"
    )
    other = house.plans(name="other", first=2, options={"board_size": 7, "mode": "more"})
    assert str(other["warning"]).endswith(": option: no game master offers all of these together: board_size, mode")


def test_they_may_be_changed_before_it_begins_and_the_warning_goes(house: House) -> None:
    leads(house, "m", SMALL)
    house.plans(entrants=("a", "b"), options=SEVEN)

    def edited(options: dict[str, object]) -> object:
        values = {"name": "cup", "game_type": CHESS, "open_play": False, "entrants": ("a", "b"), "options": options}
        return house.is_asked(EditAsked(Plan.read(values), "ada", "a smaller board"))

    assert edited({"board_size": 6}) == {"ok": True, "warning": UNMET.replace("'7'", "'6'")}
    assert edited({"board_size": 4}) == {"ok": True}
    comes(house, *"ab")
    assert sizes(house) == ["4"]
    refused: Any = edited({"board_size": 5})
    assert refused["error"].startswith("options: cannot be changed since it has begun; allowed: ")


def test_a_game_goes_on_with_a_master_that_offers_them_and_with_no_other() -> None:
    house = House(master_grace_s=60, masters_per_game=9)
    house.plans(entrants=("a", "b"), options=SEVEN)
    master = leads(house, "m", SIZE, families=(Family.RESTORE,))
    comes(house, *"ab")
    (game,) = house.broker.games
    master.says(turn(game.id, game.seats[0]))
    master.is_lost()
    leads(house, "small", SMALL, families=(Family.RESTORE,))
    assert game.master.name == "m", "it waits"
    successor = leads(house, "large", SIZE, families=(Family.RESTORE,))
    (restore,) = [one for one in successor.hears() if isinstance(one, Restore)]
    assert restore.options == (Choice("board_size", "7"),)


@pytest.mark.parametrize("kept", [{}, {"options": {"board_size": "7"}}])
def test_a_ledger_with_or_without_them_is_read(kept: dict[str, object]) -> None:
    assert plan_of_ledger({"name": "cup", "game_type": CHESS, "first": 2, **kept}).options == kept.get("options", {})


def test_before_a_master_has_told_what_it_offers_nothing_is_known(house: House) -> None:
    peer = house.greets(Family.TABLE)
    peer.says(GameMasterLogin("m", CHESS, "2", "2"))
    assert house.plans(first=2, options=SEVEN) == {"ok": True}
    peer.says(Offers((SMALL,)))
    assert why(house, "cup")[0] == UNMET
