"""From the forms of the administration to requests as the socket for people at this machine takes them."""

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

from ugs.admin import TO_ALL
from ugs.broker.values.questions import ActKind, OrderKind
from ugs.durations import WrongDuration, read_duration
from ugs.toml_files import parse_toml

Fields: TypeAlias = Mapping[str, str]
Request: TypeAlias = dict[str, Any]


class WrongForm(ValueError):
    """A form that makes no sense; the text is for people."""


def request_of(fields: Fields, who: str) -> Request:
    """What a form asks for, in the name of ``who``. Raises WrongForm."""
    make = FORMS.get(fields.get("ask", ""))
    if make is None:
        raise WrongForm(f"ask: expected one of {', '.join(FORMS)}")
    return {**make(fields), "who": who}


def _act(fields: Fields) -> Request:
    kind = fields.get("kind", "")
    # A nick may look like a range of addresses: the form shows which is meant.
    if fields.get("by") == "address":
        kind += " address"
    if kind not in list(ActKind):
        raise WrongForm(f"kind: {kind!r} is none of {', '.join(ActKind)}")
    return {
        "ask": "act",
        "kind": kind,
        "subject": fields.get("subject", "").strip(),
        "game_type": fields.get("game_type", ""),
        "why": fields.get("why", "").strip(),
        "seconds": _seconds(fields.get("for", "")),
        "results": results_of(fields.get("results", "")),
        TO_ALL: fields.get(TO_ALL) == "yes",
        # A pause of an unknown type may be a typo: it is refused unless the form insists.
        "force": kind != ActKind.PAUSE or fields.get("force") == "yes",
    }


def _order(fields: Fields) -> Request:
    kind = fields.get("kind", "")
    if kind not in list(OrderKind):
        raise WrongForm(f"kind: {kind!r} is none of {', '.join(OrderKind)}")
    request = {
        "ask": "order",
        "kind": kind,
        "championship": fields.get("championship", ""),
        "subject": fields.get("subject", "").strip(),
        "why": fields.get("why", "").strip(),
    }
    results = results_of(fields.get("results", ""))
    # Left out where there are none, so that a correction without results is refused.
    return {**request, "results": results} if results else request


def _plan(fields: Fields) -> Request:
    try:
        plan = parse_toml(fields.get("plan", ""))
    except ValueError as error:
        raise WrongForm(f"plan: {error}") from None
    return {"ask": fields["ask"], "plan": plan, "why": fields.get("why", "").strip()}


FORMS: Final[Mapping[str, Callable[[Fields], Request]]] = {
    "act": _act,
    "order": _order,
    "plan": _plan,
    "edit": _plan,
}


def results_of(text: str) -> dict[str, str]:
    """Results as people write them, one in a line: ``ann=won``, or a word alone for all others. Raises WrongForm."""
    found: dict[str, str] = {}
    for line in filter(None, map(str.strip, text.splitlines())):
        # From the right: a nick may hold the sign, a result does not.
        nick, _, word = line.rpartition("=")
        if nick in found:
            raise WrongForm(f"results: {nick or 'all others'}: named twice")
        found[nick] = word
    return found


def _seconds(text: str) -> float | None:
    try:
        return read_duration(text) if text.strip() else None
    except WrongDuration as error:
        raise WrongForm(f"for: {error}") from None
