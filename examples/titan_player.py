"""A complete player of Titan for the universal game server in one file, with nothing but the standard library.

    python titan_player.py HOST PORT NICK [--games N]

It speaks plain UGS v4: a server that can show every player a state of its own does so to any of them. A state holds the
messages since the last one and a status that says what we are asked. This player makes guesses, the best first, and
takes the next one when one is refused. Copy it, then put your own ideas into `guesses`; the rest can stay as it is.
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

GAME_TYPE = "titan"
TOKEN = os.environ.get("UGS_TOKEN", "")  # where nicks have tokens: ours; not on the command line, which all can see
COLOURS = ("Gold", "Red", "Blue", "Green", "Black", "Brown")
COLUMNS = {"A": (3, 4), "B": (4, 4), "C": (5, 5), "D": (6, 5), "E": (5, 5), "F": (4, 4)}  # hexes, row of the lowest
HEXES = [f"{column}{number + 1}" for column, (size, _) in COLUMNS.items() for number in range(size)]


# --- your own ideas -----------------------------------------------------------------------------------------------


def guesses(game: "Game", status: Element) -> Iterator[str]:
    """What we could ask for now, the best first. A wrong guess costs nothing, but after ten of them in a row the game
    master goes on without us."""
    asked, here = status.get("awaiting"), quoteattr(status.get("hex", ""))
    mine = status.get("attacker") if status.get("attacker") in game.mine else status.get("defender")
    legion = quoteattr(mine or "")
    free = next(one.get("markers", "").split() for one in status.findall("score") if one.get("player") == game.me)
    if asked == "color":
        yield from (f'<color color="{colour}"/>' for colour in COLOURS)
    elif asked == "split":
        if status.get("turn") == "1" and len(game.mine) == 1:
            half = "".join(f'<creature name="{name}"/>' for name in ("Angel", "Centaur", "Centaur", "Ogre"))
            parent = next(iter(game.mine))
            yield f'<split parent="{parent}" child="{free[0]}"><creatures>{half}</creatures></split>'
        yield "<roll/>"
    elif asked == "move":
        for marker in sorted(game.mine - game.moved):
            yield f'<move legion="{marker}" hex="{ahead(game.mine_in[marker], int(status.get("roll", "1")))}"/>'
        yield "<doneMoving/>"
    elif asked == "engage":
        yield from (
            f'<engage hex="{hex}"/>' for hex in sorted(set(game.mine_in.values()) & set(game.others_in.values()))
        )
    elif asked == "flee":
        yield f"<flee legion={legion}/>"
        yield f"<doNotFlee legion={legion}/>"  # there is a lord in it
    elif asked in ("concede", "negotiate"):
        yield f"<fight hex={here}/>"
    elif asked == "maneuver":
        for creature in game.waiting[:1]:  # near the middle of the map, where nobody is yet
            empty = [hex for hex in HEXES if hex not in game.ours and hex not in game.theirs]
            tries = max(0, min(7 - len(game.tried), len(empty)))  # more than nine refusals would lose the game
            yield from (f'<enter creature="{creature}" hex="{hex}"/>' for hex in random.sample(empty, tries))
        yield "<doneManeuvering/>"
    elif asked == "strike":
        pairs = [(own, other) for own in game.ours for other in sorted(near(own) & set(game.theirs))]
        done = len([own for own, _ in pairs if own not in game.struck])  # those who have struck must not do it again
        strikes = [
            f'<strike strikerHex="{own}" targetHex="{other}"/>'
            for own, other in sorted(pairs, key=lambda pair: pair[0] in game.struck)
        ]
        yield from (*strikes[:done], "<doneStriking/>", *strikes[done:])
    elif asked == "carry":
        yield "<doneStriking/>"
    elif asked == "acquire":
        yield f'<acquire legion={legion} creature="Angel"/>'
    elif asked == "summon":
        yield f"<summon summoner={legion}/>"
    elif asked == "reinforce":
        yield f"<recruit legion={legion}/>"
    elif asked == "muster":
        yield "<nextTurn/>"


def ahead(land: str, roll: int) -> str:
    """A land that a roll leads to along the track, often enough: the outer one runs down, the middle one up."""
    number = int(land)
    if number >= 1000:  # the middle of the board has one way out
        return str((number // 1000 - 1) * 7 + roll)
    if number % 100 == 0:  # from a tower out to the track
        number, roll = 101 + (number // 100 - 1) * 7, roll - 1
    if number > 100:
        return str((number - 101 - roll) % 42 + 101)
    return str((number - 1 + roll) % 42 + 1)


def near(hex: str) -> set[str]:
    """The hexes beside one on the map of a battle."""
    x, y = place(hex)
    return {other for other in HEXES if other != hex and beside(place(other)[0] - x, place(other)[1] - y)}


def place(hex: str) -> tuple[int, int]:
    """Coordinates in which all hexes have their neighbours in the same directions."""
    column = ord(hex[0]) - ord("A")
    return column, COLUMNS[hex[0]][1] + 1 - int(hex[1]) - column // 2


def beside(dx: int, dy: int) -> bool:
    """Whether two hexes whose coordinates differ by this touch."""
    return max(abs(dx), abs(dy), abs(dx + dy)) == 1


class Game:
    """What we know of one game, from its messages."""

    def __init__(self, me: str) -> None:
        self.me = me
        self.heard = 0
        self.tried: list[str] = []  # guesses since the last message
        self.mine: set[str] = set()  # our legions
        self.moved: set[str] = set()
        self.mine_in: dict[str, str] = {}  # where they are
        self.others_in: dict[str, str] = {}
        self.towers: dict[str, str] = {}
        self.waiting: list[str] = []  # our creatures that are not on the map of the battle yet
        self.ours: list[str] = []  # hexes of ours there
        self.theirs: list[str] = []
        self.struck: set[str] = set()  # hexes of ours whose creatures have struck, as far as we know

    def learns(self, state: Element) -> Element:
        """Read a `gameState`; return its status."""
        status = state.find("status")
        assert status is not None
        news = [one for one in state if one.tag not in ("nak", "replay", "board", "status")]
        event = int(status.get("event", "0"))
        for message in news[max(0, len(news) - (event - self.heard)) :]:  # some may have come before
            self.hears(message)
        if event > self.heard:
            self.tried = []
        self.heard = event
        return status

    def hears(self, message: Element) -> None:
        tag, legion, hex = message.tag, message.get("legion", ""), message.get("hex", "")
        everywhere = self.mine_in if legion in self.mine else self.others_in
        if tag == "tower":
            self.towers[message.get("name", "")] = hex
        elif tag == "color":
            marker, name = message.get("firstMarker", ""), message.get("name", "")
            (self.mine_in if name == self.me else self.others_in)[marker] = self.towers[name]
        elif tag == "place":  # only in games that begin from a fixture
            (self.mine_in if message.get("player") == self.me else self.others_in)[legion] = hex
        elif tag == "split":
            parent, child = message.get("parent", ""), message.get("child", "")
            owners = self.mine_in if parent in self.mine else self.others_in
            owners[child] = owners.get(parent, "")
        elif tag == "merge":
            self.mine_in.pop(message.get("child", ""), None)
            self.others_in.pop(message.get("child", ""), None)
        elif tag == "turn":
            self.moved = set()
        elif tag == "move":
            everywhere[legion] = hex
            self.moved.add(legion)
        elif tag in ("flee", "concede", "reveal"):
            everywhere.pop(legion, None)
        elif tag == "fight":
            sides = [message.find("attacker"), message.find("defender")]
            own = [side for side in sides if side is not None and side.get("name") in self.mine]
            self.waiting = [one.get("name", "") for side in own for one in side]
            self.ours, self.theirs = [], []
        elif tag == "enter":
            ours = bool(self.tried) and self.tried[-1].startswith("<enter") and f'"{hex}"' in self.tried[-1]
            (self.ours if ours else self.theirs).append(hex)
            if ours:
                self.waiting.remove(message.get("creature", ""))
        elif tag == "strike":
            striker = message.get("strikerHex", "")
            self.struck = self.struck | {striker} if striker in self.ours else set()
        elif tag == "maneuver":
            self.struck = set()
            self.theirs = [message.get("endHex", "") if one == message.get("startHex") else one for one in self.theirs]
        elif tag == "endEngage":
            for owners in (self.mine_in, self.others_in):
                for marker in [one for one, land in owners.items() if land == hex and one != message.get("winner")]:
                    del owners[marker]
        self.mine = set(self.mine_in)

    def answer(self, status: Element) -> str:
        """The best guess that was not tried yet; the last one again if all were."""
        found = [*guesses(self, status), "<replay/>"]  # the last one brings us nearer to what the game master does then
        guess = next((one for one in found if one not in self.tried), found[-1])
        self.tried.append(guess)
        return guess


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
    current_id = ""
    game = Game(nick)

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
                current_id, game = game_id, Game(nick)
            status = game.learns(state) if len(state) else None  # empty where the server has ended the game

            next_player = message.find("nextPlayer")
            if status is not None and next_player is not None and next_player.get("nick") == nick:
                send(connection, f'<message type="move">{game_id}<move>{game.answer(status)}</move></message>')

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
    parser = argparse.ArgumentParser(description="Play Titan.")
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
