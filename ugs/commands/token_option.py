"""The option ``--token-file FILE`` of commands that come to a server under a name, and those that stand beside it."""

import os
from pathlib import Path
from typing import Annotated, Final

import typer

from ugs.commands.failure import WRONG_USAGE, failure
from ugs.commands.option_groups import OptionGroup
from ugs.commands.server_option import TlsOptions
from ugs.printable import safe
from ugs.state_files import default_path
from ugs.state_files import token_in as kept_token
from ugs.tokens import MAX_TOKEN, TokenError, others_may_read, read_token

VARIABLE: Final = "UGS_TOKEN"
"""The environment variable that may hold the token itself. There is no option for it: all users see command lines."""
COMES_FROM: Final = (
    "`ugs bot` keeps one there; a bot of your own gets it in the message x-session after its login (those of "
    "`ugs new bot` keep it with --session-file): give that file with --session-file"
)
"""Where the token of a bot's session is, for those who have none at hand."""
TokenFile = Annotated[
    Path | None,
    typer.Option(
        "--token-file",
        metavar="FILE",
        envvar="UGS_TOKEN_FILE",
        dir_okay=False,
        help=f"The token of the name, in a line of its own; or in the environment as {VARIABLE}.",
    ),
]


SessionFile = Annotated[
    Path | None,
    typer.Option(
        "--session-file",
        metavar="FILE",
        dir_okay=False,
        help="The token of its session is in this file, where the bots of `ugs new bot` keep it.",
    ),
]


class LoginOptions(OptionGroup):
    """How a command comes to a server: with which token, and over which line."""

    token_file: TokenFile = None
    tls: TlsOptions


def token_in(file: Path | None) -> str:
    """The token to be shown: that of ``file``, or else that of the environment; empty without either. Raises
    typer.BadParameter for a token that cannot be used."""
    if file is None:
        token = os.environ.get(VARIABLE, "").strip()
        if len(token) > MAX_TOKEN:
            raise typer.BadParameter(f"a token has at most {MAX_TOKEN} characters", param_hint=VARIABLE)
        return token
    try:
        token = read_token(file)
    except TokenError as error:
        raise typer.BadParameter(str(error), param_hint="--token-file") from None
    if others_may_read(file):
        typer.echo(f"{file}: others can read this token: chmod 600 {file}", err=True)
    return token


def session_token(given: str | None, file: Path | None) -> str | None:
    """The token of a bot's session that was given: as it is, or in a file; None without either. Raises
    typer.BadParameter."""
    if file is None:
        return given
    try:
        return read_token(file)
    except TokenError as error:
        raise typer.BadParameter(str(error), param_hint="--session-file") from None


def nick_token(file: Path | None, nick: str | None) -> str | None:
    """The token of a nick, if one was given: in ``file``, or in the environment where no ``nick`` says whose session it
    is about; behind ``nick`` with one, as what one has chosen oneself is found by it. Raises typer.BadParameter."""
    if file is None and nick is not None:
        return None
    token = token_in(file)
    return f"{nick}#{token}" if token and nick is not None else token or None


def token_kept(command: str, server: str, nick: str, state: Path | None) -> str:
    """The token that a bot of this nick keeps for its session at ``server``, in the file ``state`` or the usual one.
    Where there is none, ends the program with exit code 2, in the name of ``command``, and names where to find one."""
    where = ""
    try:
        path = state or default_path(server, nick)
        where = f"{safe(str(path))}: "
        token = kept_token(path, server, nick)
    except (OSError, RuntimeError) as error:
        reason = getattr(error, "strerror", None) or error
        why = f"no token of {safe(nick)} for {server}: {where}{reason}; {COMES_FROM}"
        raise failure(command, why, WRONG_USAGE) from None
    if not token:
        raise failure(command, f"{where}holds no token of {safe(nick)} for {server}; {COMES_FROM}", WRONG_USAGE)
    return token
