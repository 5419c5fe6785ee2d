"""What one message costs: every kind of message has a row, every row does what it says, docs/costs.md lists them."""

import re
from pathlib import Path
from typing import get_args

import pytest

from tests.commands.line import ugs
from ugs.broker import life
from ugs.broker.broker import Broker
from ugs.broker.extensions import idle_timeouts
from ugs.broker.extensions.why import asking
from ugs.broker.values.questions import Question
from ugs.config import Config, parse
from ugs.soak.costs import measure, table
from ugs.soak.costs.measure import MeasuredCost, measure_costs
from ugs.soak.costs.rig import Rig
from ugs.soak.costs.scene import Cost, CostScene, Limit
from ugs.soak.costs.table import COSTS, OF_ORGANISERS
from ugs.wire.extensions import Failed
from ugs.wire.messages import Error, Extension

PAGE = (Path(__file__).parents[3] / "docs" / "costs.md").read_text(encoding="utf-8")
SMALL = 0.01
"""The share of the limits that is let in here."""
TOLD_BY_ERROR = {"broadcast", "fault-lost", "master-lost"}
"""What v4 has no other word for than ``error``. Elsewhere it would mean that an act was refused."""


def test_every_message_and_question_has_a_cost() -> None:
    covered = {kind for cost in COSTS.values() for kind in cost.covers}
    of_v4 = {kind.TYPE for row in life.CONNECTION.values() for kind in row if not issubclass(kind, Extension)}
    of_extensions = {kind.TYPE for kind in Broker(parse({}, "defaults"), str, str)._switchboard.requests}
    questions = {kind.__name__ for kind in get_args(Question)} - set(OF_ORGANISERS)
    assert of_v4 | of_extensions | {"x-hello"} | questions == covered


def test_limits_are_those_of_the_settings() -> None:
    settings = parse({}, "defaults")
    of_settings = [limit for cost in COSTS.values() for limit in cost.limits if limit.name in Config.fields()]
    assert len(of_settings) > 30
    assert [limit.name for limit in of_settings if getattr(settings, limit.name) != limit.most] == []


def test_limits_of_extensions_are_those_of_the_broker() -> None:
    assert table.LOOKED_AT == idle_timeouts.MAX_AT_ONCE
    assert table.EXCHANGES == asking.MAX_LAST


@pytest.mark.parametrize("name", COSTS)
def test_every_scene_does_what_it_says(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rigs: list[Rig] = []

    def starts(self: Rig, config: Config) -> None:
        rigs.append(self)
        was(self, config)

    def refusals() -> int:
        return sum(rig.sent[Failed] + rig.sent[Error] for rig in rigs)

    was = Rig.__init__
    monkeypatch.setattr(Rig, "__init__", starts)
    scene = COSTS[name].stage(SMALL)
    acts = refused = 0
    for act in scene.acts:
        before = refusals()
        act()
        acts += 1
        refused += refusals() - before
    assert scene.elements >= 1
    assert acts >= 1
    assert (refused > 0) is (name in TOLD_BY_ERROR)


def test_the_page_lists_every_cost_and_nothing_else() -> None:
    named = re.findall(r"^\| `([a-z-]+)` \|", PAGE, re.MULTILINE)
    assert named == list(COSTS)


def test_a_cost_above_the_bound_is_named_and_so_is_one_that_grows_faster_than_its_input() -> None:
    cost = Cost("sort", lambda share: CostScene(1, []), (Limit("rows", 10),))
    assert MeasuredCost(cost, 10, 1999, 100).broken == ""
    assert MeasuredCost(cost, 10, 19_000, 9_500).broken == ""
    assert MeasuredCost(cost, 10, 19_000, 5_000).broken == "twice as much costs 3.8 times, at most 3 are allowed"
    assert MeasuredCost(cost, 10, 30_000, 15_000).broken == "holds the loop for 30.0 ms, at most 20 are allowed"


def test_a_cost_is_that_of_its_cheapest_act(monkeypatch: pytest.MonkeyPatch) -> None:
    moments = iter([0, 9_000, 20_000, 23_000] * 2)
    monkeypatch.setattr(measure, "thread_time_ns", lambda: next(moments))
    (measured,) = measure_costs([Cost("nothing", lambda share: CostScene(int(8 * share), [int, int]), ())])
    assert (measured.elements, measured.us, measured.half_us) == (8, 3.0, 3.0)


def test_the_command_prints_a_line_for_each_and_says_whether_all_are_within() -> None:
    result = ugs("soak", "--costs", "--only", "hello", "--only", "offers")
    lines = result.stdout.splitlines()
    assert [line.split()[0] for line in lines[:3]] == ["cost", "hello", "offers"]
    assert lines[-1] == "2 of 2 costs within the bound (20 ms)"
    assert result.exit_code == 0


def test_an_unknown_cost_is_refused() -> None:
    result = ugs("soak", "--costs", "--only", "hallo")
    assert result.exit_code == 2
    assert "no cost 'hallo' (did you mean 'hello'?)" in " ".join(result.stderr.split())


def test_all_costs_are_listed() -> None:
    result = ugs("soak", "--costs", "--list")
    assert [line.split()[0] for line in result.stdout.splitlines()] == list(COSTS)
