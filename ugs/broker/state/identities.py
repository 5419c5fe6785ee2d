"""Which names have tokens, which addresses need none, and failed attempts."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import field
from ipaddress import ip_network
from typing import Final

from ugs.address import Network, ip_of
from ugs.admission import AS_MASTER
from ugs.broker.values.identity import MARK, Identity, Role
from ugs.broker.values.name_rules import unique_form
from ugs.config import Config
from ugs.token_key import key_of
from ugs.value import state

TRIES_AT_ONCE: Final = 5
"""Secrets that one address may try for one name at once; right ones do not count."""
TRY_S: Final = 2.0
"""Seconds until it may try one more."""
MAX_WAIT_S: Final = 10.0
"""Maximum seconds that an attempt may wait for its turn: otherwise the queue could grow without end."""
FEW: Final = 1000
"""Up to this many pairs of address and name are remembered without checking which could be forgotten."""


@state(eq=True)
class Tries:
    """How often addresses have tried secrets. ``until`` is, by address and name, when all are forgiven, in seconds of
    the broker's clock."""

    until: dict[tuple[str, Role, str], float] = field(default_factory=dict)
    look_at: int = FEW

    def wait_s(self, origin: str, role: Role, form: str, now: float) -> float | None:
        """Count one more; returns the seconds until it may be tried, or None when that would be too long."""
        key = (origin, role, form)
        if key not in self.until and len(self.until) >= self.look_at:
            self.until = {one: until for one, until in self.until.items() if until > now}
            self.look_at = max(FEW, 2 * len(self.until))
        forgiven = max(self.until.get(key, now), now)
        # A leaky bucket in one number: each try is forgiven TRY_S after the one before.
        wait = max(0.0, forgiven - now - (TRIES_AT_ONCE - 1) * TRY_S)
        if wait > MAX_WAIT_S:
            return None
        self.until[key] = forgiven + TRY_S
        return wait

    def was_right(self, origin: str, role: Role, form: str) -> None:
        """The last try does not count."""
        key = (origin, role, form)
        if key in self.until:
            # A bot that comes back with its token again and again is never held up.
            self.until[key] -= TRY_S


class Identities:
    """All tokens by role and name, in the unique form of names."""

    def __init__(self, config: Config) -> None:
        self.of: dict[tuple[Role, str], Identity] = {}
        self.revoked: set[tuple[Role, str]] = set()
        """Names whose tokens were revoked. They cannot be registered: the first to come may not be the owner of the
        lost token."""
        self._by_key: dict[str, Identity] = {}
        self.tries = Tries()
        self.registered: Counter[str] = Counter()
        """By address, how many names were registered from there in this life of the server, or are about to be."""
        self.registers: dict[int, str] = {}
        """The connections whose names are about to be registered, with their addresses."""
        self._trusted = [_rule(text) for text in config.auth_addresses]

    def find(self, role: Role, name: str) -> Identity | None:
        """Return the owner of a name, in any equivalent spelling; None if it has none."""
        return self.of.get((role, unique_form(name)))

    def is_current(self, row: Identity) -> bool:
        """Whether the token of this row holds: it was neither revoked nor replaced."""
        known = self.find(row.role, row.name)
        return known is not None and known.digest == row.digest

    def with_token(self, token: str) -> Identity | None:
        """Return the player whose token begins as this one does, which may be wrong all the same; None if there is
        none."""
        return self._by_key.get(key_of(token))

    def shown(self, token: str) -> tuple[Identity, str] | None:
        """Return the player whose token this may be, and the secret that its hash has to fit: the token of a nick, or
        ``NICK#SECRET``. None if it belongs to no nick."""
        name, _, secret = token.partition(MARK)
        known = self.find(Role.PLAYER, name) if secret else self.with_token(token)
        return (known, secret or token) if known is not None else None

    def take(self, row: Identity) -> Identity | None:
        """Take in a row of the list; returns the one that it replaces, if there was any."""
        key = (row.role, unique_form(row.name))
        before = self.of.pop(key, None)
        if before is not None:
            self._by_key.pop(before.key, None)
        self.revoked.discard(key)
        if not row.digest:
            self.revoked.add(key)
        else:
            self.of[key] = row
            # Only players are found by a token alone: it opens their games on the page.
            if row.key and row.role is Role.PLAYER:
                self._by_key[row.key] = row
        return before

    def is_trusted(self, host: str, role: Role, name: str) -> bool:
        """Whether a peer from there may use this name of a player, or of a master, without a token."""
        if not self._trusted:
            return False
        ip = ip_of(host)
        return ip is not None and any(ip in network for network in self._networks(role, name))

    def needs_none(self, nick: str) -> bool:
        """Return whether a player may use this nick without a token from some address."""
        return any(True for _ in self._networks(Role.PLAYER, nick))

    def _networks(self, role: Role, name: str) -> Iterable[Network]:
        wanted = (None, (role, unique_form(name)))
        return (network for network, only in self._trusted if only in wanted)


def _rule(text: str) -> tuple[Network, tuple[Role, str] | None]:
    """Return a range of addresses, and the only role and name that it applies to; None: to all. A name is a player's
    unless the rule names another role: masters decide who wins."""
    address, _, name = text.partition(" ")
    name = name.strip()
    if name == "*":
        only = None
    elif name.endswith(AS_MASTER):
        only = Role.MASTER, unique_form(name.removesuffix(AS_MASTER).rstrip())
    else:
        only = Role.PLAYER, unique_form(name)
    return ip_network(address, strict=False), only
