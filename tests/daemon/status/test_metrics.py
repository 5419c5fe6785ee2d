"""What the server tells Prometheus, and the dashboard that shows it."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import trio
from prometheus_client.parser import text_string_to_metric_families
from trio.testing import MockClock, wait_all_tasks_blocked

from tests.daemon.shell import GO, Shell
from ugs import __version__
from ugs.broker.effects import Note
from ugs.broker.values.questions import Act, ActKind
from ugs.broker.verdict import Cause
from ugs.daemon.status.figures import FIGURES
from ugs.daemon.status.metrics import FRESH_S, Metrics
from ugs.daemon.status.tally import BOUNDS_S, Histogram, Tally
from ugs.wire.messages import GameState, Move, PlayerLogin, PlayerResult, Result, ThankYou

Opens = Callable[..., Shell]
DASHBOARD = Path(__file__).parents[3] / "conf" / "grafana.json"


def samples(shell: Shell) -> dict[str, float]:
    """All numbers by name and labels, as Prometheus reads them."""
    text = Metrics(shell.status.parts).text().decode()
    return {
        sample.name + "".join(f"[{value}]" for value in sample.labels.values()): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


async def test_every_figure_is_there_with_its_limit(opens: Opens, autojump_clock: MockClock) -> None:
    shell = opens(max_connections=50)
    await shell.player("ann")
    await shell.memory.account.look()
    found = samples(shell)
    names = {re.split(r"\[|_bucket|_sum|_count", name)[0] for name in found}
    for figure in FIGURES:
        if (
            figure.label not in ("limit", "reason", "node") and figure.name != "relays_total"
        ):  # nothing shed, no cluster
            assert f"ugs_{figure.name}" in names, figure.name
    assert found["ugs_connections[player]"] == 1
    assert found["ugs_connections_limit"] == 50
    assert found[f"ugs_server_info[{__version__}]"] == 1


async def test_what_has_happened_is_counted(opens: Opens, autojump_clock: MockClock) -> None:
    shell = opens()
    master, ann, bob = await shell.table()
    await ann.says(Move("g1", b"<move/>"))
    await master.hears()
    results = (PlayerResult("ann", Result.WINNER), PlayerResult("bob", Result.LOSER))
    await master.says(GameState("g1", None, results))
    for far in (ann, bob):
        await far.hears()
        await far.says(ThankYou("g1"))
    stranger = shell.connects()
    await stranger.says(PlayerLogin("ann", GO))
    await stranger.hears()
    await wait_all_tasks_blocked()
    found = samples(shell)
    assert found["ugs_logins_total[player]"] == 2
    assert found["ugs_logins_total[master]"] == 1
    assert found["ugs_logins_total[refused: wrong nick]"] == 1
    assert found["ugs_games_total[finished]"] == 1
    assert found["ugs_games_total[timeout]"] == 0
    assert found["ugs_messages_total[received]"] == 9
    assert found["ugs_messages_total[sent]"] > 9
    assert found["ugs_bytes_total[sent]"] > found["ugs_bytes_total[received]"] > 500
    assert found["ugs_events_total[login refused]"] == 1
    assert found["ugs_journal_lag_s"] == 0


async def test_hostile_names_make_no_labels(opens: Opens, autojump_clock: MockClock) -> None:
    shell = opens(game_types={"chess": {}}, allowed_game_types=())
    before = set(samples(shell))
    for number in range(30):
        await shell.connects().says(PlayerLogin(f'n"\n{number}', f'type "\\{number}'))
        far = shell.connects()
        await far.says(PlayerLogin(f"nick {number}", f'type "\\{number}'))
        await far.hears()
    await wait_all_tasks_blocked()
    await shell.memory.account.look()
    found = samples(shell)
    assert found["ugs_waiting_players[others]"] == 30
    assert found["ugs_waiting_players[chess]"] == 0
    assert not any("type" in name.partition("[")[2] or "nick " in name.partition("[")[2] for name in found)
    assert len(set(found) - before) < 20


async def test_it_is_made_once_a_second(opens: Opens, autojump_clock: MockClock) -> None:
    shell = opens()
    metrics = Metrics(shell.status.parts)
    first = metrics.text()
    shell.status.parts.tally.events["x"] += 1
    assert metrics.text() is first
    await trio.sleep(FRESH_S)
    assert b'event="x"' in metrics.text()


async def test_a_ban_and_a_pause_are_counted(opens: Opens, autojump_clock: MockClock) -> None:
    shell = opens()
    shell.questions.ask(Act(ActKind.BAN, "eve", "root", "because"))
    far = shell.connects()
    await far.says(PlayerLogin("eve", GO))
    await wait_all_tasks_blocked()
    found = samples(shell)
    assert found["ugs_bans"] == 1
    assert found["ugs_events_total[act]"] == 1
    assert found["ugs_logins_total[refused: wrong nick]"] == 1


def test_a_histogram_counts_what_is_at_most_so_long() -> None:
    histogram = Histogram()
    for seconds in (0.0005, 0.001, 0.003, 5.0):
        histogram.add(seconds)
    read = histogram.read()
    assert (read["0.001"], read["0.002"], read["0.005"], read["1.0"], read["+Inf"]) == (2, 2, 3, 3, 4)
    assert read["sum"] == pytest.approx(5.0045)
    assert len(read) == len(BOUNDS_S) + 2


def test_a_round_trip_that_is_not_known_is_none() -> None:
    tally = Tally()
    tally.measured((0, 1500, 0))
    assert tally.round_trips.read()["+Inf"] == 1
    tally.noted(Note("something", {"error": 7}))
    assert tally.logins == {}


async def test_round_trips_are_measured_at_the_end_of_games(opens: Opens, autojump_clock: MockClock) -> None:
    shell = opens()
    master, _ann, _bob = await shell.table()
    await master.hangs_up()
    await wait_all_tasks_blocked()
    assert samples(shell)["ugs_games_total[master lost]"] == 1
    assert samples(shell)["ugs_round_trip_s_count"] == 0, "memory streams have none"


# The dashboard.


def expressions(part: Any) -> list[str]:
    """All queries of a dashboard."""
    if isinstance(part, dict):
        own = [part["expr"]] if "expr" in part else []
        return own + [found for value in part.values() for found in expressions(value)]
    return [found for value in part for found in expressions(value)] if isinstance(part, list) else []


async def test_the_dashboard_asks_for_what_there_is(opens: Opens, autojump_clock: MockClock) -> None:
    shell = opens()
    shell.status.parts.tally.turned_away["the server is full"] += 1
    shell.status.parts.shedding.counts["max_held_bytes"] += 1
    await shell.player("ann")
    await shell.memory.account.look()
    text = Metrics(shell.status.parts).text().decode()
    there = {sample.name for family in text_string_to_metric_families(text) for sample in family.samples}
    labels = {
        (sample.name, label)
        for family in text_string_to_metric_families(text)
        for sample in family.samples
        for label in sample.labels
    }
    asked = expressions(json.loads(DASHBOARD.read_text()))
    assert len(asked) > 15
    for query in asked:
        names = re.findall(r"\bugs_\w+", query)
        assert names, query
        assert set(names) <= there, query
        for label in re.findall(r"by \((\w+)\)", query):
            if label not in ("le", "instance"):
                assert any((name, label) in labels for name in names), (query, label)
        for value in re.findall(r'verdict="([^"]+)"', query):
            assert value in list(Cause)


def test_the_dashboard_is_one_that_grafana_takes() -> None:
    board = json.loads(DASHBOARD.read_text())
    assert board["title"]
    assert board["uid"]
    ids = [panel["id"] for panel in board["panels"]]
    assert len(set(ids)) == len(ids)
    for panel in board["panels"]:
        assert panel["title"]
        assert panel["type"] in {"timeseries", "stat", "row"}
        assert set(panel["gridPos"]) == {"h", "w", "x", "y"}
        assert panel["gridPos"]["x"] + panel["gridPos"]["w"] <= 24
        if panel["type"] != "row":
            assert all(target["datasource"]["uid"] == "${source}" for target in panel["targets"])
    (variable,) = board["templating"]["list"]
    assert (variable["name"], variable["type"], variable["query"]) == ("source", "datasource", "prometheus")
