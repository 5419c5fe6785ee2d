"""Seeds of a plan out of a journal."""

from pathlib import Path

import pytest

from tests.championship.playing import plan
from ugs.championship.plan import PlanError
from ugs.standings import seeding
from ugs.standings.elo import Elo
from ugs.standings.seeding import seeded
from ugs.standings.skill import Skill
from ugs.standings.source import WrongRequest
from ugs.standings.standings import Standings, StandingsLine


def line(place: int, nick: str, elo: float | None = None, ordinal: float | None = None) -> StandingsLine:
    """A line with these ratings."""
    rating = None if ordinal is None else Skill(ordinal, 1.0, ordinal)
    return StandingsLine(place, nick, 0, 0, 0, 0.0, 0, rating=rating, elo=None if elo is None else Elo(elo, elo, elo))


@pytest.fixture
def found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data directory whose standings are known; of the championship spring, and no other."""
    (tmp_path / "journal.sqlite").touch()

    def standings(
        directory: Path, game_type: str | None, championship: str | None, *, ratings: bool
    ) -> list[Standings]:
        assert (directory, ratings) == (tmp_path, championship is None)
        assert (game_type is None) is (championship is not None), "the earlier championship may be of any game type"
        if championship not in (None, "spring", "summer") or game_type == "go":
            raise WrongRequest(f"championship {championship!r}: unknown; there are: spring")
        lines = (line(1, "ann", 1400, 3), line(2, "ben", 1600, 5), line(3, "cat"), line(4, "dan", None, 4))
        return [Standings("chess", 9, lines, state="running" if championship == "summer" else "over")]

    monkeypatch.setattr(seeding, "from_journal", standings)
    return tmp_path


def test_by_rating_and_those_without_one_last(found: Path) -> None:
    assert seeded(plan(seeding="rating"), found).seeds == ("ben", "ann", "dan", "cat")


def test_by_the_places_of_an_earlier_championship(found: Path) -> None:
    assert seeded(plan(seeding="spring"), found).seeds == ("ann", "ben", "cat", "dan")
    with pytest.raises(PlanError, match="seeding: championship 'autumn': unknown; there are: spring"):
        seeded(plan(seeding="autumn"), found)
    with pytest.raises(PlanError, match="seeding = 'summer': this championship is running; wait until it is over"):
        seeded(plan(seeding="summer"), found)


def test_without_games_there_are_no_ratings_and_without_a_journal_no_championship(found: Path, tmp_path: Path) -> None:
    assert seeded(plan(seeding="rating", game_type="go"), found).seeds == ()
    assert seeded(plan(seeding="rating"), None).seeds == ()
    with pytest.raises(PlanError, match=r"seeding = 'spring': .* there is no journal in .*nowhere"):
        seeded(plan(seeding="spring"), tmp_path / "nowhere")
    with pytest.raises(PlanError, match="give --data-dir of the server that played it"):
        seeded(plan(seeding="spring"), None)


def test_what_the_plan_gives_or_does_not_want_stays(found: Path) -> None:
    assert seeded(plan(), found) == plan()
    assert seeded(plan(seeding="rating", seeds=("dan", "ann")), found).seeds == ("dan", "ann")
