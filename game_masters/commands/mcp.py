"""The command ``ugs mcp``."""

import trio
import typer

from game_masters.commands.options import Connect
from ugs.address import DEFAULT_ADDRESS
from ugs.commands.option_groups import with_groups
from ugs.commands.server_option import server_at
from ugs.commands.token_option import LoginOptions, token_in
from ugs.distributions import missing


@with_groups
def mcp(*, connect: Connect = DEFAULT_ADDRESS, login: LoginOptions) -> None:
    """Let an agent play: serve the Model Context Protocol on standard input and output.

    It plays at the server at --connect. Tools: list_games, rules, join, wait_turn, act, table, why, leave.
    """
    lacking = missing("mcp")
    if lacking:
        typer.echo(f"ugs mcp {lacking}", err=True)
        raise typer.Exit(2)
    from game_masters.agents.stdio import serve

    host, port = server_at(connect)
    context, token = login.tls.context(), token_in(login.token_file)

    async def run() -> None:
        await serve(host, port, token=token, tls=context)

    trio.run(run)
