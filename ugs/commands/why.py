"""The command ``ugs why``: its options. What it does is in :mod:`ugs.commands.why_run`."""

from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from ugs.commands.failure import WRONG_USAGE, failure
from ugs.commands.option_groups import OptionGroup, with_groups
from ugs.commands.place_option import place_option
from ugs.commands.server_option import TlsOptions
from ugs.commands.token_option import VARIABLE, nick_token, session_token

FAR_AWAY = "From far away: about a bot of yours"


class PacketOptions(OptionGroup):
    """The file for the writer of a bot, if one is to be written."""

    packet: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE.zip",
            dir_okay=False,
            help="Write what the player at fault, or --nick, saw of the game into this file, with a script that plays "
            "its last position. With --data-dir; far away My games on the server's page has it.",
        ),
    ] = None
    whole: Annotated[
        bool, typer.Option("--whole", help="With --packet: all that is known of the game, hidden hands included.")
    ] = False


class FarOptions(OptionGroup):
    """Which remote server is asked, and with whose token."""

    connect: Annotated[
        str | None,
        typer.Option(metavar="HOST:PORT", help="Ask a remote server about your bot.", rich_help_panel=FAR_AWAY),
    ] = None
    nick: Annotated[
        str | None, typer.Option(help="The nick of the bot, whose token is read.", rich_help_panel=FAR_AWAY)
    ] = None
    token: Annotated[
        str | None,
        typer.Option(
            envvar="UGS_SESSION_TOKEN",
            help="The token of its session, or of its nick.  [default: what the bot has kept, on this machine]",
            rich_help_panel=FAR_AWAY,
        ),
    ] = None
    session_file: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            dir_okay=False,
            help="The token of its session is in this file, where the bots of `ugs new bot` keep it.",
            rich_help_panel=FAR_AWAY,
        ),
    ] = None
    token_file: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            envvar="UGS_TOKEN_FILE",
            dir_okay=False,
            help=f"The token of its nick is in this file, or in the environment as {VARIABLE}: all its games since the "
            "nick has it. One that you chose yourself needs --nick, too.",
            rich_help_panel=FAR_AWAY,
        ),
    ] = None
    state: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            dir_okay=False,
            help="Where the bot has kept it (`ugs bot --state`).",
            rich_help_panel=FAR_AWAY,
        ),
    ] = None


@with_groups
def why(
    *,
    data_dir: Annotated[Any, place_option("Data directory of the server")] = None,
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="[NAME]",
            help="A nick, a game master's id, a championship, or a game id's beginning. With --connect: a game of your "
            "bot; without it, what the bot waits for.",
            show_default=False,
        ),
    ] = None,
    server: Annotated[
        bool, typer.Option("--server", help="Instead of NAME: what the running server is doing.")
    ] = False,
    form: Annotated[
        Literal["text", "json"], typer.Option("--format", help="text: for people; json: everything, documents exact.")
    ] = "text",
    last: Annotated[int, typer.Option(min=0, help="How many exchanges, logins and games are shown.")] = 6,
    packet: PacketOptions,
    far: FarOptions,
    tls: TlsOptions,
) -> None:
    """Why does this player wait? Why did this game end so? What is the server doing?

    Asks the server that runs on the data directory, and its journal; without a server, the journal alone. Of a game:
    whose turn it is, or why it ended and whose fault that was, its last exchanges byte for byte, and where the time of
    its last move went. Of a player or a game master: what it waits for, when it was here, what it played. Of a
    championship: what it waits for. With
    --server, of the running server: who is here, who holds how much memory, beside each limit, and what holds it up.

    Examples:

        ugs why ann --data-dir data

        ugs why uQ3x --data-dir data --last 20

        ugs why --server --data-dir data --format json

        ugs why uQ3x --data-dir data --packet game.zip

        ugs why uQ3x7kQ2mXw9 --connect server.example:4747 --nick ann

        ugs why --connect server.example:4747 --nick ann

        ugs why uQ3x7kQ2mXw9 --connect server.example:4747 --token-file ann.token
    """
    from ugs.commands import why_run

    if far.connect is not None:
        if server or packet.packet is not None or form == "json":
            why = "--server, --packet and --format json are for --data-dir"
            more = "; My games on the page of the server has the packet, and ugs token prints a link to it"
            raise failure("ugs why", why + more * (packet.packet is not None), WRONG_USAGE)
        encrypted, token = tls.context(), session_token(far.token, far.session_file)
        if token is None:
            token = nick_token(far.token_file, far.nick)
        why_run.ask_far_away(far.connect, encrypted, name or "", far.nick, token, far.state, last)
        return
    if data_dir is None:
        raise failure("ugs why", "give --data-dir DIR, or --connect HOST:PORT with --nick", WRONG_USAGE)
    if far.state is not None or tls.tls:
        raise failure("ugs why", "--state and --tls go with --connect", WRONG_USAGE)
    if far.nick is not None and packet.packet is None:
        raise failure("ugs why", "--nick goes with --connect or --packet", WRONG_USAGE)
    if far.nick is not None and packet.whole:
        raise failure("ugs why", "--whole and --nick do not go together", WRONG_USAGE)
    if packet.whole and packet.packet is None:
        raise failure("ugs why", "--whole goes with --packet", WRONG_USAGE)
    if server == (name is not None):
        raise failure("ugs why", "give NAME or --server, one of them", WRONG_USAGE)
    if name is None:
        if packet.packet is not None:
            raise failure("ugs why", "--packet needs the id of a game", WRONG_USAGE)
        why_run.show_server(data_dir, form)
    elif packet.packet is not None:
        why_run.write_packet(name, data_dir, last, packet.packet, far.nick, whole=packet.whole)
    else:
        why_run.show_name(name, data_dir, last, form)
