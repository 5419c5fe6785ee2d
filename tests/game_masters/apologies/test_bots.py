"""The computer players, and matches between them."""

import random

import pytest

from game_masters.apologies import ADULT, STANDARD
from game_masters.apologies.bots import choose_by_position, choose_by_reward, choose_random
from game_masters.apologies.match import Share, main, play
from game_masters.apologies.rules import Position
from game_masters.apologies.views import Mode, Optimal, Pick
from game_masters.kit.rules import Table
from tests.profile import sized

RNG = random.Random(1)


def test_reward_chooses_what_the_optimal_move_is() -> None:
    options = ADULT.choose_options({})
    position = Position(Mode.ADULT, Table("g1", ("ann", "bob", "cyd"), options), random.Random(2))
    twin = Position(Mode.ADULT, Table("g1", ("ann", "bob", "cyd"), options), random.Random(2))
    while position.outcome is None:
        (seat,) = position.movers
        position.apply(seat, choose_by_reward(position.view(seat), RNG))
        twin.apply(seat, Optimal())
    assert list(position.record) == list(twin.record)


def test_random_chooses_every_play_at_some_time() -> None:
    position = Position(Mode.ADULT, Table("g1", ("ann", "bob"), ADULT.choose_options({})), random.Random(2))
    (seat,) = position.movers
    rng = random.Random(1)
    chosen = {choose_random(position.view(seat), rng) for _ in range(300)}
    assert chosen == {Pick(offer.id) for offer in position.view(seat).offers}


def test_positional_wins_when_it_can() -> None:
    position = Position(Mode.ADULT, Table("g1", ("ann", "bob"), ADULT.choose_options({})), random.Random(1))
    wins = 0
    while position.outcome is None:
        (seat,) = position.movers
        position.apply(seat, choose_by_position(position.view(seat), RNG))
        wins += position.outcome is not None
    assert wins == 1


@pytest.mark.parametrize("name", [STANDARD.name, ADULT.name])
def test_positional_beats_reward(name: str) -> None:
    """Over 50 or 200 games; the match module measures the difference over 1000."""
    share = list(main(["positional", "reward", "--games", sized(quick="50", deep="200"), "--game", name]))[1]
    assert share.startswith("positional")
    assert float(share.split()[1]) > 60


def test_a_match_is_the_same_every_time_and_adds_up() -> None:
    text = list(main(["reward", "random", "random", "--games", "9"]))
    assert text == list(main(["reward", "random", "random", "--games", "9"]))
    assert text[0] == "apologies, strict, 9 games, seed 1, seats changing"
    assert sum(int(line.split("(")[1].split()[0]) for line in text[1:4]) == 9
    assert sum(int(line.split("(")[1].split()[0]) for line in text[4:7]) == 9


def test_seats_can_be_fixed() -> None:
    text = list(main(["reward", "random", "--games", "10", "--fixed", "--rules", "upstream"]))
    assert text[0] == "apologies, upstream, 10 games, seed 1, seats fixed"
    assert [line.split(maxsplit=1)[1] for line in text[1:3]] == [line.split(maxsplit=1)[1] for line in text[3:5]]


@pytest.mark.parametrize("arguments", [["reward"], ["reward"] * 5, ["reward", "nobody"]])
def test_a_match_needs_two_to_four_bots_that_there_are(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main(arguments)
    assert "bots" in capsys.readouterr().err


def test_a_played_game_counts_plays_and_forfeits() -> None:
    bots = [STANDARD.bot("reward"), STANDARD.bot("random")]
    played = play(STANDARD, bots, "strict", "1")
    assert played.winner in (0, 1)
    assert 0 < played.forfeits < played.plays
    assert played.turns <= played.plays


def test_a_share_has_a_standard_error() -> None:
    assert str(Share(50, 100)) == " 50.0 % ± 5.0  (50 of 100)"
