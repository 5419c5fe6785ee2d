"""The settings of encrypted lines, a table of :class:`ugs.config.Config`."""

from ugs.declared import Declared, declared
from ugs.setting_types import Listening


class TlsSettings(Declared):
    """The settings of encrypted lines, the table ``[tls]``."""

    certificate: str = declared(
        "", description="PEM file with the server's certificate and the intermediate ones; empty: no TLS"
    )
    key: str = declared("", description="PEM file with its private key; empty: it is in the file of the certificate")
    client_ca: str = declared(
        "",
        description="PEM file with authorities: players, masters and clients of gateways have to show a certificate of "
        "one of them; empty: none is needed",
    )
    game: bool = declared(True, description="true: players and masters speak TLS at port")
    http: bool = declared(True, description="true: the page is https at http_port")
    gateways: bool = declared(True, description="true: gateways are wss")
    plain_game: Listening = declared(
        "",
        description="HOST:PORT where players and masters may also come without TLS, such as 127.0.0.1:4748; "
        "port 0 picks a free one; empty: nowhere",
    )
    plain_http: Listening = declared(
        "", description="HOST:PORT where the page is also http, such as 127.0.0.1:8081; empty: nowhere"
    )
    handshake_timeout_s: float = declared(
        10, gt=0, le=3600, description="seconds for a handshake, before it is given up"
    )
    max_handshakes: int = declared(
        1000, ge=10, description="handshakes at a time; one more takes the place of the one that has lasted longest"
    )
    max_handshakes_per_ip: int = declared(500, ge=5, description="the same for those of one address")
    max_handshakes_per_second_per_ip: int = declared(
        100, ge=0, description="handshakes with one address; above that they have to wait; 0: no limit"
    )

    def _goes_together(self) -> None:
        for name in ("key", "client_ca", "plain_game", "plain_http"):
            if getattr(self, name) and not self.certificate:
                raise ValueError(f"{name} is for TLS, which needs a certificate")
