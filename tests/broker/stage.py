"""A stage on which dialogues with the server are played from a script, in which the order between peers is visible.

A script is a text. A line that begins with ``-`` is something that happens. The indented lines below it are what peers
hear of it, in the order in which the server says it. A line that begins with ``*`` happens as well; what is heard of it
is left out:

    * m leads 2 to 2
    * ann comes with v4
    - ben comes with v4
        m: beginGame g1: ann, ben
    - m: turn g1 ann
        ann, ben: gameState g1: ann to move
    - ann: move g1 e4
        m: move g1 e4

:func:`played` does what the script says and returns the script as it should have been written, so a test is one
equality. Longer dialogues stand in text files, which :func:`transcripts` reads. ``championsList`` messages and what
every peer hears that logs in are left out.

What can happen:

- ``NICK comes [with FAMILY …] [for GAME_TYPE]``: a player logs in; without ``with`` it asks for session and lobby,
  ``with v4`` for nothing;
- ``NAME leads LEAST to MOST [with FAMILY …] [offers NAME=WORD|WORD …]``: a game master logs in;
- ``NAME connects``, ``NAME greets with FAMILY …``: a peer connects, or connects and says x-hello;
- ``NAME: REQUEST``: a peer says something; :mod:`tests.broker.requests` has the requests;
- ``NAME misspells TYPE``: a peer sends a message of this type that cannot be read;
- ``NAME is cut``, ``NICK returns [with FAMILY …]``: a connection is lost, a player comes back with its token;
- ``N s pass``, and the other ``EVENTS``;
- ``SETTING = VALUE``: a setting of the server; stands before everything else.
"""

import json
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any, Self

from tests.broker.house import CHESS, House, Peer
from tests.broker.requests import asked, offered
from tests.broker.telling import is_untold, told
from ugs.broker.effects import Close, Effect, Send
from ugs.broker.events import JournalBack, JournalLost, Misread
from ugs.wire.extensions import Family

INDENT = "    "
USUAL = (Family.SESSION, Family.LOBBY)
"""The families that a player asks for, unless the script says otherwise."""


class Stage(House):
    """A house that writes down what the server says."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.names: dict[int, str] = {}
        """The name of each connection."""
        self.actors: dict[str, Peer] = {}
        """The peers that have come, by nick or id."""
        self.tokens: dict[str, str] = {}
        """The tokens of the players with sessions, by nick."""
        self.heard: list[str] = []

    def _carry_out(self, effect: Effect) -> None:
        super()._carry_out(effect)
        match effect:
            case Send(to=to, message=message) if not is_untold(message):
                self.heard.append(f"{', '.join(map(self._name, to))}: {told(message)}")
            case Close(conn=conn):
                self.heard.append(f"{self._name(conn)}: closed")

    def _name(self, conn: int) -> str:
        return self.names.get(conn, f"connection {conn}")

    def enters(self, name: str, enter: Callable[[], Peer]) -> None:
        """``enter`` connects a peer, which is called ``name`` from its first message on."""
        self.names[len(self.peers) + 1] = name
        self.actors[name] = peer = enter()
        if peer.token:
            self.tokens[name] = peer.token

    def next_life(self) -> Self:
        """The server is killed and starts again; of those who were there only the tokens are left."""
        stage = self.again()
        stage.tokens = self.tokens
        return stage


def played(script: str) -> str:
    """The script as it is when it is played. Raises AssertionError for a line that says nothing that can happen."""
    lines = [line for line in written(script).splitlines() if not line.startswith(INDENT)]
    settings = {name: json.loads(value) for name, equals, value in map(_setting, lines) if equals}
    stage = Stage(**settings)
    result: list[str] = []
    for line in lines:
        if not _setting(line)[1]:
            stage = happens(stage, line[2:])
        result.append(line)
        if line.startswith("- "):
            result += [f"{INDENT}{one}" for one in stage.heard]
        stage.heard.clear()
    return "\n".join(result)


def written(script: str) -> str:
    """The script as it is written, with the white space of ``played``."""
    lines = [line.strip() for line in script.strip().splitlines() if line.strip()]
    return "\n".join(line if line.startswith(("- ", "* ")) else INDENT + line for line in lines)


def dialogues(path: Path) -> list[tuple[str, str]]:
    """The dialogues of one file, as (title, script). A title follows ``==``; lines that begin with ``#`` are comments,
    as is all before the first title."""
    _, *parts = path.read_text(encoding="utf-8").split("\n== ")
    split = [part.partition("\n") for part in parts]
    uncommented = [[line for line in text.splitlines() if not line.startswith("#")] for _, _, text in split]
    return [(title, "\n".join(lines)) for (title, _, _), lines in zip(split, uncommented, strict=True)]


def transcripts(folder: Path) -> dict[str, str]:
    """The scripts of all text files in a folder, by ``file: title``. Raises AssertionError when there is none, or when
    two of one file have the same title."""
    found = [
        (f"{path.stem}: {title}", script) for path in sorted(folder.glob("*.txt")) for title, script in dialogues(path)
    ]
    scripts = dict(found)
    assert 0 < len(scripts) == len(found), f"two dialogues in {folder} have the same title, or there is none"
    return scripts


def _setting(line: str) -> tuple[str, str, str]:
    """``* max_tables = 3`` -> its name, ``=``, its value as JSON; without a ``=`` it is no setting."""
    return line[2:].partition(" = ") if ": " not in line else ("", "", "")


# What happens.


def happens(stage: Stage, line: str) -> Stage:
    """Do what one line says. Returns the stage on which the dialogue goes on: a new one after a restart."""
    name, colon, request = line.partition(": ")
    words = line.split()
    if colon:
        stage.actors[name].says(asked(shlex.split(request)))
    elif line == RESTART:
        return stage.next_life()
    elif line in EVENTS:
        EVENTS[line](stage)
    elif words[1:] == ["s", "pass"]:
        stage.passes(float(words[0]))
    elif words[1] in ACTS:
        ACTS[words[1]](stage, words[0], words[2:])
    else:
        raise AssertionError(f"nothing that can happen: {line!r}")
    return stage


def _split(words: list[str]) -> dict[str, list[str]]:
    """``2 to 4 with table lobby`` -> the words behind each of ``with``, ``for`` and ``offers``; the first ones under
    the empty text."""
    parts: dict[str, list[str]] = {"": []}
    current = ""
    for word in words:
        if word in ("with", "for", "offers"):
            current = word
            parts[current] = []
        else:
            parts[current].append(word)
    return parts


def _comes(stage: Stage, nick: str, words: list[str]) -> None:
    parts = _split(words)
    (game_type,) = parts.get("for", [CHESS])
    if parts.get("with") == ["v4"]:
        stage.enters(nick, lambda: stage.player(nick, game_type))
    else:
        families = tuple(map(Family, parts["with"])) if "with" in parts else USUAL
        stage.enters(nick, lambda: stage.guest(nick, *families, game_type=game_type))


def _leads(stage: Stage, name: str, words: list[str]) -> None:
    parts = _split(words)
    least, _, most = parts[""]
    players = (int(least), int(most))
    if "with" not in parts:
        stage.enters(name, lambda: stage.master(name, players))
    else:
        options = tuple(map(offered, parts.get("offers", [])))
        families = tuple(map(Family, parts["with"]))
        stage.enters(name, lambda: stage.leader(name, *families, players=players, options=options))


def _connects(stage: Stage, name: str, _words: list[str]) -> None:
    stage.enters(name, stage.connects)


def _greets(stage: Stage, name: str, words: list[str]) -> None:
    stage.enters(name, lambda: stage.greets(*map(Family, _split(words)["with"])))


def _is(stage: Stage, name: str, words: list[str]) -> None:
    assert words == ["cut"]
    stage.actors[name].is_lost()


def _returns(stage: Stage, nick: str, words: list[str]) -> None:
    families = tuple(map(Family, _split(words).get("with", USUAL)))
    stage.enters(nick, lambda: stage.returns(stage.tokens[nick], *families))


def _misspells(stage: Stage, name: str, words: list[str]) -> None:
    (kind,) = words
    stage.happens(Misread(stage.actors[name].conn, f"{kind}: what it is that is wrong", kind, "7"))


ACTS: dict[str, Callable[[Stage, str, list[str]], None]] = {
    "comes": _comes,
    "leads": _leads,
    "connects": _connects,
    "greets": _greets,
    "is": _is,
    "returns": _returns,
    "misspells": _misspells,
}
"""What a peer does, by the second word of a line: called with the stage, its name, and the words that follow."""
RESTART = "the server is killed and starts again"
EVENTS: dict[str, Callable[[Stage], object]] = {
    "the server is asked to stop": Stage.is_asked_to_stop,
    "the journal is lost": lambda stage: stage.happens(JournalLost("disk full")),
    "the journal is back": lambda stage: stage.happens(JournalBack()),
    "the disk is slow": lambda stage: setattr(stage, "disk_is_slow", True),
    "the disk catches up": Stage.disk_catches_up,
}
"""What happens to the server, beside ``RESTART``."""
