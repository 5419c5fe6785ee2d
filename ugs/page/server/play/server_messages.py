"""What the server sends to a person, and what follows from it."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

from ugs.broker.verdict import Cause, Outcome
from ugs.broker.verdict_sentences import ORDERLY, in_short
from ugs.page.server.play.person_state import (
    BYE,
    CANCEL,
    CROSS,
    LEAVE,
    LOOK,
    NOTE,
    QUIET,
    SAME,
    STILL,
    DrawPosition,
    GamePlayed,
    Leave,
    PersonPhase,
    PersonSeat,
    Step,
)
from ugs.pictures.contract import Scene, Shown
from ugs.pictures.contract import Seat as SceneSeat
from ugs.pictures.winners import winners_of
from ugs.wire import extensions as x
from ugs.wire.messages import (
    Error,
    GameState,
    LeaveGame,
    LoginError,
    LoginResponse,
    Message,
    PlayerLogin,
    Result,
    ServerShutdown,
    ThankYou,
)

MAX_TABLES: Final = 50
"""Tables that are shown."""
REFUSED: Final[Mapping[LoginError, str]] = {
    LoginError.WRONG_NICK: "this name is taken, or is not one",
    LoginError.IMPROPER_GAME_TYPE: "this game is not played here",
    LoginError.PLAYERS_POOL_OVERFLOW: "there is no room, or a championship of this game has begun",
}
NOTHING: Final = b"<gameState/>"
"""The payload of an end that the server has sent in place of the master: the last position stays."""
REPEATED: Final = "you are asked again in the same position: your last move may not have been taken"
GIVEN_UP: Final = "given up"
"""The outcome of who has left: a verdict of the whole game may come much later."""
GONE: Final = frozenset({Cause.LEFT, Cause.LOGOUT, Cause.DISCONNECTED, Cause.TIMEOUT})
"""Causes to which the master's own words add nothing."""
BY_PROGRAM: Final = "; come back by x-resume, or wait"
"""How a program comes back whose seat is kept."""
BY_PAGE: Final = "; if that is you: the page that you played on comes back by itself while it is open, else wait"
"""What a person does in its place: a page keeps its session."""
IN_A_ROW: Final = "; that is the "
"""What follows the loss of a game where it is one of several by faults: the player rests."""
PLAYED: Final = frozenset({x.SeatState.PLAYING, x.SeatState.FINISHED, x.SeatState.QUIT})
"""States of seats that only a game has."""
SITS_NOWHERE: Final = frozenset({PersonPhase.LOBBY, PersonPhase.WAITING, PersonPhase.OVER})
"""Phases of a person who sits at no table, as far as the page knows."""


def steps_of(seat: PersonSeat, message: Message) -> list[Step]:
    """Handle a message from the server; returns the steps to take, in order."""
    answer = STEPS.get(type(message))
    return [] if answer is None else answer(seat, message)


def _login_answered(seat: PersonSeat, message: LoginResponse) -> list[Step]:
    if message.error is not None:
        seat.goes(f"You could not come in: {seat.refusal or REFUSED.get(message.error, 'the server refuses it')}.")
        return [x.Ping(BYE)]  # the server may send more: go when that has come
    # Who comes back to the end of a game looks at it until it has seen enough, or the next one begins.
    seat.phase = PersonPhase.LOBBY if seat.game is None or not seat.game.over else PersonPhase.OVER
    waits: list[Step] = [x.Wait(QUIET, once=True)] if seat.waited else []
    if seat.waited:
        seat.phase, seat.waited = PersonPhase.WAITING, False
    return [*LOOK, *waits]


def _session(seat: PersonSeat, message: x.Session) -> list[Step]:
    seat.token, seat.nick = message.token, message.nick
    # Without a turn no state follows: the next one is of a new game.
    seat.answered = message.resumed and message.turn is False
    return []


def _failed(seat: PersonSeat, message: x.Failed) -> list[Step]:
    if message.ref == BYE:
        return [Leave()]
    if message.ref == STILL:
        seat.resent = False
        if message.code is x.RefusalReason.NOT_PLAYING:
            seat.over()
        return []
    if message.ref in (QUIET, CROSS):
        return []
    if message.ref == "host":
        seat.set_up = None
    if message.ref == LEAVE and message.code is x.RefusalReason.ADVERTISER_MAY_NOT_QUIT:
        return [x.Cancel(CANCEL)]
    if message.ref == "resume":
        seat.token = ""
        seat.goes("you were away for too long, so your session is over; come in again")
        return [Leave()]
    if seat.phase is PersonPhase.COMING:  # why the login is refused, which is answered next
        seat.refusal = _for_people(message.text)
        return []
    if message.ref == NOTE:
        seat.note(f"your note is not taken: {message.text.removeprefix(f'{x.Remark.TYPE}: ')}")
        return []
    kind, _, text = message.text.partition(": ")
    # The name of a request is for programs.
    seat.note(text if kind.startswith("x-") and " " not in kind else message.text)
    return []


def _for_people(refusal: str) -> str:
    """Why a login is refused, without the names of messages and fields: ``playerLogin: nick is in use``."""
    why = refusal.removeprefix(f"{PlayerLogin.TYPE}: ")
    if why == "nick is in use":
        return "this name is taken, choose another one"
    why = why.replace(BY_PROGRAM, BY_PAGE)
    return f"the name {why.removeprefix('nick ')}" if why.startswith("nick ") else why


def _ok(seat: PersonSeat, message: x.Ok) -> list[Step]:
    if message.ref == "wait" and seat.phase is PersonPhase.LOBBY:
        seat.phase, seat.account = PersonPhase.WAITING, ""
        return [x.Why()]
    if message.ref in ("quit", CROSS) and seat.phase in (PersonPhase.WAITING, PersonPhase.TABLE):
        seat.phase, seat.table, seat.account, seat.set_up = PersonPhase.LOBBY, {}, "", None
        return list(LOOK) if message.ref == "quit" else []
    if message.ref == NOTE:
        seat.note("your note is in the record; opponents do not see it")
    if message.ref not in (LEAVE, CANCEL):
        return []
    if seat.game is not None:
        seat.game.own_end = {"outcome": GIVEN_UP}
    if message.ref == CANCEL:
        return seat.still()  # a game whose result is on its way ends by that
    seat.over()
    return []


def _sits(seat: PersonSeat, message: x.Advertised | x.Joined) -> list[Step]:
    table = message.table
    seat.phase, seat.account = PersonPhase.TABLE, ""
    seat.table = {**_table(table), "owner": table.owner, "nicks": [seat.nick]}
    return [x.Why(ref=QUIET), x.ListGameTypes(QUIET)]


def _tables(seat: PersonSeat, message: x.Tables) -> list[Step]:
    seat.here["tables"] = [_table(table) for table in message.tables[:MAX_TABLES]]
    own = next((one for one in message.tables if one.id == seat.table.get("id")), None)
    if own is not None and seat.table.get("guessed"):
        seat.table = {**_table(own), "owner": own.owner, "nicks": seat.table["nicks"]}
    if message.ref != SAME or seat.wanted is None:
        return []
    wanted, seat.wanted = seat.wanted, None
    there = [one for one in message.tables if one.owner in wanted.invited and _is_like(one, wanted)]
    if there:
        return [x.Join(min(there, key=lambda one: one.owner).id, "join")]
    seat.set_up = wanted
    return [x.Advertise(wanted, "host")]


def _is_like(table: x.TableInfo, wanted: x.NewTable) -> bool:
    """Whether the same game begins there."""
    shapes = [(one.seats, one.computers, frozenset(one.options)) for one in (table, wanted)]
    return shapes[0] == shapes[1]


def _invited(seat: PersonSeat, message: x.Invitation) -> list[Step]:
    # Of others it is told of when it looks: whoever likes could write on its page.
    table = message.table
    if table.owner not in seat.opponents:
        return []
    if seat.set_up is not None and _is_like(table, seat.set_up):
        # Both have set it up at the same moment: they meet at the table of the one whose nick comes first.
        # Once for each at most: one could have it set up tables, and invite the others, without end.
        if seat.nick < table.owner or seat.crossed == len(seat.opponents):
            return []
        seat.wanted, seat.set_up, seat.crossed = seat.set_up, None, seat.crossed + 1
        return [x.Cancel(CROSS), x.ListTables(SAME)]
    if seat.phase in (PersonPhase.OVER, PersonPhase.LOBBY):
        note = f"{table.owner} has set up the same game again, and you are invited"
        if note not in seat.notes:
            seat.note(note)
        # No request: the one who invites would use up the lists that it may have.
        others = [one for one in seat.here["tables"] if one["owner"] != table.owner]
        seat.here["tables"] = [*others[: MAX_TABLES - 1], _table(table)]
    return []


def _offered(seat: PersonSeat, message: x.GameTypes) -> list[Step]:
    own = next((one for one in message.games if one.game_type == seat.game_type), None)
    seat.here["offered"] = {} if own is None else _offer(own, declined=seat.declined)
    return []


def _seats(seat: PersonSeat, message: x.Seats) -> list[Step]:
    if all(one.state not in PLAYED for one in message.seats):
        if seat.table.get("id") == message.game_id:
            seat.table = {**seat.table, "nicks": [one.nick for one in message.seats]}
            # A master that plays seats may have come or gone meanwhile.
            return [x.Why(ref=QUIET), x.ListGameTypes(QUIET)]
        return _sits_still(seat, message)
    game = seat.in_game(message.game_id)
    if game is None:
        return []
    game.seats = message.seats
    unseen, game.unseen = game.unseen, None
    return [] if unseen is None else _show(seat, game, unseen)


def _sits_still(seat: PersonSeat, message: x.Seats) -> list[Step]:
    """It has come back to its table, unknown to the page until now; the list of tables has the rest."""
    if seat.phase not in SITS_NOWHERE or (seat.game is not None and seat.game.id == message.game_id):
        return []
    nicks = [one.nick for one in message.seats]
    # A full table is in no list. Its owner has sat down first; of a large one only the last to sit down are named.
    owner = nicks[0] if nicks and not message.total else ""
    name = f"table of {owner}"[:40] if owner else "your table"
    full = x.TableInfo(message.game_id, name, seat.game_type, owner, len(nicks), 0, 0, x.Visibility.PRIVATE)
    seat.phase, seat.account = PersonPhase.TABLE, ""
    seat.table = {**_table(full), "owner": owner, "nicks": nicks, "guessed": True}
    return [x.Why(ref=QUIET), *LOOK]


def _sketch(seat: PersonSeat, message: x.Sketch) -> list[Step]:
    game = seat.in_game(message.game_id)
    if game is not None:
        game.sketch = message.sketch
    return []


def _state(seat: PersonSeat, message: GameState) -> list[Step]:
    game = seat.in_game(message.game_id)
    if game is None:
        return _thanks(seat.game) if message.game_over is not None else []
    if not game.seats:
        game.unseen = message
        return []
    return _show(seat, game, message)


def _show(seat: PersonSeat, game: GamePlayed, message: GameState) -> list[Step]:
    game.number += 1
    repeats = bool(game.own_move) and message.payload == game.payload
    is_again = seat.answered or (repeats and (seat.resent or message.next_player != seat.nick))
    if repeats and not is_again:  # a master of v4 has no other way to refuse a move
        seat.note(REPEATED)
    seat.answered, seat.resent, seat.warned = False, False, ""
    game.hand, game.next, game.payload = None, message.next_player or "", message.payload
    if is_again and game.next == seat.nick:
        game.next = ""
    own_move = game.own_move
    if not is_again:
        game.own_move = b""
    scene = Scene(tuple(SceneSeat(one.nick, one.label) for one in game.seats), _seat_of(game, seat.nick))
    movers = tuple(place for place, one in enumerate(game.seats) if one.nick == game.next)
    shown = Shown(message.payload, movers, _winners(game, message), own_move, game.sketch)
    drawn, game.sketch = DrawPosition(game.id, seat.game_type, scene, shown), b""
    if message.game_over is None:
        return [drawn, x.ShowClock(QUIET)]
    own = next((one.result for one in message.game_over if one.nick == seat.nick), None)
    seat.over({"outcome": "won" if own is Result.WINNER else "lost"})
    if message.payload == NOTHING:
        return _thanks(game)
    game.halted = False
    if drawn.shown.winners:
        return [drawn, *_thanks(game)]
    game.end = drawn  # a draw, or all have lost: the verdict has the result
    return [*([] if game.programs else [drawn]), *_thanks(game)]


def _thanks(game: GamePlayed | None) -> list[Step]:
    """A thank you for the end of a game, once: the server may show the end again."""
    if game is None or game.thanked:
        return []
    game.thanked = True
    return [ThankYou(game.id)]


def _verdict(seat: PersonSeat, message: x.GameVerdict) -> list[Step]:
    game = seat.game
    if game is None or game.id != message.game_id:
        return []
    if game.own_end.get("outcome", GIVEN_UP) != GIVEN_UP:  # lost for a fault: it knows why, and whether it rests
        return []
    seat.over()
    seat.declined = seat.declined or message.cause == Cause.DECLINED
    own = next((one for one in message.seats if one.nick == seat.nick), None)
    outcome = own.outcome if own is not None else ""
    account = " · ".join(filter(None, (message.account, message.words)))
    if message.cause in ORDERLY:
        account = in_short(message.seats, message.words, with_program=bool(game.programs))
    elif message.cause == Cause.CANCELLED and message.culprit == seat.nick:
        account = ""  # it knows that it has given up
    elif message.cause in GONE:
        account = message.account.replace(f" ({LeaveGame.TYPE})", "")
    game.verdict = {"outcome": outcome, "told": account, "cause": message.cause}
    end, game.end = game.end, None
    if end is None:
        return []
    lost = outcome == Outcome.LOST
    if not lost and not game.programs:
        return []  # it was a draw, and is shown as one
    won = frozenset(game.programs if lost and len(game.programs) == 1 else ())
    return [replace(end, shown=replace(end.shown, winners=won, all_lost=lost and not won))]


def _ended(seat: PersonSeat, message: x.GameEnded) -> list[Step]:
    if seat.phase is PersonPhase.TABLE and seat.table.get("id") == message.game_id:
        seat.phase, seat.table, seat.set_up = PersonPhase.LOBBY, {}, None
        seat.note(message.comment or "the table is gone")
        return list(LOOK)
    return []


def _clock(seat: PersonSeat, message: x.Clock) -> list[Step]:
    game = seat.game
    if game is not None and game.id == message.game_id and not game.over:
        moving = next((one for one in message.clocks if one.move_left_s is not None), None)
        game.clock = {
            "number": _next_number(game),
            "move_left_s": moving.move_left_s if moving is not None else None,
            "left_s": {one.nick: one.left_s for one in message.clocks if one.left_s is not None},
        }
    return []


def _next_number(game: GamePlayed) -> str:
    """Another text for each clock: the page shows much again while the same one runs on."""
    before = game.clock.get("number", "")
    return f"{game.id}/{int(before.rpartition('/')[2] or 0) + 1}"


def _error(seat: PersonSeat, message: Error) -> list[Step]:
    game = seat.game
    # Why it is out of its game stands beside the end of it, without the id.
    if game is None or seat.phase is not PersonPhase.PLAYING or not _ends(game, message.text):
        # A rest after a game that is over: people have no use for its id.
        seat.note(message.text if game is None else message.text.removeprefix(f"game {game.id} is {Outcome.LOST}; "))
    return seat.still()


def _ends(game: GamePlayed, text: str) -> bool:
    """Whether a text is why the person is out of its game."""
    for outcome in (Outcome.LOST, Outcome.VOID):
        before, end, more = text.partition(f" game {game.id} is {outcome}")
        if end and (not more or more.startswith(IN_A_ROW)):
            game.own_end = {"outcome": str(outcome), "told": before.rstrip(":;") + more}
            return True
    return False


def _because(seat: PersonSeat, message: x.Because) -> list[Step]:
    seat.note(message.text or message.code)
    if seat.game is not None and message.nick == seat.nick:
        seat.game.own_move = b""  # it was refused: the same state again asks for another one
        seat.answered = False
    return []


def _warned(seat: PersonSeat, message: x.Warn) -> list[Step]:
    left, game = f"{round(message.left_s, 1):g} s left", seat.game
    if message.scope is x.WarningScope.CLOCK:
        seat.warned = f"your time runs out: {left}"
        if game is not None and game.id == message.game_id and game.clock.get("move_left_s") is not None:
            game.clock = {**game.clock, "number": _next_number(game), "move_left_s": message.left_s}
    else:
        seat.note(f"you have been silent for long: {left}")
    return [x.Ping()]


def _account(seat: PersonSeat, message: x.Account) -> list[Step]:
    if seat.phase is PersonPhase.PLAYING:  # what it waited for before its game began comes too late
        return []
    if message.game_id:
        seat.account = _sentences(message.text)
    elif seat.phase is not PersonPhase.OVER:  # beside the end of a game stands what led to it, not what comes next
        seat.account = message.text.replace(f"in game {seat.game.id};", "in a game;") if seat.game else message.text
    return []


def _sentences(account: str) -> str:
    """Why a game ended so, and what each player has of it; the times of day stand on the page of the game."""
    lines = account.split("\n")
    begin = next((place for place, line in enumerate(lines) if line.startswith("  began ")), None)
    if begin is None:  # without a journal there are sentences and nothing else
        return account
    # "  first seat: ann won": before the words is one word, so that no exchange is taken for a seat.
    parts = [line.strip().partition(" seat: ") for line in lines[begin:]]
    seats = [outcome for which, found, outcome in parts if found and " " not in which]
    return "\n".join([*(line.strip() for line in lines[:begin] if line.startswith("  ")), *seats])


def _ponged(_seat: PersonSeat, message: x.Pong) -> list[Step]:
    return [Leave()] if message.ref == BYE else []


def _pinged(seat: PersonSeat, message: x.Ping) -> list[Step]:
    return [x.Pong(message.ref)]


def _shutdown(seat: PersonSeat, _message: ServerShutdown) -> list[Step]:
    seat.token = ""
    seat.goes("the server is stopping")
    return [Leave()]


STEPS: Final[Mapping[type, Callable[[PersonSeat, Any], list[Step]]]] = {
    LoginResponse: _login_answered,
    x.Session: _session,
    x.Failed: _failed,
    x.Ok: _ok,
    x.Advertised: _sits,
    x.Joined: _sits,
    x.Tables: _tables,
    x.Invitation: _invited,
    x.GameTypes: _offered,
    x.Seats: _seats,
    x.GameEnded: _ended,
    x.Sketch: _sketch,
    GameState: _state,
    x.GameVerdict: _verdict,
    x.Clock: _clock,
    x.Because: _because,
    x.Warn: _warned,
    x.Account: _account,
    x.Ping: _pinged,
    x.Pong: _ponged,
    Error: _error,
    ServerShutdown: _shutdown,
}


def _table(table: x.TableInfo) -> dict[str, Any]:
    return {
        "id": table.id,
        "name": table.name,
        "owner": table.owner,
        "seats": table.seats,
        "free": table.free,
        "computers": table.computers,
        "public": table.visibility is x.Visibility.PUBLIC,
        "options": {option.name: option.value for option in table.options},
    }


def _offer(one: x.GameTypeInfo, *, declined: bool) -> dict[str, Any]:
    return {
        "players_min": one.players_min,
        "players_max": one.players_max,
        "master": one.master,
        "computers": one.programs,
        # A master that plays no seats has no other way than to decline.
        "proposed": one.players_min - 1 if one.programs and not declined else 0,
        "options": [
            {
                "name": option.name,
                "value": option.value,
                "values": option.values.split(),
                "least": option.least,
                "most": option.most,
            }
            for option in one.options
        ],
    }


def _seat_of(game: GamePlayed, nick: str) -> int | None:
    return next((place for place, seat in enumerate(game.seats) if seat.nick == nick), None)


def _winners(game: GamePlayed, message: GameState) -> frozenset[int] | None:
    if message.game_over is None:
        return None
    won = winners_of(message.game_over, len(game.seats) - len(game.programs))
    return frozenset(place for place, seat in enumerate(game.seats) if seat.nick in won)
