"""Files of TLS and of tokens, and who may come in from where."""

from collections.abc import Callable
from ipaddress import ip_address
from pathlib import Path
from typing import Final

from ugs.config import Config, ConfigError
from ugs.daemon.access import read_access
from ugs.doctor.diagnosis import Diagnosis, bad, good, warning
from ugs.tls import TlsError, certificate_of, server_context
from ugs.tokens import others_may_read

SOON_S: Final = 14 * 86_400
"""A certificate that expires within this many seconds is worth a warning."""
DAY_S: Final = 86_400


def examine_secrets(config: Config, now_s: float, count_tokens: Callable[[Path], int]) -> list[Diagnosis]:
    """Judge the files that the settings name, and who may come in. ``count_tokens`` returns how many tokens a file
    of organisers holds, and raises ValueError where it cannot be used."""
    return [*_tls(config, now_s), *_admin(config, count_tokens), *_access(config, now_s), *_auth(config)]


def is_public(host: str) -> bool:
    """Whether other machines may come in where a server listens at this host."""
    try:
        return not ip_address(host.removeprefix("[").removesuffix("]")).is_loopback
    except ValueError:
        # Any other name may stand for addresses of the network.
        return host != "localhost"


def _tls(config: Config, now_s: float) -> list[Diagnosis]:
    settings = config.tls
    if not settings.certificate:
        if not is_public(config.host):
            return []
        return [
            warning(
                "TLS",
                f"none, and the server listens at {config.host}: tokens and hands can be read on the way",
                "certificate and key in [tls]; `ugs example public-address.md` goes through it",
            )
        ]
    file, key = Path(settings.certificate), Path(settings.key or settings.certificate)
    try:
        context = server_context(
            file, Path(settings.key) if settings.key else None, Path(settings.client_ca) if settings.client_ca else None
        )
        certificate = certificate_of(context, file)
    except TlsError as error:
        return [bad("TLS", str(error), _advice(error, "mend certificate, key or client_ca in [tls]"))]
    found = []
    if others_may_read(key):
        found.append(warning("TLS", f"{key}: others may read the key", f"chmod 600 {key}"))
    left_s = certificate.expires.timestamp() - now_s
    if left_s < 0:
        found.append(bad("TLS", f"{file}: has expired on {certificate.expires:%Y-%m-%d}", "renew the certificate"))
    elif left_s < SOON_S:
        found.append(warning("TLS", f"{file}: expires in {left_s / DAY_S:.0f} days", "renew the certificate"))
    return found or [good("TLS", f"for {', '.join(certificate.names)}, until {certificate.expires:%Y-%m-%d}")]


def _admin(config: Config, count_tokens: Callable[[Path], int]) -> list[Diagnosis]:
    if not config.admin_token_file:
        return []
    path = Path(config.admin_token_file)
    try:
        number = count_tokens(path)
    except ValueError as error:
        form = "NAME TOKEN in a line; a token as of: openssl rand -hex 20"
        return [bad("admin_token_file", str(error), _advice(error, form))]
    if others_may_read(path):
        return [warning("admin_token_file", f"{path}: others may read it", f"chmod 600 {path}")]
    return [good("admin_token_file", "1 token" if number == 1 else f"{number} tokens")]


def _access(config: Config, now_s: float) -> list[Diagnosis]:
    if not config.access_file:
        return []
    try:
        read_access(Path(config.access_file), now_s)
    except ConfigError as error:
        form = "mend the file; docs/organiser.md shows its form"
        return [bad("access_file", str(error), _advice(error, form))]
    return [good("access_file", config.access_file)]


def _advice(error: BaseException, otherwise: str) -> str:
    """What to do about a file: other advice where this user may not read it, whatever is in it."""
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, PermissionError):
            return "give it to the user of the server (chown), or ask as that user"
        cause = cause.__cause__
    return otherwise


def _auth(config: Config) -> list[Diagnosis]:
    if config.needs_tokens and not config.data_dir:
        return [bad("tokens", f'auth = "{config.auth}" and no data_dir: tokens are kept there', "set data_dir")]
    if config.auth == "none" and is_public(config.host):
        return [
            warning(
                "tokens",
                f"anyone who reaches {config.host} may play under any free name",
                'auth = "register" in [access]: the first login of a name sets its secret; "tokens": only who has one',
            )
        ]
    free = ", ".join(rule for rule in config.auth_addresses if rule.rpartition(" ")[2] == "*")
    if free and config.auth != "none":
        text = f'auth = "{config.auth}"; anyone from there may play under any name without its token: {free}'
        return [good("tokens", f"{text}; try tokens from elsewhere")]
    return [good("tokens", f'auth = "{config.auth}"')]
