"""A table of acts; each act is recorded.

An act that cannot be done changes nothing, and its answer gives the reason. A new act is a member of
:class:`~ugs.broker.values.questions.ActKind`, a function in this folder, and its row in :data:`ACTS`. The function
records what it has done, since some acts are recorded once per game type, and some without the value to be forgotten.
"""

from collections.abc import Callable

from ugs.broker.acts import deciding, forgetting, holding, ordered_seats, removing
from ugs.broker.acts.answering import wrong_text
from ugs.broker.state.server_state import ServerState
from ugs.broker.values.questions import Act, ActKind
from ugs.broker.values.replies import Declined, Reply

SECRET = frozenset({ActKind.FORGET_ADDRESS})
"""Acts whose subject is stored nowhere, not even in the log."""


def carry_out(server: ServerState, act: Act) -> Reply:
    """Carry out an act. Returns the answer: what was done, or why it cannot be done."""
    # An act that is not on disk would be undone by the next start: a ban, a pause.
    if server.condition.journal_lost:
        return Declined(f"nothing can be written down at present: {server.condition.journal_lost}")
    # What holds again as usual needs no reason.
    wrong = "" if act.kind is ActKind.RESUME and not act.why else wrong_text("why", act.why)
    if wrong:
        return Declined(wrong)
    answer = ACTS[act.kind](server, act)
    if answer.ok:
        # Or the log would keep what the organiser has just had erased.
        subject = "" if act.kind in SECRET else act.subject
        server.note("act", kind=str(act.kind), subject=subject, game_type=act.game_type, who=act.who, why=act.why)
    return answer


ACTS: dict[ActKind, Callable[[ServerState, Act], Reply]] = {
    ActKind.PAUSE: holding.pause,
    ActKind.RESUME: holding.resume,
    ActKind.DRAIN: holding.drain,
    ActKind.BROADCAST: holding.broadcast,
    ActKind.PAIR: ordered_seats.pair,
    ActKind.VOID: deciding.void,
    ActKind.ADJUDICATE: deciding.adjudicate,
    ActKind.REMOVE: removing.remove,
    ActKind.REMOVE_ADDRESS: removing.remove_address,
    ActKind.BAN: removing.ban,
    ActKind.BAN_ADDRESS: removing.ban_address,
    ActKind.UNBAN: removing.unban,
    ActKind.UNBAN_ADDRESS: removing.unban_address,
    ActKind.ALLOW: removing.allow,
    ActKind.ALLOW_ADDRESS: removing.allow_address,
    ActKind.DISALLOW: removing.disallow,
    ActKind.DISALLOW_ADDRESS: removing.disallow_address,
    ActKind.FORGET: forgetting.forget,
    ActKind.FORGET_ADDRESS: forgetting.forget_address,
}
