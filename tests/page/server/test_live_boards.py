"""Running games in the server: what one look costs at most, and that no game keeps others waiting."""

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest
import trio
from structlog.testing import capture_logs

from ugs.page.contract import Busy, Followed, PageAnswer, Question, TooDear, Visitor
from ugs.page.drawing import BoardEvents, DrawnGames
from ugs.page.played import LiveBoard
from ugs.page.server.live_boards import TOO_DEAR, Boards
from ugs.page.worker_limits import MAX_LOOK_TAGS, MAX_PIECE_EVENTS, MAX_PIECE_TAGS
from ugs.wire.extensions import EventKind, GameEvent, Watching

WIDE = b"<gameState>%b</gameState>" % (b"<a/>" * 3_900)


@dataclass
class Runs:
    """A game that runs and has said so many states."""

    game_id: str
    now: int = 1
    state: bytes = b"<gameState/>"
    championship: str = ""
    over: bool = False
    age_s: float = 0.0

    @property
    def first(self) -> Watching:
        return Watching(self.game_id, "ludo", 0, ())

    async def events(self, after: int, most: int) -> Sequence[GameEvent]:
        numbers = range(after + 1, min(self.now, after + most) + 1)
        return [GameEvent(self.game_id, number, 0.0, EventKind.STATE, state=self.state) for number in numbers]


@dataclass
class House:
    """A server with these games."""

    games: dict[str, Runs]

    def follow(self, game_id: str) -> Followed | None:
        return self.games.get(game_id)

    def public(self) -> Mapping[str, Any]:
        return {}

    whole = public

    def alive(self) -> Mapping[str, Any]:
        return {}

    def awaited(self, game_id: str) -> float | None:
        return None

    def why(self, name: str) -> Mapping[str, Any]:
        return {}

    async def visitor(self, token: str, address: str) -> Visitor | None:
        return None


@dataclass
class Draws:
    """A worker: what it is told, and what becomes of that first."""

    drawing: DrawnGames = field(default_factory=DrawnGames)
    told: list[list[BoardEvents]] = field(default_factory=list)
    meets: Callable[[BoardEvents], None] = lambda told: None
    gate: trio.Event | None = None
    takes_s: float = 0.0

    async def ask(self, question: Question, address: str, patience_s: float = 0.0) -> PageAnswer:
        raise NotImplementedError

    async def call(self, question: Question, address: str = "") -> list[LiveBoard | None]:
        told: list[BoardEvents] = question.asked["told"]
        self.told.append(told)
        if self.gate is not None:
            await self.gate.wait()
        await trio.sleep(self.takes_s)
        for one in told:
            self.meets(one)
        return self.drawing.boards(told)


@asynccontextmanager
async def drawn(house: House, draws: Draws) -> AsyncIterator[Boards]:
    """The boards of a house, which are drawn meanwhile."""
    boards = Boards(house, draws)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(boards.run)
        yield boards
        nursery.cancel_scope.cancel()


def numbers(boards: Mapping[str, LiveBoard]) -> dict[str, int]:
    """The last event of each game that is shown."""
    return {game_id: board.number for game_id, board in boards.items()}


async def test_a_game_of_thousands_of_small_states_is_up_to_date_at_the_first_look() -> None:
    draws = Draws()
    async with drawn(House({"g": Runs("g", 10_000)}), draws) as boards:
        assert numbers(await boards.look(["g"])) == {"g": 10_000}
        assert all(len(one.events) <= MAX_PIECE_EVENTS for told in draws.told for one in told)


async def test_a_look_ends_however_fast_a_game_goes_on() -> None:
    """One look is about one moment: what is said while pictures are drawn is for the next one."""
    fast = Runs("g")

    def meets(told: BoardEvents) -> None:
        fast.now += 1

    draws = Draws(meets=meets)
    async with drawn(House({"g": fast}), draws) as boards:
        assert numbers(await boards.look(["g"])) == {"g": 1}
        assert len(draws.told) == 1
        assert numbers(await boards.look(["g"])) == {"g": 2}


async def test_a_game_of_large_states_is_told_piece_by_piece_and_shown_late() -> None:
    draws = Draws()
    games = {"dear": Runs("dear", 100, WIDE), "calm": Runs("calm", 3)}
    async with drawn(House(games), draws) as boards:
        shown = numbers(await boards.look(["dear", "calm"]))
        assert shown["calm"] == 3
        assert 0 < shown["dear"] < 20
        tags = [sum(event.state.count(b"<") for event in one.events) for told in draws.told for one in told]
        assert max(tags) < MAX_PIECE_TAGS + WIDE.count(b"<")
        assert sum(tags) < MAX_LOOK_TAGS + 2 * MAX_PIECE_TAGS
        games["calm"].now = 4
        assert numbers(await boards.look(["dear", "calm"]))["calm"] == 4
        for _ in range(20):
            await boards.look(["dear", "calm"])
        assert numbers(await boards.look(["dear"])) == {"dear": 100}


async def test_dear_games_take_turns() -> None:
    """More than one look has room for: the one that was told nothing for longest comes first."""
    games = {f"g{number}": Runs(f"g{number}", 30, WIDE) for number in range(30)}
    draws = Draws()
    async with drawn(House(games), draws) as boards:
        for _ in range(30):
            await boards.look(games)
            await trio.sleep(0.001)
        assert len(numbers(await boards.look(games))) == 30


async def test_a_game_with_which_the_worker_is_lost_is_shown_as_a_tree_and_the_others_as_before() -> None:
    def meets(told: BoardEvents) -> None:
        if told.game_id == "bad" and not told.plain:
            raise TooDear("it takes more than 10 s of processor time")

    draws = Draws(meets=meets)
    async with drawn(House({"bad": Runs("bad", 2), "good": Runs("good", 2)}), draws) as boards:
        with capture_logs() as log:
            assert numbers(await boards.look(["bad", "good"])) == {"bad": 2, "good": 2}
        assert [line["event"] for line in log] == ["a game is not drawn any more"]
        assert [boards.plain(one) for one in ("bad", "good", "unknown")] == [TOO_DEAR, "", ""]
        assert [[(one.game_id, one.plain) for one in told] for told in draws.told] == [
            [("bad", ""), ("good", "")],
            [("bad", "")],
            [("good", "")],
            [("bad", TOO_DEAR)],
        ]


async def test_where_not_even_a_tree_can_be_drawn_it_is_said() -> None:
    def meets(told: BoardEvents) -> None:
        raise TooDear("no")

    async with drawn(House({"bad": Runs("bad", 2)}), Draws(meets=meets)) as boards:
        with capture_logs(), pytest.raises(Busy, match="cannot be shown"):
            await boards.look(["bad"])


async def test_a_worker_with_too_many_questions_is_no_fault_of_a_game() -> None:
    def meets(told: BoardEvents) -> None:
        raise Busy("too much")

    draws = Draws(meets=meets)
    async with drawn(House({"g": Runs("g", 2)}), draws) as boards:
        with pytest.raises(Busy, match="too much"):
            await boards.look(["g"])
        draws.meets = lambda told: None
        assert numbers(await boards.look(["g"])) == {"g": 2}
        assert not draws.told[-1][0].plain


async def test_who_is_impatient_gets_what_has_been_drawn_so_far(autojump_clock: trio.testing.MockClock) -> None:
    games = {"g": Runs("g", 2), "h": Runs("h", 2)}
    draws = Draws()
    async with drawn(House(games), draws) as boards:
        await boards.look(["g"])
        games["g"].now = 3
        draws.gate = trio.Event()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(boards.look, ["g", "h"])
            await trio.testing.wait_all_tasks_blocked()
            assert numbers(await boards.look(["g", "h"], 1.0)) == {"g": 2}
            draws.gate.set()
        assert numbers(await boards.look(["g", "h"], 1.0)) == {"g": 3, "h": 2}


async def test_pictures_are_there_one_by_one_as_they_are_drawn(autojump_clock: trio.testing.MockClock) -> None:
    """Who looks at many games for the first time is shown those that are drawn by now."""
    games = {f"g{number}": Runs(f"g{number}", 1, WIDE) for number in range(4)}
    draws = Draws(takes_s=1.0)
    async with drawn(House(games), draws) as boards:
        assert numbers(await boards.look(games, 0.5)) == {}
        assert numbers(await boards.look(games, 1.0)) == {"g0": 1}
        assert len(numbers(await boards.look(games, 10.0))) == 4


async def test_a_game_that_is_not_drawn_yet_is_known_without_its_events(autojump_clock: trio.testing.MockClock) -> None:
    async with drawn(House({"g": Runs("g", 2)}), Draws(takes_s=1.0)) as boards:
        assert boards.blank("g") is None
        assert await boards.look(["g", "unknown"], 0.1) == {}
        blank = boards.blank("g")
        assert blank is not None
        assert (blank.game, blank.game_type, blank.svg, blank.over) == ("g", "ludo", "", False)
        assert boards.blank("unknown") is None
