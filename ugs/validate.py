"""``ugs validate``: documents of authors against the protocol, with the broker's own eyes.

Each document goes the way it would go on the wire (framing, envelope), then through the XML schemas, and a game's own
schema looks at the payload where one is given.
"""

import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

from ugs.broker.entrance.logins import number
from ugs.broker.values.name_rules import wrong_name
from ugs.sketch.decoding import unfit
from ugs.text_files import MAX_RECORDED, read_bytes
from ugs.wire.codec import WrongMessage, decode
from ugs.wire.extensions import GameEvent, Moved, PastMove, Restore, Sketch, Views, Watching
from ugs.wire.framing import Framer, WireError
from ugs.wire.messages import GameMasterLogin, GameState, Message, Move, PlayerLogin
from ugs.wire.schema import MessageSchemas, PayloadSchema

PayloadRoot: TypeAlias = Literal["move", "gameState"]
"""The two elements that belong to a game."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What was found about one document of a file."""

    file: str
    document: int
    """Its number in the file, from 1."""
    subject: str
    wrong: str | None = None

    @property
    def ok(self) -> bool:
        """True when nothing is wrong."""
        return self.wrong is None

    def __str__(self) -> str:
        return f"{self.file}: document {self.document}: {self.subject}: {self.wrong or 'ok'}"


def validate_files(
    files: Iterable[str], payload_schema: Path | None = None, payload: PayloadRoot | None = None
) -> Iterator[Finding]:
    """Check each document of each file ("-" is standard input). Raises OSError and TextFileError for a file that
    cannot be read, ValueError for a schema that is none."""
    messages = MessageSchemas(at_once=False)
    game = PayloadSchema(payload_schema) if payload_schema is not None else None
    for file in files:
        data = sys.stdin.buffer.read() if file == "-" else read_bytes(Path(file), MAX_RECORDED)
        if payload is not None:
            yield check_payload(file, data.strip(), payload, game)
        else:
            yield from check_stream(file, data, messages, game)


def check_payload(file: str, data: bytes, root: PayloadRoot, game: PayloadSchema | None) -> Finding:
    """Check a file that is one payload element, by putting it into a message."""
    turn = b'<nextPlayer nick="a"/>' if root == "gameState" else b""
    message = b'<message type="%b"><gameId id="1"/>%b%b</message>' % (root.encode(), turn, data)
    try:
        documents = [document.raw for document in Framer().feed(message)]
        # A payload could end the message and begin another one.
        if documents != [message]:
            return Finding(file, 1, root, f"not one whole <{root}> element")
        check_game(decode(message), game)
    except (WireError, WrongMessage) as wrong:
        several = f"a second <{root}>" in str(wrong)
        return Finding(file, 1, root, f"{wrong}; with --payload a file holds one payload" if several else str(wrong))
    return Finding(file, 1, root)


def check_stream(file: str, data: bytes, messages: MessageSchemas, game: PayloadSchema | None) -> Iterator[Finding]:
    """Check everything a peer might have sent in one go."""
    framer = Framer()
    count = 0
    try:
        for document in framer.feed(data):
            count += 1
            yield check_document(file, count, document.raw, messages, game)
    except WireError as error:
        yield Finding(file, count + 1, "not a document", str(error))
        return
    if framer.pending:
        yield Finding(file, count + 1, "not a document", f"the file ends {framer.pending} bytes into it")
    elif not count:
        yield Finding(file, 1, "not a document", "the file is empty")


def check_document(file: str, count: int, raw: bytes, messages: MessageSchemas, game: PayloadSchema | None) -> Finding:
    """Check one document that is well-formed."""
    try:
        message = decode(raw)
        messages.check(raw)
        check_login(message)
        check_sketch(message)
        check_game(message, game)
    except WrongMessage as wrong:
        return Finding(file, count, "wrong", str(wrong))
    return Finding(file, count, message.TYPE)


def check_login(message: Message) -> None:
    """What a server would answer with one of the login errors. Raises :class:`WrongMessage`."""
    if isinstance(message, PlayerLogin):
        named = {"nick": message.nick, "gameType": message.game_type}
    elif isinstance(message, GameMasterLogin):
        named = {"id": message.id, "gameType": message.game_type}
    else:
        return
    for attribute, value in named.items():
        wrong = wrong_name(value)
        if wrong is not None:
            raise WrongMessage(f"{message.TYPE}: {attribute} {value!r} {wrong}")
    if isinstance(message, GameMasterLogin):
        least, most = number(message.players_min), number(message.players_max)
        if least is None or most is None or not 2 <= least <= most:
            raise WrongMessage(
                f"{message.TYPE}: playersMin {message.players_min!r}, playersMax {message.players_max!r}: "
                "allowed: whole numbers, 2 <= playersMin <= playersMax"
            )


def check_sketch(message: Message) -> None:
    """What a server would refuse in a sketch, whoever plays. Raises :class:`WrongMessage`."""
    if isinstance(message, Sketch):
        wrong = unfit(message.sketch)
        if wrong:
            raise WrongMessage(f"{message.TYPE}: {wrong}")


def check_game(message: Message, game: PayloadSchema | None) -> None:
    """The payloads against their game's schema. Raises :class:`WrongMessage`."""
    if game is not None:
        for payload in payloads(message):
            game.check(payload)


def payloads(message: Message) -> list[bytes]:
    """All elements in a message that belong to the game, in their order."""
    match message:
        case Move(payload=payload) | GameState(payload=payload) | Moved(payload=payload):
            return [payload]
        case Views(views=views):
            return [view.payload for view in views]
        case Restore(happened=happened):
            return [past.payload for past in happened if isinstance(past, PastMove)]
        case Watching(state=state) | GameEvent(state=state):
            return [state] if state else []
        case _:
            return []
