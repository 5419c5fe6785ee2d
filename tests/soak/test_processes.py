"""Real processes: a server, its master, the witness and an attacker."""

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest
import trio

from tests.profile import sized
from ugs.bench.child import as_argument
from ugs.soak import churn
from ugs.soak.attacker import AttackPlan
from ugs.soak.attacks import ATTACKS
from ugs.soak.churn import Churn
from ugs.soak.churn_settings import CHURN, FAULTS
from ugs.soak.findings import AttackFinding
from ugs.soak.measure import MIN_S, OVERHEAD_S, measure, seconds_each
from ugs.soak.rehearsal import Rehearsal
from ugs.soak.server_process import ServerProcess, SoakFailed, SoakProgram, master, stopped_at_end, until
from ugs.soak.witness import BOARD, GAME_TYPE, STONES, WitnessPlan

QUICK_ATTACKS = ("nuls",)


def test_the_share_of_each_attack() -> None:
    attacks = [ATTACKS["errors"]] * 10
    assert seconds_each(attacks, 5) == 30 - OVERHEAD_S
    assert seconds_each(attacks, 0) == seconds_each([], 5) == MIN_S


def harmless(finding: AttackFinding) -> list[str]:
    """What was broken that does not depend on how fast this machine is."""
    return [
        *finding.harm,
        *(text for text in finding.broken if text.startswith(("memory", "the witness", "the attack"))),
    ]


@pytest.mark.parametrize("name", sized(quick=QUICK_ATTACKS, deep=tuple(ATTACKS)))
def test_a_witness_plays_on_beside_an_attack(name: str, tmp_path: Path) -> None:
    finding = measure(ATTACKS[name], seconds=sized(quick=0.5, deep=2.0), alone_s=1.5, directory=tmp_path)
    assert harmless(finding) == []
    assert finding.alone.moves > 0
    assert finding.dealt["sent_bytes"] + finding.dealt["lines"] > 0
    assert finding.memory.before > 1_000_000
    assert json.dumps(finding.as_dict())


def test_the_witness_sees_that_its_games_are_void(tmp_path: Path) -> None:
    with stopped_at_end(server := ServerProcess(tmp_path)):
        referee = master(server, GAME_TYPE, "referee")
        plan = WitnessPlan(*server.place.game, games=1)
        witness = SoakProgram("witness", ["-m", "ugs.soak.witness", as_argument(plan)], tmp_path, spoken_to=True)
        with stopped_at_end(witness):
            assert witness.ask() == "playing\n"
            referee.stop(signal.SIGKILL)
            until(lambda: bool(server.log("game ended")))
            until(lambda: any("game void" in harm for harm in json.loads(witness.ask("take"))["harm"]))


def test_a_server_that_does_not_start_is_told_with_its_last_words(tmp_path: Path) -> None:
    with pytest.raises(SoakFailed, match=r"server does not listen\n.*teleport"):
        ServerProcess(tmp_path, "teleport = 1")


def test_a_program_that_ends_is_told_with_its_last_words(tmp_path: Path) -> None:
    program = SoakProgram("talker", ["-c", "import sys; sys.exit('farewell')"], tmp_path, spoken_to=True)
    with stopped_at_end(program), pytest.raises(SoakFailed, match="talker has ended\nfarewell"):
        program.ask("hello")


def test_nobody_wins_with_the_stones_of_the_witness() -> None:
    for stones in map(set, STONES):
        assert len(stones) == BOARD * BOARD / 2
        for x, y in stones:
            for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)):
                assert not {(x + n * dx, y + n * dy) for n in range(5)} <= stones


@pytest.mark.parametrize("what", sized(quick=("churn",), deep=("churn", "faults", "rehearsal")))
def test_all_invariants_hold_under_trouble(tmp_path: Path, what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever that is; how fast the witness of the rehearsal is answered depends on the machine."""
    monkeypatch.setattr(churn, "SERVER_DIES_EVERY", 2)  # however few rounds there are
    trouble: Churn | Rehearsal
    if what == "rehearsal":
        trouble = Rehearsal(tmp_path, 3)
    else:
        trouble = Churn(tmp_path, 3, FAULTS if what == "faults" else CHURN)
    try:
        for _ in range(10):  # on a slow machine one round may pass before a game is over
            summary = trio.run(trouble.run, sized(quick=12, deep=110), lambda *_: None)
            if summary.results or summary.violations:
                break
    finally:
        trouble.close()
    assert [one.what for one in summary.violations if not one.what.startswith("p99")] == []
    assert summary.server_kills >= sized(quick=0, deep=int(what != "rehearsal"))
    assert summary.games > 0
    assert summary.results > 0
    assert ({"cut", "half-open", "delayed", "in pieces"} <= set(summary.faults)) is (what != "churn")
    assert (summary.garbage > 0) is (what != "churn")
    assert isinstance(trouble, Churn) or trouble.tally.impostors > 0


def test_an_attacker_writes_when_it_begins_and_how_it_went(tmp_path: Path) -> None:
    with stopped_at_end(server := ServerProcess(tmp_path)):
        plan = AttackPlan("connections", server.place, 0.2)
        command = [sys.executable, "-m", "ugs.soak.attacker", as_argument(plan)]
        begun, dealt = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    assert begun == "attacking"
    assert json.loads(dealt)["lines"] > 0
