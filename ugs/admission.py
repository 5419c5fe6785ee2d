"""The settings that control who may come in; :class:`ugs.config.Config` holds them."""

from ipaddress import ip_network
from typing import Final, Literal

from ugs.declared import Declared, declared

AS_MASTER: Final = "#master"
"""Behind a name of ``auth_addresses`` that is a master's."""


def _are_addresses(rules: tuple[str, ...]) -> tuple[str, ...]:
    for rule in rules:
        address, _, name = rule.partition(" ")
        try:
            ip_network(address, strict=False)
        except ValueError:
            name = ""
        if not name.strip().removesuffix(AS_MASTER):
            raise ValueError(
                "not RANGE NAME; allowed: such as 127.0.0.1 *, 203.0.113.0/24 ann, or 203.0.113.7 m1#master"
            )
    return rules


class Admission(Declared):
    """Tokens of names, and the file of who may come in."""

    access_file: str = declared(
        "", description="TOML file of who may come in, [[allow]] and [[deny]]; read again on SIGHUP. Empty: all peers"
    )
    auth: Literal["none", "tokens", "register"] = declared(
        "none",
        description="who may come in without a token of `ugs token add`; a name that has one needs it, except from "
        "auth_addresses. none: all peers; tokens: none; register: none, and the first login of a name sets its secret",
    )
    auth_addresses: tuple[str, ...] = declared(
        (),
        check=_are_addresses,
        description="peers that need no token: an address or a range and the nick of a player, a master as m1#master, "
        'or any peer as *, such as "127.0.0.1 *"',
    )
    wrong_token_delay_s: float = declared(
        1, ge=0, le=60, description="seconds before a login without a right token is refused"
    )
    max_registered: int = declared(10_000, ge=1, description='auth = "register": names with a token, at most')
    max_registered_per_ip: int = declared(
        50, ge=1, description="names that may be registered from one address, until the server is started again"
    )
