"""One attack, in a process of its own that gives way to all others.

Started as ``python -m ugs.soak.attacker PLAN``, PLAN being the JSON of an :class:`AttackPlan`. It writes ``attacking``
when the attack is prepared, goes on for the time of the plan, and writes how the server has dealt with it as one line
of JSON.
"""

import json
import os
import sys
from dataclasses import dataclass
from typing import Final

import trio

from ugs.bench.child import run_plan
from ugs.bench.process import allow_open_files
from ugs.soak.attacks import ATTACKS, Attack
from ugs.soak.target import AttackSite, Dealt, ServerGone, ServerPlace

NICE: Final = 10
"""How far the attacker stands back behind server, master and witness, which share its processors."""
PREPARE_S: Final = 90.0
"""Seconds for the preparation of an attack."""
OPEN_FILES: Final = 6000


@dataclass(frozen=True, slots=True)
class AttackPlan:
    """Which attack, where, and for how long."""

    name: str
    place: ServerPlace
    seconds: float


async def carry_out(attack: Attack, place: ServerPlace, seconds: float) -> Dealt:
    """Attack for ``seconds`` after the preparation, or until PREPARE_S if it is never prepared."""
    dealt = Dealt()
    with trio.move_on_after(PREPARE_S) as scope:
        async with trio.open_nursery() as nursery:

            def begins() -> None:
                print("attacking", flush=True)
                # From here on: what the preparation takes is not the attack's.
                scope.deadline = trio.current_time() + seconds

            try:
                await attack.script(AttackSite(place, nursery, begins, dealt))
            except* (ServerGone, trio.TooSlowError) as ended:
                dealt.last = dealt.last or f"the attack has ended: {ended.exceptions[0]!r}"
            await trio.sleep_forever()
    return dealt


def attack_as_planned(plan: AttackPlan) -> None:
    """Attack, and print how the server has dealt with it."""
    os.nice(NICE)
    allow_open_files(OPEN_FILES)
    print(json.dumps(trio.run(carry_out, ATTACKS[plan.name], plan.place, plan.seconds).as_dict()), flush=True)


if __name__ == "__main__":
    sys.exit(run_plan(attack_as_planned, AttackPlan))
