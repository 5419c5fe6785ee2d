"""Spectators of a game type: all its games, or one of several."""

import pytest

from tests.broker.extensions.watch.spectators import BEGIN, body, event, numbers, play, shown, spectator
from tests.broker.house import CHESS, House, Peer, over, thank, turn
from ugs.broker.effects import Publish, Subscribe
from ugs.broker.events import Timer, TimerFired, TimerKind
from ugs.broker.extensions.watch.stand import PIECE_EVENTS
from ugs.wire.extensions import (
    Advertise,
    EventKind,
    Family,
    GameEvent,
    ListGames,
    NewTable,
    Ok,
    RunningGames,
    Start,
    Unwatch,
    Visibility,
    Watch,
    Watching,
)
from ugs.wire.messages import Logout, Message, PlayerLogin


class TestGameTypes:
    def test_with_no_game_running_it_is_ok_and_each_game_is_told_from_its_begin(self, house: House) -> None:
        sue = spectator(house, Watch(game_type=CHESS, ref="9"))
        assert sue.hears() == [Ok("9")]
        master, ann, ben = house.table("ann", "ben")
        assert sue.hears() == [
            shown(0),
            event(1, 0, EventKind.BEGIN),
            event(2, 0, EventKind.STATE, next_players=("ann",), state=b"<gameState/>"),
        ]
        master.says(over("g1", "ann", losers=("ben",)))
        assert numbers(sue.hears()) == [3, 4]
        thank("g1", ann, ben)
        heard = sue.hears()
        assert [type(one) for one in heard] == [Watching, GameEvent]
        assert {one.game_id for one in heard if isinstance(one, Watching | GameEvent)} == {"g2"}

    def test_every_running_game_is_shown_and_games_of_other_types_are_not(self, house: House) -> None:
        house.table("ann", "ben")
        house.players("cat", "dan")
        house.master("n", game_type="go")
        house.players("eve", "fay", game_type="go")
        sue = spectator(house, Watch(game_type=CHESS, ref="1"))
        heard = sue.hears()
        assert [(one.game_id, one.ref) for one in heard if isinstance(one, Watching)] == [("g1", "1"), ("g2", "1")]

    def test_all_with_the_same_delay_share_what_is_published(self, house: House) -> None:
        everybody = [spectator(house, Watch(game_type=CHESS)) for _ in range(10)]
        for one in everybody:
            one.hears()
        house.master()
        house.player("ann")
        ben = house.connects()
        effects = ben.says(PlayerLogin("ben", CHESS))
        assert len([effect for effect in effects if isinstance(effect, Publish)]) == 2
        assert len([effect for effect in effects if isinstance(effect, Subscribe)]) == 10
        assert all([type(message) for message in one.hears()] == [Watching, GameEvent] for one in everybody)

    def test_with_a_delay_the_begin_is_shown_at_once_and_what_happens_later(self, house: House) -> None:
        sue = spectator(house, Watch(game_type=CHESS, delay_s=5))
        sue.hears()
        house.table("ann", "ben")
        assert sue.hears() == [shown(0)]
        house.passes(5)
        assert numbers(sue.hears()) == [1, 2]

    def test_games_at_private_tables_are_for_those_who_know_them(self, house: House) -> None:
        sue = spectator(house, Watch(game_type=CHESS))
        sue.hears()
        house.leader("m", Family.TABLE)
        ada = house.guest("ada", Family.LOBBY)
        ada.says(Advertise(NewTable("Friday", 2, Visibility.PRIVATE, computers=1)))
        ada.says(Start())
        assert house.game().id == "g1"
        tom = spectator(house, Watch(game_type=CHESS))
        tom.says(ListGames())
        assert tom.hears() == [Ok(), RunningGames(())]
        assert sue.hears() == []
        assert isinstance(spectator(house, Watch("g1")).hears()[0], Watching)


class TestOneOfSeveral:
    """A spectator of several games stops watching one of them."""

    def games(self, house: House) -> tuple[Peer, Peer, Peer]:
        """Two games, g1 and g2, of one master; the first two of their players."""
        master = house.master(players=(2, 2))
        ann, ben, *_ = house.players("ann", "ben", "cat", "dan")
        master.hears()
        for game_id, nick in (("g1", "ann"), ("g2", "cat")):
            master.says(turn(game_id, nick, body(0)))
        return master, ann, ben

    def test_a_spectator_who_has_seen_enough_of_one_goes_on_with_the_other(self, house: House) -> None:
        master, *_ = self.games(house)
        sue = spectator(house, Watch("g1"))
        sue.says(Watch("g2"))
        sue.says(Unwatch("g1"))
        sue.hears()
        master.says(turn("g1", "ben", body(1)))
        master.says(turn("g2", "dan", body(2)))
        (heard,) = sue.hears()
        assert isinstance(heard, GameEvent)
        assert heard.game_id == "g2"

    def test_a_spectator_who_is_told_the_past_of_two_may_leave_one(self) -> None:
        house = House(move_timeout_s=1000)
        master, ann, ben = self.games(house)
        play(house, master, ann, ben, moves=PIECE_EVENTS)
        sue = spectator(house, Watch(game_type=CHESS, begin=BEGIN))
        sue.hears()
        sue.says(Unwatch("g1"))
        house.passes(0)
        heard = [one for one in sue.hears() if isinstance(one, GameEvent)]
        assert {one.game_id for one in heard} == {"g2"}
        assert heard

    def test_a_timer_of_a_spectator_who_has_gone_is_ignored(self, house: House) -> None:
        assert house.happens(TimerFired(Timer(TimerKind.SPECTATORS, "past 99"))) == []
        assert house.happens(TimerFired(Timer(TimerKind.SPECTATORS, "g1/0"))) == []


class TestManyGames:
    """The games of a type are shown a piece at a time, as the network of the spectator takes it."""

    LARGE = b"<gameState>" + b"x" * 200_000 + b"</gameState>"

    def games(self, house: House, number: int) -> Peer:
        """A master that leads so many games with large states."""
        master = house.master()
        for game in range(1, number + 1):
            house.players(f"a{game}", f"b{game}")
            master.says(turn(f"g{game}", f"a{game}", self.LARGE))
        return master

    def shown(self, peer: Peer) -> list[str]:
        return [one.game_id for one in peer.hears() if isinstance(one, Watching)]

    def test_they_come_in_pieces(self, house: House) -> None:
        self.games(house, 5)
        sue = spectator(house, Watch(game_type=CHESS))
        assert self.shown(sue) == ["g1", "g2"]
        house.passes(0)
        assert self.shown(sue) == ["g3", "g4", "g5"]
        assert set(house.channels) == {"g1/0", "g2/0", "g3/0", "g4/0", "g5/0"}

    def test_one_that_is_over_meanwhile_is_not_shown(self, house: House) -> None:
        master = self.games(house, 3)
        sue = spectator(house, Watch(game_type=CHESS))
        assert self.shown(sue) == ["g1", "g2"]
        master.says(over("g3", "a3", losers=("b3",)))
        house.passes(0)
        assert self.shown(sue) == []

    def test_one_that_is_asked_for_meanwhile_is_shown_once(self, house: House) -> None:
        self.games(house, 3)
        sue = spectator(house, Watch(game_type=CHESS))
        sue.says(Watch("g3"))
        house.passes(0)
        assert self.shown(sue) == ["g1", "g2", "g3"]

    @pytest.mark.parametrize("message", [Unwatch(), Unwatch(game_type=CHESS), Unwatch("g3"), Logout()])
    def test_who_has_seen_enough_is_shown_no_more(self, house: House, message: Message) -> None:
        self.games(house, 3)
        sue = spectator(house, Watch(game_type=CHESS))
        sue.says(message)
        assert self.shown(sue) == ["g1", "g2"]
        house.passes(0)
        assert self.shown(sue) == []

    def test_many_players_are_named_in_part(self, house: House) -> None:
        house.master(players=(10, 10))
        house.players(*"abcdefghij")
        sue = spectator(house)
        sue.says(ListGames())
        (games,) = sue.hears()
        assert isinstance(games, RunningGames)
        assert games.games[0].players == "a, b, c, d, e, f, g, h and 2 more"
