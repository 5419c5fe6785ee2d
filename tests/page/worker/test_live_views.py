"""What the running server says, in words for people: no ids, times as one reads them."""

from typing import Any

from ugs.page.contract import SiteSettings
from ugs.page.worker.live_views import pools, waiting
from ugs.page.worker.public_journal import PublicJournal

GAME = "M6KHMXM32KKAGa7i3nu8vg"
POOL: dict[str, Any] = {
    "game_type": "hex",
    "running": 1,
    "players": 4,
    "waiting": ["ann"],
    "more_waiting": 0,
    "absent": 0,
    "why": [f"championship cup: of those whom ann may still meet, bob plays game {GAME}, eve waits, too"],
    "masters": [],
    "more_masters": 0,
    "tables": [],
    "championship": "cup",
}


def test_who_plays_with_others_is_named_and_their_game_is_not() -> None:
    (pool,) = pools({"games": [{"game": GAME}], "game_types": [POOL]})
    assert pool.why == ["championship cup: of those whom ann may still meet, bob is in a game, eve waits, too"]


def test_a_limit_is_a_length_of_time_and_the_own_game_is_behind_a_link() -> None:
    found = {
        "kind": "player",
        "name": "ann",
        "game_type": "hex",
        "game": GAME,
        "why": [f"game {GAME}: it is the turn of bob within 5400 s"],
    }
    site = PublicJournal(SiteSettings())
    page = waiting(site, {"name": "ann"}, {"why": {"found": [found]}})
    assert page.found[0].why == ["it is the turn of bob within 1 h 30 min"]
    assert page.found[0].game == GAME
