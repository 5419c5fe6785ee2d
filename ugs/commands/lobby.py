"""The command ``ugs lobby``."""

import json
from secrets import token_hex
from typing import Annotated, Literal

import typer

from ugs.address import DEFAULT_ADDRESS
from ugs.commands.failure import failure
from ugs.commands.name_options import checked_nick
from ugs.commands.option_groups import with_groups
from ugs.commands.server_option import Connect, servers_at
from ugs.commands.token_option import LoginOptions, token_in
from ugs.terminal import output, safe


@with_groups
def lobby(
    *,
    what: Annotated[
        Literal["players", "types", "tables"],
        typer.Argument(
            metavar="WHAT",
            help="players: who is here; types: what is played, and how; tables: where you may sit down.",
        ),
    ] = "players",
    nick: Annotated[
        str | None,
        typer.Option(
            callback=checked_nick,
            help="Your nick; private tables that are open to it are listed too.  [default: one that is free]",
        ),
    ] = None,
    connect: Connect = DEFAULT_ADDRESS,
    game_type: Annotated[
        str | None,
        typer.Option("--type", metavar="TYPE", help="Only this game type; for tables, which one."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")] = False,
    login: LoginOptions,
) -> None:
    """Look who is on a server, what is played there, and which tables you may sit down at.

    It logs in under your nick for a moment, so it must not be in use. Without one it takes a name that is free; where
    names need tokens, it needs yours. You are left out of the players.

    Examples:

        ugs lobby

        ugs lobby types

        ugs lobby players --connect games.example.org:4747 --type settlers

        ugs lobby tables --nick bob --type 5-in-line-tic-tac-toe --json

        ugs lobby players --nick bob --connect games.example.org:4747 --tls --token-file bob.token
    """
    import trio

    # A shell that asks for the options does not wait for it.
    from ugs.lobby.client import NOWHERE, List, LoginRefused, NoLobby, ask
    from ugs.lobby.text import as_grid, as_values, without_visitor

    servers = servers_at(connect)
    encrypted, token = login.tls.context(), token_in(login.token_file)
    # By chance, since two visitors may come at the same time.
    named, wanted, nick = nick is not None, List(what), nick or f"visitor-{token_hex(4)}"
    if wanted is List.TABLES and game_type is None:
        raise typer.BadParameter(
            "give --type: tables belong to one game type; `ugs lobby types` lists all", param_hint="--type"
        )
    try:
        answer = trio.run(ask, servers, nick, NOWHERE if game_type is None else game_type, wanted, encrypted, token)
    except LoginRefused as error:
        own = "--token-file FILE" if named else "--nick NICK with --token-file FILE"
        hint = f"; give {own}" if not token and "token" in str(error) else ""
        raise failure("ugs lobby", safe(str(error)) + hint) from None
    except NoLobby as error:
        raise failure("ugs lobby", safe(str(error))) from None
    seen = without_visitor(answer, nick)
    if as_json:
        typer.echo(json.dumps(as_values(seen), indent=2))
        return
    output().print(as_grid(seen))
