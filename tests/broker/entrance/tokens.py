"""Names with tokens, and peers that show them."""

from typing import Any

from tests.broker.house import CHESS, House, Peer
from ugs.broker.effects import Prove
from ugs.broker.events import IdentitiesRead, Proved
from ugs.broker.values.identity import Identity, Role
from ugs.wire.extensions import Family, Hello
from ugs.wire.messages import LoginError, LoginResponse, PlayerLogin

DELAY_S = 1.0
REFUSED = LoginResponse(LoginError.WRONG_NICK)
HOME = "192.0.2.1:5000"


def has_token(house: House, name: str, digest: str = "", role: Role = Role.PLAYER, **more: Any) -> None:
    """The list of tokens grows by one row."""
    numbers = [known.number for known in house.broker.server.entry.identities.of.values()]
    row = Identity(max(numbers, default=0) + 1, role, name, digest or f"hash of {name}", **more)
    house.happens(IdentitiesRead((row,)))


def loses_token(house: House, name: str, why: str = "", role: Role = Role.PLAYER) -> None:
    """The token of a name is revoked."""
    house.happens(IdentitiesRead((Identity(99, role, name, why=why),)))


def checks(house: House, *, right: bool = True) -> Prove:
    """The shell has checked the one secret that it was asked about."""
    (asked,) = house.proving
    house.proving.clear()
    house.happens(Proved(asked.conn, asked.digest if right else ""))
    return asked


def registers(house: House) -> Prove:
    """The shell has written down the one name that it was asked to."""
    (asked,) = house.proving
    house.proving.clear()
    assert asked.digest == ""
    has_token(house, asked.name, f"hash of {asked.secret}")
    house.happens(Proved(asked.conn, f"hash of {asked.secret}"))
    return asked


def shows(house: House, token: str, *families: Family, address: str = HOME) -> Peer:
    """A peer that has said x-hello with a token and read the answer, which does not repeat it."""
    peer = house.connects(address=address)
    peer.says(Hello(tuple(families), token=token))
    assert peer.hears() == [Hello(tuple(family.value for family in Family if family in families))]
    return peer


def checks_in(house: House, nick: str, *families: Family, token: str = "token", address: str = HOME) -> Peer:
    """A player who has come in with its token and read the answer."""
    peer = shows(house, token, *families, address=address)
    peer.says(PlayerLogin(nick, CHESS))
    checks(house)
    assert peer.mail.pop(0) == LoginResponse()
    if Family.SESSION in families:
        peer.reads_token()
    return peer


def secret_of(role: Role, name: str) -> str:
    """The token that :func:`gets_token` gives a name."""
    return f"token of {role} {name}"


def gets_token(house: House, role: Role, name: str, game_type: str = "") -> None:
    """A name gets a token, :func:`secret_of` it."""
    has_token(house, name, f"hash of {secret_of(role, name)}", role, game_type=game_type)


def checks_all(house: House) -> None:
    """The shell has checked all secrets that it was asked about, each for what it is worth, and registers the rest."""
    while house.proving:
        asked = house.proving.pop(0)
        digest = f"hash of {asked.secret}"
        if not asked.digest and house.broker.server.entry.identities.find(asked.role, asked.name) is None:
            has_token(house, asked.name, digest, asked.role)
        elif digest != asked.digest:
            digest = ""
        house.happens(Proved(asked.conn, digest))
