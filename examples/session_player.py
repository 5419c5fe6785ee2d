"""A player that survives a cut line, in one file, with nothing but the standard library.

    python session_player.py HOST PORT NICK [--games N] [--session-file FILE]

It plays five in line (game type 5-in-line-tic-tac-toe, board 20 x 20) with random moves, and asks the server for a
session: when the connection breaks it comes back with the token that it was given, and the game goes on. A server that
knows nothing of sessions is no trouble; a cut line costs the game there.
"""

import argparse
import os
import random
import re
import socket
import time
from collections.abc import Iterator
from xml.etree import ElementTree
from xml.sax.saxutils import quoteattr

GAME_TYPE = "5-in-line-tic-tac-toe"
TOKEN = os.environ.get("UGS_TOKEN", "")  # where nicks have tokens: ours; not on the command line, which all can see
SIZE = 20

# Everything in XML that begins with "<".
MARKUP = re.compile(
    rb"""<!--.*?-->|<!\[CDATA\[.*?\]\]>|<\?.*?\?>|<[^!?](?:[^"'>]|"[^"]*"|'[^']*')*>""",
    re.DOTALL,
)


def documents(connection: socket.socket) -> Iterator[bytes]:
    """The documents that arrive, each as soon as its last byte is there."""
    buffer = b""
    position = depth = 0
    while True:
        start = buffer.find(b"<", position)
        markup = MARKUP.match(buffer, start) if start >= 0 else None
        if markup is None:
            piece = connection.recv(65536)
            if not piece:
                return
            buffer += piece
            continue
        position = markup.end()
        if markup[0].startswith((b"<!", b"<?")):
            continue
        if markup[0].startswith(b"</"):
            depth -= 1
        elif not markup[0].endswith(b"/>"):
            depth += 1
        if depth == 0:
            yield buffer[:position].lstrip()
            buffer = buffer[position:]
            position = 0


def send(connection: socket.socket, *bodies: str) -> None:
    """Send messages in one piece. It begins with the XML declaration, and no other document in it does: some older
    servers understand nothing any more after a second one."""
    connection.sendall(('<?xml version="1.0" encoding="UTF-8"?>' + "".join(bodies)).encode())


def attribute(message: ElementTree.Element, path: str, name: str) -> str | None:
    """An attribute of a child, None where there is no such child or attribute."""
    child = message.find(path)
    return child.get(name) if child is not None else None


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


class Player:
    """What has to be remembered while there is no connection."""

    def __init__(self, nick: str, games: int | None, session_file: str | None = None, address: str = "") -> None:
        self.nick = nick
        self.games = games
        self.played = 0
        self.done = False
        self.token = ""
        self.session_file = session_file
        self.asking = f" (why? ugs why --connect {address} --session-file {session_file})" if session_file else ""
        self.game = ""
        self.counted = ""  # the game that was counted last
        self.taken: list[tuple[int, int]] = []
        self.state = b""  # the last state that we have answered with a move ...
        self.move = ""  # ... and that move
        self.welcome = False
        self.explained = False  # the server has said why it refuses our login
        self.unanswered = 0  # connections in a row that ended before our login was answered
        self.pause = 1.0  # seconds before the next connection, at most; twice as many each time, until we are let in
        self.resumed: bool | None = None  # just come back: does the server wait for a move of ours?

    def login(self) -> str:
        login = f"<playerLogin nick={quoteattr(self.nick)} gameType={quoteattr(GAME_TYPE)}/>"
        return f'<message type="playerLogin">{login}</message>'

    def keep_token(self) -> None:
        """Whoever has the token can take our seat, and ask `ugs why`: the file is for its owner only."""
        if self.session_file is not None:
            with os.fdopen(os.open(self.session_file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
                file.write(self.token)

    def talk(self, connection: socket.socket) -> None:
        """One connection, from the first word to its end."""
        identity = f"<identity token={quoteattr(TOKEN)}/>" if TOKEN else ""
        hello = f'<message type="x-hello"><ext name="session"/><ext name="reason"/>{identity}</message>'
        resume = f'<message type="x-resume"><session token={quoteattr(self.token)}/></message>'
        send(connection, hello, resume if self.token else self.login())
        self.resumed = None
        self.explained = False
        self.unanswered += 1
        for document in documents(connection):
            self.hear(connection, document)

    def hear(self, connection: socket.socket, document: bytes) -> None:
        """One message."""
        message = ElementTree.fromstring(document)
        kind = message.get("type")
        if kind in ("x-session", "loginResponse"):
            self.unanswered, self.pause = 0, 1.0

        if kind == "x-session":
            self.welcome = True
            self.token = attribute(message, "session", "token") or ""
            self.keep_token()
            if attribute(message, "session", "resumed") == "yes":
                turn = attribute(message, "session", "turn")
                print("back again" if turn else "back again: no game of yours goes on")
                self.resumed = turn == "yes"

        elif kind == "x-failed" and self.token and attribute(message, "reason", "code") == "INVALID_PLAYER":
            print("the session is over")
            self.token = self.game = ""
            send(connection, self.login())

        elif kind == "x-ping":
            ref = message.get("ref")
            send(connection, f'<message type="x-pong" ref={quoteattr(ref)}/>' if ref else '<message type="x-pong"/>')

        elif kind == "loginResponse":
            if attribute(message, "response", "accept") == "yes":
                self.welcome = True
                print(f"logged in as {self.nick}{self.asking}")
            else:
                print(refusal(attribute(message, "error", "id"), self.explained))
                self.done = True
                connection.shutdown(socket.SHUT_RDWR)

        elif kind == "gameState":
            self.play(connection, document, message)

        elif kind == "x-verdict":
            print("why:", "; ".join(filter(None, [message.findtext("account"), message.findtext("said")])))

        elif kind == "x-failed":  # why a login is refused comes before its answer
            print("the server says:", message.findtext("reason"))
            self.explained = True

        elif kind == "x-reason":
            print("the game master says that we broke a rule:", message.findtext("cause"))

        elif kind == "error":
            print("the server says:", (message.text or "").strip())

        elif kind == "serverShutdown":
            print("the server shuts down")
            self.token = ""  # sessions end with the server that says good-bye

        # Everything else asks nothing of us: x-hello, championsList, x-warning.

    def play(self, connection: socket.socket, document: bytes, message: ElementTree.Element) -> None:
        """A state: the next one of our game, or after a cut line perhaps the last one once more."""
        game_id = attribute(message, "gameId", "id") or ""
        back, self.resumed = self.resumed, None
        if game_id != self.game:
            self.game, self.taken, self.state, back = game_id, [], b"", None
        for tac in message.findall("gameState/tac"):
            field = (int(tac.get("x", "")), int(tac.get("y", "")))
            if field not in self.taken:
                self.taken.append(field)

        named = attribute(message, "nextPlayer", "nick") == self.nick
        if named and back is not False:
            if back is None or document != self.state:  # otherwise the line took our move with it: the same one again
                free = [(x, y) for x in range(SIZE) for y in range(SIZE) if (x, y) not in self.taken]
                x, y = random.choice(free)
                self.taken.append((x, y))  # the state that shows it may get lost
                self.state = document
                move = f'<move><tic x="{x}" y="{y}"/></move>'
                self.move = f'<message type="move"><gameId id={quoteattr(game_id)}/>{move}</message>'
            send(connection, self.move)

        if message.find("gameOver") is not None:
            for player in message.findall("gameOver/player"):
                if player.get("nick") == self.nick:
                    print("game over:", player.get("result"), "in", game_id)
            self.played += game_id != self.counted  # after a cut line we may hear of it a second time
            self.counted = game_id
            self.done = self.played == self.games
            thanks = f'<message type="thank you"><gameId id={quoteattr(game_id)}/></message>'
            send(connection, '<message type="logout"/>' if self.done else thanks)


def main() -> int:
    parser = argparse.ArgumentParser(description="Play five in line with random moves, cut lines or not.")
    parser.add_argument("host")
    parser.add_argument("port", type=int)
    parser.add_argument("nick")
    parser.add_argument("--games", type=int, help="log out after this many games (default: play on)")
    parser.add_argument("--session-file", help="keep the token of the session here, for `ugs why --connect`")
    arguments = parser.parse_args()
    address = f"{arguments.host}:{arguments.port}"
    player = Player(arguments.nick, arguments.games, arguments.session_file, address)
    while not player.done:
        try:
            with socket.create_connection((arguments.host, arguments.port)) as connection:
                connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                player.talk(connection)
        except OSError as error:
            print("no connection:", error)
        except ElementTree.ParseError:
            player.unanswered = MAX_UNANSWERED
        if player.unanswered >= MAX_UNANSWERED and not player.welcome:
            print("nobody answers a login there: is it the right port? It may speak TLS, which this player does not")
            return 1
        if not player.done:
            time.sleep(random.uniform(0.1, 0.9) * player.pause)  # not all bots at once
            player.pause = min(2 * player.pause, 30)
    return 0 if player.played == player.games else 1


if __name__ == "__main__":
    raise SystemExit(main())
