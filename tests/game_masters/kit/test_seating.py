"""Who sits where, what is offered, and which games cannot begin."""

import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from game_masters.kit.rules import BadOption, Option, Options, Table
from game_masters.kit.seating import NAMES, Impossible, Seating, offers, program_names, seat
from game_masters.tic_tac_toe import GAME
from tests.game_masters.sealed_bids import SEALED_BIDS
from ugs.wire.extensions import Label, OfferedOption, Offers, SeatKind
from ugs.wire.messages import BeginGame, Choice

OWN = SEALED_BIDS.choose_options({"rounds": "3", "ties": "carried"})


def seeded(purpose: str) -> random.Random:
    return random.Random(purpose)


def test_players_have_the_first_seats_and_the_program_the_others() -> None:
    seating = seat(SEALED_BIDS, OWN, BeginGame("g1", ("bob", "ann"), (), 4), seeded)
    assert seating.table.names[:2] == ("bob", "ann")
    assert {name.removesuffix(" (computer)") for name in seating.table.names[2:]} <= set(NAMES)
    assert list(seating.programs) == [2, 3]
    assert [seating.seat_of(nick) for nick in ("bob", "ann", "eve", seating.table.names[2])] == [0, 1, None, None]
    assert seating == seat(SEALED_BIDS, OWN, BeginGame("g1", ("bob", "ann"), (), 4), seeded)


def test_where_nothing_is_said_about_seats_and_options_the_players_and_our_own_choices_are_all() -> None:
    seating = seat(SEALED_BIDS, OWN, BeginGame("g1", ("ann", "bob")), seeded)
    assert seating == Seating(Table("g1", ("ann", "bob"), OWN))


def test_what_the_server_says_about_options_holds() -> None:
    begin = BeginGame("g1", ("ann", "bob"), (Choice("ties", "lost"), Choice("hand", "9")))
    options = seat(SEALED_BIDS, OWN, begin, seeded).table.options
    assert dict(options.values) == {"rounds": 3, "hand": 9, "ties": "lost"}


@pytest.mark.parametrize(
    ("begin", "why"),
    [
        (BeginGame("g1", ("ann", "ann")), "the same nick twice"),
        (BeginGame("g1", ("ann",)), "1 players; 2 to 4 can play"),
        (BeginGame("g1", ("ann",), (), 5), "5 seats; 2 to 4 can play"),
        (BeginGame("g1", ("ann", "bob", "cyd"), (), 2), "3 players on 2 seats"),
        (BeginGame("g1", ("ann", "bob"), (Choice("rounds", "7"),)), "option rounds: 7 rounds with 6 cards"),
        (BeginGame("g1", ("ann", "bob"), (Choice("rounds", "0"),)), "'0' is not allowed; allowed: 1 to 12"),
        (BeginGame("g1", ("ann", "bob"), (Choice("colour", "red"),)), "sealed-bids has no such option"),
    ],
)
def test_what_cannot_be_begun_is_refused_with_the_reason(begin: BeginGame, why: str) -> None:
    with pytest.raises(Impossible) as refusal:
        seat(SEALED_BIDS, OWN, begin, seeded)
    assert why in str(refusal.value)


@given(st.lists(st.sampled_from([*NAMES, "ALDER", "Alder 2", "\u212aing", "ann"]), max_size=30), st.integers(0, 60))
def test_names_of_the_program_are_all_different_and_nobody_elses(nicks: list[str], number: int) -> None:
    names = program_names(number, nicks, seeded)
    assert len({name.casefold() for name in names}) == number
    assert not {name.casefold() for name in names} & {nick.casefold() for nick in nicks}


def test_labels_tell_who_plays_what() -> None:
    seating = Seating(Table("g1", ("ann", "Oak"), Options(), 1))
    human, program = SeatKind.HUMAN, SeatKind.PROGRAM
    assert seating.labels(()) == (Label("ann", "", human), Label("Oak", "", program))
    assert seating.labels(("red", "blue")) == (Label("ann", "red", human), Label("Oak", "blue", program))


def test_how_long_a_game_is_worth_waiting_for_more_players_is_offered_with_them() -> None:
    game = replace(SEALED_BIDS, players=replace(SEALED_BIDS.players, wanted=3, gather_s=20))
    offered = offers(game, OWN, secrets=True)
    assert (offered.players_wanted, offered.gather_s) == (3, 20)


def test_with_a_fixture_there_is_nobody_to_wait_for() -> None:
    game = replace(SEALED_BIDS, players=replace(SEALED_BIDS.players, wanted=3, gather_s=20))
    offered = offers(game, OWN, secrets=True, setup="players = 2")
    assert (offered.players_wanted, offered.gather_s, offered.setup) == (0, 0, "players = 2")


@pytest.mark.parametrize("wanted", [1, 100])
def test_a_game_cannot_want_more_or_fewer_players_than_it_takes(wanted: int) -> None:
    with pytest.raises(ValueError, match=f"{wanted} players wanted"):
        replace(SEALED_BIDS.players, wanted=wanted)


def test_options_are_offered_with_what_holds_and_what_is_allowed() -> None:
    assert offers(SEALED_BIDS, OWN, secrets=True) == Offers(
        (
            OfferedOption("rounds", "3", least=1, most=12),
            OfferedOption("hand", "6", least=2, most=12),
            OfferedOption("ties", "carried", "lost carried"),
        )
    )
    (width, *_) = offers(GAME, GAME.choose_options({}), secrets=False).options
    assert width == OfferedOption("width", "20", least=3, most=100)


def test_words_and_flags_that_would_hide_something_are_not_offered_where_all_see_the_same() -> None:
    """Nor are values hidden that only fail because they do not go together with the others."""

    def hides(options: Options) -> bool:
        return options.flag("masked") or options.word("ties") == "carried"

    masked = Option("masked", False, "points are hidden as well")
    game = replace(SEALED_BIDS, options=(*SEALED_BIDS.options, masked), hides_with=hides)
    own = game.choose_options({})
    values = [[option.values for option in offers(game, own, secrets=s).options[2:]] for s in (True, False)]
    assert values == [["lost carried", "yes no"], ["lost", "no"]]
    assert offers(game, own, secrets=True).options[:2] == offers(game, own, secrets=False).options[:2]

    def check_options(options: Options) -> None:
        if options.flag("masked"):
            raise BadOption("option masked: not today")

    (*_, offered) = offers(replace(game, check_options=check_options), own, secrets=False).options
    assert offered.values == "yes no", "such a game is refused for what is wrong with it"
