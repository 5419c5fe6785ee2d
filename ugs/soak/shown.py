"""What the page of a server shows, held against its journal."""

import json
from collections.abc import Sequence
from typing import Final
from urllib.request import urlopen

from ugs.journal.reader import Reader
from ugs.soak.server import Server

LATEST: Final = 40
"""Games that are looked for: fewer than a page shows, which may have some more by then."""
PATIENCE_S: Final = 30.0


def not_shown(server: Server) -> Sequence[str]:
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
