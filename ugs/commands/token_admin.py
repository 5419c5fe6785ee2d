"""The commands ``ugs token …``: names that no other player may use.

A token is made here, by the user who runs the command, and shown once: the server gets only its hash. What is added or
revoked holds at once, also while a server runs.
"""

import os
import pwd
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from ugs.admin import NoAnswer, NoServer, ask
from ugs.broker.values.identity import MARK, Role
from ugs.broker.values.name_rules import unique_form, wrong_name
from ugs.commands.admin import WHO
from ugs.commands.failure import FAILED, WRONG_USAGE, failure
from ugs.commands.place_option import place_option
from ugs.commands.token import token
from ugs.journal.token_file import misplaced
from ugs.journal.tokens import IdentitiesError, NewRow, listed, unknown
from ugs.journal.tokens import add as add_rows
from ugs.places import Place
from ugs.printable import MAX_LIKENED, meant, safe
from ugs.text_files import TextFileError, read_text
from ugs.token_key import key_of
from ugs.tokens import MAX_TOKEN, digest_of, new_token

MIN_TOKEN = 8
"""Characters of a token that an organiser brings along."""
DataDir = Annotated[Any, place_option("Data directory of the server")]
OfMaster = Annotated[bool, typer.Option("--master", help="NAME is the id of a game master, not a nick.")]
Names = Annotated[list[str] | None, typer.Argument(metavar="[NAME]...", help="Nicks, or with --master ids of masters.")]

tokens = typer.Typer()
tokens.callback(invoke_without_command=True)(token)


@tokens.command()
def add(
    data_dir: DataDir,
    names: Names = None,
    entrants: Annotated[
        Path | None,
        typer.Option(
            "--from", metavar="FILE", help="Entrants: a NAME in a line, or NAME, a tab and the TOKEN it is to have."
        ),
    ] = None,
    master: OfMaster = False,
    game_type: Annotated[
        str, typer.Option("--type", help="With --master: the only game type that it may lead.  [default: all]")
    ] = "",
    replace: Annotated[
        bool, typer.Option("--replace", help="Also for names that have a token; the old one is revoked.")
    ] = False,
    why: Annotated[
        str, typer.Option("--why", help="With --replace: the reason; those who have to go are shown it.")
    ] = "",
) -> None:
    """Make a token for each name, and print it, once: NAME, a tab, TOKEN.

    Who is here under a name whose token is replaced has to go; an entrant of a championship may come back with the new
    one within return_s of its plan. Names of an entrants' file that have a token already are
    left as they are, without --replace.

    Examples:

        ugs token add ann ben --data-dir data

        ugs token add ann --replace --why "lost her laptop" --data-dir data

        ugs token add --from entrants.txt --data-dir data > tokens.txt

        ugs token add --master m1 --type 5-in-line-tic-tac-toe --data-dir data
    """
    role = _role(master)
    if game_type and not master:
        raise failure("ugs token add", "--type: only the token of a master is for one game type", WRONG_USAGE)
    if why and not replace:
        raise failure("ugs token add", "--why goes with --replace: a first token needs no reason", WRONG_USAGE)
    wanted = _wanted(names or [], entrants)
    try:
        without = set(unknown(data_dir, role, list(wanted)))
    except IdentitiesError as error:
        raise failure("ugs token add", error) from None
    free = set(wanted) if replace else without
    taken = [name for name in wanted if name not in free and name in (names or [])]
    if taken:
        raise failure("ugs token add", f"{', '.join(taken)}: has a token; --replace makes a new one", FAILED)
    made = {name: given or new_token() for name, given in wanted.items() if name in free}
    rows = []
    for name, secret in made.items():
        own = not wanted[name]
        # Of a token that a person has chosen no part may be public.
        digest, key = digest_of(secret, made_here=own), key_of(secret) if own else ""
        rows.append(NewRow(role, name, digest, game_type, key, "" if name in without else why))
    # Written first: a token that was shown has to be valid.
    _write(data_dir, rows, "add")
    for name, secret in made.items():
        typer.echo(f"{safe(name)}\t{safe(secret)}" if not wanted[name] else f"{safe(name)}\t(as in the file)")
    left = len(wanted) - len(made)
    if left:
        typer.echo(f"{left} have a token already", err=True)
    _advise(data_dir)


@tokens.command(name="list")
def list_tokens(data_dir: DataDir) -> None:
    """Whose names have tokens, who has made them and when. Works without a running server.

    Example:

        ugs token list --data-dir data
    """
    _check_there(data_dir, "list")
    try:
        found = listed(data_dir)
        for one in found:
            typer.echo(safe(one.line))
        if not found:
            typer.echo("no tokens")
    except IdentitiesError as error:
        raise failure("ugs token list", error) from None
    _advise(data_dir)


@tokens.command()
def revoke(
    data_dir: DataDir,
    names: Annotated[list[str], typer.Argument(metavar="NAME...", help="Nicks, or with --master ids of masters.")],
    why: Annotated[str, typer.Option("--why", help="The reason; those who have to go are shown it.")] = "",
    master: OfMaster = False,
) -> None:
    """Revoke tokens; a peer that is here by one of them has to go, and its session ends.

    Example:

        ugs token revoke ann --why "lost her laptop" --data-dir data
    """
    role = _role(master)
    _check_there(data_dir, "revoke")
    try:
        without = unknown(data_dir, role, names)
        with_token = [one.name for one in listed(data_dir) if one.role is role] if without else []
    except IdentitiesError as error:
        raise failure("ugs token revoke", error) from None
    if without:
        hint = meant(without[0], with_token[:MAX_LIKENED]) if len(without) == 1 else ""
        raise failure("ugs token revoke", f"{', '.join(without)}: no {role} of this name has a token{hint}", FAILED)
    _write(data_dir, [NewRow(role, name, why=why) for name in names], "revoke")
    for name in names:
        typer.echo(f"{safe(name)}: the token is revoked")
    _advise(data_dir)


# Steps.


def _check_there(data_dir: Place, command: str) -> None:
    """End the command where there is no such directory: it would read as one without tokens."""
    if isinstance(data_dir, Path) and not data_dir.is_dir():
        raise failure(f"ugs token {command}", f"{data_dir}: there is no such directory", FAILED)


def _advise(data_dir: Place) -> None:
    """Print what helps where the server cannot use the list that this user can."""
    if isinstance(data_dir, Path) and (remedy := misplaced(data_dir)):
        typer.echo(safe(remedy), err=True)


def _role(master: bool) -> Role:
    return Role.MASTER if master else Role.PLAYER


def _wanted(names: Sequence[str], entrants: Path | None) -> dict[str, str]:
    """The names, each with the token it will have, or the empty text; ends the command when one is wrong."""
    found = dict.fromkeys(names, "")
    if entrants is not None:
        try:
            lines = read_text(entrants).splitlines()
        except TextFileError as error:
            raise failure("ugs token add", f"--from {error}", WRONG_USAGE) from None
        for line in lines:
            name, _, given = line.partition("\t")
            if name.strip() and not name.startswith(MARK):
                found[name.strip()] = given.strip()
    if not found:
        raise failure("ugs token add", "no name is given: NAME, or --from FILE", WRONG_USAGE)
    forms: dict[str, str] = {}
    for name, given in found.items():
        wrong = wrong_name(name) or (f"holds {MARK}, which ends a name" if MARK in name else None)
        other = forms.setdefault(unique_form(name), name)
        if other != name:
            wrong = f"counts as the same name as {other!r}"
        if given and not MIN_TOKEN <= len(given) <= MAX_TOKEN:
            wrong = f"its token has {len(given)} characters; allowed are {MIN_TOKEN} to {MAX_TOKEN}"
        if wrong is not None:
            raise failure("ugs token add", f"{name!r} {wrong}", WRONG_USAGE)
    return found


def _write(data_dir: Place, rows: Sequence[NewRow], command: str) -> None:
    """Write the rows down, and let a server that runs read them."""
    try:
        add_rows(data_dir, rows, _user(), time.time_ns() // 1000)
    except IdentitiesError as error:
        raise failure(f"ugs token {command}", error) from None
    try:
        ask(data_dir, {"ask": "reread"})
    except NoServer:
        pass  # it reads them when it starts
    except NoAnswer as error:
        raise failure(f"ugs token {command}", f"the list is written, but {error}; SIGHUP or a restart helps") from None


def _user() -> str:
    """Who does it, as in acts of ``ugs admin``: the user of the system, behind the organiser's name if there is one."""
    try:
        user = pwd.getpwuid(os.getuid()).pw_name
    except KeyError:
        user = f"user {os.getuid()}"
    name = os.environ.get(WHO, "").strip()
    return f"{name} ({user})" if name not in ("", user) else user
