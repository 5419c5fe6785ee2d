"""Which copy of a bot plays next, when there is one more, and when the next game is ordered."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
import trio
from trio.testing import wait_all_tasks_blocked

from ugs.match.bot_copy import Copy
from ugs.match.bundled_processes import BundledProcesses
from ugs.match.copies import LATE_S, SPARE, Copies
from ugs.match.game_orders import MAX_WAIT_S, GameOrders
from ugs.match.games import find_game
from ugs.match.match_server import MatchServer
from ugs.match.programs import MatchFailed
from ugs.processor_time import ProcessorUse

PAUSE_S = 0.1
AT_ONCE = 2
BOTS = {"ours": "an object", "program": "./bot {address} {nick}"}


@asynccontextmanager
async def running(directory: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Copies]:
    """Copies of two bots that log in at once and then play nothing."""
    (directory / "bots").mkdir()
    made = Copies(BOTS, find_game("tic-tac-toe"), {}, directory, AT_ONCE, {"ours": lambda _view, _rng: None})

    async def plays(_address: tuple[str, int], nick: str, *_rest: object) -> None:
        made.came(nick, "5-in-line-tic-tac-toe")
        await trio.sleep_forever()

    async def runs(_copies: Copies, copy: Copy) -> None:
        await plays(("", 0), copy.nick)

    monkeypatch.setattr("ugs.match.copies.play", plays)
    monkeypatch.setattr(Copies, "_run_command", runs)
    async with trio.open_nursery() as nursery:
        await nursery.start(made.run, ("127.0.0.1", 7))
        yield made
        nursery.cancel_scope.cancel()


async def played(made: Copies, bot: str, games: int, pause_s: float = PAUSE_S) -> list[str]:
    """The nicks that play this many games of no length one after the other, when players need a pause between two."""
    nicks = []
    for _ in range(games):
        copy = await made.take(bot, pause_s)
        nicks.append(copy.nick)
        made.give_back(copy)
        await trio.sleep(0.001)
    return nicks


async def test_a_bot_of_ours_has_spare_copies_and_the_one_that_rested_longest_plays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, autojump_clock: object
) -> None:
    async with running(tmp_path, monkeypatch) as made:
        first = await played(made, "ours", 20)
        names = ["ours", *(f"ours~{number}" for number in range(2, AT_ONCE * (1 + SPARE) + 1))]
        assert sorted(set(first)) == names
        assert first[-6:-3] != first[-3:]
        await trio.sleep(PAUSE_S)
        assert sorted(await played(made, "ours", len(names))) == names


async def test_a_program_is_started_only_for_a_game_at_the_same_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, autojump_clock: object
) -> None:
    async with running(tmp_path, monkeypatch) as made:
        assert set(await played(made, "program", 10)) == {"program"}
        taken = {(await made.take("program", PAUSE_S)).nick for _ in range(AT_ONCE)}
        assert taken == {"program", "program~2"}
        with trio.move_on_after(1) as waited:
            await made.take("program", PAUSE_S)
        assert waited.cancelled_caught


async def test_the_start_of_a_program_is_no_part_of_its_games(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, autojump_clock: object
) -> None:
    async with running(tmp_path, monkeypatch) as made:
        copy = await made.take("program")
        uses = iter([ProcessorUse(0.5, 0.25), ProcessorUse(0.75, 0.375)])
        monkeypatch.setattr(Copy, "use", lambda _copy: next(uses))
        copy.process, copy.games = cast("trio.Process", object()), 1
        made.first_game_begins()
        assert made.times() == {"program": (1, ProcessorUse(0.25, 0.125))}


class Server:
    """Stands in for a server whose players are free some time after their last game, which ended at 0."""

    def __init__(self, free_at: float) -> None:
        self.free_at = free_at
        self.asked: list[float] = []
        self.error = "seats: not waiting for a game: 'a'"

    async def ask(self, _request: Mapping[str, object]) -> dict[str, Any]:
        now = trio.current_time()
        self.asked.append(now)
        return {"ok": True, "game": "g"} if now >= self.free_at else {"ok": False, "error": self.error}


async def test_orders_learn_how_long_players_are_not_free_after_a_game(autojump_clock: object) -> None:
    now = trio.current_time()
    server = Server(now + 0.08)
    orders = GameOrders(cast(MatchServer, server), "tic-tac-toe")
    for _ in range(3):
        server.free_at = (now := trio.current_time()) + 0.08
        server.asked = []
        await orders.begin(["a", "b"], "", now)
    assert 0.06 < orders.pause_s < 0.1
    assert len(server.asked) <= 4  # not from the first millisecond on
    server.asked, rested = [], trio.current_time() - 10
    await orders.begin(["a", "b"], "", rested)
    assert server.asked == [trio.current_time()]  # players that have rested for longer are not waited for


async def test_players_that_never_played_are_not_waited_for_and_teach_nothing(autojump_clock: object) -> None:
    server = Server(trio.current_time() + 30)
    orders = GameOrders(cast(MatchServer, server), "tic-tac-toe")
    await orders.begin(["a", "b"], "", float("-inf"))
    assert orders.pause_s == 0.0
    server.free_at = trio.current_time() + 30
    await orders.begin(["a", "b"], "", trio.current_time())
    assert orders.pause_s == MAX_WAIT_S


async def test_before_each_attempt_the_output_of_bots_is_cut(autojump_clock: object) -> None:
    server, cuts = Server(trio.current_time() + 0.1), []
    orders = GameOrders(cast(MatchServer, server), "tic-tac-toe")
    await orders.begin(["a", "b"], "", float("-inf"), lambda: cuts.append(trio.current_time()))
    assert len(cuts) > 3
    assert cuts == server.asked


async def test_another_refusal_ends_the_match(autojump_clock: object) -> None:
    server = Server(trio.current_time() + 1)
    server.error = "no such type"
    with pytest.raises(MatchFailed, match="no game of a, b begins: no such type"):
        await GameOrders(cast(MatchServer, server), "tic-tac-toe").begin(["a", "b"], "", float("-inf"))


async def test_games_go_to_the_process_that_plays_the_fewest_and_a_new_one_gets_copies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, autojump_clock: object
) -> None:
    async with running(tmp_path, monkeypatch) as made:
        assert set(await played(made, "ours", 20, pause_s=0)) == {"ours"}  # nobody waits for a pause: no spare copies
        two = SimpleNamespace(count=2, fewest_copies=0, place=lambda nick: int(nick != "ours"))
        monkeypatch.setitem(made._bundled, "ours", cast(BundledProcesses, two))
        assert (await made.take("ours")).nick == "ours"
        await wait_all_tasks_blocked()
        two.fewest_copies = AT_ONCE
        assert {(await made.take("ours")).nick for _ in range(2)} == {"ours~2", "ours~3"}


async def test_a_program_that_runs_and_does_not_log_in_is_named_and_ends_the_match(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, autojump_clock: object
) -> None:
    async with running(tmp_path, monkeypatch) as made:

        async def hangs(_copies: Copies, copy: Copy) -> None:
            copy.errors.path.write_text("loading the book\n")
            await trio.sleep_forever()

        monkeypatch.setattr(Copies, "_run_command", hangs)
        with trio.move_on_after(LATE_S - 1):
            await made.take("program")
        assert made.awaited == []
        with trio.move_on_after(2):
            await made.take("program")
        assert made.awaited == ["program"]
        made.came("program", "5-in-line-tic-tac-toe")
        assert made.awaited == []
        made.went("program")
        with pytest.raises(
            MatchFailed, match=r"(?s)program runs, and has not logged in for 600 s: .*\nloading the book"
        ):
            await made.take("program")
