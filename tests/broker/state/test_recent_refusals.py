"""Logins that were refused: what is remembered of them, and how much."""

from tests.broker.acts.acting import acts
from tests.broker.house import CHESS, House
from ugs.broker.events import AccessRead
from ugs.broker.state.recent_refusals import MAX_NAMES, MAX_OF_ORIGIN, LatestRefusals, Refused
from ugs.broker.values.access import AccessRule
from ugs.broker.values.questions import ActKind, WhyAsked
from ugs.wire.extensions import Family
from ugs.wire.messages import GameMasterLogin, PlayerLogin


def refusal(name: str, host: str = "192.0.2.1", role: str = "player") -> Refused:
    return Refused(name, role, "why", f"{host}:1", host, 0.0)


def whys(house: House, name: str) -> list[str]:
    answer = house.is_asked(WhyAsked(name))
    return [line for one in answer["found"] for line in one["why"]] if answer["ok"] else []  # type: ignore[attr-defined]


def test_an_organiser_reads_why_somebody_was_not_let_in(house: House) -> None:
    house.plans(name="cup", game_type=CHESS, entrants=("ann", "ben"))
    house.players("ann", "ben")
    house.master()
    late = house.connects(address="192.0.2.9:5")
    for _ in range(2):
        late.says(PlayerLogin("cat", CHESS))
    house.passes(3)
    assert whys(house, "CAT") == [
        "a login as cat from 192.0.2.9:5 was refused 3 s ago (2 times): a championship of this game type has begun"
    ]


def test_a_refused_login_of_a_banned_name_is_among_them(house: House) -> None:
    acts(house, ActKind.BAN, "cat")
    for _ in range(2):
        house.connects(address="192.0.2.9:5").says(PlayerLogin("Cat", CHESS))
    assert whys(house, "cat") == [
        "a login as Cat from 192.0.2.9:5 was refused 0 s ago (2 times): cat is banned from this server: because"
    ]


def test_whom_the_file_shuts_out_need_not_have_been_here(house: House) -> None:
    house.happens(AccessRead((AccessRule("Eve", False, "cheats", 60.0),)))
    assert whys(house, "eve") == ["Eve is banned from this server for another 1 min: cheats"]
    house.passes(61)
    assert whys(house, "eve") == []


def test_of_somebody_who_is_here_it_stands_behind_the_rest(house: House) -> None:
    house.guest("ann", Family.SESSION).is_lost()
    house.connects().says(PlayerLogin("ann", CHESS))
    house.master()
    second = house.connects()
    second.says(GameMasterLogin("m", CHESS, "2", "2"))
    assert "was refused 0 s ago: nick 'ann' is kept" in whys(house, "ann")[-1]
    assert len(whys(house, "ann")) > 1
    assert whys(house, "m")[-1] == "a login as m from 192.0.2.1 was refused 0 s ago: id is in use"


def test_what_is_no_name_is_not_remembered() -> None:
    refused: LatestRefusals[Refused] = LatestRefusals()
    for name in ("", "x" * 65):
        refused.remember(refusal(name))
    assert not refused.latest


def test_players_and_masters_are_told_apart() -> None:
    refused: LatestRefusals[Refused] = LatestRefusals()
    refused.remember(refusal("ann", role="master"))
    assert refused.find("player", "ann") is None
    assert refused.find("master", "Ann") == refusal("ann", role="master")


def test_one_host_cannot_make_the_others_be_forgotten() -> None:
    refused: LatestRefusals[Refused] = LatestRefusals()
    refused.remember(refusal("ann", "192.0.2.7"))
    for number in range(2 * MAX_NAMES):
        refused.remember(refusal(f"p{number}"))
    assert refused.find("player", "ann") is not None
    assert len(refused.latest) == MAX_OF_ORIGIN + 1
    assert refused.find("player", f"p{2 * MAX_NAMES - 1}") is not None


def test_there_is_an_end_to_what_is_remembered() -> None:
    refused: LatestRefusals[Refused] = LatestRefusals()
    for number in range(2 * MAX_NAMES):
        refused.remember(refusal(f"p{number}", f"host {number}"))
    assert len(refused.latest) == MAX_NAMES
