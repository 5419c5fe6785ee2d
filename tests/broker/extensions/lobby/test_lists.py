"""Lists: who is here, and what is played."""

import pytest

from tests.broker.house import House, over, thank
from ugs.wire.extensions import (
    Advertise,
    Failed,
    Family,
    GameTypeInfo,
    GameTypes,
    Invitation,
    Join,
    Joined,
    ListGameTypes,
    ListPlayers,
    ListTables,
    NewTable,
    OfferedOption,
    PlayerInfo,
    Players,
    TableInfo,
    Tables,
    Visibility,
)
from ugs.wire.messages import Choice, Logout, Message

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
        assert "chess" in house.broker.server.types


def tables(heard: list[Message]) -> list[TableInfo]:
    """The tables in the last answer that has come."""
    answer = heard[-1]
    assert isinstance(answer, Tables)
    return list(answer.tables)


def set_up(house: House, nick: str, options: int = 0, size: int = 0, invited: tuple[str, ...] = ()) -> None:
    """A player sets up a table of its name, with so many options of ``size`` characters."""
    choices = tuple([Choice(f"{number:0{size}}", "") for number in range(options)])
    house.guest(nick, *LOBBY).says(Advertise(NewTable(nick, 3, Visibility.PUBLIC, 0, choices, invited)))


class TestTables:
    def test_of_the_invited_a_reader_is_told_only_of_itself(self, house: House) -> None:
        """Whom else an owner has invited is nobody's business; the owner and the invited were told it all."""
        ben, cyd = house.guest("ben", *LOBBY), house.guest("cyd", *LOBBY)
        set_up(house, "ada", invited=("BEN", "dan"))
        (invitation,) = ben.hears()
        assert isinstance(invitation, Invitation)
        assert invitation.table.invited == ("BEN", "dan")
        told = []
        for peer in (ben, cyd):
            peer.says(ListTables())
            told.append(tables(peer.hears())[0].invited)
        assert told == [("BEN",), ()]
        ben.says(Join("g1"))
        joined = ben.hears()[0]
        assert isinstance(joined, Joined)
        assert joined.table.invited == ("BEN", "dan")

    def test_where_not_all_fit_an_invitation_comes_first(self) -> None:
        house = House(list_rows=2)
        eve = house.guest("eve", *LOBBY)
        set_up(house, "ada")
        set_up(house, "guest", invited=("eve",))
        eve.says(ListTables())
        assert [table.name for table in tables(eve.hears())] == ["guest"]

    def test_where_not_all_fit_many_options_come_last(self) -> None:
        house = House(list_rows=18)
        eve = house.guest("eve", *LOBBY)
        set_up(house, "long", options=10, size=100)  # 1000 characters are about 4 rows
        set_up(house, "ada")
        set_up(house, "ben", options=4, size=3)
        set_up(house, "cyd", options=4, size=3)
        set_up(house, "guest", invited=("eve",))
        eve.says(ListTables())
        assert [table.name for table in tables(eve.hears())] == ["ada", "ben", "cyd", "guest"]

    @pytest.mark.no_cover
    def test_a_list_has_its_rows_whoever_set_up_what(self) -> None:
        """128 options of a table, and 100 nicks, were repeated by every list."""
        house = House(max_tables_per_ip=1000)
        invited = tuple(f"guest {number}" for number in range(100))
        for number in range(250):
            set_up(house, f"p{number}", options=number % 128, size=3, invited=invited)
        eve = house.guest("eve", *LOBBY)
        eve.says(ListTables())
        listed = tables(eve.hears())
        assert len(listed) > 20
        assert sum(1 + len(table.options) + len(table.invited) for table in listed) <= house.config.list_rows

    def test_the_options_of_a_table_have_a_length(self, house: House) -> None:
        set_up(house, "ada", options=4, size=1024)
        eve = house.guest("eve", *LOBBY)
        eve.says(Advertise(NewTable("t", 2, Visibility.PUBLIC, 0, (Choice("n" * 96, "v" * 4001),))))
        (refused,) = eve.hears()
        assert isinstance(refused, Failed)
        assert "option: names and values have 4097 characters; allowed: at most 4096" in refused.text
        eve.says(ListTables())
        assert [table.name for table in tables(eve.hears())] == ["ada"]


class TestLongGameTypes:
    def test_options_that_do_not_fit_are_those_of_other_types(self) -> None:
        house = House(list_rows=12, masters_per_game=2)
        for name in ("chess", "draughts", "go"):
            options = tuple([OfferedOption(f"{name} {number}", "v") for number in range(6)])
            house.leader(f"m {name}", Family.TABLE, game_type=name, options=options)
        house.leader("n", Family.TABLE, game_type="go", options=(OfferedOption("go 0", "w"),))
        eve = house.guest("eve", *LOBBY, game_type="go")
        eve.says(ListGameTypes())
        told = types(eve.hears())
        assert list(told) == ["chess", "draughts", "go"]
        assert [len(one.options) for one in told.values()] == [2, 0, 6]
        assert told["go"].options[0].value == "v"

    def test_the_readers_own_type_is_listed_whatever_there_is(self) -> None:
        house = House(list_rows=2)
        for name in ("a", "b", "c"):
            house.player(f"p{name}", name)
        eve = house.guest("eve", *LOBBY, game_type="z")
        eve.says(ListGameTypes())
        assert list(types(eve.hears())) == ["a", "z"]
