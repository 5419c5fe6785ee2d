"""Who may watch what, the list of games, and the nicks of spectators."""

from dataclasses import replace

import pytest

from tests.broker.extensions.watch.spectators import play, refusal, spectator
from tests.broker.house import CHESS, House, move
from ugs.broker.extensions.watch.asking import MAX_DELAY_S, MAX_DELAYS, MAX_WATCHED
from ugs.broker.state.connection import PeerState
from ugs.wire.extensions import (
    Failed,
    Family,
    ListGames,
    Ok,
    RefusalReason,
    RunningGames,
    Said,
    Say,
    Watch,
    WatchableGame,
    Watching,
)
from ugs.wire.messages import Error, LoginError, LoginResponse, PlayerLogin


class TestWhoMay:
    @pytest.mark.parametrize(
        ("message", "reason", "words"),
        [
            (Watch(), RefusalReason.INVALID_REQUEST, "both missing"),
            (Watch("g1", CHESS), RefusalReason.INVALID_REQUEST, "both there"),
            (Watch("g7"), RefusalReason.INVALID_GAME, "gameId 'g7'"),
            (Watch(game_type=" "), RefusalReason.INVALID_REQUEST, "gameType is empty"),
            (Watch("g1", nick="\n"), RefusalReason.INVALID_REQUEST, "nick is empty"),
            (Watch("g1", nick="x" * 54), RefusalReason.INVALID_REQUEST, "nick is longer than 53"),
            (Watch("g1", nick="ANN"), RefusalReason.DUPLICATE_USER, "in use"),
            (Watch("g1", nick="SUE"), RefusalReason.DUPLICATE_USER, "in use"),
            (Watch("g1", delay_s=MAX_DELAY_S + 1), RefusalReason.INVALID_REQUEST, "at most 900"),
        ],
    )
    def test_what_is_wrong_is_named(self, house: House, message: Watch, reason: RefusalReason, words: str) -> None:
        house.table("ann", "ben")
        spectator(house, Watch("g1", nick="Sue"))
        tom = spectator(house, message)
        (heard,) = tom.hears()
        assert isinstance(heard, Failed)
        assert heard.code is reason
        assert words in heard.text
        assert tom.state is PeerState.NEW

    def test_only_game_types_that_are_allowed_can_be_watched(self) -> None:
        house = House(allowed_game_types=["go"])
        assert refusal(spectator(house, Watch(game_type=CHESS))) is RefusalReason.INVALID_GAME
        assert spectator(house, Watch(game_type="go")).hears() == [Ok()]

    def test_the_number_of_spectators_is_limited(self) -> None:
        house = House(max_spectators=2)
        first, _ = (spectator(house, Watch(game_type=CHESS)) for _ in range(2))
        late = spectator(house, Watch(game_type=CHESS))
        assert refusal(late) is RefusalReason.USER_LIMIT
        first.hears()
        first.says(Watch(game_type="go"))
        assert first.hears() == [Ok()], "who is in may watch more"
        first.is_lost()
        late.says(Watch(game_type=CHESS))
        assert late.hears() == [Ok()]

    def test_after_three_refusals_the_connection_is_closed(self, house: House) -> None:
        sue = spectator(house)
        for _ in range(3):
            assert not sue.is_closed()
            sue.says(Watch("g7"))
        assert sue.is_closed()

    def test_a_spectator_may_be_refused_as_often_as_it_likes(self, house: House) -> None:
        sue = spectator(house, Watch(game_type=CHESS))
        for _ in range(5):
            sue.says(Watch("g7"))
        assert not sue.is_closed()

    def test_nobody_is_let_in_while_the_server_stops(self) -> None:
        house = House(drain_s=60)
        house.table("ann", "ben")
        inside = spectator(house, Watch(game_type=CHESS))
        house.is_asked_to_stop()
        assert refusal(spectator(house, Watch("g1"))) is RefusalReason.INVALID_PLAYER
        inside.hears()
        inside.says(Watch("g1"))
        assert isinstance(inside.hears()[0], Watching)

    def test_a_player_cannot_watch_and_a_spectator_cannot_play(self, house: House) -> None:
        ann = house.guest("ann", Family.WATCH)
        ann.says(Watch(game_type=CHESS))
        assert refusal(ann) is RefusalReason.INVALID_PLAYER
        sue = spectator(house, Watch(game_type=CHESS))
        sue.hears()
        sue.says(PlayerLogin("sue", CHESS))
        assert isinstance(sue.hears()[0], Error)
        sue.says(move("g1"))
        assert isinstance(sue.hears()[0], Error)

    def test_a_spectator_who_watches_need_not_log_in(self, house: House) -> None:
        sue = spectator(house, Watch(game_type=CHESS))
        house.passes(1000)
        assert not sue.is_closed()
        assert sue.admitted

    def test_a_nick_can_be_told_later_but_not_changed(self, house: House) -> None:
        sue = spectator(house, Watch(game_type=CHESS))
        sue.says(Watch(game_type=CHESS, nick="Sue"))
        sue.says(Watch(game_type=CHESS, nick="Sue"))
        assert sue.hears() == [Ok(), Ok(), Ok()]
        sue.says(Watch(game_type=CHESS, nick="Tom"))
        assert refusal(sue) is RefusalReason.INVALID_REQUEST
        assert sue.name == "Sue"

    def test_the_number_of_games_of_one_spectator_is_limited(self) -> None:
        house = House(list_burst=1000)
        sue = spectator(house)
        for number in range(MAX_WATCHED):
            sue.says(Watch(game_type=f"t{number}"))
        sue.hears()
        sue.says(Watch(game_type="one more"))
        assert refusal(sue) is RefusalReason.GAME_LIMIT
        sue.says(Watch(game_type="t5", delay_s=1))
        assert sue.hears() == [Ok()], "it is there already"

    @pytest.mark.parametrize("what", [Watch("g1"), Watch(game_type=CHESS)])
    def test_the_number_of_different_delays_is_limited(self, house: House, what: Watch) -> None:
        house.table("ann", "ben")
        for number in range(MAX_DELAYS):
            spectator(house, replace(what, delay_s=number))
        odd = spectator(house, replace(what, delay_s=0.5))
        (heard,) = odd.hears()
        assert isinstance(heard, Failed)
        assert heard.code is RefusalReason.USER_LIMIT
        assert "0, 1, 2, 3" in heard.text
        odd.says(replace(what, delay_s=7))
        assert isinstance(odd.hears()[0], Watching)


class TestTheList:
    def test_running_games_are_told_in_the_order_of_their_begin(self, house: House) -> None:
        master, ann, ben = house.table("ann", "ben")
        play(house, master, ann, ben, moves=2)
        house.master("n", game_type="go")
        house.players("cat", "dan", game_type="go")
        sue = spectator(house, Watch("g1"))
        spectator(house, Watch("g1", delay_s=5))
        sue.hears()
        sue.says(ListGames(ref="3"))
        chess, go = WatchableGame("g1", CHESS, "ann, ben", 2, 2), WatchableGame("g2", "go", "cat, dan", 0, 0)
        assert sue.hears() == [RunningGames((chess, go), "3")]
        sue.says(ListGames("go"))
        assert sue.hears() == [RunningGames((go,))]

    def test_it_can_be_read_before_anything_is_watched(self, house: House) -> None:
        sue = spectator(house)
        sue.says(ListGames())
        assert sue.hears() == [RunningGames(())]


class TestNicksOfSpectators:
    """They are a space of their own: no player is kept out by one, and nobody loses its name to who comes later."""

    def test_a_player_comes_in_and_the_spectator_keeps_its_own(self, house: House) -> None:
        house.table("ann", "ben")
        sue = spectator(house, Watch("g1", nick="Sue"))
        sue.hears()
        peer = house.connects()
        peer.says(PlayerLogin("sue", CHESS))
        assert peer.hears() == [LoginResponse()]
        assert sue.hears() == []
        assert sue.name == "Sue"

    def test_what_is_said_to_a_player_reaches_no_spectator(self, house: House) -> None:
        house.table("ann", "ben")
        sue = house.greets(Family.WATCH, Family.CHAT)
        sue.says(Watch("g1", nick="Sue"))
        tom = house.guest("tom", Family.CHAT)
        tom.says(Say(("sue",), "", "is she here?"))
        house.guest("sue", Family.CHAT)
        tom.says(Say(("sue",), "", "and now?"))
        assert [one for one in sue.hears() if isinstance(one, Said)] == []

    @pytest.mark.parametrize("nick", ["eve (watching)", "Eve  (Watching)", "eve (\uff57atching)"])
    def test_no_player_looks_like_a_spectator(self, house: House, nick: str) -> None:
        peer = house.connects()
        peer.says(PlayerLogin(nick, CHESS))
        assert peer.hears() == [LoginResponse(LoginError.WRONG_NICK)]
        sue = spectator(house, Watch(game_type=CHESS, nick=nick))
        assert refusal(sue) is RefusalReason.INVALID_REQUEST

    def test_a_spectator_takes_none_from_a_player_who_is_absent(self, house: House) -> None:
        house.table("ann", "ben")
        house.guest("sue", Family.SESSION).is_lost()
        sue = spectator(house)
        sue.says(Watch("g1", nick="sue"))
        (refused,) = sue.hears()
        assert isinstance(refused, Failed)
        assert refused.code is RefusalReason.DUPLICATE_USER

    def test_players_can_talk_to_spectators_by_their_nicks(self, house: House) -> None:
        house.table("ann", "ben")
        sue = house.greets(Family.WATCH, Family.CHAT)
        sue.says(Watch("g1", nick="sue"))
        sue.hears()
        tom = house.guest("tom", Family.CHAT)
        tom.says(Say(("Sue (watching)",), "", "hello"))
        assert sue.hears() == [Said("tom", ("Sue (watching)",), "", "hello")]
        sue.says(Say(("tom",), "", "hello you"))
        assert tom.hears() == [Ok(), Said("sue (watching)", ("tom",), "", "hello you")]
