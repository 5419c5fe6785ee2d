"""Why a player waits, and how a game stands, in dialogues."""

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any

import pytest

from tests.broker.house import CHESS, House, Peer, move, over, thank, turn
from ugs.broker.entrance.pool import BEGUN_AT_ONCE
from ugs.broker.events import JournalLost, Started
from ugs.broker.past import Past, PastChampionship
from ugs.broker.state.phases import Phase
from ugs.broker.values.questions import Act, ActKind, Order, OrderKind, PlanAsked, PublicWhyAsked, WhyAsked
from ugs.broker.values.replies import as_json
from ugs.broker.views.next_games import PAIRED_LATER
from ugs.broker.views.why import MUST, explain
from ugs.championship.plan import parse_plan, shown_time
from ugs.wire.extensions import Advertise, Family, NewTable, Offers, Views, Visibility
from ugs.wire.messages import GameMasterLogin, Logout

PLAN: dict[str, Any] = {"name": "spring", "game_type": CHESS, "open_play": False}


def asked(house: House, name: str) -> Mapping[str, Any]:
    """What the broker answers; it changes nothing, and can be written as JSON."""
    answer = house.is_asked(WhyAsked(name))
    again = explain(house.broker.server, name)
    assert json.loads(json.dumps(answer)) == json.loads(json.dumps(as_json(again)))
    return answer


def only(house: House, name: str) -> dict[str, Any]:
    """The one thing that this name is."""
    answer = asked(house, name)
    assert answer["ok"], answer
    (found,) = answer["found"]
    facts: dict[str, Any] = found
    return facts


def why(house: House, name: str) -> list[str]:
    """The sentences about it."""
    sentences: list[str] = only(house, name)["why"]
    return sentences


def planned(house: House, **keys: object) -> None:
    """A championship of chess is announced, called spring."""
    plan = parse_plan({**PLAN, **keys}, "test")
    assert house.is_asked(PlanAsked(plan, "eve", 60 if plan.begins_at else None))["ok"] is True


def plan_hour() -> str:
    """That hour as this machine's clock shows it."""
    return shown_time(datetime(2030, 5, 1, 20))


def ordered(house: House, kind: OrderKind, subject: str = "") -> None:
    """An order for that championship is carried out."""
    assert house.is_asked(Order(kind, "spring", "eve", "for a test", subject)) == {"ok": True}


def play(master: Peer, game_id: str, winner: Peer, loser: Peer) -> None:
    """One game ends, and both thank."""
    master.says(over(game_id, winner.name, losers=(loser.name,)))
    thank(game_id, winner, loser)


class TestInThePool:
    """A player that waits for a game of open play."""

    def test_without_a_master_that_is_why(self, house: House) -> None:
        house.player("ann")
        house.passes(3)
        found = only(house, "ann")
        assert found["why"] == ["there is no game master for chess"]
        assert (found["kind"], found["state"], found["waiting_s"]) == ("player", "waiting for a game", 3)
        assert found["peers"] == [{"role": "player", "name": "ann", "conn": 1, "address": "192.0.2.1"}]

    def test_with_too_few_players_it_is_told_how_many_a_game_takes(self, house: House) -> None:
        house.master(players=(3, 5))
        house.players("ann", "ben")
        assert why(house, "ann") == ["2 players wait; a game takes 3 to 5 players"]

    def test_all_sizes_of_games_are_told(self) -> None:
        house = House(masters_per_game=3)
        house.master("m1", players=(2, 2))
        house.master("m2", players=(3, 4))
        house.master("m3", players=(2, 2))
        house.player("ann")
        assert why(house, "ann") == ["1 player waits; a game takes 2 players or 3 to 4 players"]

    def test_masters_that_lead_as_many_games_as_they_may_are_why(self) -> None:
        house = House(max_games_per_master=1)
        house.master()
        house.players("ann", "ben", "cat", "dan")
        assert why(house, "cat") == ["every game master for chess that could begin one leads 1 game, which is the most"]

    def test_while_players_gather_the_time_left_is_told(self) -> None:
        house = House(gather_s=10)
        house.master(players=(2, 4))
        house.players("ann", "ben")
        house.passes(4)
        assert why(house, "ann") == ["2 players wait; for 6 s more a game may gather up to 4"]

    def test_while_players_gather_for_a_master_the_number_that_it_wants_is_told(self) -> None:
        house = House()
        master = house.leader("m", Family.TABLE, players=(2, 6))
        master.says(Offers((), players_wanted=4, gather_s=20))
        house.players("ann", "ben")
        house.passes(4)
        assert why(house, "ann") == ["2 players wait; for 16 s more a game may gather up to 4"]

    def test_those_who_have_just_met_wait_for_others(self) -> None:
        house = House(game_types={CHESS: {"variety_s": 2}})
        master = house.master()
        players = {nick: house.player(nick) for nick in ("ann", "ben", "cat", "dan")}
        game = house.broker.games[0]
        first, second = sorted(game.present)
        master.says(over(game.id, first, losers=(second,)))
        thank(game.id, players[first], players[second])
        house.passes(0.5)
        assert why(house, first) == [
            "2 players wait, but have met others less often; one of those may come free within 2 s"
        ]

    def test_when_many_games_begin_one_after_another_nothing_else_stands_in_the_way(self) -> None:
        house = House(game_types={CHESS: {"variety_s": 0}})
        for number in range(2 * BEGUN_AT_ONCE + 7):
            house.player(f"player {number}")
        house.master()
        assert why(house, f"player {2 * BEGUN_AT_ONCE}") == ["nothing stands in the way of its next game"]

    def test_a_lost_journal_and_a_stopping_server_come_first(self) -> None:
        house = House(drain_s=60)
        house.table("ann", "ben")
        house.player("cat")
        house.is_asked_to_stop()
        assert why(house, "cat") == [
            "the server is stopping, and begins no game any more",
            "1 player waits; a game takes 2 players",
        ]
        assert why(house, "m")[:2] == ["the server is stopping, and begins no game any more", "m leads 1 game"]

    def test_a_lost_journal_is_told_with_its_reason(self, house: House) -> None:
        house.player("ann")
        house.happens(JournalLost("disk full"))
        assert why(house, "ann") == [
            "no game begins while nothing can be written down: disk full",
            "there is no game master for chess",
        ]

    def test_with_enough_players_nothing_but_the_journal_stands_in_the_way(self, house: House) -> None:
        house.happens(JournalLost("disk full"))
        house.master()
        house.players("ann", "ben")
        assert why(house, "ann") == ["no game begins while nothing can be written down: disk full"]

    def test_names_are_found_whatever_their_case(self, house: House) -> None:
        house.player("Ann")
        assert only(house, "aNN")["name"] == "Ann"


class TestAGame:
    """A game from beginGame to the last thank you."""

    def test_each_phase_is_told_with_who_must_act(self) -> None:
        house = House(begin_timeout_s=1, move_timeout_s=2, master_timeout_s=3, thank_you_timeout_s=4)
        master = house.master(players=(3, 3))
        ann, ben, cat = house.players("ann", "ben", "cat")

        def told() -> tuple[str, list[str], float | None, str]:
            found = only(house, "g1")
            (sentence,) = found["why"]
            return found["phase"], found["waits_for"], found["limit_s"], sentence

        asked_m = "game g1: the game master m has been asked to begin it and must answer within 1 s"
        assert told() == ("begun", ["m"], 1, asked_m)
        master.says(turn("g1", "ann"))
        assert told() == ("turn", ["ann"], 2, "game g1: it is the turn of ann within 2 s")
        ann.says(move("g1"))
        assert told() == ("answer", ["m"], 3, "game g1: the game master m must send how it goes on within 3 s")
        master.says(turn("g1", "ben"))
        ben.says(Logout())
        cat.says(Logout())
        alone = "game g1: only ann is left; the game master m must name the winner within 3 s"
        assert told() == ("alone", ["m"], 3, alone)
        house.disk_is_slow = True
        master.says(over("g1", "ann"))
        assert told() == ("closing", [], None, "game g1: it has ended; its result is on the way to the disk")

    def test_the_seats_the_departures_and_the_moves_are_told(self, house: House) -> None:
        _, ann, _, cat = house.table("ann", "ben", "cat")
        ann.says(move("g1"))
        cat.says(Logout())
        found = only(house, "g1")
        assert (found["game"], found["game_type"], found["championship"]) == ("g1", CHESS, "")
        assert (found["seats"], found["departures"], found["moves"]) == (["ann", "ben", "cat"], {"cat": "logout"}, 1)
        assert [(peer["role"], peer["name"]) for peer in found["peers"]] == [
            ("master", "m"),
            ("player", "ann"),
            ("player", "ben"),
        ]

    def test_a_lost_master_is_waited_for(self) -> None:
        house = House(master_grace_s=30)
        master, *_ = house.table("ann", "ben", families=[Family.RESTORE])
        master.is_lost()
        found = only(house, "g1")
        assert (found["phase"], found["waits_for"], found["limit_s"]) == ("away", ["m"], 30)
        assert found["why"] == [
            "game g1: the connection of the game master m is lost; another one may take it over within 30 s"
        ]

    def test_one_that_is_over_waits_for_thanks(self, house: House) -> None:
        master, ann, _ben = house.table("ann", "ben")
        master.says(over("g1", "ann", losers=("ben",)))
        thank("g1", ann)
        found = only(house, "g1")
        assert (found["phase"], found["waits_for"]) == ("over", ["ben"])
        assert found["why"] == ["game g1: it is over; a thank you is owed by ben within 10 s"]

    def test_a_player_is_told_what_its_game_waits_for(self, house: House) -> None:
        house.table("ann", "ben")
        found = only(house, "ben")
        assert (found["state"], found["game"]) == ("in a game", "g1")
        assert found["why"] == ["game g1: it is the turn of ann within 30 s"]
        assert "waiting_s" not in found

    def test_a_player_that_owes_thanks_is_told_until_when(self, house: House) -> None:
        master, *_ = house.table("ann", "ben")
        master.says(over("g1", "ann", losers=("ben",)))
        assert why(house, "ben") == ["ben owes a thank you for game g1, which is over; it is closed 10 s after the end"]

    def test_every_phase_has_its_sentence(self) -> None:
        assert set(MUST) == set(Phase)


class TestWithExtensions:
    """Players and masters that can do more than v4."""

    def test_a_cut_line_is_told(self, house: House) -> None:
        house.guest("ann", Family.SESSION).is_lost()
        assert why(house, "ann") == [
            "the line of ann is cut; its session waits for it",
            "there is no game master for chess",
        ]

    def test_in_a_game_as_well(self, house: House) -> None:
        ann, _ben = house.guest("ann", Family.SESSION), house.guest("ben", Family.SESSION)
        house.leader("m", Family.MOVERS).says(Views("g1", ("ann", "ben"), (), ()))
        ann.is_lost()
        assert why(house, "ben") == ["game g1: it is the turn of ann (whose line is cut), ben within 30 s"]

    def test_in_a_championship_the_opponents_still_to_meet_are_told(self, house: House) -> None:
        planned(house, first=3)
        cat = house.guest("cat", Family.SESSION)
        house.players("ann", "ben")
        cat.is_lost()
        *_others, reason = why(house, "ann")
        assert reason == (
            "championship spring: of those whom ann waits for, cat has lost its line, and may come back within 1 min"
        )

    def test_a_player_who_sits_at_a_table_waits_for_its_game(self, house: House) -> None:
        ann = house.guest("ann", Family.LOBBY)
        assert why(house, "ann") == ["ann looks for a table, and does not wait for open play"]
        ann.says(Advertise(NewTable("Friday", 2, Visibility.PUBLIC)))
        assert why(house, "ann") == ["ann sits at table g1, whose game has not begun"]

    def test_a_master_that_has_not_told_its_options_is_why(self, house: House) -> None:
        master = house.greets(Family.TABLE)
        master.says(GameMasterLogin("m", CHESS, "2", "2"))
        house.players("ann", "ben")
        assert why(house, "ann") == ["no game master for chess has announced yet how its games can be played"]


class TestAMaster:
    """A game master."""

    def test_its_games_and_its_pool_are_told(self, house: House) -> None:
        house.table("ann", "ben")
        house.player("cat")
        found = only(house, "m")
        assert (found["kind"], found["players"], found["waiting"]) == ("master", "2 players", 1)
        assert found["why"] == ["m leads 1 game", "1 player of chess waits; a game takes 2 players"]
        assert found["games"] == [{"game": "g1", "why": "game g1: it is the turn of ann within 30 s"}]

    def test_one_without_games_says_so(self, house: House) -> None:
        house.master(players=(2, 4))
        assert why(house, "m") == ["m leads 0 games", "0 players of chess wait; a game takes 2 to 4 players"]

    def test_what_keeps_its_type_from_beginning_games_comes_first(self, house: House) -> None:
        house.master()
        for game_type, first in (("go", "m leads 0 games"), (CHESS, "the organiser has paused chess: because")):
            assert house.is_asked(Act(ActKind.PAUSE, "", "root", "because", game_type))["ok"] is True
            assert why(house, "m")[0] == first
        house.broker.server.condition.elsewhere[CHESS] = "chess is at home at node b"
        house.is_asked(Act(ActKind.RESUME, "", "root", "because", CHESS))
        assert why(house, "m")[0] == "chess is at home at node b"
        house.happens(JournalLost("disk full"))
        assert why(house, "m")[0] == "no game begins while nothing can be written down: disk full"
        read: Any = house.is_asked(PublicWhyAsked("m"))["found"]
        assert read[0]["why"][0] == "no game begins while nothing can be written down"

    def test_a_championship_that_is_paused_or_has_not_begun_is_told(self, house: House) -> None:
        house.master()
        planned(house, first=2)
        house.player("ann")
        begins = "championship spring has not begun: 1 of 2 players are here"
        assert why(house, "m")[:2] == [begins, "m leads 0 games"]
        house.player("ben")
        assert why(house, "m")[0] == "m leads 1 game"
        ordered(house, OrderKind.PAUSE)
        assert why(house, "m")[:2] == ["championship spring is paused: for a test", "m leads 1 game"]

    def test_open_play_before_a_championship_is_not_kept_from_beginning(self, house: House) -> None:
        house.master()
        planned(house, first=3, open_play=True)
        assert why(house, "m")[0] == "m leads 0 games"


class TestNames:
    """What a name may be."""

    def test_one_name_may_be_a_player_a_master_and_a_game(self, house: House) -> None:
        house.master("g1")
        house.players("g1", "ben")
        answer = asked(house, "g1")
        assert [found["kind"] for found in answer["found"]] == ["player", "master", "game"]

    def test_a_game_is_found_by_the_beginning_of_its_id(self, house: House) -> None:
        house.table("ann", "ben")
        assert only(house, "g")["game"] == "g1"

    def test_a_beginning_of_several_ids_is_none(self, house: House) -> None:
        house.master()
        house.players("ann", "ben", "cat", "dan")
        answer = asked(house, "g")
        assert (answer["ok"], answer["near"]) == (False, ["g1", "g2"])
        assert answer["error"] == "game 'g': that beginning fits 2 games running: g1, g2"

    def test_an_unknown_name_is_told_with_those_that_are_near(self, house: House) -> None:
        house.players("anna", "ben")
        assert "anna" in asked(house, "ann")["near"], "they are compared where the person is who asks"
        stranger = asked(house, "zoe")
        assert stranger["error"] == "no player, game master or running game 'zoe' here"


class TestBeforeAChampionship:
    """It is announced, and nothing else is played."""

    def test_missing_entrants_of_a_fixed_field_are_named(self, house: House) -> None:
        house.master()
        planned(house, entrants=["ann", "ben", "cat"])
        house.players("ann", "zoe")
        missing = "championship spring has not begun: 1 of 3 entrants are here; ben, cat missing"
        assert why(house, "ann") == [missing]
        assert why(house, "zoe") == [
            missing,
            "zoe is not an entrant of championship spring, and nothing else is played before it is over",
        ]

    def test_of_many_missing_entrants_some_are_named_and_the_others_counted(self, house: House) -> None:
        house.master()
        planned(house, entrants=["ann", *(f"p{number}" for number in range(10))])
        house.player("ann")
        (sentence,) = why(house, "ann")
        assert sentence.endswith("p6, p7 and 2 more missing")

    def test_the_number_of_players_out_of_the_first_n_is_told(self, house: House) -> None:
        house.player("ann")
        planned(house, first=3)
        assert why(house, "ann") == [
            "there is no game master for chess",
            "championship spring has not begun: 1 of 3 players are here",
        ]

    def test_an_hour_is_told_and_a_pause_comes_first(self, house: House) -> None:
        house.master()
        planned(house, begins_at="2030-05-01T20:00")
        house.player("ann")
        begins = f"championship spring begins at {plan_hour()} with the players who are here"
        assert why(house, "ann") == [begins]
        ordered(house, OrderKind.PAUSE)
        assert why(house, "ann") == ["championship spring is paused: for a test", begins]

    def test_a_whole_field_that_cannot_begin_misses_nobody(self, house: House) -> None:
        house.player("ann")
        planned(house, entrants=["ann", "ben"])
        house.happens(JournalLost("disk full"))
        house.player("ben")
        assert why(house, "ann")[-1] == "championship spring has not begun: 2 of 2 entrants are here"

    def test_one_that_has_neither_number_nor_hour_says_so(self) -> None:
        house = House(game_types={CHESS: {"mode": "championship"}})
        house.master()
        house.player("ann")
        assert why(house, "ann") == ["championship chess has not begun, and its plan does not give the time"]


class TestWithinAChampionship:
    """It is played."""

    def test_opponents_still_to_meet_are_told_with_where_they_are(self, house: House) -> None:
        master = house.master()
        planned(house, entrants=["ann", "ben", "cat"], return_s=60)
        peers = {nick: house.player(nick) for nick in ("ann", "ben", "cat")}
        game = house.broker.games[0]
        (idle,) = set(peers) - set(game.seats)
        lost, left = game.seats
        master.says(turn(game.id, left))
        peers[lost].is_lost()
        house.passes(10)
        where = {lost: "is away (for 50 s at most)", left: f"plays game {game.id}"}
        told = ", ".join(f"{nick} {where[nick]}" for nick in peers if nick != idle)
        assert why(house, idle) == [f"championship spring: of those whom {idle} may still meet, {told}"]

    def test_a_player_who_plays_and_one_who_owes_thanks_are_told_apart(self, house: House) -> None:
        master = house.master()
        planned(house, entrants=["ann", "ben", "cat", "dan", "eva"])
        peers = {nick: house.player(nick) for nick in ("ann", "ben", "cat", "dan", "eva")}
        idle = next(nick for nick in peers if only(house, nick)["state"] == "waiting for a game")
        first, second = house.broker.games
        master.says(over(first.id, first.seats[0], losers=(first.seats[1],)))
        (sentence,) = why(house, idle)
        for nick in first.seats:
            assert f"{nick} owes a thank you for game {first.id}" in sentence
        for nick in second.seats:
            assert f"{nick} plays game {second.id}" in sentence

    def test_after_a_restart_those_who_have_not_come_back_are_told(self, house: House) -> None:
        house.master()
        planned(house, entrants=["ann", "ben"], restart_return_s=600)
        house.players("ann", "ben")
        again = House(past=Past(championships=[PastChampionship("spring", CHESS, house.ledger("spring"))]))
        again.happens(Started())
        again.master()
        again.player("ann")
        again.passes(100)
        assert why(again, "ann") == [
            "championship spring: of those whom ann may still meet, ben is away (for 8 min 20 s at most)"
        ]

    def test_a_player_who_has_played_everything_is_told_so(self, house: House) -> None:
        master = house.master()
        planned(house, entrants=["ann", "ben", "cat"])
        peers = {nick: house.player(nick) for nick in ("ann", "ben", "cat")}
        for _ in range(2):
            game = house.broker.games[0]
            play(master, game.id, *(peers[nick] for nick in game.seats))
        game = house.broker.games[0]
        (done,) = set(peers) - set(game.seats)
        assert why(house, done) == [f"{done} has played all its games of championship spring"]

    def test_games_that_were_given_up_are_not_waited_for(self, house: House) -> None:
        house.master()
        planned(house, entrants=["ann", "ben", "cat"], void_replays=0)
        house.players("ann", "ben", "cat")
        given_up = house.broker.games[0].seats
        house.passes(10)  # the master does not begin it
        assert house.broker.server.championships["spring"].unplayed == [list(given_up)]
        game = house.broker.games[0]
        (idle,) = {"ann", "ben", "cat"} - set(game.seats)
        (sentence,) = why(house, idle)
        assert sentence.count("plays game") == (1 if idle in given_up else 2)

    def test_a_pause_and_busy_masters_come_before_the_rest(self) -> None:
        house = House(max_games_per_master=1)
        house.master()
        planned(house, entrants=["ann", "ben", "cat", "dan"])
        house.players("ann", "ben", "cat", "dan")
        idle = next(nick for nick in ("ann", "ben", "cat", "dan") if nick not in house.broker.games[0].seats)
        busy = "every game master for chess that could begin one leads 1 game, which is the most"
        assert why(house, idle)[0] == busy
        ordered(house, OrderKind.PAUSE)
        assert why(house, idle)[:2] == ["championship spring is paused: for a test", busy]

    def test_when_all_are_free_and_it_is_paused_that_is_all(self, house: House) -> None:
        house.master()
        planned(house, entrants=["ann", "ben"])
        house.players("ann", "ben")
        ordered(house, OrderKind.PAUSE)
        game = house.broker.games[0]
        house.passes(10)  # void: played again, but not now
        assert why(house, game.seats[0]) == ["championship spring is paused: for a test"]

    def test_a_player_not_in_the_field_and_one_who_is_out_are_told_apart(self, house: House) -> None:
        house.master()
        planned(house, entrants=["ann", "ben", "cat"])
        house.player("zoe")
        peers = {nick: house.player(nick) for nick in ("ann", "ben", "cat")}
        assert why(house, "zoe") == [
            "zoe is not in the field of championship spring, and nothing else is played before it is over"
        ]
        (idle,) = set(peers) - set(house.broker.games[0].seats)
        ordered(house, OrderKind.WITHDRAW, idle)
        assert why(house, idle) == [f"{idle} is out of championship spring: for a test"]

    def test_an_entrant_of_the_same_nick_at_another_game_is_told(self, house: House) -> None:
        house.master()
        planned(house, entrants=["ann", "ben", "cat"], return_s=60)
        peers = {nick: house.player(nick) for nick in ("ann", "ben", "cat")}
        (idle,) = set(peers) - set(house.broker.games[0].seats)
        lost = next(nick for nick in peers if nick != idle)
        peers[lost].is_lost()
        house.player(lost, "go")
        (sentence,) = why(house, idle)
        assert f"{lost} is here for another game type" in sentence

    def test_without_a_master_nobody_knows_the_games_yet(self, house: House) -> None:
        house.player("ann")
        planned(house, entrants=["ann", "ben"])
        house.player("ben")
        assert why(house, "ann") == [
            "there is no game master for chess",
            "championship spring: its next game needs a player who is not free",
        ]

    def test_in_a_gauntlet_only_the_champion_is_met(self, house: House) -> None:
        house.master()
        planned(house, format="gauntlet", entrants=["ann", "ben", "cat"])
        peers = {nick: house.player(nick) for nick in ("ann", "ben", "cat")}
        game = house.broker.games[0]
        assert "ann" in game.seats
        (idle,) = set(peers) - set(game.seats)
        assert why(house, idle) == [
            f"championship spring: of those whom {idle} may still meet, ann plays game {game.id}"
        ]

    @pytest.mark.parametrize(
        ("form", "waits"),
        [
            ("swiss", PAIRED_LATER["swiss"]),
            ("knock-out", "ann waits in the final for the winner of the semi-final (ben, cat)"),
            ("stages", "IDLE has 2 games left, the first of them in round 2"),
            ("league", "IDLE has 2 games left, the first of them in season 1, division 1"),
            ("ladder", PAIRED_LATER["ladder"]),
        ],
    )
    def test_where_pairings_are_found_as_it_goes_that_is_told(self, house: House, form: str, waits: str) -> None:
        house.master()
        more: dict[str, dict[str, object]] = {"stages": {"stages": [{}]}, "league": {"divisions": 1}}
        planned(house, format=form, entrants=["ann", "ben", "cat"], **more.get(form, {}))
        house.players("ann", "ben", "cat")
        game = house.broker.games[0]
        (idle,) = {"ann", "ben", "cat"} - set(game.seats)
        sentences = why(house, idle)
        assert sentences[0] == f"championship spring: {waits.replace('IDLE', idle)}"
        busy = ", ".join(f"{nick} plays game {game.id}" for nick in ("ann", "ben", "cat") if nick != idle)
        assert sentences[1] == f"championship spring: of those whom {idle} waits for, {busy}"

    def test_in_a_knock_out_it_is_told_who_waits_for_whom(self, house: House) -> None:
        master = house.master()
        planned(house, format="knock-out", best_of=3, entrants=["ann", "ben", "cat", "dan"], return_s=60)
        peers = {nick: house.player(nick) for nick in ("ann", "ben", "cat", "dan")}
        semi = next(game for game in house.broker.games if "ann" in game.seats)
        assert set(semi.seats) == {"ann", "dan"}
        ordered(house, OrderKind.PAUSE)
        play(master, semi.id, peers["ann"], peers["dan"])
        thank(semi.id, peers["ann"], peers["dan"])
        assert why(house, "ann") == [
            "championship spring is paused: for a test",
            "championship spring: ann plays against dan next, in the semi-final",
        ]
        assert house.is_asked(Order(OrderKind.RESUME, "spring", "eve", "")) == {"ok": True}
        second = next(game for game in house.broker.games if "ann" in game.seats)
        play(master, second.id, peers["ann"], peers["dan"])
        thank(second.id, peers["ann"], peers["dan"])
        other = next(game for game in house.broker.games if "ben" in game.seats)
        assert why(house, "dan") == ["championship spring: dan is out: ann has won the semi-final"]
        assert why(house, "ann") == [
            "championship spring: ann waits in the final for the winner of the semi-final (ben, cat)",
            f"championship spring: of those whom ann waits for, ben plays game {other.id}, cat plays game {other.id}",
        ]
        found = house.is_asked(PublicWhyAsked("dan"))["found"]
        assert isinstance(found, list)
        assert found[0]["why"] == ["championship spring: dan is out: ann has won the semi-final"]

    def test_a_round_that_waits_for_its_date_is_told_with_it(self, house: House) -> None:
        house.master()
        dated = {**PLAN, "format": "knock-out", "entrants": ["ann", "ben"], "round_dates": ["2030-05-01T20:00"]}
        assert house.is_asked(PlanAsked(parse_plan(dated, "test"), "eve", date_s=1_900_000_000))["ok"] is True
        house.players("ann", "ben")
        assert house.broker.games == []
        (sentence,) = why(house, "ann")
        when = f"which does not begin before {plan_hour()}"
        assert sentence == f"championship spring: ann plays against ben in the final, {when}"
