"""Spectators under a nick that has a token."""

from tests.broker.entrance.tokens import DELAY_S, checks, has_token, loses_token, shows
from tests.broker.house import CHESS, House, over
from ugs.broker.values.identity import Role
from ugs.wire.extensions import Failed, Family, RefusalReason, Watch, Watching


def test_a_spectator_needs_the_token_for_a_nick_that_has_one() -> None:
    house = House()
    house.table("ann", "ben")
    has_token(house, "eve")
    stranger, eve, other = (
        house.greets(Family.WATCH),
        shows(house, "token", Family.WATCH),
        shows(house, "token", Family.WATCH),
    )
    stranger.says(Watch("g1", nick="eve", ref="7"))
    eve.says(Watch("g1", nick="Eve"))
    checks(house)
    assert isinstance(eve.hears()[0], Watching)
    assert eve.name == "Eve"
    house.passes(DELAY_S)
    (failed,) = stranger.hears()
    assert failed == Failed(
        RefusalReason.INVALID_PLAYER,
        "x-watch: nick 'eve': this name has a token, which was not given; send it in x-hello, or behind the name as"
        " NAME#TOKEN",
        ref="7",
    )
    other.says(Watch("g1", nick="eve"))
    assert isinstance(other.hears()[0], Failed), "the nick is in use"
    loses_token(house, "eve")
    assert eve.is_closed()


def test_the_token_wins_over_who_was_there_before() -> None:
    """A nick that gets a token is its owner's, whoever watches under it."""
    house = House()
    house.table("ann", "ben")
    squatter = house.greets(Family.WATCH)
    squatter.says(Watch("g1", nick="eve"))
    squatter.hears()
    has_token(house, "eve")
    eve = shows(house, "token", Family.WATCH)
    eve.says(Watch("g1", nick="eve"))
    checks(house)
    assert eve.name == "eve"
    (failed,) = squatter.hears()
    text = "nick 'eve': the owner of its token is here now; choose another one with x-watch"
    assert failed == Failed(RefusalReason.DUPLICATE_USER, text)
    squatter.says(Watch("g1", nick="eva"))
    assert squatter.name == "eva"


def test_who_watches_already_may_show_a_nick_later() -> None:
    house = House()
    house.table("ann", "ben")
    has_token(house, "eve")
    eve = shows(house, "token", Family.WATCH)
    eve.says(Watch("g1"))
    eve.says(Watch("", CHESS, nick="eve"))
    eve.says(Watch("", "go"))
    assert "your last request has not been answered yet" in str(eve.hears()[-1])
    checks(house, right=False)
    house.passes(DELAY_S)
    assert isinstance(eve.hears()[-1], Failed)
    assert eve.name == ""
    eve.says(Watch("", CHESS, nick="eve"))
    checks(house)
    assert eve.name == "eve"
    loses_token(house, "eve", role=Role.MASTER)
    has_token(house, "eve", role=Role.MASTER)
    loses_token(house, "eve", role=Role.MASTER)
    assert not eve.is_closed()


def test_what_a_spectator_wanted_may_be_over_when_its_nick_is_proven() -> None:
    house = House()
    master, *_ = house.table("ann", "ben")
    has_token(house, "eve")
    eve = shows(house, "token", Family.WATCH)
    eve.says(Watch("g1", nick="eve", ref="3"))
    master.says(over("g1", "ann", losers=("ben",)))
    checks(house)
    (failed,) = eve.hears()
    assert isinstance(failed, Failed)
    assert (failed.code, failed.ref) == (RefusalReason.INVALID_GAME, "3")


def test_a_guest_who_guesses_for_a_nick_is_closed_like_any_other() -> None:
    house = House(login_attempts=1)
    house.table("ann", "ben")
    has_token(house, "eve")
    guest = house.greets(Family.WATCH)
    guest.says(Watch("g1", nick="eve"))
    house.passes(DELAY_S)
    assert guest.is_closed()
