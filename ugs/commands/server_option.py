"""The options of commands that talk to a server: ``--connect HOST:PORT``, and ``--tls`` with what belongs to it."""

import ssl
from pathlib import Path
from typing import Annotated

import typer

from ugs.address import read_address
from ugs.commands.option_groups import OptionGroup
from ugs.tls import TlsError, client_context

TLS = "Encrypted lines"

Connect = Annotated[str, typer.Option("--connect", metavar="HOST:PORT[,...]", help="Where the server listens.")]
Tls = Annotated[bool, typer.Option("--tls", help="Speak TLS, and trust the right server only.", rich_help_panel=TLS)]
Ca = Annotated[
    Path | None,
    typer.Option(
        "--ca",
        metavar="FILE",
        dir_okay=False,
        help="With --tls: PEM file of the authorities that are trusted.  [default: those of the system]",
        rich_help_panel=TLS,
    ),
]
Cert = Annotated[
    Path | None,
    typer.Option(
        "--cert",
        metavar="FILE",
        dir_okay=False,
        help="With --tls: PEM file of a certificate to show, where the server wants to see one.",
        rich_help_panel=TLS,
    ),
]
Key = Annotated[
    Path | None,
    typer.Option(
        "--key",
        metavar="FILE",
        dir_okay=False,
        help="PEM file of its key.  [default: in the file of --cert]",
        rich_help_panel=TLS,
    ),
]


def server_at(text: str) -> tuple[str, int]:
    """Return host and port that ``--connect`` names. Raises typer.BadParameter when ``text`` is not HOST:PORT."""
    try:
        return read_address(text)
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint="--connect") from None


def servers_at(text: str) -> list[tuple[str, int]]:
    """Return host and port of each server that ``--connect`` names: one, and those that stand by for it. Raises
    typer.BadParameter when any is not HOST:PORT."""
    return [server_at(each.strip()) for each in text.split(",")]


class TlsOptions(OptionGroup):
    """How a line to a server is encrypted, if it is."""

    tls: Tls = False
    ca: Ca = None
    cert: Cert = None
    key: Key = None

    def context(self) -> ssl.SSLContext | None:
        """What ``--tls`` and its options ask for; None without them. Raises typer.BadParameter for files that cannot be
        used, and for options without ``--tls``: who names an authority does not want to speak without it."""
        if not self.tls:
            for option, file in (("--ca", self.ca), ("--cert", self.cert), ("--key", self.key)):
                if file is not None:
                    raise typer.BadParameter("needs --tls", param_hint=option)
            return None
        try:
            return client_context(self.ca, self.cert, self.key)
        except TlsError as error:
            raise typer.BadParameter(str(error), param_hint="--tls") from None
