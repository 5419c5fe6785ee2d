"""What kind of trouble a churn makes: how many players, what fails, and the times of the server."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from ugs.soak.line_faults import LineFault, Odds
from ugs.soak.machine_faults import OF_THE_SERVER

MASTER_GRACE_S: Final = 8.0
SETTINGS: Final = f"""
master_grace_s = {MASTER_GRACE_S}
masters_per_game = 2
thank_you_timeout_s = 5
champions_interval_s = 0.2
max_table_games = 100
"""
ODDS: Final = Odds(delayed=0.02, in_pieces=0.05, cut=0.004, half_open=0.004)
"""Of faults on the lines of players."""
MACHINE: Final = (*OF_THE_SERVER, LineFault.MASTER_SLEEPS)


@dataclass(frozen=True, slots=True)
class Manner:
    """What kind of trouble there is."""

    players: int = 16
    grace_s: float = 4.0
    """How long a session outlasts a lost line."""
    move_timeout_s: float = 6.0
    """The same for masters."""
    odds: Odds | None = None
    """Of faults on the lines of players; with them one more master answers garbage. None: there are none."""
    machine: Sequence[LineFault] = ()
    """What may befall the machine."""
    server_dies: bool = True
    public: bool = False
    """Whether players speak TLS, and names belong to who had them first."""
    more: str = ""
    """More settings of the server, as TOML."""

    @property
    def settings(self) -> str:
        """All settings of the server, as TOML."""
        times = f"session_grace_s = {self.grace_s}\nmove_timeout_s = {self.move_timeout_s}\n"
        return f"{times}master_timeout_s = {self.move_timeout_s}\n{SETTINGS}{self.more}"

    @property
    def stuck_s(self) -> float:
        """A running game that has not changed for this number of seconds has no owner."""
        return 3 * self.move_timeout_s + MASTER_GRACE_S


CHURN: Final = Manner()
FAULTS: Final = Manner(odds=ODDS, machine=MACHINE)
