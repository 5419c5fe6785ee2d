"""What a server tells of itself."""

import json
from collections.abc import Callable

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from tests.daemon.memory.test_holders import begins
from tests.daemon.shell import Shell
from ugs import __version__
from ugs.daemon.memory.memory_account import HEAVIEST, MemoryLook
from ugs.daemon.status.figures import FIGURES

Opens = Callable[..., Shell]


def figures(shell: Shell) -> dict[str, object]:
    """The numbers by name."""
    told = shell.status.answer()
    return {figure["name"]: figure["value"] for figure in told["figures"]}  # type: ignore[attr-defined]


def test_each_figure_has_a_name_that_says_its_unit_and_a_help() -> None:
    assert len({figure.name for figure in FIGURES}) == len(FIGURES)
    for figure in FIGURES:
        assert figure.help
        assert (figure.kind == "counter") is figure.name.endswith("_total")


async def test_before_the_first_look_it_says_so(opens: Opens, autojump_clock: MockClock) -> None:
    shell = opens()
    told = shell.status.answer()
    assert (told["ok"], told["version"], told["look_age_s"], told["heaviest"]) == (True, __version__, None, [])
    assert json.loads(json.dumps(told)) == told


async def test_it_tells_who_is_here_and_what_the_latest_look_found(opens: Opens, autojump_clock: MockClock) -> None:
    shell = opens(max_connections=50)
    await shell.table()
    await begins(shell, "cat", 5000)
    await shell.memory.account.look()
    await trio.sleep(3)
    told = shell.status.answer()
    assert json.loads(json.dumps(told)) == told
    assert (told["games"], told["tables"], told["game_types"]) == (1, 0, 1)
    assert told["up_s"] == pytest.approx(3, abs=0.1)
    assert told["look_age_s"] == pytest.approx(3, abs=0.1)
    found = figures(shell)
    assert found["connections"] == {"master": 1, "player": 3}
    assert found["players"] == {"playing": 2, "idle": 1}
    assert found["held_bytes"]["documents"] == 5000  # type: ignore[index]
    assert found["addresses"] == 2
    assert isinstance(found["resident_bytes"], int)
    assert found["resident_bytes"] > 10_000_000
    (first, *_others) = told["heaviest"]  # type: ignore[misc]
    assert (first["name"], first["held_bytes"], first["kind"]) == ("cat", 5000, "player")  # type: ignore[has-type]
    (limit,) = [one["limit"] for one in told["figures"] if one["name"] == "connections"]  # type: ignore[attr-defined]
    assert limit == 50
    heaviest = told["addresses"][0]  # type: ignore[index]
    assert (heaviest["address"], heaviest["held_bytes"], heaviest["connections"]) == ("192.0.2.7", 5000, 1)


async def test_an_answer_names_a_few_however_many_there_are(opens: Opens, autojump_clock: MockClock) -> None:
    shell = opens()
    for number in range(HEAVIEST + 5):
        await begins(shell, f"nick {number}", 1000 + number, f"192.0.2.{number}:1")
    await shell.memory.account.look()
    told = shell.status.answer()
    sizes = [one["held_bytes"] for one in told["heaviest"]]  # type: ignore[attr-defined]
    assert sizes == sorted(range(1005, 1005 + HEAVIEST), reverse=True)
    assert len(told["addresses"]) == HEAVIEST  # type: ignore[arg-type]
    assert figures(shell)["addresses"] == HEAVIEST + 5


async def test_what_was_shed_and_refused_is_counted(opens: Opens, autojump_clock: MockClock) -> None:
    shell = opens(max_held_bytes_per_ip=16_777_216, max_messages_per_second=1, rate_burst_s=1)
    for number in range(18):
        await begins(shell, f"heavy {number}", 950_000, f"192.0.2.7:{number}")
    await shell.memory.account.look()
    far = shell.connects()
    await far.says(b'<message type="logout1"/>' * 10)
    await wait_all_tasks_blocked()
    found = figures(shell)
    assert found["shed_total"] == {"max_held_bytes_per_ip": 1}
    assert found["rate_overruns_total"] == 1


async def test_a_full_server_answers_from_its_latest_look_alone(opens: Opens, autojump_clock: MockClock) -> None:
    """So an answer costs the same however many peers there are."""
    shell = opens()
    await shell.memory.account.look()
    shell.memory.account.latest = MemoryLook(kinds=shell.memory.account.latest.kinds)
    before = figures(shell)["connections"]
    await shell.player("ann")
    assert figures(shell)["connections"] == before
