"""What a server and its page show, to be held against its journal."""

import json
import math
from collections.abc import Sequence
from typing import Final
from urllib.request import urlopen

import trio

from ugs.journal.reader import Reader
from ugs.peer import Peer
from ugs.soak.server_process import ServerProcess, SoakFailed
from ugs.wire.messages import ChampionRow, ChampionsList, Message

LATEST: Final = 40
"""Games that are looked for: fewer than a page shows, which may have some more by then."""
PATIENCE_S: Final = 30.0
WHOLE_LIST_S: Final = 120.0
"""Seconds from the beginning of the list until all of it is there."""


def not_shown(server: ServerProcess) -> Sequence[str]:
    """The latest games that have ended and that the page does not show; or why it cannot be asked. An answer may be a
    moment old: ask again."""
    if server.place.http is None:
        return []
    with Reader(server.data) as reader:
        ended = [game.game_id for _, game in reader.ended(limit=LATEST)]
    host, port = server.place.http
    try:
        with urlopen(f"http://{host}:{port}/api/v1/games", timeout=PATIENCE_S) as answer:
            shown = {game["game"] for game in json.load(answer)["games"]}
    except (OSError, ValueError) as error:
        return [str(error)]
    return [game for game in ended if game not in shown]


async def whole_list(peer: Peer, rows_kept: int) -> Sequence[ChampionRow]:
    """The rows of the standings that a player gets at the login; ``rows_kept`` is how many the server keeps. A busy
    server sends the first rows at once, and the whole list after all players who have waited longer: what has come
    within ``WHOLE_LIST_S`` counts. Raises SoakFailed when the line ends before any list has come."""
    rows: Sequence[ChampionRow] | None = None
    received: Message | None = None
    with trio.move_on_after(math.inf) as waiting:
        while rows is None or len(rows) < rows_kept:
            message = await peer.receive()
            if isinstance(message, ChampionsList):
                rows = message.rows
                waiting.deadline = min(waiting.deadline, trio.current_time() + WHOLE_LIST_S)
            elif message is None:
                break
            received = message
    if rows is None:
        raise SoakFailed(f"the line has ended after {received}")
    return rows
