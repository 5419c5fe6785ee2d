"""A player of Catan for the universal game server in one file, with nothing but the standard library.

    python settlers_player.py HOST PORT NICK [--games N]

It plays the game type "settlers" on any board, with hidden hands or open ones: it builds what it can, cities first,
where the most is rolled. Copy it, then put your own ideas into choose_move; the rest can stay as it is.
"""

import argparse
import os
import random
import re
import socket
import time
from collections.abc import Iterator
from xml.etree import ElementTree
from xml.etree.ElementTree import Element
from xml.sax.saxutils import quoteattr

GAME_TYPE = "settlers"
TOKEN = os.environ.get("UGS_TOKEN", "")  # where nicks have tokens: ours; not on the command line, which all can see
RESOURCES = ("clay", "ore", "sheep", "wheat", "wood")
ROAD, SETTLEMENT, CITY, SHIP = range(4)

# --- your own ideas -----------------------------------------------------------------------------------------------


def choose_move(table: Element, nick: str) -> str:
    """Return the element to put into <move>. `table` has everything: board, seats, and in `may` what we can do.

    `may` has an attribute for each kind of move that is possible now, as docs/catan.md tells.
    """
    seats = table.findall("seat")
    me = next(seat.get("pn") for seat in seats if seat.get("nick") == nick)
    own = next(seat for seat in seats if seat.get("pn") == me)
    may = next(may for may in table.findall("may") if may.get("pn") == me)
    hand = [int(count) for count in own.get("hand", "0 0 0 0 0").split()]

    if may.get("discard"):
        return f"<SOCDiscard>{bundle('resources', spill(hand, int(may.get('discard', '0'))))}</SOCDiscard>"
    if may.get("pick"):
        bank = [int(count) for count in table.get("bank", "19 19 19 19 19").split()]
        picked = fill(hand, bank, int(may.get("pick", "0")))
        return f"<SOCPickResources>{bundle('resources', picked)}</SOCPickResources>"
    if may.get("monopoly"):
        return f'<SOCPickResourceType resType="{1 + hand.index(min(hand))}"/>'
    if may.get("robber"):
        places = may.get("robber", "").split()
        theirs = [place for place in places if damage(table, place, me) > 0]
        return f'<SOCMoveRobber coord="{random.choice(theirs or places)}"/>'
    if may.get("choose"):
        return f'<SOCChoosePlayer choice="{random.choice(may.get("choose", "").split())}"/>'
    for piece in (CITY, SETTLEMENT):
        places = may.get(f"put{piece}", "").split()
        if places:
            return put(piece, max(places, key=lambda node: yields(table, node)))
    # Two places to settle are enough to have in stock; the starts and free roads have to be placed in any case.
    # While free roads are placed `end` stands there, too, but it would give the card back; `cancel` tells.
    must = may.get("roll") is None and (may.get("end") is None or may.get("cancel") is not None)
    for piece in (ROAD, SHIP):
        places = may.get(f"put{piece}", "").split()
        if places and (must or random.random() < 0.4):
            return put(piece, random.choice(places))
    if may.get("roll"):
        return "<SOCRollDice/>"
    if may.get("reject"):
        return "<SOCRejectOffer/>"
    if may.get("cards"):
        return f'<SOCPlayDevCardRequest devCard="{may.get("cards", "").split()[0]}"/>'
    if may.get("bank") and max(hand) > 4:
        give, get = [0] * 5, [0] * 5
        give[hand.index(max(hand))] = 4
        get[hand.index(min(hand))] = 1
        return f"<SOCBankTrade>{bundle('give', give)}{bundle('get', get)}</SOCBankTrade>"
    if may.get("buy"):
        return "<SOCBuyDevCardRequest/>"
    if may.get("end"):
        return "<SOCEndTurn/>"
    return f'<SOCCancelBuildRequest pieceType="{may.get("cancel", "").split()[0]}"/>'


def put(piece: int, place: str) -> str:
    return f'<SOCPutPiece pieceType="{piece}" coord="{place}"/>'


def bundle(label: str, counts: list[int]) -> str:
    attributes = " ".join(
        f'{name}="{count}"' for name, count in zip((*RESOURCES, "unknown"), [*counts, 0], strict=True)
    )
    return f"<{label} {attributes}/>"


def spill(hand: list[int], amount: int) -> list[int]:
    """Return what to discard: always one of what we have most of."""
    left, given = list(hand), [0] * 5
    for _ in range(amount):
        most = left.index(max(left))
        left[most] -= 1
        given[most] += 1
    return given


def fill(hand: list[int], bank: list[int], amount: int) -> list[int]:
    """Return what to pick: always one of what we have least of."""
    held, picked = list(hand), [0] * 5
    for _ in range(amount):
        least = min((count, place) for place, count in enumerate(held) if bank[place] > picked[place])[1]
        held[least] += 1
        picked[least] += 1
    return picked


def corners(table: Element, hex: str) -> list[str]:
    """The six nodes around a hex: on boards with sea a byte for the row and one for the column, else two digits."""
    board = table.find("board")
    sea = board is not None and board.get("height")
    steps = (-0x100, -0xFF, 0x101, 0x100, 0xFF, -0x101) if sea else (0x01, 0x12, 0x21, 0x10, -0x01, -0x10)
    return [f"{int(hex, 16) + step:x}" for step in steps]


def hexes(table: Element) -> list[tuple[str, int]]:
    """Each hex of land, and in how many of 36 rolls its number comes."""
    board = table.find("board")
    assert board is not None
    parts = [text.split(":") for text in board.get("hexes", "").split()]
    return [(hex, 6 - abs(7 - int(number)) if int(number) else 0) for hex, _, number in parts]


def yields(table: Element, node: str) -> int:
    return sum(pips for hex, pips in hexes(table) if node in corners(table, hex))


def damage(table: Element, hex: str, me: str | None) -> int:
    """How many pieces of others stand at a hex, less ten for each of ours."""
    if hex.startswith("-"):
        return 0  # the pirate
    around, total = corners(table, hex), 0
    for seat in table.findall("seat"):
        pieces = f"{seat.get('at1')} {seat.get('at2')}".split()
        worth = -10 if seat.get("pn") == me else 1
        total += worth * sum(node in pieces for node in around)
    return total


# --- the protocol: XML documents, one after another, with nothing between them --------------------------------------

# Everything in XML that begins with "<": a comment, a CDATA section, a processing instruction (the XML declaration is
# one), or a tag, in whose attribute values a ">" may stand.
MARKUP = re.compile(
    rb"""<!--.*?-->|<!\[CDATA\[.*?\]\]>|<\?.*?\?>|<[^!?](?:[^"'>]|"[^"]*"|'[^']*')*>""",
    re.DOTALL,
)


def documents(connection: socket.socket) -> Iterator[bytes]:
    """The documents that arrive, each as soon as its last byte is there, until the server closes.

    TCP knows no documents: one may come in many pieces, and one piece may hold many. So we count how deep in elements
    we are, and a document ends with the tag that brings us back to zero.
    """
    buffer = b""
    position = depth = 0  # `buffer` up to `position` has been looked at
    while True:
        start = buffer.find(b"<", position)
        markup = MARKUP.match(buffer, start) if start >= 0 else None
        if markup is None:  # no complete piece of markup left: wait for more bytes
            piece = connection.recv(65536)
            if not piece:
                return
            buffer += piece
            continue
        position = markup.end()
        if markup[0].startswith((b"<!", b"<?")):
            continue  # a comment, CDATA or <?...?> changes no depth
        if markup[0].startswith(b"</"):
            depth -= 1
        elif not markup[0].endswith(b"/>"):
            depth += 1
        if depth == 0:
            yield buffer[:position].lstrip()
            buffer = buffer[position:]
            position = 0


def send(connection: socket.socket, body: str) -> None:
    """Send one message. Every document begins with the XML declaration."""
    connection.sendall(('<?xml version="1.0" encoding="UTF-8"?>' + body).encode())


REFUSALS = {
    "1": "the nick is taken, needs its token (UGS_TOKEN), or is none (1 to 64 characters, no control characters)",
    "2": "this server does not offer this game",
    "3": "there is no room: the server or the pool of the game is full, or a championship has begun",
}
"""Why a server does not let us in, by the number of its error."""


def refusal(number: str | None, explained: bool) -> str:
    """A refusal in words; without ours where the server has already said why."""
    why = "" if explained else f": {REFUSALS.get(number or '', 'the server does not say why')}"
    return f"login refused{why} (error {number or '?'})"


MAX_UNANSWERED = 4
"""Connections that end before our login was answered; then it is no use to go on."""
NO_SERVER = "nobody answers a login there: is it the right port? It may speak TLS, which this player does not"


class Memory:
    """What has to be remembered from one connection to the next."""

    played = 0
    welcome = False  # we were let in before, so a refusal means that the server has not missed us yet
    unanswered = 0  # connections in a row that ended before our login was answered
    pause = 1.0  # seconds before the next connection, at most; twice as many each time, until we are let in

    def waits(self) -> None:
        """Wait before the next connection; not all bots at once."""
        time.sleep(random.uniform(0.2, 1) * self.pause)
        self.pause = min(2 * self.pause, 30)


def play(connection: socket.socket, nick: str, games: int | None, memory: Memory) -> bool:
    """Log in and play until the server closes. False if there is no point in coming back: refused, or all played."""
    login = f"<playerLogin nick={quoteattr(nick)} gameType={quoteattr(GAME_TYPE)}/>"
    # First we say what we can read beyond the protocol: reasons. A server that knows no such thing says so in an error.
    identity = f"<identity token={quoteattr(TOKEN)}/>" if TOKEN else ""
    hello = f'<message type="x-hello"><ext name="reason"/>{identity}</message>'
    send(connection, f'{hello}<message type="playerLogin">{login}</message>')

    memory.unanswered += 1
    explained = False  # the server has said why it refuses our login
    for document in documents(connection):
        message = ElementTree.fromstring(document)
        kind = message.get("type")

        if kind == "loginResponse":
            memory.unanswered = 0
            response = message.find("response")
            if response is None or response.get("accept") != "yes":
                error = message.find("error")
                print(refusal(error.get("id") if error is not None else None, explained))
                return memory.welcome
            memory.welcome, memory.pause = True, 1.0
            print(f"logged in as {nick}")

        elif kind == "gameState":
            game = message.find("gameId")
            assert game is not None
            game_id = f"<gameId id={quoteattr(game.get('id', ''))}/>"
            # Each state is complete, so there is nothing to remember from the one before.
            table = message.find("gameState/settlers/table")
            next_player = message.find("nextPlayer")
            if table is not None and next_player is not None and next_player.get("nick") == nick:
                move = f"<move>{choose_move(table, nick)}</move>"
                send(connection, f'<message type="move">{game_id}{move}</message>')

            if message.find("gameOver") is not None:
                for player in message.findall("gameOver/player"):
                    if player.get("nick") == nick:
                        print("game over:", player.get("result"), "in", game.get("id"))
                memory.played += 1
                if memory.played == games:
                    # A "thank you" would make us ready for a next game, so good-bye takes its place. The server closes
                    # now; reading on until then makes sure that it got our last word.
                    send(connection, '<message type="logout"/>')
                    continue
                send(connection, f'<message type="thank you">{game_id}</message>')

        elif kind == "x-verdict":
            print("why:", "; ".join(filter(None, [message.findtext("account"), message.findtext("said")])))

        elif kind == "x-reason":
            print("the game master says that we broke a rule:", message.findtext("cause"))

        elif kind == "x-failed":  # why a login is refused comes before its answer
            print("the server says:", message.findtext("reason"))
            explained = True

        elif kind == "error":
            print("the server says:", (message.text or "").strip())

        elif kind == "serverShutdown":
            print("the server shuts down")

        # Anything else, such as championsList, is good to know but asks nothing of us.

    print("the server has closed the connection")
    return memory.played != games


def main() -> int:
    parser = argparse.ArgumentParser(description="Play Catan.")
    parser.add_argument("host")
    parser.add_argument("port", type=int)
    parser.add_argument("nick")
    parser.add_argument("--games", type=int, help="log out after this many games (default: play on)")
    arguments = parser.parse_args()
    memory = Memory()
    again = True
    while again:
        try:
            with socket.create_connection((arguments.host, arguments.port)) as connection:
                connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # moves are small and must not wait
                again = play(connection, arguments.nick, arguments.games, memory)
        except OSError as error:
            print("no connection:", error)
        except ElementTree.ParseError:
            memory.unanswered = MAX_UNANSWERED
        if memory.played == arguments.games:
            return 0
        if memory.unanswered >= MAX_UNANSWERED and not memory.welcome:
            print(NO_SERVER)
            return 1
        if again:
            memory.waits()
    return 1


if __name__ == "__main__":
    raise SystemExit(main())
