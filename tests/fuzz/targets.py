"""All targets: each takes any bytes, and raises only if something does not hold."""

from dataclasses import dataclass
from pathlib import Path
from pkgutil import resolve_name
from typing import Final

CORPUS: Final = Path(__file__).with_name("corpus")


@dataclass(frozen=True, slots=True)
class Target:
    """What is fed. It is imported when it is needed: atheris has to look on."""

    function: str
    """Its module and its name. It takes bytes, and raises only for an error of ours."""
    measured: tuple[str, ...]
    """The packages of which it tries to reach all code."""
    longest: int
    """Bytes of an input, at most: longer ones cost more time than they find."""
    dictionary: tuple[bytes, ...] = ()
    """What the fuzzer may put in as a whole."""

    def feed(self, data: bytes) -> None:
        """Feed one input."""
        resolve_name(self.function)(data)


MARKUP: Final = (
    *(b"<message", b"</message>", b"/>", b"<!--", b"-->", b"<![CDATA[", b"]]>", b"<?a?>", b"<!DOCTYPE", b"xmlns:p='u'"),
    *(b'<?xml version="1.0" encoding="UTF-8"?>', b"&lt;", b"&#13;", b"type='", b"</", b"\xc5\xbc", b"\xef\xbb\xbf"),
)
MESSAGES: Final = (
    *(b'<message type="playerLogin"><playerLogin nick="ann" gameType="go"/></message>', b'<message type="logout"/>'),
    *(b'<gameId id="g1"/>', b'<nextPlayer nick="ann"/>', b"<gameOver>", b"<gameState/>", b"<move/>"),
    *(b'result="winner"', b"x-hello", b"x-resume", b"x-views", b"x-advertise", b"x-watch", b"x-restore", b"\n~7\n"),
)
JSON: Final = (
    *(b'{"message":"', b'"player_id":"@1"', b'"context":{', b'"handle":"', b"REGISTER_PLAYER", b"null"),
    *(b"ADVERTISE_GAME", b"JOIN_GAME", b"START_GAME", b"EXECUTE_MOVE", b"SEND_MESSAGE", b"\\ud800", b"\\u0000", b"NaN"),
)

WIRE: Final = ("ugs.wire",)
BROKER: Final = ("ugs.broker", "ugs.championship")
GATEWAY: Final = ("game_masters.apologies.gateway",)

TARGETS: Final[dict[str, Target]] = {
    "framing": Target("tests.fuzz.wires:framing_target", WIRE, 1500, MARKUP),
    "codec": Target("tests.fuzz.wires:codec_target", WIRE, 2000, MARKUP + MESSAGES),
    "requests": Target("tests.fuzz.clients:requests_target", (*GATEWAY, "tests.fuzz.plainly"), 1500, JSON),
    "gateway": Target("tests.fuzz.clients:gateway_target", GATEWAY + BROKER, 4000, JSON),
    "talk": Target("tests.fuzz.talks:talk_target", WIRE + BROKER, 6000, MARKUP + MESSAGES),
    "broker": Target("tests.fuzz.lives:broker_target", BROKER, 3000),
    "sessions": Target("tests.fuzz.lives:sessions_target", BROKER, 3000),
}


def inputs(name: str) -> list[bytes]:
    """The corpus of a target, in the order of its files' names."""
    return [path.read_bytes() for path in sorted((CORPUS / name).iterdir())]
