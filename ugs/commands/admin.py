"""The commands ``ugs admin …``: what an organiser does to a running server, outside of any championship.

Each is an act: the server does it or returns why not, and its journal keeps who did it, when and why. The actor is the
user of the operating system, as the server sees it at its socket.
"""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from ugs.admin import TO_ALL, NoAnswer, NoServer, ask
from ugs.broker.values.questions import ActKind
from ugs.commands.failure import FAILED, WRONG_USAGE, failure
from ugs.commands.misplaced import ActsOfOrganisers
from ugs.commands.named_values import named_values
from ugs.commands.place_option import place_option
from ugs.durations import SPOKEN, WrongDuration, duration_text, read_duration
from ugs.journal.done import done_lines
from ugs.journal.journal_error import JournalError
from ugs.journal.tokens import IdentitiesError
from ugs.places import Place
from ugs.printable import safe
from ugs.text_files import TextFileError, read_text
from ugs.type_hint import hinted

TO_ALL_PEERS = f"--{TO_ALL}"

DataDir = Annotated[Any, place_option("Data directory of the running server")]
Journal = Annotated[str, typer.Option("--journal", metavar="URL", help="Database of the nodes.")]
Why = Annotated[str, typer.Option("--why", help="The reason; the journal keeps it.")]
Subject = Annotated[str, typer.Argument(metavar="NICK", help="A nick or a master's id; an address with --address.")]
ByAddress = Annotated[
    bool, typer.Option("--address", help="NICK is an address, or a range such as 203.0.113.0/24 or 2001:db8::/32.")
]
For = Annotated[str | None, typer.Option("--for", metavar="TIME", help=f"How long: {SPOKEN}.  [default: until lifted]")]
GameId = Annotated[str, typer.Argument(metavar="GAME", help="The id of a running game, or its beginning.")]
TypeName = Annotated[str, typer.Argument(metavar="GAME_TYPE", help="The game type.")]
TypeArgument = Annotated[str | None, typer.Argument(metavar="GAME_TYPE", help="The game type; also as --game-type.")]
TypeOption = Annotated[str | None, typer.Option("--game-type", help="The game type, in place of the argument.")]
HELP = "Step in on a running server: pause, stop, end games, remove, ban or forget a player."
WHO: Final = "UGS_WHO"
"""The environment variable with the organiser's name."""
WORDS = ("won", "lost", "drawn")

admin = typer.Typer(cls=ActsOfOrganisers, help=HELP, no_args_is_help=True)


@admin.callback()
def group() -> None:
    """Step in on a running server."""


@admin.command()
def pause(
    why: Why,
    data_dir: DataDir,
    game_type: TypeArgument = None,
    named: TypeOption = None,
    force: Annotated[bool, typer.Option("--force", help="Also a type without masters and players here.")] = False,
) -> None:
    """Begin no game of this type until it is resumed, also after a restart. Games that run go on.

    Example:

        ugs admin pause 5-in-line-tic-tac-toe --why "new rules at noon" --data-dir data
    """
    game_type = _type_of(game_type, named)
    answer = _act(data_dir, ActKind.PAUSE, why=why, game_type=game_type, force=force)
    running = int(answer["running"])
    _print(f"{game_type} is paused; {running} {'game of it still runs' if running == 1 else 'games of it still run'}")
    if "warning" in answer:
        typer.echo(safe(f"ugs admin: {answer['warning']}"), err=True)


@admin.command()
def resume(data_dir: DataDir, game_type: TypeArgument = None, named: TypeOption = None, why: Why = "") -> None:
    """Begin games of this type again.

    Example:

        ugs admin resume 5-in-line-tic-tac-toe --data-dir data
    """
    game_type = _type_of(game_type, named)
    _act(data_dir, ActKind.RESUME, why=why, game_type=game_type)
    _print(f"games of {game_type} begin again")


@admin.command()
def drain(
    why: Why,
    data_dir: DataDir,
    within: Annotated[
        str | None,
        typer.Option("--within", metavar="TIME", help=f"The time that games have: {SPOKEN}.  [default: drain_s]"),
    ] = None,
) -> None:
    """Stop the server when running games have ended; it lets no one in meanwhile. With 0s it stops at once.

    Example:

        ugs admin drain --within 10m --why "new version" --data-dir data
    """
    answer = _act(data_dir, ActKind.DRAIN, why=why, seconds=_seconds("--within", within, or_none=True))
    running = answer["running"]
    _print(f"the server stops; {running} {'game runs' if running == 1 else 'games run'}")


@admin.command()
def pair(
    seats: Annotated[list[str], typer.Argument(metavar="NICK...", help="The players, in the order of their seats.")],
    game_type: Annotated[str, typer.Option("--game-type", help="The game type they wait for.")],
    why: Why,
    data_dir: DataDir,
    fixture: Annotated[
        Path | None, typer.Option(exists=True, dir_okay=False, help="How the game begins: what `ugs master` takes.")
    ] = None,
    option: Annotated[
        list[str] | None, typer.Option("--option", metavar="K=V", help="An option of the game; as often as needed.")
    ] = None,
) -> None:
    """Begin a game of players who wait, in this order of seats; also while their game type is paused.

    Examples:

        ugs admin pair ann ben --game-type 5-in-line-tic-tac-toe --why "their match" --data-dir data

        ugs admin pair ann ben --game-type go --option size=13 --why "a longer one" --data-dir data
    """
    try:
        setup = read_text(fixture) if fixture is not None else ""
    except TextFileError as error:
        raise failure("ugs admin", f"--fixture {error}", WRONG_USAGE) from None
    options = named_values("ugs admin", "--option", option) or {}
    answer = _act(data_dir, ActKind.PAIR, why=why, game_type=game_type, seats=seats, setup=setup, options=options)
    _print(f"game {answer['game']} begins: {', '.join(seats)}")


@admin.command()
def void(game: GameId, why: Why, data_dir: DataDir) -> None:
    """End a running game without a loss for any player; its players are sent the reason. In a championship it is played
    again.

    Example:

        ugs admin void uQ3xW0dE9fT1aB5cK7mN2w --why "wrong opening" --data-dir data
    """
    answer = _act(data_dir, ActKind.VOID, game, why=why)
    _print(f"game {answer.get('game', game)} is void")


@admin.command()
def adjudicate(
    game: GameId,
    result: Annotated[
        list[str],
        typer.Option("--result", metavar="NICK=WORD", help="won, lost or drawn; without NICK=: for all others."),
    ],
    why: Why,
    data_dir: DataDir,
) -> None:
    """End a running game with the results you give; it counts.

    Example:

        ugs admin adjudicate uQ3xW0dE9fT1aB5cK7mN2w --result ann=won --result lost --why "hall closes" --data-dir data
    """
    answer = _act(data_dir, ActKind.ADJUDICATE, game, why=why, results=_results(result))
    answered = ", ".join(f"{nick} {word}" for nick, word in answer["results"].items())
    _print(f"game {answer.get('game', game)} is decided: {answered}")


@admin.command()
def remove(who: Subject, why: Why, data_dir: DataDir, address: ByAddress = False) -> None:
    """Close the connections of a nick, or of all from an address; they are sent the reason. Sessions end, and games
    count.

    Example:

        ugs admin remove ann --why "plays for two" --data-dir data
    """
    kind = ActKind.REMOVE_ADDRESS if address else ActKind.REMOVE
    answer = _act(data_dir, kind, who, why=why)
    _print(f"{who}: {answer['removed']} removed")


@admin.command()
def ban(
    who: Subject,
    why: Why,
    data_dir: DataDir,
    address: ByAddress = False,
    duration: For = None,
) -> None:
    """Remove a nick, or all from an address, and let no one in under that name or from there.

    Example:

        ugs admin ban 203.0.113.0/24 --address --for 2d --why "flood of logins" --data-dir data
    """
    kind = ActKind.BAN_ADDRESS if address else ActKind.BAN
    answer = _act(data_dir, kind, who, why=why, seconds=_seconds("--for", duration))
    _print(f"{who} is banned{f' for {duration}' if duration else ''}; {answer['removed']} removed")


@admin.command()
def unban(who: Subject, why: Why, data_dir: DataDir, address: ByAddress = False) -> None:
    """Lift a ban.

    Example:

        ugs admin unban ann --why "has apologised" --data-dir data
    """
    _act(data_dir, ActKind.UNBAN_ADDRESS if address else ActKind.UNBAN, who, why=why)
    _print(f"{who} may come in again")


@admin.command()
def allow(
    who: Subject,
    why: Why,
    data_dir: DataDir,
    address: ByAddress = False,
    duration: For = None,
) -> None:
    """Let only those in who are allowed: the first one shuts all others out, and removes who is here.

    Names and addresses are checked separately: where both are allowed, both have to be right. The ids of game masters
    are names, too. Banned names and addresses stay out.

    Example:

        ugs admin allow 203.0.113.0/24 --address --for 2h --why "exam in room 5" --data-dir data
    """
    kind = ActKind.ALLOW_ADDRESS if address else ActKind.ALLOW
    answer = _act(data_dir, kind, who, why=why, seconds=_seconds("--for", duration))
    _print(f"{who} is allowed{f' for {duration}' if duration else ''}; {answer['removed']} others removed")


@admin.command()
def disallow(who: Subject, why: Why, data_dir: DataDir, address: ByAddress = False) -> None:
    """Take a nick or an address from those that are allowed. After the last one all may come in again.

    Example:

        ugs admin disallow 203.0.113.0/24 --address --why "the exam is over" --data-dir data
    """
    _act(data_dir, ActKind.DISALLOW_ADDRESS if address else ActKind.DISALLOW, who, why=why)
    _print(f"{who} is no longer one of those that are allowed")


@admin.command()
def reread(data_dir: DataDir) -> None:
    """Let the server read again who may come in (access_file), and its list of tokens.

    Example:

        ugs admin reread --data-dir data
    """
    _ask(data_dir, {"ask": "reread"})
    _print("read again")


@admin.command()
def move(
    game_type: TypeName,
    node: Annotated[str, typer.Argument(metavar="NODE", help="The name of a node.")],
    journal: Journal,
) -> None:
    """Give a game type its home at another node. Idle peers are sent there; running games end where they are.

    Works while nodes are down: what is moved away from a dead node is begun at the other one.

    Example:

        ugs admin move chess b --journal postgresql://db.example/ugs
    """
    from ugs.commands.admin_nodes import move as moved  # only a cluster needs a database driver

    _print(moved(game_type, node, journal))


@admin.command()
def nodes(journal: Journal) -> None:
    """Which nodes there are, which game types are at home there, and how much they have to do.

    Example:

        ugs admin nodes --journal postgresql://db.example/ugs
    """
    from ugs.commands.admin_nodes import lines

    for line in lines(journal):
        _print(line)


@admin.command()
def bans(data_dir: DataDir) -> None:
    """Who may not come in, who alone may, and which game types are paused.

    Example:

        ugs admin bans --data-dir data
    """
    answered = _ask(data_dir, {"ask": "server"})
    if not (answered["paused"] or answered["bans"] or answered["allowed"]):
        typer.echo("there are no bans, all peers may come in, and no game type is paused", err=True)
    for one in answered["paused"]:
        _print(f"paused {one['game_type']}: {one['why']}")
    for one in answered["bans"]:
        left = "until lifted" if one["left_s"] is None else f"for another {duration_text(one['left_s'], up=True)}"
        _print(f"banned {one['subject']} {left}: {one['why']}")
    if answered["more_bans"]:
        _print(f"and {answered['more_bans']} more")
    for one in answered["allowed"]:
        left = "until lifted" if one["left_s"] is None else f"for another {duration_text(one['left_s'], up=True)}"
        _print(f"allowed {one['subject']} {left}: {one['why']}")
    if answered["more_allowed"]:
        _print(f"and {answered['more_allowed']} more are allowed")


@admin.command()
def acts(data_dir: DataDir) -> None:
    """What organisers have done, orders to championships and changes of tokens included: when, who and why. Works
    without a running server.

    Example:

        ugs admin acts --data-dir data
    """
    try:
        done = done_lines(data_dir)
    except (JournalError, IdentitiesError) as error:
        raise failure("ugs admin", str(error), WRONG_USAGE) from None
    for line in done:
        _print(line)
    if not done:
        typer.echo("no organiser has done anything yet", err=True)


@admin.command()
def broadcast(
    text: Annotated[str, typer.Argument(metavar="TEXT", help="The text.")],
    why: Why,
    data_dir: DataDir,
    to_all: Annotated[
        bool, typer.Option(TO_ALL_PEERS, help="Also to peers without chat, as an error message of the protocol.")
    ] = False,
) -> None:
    """Send a text to all logged-in peers that can chat, or to all peers.

    Example:

        ugs admin broadcast "The next round begins at 3" --why "schedule" --data-dir data
    """
    answer = _act(data_dir, ActKind.BROADCAST, text, why=why, **{TO_ALL: to_all})
    left = f"; {answer['not_told']} cannot chat ({TO_ALL_PEERS} reaches them)" if answer["not_told"] else ""
    _print(f"sent to {answer['told']}{left}")


@admin.command()
def forget(
    nick: Annotated[
        str, typer.Argument(metavar="NICK", help="The nick, exactly as it stands in the standings; or an address.")
    ],
    why: Why,
    data_dir: DataDir,
    game_type: Annotated[str, typer.Option("--type", help="Only for this game type.  [default: all]")] = "",
    address: ByAddress = False,
) -> None:
    """Take the row of a nick out of the standings of open play, for good.

    What the nick has played stays in the journal, and counts for its opponents as before. A player who comes back with
    this nick begins with 0 and 0. A nick that is here, sits in a running game, or is in a championship that is not over
    cannot be forgotten.

    With --address: erase an address, or a range, from the logins of the journal that are over. The log keeps what it
    has.

    Example:

        ugs admin forget "&&&" --why "it will never play again" --data-dir data
    """
    if address:
        _act(data_dir, ActKind.FORGET_ADDRESS, nick, why=why)
        _print(f"{nick} is erased from logins that are over")
        return
    answer = _act(data_dir, ActKind.FORGET, nick, why=why, game_type=game_type)
    _print(f"{nick} is forgotten in the standings of {', '.join(answer['game_types'])}")


# Asking the server.


def _type_of(argument: str | None, option: str | None) -> str:
    """The game type that a command line names, as its argument or with ``--game-type``."""
    if (argument is None) == (option is None):
        both = "is there twice" if argument is not None else "is missing"
        raise failure("ugs admin", f"GAME_TYPE {both}: name it as the argument or with --game-type", WRONG_USAGE)
    return argument or option or ""


def _act(data_dir: Place, kind: ActKind, subject: str = "", *, why: str, **more: object) -> dict[str, Any]:
    """Let the server do it, and return its answer; ends the command when it does not."""
    if not why.strip() and kind is not ActKind.RESUME:
        raise failure("ugs admin", "give --why TEXT: the journal keeps a reason with the act", WRONG_USAGE)
    who = os.environ.get(WHO, "").strip()
    return _ask(data_dir, {"ask": "act", "kind": kind, "subject": subject, "why": why, "who": who, **more})


def _ask(data_dir: Place, request: Mapping[str, object]) -> dict[str, Any]:
    try:
        answer = ask(data_dir, request)
    except (NoServer, NoAnswer) as error:
        raise failure("ugs admin", f"{error}; an act needs a running server") from None
    if not answer["ok"]:
        raise failure("ugs admin", hinted(str(answer["error"]), str(request.get("game_type", ""))), FAILED)
    return answer


def _seconds(option: str, text: str | None, *, or_none: bool = False) -> float | None:
    """``or_none``: whether it may be no time at all."""
    try:
        seconds = None if text is None else read_duration(text)
    except WrongDuration as error:
        raise failure("ugs admin", f"{option}: {error}", WRONG_USAGE) from None
    if seconds == 0 and not or_none:
        raise failure("ugs admin", f"{option}: {text!r} is no time at all; allowed: {SPOKEN}", WRONG_USAGE)
    return seconds


def _results(results: list[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for text in results:
        # A nick may hold a = itself.
        nick, _, word = text.rpartition("=")
        if word not in WORDS or nick in found:
            allowed = "NICK=won, NICK=lost, NICK=drawn, or a word without NICK= for all others, each nick once"
            raise failure("ugs admin", f"--result {text!r}: allowed: {allowed}", WRONG_USAGE)
        found[nick] = word
    return found


def _print(text: str) -> None:
    typer.echo(safe(text))
