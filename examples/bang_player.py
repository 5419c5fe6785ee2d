"""A complete player of Bang! for the universal game server in one file, with nothing but the standard library.

    python bang_player.py HOST PORT NICK [--games N]

It speaks plain UGS v4: a server that can show every player a state of its own does so to any of them. Each state holds
a snapshot of what we knew, the events since, and, when we are asked, all moves that we may make. Copy it, then put your
own ideas into choose_move; the rest can stay as it is.
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

GAME_TYPE = "bang"
TOKEN = os.environ.get("UGS_TOKEN", "")  # where nicks have tokens: ours; not on the command line, which all can see


# --- your own ideas -----------------------------------------------------------------------------------------------


def choose_move(game: "Game", legal: list[Element]) -> Element:
    """One of the legal moves: each is an `action` element with one child, such as `<play-card played-card-id="7"/>`."""
    return max(legal, key=lambda action: (worth(game, action[0]), random.random()))


def worth(game: "Game", action: Element) -> int:
    """How good a move looks. Outlaws shoot at the sheriff, the others at those who have shot at the sheriff."""
    if action.find("target-cards") is not None:  # two cards for a life point
        return 1 if game.life[game.me] < 3 else -1
    if action.tag in ("draw-card", "use-ability"):
        return 5
    if action.tag != "play-card":
        return 0  # pass, discard, end-turn
    card = game.cards.get(action.get("played-card-id", ""), "")
    target = action.get("target-player-id")
    if target is None:
        drinks_in_vain = card == "beer" and game.life[game.me] >= 4
        return -1 if drinks_in_vain or "target-card-id" in action.attrib else 4
    return 3 if game.is_enemy(target) else -1


class Game:
    """What we know of one game, from its states."""

    def __init__(self) -> None:
        self.me = ""
        self.role = ""
        self.sheriff = ""
        self.shot_at_sheriff: set[str] = set()
        self.life: dict[str, int] = {}
        self.cards: dict[str, str] = {}  # names of the cards that we see, by id

    def is_enemy(self, player: str) -> bool:
        """Whether we would rather see this player dead."""
        if self.role == "outlaw":
            return player == self.sheriff
        return player != self.sheriff and (self.role == "renegade" or player in self.shot_at_sheriff)

    def learns(self, state: Element) -> None:
        """Read a `gameState`: first the snapshot, then what has happened since."""
        for player in state.iter("public-player"):
            self.life[player.get("id", "")] = int(player.get("life-points", "0"))
            if player.get("is-sheriff") == "true":
                self.sheriff = player.get("id", "")
        for private in state.iter("private-player"):
            self.me, self.role = private.get("id", ""), private.get("role", "")
        for card in state.iter("card"):
            self.cards[card.get("id", "")] = card.get("name", "")
        for event in state.findall("game-event"):
            for player in event.findall("set-players/player"):  # the start of the game
                self.life[player.get("id", "")] = int(player.get("life-points", "0"))
                if player.get("role") == "sheriff":
                    self.sheriff = player.get("id", "")
                if player.get("id") == self.me:
                    self.role = player.get("role", "")
            for points in event.findall("life-points"):
                self.life[points.get("player-id", "")] = int(points.get("life-points", "0"))
            if event.get("target-player-id") == self.sheriff and event.get("type") == "play-card-on-player":
                self.shot_at_sheriff.add(event.get("player-id", ""))


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
    """Send one message, or several in one piece, which begins with the XML declaration."""
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
    current_id = ""
    game = Game()

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
            named, state = message.find("gameId"), message.find("gameState")
            assert named is not None
            assert state is not None
            game_id = f"<gameId id={quoteattr(named.get('id', ''))}/>"
            if game_id != current_id:  # we hear of a new game by its first state
                current_id, game = game_id, Game()
            game.learns(state)

            next_player = message.find("nextPlayer")
            legal = state.findall("legal/action")
            if next_player is not None and next_player.get("nick") == nick and legal:
                move = ElementTree.tostring(choose_move(game, legal), encoding="unicode")
                send(connection, f'<message type="move">{game_id}<move>{move}</move></message>')

            if message.find("gameOver") is not None:
                for player in message.findall("gameOver/player"):
                    if player.get("nick") == nick:
                        print("game over:", player.get("result"), "in", named.get("id"))
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
    parser = argparse.ArgumentParser(description="Play Bang!.")
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
