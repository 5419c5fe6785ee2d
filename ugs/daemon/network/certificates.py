"""The certificate of a server: read at the start, and again when the organiser asks for it."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

import structlog

from ugs.tls import TlsError, certificate_of, server_context
from ugs.tls_settings import TlsSettings

SOON_S: Final = 14 * 86_400
"""A certificate that expires within this many seconds is worth a warning."""


class Certificates:
    """What new lines are encrypted with. Those that are open keep what they began with. ``now`` gives the seconds since
    1970."""

    def __init__(self, settings: TlsSettings, now: Callable[[], float] = time.time) -> None:
        """Read the files. Raises TlsError, which names the setting."""
        self._settings = settings
        self._now = now
        self._log: structlog.typing.FilteringBoundLogger = structlog.get_logger("ugs").bind()
        self._read()

    @property
    def valid_s(self) -> float:
        """Seconds until the certificate expires; negative when it has."""
        return self._expires - self._now()

    def read_again(self) -> str:
        """Read the files again. What is wrong with them is logged and returned, and then the old ones stay in use.
        Raises nothing."""
        try:
            self._read()
        except TlsError as error:
            self._log.error("certificate not changed", reason=str(error))
            return str(error)
        return ""

    def _read(self) -> None:
        settings = self._settings
        file, key = Path(settings.certificate), Path(settings.key) if settings.key else None
        try:
            context = server_context(file, key, Path(settings.client_ca) if settings.client_ca else None)
            certificate = certificate_of(context, file)
        except TlsError as error:
            raise TlsError(f"[tls]: {error}") from error
        # Both at once, when both are good: a renewal writes certificate and key one after the other.
        self.context = context
        self._expires = certificate.expires.timestamp()
        log = self._log.warning if self.valid_s < SOON_S else self._log.info
        state = {"hint": "it has expired, clients will refuse it"} if self.valid_s < 0 else {}
        log("certificate read", names=list(certificate.names), expires=certificate.expires.isoformat(), **state)
