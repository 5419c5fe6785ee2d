"""A rehearsal for a public address: fifty bots over TLS, whose names are their own, with faults; a witness; impostors;
and in each round one attacker, another one each time.

The server keeps running, since the witness is timed: its machine has no faults here, and it is not killed. What
attackers may cost is held against the same bounds as under `ugs soak --attacks`.
"""

import json
import random
import subprocess
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import trio

from ugs.bench.child import as_argument
from ugs.bench.process import resident_bytes
from ugs.peer import Peer
from ugs.soak.attacker import PREPARE_S, AttackPlan
from ugs.soak.attacks import ATTACKS, Attack
from ugs.soak.churn import HELD, ROUND_S, Churn
from ugs.soak.churn_settings import ODDS, Manner
from ugs.soak.findings import GROWTH_BYTES, WITNESS_P99_MS, Trips, megabytes
from ugs.soak.impostors import comes_in, leaves_a_seat, variants
from ugs.soak.measure import LATE_S, longest_hold
from ugs.soak.server_process import ServerProcess, SoakProgram, master
from ugs.soak.summary import Summary
from ugs.soak.target import SOURCE, AttackLine, Dealt, ServerGone
from ugs.soak.witness import GAME_TYPE, WitnessPlan
from ugs.wire.messages import LoginResponse, PlayerLogin

BOTS: Final = 50
ATTACK_S: Final = 8.0
"""Seconds of an attack in the time of trouble of a round."""
IMPOSTORS: Final = 3
"""Of each kind."""
STRANGERS: Final = "127.0.0.4"
"""Where they come from."""
SETTINGS: Final = f"""
auth = "register"
auth_addresses = ["127.0.0.1 *", "{SOURCE} *"]
max_registered_per_ip = 200
"""
"""Who is on this machine needs no token: masters and the witness, and attackers, who would not come far without."""
PUBLIC: Final = Manner(
    players=BOTS, grace_s=15, move_timeout_s=20, odds=ODDS, server_dies=False, public=True, more=SETTINGS
)
"""With times as an organiser would give them."""


@dataclass(slots=True)
class NoisyAttack:
    """What the witness saw beside one attack."""

    attack: str
    trips: Trips
    memory: int
    """Resident bytes of the server when it was over."""


@dataclass(slots=True)
class RehearsalTally:
    """What came of it, besides the summary of the churn."""

    attacks: list[NoisyAttack] = field(default_factory=list)
    trips_ns: list[int] = field(default_factory=list)
    """Of all moves of the witness while attackers were there."""
    impostors: int = 0
    """Logins under names of others that were refused."""
    hold_ms: float = 0.0
    memory_before: int = 0


def attacks() -> Sequence[Attack]:
    """Those that need no server of their own kind."""
    return [one for one in ATTACKS.values() if not one.plan and not one.settings]


class Rehearsal:
    """All of it, on one server in ``directory``."""

    def __init__(self, directory: Path, seed: int) -> None:
        self.tally = RehearsalTally()
        self._directory = directory
        self._attacks = attacks()
        self._chance = random.Random(f"impostors {seed}")
        self._churn = Churn(directory, seed, PUBLIC, self._beside)
        server = self._churn.server
        self._referee = master(server, GAME_TYPE, "referee")
        plan = WitnessPlan(*server.place.game, server.place.http)
        arguments = ["-m", "ugs.soak.witness", as_argument(plan)]
        self._witness = SoakProgram("witness", arguments, directory, spoken_to=True)
        self._witness.ask()
        self.tally.memory_before = resident_bytes(server.pid)

    async def run(self, seconds: float, on_round: Callable[[Summary, RehearsalTally], None]) -> Summary:
        """Play rounds, at least one, until ``seconds`` have passed or something does not hold."""
        summary = await self._churn.run(seconds, lambda now: on_round(now, self.tally))
        if not summary.violations:
            self._judge()
        return summary

    def close(self) -> None:
        """Stop all processes."""
        for program in (self._witness, self._referee):
            program.stop()
        self._churn.close()

    async def _beside(self, number: int, server: ServerProcess) -> None:
        """What goes on beside the players in a round."""
        async with trio.open_nursery() as nursery:
            for _ in range(IMPOSTORS):
                nursery.start_soon(self._pretends, server, random.Random(self._chance.random()))
            for own in range(IMPOSTORS):
                nursery.start_soon(self._proves, server, f"impostor{own}", random.Random(self._chance.random()))
            await trio.to_thread.run_sync(self._attack, self._attacks[number % len(self._attacks)], server)
            await trio.sleep(0.5)
            nursery.cancel_scope.cancel()

    def _attack(self, attack: Attack, server: ServerProcess) -> None:
        # What it saw before is not this attack's.
        self._witness.ask("take")
        plan = AttackPlan(attack.name, server.place, max(ATTACK_S, attack.least_s))
        attacker = SoakProgram(
            "attacker", ["-m", "ugs.soak.attacker", as_argument(plan)], self._directory, spoken_to=True
        )
        try:
            attacker.process.communicate(timeout=PREPARE_S + ROUND_S + LATE_S)
        except subprocess.TimeoutExpired:
            self._churn.violated(f"the attacker of {attack.name} does not end")
        finally:
            attacker.stop()
        seen = json.loads(self._witness.ask("take"))
        for harm in seen["harm"]:
            self._churn.violated(f"the witness, beside {attack.name}: {harm}")
        self.tally.trips_ns += seen["trips_ns"]
        self.tally.attacks.append(NoisyAttack(attack.name, Trips.of(seen["trips_ns"]), resident_bytes(server.pid)))

    async def _pretends(self, server: ServerProcess, chance: random.Random) -> None:
        """Log in under the name of a bot, with another secret or none, again and again."""
        while True:
            await trio.sleep(chance.uniform(0.1, 0.6))
            if not self._churn.welcome:
                continue
            nick = chance.choice(sorted(self._churn.welcome))
            # Other spellings that count as the same name, an empty secret, and wrong ones.
            data = chance.choice([nick, nick.upper(), f"{nick}#", f"{nick}#another secret", f"{nick}#{nick}"])
            with suppress(OSError, trio.BrokenResourceError, trio.TooSlowError):
                stream = await trio.open_tcp_stream(*server.place.game, local_address=STRANGERS)
                async with stream:
                    await self._is_refused(stream, data)

    async def _proves(self, server: ServerProcess, own: str, chance: random.Random) -> None:
        """Prove to be one player, and then try to be a bot, a game master, or a spectator under the nick of a bot,
        again and again."""
        dealt = Dealt()
        while True:
            await trio.sleep(chance.uniform(0.3, 1.0))
            if not self._churn.welcome:
                continue
            document = chance.choice(variants(own, chance.choice(sorted(self._churn.welcome))))
            with suppress(OSError, ServerGone, trio.TooSlowError):
                await leaves_a_seat(await self._line(server, dealt), own)
                line = await self._line(server, dealt)
                if await comes_in(line, own, document):
                    self._churn.violated(f"{own} came in by {document.decode()}")
                else:
                    self.tally.impostors += 1
                await line.close()

    async def _line(self, server: ServerProcess, dealt: Dealt) -> AttackLine:
        return AttackLine(await trio.open_tcp_stream(*server.place.game, local_address=STRANGERS), dealt)

    async def _is_refused(self, stream: trio.SocketStream, data: str) -> None:
        peer = Peer(stream)
        await peer.send(PlayerLogin(data, HELD))
        with trio.fail_after(30):
            while (message := await peer.receive()) is not None:
                if isinstance(message, LoginResponse):
                    if message.accepted:
                        self._churn.violated(f"another client came in as {data}")
                    self.tally.impostors += not message.accepted
                    return

    def _judge(self) -> None:
        """What attackers may cost in all."""
        self.tally.hold_ms = longest_hold(self._churn.server)[0]
        p99 = Trips.of(self.tally.trips_ns).p99_ms
        if p99 > WITNESS_P99_MS:
            self._churn.violated(f"p99 of the witness is {p99:.0f} ms, above {WITNESS_P99_MS:.0f}")
        grown = max((one.memory for one in self.tally.attacks), default=0) - self.tally.memory_before
        if grown > GROWTH_BYTES:
            self._churn.violated(f"memory has grown by {megabytes(grown)} MB")


def rehearsal_text(tally: RehearsalTally) -> str:
    """What came of it, as text: the slowest attacks first."""
    every = Trips.of(tally.trips_ns)
    slowest = sorted(tally.attacks, key=lambda one: -one.trips.p99_ms)[:5]
    lines = [
        f"{len(tally.attacks)} attacks of {len({one.attack for one in tally.attacks})} kinds beside {BOTS} bots; "
        f"{tally.impostors} logins under names of others, all refused",
        f"witness: {every.moves} moves, p50 {every.p50_ms:.1f} ms, p99 {every.p99_ms:.1f} ms, "
        f"max {every.max_ms:.0f} ms; longest hold {tally.hold_ms:.1f} ms",
        f"memory: {megabytes(tally.memory_before)} MB before, at most "
        f"{megabytes(max((one.memory for one in tally.attacks), default=0))} MB after an attack",
        *(f"  {one.attack}: p99 {one.trips.p99_ms:.1f} ms, max {one.trips.max_ms:.0f} ms" for one in slowest),
    ]
    return "\n".join(lines)
