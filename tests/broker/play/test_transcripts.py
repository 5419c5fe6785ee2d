"""Plain games of UGS v4, as transcripts: how they go, how players leave them, and what happens when a master is lost.

They stand in ``transcripts/``; :mod:`tests.broker.stage` says how to read them. The game is always chess. ``m`` leads
it, ``ann``, ``ben`` and ``cat`` play it.
"""

from pathlib import Path

import pytest

from tests.broker.stage import played, transcripts, written

ALL = transcripts(Path(__file__).parent / "transcripts")


@pytest.mark.parametrize("script", ALL.values(), ids=ALL)
def test_all_peers_hear_exactly_this(script: str) -> None:
    assert played(script) == written(script)
