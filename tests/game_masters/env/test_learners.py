"""The learners among the examples, as ``docs/learning.md`` shows them: what they learn beats random moves."""

import importlib.util
import random
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from game_masters.kit.rules import Table
from game_masters.registry import find_game
from tests.profile import sized

EXAMPLES = Path(__file__).parents[3] / "examples"
SMALL = {"width": "3", "height": "3", "row": "3"}


def example(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def points(choose: Any, options: dict[str, str], games: int) -> float:
    """The share of points against the bundled bot that plays at random, each seat in turn."""
    game, rng = find_game("tic-tac-toe"), random.Random(1)
    chosen, other = game.choose_options(options), game.bot("random").choose
    total = 0.0
    for number in range(games):
        state = game.start(Table("game", ("one", "two"), chosen), rng)
        own = number % 2
        while state.outcome is None:
            mover = state.movers[0]
            state.apply(mover, (choose if mover == own else other)(state.view(mover), rng))
        total += 0.5 if state.outcome.drawn else own in state.outcome.winners
    return total / games


def test_the_table_is_saved_and_plays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    learner = example("table_learner")
    games, expected = sized(quick=(600, 0.5), deep=(150_000, 0.955))
    monkeypatch.setattr(learner, "FILE", tmp_path / "table.npz")
    learner.main(["train", "--games", str(games), "--file", str(tmp_path / "table.npz")])
    table = learner.load(tmp_path / "table.npz")
    monkeypatch.setattr(learner, "load", lambda: table)
    assert points(learner.choose, SMALL, sized(quick=60, deep=400)) >= expected


def test_the_policy_is_saved_and_plays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    learner = example("policy_learner")
    policy, results = learner.train(1e9, sized(quick=8, deep=300))
    learner.save(policy, tmp_path / "policy.npz")
    loaded = learner.load(tmp_path / "policy.npz")
    assert all((one == two).all() for one, two in zip(policy.weights, loaded.weights, strict=True))
    monkeypatch.setattr(learner, "load", lambda: loaded)
    assert len(results) == sized(quick=8, deep=300)
    assert points(learner.choose, {}, sized(quick=2, deep=100)) >= sized(quick=0.0, deep=0.95)
