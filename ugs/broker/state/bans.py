"""Who may come in and who may not: names and addresses that are banned or allowed, for a time or for good."""

import math
from dataclasses import field
from ipaddress import ip_network

from ugs.address import Network, ip_of
from ugs.broker.values.name_rules import unique_form
from ugs.durations import duration_text
from ugs.value import state, value
from ugs.wire.extensions import BANNED

WIDEST = {4: 8, 6: 16}
"""By the version of the protocol, the fewest bits that a range has in common: a wider one is a slip of the keys."""


@value
class Ban:
    """One ban. ``until`` is a moment of the broker's clock; infinite for good."""

    subject: str
    why: str
    until: float = math.inf
    is_address: bool = False

    def refusal_text(self, now: float) -> str:
        """Return the text for a peer that is turned away."""
        left = f" for another {duration_text(self.until - now, up=True)}" if math.isfinite(self.until) else ""
        return f"{self.subject} {BANNED}{left}: {self.why}"


@state(eq=True)
class Bans:
    """All bans, or all that are allowed. One that is over is forgotten when it is met."""

    names: dict[str, Ban] = field(default_factory=dict)
    """By the unique form of names."""
    ranges: dict[Network, Ban] = field(default_factory=dict)

    def put(self, ban: Ban) -> None:
        """Take in one; it replaces an earlier one of the same name or range. A range has to be one that can be read."""
        if ban.is_address:
            wanted = read_range(ban.subject)
            assert not isinstance(wanted, str)
            self.ranges[wanted] = ban
        else:
            self.names[unique_form(ban.subject)] = ban

    def of_name(self, name: str, now: float) -> Ban | None:
        """The ban of a nick or a master's id, in any spelling that counts as the same."""
        form = unique_form(name)
        ban = self.names.get(form)
        if ban is not None and ban.until <= now:
            del self.names[form]
            return None
        return ban

    def of_host(self, host: str, now: float) -> Ban | None:
        """Return the ban of an address, or of a range that contains it; the longest of several."""
        ip = ip_of(host) if self.ranges else None
        if ip is None:
            return None
        # One lookup per width in use, not a comparison with each range: a list may have thousands of ranges.
        widths = {known.prefixlen for known in self.ranges if known.version == ip.version}
        around = [ip_network((ip.packed, width), strict=False) for width in widths]
        found = []
        for known in around:
            ban = self.ranges.get(known)
            if ban is not None and ban.until <= now:
                del self.ranges[known]
            elif ban is not None:
                found.append(ban)
        # The longest: a peer that reads the time left should not meet another ban after it.
        return max(found, key=lambda ban: ban.until, default=None)

    def standing(self, now: float) -> list[Ban]:
        """Those that hold, the names first."""
        return [ban for ban in (*self.names.values(), *self.ranges.values()) if ban.until > now]


@state(eq=True)
class Access:
    """Who may come in: no banned or denied peer; with allowed names or addresses, only those."""

    bans: Bans = field(default_factory=Bans)
    """By order of an organiser."""
    denied: Bans = field(default_factory=Bans)
    """By the file of the organiser."""
    allowed: tuple[Bans, Bans] = field(default_factory=lambda: (Bans(), Bans()))
    """By order, and by the file."""

    def of_name(self, name: str, now: float) -> str:
        """Return why this name may not come in; empty if it may."""
        ban = self.bans.of_name(name, now) or self.denied.of_name(name, now)
        if ban is not None:
            return ban.refusal_text(now)
        if any(one.of_name(name, now) for one in self.allowed) or not self._only(now, addresses=False):
            return ""
        return "only some names may come in at present, and this is none of them"

    def of_host(self, host: str, now: float) -> str:
        """Return why this address may not come in; empty if it may."""
        ban = self.bans.of_host(host, now) or self.denied.of_host(host, now)
        if ban is not None:
            return ban.refusal_text(now)
        if any(one.of_host(host, now) for one in self.allowed) or not self._only(now, addresses=True):
            return ""
        return "only some addresses may come in at present, and yours is none of them"

    def _only(self, now: float, *, addresses: bool) -> bool:
        """Whether there are names, or addresses, that alone may come in."""
        lists = [one.ranges if addresses else one.names for one in self.allowed]
        return any(ban.until > now for one in lists for ban in one.values())


def read_range(text: str) -> Network | str:
    """An address or a range such as ``203.0.113.0/24``; or what is wrong with the text."""
    try:
        found = ip_network(ip_of(text.strip()) or text.strip(), strict=False)
    except ValueError:
        return f"{text!r} is no address and no range of addresses, such as 203.0.113.7 or 203.0.113.0/24"
    if found.prefixlen < WIDEST[found.version]:
        return f"{text!r}: a range has at least {WIDEST[found.version]} bits in common, such as 203.0.0.0/8"
    return found
