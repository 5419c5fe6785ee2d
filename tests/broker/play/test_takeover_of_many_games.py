"""Many games that are handed over, and those with a long past."""

import sys
from collections.abc import Callable
from types import FrameType

import pytest

from tests.broker.house import CHESS, House, Peer, turn
from tests.broker.house import move as moves
from tests.broker.play.successors import FIRST, RESTORE, VOID, game
from tests.profile import sized
from ugs.broker.events import JournalLost
from ugs.broker.play import takeover
from ugs.broker.play.takeover import adopt
from ugs.broker.state.phases import Phase
from ugs.broker.verdict import Cause, Outcome, Verdict
from ugs.broker.verdict_sentences import sentence
from ugs.wire.extensions import Failed, Family, RefusalReason, Restore
from ugs.wire.messages import BeginGame, Error, Move


@pytest.fixture
def house() -> House:
    """Games wait twenty seconds for a master, and there may be two."""
    return House(master_grace_s=20, masters_per_game=2)


class TestOneGrace:
    """There is one ``master_grace_s`` for the loss of a master, not one for each successor that fails."""

    def test_successors_that_fail_do_not_make_it_longer(self, house: House) -> None:
        master, ann, _ben = game(house, "ann", "ben")
        master.is_lost()
        house.passes(12)
        house.leader("second", RESTORE).is_lost()
        assert house.clock() == 8
        house.passes(7)
        third = house.leader("third", RESTORE)
        house.passes(4)
        assert house.game().phase is Phase.TAKING, "it has its own time to answer"
        third.is_lost()
        assert ann.hears() == [VOID]
        assert house.results[0].verdict == Verdict(Cause.MASTER_LOST, "third")

    def test_a_master_that_has_answered_has_a_grace_of_its_own(self, house: House) -> None:
        master, *_players = game(house, "ann", "ben")
        master.is_lost()
        house.passes(12)
        second = house.leader("second", RESTORE)
        second.says(turn("g1", "ann", FIRST))
        second.is_lost()
        assert house.clock() == 20


class TestTakeoversThatKill:
    """A game that each successor is lost by is given up, so that the others of that master go on."""

    END = Error("game void: each game master that has taken it over was lost at once")

    def test_after_three_in_a_row_it_is_void(self, house: House) -> None:
        master, ann, ben = game(house, "ann", "ben")
        ann.says(moves("g1"))
        master.is_lost()
        for name in ("second", "third"):
            house.leader(name, RESTORE).is_lost()
            assert house.game().phase is Phase.AWAY
        house.leader("fourth", RESTORE).is_lost()
        assert ann.hears() == ben.hears() == [self.END]
        assert house.results[0].verdict == Verdict(Cause.TAKEOVERS_LOST, "fourth")
        assert {seat.outcome for seat in house.results[0].seats} == {Outcome.VOID}
        assert "took it over 3 times in a row or more, at last fourth, and was lost each time" in sentence(
            house.results[0]
        )

    def test_so_it_is_when_they_are_lost_right_after_their_answer(self, house: House) -> None:
        master, ann, _ben = game(house, "ann", "ben")
        master.is_lost()
        for name in ("second", "third", "fourth"):
            successor = house.leader(name, RESTORE)
            successor.says(turn("g1", "ann", FIRST))
            house.passes(4)
            successor.is_lost()
        assert ann.hears() == [self.END]

    def test_a_master_that_has_led_it_for_a_while_is_lost_by_something_else(self, house: House) -> None:
        master, *_players = game(house, "ann", "ben")
        master.is_lost()
        for name in ("second", "third", "fourth", "fifth"):
            successor = house.leader(name, RESTORE)
            successor.says(turn("g1", "ann", FIRST))
            house.passes(6)
            successor.is_lost()
        assert house.game().phase is Phase.AWAY
        assert house.game().turn.takeovers_lost == 0

    def test_of_those_that_it_has_just_taken_the_last_one_is_blamed(self, house: House) -> None:
        master = house.leader("m", RESTORE)
        for number in (1, 2):
            house.players(f"a{number}", f"b{number}")
            master.says(turn(f"g{number}", f"a{number}"))
        master.is_lost()
        other = house.leader("other", RESTORE)
        other.says(turn("g2", "a2"))
        house.passes(1)
        other.says(turn("g1", "a1"))
        other.is_lost()
        assert [house.game(name).turn.takeovers_lost for name in ("g1", "g2")] == [1, 0]

    def test_a_move_between_two_takeovers_breaks_the_row(self, house: House) -> None:
        master, ann, ben = game(house, "ann", "ben")
        master.is_lost()
        for name in ("second", "third"):
            house.leader(name, RESTORE).is_lost()
        fourth = house.leader("fourth", RESTORE)
        fourth.says(turn("g1", "ann", FIRST))
        ann.says(moves("g1"))
        fourth.says(turn("g1", "ben"))
        fourth.is_lost()
        assert house.game().turn.takeovers_lost == 0
        for name in ("fifth", "sixth"):
            house.leader(name, RESTORE).is_lost()
        assert not house.results
        house.leader("seventh", RESTORE).is_lost()
        assert ben.hears()[-1] == self.END

    def test_the_other_games_of_the_lost_ones_go_on(self) -> None:
        """What was with it once is not blamed again: it is handed over alone after that."""
        house = House(master_grace_s=20, masters_per_game=2)
        master = house.leader("m", RESTORE)
        for number in (1, 2, 3):
            house.players(f"a{number}", f"b{number}")
            master.says(turn(f"g{number}", f"a{number}"))
        master.is_lost()

        def takes(name: str) -> None:
            """A successor that is lost by g2, and answers for each other game."""
            successor = house.leader(name, RESTORE)
            while handed := [one.game_id for one in successor.hears() if isinstance(one, Restore)]:
                for game_id in handed:
                    if game_id == "g2":
                        successor.is_lost()
                        return
                    successor.says(turn(game_id, f"a{game_id[1:]}"))

        for name in ("second", "third", "fourth"):
            takes(name)
        assert [(one.game_id, one.verdict.cause) for one in house.results] == [("g2", Cause.TAKEOVERS_LOST)]
        takes("fifth")
        assert {house.game(game_id).phase for game_id in ("g1", "g3")} == {Phase.TURN}


class TestALineThatFlaps:
    """All games of a master may be taken over when its line is lost again: none of them is why."""

    ROUND_TRIP_S = 0.5

    def many(self, games: int) -> House:
        """So many games whose master is lost, and room to hand over all of them at once."""
        house = House(master_grace_s=20, masters_per_game=2, max_games_per_master=games, max_outbox_bytes=1 << 28)
        master = house.leader("m", RESTORE)
        for number in range(1, games + 1):
            house.players(f"a{number}", f"b{number}")
            master.says(turn(f"g{number}", f"a{number}"))
        master.is_lost()
        house.passes(0)
        return house

    def answers(self, house: House, successor: Peer, killer: str = "") -> list[int]:
        """A successor that answers for what it is handed a moment later, and is lost by this game. Returns how many
        games it is handed at a time."""
        sizes = []
        while handed := [one.game_id for one in successor.hears() if isinstance(one, Restore)]:
            sizes.append(len(handed))
            house.passes(self.ROUND_TRIP_S)
            if killer in handed:
                successor.is_lost()
                house.passes(0)
                break
            for game_id in handed:
                successor.says(turn(game_id, f"a{game_id[1:]}"))
        return sizes

    @pytest.mark.parametrize("flaps", [2, 4])
    def test_no_game_is_void(self, flaps: int) -> None:
        """One after the other they would take longer than the grace."""
        games = sized(quick=48, deep=200)
        house = self.many(games)
        for number in range(1, flaps):
            house.passes(0.3)
            house.leader(f"m{number}", RESTORE).is_lost()
            house.passes(0)
        sizes = self.answers(house, house.leader("last", RESTORE))
        assert not house.results
        assert {game.phase for game in house.broker.server.games.values()} == {Phase.TURN}
        assert sum(sizes) == games

    def test_a_game_that_kills_is_found_among_them(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """By itself at last, however often it was lost with others before."""
        monkeypatch.setattr(takeover, "SPLIT", 2)
        house = self.many(16)
        sizes = [self.answers(house, house.leader(f"m{number}", RESTORE), "g7") for number in range(5)]
        assert [one[-1] for one in sizes] == [16, 8, 4, 2, 1]
        assert [(one.game_id, one.verdict.cause) for one in house.results] == [("g7", Cause.TAKEOVERS_LOST)]

    def test_what_comes_free_meanwhile_waits_until_a_game_that_may_kill_is_answered(self) -> None:
        house = House(master_grace_s=20, masters_per_game=3, max_games_per_master=2)
        busy, first = house.leader("busy", RESTORE), house.leader("first", RESTORE)
        for number, leader in enumerate((busy, first, busy), 1):
            house.players(f"a{number}", f"b{number}")
            leader.says(turn(f"g{number}", f"a{number}"))
        first.is_lost()
        house.leader("second", RESTORE).is_lost()
        third = house.leader("third", RESTORE)
        busy.is_lost()
        assert [one.game_id for one in third.hears() if isinstance(one, Restore)] == ["g2"]
        third.says(turn("g2", "a2"))
        assert [one.game_id for one in third.hears() if isinstance(one, Restore)] == ["g1"]


class TestAPastThatIsTooLong:
    """No master could read it: the game is void, and no successor is sent away by it."""

    def test_the_game_is_void_and_the_log_says_why(self) -> None:
        house = House(master_grace_s=20, masters_per_game=2, max_message_bytes=100_000)
        master, ann, _ben = game(house, "ann", "ben")
        for _ in range(4):
            ann.says(moves("g1", b"<move>" + b"x" * 10_000 + b"</move>"))
            master.says(turn("g1", "ann"))
        ann.hears()
        master.is_lost()
        second = house.leader("second", RESTORE)
        house.passes(1)
        assert [type(message) for message in second.hears()] == [BeginGame], "another game, and no x-restore"
        assert ann.hears() == [VOID]
        assert house.noted("game cannot be handed over: its past is too long")[0]["game"] == "g1"
        assert house.results[0].verdict.void


class TestManyGamesAtOnce:
    """A successor is not sent more than it can take in: it would count as one that does not read, and lose them all."""

    ROOM = 2 * 3 * 70_000
    """Unsent bytes after which a peer is closed: half of them is room for three games."""

    def many(self, games: int) -> tuple[House, Peer]:
        """A house in which so many games have lost their master, g1 first, and a successor that has just come."""
        house = House(master_grace_s=20, masters_per_game=2, max_outbox_bytes=self.ROOM)
        master = house.leader("m", RESTORE)
        for number in range(1, games + 1):
            house.players(f"a{number}", f"b{number}")
            master.says(turn(f"g{number}", f"a{number}"))
        master.is_lost()
        return house, house.leader("other", RESTORE)

    def handed(self, successor: Peer) -> list[str]:
        """The games that it has been handed since it was last looked at."""
        return [one.game_id for one in successor.hears() if isinstance(one, Restore)]

    def test_it_gets_the_next_one_when_it_has_answered(self) -> None:
        house, other = self.many(6)
        assert self.handed(other) == ["g1", "g2", "g3"]
        assert house.game("g4").phase is Phase.AWAY
        other.says(turn("g2", "a2"))
        assert self.handed(other) == ["g4"]
        other.says(turn("g1", "a1"))
        other.says(turn("g3", "a3"))
        assert self.handed(other) == ["g5", "g6"]
        assert not house.results

    def test_what_it_declines_makes_room_too(self) -> None:
        _house, other = self.many(4)
        other.hears()
        other.says(Failed(RefusalReason.INVALID_GAME, "I do not know these rules", "g1"))
        assert self.handed(other) == ["g4"]

    def test_so_does_what_it_is_silent_about(self) -> None:
        house, other = self.many(4)
        other.hears()
        house.passes(10)
        assert self.handed(other) == ["g4"]
        assert [result.game_id for result in house.results] == ["g1", "g2", "g3"]

    def test_one_game_it_gets_however_long_its_past_is(self) -> None:
        house = House(master_grace_s=20, masters_per_game=2, max_outbox_bytes=65_536)
        master, *_players = game(house, "ann", "ben")
        master.is_lost()
        assert self.handed(house.leader("other", RESTORE)) == ["g1"]

    def test_a_second_successor_takes_its_share(self) -> None:
        house = House(master_grace_s=20, masters_per_game=3, max_outbox_bytes=self.ROOM)
        master = house.leader("m", RESTORE)
        for number in range(1, 6):
            house.players(f"a{number}", f"b{number}")
            master.says(turn(f"g{number}", f"a{number}"))
        others = [house.leader(name, RESTORE) for name in ("other", "third")]
        master.is_lost()
        assert sorted(game for other in others for game in self.handed(other)) == ["g1", "g2", "g3", "g4", "g5"]


class TestWhatAMasterCosts:
    """Who cannot have the games that wait may say x-offers at any time: their pasts are not looked through for it."""

    def test_their_pasts_are_not_looked_through_for_who_cannot_have_them(self) -> None:
        assert self.calls(moves_made=2) == self.calls(moves_made=200)

    def calls(self, moves_made: int) -> int:
        """How many functions are called when a master without ``restore`` has told its options, while a game waits in
        which so many moves were made."""
        house = House(master_grace_s=20, masters_per_game=2)
        master = house.leader("m", RESTORE)
        players = dict(zip(("ann", "ben"), house.players("ann", "ben"), strict=True))
        for number in range(moves_made):
            nick = ("ann", "ben")[number % 2]
            master.says(turn("g1", nick))
            players[nick].says(moves("g1"))
        master.says(turn("g1", "ann"))
        master.is_lost()
        house.leader("other", Family.TABLE)
        calls = 0

        def profile(_frame: FrameType, event: str, _argument: object) -> None:
            nonlocal calls
            calls += event == "call"

        server = house.broker.server
        sys.setprofile(profile)
        try:
            adopt(server, server.types[CHESS])
        finally:
            sys.setprofile(None)
        assert house.game("g1").phase is Phase.AWAY
        return calls


class TestOneEndLeadsToAnother:
    """A game that ends while games are looked through is not handed over, and does not end twice."""

    LONG = moves("g1", b"<move>" + b"x" * 35_000 + b"</move>").payload

    def test_two_pasts_that_are_too_long_when_one_master_comes(self) -> None:
        house = House(master_grace_s=20, masters_per_game=2, max_message_bytes=100_000)
        players = house.players("ann", "ben", "cat", "dan")
        master = house.leader("m", RESTORE)
        for game_id, first in (("g1", players[0]), ("g2", players[2])):
            for _ in range(2):
                master.says(turn(game_id, first.name))
                first.says(Move(game_id, self.LONG))
        master.is_lost()
        second = house.leader("second", RESTORE)
        assert [result.game_id for result in house.results] == ["g1", "g2"]
        assert not second.is_closed()

    def test_a_past_that_has_become_too_long_under_a_second_master(self) -> None:
        house = House(master_grace_s=20, masters_per_game=2, max_message_bytes=100_000)
        master, ann, _ben = game(house, "ann", "ben")
        master.is_lost()
        second = house.leader("second", RESTORE)
        for _ in range(2):
            second.says(turn("g1", "ann"))
            ann.says(Move("g1", self.LONG))
        second.is_lost()
        house.leader("third", RESTORE)
        assert [result.game_id for result in house.results] == ["g1"]

    @pytest.mark.parametrize("stops", [lambda house: house.happens(JournalLost("full")), House.is_asked_to_stop])
    def test_a_master_that_becomes_free_when_all_games_end_gets_none(self, stops: Callable[[House], object]) -> None:
        house = House(master_grace_s=20, masters_per_game=2, max_games_per_master=1)
        first, second = house.leader("first", RESTORE), house.leader("second", RESTORE)
        house.players("ann", "ben", "cat", "dan")
        for one, game_id, nick in ((first, "g1", "ann"), (second, "g2", "cat")):
            one.says(turn(game_id, nick))
            one.hears()
        second.is_lost()
        stops(house)
        assert sorted(result.game_id for result in house.results) == ["g1", "g2"]
        assert not [message for message in first.hears() if isinstance(message, Restore)]
