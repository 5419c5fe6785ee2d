"""Game types that are paused, a server that stops, texts for everybody; in dialogues."""

import pytest

from tests.broker.acts.acting import acts, recorded, refused
from tests.broker.house import CHESS, House, over, thank, turn
from ugs.broker.acts.dispatch import ACTS
from ugs.broker.acts.holding import ANSWER_S
from ugs.broker.effects import RecordAct
from ugs.broker.events import JournalLost
from ugs.broker.values.questions import Act, ActKind, ServerAsked, WhyAsked
from ugs.broker.verdict import Cause
from ugs.wire.extensions import Advertise, Family, Join, NewTable, Said, Start, Visibility
from ugs.wire.messages import BeginGame, PlayerLogin, ServerShutdown

PAUSE, RESUME, DRAIN, BROADCAST = ActKind.PAUSE, ActKind.RESUME, ActKind.DRAIN, ActKind.BROADCAST


LOBBY = (Family.LOBBY, Family.SESSION)


@pytest.fixture
def house() -> House:
    return House()


def is_draining(house: House) -> bool:
    return house.broker.server.condition.draining


def test_every_act_has_its_rule() -> None:
    assert set(ACTS) == set(ActKind)


def test_an_act_needs_a_reason_that_can_be_read(house: House) -> None:
    for why in ("", "  ", "x" * 2001, "a\x1b[2J"):
        answer = house.is_asked(Act(PAUSE, "", "root", why, CHESS))
        assert not answer["ok"]
        assert str(answer["error"]).startswith("why: ")
    assert recorded(house) == []


def test_nothing_is_done_that_cannot_be_written_down(house: House) -> None:
    house.happens(JournalLost("disk full"))
    assert refused(house, PAUSE, game_type=CHESS) == "nothing can be written down at present: disk full"


def test_a_type_that_nobody_has_named_is_paused_by_force_only_and_with_a_warning(house: House) -> None:
    house.master()
    refusal = refused(house, PAUSE, game_type="chest", force=False)
    assert refusal.startswith(f"there is no game master for chest (did you mean '{CHESS}'?); to pause it")
    warning = f"there is no game master for chest (did you mean '{CHESS}'?)"
    assert acts(house, PAUSE, game_type="chest", force=True) == {"ok": True, "running": 0, "warning": warning}


def test_no_game_of_a_paused_type_begins_and_running_ones_go_on(house: House) -> None:
    master, ann, ben = house.table("ann", "ben")
    assert acts(house, PAUSE, game_type=CHESS) == {"ok": True, "running": 1}
    assert recorded(house) == [RecordAct("pause", "", CHESS, "root", "because")]
    master.says(over("g1", "ann", losers=("ben",)))
    thank("g1", ann, ben)
    assert not house.broker.games
    assert "the organiser has paused chess: because" in str(house.is_asked(WhyAsked("ann"))["found"])
    other = house.master("go master", game_type="go")
    house.players("cat", "dan", game_type="go")
    assert isinstance(other.hears()[0], BeginGame), "other types are not paused"
    assert acts(house, RESUME, game_type=CHESS) == {"ok": True}
    assert [game.type.name for game in house.broker.games] == ["go", CHESS]


def test_a_type_may_be_paused_before_anybody_has_come(house: House) -> None:
    assert acts(house, PAUSE, game_type=CHESS, force=True)["running"] == 0
    house.master()
    house.players("ann", "ben")
    assert not house.broker.games
    acts(house, RESUME, game_type=CHESS)
    assert house.broker.games
    acts(house, PAUSE, game_type="nobody's", force=True)
    acts(house, RESUME, game_type="nobody's")


def test_a_pause_outlives_the_server(house: House) -> None:
    acts(house, PAUSE, game_type=CHESS, force=True)
    acts(house, PAUSE, game_type="go", force=True)
    acts(house, RESUME, game_type="go")
    again = house.again()
    assert again.broker.server.condition.paused == {CHESS: "because"}
    again.master()
    again.players("ann", "ben")
    assert not again.broker.games
    assert again.is_asked(ServerAsked())["paused"] == [{"game_type": CHESS, "why": "because"}]


@pytest.mark.parametrize(
    ("kind", "game_type", "why"),
    [
        (PAUSE, "", "game_type is empty"),
        (RESUME, "", "the empty game type is not paused; paused are: none"),
        (RESUME, "go", "go is not paused; paused are: none"),
    ],
)
def test_what_cannot_be_paused_or_resumed(house: House, kind: ActKind, game_type: str, why: str) -> None:
    assert refused(house, kind, game_type=game_type) == why


def test_games_begin_again_without_a_reason_but_do_not_stop_so(house: House) -> None:
    acts(house, PAUSE, game_type=CHESS, force=True)
    assert house.is_asked(Act(RESUME, "", "root", "", CHESS))["ok"] is True
    assert recorded(house)[-1] == RecordAct("resume", "", CHESS, "root", "")
    wrong = "why: has 0 characters; allowed are 1 to 2000, and not only white space"
    assert house.is_asked(Act(PAUSE, "", "root", "", CHESS, force=True))["error"] == wrong
    acts(house, PAUSE, game_type=CHESS, force=True)
    assert "invisible" in str(house.is_asked(Act(RESUME, "", "root", "\u202e", CHESS))["error"])


def test_twice_is_once_too_often(house: House) -> None:
    acts(house, PAUSE, game_type=CHESS, force=True)
    assert refused(house, PAUSE, game_type=CHESS) == "chess is paused already: because"


def test_a_championship_pauses_with_its_type(house: House) -> None:
    house.plans(first=2)
    acts(house, PAUSE, game_type=CHESS)
    house.master()
    house.players("ann", "ben")
    assert not house.broker.games
    house.strikes("cup")
    assert not house.broker.games
    acts(house, RESUME, game_type=CHESS)
    assert house.broker.games[0].setting.championship is not None


def test_tables_wait_until_it_is_resumed(house: House) -> None:
    house.leader("m", Family.TABLE, players=(2, 3))
    ann, ben, cat = house.guest("ann", *LOBBY), house.guest("ben", *LOBBY), house.guest("cat", *LOBBY)
    acts(house, PAUSE, game_type=CHESS)
    ann.says(Advertise(NewTable("t", 3, Visibility.PUBLIC, 0, ())))
    (table,) = house.broker.server.tables
    ben.says(Join(table))
    ann.hears()
    ann.says(Start())
    assert "the organiser has paused chess: because" in str(ann.hears()), "not with free seats"
    cat.says(Join(table))
    assert not house.broker.games, "nor when it is full"
    acts(house, RESUME, game_type=CHESS)
    assert [game.seats for game in house.broker.games] == [("ann", "ben", "cat")]


def test_the_server_stops_when_its_games_have_ended(house: House) -> None:
    master, ann, ben = house.table("ann", "ben")
    assert acts(house, DRAIN, seconds=60.0) == {"ok": True, "running": 1}
    assert not is_draining(house), "the organiser gets the answer first"
    house.passes(ANSWER_S)
    assert is_draining(house)
    late = house.connects()
    late.says(PlayerLogin("cat", CHESS))
    assert late.hears_error() == "playerLogin: the server is shutting down"
    assert refused(house, DRAIN, seconds=60.0) == ("the server is stopping already; with 0 seconds it stops at once")
    master.says(over("g1", "ann", losers=("ben",)))
    assert house.stopped
    assert ServerShutdown() in ann.hears()
    assert [one.verdict.cause for one in house.results] == [Cause.FINISHED]
    assert ServerShutdown() in ben.hears()


def test_it_stops_after_the_given_time_in_any_case(house: House) -> None:
    house.table("ann", "ben")
    acts(house, DRAIN, seconds=20.0)
    house.passes(ANSWER_S + 19)
    assert house.broker.games
    house.passes(1)
    assert house.stopped
    assert [one.verdict.cause for one in house.results] == [Cause.SHUTDOWN]


def test_with_no_seconds_at_once_also_while_it_is_stopping(house: House) -> None:
    house.table("ann", "ben")
    acts(house, DRAIN, seconds=60.0)
    house.passes(ANSWER_S)
    acts(house, DRAIN, seconds=0.0)
    house.passes(ANSWER_S)
    assert house.stopped


def test_without_a_time_it_is_that_of_the_settings() -> None:
    house = House(drain_s=5)
    house.table("ann", "ben")
    acts(house, DRAIN)
    house.passes(ANSWER_S + 4)
    assert house.broker.games
    house.passes(1)
    assert house.stopped


def test_those_who_can_chat_are_told(house: House) -> None:
    _master, ann, _ben = house.table("ann", "ben")
    cat = house.guest("cat", Family.CHAT)
    assert acts(house, BROADCAST, "Lunch!\nNext round at 2") == {"ok": True, "told": 1, "not_told": 3}
    assert cat.hears() == [Said("", (), "", "Lunch!\nNext round at 2")]
    assert ann.hears() == []
    assert recorded(house)[-1].subject == "Lunch!\nNext round at 2"


def test_everybody_is_told_who_can_read_it() -> None:
    house = House(game_types={"go": {"quiet_master": True}})
    quiet = house.master("quiet", game_type="go")
    master, ann, ben = house.table("ann", "ben")
    cat, newcomer = house.guest("cat", Family.CHAT), house.connects()
    assert acts(house, BROADCAST, "Lunch!", to_all=True) == {"ok": True, "told": 4, "not_told": 1}
    assert [peer.hears_error() for peer in (master, ann, ben)] == ["from the organiser: Lunch!"] * 3
    assert cat.hears() == [Said("", (), "", "Lunch!")]
    assert quiet.hears() == newcomer.hears() == []
    master.says(turn("g1", "ben"))
    assert [ann.hears(), ben.hears()] == [[turn("g1", "ben")]] * 2, "and the game goes on"


@pytest.mark.parametrize("text", ["", " ", "x" * 2001, "bell\x07"])
def test_texts_that_cannot_be_told(house: House, text: str) -> None:
    assert refused(house, BROADCAST, text).startswith("text: ")
