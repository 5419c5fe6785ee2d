"""The ports of a server: what it listens on, which of them speak TLS, and how peers learn them."""

import socket
from collections.abc import Mapping, Sequence
from contextlib import ExitStack

from ugs import gateway
from ugs.address import read_listening
from ugs.config import Config
from ugs.daemon.network.listening import address_text, open_listeners
from ugs.tls_settings import TlsSettings
from ugs.value import value

Listeners = Sequence[socket.socket]


@value
class Ports:
    """Listening sockets."""

    game: Listeners
    plain_game: Listeners
    """Those of peers that cannot speak TLS."""
    gateways: Mapping[str, Listeners]
    """By the name of the gateway."""
    encrypted: Sequence[str]
    """The ports that speak TLS, by the names of their settings."""

    @property
    def address(self) -> str:
        """Where game masters and players connect."""
        return address_text(self.game[0].getsockname())

    @property
    def plain_address(self) -> str | None:
        """Where those connect that cannot speak TLS."""
        return address_text(self.plain_game[0].getsockname()) if self.plain_game else None

    @property
    def urls(self) -> dict[str, str]:
        """The URLs of gateways, by name."""
        scheme = "wss" if "gateways" in self.encrypted else "ws"
        return {name: f"{scheme}://{address_text(own[0].getsockname())}/" for name, own in self.gateways.items()}

    def close(self) -> None:
        """Stop listening."""
        for listener in (*self.game, *self.plain_game, *(one for own in self.gateways.values() for one in own)):
            listener.close()


async def listen(config: Config, stack: ExitStack) -> Ports:
    """Listen on all ports but that of the page; ``stack`` closes them. Raises OSError, whose text names what was
    tried."""

    async def opened(host: str, port: int) -> Listeners:
        listeners = await open_listeners(host, port)
        for listener in listeners:
            stack.callback(listener.close)
        return listeners

    plain = config.tls.plain_game
    game = await opened(config.host, config.port)
    plain_game = await opened(*read_listening(plain)) if plain else []
    addresses = {name: settings.address for name, settings in gateway.listening(config).items()}
    gateways = {name: await opened(*address) for name, address in addresses.items() if address is not None}
    return Ports(game, plain_game, gateways, ports_with_tls(config.tls))


def ports_with_tls(tls: TlsSettings) -> list[str]:
    """Which ports speak TLS, by the names of their settings."""
    return [name for name in ("game", "http", "gateways") if tls.certificate and getattr(tls, name)]
