"""The file that controls who may come in: read at the start, on SIGHUP, and by ``ugs admin reread``.

::

    [[deny]]
    address = "198.51.100.0/24"
    until = 2030-05-01T20:00:00
    why = "flood of logins"

    [[allow]]
    name = "ann"

An hour without a time zone is local time. A rule whose hour is over is left out.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Final

import structlog

from ugs.broker.events import AccessRead, Event
from ugs.broker.state.bans import read_range
from ugs.broker.values.access import AccessRule
from ugs.broker.values.name_rules import wrong_name
from ugs.config import ConfigError
from ugs.declared import Declared, WrongValues, declared
from ugs.toml_files import read_toml

MAX_WHY: Final = 2000
"""Characters of a reason."""


def _is_a_range(text: str) -> str:
    found = read_range(text)
    if isinstance(found, str):
        raise ValueError(found)
    return str(found)


def _is_a_name(text: str) -> str:
    wrong = wrong_name(text)
    if wrong is not None:
        raise ValueError(wrong)
    return text


def _is_a_moment(until: datetime) -> datetime:
    try:
        until.timestamp()
    except (ValueError, OverflowError, OSError):
        raise ValueError("no clock shows this time") from None
    return until


class Rule(Declared):
    """One table of the file."""

    address: str = declared("", check=_is_a_range, description="an address or a range")
    name: str = declared("", check=_is_a_name, description="a nick or the id of a master")
    until: datetime | None = declared(
        None,
        allowed="a time such as 2030-05-01T20:00:00, without quotes",
        check=_is_a_moment,
        description="when the rule ends; left out: never",
    )
    why: str = declared("", max_length=MAX_WHY, description="the reason, which is sent to those who are shut out")

    def _goes_together(self) -> None:
        if bool(self.address) == bool(self.name):
            raise ValueError("exactly one of address and name is wanted")


class AccessRules(Declared):
    """The whole file."""

    allow: tuple[Rule, ...] = declared((), description="no other peer comes in; without any, all do")
    deny: tuple[Rule, ...] = declared((), description="who does not come in")


def read_access(path: Path, now_s: float) -> tuple[AccessRule, ...]:
    """The rules in a file that hold at ``now_s`` (seconds since 1970). Raises ConfigError, which names file, key and
    value."""
    values = read_toml(path, ConfigError)
    try:
        rules = AccessRules.read(values)
    except WrongValues as error:
        raise ConfigError("\n".join(error.lines(str(path)))) from None
    found = [_rule(rule, now_s, allows=True) for rule in rules.allow]
    found += [_rule(rule, now_s, allows=False) for rule in rules.deny]
    return tuple(rule for rule in found if rule.left_s is None or rule.left_s > 0)


def _rule(rule: Rule, now_s: float, *, allows: bool) -> AccessRule:
    left_s = None if rule.until is None else rule.until.timestamp() - now_s
    why = rule.why or "so the organiser has decided"
    return AccessRule(rule.address or rule.name, bool(rule.address), why, left_s, allows)


class AccessFile:
    """The file of a running server. ``happens`` takes the events."""

    def __init__(self, path: Path | None, happens: Callable[[Event], None]) -> None:
        self._path = path
        self._happens = happens
        self._elsewhere: Sequence[AccessRule] = ()
        """Rules of other nodes of a cluster."""
        self._as_of_s = 0.0
        """When their remaining times were read, in seconds since 1970."""
        self._log: structlog.typing.FilteringBoundLogger = structlog.get_logger("ugs").bind()

    def read(self) -> str:
        """Read the file and pass its rules to the broker. Returns what is wrong with it, and then leaves the rules as
        they were; empty when all is well."""
        if self._path is None and not self._elsewhere:
            return ""
        return self._read()

    def heed(self, elsewhere: Sequence[AccessRule]) -> None:
        """Let these rules of other nodes hold here, too, in place of those they had before."""
        self._elsewhere, self._as_of_s = elsewhere, time.time()
        self._read()

    def _read(self) -> str:
        now_s = time.time()
        try:
            rules = read_access(self._path, now_s) if self._path is not None else ()
        except ConfigError as error:
            self._log.error("access_file cannot be used; the rules stay as they were", reason=str(error))
            return str(error)
        passed_s = now_s - self._as_of_s
        left = [one if one.left_s is None else replace(one, left_s=one.left_s - passed_s) for one in self._elsewhere]
        self._happens(AccessRead((*rules, *(one for one in left if one.left_s is None or one.left_s > 0))))
        return ""
