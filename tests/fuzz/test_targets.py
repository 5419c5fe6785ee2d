"""The short profile: every target is fed its corpus and inputs near it, and for a moment what atheris makes up."""

import platform
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.fuzz.plain import changed
from tests.fuzz.plainly import understood
from tests.fuzz.targets import CORPUS, TARGETS, inputs
from tests.profile import sized

NEAR = {"broker": sized(quick=5, deep=400), "sessions": sized(quick=5, deep=400)}
OFTEN = sized(quick=100, deep=5000)
RUNS = {name: str(sized(quick=60, deep=2000)) for name in TARGETS}
HAS_WHEELS = sys.platform == "linux" and platform.machine() == "x86_64" and sys.version_info < (3, 14)
"""Where atheris can be installed, as pyproject.toml says it too."""
every_target = pytest.mark.parametrize("name", TARGETS)


@every_target
def test_nothing_is_found_in_the_corpus_and_near_it(name: str) -> None:
    target, corpus = TARGETS[name], inputs(name)
    assert corpus, "a target starts somewhere"
    for data in corpus:
        assert len(data) <= target.longest
        target.feed(data)
    for data in changed(corpus, target.dictionary, NEAR.get(name, OFTEN), target.longest):
        target.feed(data)


def test_the_corpus_has_targets_and_is_small() -> None:
    assert {path.name for path in CORPUS.iterdir()} == set(TARGETS)
    assert sum(len(data) for name in TARGETS for data in inputs(name)) < 300_000


def test_atheris_is_there_where_it_can_be() -> None:
    assert (find_spec("atheris") is not None) is HAS_WHEELS


@pytest.mark.parametrize("name", sized(quick=("codec",), deep=tuple(TARGETS)))
def test_atheris_looks_for_a_moment_and_finds_nothing(name: str, tmp_path: Path) -> None:
    """Where there is no atheris, the test above has fed as much."""
    if HAS_WHEELS:
        options = [f"-runs={RUNS[name]}", "-seed=1", f"-artifact_prefix={tmp_path}/", str(tmp_path), str(CORPUS / name)]
        done = subprocess.run(
            [sys.executable, "-m", "tests.fuzz.drive", name, *options], capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        assert "cov: " in done.stderr


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        ('{"message":"LIST_PLAYERS","player_id":"a","context":null}', {"player_id": "a"}),
        ('{"message":"REGISTER_PLAYER","context":{"handle":"ada#x"}}', {"handle": "ada", "token": "x"}),
        ('{"message":"LIST_PLAYERS","player_id":""}', None),
        ('{"message":"LIST_PLAYERS","player_id":"a","x":NaN}', None),
        ('{"message":"JOIN_GAME","player_id":"a"}', None),
    ],
)
def test_the_simple_reader_reads(text: str, fields: object) -> None:
    assert understood(text) == fields
