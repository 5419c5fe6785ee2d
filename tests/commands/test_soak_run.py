"""What ``ugs soak`` does and prints."""

import json

import pytest

from tests.commands.line import ugs
from ugs.commands.soak_run import attacks_named
from ugs.soak.attacks import ATTACKS, Attack
from ugs.soak.findings import AttackFinding, ServerMemory, Trips
from ugs.soak.server_process import SoakFailed
from ugs.soak.target import Dealt


def test_all_attacks_are_listed() -> None:
    result = ugs("soak", "--list")
    assert result.exit_code == 0
    assert [line.split()[0] for line in result.stdout.splitlines()] == list(ATTACKS)


def test_attacks_are_chosen_by_name_each_once() -> None:
    assert [attack.name for attack in attacks_named(["nuls", "errors", "nuls"])] == ["nuls", "errors"]
    assert attacks_named([]) == list(ATTACKS.values())


def finding(attack: Attack, p99_ms: float) -> AttackFinding:
    """What an attack did that slowed the witness so much."""
    trips, memory = Trips(10, 1, p99_ms, p99_ms), ServerMemory(1, 2, 1)
    return AttackFinding(attack.name, attack.what, 1, trips, trips, 0, 0, "", memory, 1, 0, (), Dealt().as_dict())


@pytest.mark.parametrize(("p99_ms", "code"), [(10, 0), (251, 1)])
def test_the_exit_code_says_whether_the_bounds_hold(monkeypatch: pytest.MonkeyPatch, p99_ms: float, code: int) -> None:
    def measured(attacks: list[Attack], minutes: float, on_finding: object) -> list[AttackFinding]:
        assert callable(on_finding)
        found = [finding(attack, p99_ms) for attack in attacks]
        for one in found:
            on_finding(one)
        return found

    monkeypatch.setattr("ugs.commands.soak_run.measure_all", measured)
    result = ugs("soak", "--only", "nuls")
    assert result.exit_code == code
    assert result.stdout.splitlines()[-1].startswith(f"{1 - code} of 1 attacks within the bounds")
    result = ugs("soak", "--attacks", "--only", "nuls", "--json")
    assert result.exit_code == code
    said = json.loads(result.stdout)
    assert said["within"] is (code == 0)
    assert said["findings"][0]["name"] == "nuls"


def test_a_failure_is_told_and_ends_with_1(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> list[AttackFinding]:
        raise SoakFailed("server does not listen")

    monkeypatch.setattr("ugs.commands.soak_run.measure_all", fails)
    result = ugs("soak", "--attacks")
    assert result.exit_code == 1
    assert "ugs soak: server does not listen" in result.output
