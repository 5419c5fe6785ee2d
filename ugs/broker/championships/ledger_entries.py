"""New entries of the ledger of a championship: each is written, then applied (``progress.py``)."""

from collections.abc import Mapping
from typing import Any

from ugs.broker.championships import progress
from ugs.broker.state.championship import Championship
from ugs.championship.due_draws import Request, described
from ugs.championship.ledger import LedgerEntry, What
from ugs.championship.plan import Plan


def write(championship: Championship, what: What, data: Mapping[str, Any], who: str = "", why: str = "") -> None:
    """Write an entry and apply it. Its ``closing`` lists the games whose results are in the ledger but do not count
    yet, since the schedule depends on the order of counting."""
    # One from the settings leaves no trace until something happens in it.
    if not championship.announced and what is not What.PLANNED:
        announce(championship)
    if championship.fixtures.closing:
        data = {**data, "closing": sorted(championship.fixtures.closing)}
    entry = LedgerEntry(what, data, who, why)
    # Written before it is applied: after a restart the ledger is all there is.
    championship.write(championship, entry)
    progress.apply(championship, entry)


def write_on_schedule(championship: Championship, what: What, data: Mapping[str, Any], who: str, why: str) -> None:
    """Write and apply an entry that games being drawn may depend on."""
    undrawn = championship.wanted
    if undrawn is not None:
        announce_draw(championship, undrawn)
    write(championship, what, data, who, why)
    if undrawn is not None and championship.wanted is None:  # few enough are left to draw at once
        write(championship, What.DRAWN, {})


def announce_draw(championship: Championship, wanted: Request) -> None:
    """Write into the ledger what is being drawn, unless it is there."""
    what = described(wanted)
    if what != championship.ledger.drawing:
        write(championship, What.DRAWING, {"what": what})


def announce(championship: Championship, who: str = "") -> None:
    """Write the plan into the ledger; ``who`` announces it (empty: the settings do)."""
    write(championship, What.PLANNED, {"plan": championship.plan.plain()}, who)


def pause(championship: Championship, who: str, why: str) -> None:
    """Begin no new game until :func:`resume`; ``who`` and ``why`` go into the ledger."""
    write(championship, What.PAUSED, {}, who, why)


def resume(championship: Championship, who: str, why: str) -> None:
    """Let games begin again; ``who`` and ``why`` go into the ledger."""
    write(championship, What.RESUMED, {}, who, why)


def edit(championship: Championship, plan: Plan, who: str, why: str) -> None:
    """Replace the plan; ``who`` changed it and ``why`` go into the ledger."""
    write(championship, What.EDITED, {"plan": plan.plain()}, who, why)


def cancel(championship: Championship, who: str, why: str) -> None:
    """Play nothing more. Running games do not count, unless their result is on the way to the disk."""
    # No entrant is waited for any more, nor withdrawn later for not coming.
    championship.away.clear()
    write(championship, What.CANCELLED, {}, who, why)


def end(championship: Championship) -> None:
    """Close the ledger with the places."""
    write(championship, What.OVER, {"placing": list(championship.placing or ())})


def end_again(championship: Championship, who: str, why: str) -> None:
    """Write the places after a correction or a disqualification by ``who``; nothing if points decide them."""
    if championship.placing is not None:  # with all disqualified there is none, and the one before would stand
        write(championship, What.OVER, {"placing": list(championship.placing), "corrected": True}, who, why)
