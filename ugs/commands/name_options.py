"""Names under which programs log in: what no server allows is refused before anything connects."""

import typer

from ugs.broker.values.name_rules import wrong_name, wrong_nick


def checked_nick(nick: str | None) -> str | None:
    """The nick, if a player may have it; None stays None. Raises typer.BadParameter."""
    wrong = wrong_nick(nick) if nick is not None else None
    if wrong is not None:
        raise typer.BadParameter(f"{nick!r} {wrong}")
    return nick


def checked_id(id: str | None) -> str | None:
    """The same for the name of a game master."""
    wrong = wrong_name(id) if id is not None else None
    if wrong is not None:
        raise typer.BadParameter(f"{id!r} {wrong}")
    return id
