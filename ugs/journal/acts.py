"""Acts of organisers that hold on: how they are written down, and which of them hold when a server starts.

The subject of a ban in the journal ends with when it is over, as text: ``ann until 2030-05-01T20:00:00Z``, or
``ann until lifted``.
"""

import sqlite3
from datetime import UTC, datetime, timedelta
from ipaddress import IPv4Network, ip_network

from ugs.address import Network, ip_of
from ugs.broker.effects import RecordAct
from ugs.broker.past import PastBan
from ugs.broker.questions import ActKind
from ugs.journal.checksums import seal

BANS = {ActKind.BAN: False, ActKind.BAN_ADDRESS: True}
"""With whether the subject is an address."""
LIFTED = {ActKind.UNBAN: False, ActKind.UNBAN_ADDRESS: True}
UNTIL = " until "
FOR_GOOD = "lifted"
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

HOLDING = """
    SELECT a.kind, a.subject, t.name, a.why
    FROM act AS a CROSS JOIN game_type AS t ON t.id = a.game_type
    ORDER BY a.id
"""
ERASE = """
    UPDATE login SET address = '', crc = 0
    WHERE ended_us IS NOT NULL AND instr(address, ?) > 0 AND lies_within(address)
"""


def written_subject(effect: RecordAct, wall_us: int) -> str:
    """The subject of an act as it is written down at this time (microseconds since 1970). An address that is to be
    forgotten is not."""
    if effect.kind == ActKind.FORGET_ADDRESS:
        return ""
    if effect.kind not in list(BANS):
        return effect.subject
    end = FOR_GOOD
    if effect.seconds is not None:
        moment = EPOCH + timedelta(microseconds=wall_us, seconds=effect.seconds)
        end = moment.replace(tzinfo=None).isoformat(timespec="seconds") + "Z"
    return f"{effect.subject}{UNTIL}{end}"


def holding(db: sqlite3.Connection, now_us: int) -> tuple[list[PastBan], dict[str, str]]:
    """The bans that hold at this time (microseconds since 1970), and the game types that are paused, with the reason.
    Raises ValueError for a ban whose end cannot be read."""
    bans: dict[tuple[str, bool], PastBan] = {}
    paused: dict[str, str] = {}
    for kind, subject, game_type, why in db.execute(HOLDING):
        if kind == ActKind.PAUSE:
            paused[game_type] = why
        elif kind == ActKind.RESUME:
            paused.pop(game_type, None)
        elif kind in list(BANS):
            ban = _ban(subject, BANS[kind], why, now_us)
            bans[ban.subject, ban.is_address] = ban
        elif kind in list(LIFTED):
            bans.pop((subject, LIFTED[kind]), None)
    return [ban for ban in bans.values() if ban.left_s is None or ban.left_s > 0], paused


def erase_address(db: sqlite3.Connection, wanted: str) -> None:
    """Erase all addresses within a range from logins that are over."""
    network = ip_network(wanted)
    db.create_function("lies_within", 1, lambda address: _lies_within(address, network), deterministic=True)
    db.execute(ERASE, (_in_common(network),))
    db.execute(f"{seal('login')} WHERE crc = 0")


def _ban(subject: str, is_address: bool, why: str, now_us: int) -> PastBan:
    name, _, end = subject.rpartition(UNTIL)
    if end == FOR_GOOD:
        return PastBan(name, is_address, why)
    until_us = (datetime.fromisoformat(end) - EPOCH) // timedelta(microseconds=1)
    return PastBan(name, is_address, why, (until_us - now_us) / 1_000_000)


def _lies_within(address: str, network: Network) -> bool:
    ip = ip_of(address.rpartition(":")[0])
    return ip is not None and ip in network


def _in_common(network: Network) -> str:
    """What the texts of all addresses of a range hold, so that most others need not be looked at; maybe nothing."""
    if not isinstance(network, IPv4Network):
        return ""
    numbers = str(network.network_address).split(".")[: network.prefixlen // 8]
    return ".".join(numbers) + ("." if len(numbers) < 4 else "")
