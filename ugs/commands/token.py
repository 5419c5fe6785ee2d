"""The command ``ugs token`` without a word behind it: a link to one's own games."""

from pathlib import Path
from typing import Annotated, Final
from urllib.parse import quote, urlsplit

import typer

from ugs.commands.failure import WRONG_USAGE, failure
from ugs.commands.server_option import server_at
from ugs.commands.token_option import COMES_FROM, SessionFile, session_token, token_kept
from ugs.printable import safe
from ugs.state_files import kept_in

NAME: Final = "ugs token"


def token(
    context: typer.Context,
    connect: Annotated[
        str | None, typer.Option(metavar="HOST:PORT", help="The server where the bot plays.", show_default=False)
    ] = None,
    nick: Annotated[str | None, typer.Option(help="The nick of the bot.", show_default=False)] = None,
    given: Annotated[
        str | None,
        typer.Option(
            "--token",
            envvar="UGS_TOKEN",
            help="The token of its session, or of its nick.  [default: what the bot has kept, on this machine]",
        ),
    ] = None,
    session_file: SessionFile = None,
    state: Annotated[
        Path | None,
        typer.Option(metavar="FILE", dir_okay=False, help="Where the bot has kept it (`ugs bot --state`)."),
    ] = None,
    page: Annotated[
        str | None,
        typer.Option(metavar="URL", help="The page of the server.  [default: http://HOST:8080 of --connect]"),
    ] = None,
) -> None:
    """Print a link to the games of a bot of yours, as it saw them; or make, list and revoke the tokens of names.

    The link shows replays with its own hands, why each game ended so, and their records.

    Anyone with the link can look at these games, and can take the bot's seat: keep it to yourself. The token stands
    behind "#", which browsers never send.

    Examples:

        ugs token --connect server.example:4747 --nick ann

        ugs token --state ann.jsonl --page https://games.example.org
    """
    if context.invoked_subcommand is not None:
        return
    server = None if connect is None else "{}:{}".format(*server_at(connect))
    given = session_token(given, session_file)
    if given is None:
        server, given = _kept(server, nick, state)
    if page is None:
        if server is None:
            raise failure(NAME, "a token needs --connect HOST:PORT, or --page URL, to make a link", WRONG_USAGE)
        port = _usual_port()
        page = f"http://{_host_of(server)}:{port}"
        # Beside the link, which programs may read.
        typer.echo(f"{NAME}: port {port} is assumed for the page; --page URL names another", err=True)
    address = urlsplit(page)
    if address.scheme not in ("http", "https") or not address.netloc:
        raise failure(NAME, f"--page {page!r}: expected http://HOST:PORT or https://HOST", WRONG_USAGE)
    typer.echo(f"{safe(page.rstrip('/'))}/mine#{quote(given, safe='')}")


def _kept(server: str | None, nick: str | None, state: Path | None) -> tuple[str, str]:
    """The server and the token that a bot has kept."""
    if server is None or nick is None:
        if state is None:
            raise failure(
                NAME, "give --state FILE, or --connect HOST:PORT with --nick, --session-file or --token", WRONG_USAGE
            )
        try:
            kept = kept_in(state)
        except (OSError, RuntimeError) as error:
            reason = getattr(error, "strerror", None) or error
            text = f"no token in {safe(str(state))}: {reason}; {COMES_FROM}"
            raise failure(NAME, text, WRONG_USAGE) from None
        if kept is None:
            raise failure(NAME, f"{state}: no file of a bot", WRONG_USAGE)
        server, nick = server or kept.server, nick or kept.nick
    return server, token_kept(NAME, server, nick, state)


def _host_of(server: str) -> str:
    host = server.rpartition(":")[0]
    return f"[{host}]" if ":" in host and not host.startswith("[") else host


def _usual_port() -> int:
    """Where the page is unless an organiser has moved it."""
    from ugs.config import Config  # naming the page, or making a token, need not wait for it

    return int(Config.fields()["http_port"].default)
