"""Whatever a game master does wrong in the middle of a game, no player loses by it, and the log says what it was."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

import pytest
import trio
from structlog.testing import capture_logs

from tests.soak.scene import Opens, Scene
from ugs.soak import traffic
from ugs.soak.bad_master import GARBAGE
from ugs.soak.target import game_id
from ugs.wire.messages import Error

Says = Callable[[str], bytes]
TOO_MANY = 40
"""More than ``max_errors_per_minute``."""


def _views(game: str, inside: str) -> bytes:
    return f'<message type="x-views"><gameId id="{game}"/>{inside}</message>'.encode()


def _wrong(game: str) -> bytes:
    """All that a master can say wrongly about who plays on, or has won."""
    return b"".join(
        (
            traffic.state(game, "nobody"),
            traffic.over(game, "p0", ["nobody"]),
            traffic.over(game, "p0", ["p0", "p1"]),
            traffic.over(game, "p0", []),
            traffic.state("another", "p0"),
        )
    )


def _gives_up(game: str) -> bytes:
    reason = '<reason code="INVALID_REQUEST">its program has failed</reason>'
    return f'<message type="x-failed"><gameId id="{game}"/>{reason}</message>'.encode()


def _wrong_views(game: str) -> bytes:
    view = '<view nick="{}"><gameState/></view>'.format
    public, asks = "<gameState/>", '<nextPlayer nick="p1"/>'
    bodies = (view("nobody") + asks + public, asks + view("p0") * 2 + public, view("p0") + public, asks * 2 + public)
    return b"".join(_views(game, body) for body in bodies)


WRONG: dict[str, tuple[Says, str, str]] = {
    "silence": (lambda game: b"", "master silent", "master silent"),
    "errors": (lambda game: traffic.errors(TOO_MANY), "master silent", "peer reports an error"),
    "unknown messages": (
        lambda game: b'<message type="nonsense"/>' * TOO_MANY,
        "master lost",
        "unknown type 'nonsense'",
    ),
    "strangers, twice the same, nobody": (_wrong, "master silent", "not a player in game"),
    "wrong views": (_wrong_views, "master silent", "there twice"),
    "logout": (lambda game: b'<message type="logout"/>', "master lost", "logged out"),
    "no XML": (lambda game: b"It is the turn of p1", "master lost", "begins with"),
    "ill-formed": (lambda game: b'<message type="gameState"><a></message>', "master lost", "mismatched tag"),
    "it gives up": (_gives_up, "given up", "its program has failed"),
    "half a state": (lambda game: traffic.state(game, "p1", 900)[:500], "master silent", "master silent"),
    "a state that goes on for ever": (
        lambda game: traffic.unfinished(2_000_000),
        "master lost",
        "longer than 1048576 bytes",
    ),
}
"""What it says when it has been told of a move, the verdict, and what stands in the log."""


TIMES: dict[str, Any] = {"move_timeout_s": 1000, "master_timeout_s": 5, "begin_timeout_s": 5}


async def ended(opens: Opens, monkeypatch: pytest.MonkeyPatch, says: Says) -> tuple[Mapping[str, Any], str, list[str]]:
    """How a game ended whose master says this when p0 has moved: its line of the log, the whole log as text, and what
    p0 and p1 were told last. The calm game beside it goes on."""
    scene = await Scene.opens(opens, monkeypatch, document_timeout_s=60, game_types={traffic.GAME_TYPE: TIMES})
    with capture_logs() as logs:
        master = await scene.master("table", "views", "movers")
        players = [await scene.player(f"p{number}") for number in range(2)]
        game = game_id((await master.document() or b"").decode())
        await master.says(traffic.state(game, "p0"))
        for player in players:
            await player.hears()
        await players[0].says(traffic.move(game))
        await master.document()
        with suppress(trio.BrokenResourceError):
            await master.says(says(game))
        told = [await player.hears(20) for player in players]
    (line,) = (line for line in logs if line["event"] == "game ended" and line["game"] == game)
    assert all(isinstance(one, Error) for one in told)
    await scene.meets()
    await scene.goes_on()
    return line, repr(logs), [one.text for one in told if isinstance(one, Error)]


@pytest.mark.parametrize(("says", "verdict", "logged"), WRONG.values(), ids=WRONG)
async def test_no_player_loses_by_what_its_master_does_wrong(
    opens: Opens, monkeypatch: pytest.MonkeyPatch, autojump_clock: object, says: Says, verdict: str, logged: str
) -> None:
    line, log, told = await ended(opens, monkeypatch, says)
    assert (line["verdict"], line["fault"]) == (verdict, "master")
    assert line["outcomes"] == {"p0": "void", "p1": "void"}
    assert logged in log
    assert {text.partition(":")[0] for text in told} == {"game void"}


@pytest.mark.parametrize("number", range(len(GARBAGE)))
async def test_no_player_loses_by_any_answer_of_the_bad_master_of_the_soak(
    opens: Opens, monkeypatch: pytest.MonkeyPatch, autojump_clock: object, number: int
) -> None:
    line, _, _ = await ended(opens, monkeypatch, lambda game: GARBAGE[number](game, ["p0", "p1"]))
    assert (line["fault"], set(line["outcomes"].values())) == ("master", {"void"})


async def test_the_same_when_its_line_is_cut(
    opens: Opens, monkeypatch: pytest.MonkeyPatch, autojump_clock: object
) -> None:
    scene = await Scene.opens(opens, monkeypatch)
    master, players, game = await scene.game()
    await master.says(traffic.state(game, "p0"))
    with capture_logs() as logs:
        await master.hangs_up()
        for player in players:
            while not isinstance(await player.hears(), Error):
                pass
    (line,) = (line for line in logs if line["event"] == "game ended")
    assert (line["verdict"], set(line["outcomes"].values())) == ("master lost", {"void"})
    await scene.goes_on()


async def test_of_three_nobody_but_the_leaver_could_lose_when_its_master_falls_silent(
    opens: Opens, monkeypatch: pytest.MonkeyPatch, autojump_clock: object
) -> None:
    """The game is void, for the leaver as well: nobody knows how it would have gone on."""
    scene = await Scene.opens(opens, monkeypatch, game_types={traffic.GAME_TYPE: TIMES})
    master = await scene.enters(traffic.hello("table"), traffic.master_login("evil", 3, 3), traffic.offers())
    players = [await scene.player(f"p{number}") for number in range(3)]
    game = game_id((await master.document() or b"").decode())
    await master.says(traffic.state(game, "p0"))
    with capture_logs() as logs:
        await players[0].says(f'<message type="leaveGame"><gameId id="{game}"/></message>'.encode())
        for player in players[1:]:
            while not isinstance(await player.hears(20), Error):
                pass
    (line,) = (line for line in logs if line["event"] == "game ended")
    assert (line["verdict"], line["fault"], set(line["outcomes"].values())) == ("master silent", "master", {"void"})
    await scene.goes_on()
