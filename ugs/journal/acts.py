"""Acts of organisers that stay in force: how they are stored, and which are in force when a server starts.

The stored subject of a ban ends with its end, as text: ``ann until 2030-05-01T20:00:00Z``, or ``ann until lifted``.
"""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from ipaddress import IPv4Network, ip_network
from typing import Any

from ugs.address import Network, ip_of
from ugs.broker.effects import RecordAct
from ugs.broker.values.access import AccessRule
from ugs.broker.values.name_rules import unique_form
from ugs.broker.values.questions import ActKind
from ugs.journal.database_contract import Database
from ugs.value import value

RULES = {
    ActKind.BAN: (False, False),
    ActKind.BAN_ADDRESS: (True, False),
    ActKind.ALLOW: (False, True),
    ActKind.ALLOW_ADDRESS: (True, True),
}
"""By act: whether the subject is an address, and whether it is allowed."""
LIFTED = {
    ActKind.UNBAN: (False, False),
    ActKind.UNBAN_ADDRESS: (True, False),
    ActKind.DISALLOW: (False, True),
    ActKind.DISALLOW_ADDRESS: (True, True),
}
UNTIL = " until "
FOR_GOOD = "lifted"
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

HOLDING = """
    SELECT a.kind, a.subject, t.name, a.why
    FROM act AS a CROSS JOIN game_type AS t ON t.id = a.game_type
    ORDER BY a.id
"""
ELSEWHERE = HOLDING.replace("ORDER BY a.id", "WHERE a.id < ? OR a.id >= ? ORDER BY a.wall_us, a.id")
OF_NAMES = f"""
    SELECT kind, subject, wall_us, who, why FROM act WHERE kind IN ('{ActKind.BAN}', '{ActKind.UNBAN}')
    ORDER BY wall_us, id
"""
ADDRESSES = "SELECT id, address FROM login WHERE ended_us IS NOT NULL AND instr(address, ?) > 0"
ERASE = "UPDATE login SET address = '', crc = 0 WHERE id = ?"


@value
class BannedName:
    """The ban of a name by an organiser. Times in microseconds since 1970 (UTC)."""

    name: str
    since_us: int
    until_us: int | None
    """None: until it is lifted."""
    who: str
    why: str


def written_subject(effect: RecordAct, wall_us: int) -> str:
    """Return the subject of an act to store at this time (microseconds since 1970). An address to be forgotten is not
    stored."""
    if effect.kind == ActKind.FORGET_ADDRESS:
        return ""
    if effect.kind not in list(RULES):
        return effect.subject
    end = FOR_GOOD
    if effect.seconds is not None:
        moment = EPOCH + timedelta(microseconds=wall_us, seconds=effect.seconds)
        end = moment.replace(tzinfo=None).isoformat(timespec="seconds") + "Z"
    return f"{effect.subject}{UNTIL}{end}"


def holding(db: Database, now_us: int) -> tuple[list[AccessRule], dict[str, str]]:
    """Return the access rules in force at this time (microseconds since 1970), bans and permissions, and the paused
    game types with their reasons. Raises ValueError for a rule whose end cannot be read."""
    return _holding(db.execute(HOLDING), now_us)


def rules_elsewhere(db: Database, first: int, end: int, now_us: int) -> list[AccessRule]:
    """Return the access rules in force by the acts with ids that are not from ``first`` to below ``end``: those of
    other nodes, where ``db`` reads the journals of all. Raises ValueError."""
    return _holding(db.execute(ELSEWHERE, (first, end)), now_us)[0]


def ban_of(db: Database, name: str, now_us: int) -> BannedName | None:
    """Return the ban of this name, in any spelling that counts as the same, that is in force at this time; None if
    there is none. Raises ValueError for a ban whose end cannot be read."""
    found, form = None, unique_form(name)
    for kind, subject, wall_us, who, why in db.execute(OF_NAMES):
        banned, _, end = subject.rpartition(UNTIL) if kind == ActKind.BAN else (subject, "", "")
        if unique_form(banned) == form:
            found = None if kind == ActKind.UNBAN else BannedName(banned, wall_us, _end_us(end), who, why)
    # Only at the end: a ban that has run out may still have replaced an earlier one.
    return found if found is None or found.until_us is None or found.until_us > now_us else None


def _holding(acts: Iterable[Any], now_us: int) -> tuple[list[AccessRule], dict[str, str]]:
    rules: dict[tuple[str, bool, bool], AccessRule] = {}
    paused: dict[str, str] = {}
    for kind, subject, game_type, why in acts:
        if kind == ActKind.PAUSE:
            paused[game_type] = why
        elif kind == ActKind.RESUME:
            paused.pop(game_type, None)
        elif kind in list(RULES):
            rule = _rule(subject, *RULES[kind], why, now_us)
            rules[rule.subject, rule.is_address, rule.allows] = rule
        elif kind in list(LIFTED):
            rules.pop((subject, *LIFTED[kind]), None)
    # Only at the end: a rule that has run out may still have replaced an earlier one of the same subject.
    return [rule for rule in rules.values() if rule.left_s is None or rule.left_s > 0], paused


def erase_address(db: Database, wanted: str) -> None:
    """Erase all addresses within a range from logins that are over."""
    network = ip_network(wanted)
    found = db.execute(ADDRESSES, (_in_common(network),))
    db.executemany(ERASE, [(row,) for row, address in found if _lies_within(address, network)])
    # ERASE has left 0 in them, by which they are found again.
    db.seal("login", "WHERE crc = 0")


def _rule(subject: str, is_address: bool, allows: bool, why: str, now_us: int) -> AccessRule:
    name, _, end = subject.rpartition(UNTIL)
    until_us = _end_us(end)
    left_s = None if until_us is None else (until_us - now_us) / 1_000_000
    return AccessRule(name, is_address, why, left_s, allows)


def _end_us(written: str) -> int | None:
    """Return the end of a rule as it is stored, in microseconds since 1970; None if it has none."""
    if written == FOR_GOOD:
        return None
    return (datetime.fromisoformat(written) - EPOCH) // timedelta(microseconds=1)


def _lies_within(address: str, network: Network) -> bool:
    ip = ip_of(address.rpartition(":")[0])
    return ip is not None and ip in network


def _in_common(network: Network) -> str:
    """Return a substring of all addresses in a range, to skip most others; may be empty."""
    # One IPv6 address can be written in several ways, so all of them are read.
    if not isinstance(network, IPv4Network):
        return ""
    numbers = str(network.network_address).split(".")[: network.prefixlen // 8]
    return ".".join(numbers) + ("." if len(numbers) < 4 else "")
