"""The rehearsal for a public address: who comes in, and what is told."""

from ugs.soak.attacks import ATTACKS
from ugs.soak.findings import Trips
from ugs.soak.rehearsal import NoisyAttack, RehearsalTally, attacks, rehearsal_text


def test_attackers_are_all_that_need_no_server_of_their_own() -> None:
    names = {attack.name for attack in attacks()}
    assert len(names) > 40
    assert "handshakes" in names
    assert {ATTACKS[name].plan + ATTACKS[name].settings for name in names} == {""}


def test_what_came_of_it_names_the_slowest_attacks_first() -> None:
    heard = [NoisyAttack(f"a{ms}", Trips(1, ms, ms, ms), 90_000_000) for ms in (3.0, 9.0, 5.0)]
    text = rehearsal_text(RehearsalTally(heard, [3_000_000, 9_000_000, 5_000_000], 7, 0.0, 80_000_000))
    assert "3 attacks of 3 kinds" in text
    assert "7 logins under names of others, all refused" in text
    assert "witness: 3 moves" in text
    assert text.index("a9.0") < text.index("a5.0") < text.index("a3.0")
