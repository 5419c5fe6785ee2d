"""Answers to organisers, and words for them."""

from collections.abc import Iterable
from itertools import islice

from ugs.broker.state.server_state import ServerState
from ugs.broker.values.questions import Act
from ugs.printable import MAX_LIKENED, meant

MAX_NAMED = 10
"""A refusal names at most this many games, game types or nicks."""
MAX_CHARACTERS = 2000
"""Characters of a reason, or of a text for all peers."""


def named(names: Iterable[str]) -> str:
    """Return some names, for the end of a sentence."""
    return ", ".join(map(repr, islice(names, MAX_NAMED))) or "none"


def unknown_type(server: ServerState, act: Act) -> str:
    """Return why an act can do nothing for its game type."""
    hint = meant(act.game_type, islice(server.types, MAX_LIKENED))
    there = ", ".join(islice(server.types, MAX_NAMED)) or "none"
    return f"no game type {act.game_type!r} is known{hint}; there are: {there}"


def wrong_text(what: str, text: str) -> str:
    """Return what is wrong with a text that others will read; empty if nothing is."""
    if not 1 <= len(text.strip()) <= MAX_CHARACTERS:
        return f"{what}: has {len(text)} characters; allowed are 1 to {MAX_CHARACTERS}, and not only white space"
    if not text.replace("\n", " ").isprintable():
        return f"{what}: holds invisible characters"
    return ""
