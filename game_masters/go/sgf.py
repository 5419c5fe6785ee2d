"""Games of Go as SGF, the format of Go programs, by sgfmill."""

from collections.abc import Sequence

from game_masters.go.rules import PASS, View, point_of
from ugs.distributions import NotInstalled, install_for


def written(view: View, names: Sequence[str] = ("", ""), result: str = "") -> bytes:
    """Return a game as SGF: ``names`` are those of Black and White, ``result`` is like ``B+3.5``. Raises NotInstalled
    where sgfmill is missing."""
    try:
        from sgfmill.sgf import Sgf_game
    except ImportError as error:
        raise NotInstalled(f"games are not written as SGF: {install_for('sgfmill')}") from error
    game = Sgf_game(size=view.size)
    root = game.get_root()
    root.set("KM", view.komi2 / 2)
    root.set("RU", "AGA")
    for key, name in zip(("PB", "PW"), names, strict=True):
        if name:
            root.set(key, name)
    if result:
        root.set("RE", result)
    if any(view.setup):
        black, white = ({divmod(point_of(vertex, view.size), view.size) for vertex in side} for side in view.setup)
        root.set_setup_stones(black, white)
    first = (view.turn + len(view.moves)) % 2
    for place, vertex in enumerate(view.moves):
        colour = "bw"[(first + place) % 2]
        move = None if vertex == PASS.vertex else divmod(point_of(vertex, view.size), view.size)
        game.extend_main_sequence().set_move(colour, move)
    text: bytes = game.serialise()
    return text
