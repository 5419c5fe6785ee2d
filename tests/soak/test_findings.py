"""What counts as above a bound, and how it is said."""

from dataclasses import replace

import pytest

from ugs.soak.attacks import ATTACKS
from ugs.soak.findings import GROWTH_BYTES, HOLD_MS, WITNESS_P99_MS, AttackFinding, ServerMemory, Trips
from ugs.soak.report import MAX_BROKEN_LINES, dealt_with, heading, lines_of, listed, summary
from ugs.soak.target import Dealt

MB = 1024 * 1024
CALM = Trips(300, 1, 2, 3)
MEMORY = ServerMemory(70 * MB, 90 * MB, 80 * MB)
GOOD = AttackFinding(
    "errors",
    "What it does.",
    4.0,
    CALM,
    CALM,
    0.0,
    0,
    "",
    ServerMemory(70 * MB, 90 * MB, 80 * MB),
    5,
    0,
    (),
    Dealt().as_dict(),
)


def test_percentiles_are_in_milliseconds() -> None:
    assert Trips.of([n * 1_000_000 for n in range(100, 0, -1)]) == Trips(100, 50, 99, 100)
    assert Trips.of([]) == Trips(0, 0, 0, 0)


def test_who_stays_within_the_bounds_breaks_none() -> None:
    limit = replace(
        GOOD,
        attacked=replace(CALM, p99_ms=WITNESS_P99_MS),
        hold_ms=HOLD_MS,
        memory=ServerMemory(0, GROWTH_BYTES, 0),
        unhealthy=1,
        worker_bytes=450 * MB,
    )
    assert limit.broken == []


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (replace(GOOD, attacked=replace(CALM, p99_ms=250.6)), "witness p99 251 ms, bound 250"),
        (replace(GOOD, attacked=Trips.of([])), "the witness has made no move"),
        (replace(GOOD, hold_ms=20.1, holder="p1: error"), "hold 20 ms, bound 20: p1: error"),
        (replace(GOOD, memory=ServerMemory(0, 201 * MB, 0)), "memory +201 MB, bound 200"),
        (replace(GOOD, healthy=0, unhealthy=3), "none of 3 health checks was answered"),
        (replace(GOOD, dealt={**GOOD.dealt, "unprepared": True}), "the attack was never prepared"),
        (replace(GOOD, worker_bytes=451 * MB), "a worker has 451 MB, bound 450"),
        (replace(GOOD, log_bytes_per_s=12_345.0), "log 12.3 kB/s, bound 10"),
        (replace(GOOD, dealt={**GOOD.dealt, "harm": ["an owner: waited"]}), "an owner: waited"),
        (replace(GOOD, harm=("calm1: game g has a loser",)), "calm1: game g has a loser"),
    ],
)
def test_each_bound_is_named_when_it_is_broken(found: AttackFinding, said: str) -> None:
    assert found.broken == [said]
    assert found.as_dict()["broken"] == [said]
    assert f"ABOVE THE BOUND: {said}" in lines_of(found)
    assert summary([GOOD, found]).startswith("1 of 2 attacks within the bounds")
    assert summary([found]).endswith("; not: errors")


def test_a_bound_that_is_broken_again_and_again_is_one_line() -> None:
    found = replace(
        GOOD, dealt={**GOOD.dealt, "harm": ["a door is open"] * 3 + [f"{rows} rows" for rows in range(200)]}
    )
    lines = lines_of(found).splitlines()
    assert "    ABOVE THE BOUND: a door is open (3 times)" in lines
    assert lines[-1] == "    ABOVE THE BOUND: 191 more"
    assert len(lines) == 2 + MAX_BROKEN_LINES + 1


def test_figures_stand_under_their_headings() -> None:
    head, row = heading().splitlines()[-1], lines_of(GOOD).splitlines()[0]
    assert "1.0/2.0/3" in row
    assert row.index("70/90/80") == head.index("memory")


def test_how_the_server_dealt_with_an_attacker_is_said_safely() -> None:
    dealt = Dealt(lines=2, closed=1)
    dealt.takes(b'<message type="error">too \x1b[31mlarge</message>')
    text = dealt_with(dealt.as_dict())
    assert "2 connections" in text
    assert "1 closed" in text
    assert "1 errors" in text
    assert "large" in text
    assert "\x1b" not in text


def test_what_the_server_says_is_counted_by_its_kind() -> None:
    dealt = Dealt()
    dealt.takes(b'<message type="x-failed"><reason code="RATE_LIMIT">too many</reason></message>')
    assert (dealt.failures, dealt.last) == (1, "RATE_LIMIT: too many")
    dealt.takes(b'<message type="loginResponse"><response accept="no"/><error id="3"/></message>')
    assert (dealt.refused, dealt.last) == (1, "login error 3")


def test_every_attack_says_in_a_sentence_what_it_does() -> None:
    for attack in ATTACKS.values():
        assert attack.what.endswith(".")
        assert attack.name in listed()
        assert attack.what in listed()
    assert len({attack.script for attack in ATTACKS.values()}) == len(ATTACKS)
