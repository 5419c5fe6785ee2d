"""Orders of organisers for a championship. Each returns why it cannot be carried out, or None."""

from collections.abc import Callable
from typing import Final

from ugs.broker.championships import champions_list, corrections, entering, entrants, ledger_entries, playing
from ugs.broker.state.championship import Championship
from ugs.broker.state.model import GameType
from ugs.broker.state.server_state import ServerState
from ugs.broker.values.questions import Order, OrderKind
from ugs.game_ids import NoSuchGame, id_meant
from ugs.printable import MAX_LIKENED, meant, unknown

HOW_TO_CORRECT = (
    "; `ugs championship correct` puts a result right, and `ugs championship disqualify` takes an entrant's place away"
)
"""What an organiser can still do after the end."""
AFTER_THE_END: Final = (OrderKind.CORRECT, OrderKind.DISQUALIFY, OrderKind.ENTER)


def carry_out(server: ServerState, order: Order) -> tuple[str | None, GameType | None]:
    """Carry out an order. Returns why that is not possible, or None; and the game type whose games may begin now, if
    any."""
    championship = server.championships.get(order.championship)
    if championship is None:
        return unknown("championship", order.championship, server.championships), None
    # A result may turn out wrong after the end, or a player a cheat; all else would change what was played.
    if championship.ledger.over and order.kind not in AFTER_THE_END:
        return _is_over(championship), None
    wrong = ORDERS[order.kind](server, championship, order)
    if wrong is None:
        server.note(
            "ordered",
            order=str(order.kind),
            championship=championship.name,
            subject=order.subject,
            who=order.who,
            why=order.why,
        )
    return wrong, server.type_named(championship.plan.game_type)


def _is_over(championship: Championship) -> str:
    return f"championship {championship.name} is over; its results stand{HOW_TO_CORRECT}"


def _pause(_server: ServerState, championship: Championship, order: Order) -> str | None:
    if championship.paused:
        return f"championship {championship.name} is paused already"
    ledger_entries.pause(championship, order.who, order.why)
    return None


def _resume(_server: ServerState, championship: Championship, order: Order) -> str | None:
    if not championship.paused:
        return f"championship {championship.name} is not paused"
    ledger_entries.resume(championship, order.who, order.why)
    return None


def _withdraw(server: ServerState, championship: Championship, order: Order) -> str | None:
    if not championship.begun:
        return _not_begun(championship, "withdrawn")
    if not championship.plays(order.subject):
        return _no_entrant(championship, order.subject)
    game_type = server.type_named(championship.plan.game_type)
    entrants.withdraw(server, game_type, championship, order.subject, order.who, order.why)
    entrants.await_return(server, championship)
    return None


def _disqualify(server: ServerState, championship: Championship, order: Order) -> str | None:
    if not championship.begun:
        return _not_begun(championship, "disqualified")
    if order.subject not in championship.ledger.entrants:
        return _no_entrant(championship, order.subject)
    if order.subject in championship.ledger.disqualified:
        return f"{order.subject!r} is disqualified in championship {championship.name} already"
    game_type = server.type_named(championship.plan.game_type)
    entrants.disqualify(server, game_type, championship, order.subject, order.who, order.why)
    _end_again(championship, order)
    entrants.await_return(server, championship)
    return None


def _not_begun(championship: Championship, done: str) -> str:
    name = championship.name
    return f"championship {name} has not begun; no player can be {done}. To begin without one, edit its plan"


def _end_again(championship: Championship, order: Order) -> None:
    """The places were written at the end, and may have changed."""
    if championship.ledger.over and not championship.ledger.cancelled:
        ledger_entries.end_again(championship, order.who, order.why)


def _replay(server: ServerState, championship: Championship, order: Order) -> str | None:
    wrong = corrections.replay(championship, order.subject, order.who, order.why)
    return wrong and wrong + _elsewhere(server, championship, order.subject)


def _correct(server: ServerState, championship: Championship, order: Order) -> str | None:
    wrong = corrections.correct(championship, order.subject, order.results, order.who, order.why)
    if wrong is None:
        _end_again(championship, order)
    champions_list.changed(server, server.type_named(championship.plan.game_type))
    return wrong and wrong + _elsewhere(server, championship, order.subject)


def _adjudicate(server: ServerState, championship: Championship, order: Order) -> str | None:
    wrong = corrections.adjudicate(championship, order.subject, order.results, order.who, order.why)
    champions_list.changed(server, server.type_named(championship.plan.game_type))
    return wrong and wrong + _elsewhere(server, championship, order.subject)


def _elsewhere(server: ServerState, championship: Championship, game_id: str) -> str:
    """Return the end of a refusal where the id is that of a running game that is not one of this championship: which
    command is for it."""
    try:
        of = server.games[id_meant(game_id, server.games)].setting.championship
    except NoSuchGame:
        return ""
    if of is None:
        return "; a running game outside championships is for `ugs admin void` or `ugs admin adjudicate`"
    return "" if of is championship else f"; it is played in championship {of.name}"


def _enter(server: ServerState, championship: Championship, order: Order) -> str | None:
    if championship.ledger.over and order.subject not in championship.ledger.disqualified:
        return _is_over(championship)
    if not championship.begun:
        return f"championship {championship.name} has not begun; players who are there at its begin are in the field"
    is_new = order.subject not in championship.ledger.gone
    admit = entering.enter if is_new else entering.take_back
    wrong = admit(championship, order.subject, order.who, order.why)
    if wrong is None:
        entrants.await_entered(server, championship, order.subject)
    if wrong is None and not is_new:
        _end_again(championship, order)
        champions_list.changed(server, server.type_named(championship.plan.game_type))
    return wrong


def _bye(_server: ServerState, championship: Championship, order: Order) -> str | None:
    if not championship.plays(order.subject):
        return _no_entrant(championship, order.subject)
    return entering.sit_out(championship, order.subject, order.round, order.who, order.why)


def _no_entrant(championship: Championship, nick: str) -> str:
    hint = meant(nick, filter(championship.plays, championship.field[:MAX_LIKENED]))
    return f"{nick!r} is not an entrant of championship {championship.name}{hint}"


def _cancel(server: ServerState, championship: Championship, order: Order) -> str | None:
    ledger_entries.cancel(championship, order.who, order.why)
    playing.close(server, server.type_named(championship.plan.game_type), championship)
    return None


ORDERS: dict[OrderKind, Callable[[ServerState, Championship, Order], str | None]] = {
    OrderKind.PAUSE: _pause,
    OrderKind.RESUME: _resume,
    OrderKind.WITHDRAW: _withdraw,
    OrderKind.DISQUALIFY: _disqualify,
    OrderKind.REPLAY: _replay,
    OrderKind.CORRECT: _correct,
    OrderKind.ADJUDICATE: _adjudicate,
    OrderKind.ENTER: _enter,
    OrderKind.BYE: _bye,
    OrderKind.CANCEL: _cancel,
}
