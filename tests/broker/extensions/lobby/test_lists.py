"""Lists: who is here, and what is played."""

from tests.broker.house import House, over, thank
from ugs.wire.extensions import (
    Advertise,
    Family,
    GameTypeInfo,
    GameTypes,
    Join,
    ListGameTypes,
    ListPlayers,
    NewTable,
    OfferedOption,
    PlayerInfo,
    Players,
    Visibility,
)
from ugs.wire.messages import Logout, Message

LOBBY = (Family.SESSION, Family.LOBBY)
FRIDAY = NewTable("Friday", 2, Visibility.PUBLIC)


def players(heard: list[Message]) -> dict[str, PlayerInfo]:
    """The players in the one answer that has come."""
    (answer,) = heard
    assert isinstance(answer, Players)
    return {one.nick: one for one in answer.players}


def types(heard: list[Message]) -> dict[str, GameTypeInfo]:
    """The game types in the one answer that has come."""
    (answer,) = heard
    assert isinstance(answer, GameTypes)
    return {one.game_type: one for one in answer.games}


class TestPlayers:
    def test_everybody_is_listed_in_the_order_of_the_logins_with_the_reference(self, house: House) -> None:
        house.player("vic")
        house.passes(5)
        eve = house.guest("eve", *LOBBY, game_type="go")
        house.master()
        house.passes(1.5)
        eve.says(ListPlayers(ref="7"))
        assert eve.hears() == [
            Players(
                (
                    PlayerInfo("vic", "chess", 6.5, 6.5, "CONNECTED", "ACTIVE", "WAITING"),
                    PlayerInfo("eve", "go", 1.5, 0.0, "CONNECTED", "ACTIVE", "WAITING"),
                ),
                "7",
            )
        ]

    def test_a_player_who_sits_at_a_table_has_joined_it_and_who_is_in_a_game_plays_it_until_the_thank_you(
        self, house: House
    ) -> None:
        master = house.master()
        ada, ben, cyd = [house.guest(nick, *LOBBY) for nick in ("ada", "ben", "cyd")]
        cyd.says(ListPlayers())
        assert {one.play for one in players(cyd.hears()).values()} == {"WAITING"}
        ada.says(Advertise(FRIDAY))
        cyd.says(ListPlayers())
        heard = players(cyd.hears())
        assert (heard["ada"].play, heard["ada"].game_id) == ("JOINED", "g1")
        assert (heard["ben"].play, heard["ben"].game_id) == ("WAITING", "")
        ben.says(Join("g1"))
        for message in (None, over("g1", "ada", losers=("ben",))):
            if message is not None:
                master.says(message)
            cyd.says(ListPlayers())
            heard = players(cyd.hears())
            assert [(heard[nick].play, heard[nick].game_id) for nick in ("ada", "ben")] == [("PLAYING", "g1")] * 2
        thank("g1", ada)
        ada.hears()
        ada.says(ListPlayers())
        heard = players(ada.hears())
        assert [heard[nick].play for nick in ("ada", "ben")] == ["WAITING", "PLAYING"]

    def test_a_player_who_is_away_is_listed_as_such_until_it_is_gone_for_good(self, house: House) -> None:
        ada, ben = house.guest("ada", *LOBBY), house.guest("ben", *LOBBY)
        ben.is_lost()
        ada.says(ListPlayers())
        assert players(ada.hears())["ben"].connection == "DISCONNECTED"
        house.passes(house.config.session_grace_s)
        ada.says(ListPlayers())
        assert list(players(ada.hears())) == ["ada"]

    def test_a_player_who_is_silent_is_idle_and_then_inactive(self) -> None:
        house = House(player_idle_s=10, player_inactive_s=20)
        house.player("vic")
        ada = house.guest("ada", *LOBBY)
        activities = []
        for seconds in (9, 1, 9, 1):
            house.passes(seconds)
            ada.says(ListPlayers())
            heard = players(ada.hears())
            activities.append((heard["vic"].activity, heard["ada"].activity))
        assert [vic for vic, _ in activities] == ["ACTIVE", "IDLE", "IDLE", "INACTIVE"]
        assert {own for _, own in activities} == {"ACTIVE"}


class TestGameTypes:
    def test_types_are_listed_in_the_order_of_names_with_the_reference(self, house: House) -> None:
        house.player("vic", "whist")
        house.master("m", (3, 4), "bridge")
        ada = house.guest("ada", *LOBBY)
        ada.says(ListGameTypes(ref="7"))
        assert ada.hears() == [
            GameTypes(
                (
                    GameTypeInfo("bridge", 3, 4, True, False),
                    GameTypeInfo("chess", 0, 0, False, False),
                    GameTypeInfo("whist", 0, 0, False, False),
                ),
                "7",
            )
        ]

    def test_several_masters_are_taken_together(self) -> None:
        house = House(masters_per_game=3)
        mode = OfferedOption("mode", "STANDARD", "STANDARD ADULT")
        rules = OfferedOption("rules", "strict", "strict loose")
        house.master("l", (3, 6))
        house.leader("m", Family.TABLE, players=(2, 2), options=(mode,))
        house.leader("n", Family.TABLE, players=(3, 4), options=(rules, OfferedOption("mode", "ADULT", "ADULT")))
        ada = house.guest("ada", *LOBBY)
        ada.says(ListGameTypes())
        assert types(ada.hears()) == {"chess": GameTypeInfo("chess", 2, 6, True, True, (mode, rules))}

    def test_a_type_that_nobody_plays_any_more_is_not_listed(self, house: House) -> None:
        master = house.table("ann", "ben")[0]
        master.says(over("g1", "ann", losers=("ben",)))
        for conn in (1, 2, 3):
            house.peers[conn].says(Logout())
        eve = house.guest("eve", *LOBBY, game_type="go")
        eve.says(ListGameTypes())
        assert list(types(eve.hears())) == ["go"]
        assert "chess" in house.broker.desk.types
