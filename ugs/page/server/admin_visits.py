"""Who is at the administration: organisers who have shown their token, each visit with a cookie of its own.

A visit is over after some hours, when its organiser ends it, when the token is taken out of the file, and with the
server.
"""

import hmac
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field

from ugs.page.server.admin_tokens import AdminKey, KeysError, find
from ugs.page.server.cookies import Cookies

MAX_S = 8 * 3600.0
"""Seconds that a visit lasts at most."""
MAX_VISITS = 100
"""At a time; one more takes the place of the oldest."""


@dataclass(slots=True)
class AdminVisit:
    """One organiser at one browser."""

    key: AdminKey
    form_secret: str = field(default_factory=lambda: secrets.token_urlsafe(24))
    """Stands in every form of its pages: no other page can know it."""
    notes: list[tuple[bool, str]] = field(default_factory=list)
    """What its next page shows: whether it went well, and a text."""

    def knows(self, form_secret: str) -> bool:
        """Whether a form is one of its own."""
        return hmac.compare_digest(self.form_secret.encode(), form_secret.encode("utf-8", "surrogatepass"))


class Visits:
    """All of them. ``keys`` reads the tokens that are valid now; it may raise KeysError, and then no visitor is let
    in."""

    def __init__(self, keys: Callable[[], list[AdminKey]]) -> None:
        self._keys = keys
        self._visits: Cookies[AdminVisit] = Cookies(MAX_S, MAX_VISITS)

    def owner_of(self, token: str) -> AdminKey | None:
        """The owner of this token; None if it has none. Raises KeysError."""
        return find(self._keys(), token)

    def begin(self, key: AdminKey) -> str:
        """A visit begins; its cookie."""
        return self._visits.make(AdminVisit(key))

    def find(self, cookie: str) -> AdminVisit | None:
        """The visit with this cookie, if it is not over."""
        visit = self._visits.find(cookie)
        if visit is None:
            return None
        try:
            valid = visit.key in self._keys()
        except KeysError:
            valid = False
        if not valid:
            self._visits.forget(cookie)
            return None
        return visit

    def end(self, cookie: str) -> None:
        """A visit is over."""
        self._visits.forget(cookie)
