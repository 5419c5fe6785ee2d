"""Accounts as text for people. Everything that a terminal would not show as it is gets escaped."""

from collections.abc import Iterator, Sequence
from typing import Any

from ugs.printable import safe
from ugs.record.escapes import escape_body
from ugs.why.answer import Account

PARTS = (
    ("network_us", "network"),
    ("bot_us", "bot"),
    ("broker_us", "broker"),
    ("master_us", "master and its network"),
)
"""The parts of the time of a move."""


def as_text(account: Account) -> str:
    """An account as lines; the last one ends without a newline."""
    sections = {"game": _game, "player": _person, "master": _person}
    return "\n".join(safe(line) for line in sections[account["kind"]](account))


def _game(account: Account) -> Iterator[str]:
    about = ", ".join([account[key] for key in ("game_type", "championship") if account.get(key)] + _uncounted(account))
    yield f"game {account['game']}{_after(' ', about and f'({about})')}"
    yield from _why(account)
    if "seats" not in account:
        return
    ended = f", ended {account['ended']}" if account["ended"] else ""
    yield f"  began {account['began']}{ended}; {_moves(account['moves'])}; {_led_by(account['masters'])}"
    for seat in account["seats"]:
        left = f" ({seat['departure']})" if seat.get("departure") else ""
        yield f"  seat {seat['seat']}: {seat['nick']}{_after(' ', seat.get('outcome'))}{left}"
    if account["last_move"] is not None:
        yield _last_move(account["last_move"])
    if account["exchanges"]:
        yield "  last exchanges:"
    for exchange in account["exchanges"]:
        yield from _exchange(exchange)


def _last_move(timing: Account) -> str:
    parts = [f"{name} {_milliseconds(timing[key])}" for key, name in PARTS if timing[key] is not None]
    if timing["bot_us"] is None and timing["player_us"] is not None:
        parts.insert(0, f"bot and network {_milliseconds(timing['player_us'])}")
    whole = f" took {_milliseconds(timing['total_us'])} from state to state" if timing["total_us"] is not None else ""
    spent = f": {', '.join(parts)}" if parts else ": nothing is known about its time"
    return f"  last move ({timing['nick']}, move {timing['number']}){whole}{spent}"


def _exchange(exchange: Account) -> Iterator[str]:
    to = ", ".join(exchange["to"]) or "no player"
    note = f" ({exchange['note']})" if exchange["note"] else ""
    since = exchange["since_begin_us"] / 1e6
    yield f"    #{exchange['entry']} {exchange['at']} +{since:.6f} s  {exchange['from']} -> {to}{note}"
    document = exchange["document"].encode() if "document" in exchange else bytes.fromhex(exchange["document_hex"])
    if document:
        yield f"      {escape_body(document)}"


def _person(account: Account) -> Iterator[str]:
    now = account["now"]
    state = f": {now['state']}" if now is not None and "state" in now else ""
    yield f"{account['kind']} {account['name']}{state}"
    yield from _why(account)
    yield from _here(now)
    for gone in account.get("withdrawals", ()):
        who = f", by {gone['who']}" if gone["who"] else ""
        why = gone["why"] or "no reason given"
        yield f"  left championship {gone['championship']} for good at {gone['at']}{who}: {why}"
    for login in account.get("logins", ()):
        version = f", version {login['version']}" if login["version"] else ""
        players = f", {login['players']} players" if login["players"] else ""
        until = f"until {login['ended']}: {login['reason']}" if login["ended"] else "still here"
        yield f"  login {login['began']} from {login['address']} for {login['game_type']}{players}{version}; {until}"
    for game in account.get("games", ()):
        seats = ", ".join(f"{seat['nick']}{_after(' ', seat['outcome'])}" for seat in game["seats"])
        words = f": {game['said']}" if game.get("said") else ""
        verdict = ", ".join([f"{game['verdict'] or 'running'}{words}", *_uncounted(game)])
        yield f"  game {game['game']} {game['began']} {game['game_type']}: {seats}; {verdict}, {_moves(game['moves'])}"


def _why(account: Account) -> Iterator[str]:
    yield from (f"  {sentence}" for sentence in account["why"])


def _here(now: Any) -> Iterator[str]:
    """What only the running server knows of a player or a master."""
    if now is None:
        return
    if "waiting_s" in now:
        yield f"  has been waiting for {now['waiting_s']:.1f} s"
    for peer in now["peers"]:
        trip = peer.get("round_trip_us", 0)
        yield f"  connected from {peer['address']}{f', round trip {_milliseconds(trip)}' if trip else ''}"
    for game in now.get("games", ()):
        yield f"  {game['why']}"


def _uncounted(game: Account) -> list[str]:
    return [] if game.get("counts", True) else ["does not count"]


def _after(blank: str, text: str | None) -> str:
    return f"{blank}{text}" if text else ""


def _led_by(masters: Sequence[str]) -> str:
    return f"master {', then '.join(masters)}"


def _moves(number: int) -> str:
    return "1 move" if number == 1 else f"{number} moves"


def _milliseconds(microseconds: int) -> str:
    return f"{microseconds / 1000:.3f} ms"
