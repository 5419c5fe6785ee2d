"""Accounts as text for people. Everything that a terminal would not show as it is gets escaped.

Times are rounded, and of a document that each player was sent in a view of its own only one is shown: who wants
everything exactly takes the account as JSON.
"""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any, Final

from ugs.durations import elapsed_text
from ugs.printable import safe
from ugs.record.escapes import escape_body
from ugs.record.narration import BELOW, LEAST_US, seat_words
from ugs.why.answer import Account
from ugs.wire.extensions import Sketch

PARTS = (
    ("network_us", "network"),
    ("bot_us", "bot"),
    ("broker_us", "broker"),
    ("master_us", "master and its network"),
)
"""The parts of the time of a move."""


MAX_DOCUMENT = 1000
"""Characters of a document that are shown where it is not wanted whole: some states have thousands."""
_SKETCH: Final = f'<message type="{Sketch.TYPE}"'.encode()
"""How a picture of a position begins: people look at it, and read no document."""


def as_text(account: Account, *, whole: bool = True) -> str:
    """An account as lines; the last one ends without a newline. Without ``whole`` long documents are cut."""
    lines = _game(account, whole=whole) if account["kind"] == "game" else _person(account)
    return "\n".join(map(safe, lines))


def _game(account: Account, *, whole: bool) -> Iterator[str]:
    about = ", ".join([account[key] for key in ("game_type", "championship") if account.get(key)] + _uncounted(account))
    yield f"game {account['game']}{_after(' ', about and f'({about})')}"
    yield from _why(account)
    if "seats" not in account:
        return
    ended = f", ended {_moment(account['ended'])}" if account["ended"] else ""
    yield f"  began {_moment(account['began'])}{ended}; {_moves(account)}; {_led_by(account['masters'])}"
    for seat in account["seats"]:
        left = f" ({seat['departure']})" if seat.get("departure") else ""
        yield f"  {seat_words(seat['seat'])}: {seat['nick']}{_after(' ', seat.get('outcome'))}{left}"
    if account["last_move"] is not None:
        yield _last_move(account["last_move"])
    if missed := account.get("missed_move"):
        waited = _span(missed["waited_us"])
        yield f"  missed move ({missed['nick']}, move {missed['number']}): none had come {waited} after the state"
    if account["exchanges"]:
        yield "  last exchanges:"
    for _, documents in groupby(account["exchanges"], key=lambda one: (one["entry"], one["from"])):
        yield from _exchange(list(documents), whole=whole)


def _last_move(timing: Account) -> str:
    parts = [f"{name} {_span(timing[key])}" for key, name in PARTS if timing[key] is not None]
    if timing["bot_us"] is None and timing["player_us"] is not None:
        parts.insert(0, f"bot and network {_span(timing['player_us'])}")
    whole = f" took {_span(timing['total_us'])} from state to state" if timing["total_us"] is not None else ""
    spent = f": {', '.join(parts)}" if parts else ": nothing is known about its time"
    return f"  last move ({timing['nick']}, move {timing['number']}){whole}{spent}"


def _exchange(documents: Sequence[Account], *, whole: bool) -> Iterator[str]:
    """What one peer sent at one moment: once, also where each player got another document."""
    # That of the player who is asked explains most; what reached no player is there for spectators.
    sent = [one for one in documents if one["to"]] or documents
    shown = next((one for one in sent if one["asked"]), sent[0])
    to = ", ".join(dict.fromkeys(nick for one in documents for nick in one["to"])) or "no player"
    note = shown["note"]
    if len(documents) > 1:
        note = f"as {', '.join(shown['to'])} saw it; --format json has each view"
    head = f"#{shown['entry']} {shown['at'][11:19]} +{shown['since_begin_us'] / 1e6:.3f} s"
    yield f"    {head}  {shown['from']} -> {to}{f' ({note})' if note else ''}"
    document = shown["document"].encode() if "document" in shown else bytes.fromhex(shown["document_hex"])
    if document.startswith(_SKETCH) and not whole:
        yield f"      sketch, {len(document)} bytes (--format json shows it)"
    elif document:
        line = escape_body(document)
        cut = not whole and len(line) > MAX_DOCUMENT
        yield f"      {f'{line[:MAX_DOCUMENT]}… ({len(document)} bytes; --format json shows all)' if cut else line}"


def _person(account: Account) -> Iterator[str]:
    now = account["now"]
    state = f": {now['state']}" if now is not None and "state" in now else ""
    yield f"{account['kind']} {account['name']}{state}"
    yield from _why(account)
    yield from _here(now)
    for gone in account.get("withdrawals", ()):
        who = f", by {gone['who']}" if gone["who"] else ""
        why = gone["why"] or "no reason given"
        how = "disqualified in" if gone.get("disqualified") else "left"
        yield f"  {how} championship {gone['championship']} for good at {_moment(gone['at'])}{who}: {why}"
    for login in account.get("logins", ()):
        version = f", version {login['version']}" if login["version"] else ""
        players = f", {login['players']} players" if login["players"] else ""
        until = f"until {_moment(login['ended'])}: {login['reason']}" if login["ended"] else "still here"
        began = _moment(login["began"])
        yield f"  login {began} from {login['address']} for {login['game_type']}{players}{version}; {until}"
    for game in account.get("games", ()):
        seats = ", ".join(f"{seat['nick']}{_after(' ', seat['outcome'])}" for seat in game["seats"])
        words = f": {game['said']}" if game.get("said") else ""
        verdict = ", ".join([f"{game['verdict'] or 'running'}{words}", *_uncounted(game)])
        began = f"{game['game']} {_moment(game['began'])} {game['game_type']}"
        yield f"  game {began}: {seats}; {verdict}, {_moves(game)}"


def _why(account: Account) -> Iterator[str]:
    yield from (f"  {sentence}" for sentence in account["why"])


def _here(now: Any) -> Iterator[str]:
    """What only the running server knows of a player or a master."""
    if now is None:
        return
    if "waiting_s" in now:
        yield f"  has been waiting for {elapsed_text(now['waiting_s'])}"
    for peer in now["peers"]:
        trip = peer.get("round_trip_us", 0)
        yield f"  connected from {peer['address']}{f', round trip {_span(trip)}' if trip else ''}"
    for game in now.get("games", ()):
        yield f"  {game['why']}"


def _uncounted(game: Account) -> list[str]:
    return [] if game.get("counts", True) else [game.get("taken_out") or "does not count"]


def _after(blank: str, text: str | None) -> str:
    return f"{blank}{text}" if text else ""


def _led_by(masters: Sequence[str]) -> str:
    return f"master {', then '.join(masters)}"


def _moves(game: Account) -> str:
    """How many moves players have made. Seats that the computer plays are not named: one who is alone played it."""
    number = game["moves"]
    counted = "1 move" if number == 1 else f"{number} moves"
    return (
        f"{counted} of {game['seats'][0]['nick']} (the computer's are not counted)"
        if len(game["seats"]) == 1
        else counted
    )


def _span(microseconds: int) -> str:
    """A length of time in two or three digits: ``0.42 ms``, ``42 ms``, ``0.42 s``, ``2 min 5 s``."""
    if microseconds < LEAST_US:
        return BELOW
    if microseconds < 100_000:
        thousandths = microseconds / 1000
        return f"{thousandths:.2g} ms" if thousandths < 9.95 else f"{thousandths:.0f} ms"
    seconds = microseconds / 1_000_000
    return f"{seconds:.2f} s" if seconds < 100 else elapsed_text(seconds)


def _moment(written: str) -> str:
    """``2030-05-01T20:00:00.123456Z`` as people read it, to the second."""
    return f"{written[:10]} {written[11:19]} UTC"
