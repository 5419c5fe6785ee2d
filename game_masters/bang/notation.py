"""Bang! on the wire: what the kit wants of a notation. The parts are in ``parser/``.

A ``<gameState>`` holds, in this order: a ``server-event`` with ``enter-game``, a snapshot of what the reader knew; the
events since, each in the version of its reader; for the player who is asked, ``legal``, all moves of the game that it
may make. So each state is complete, and one event may be sent in several states, always with the same id.
"""

from game_masters.bang.parser.actions import read_move, write_move
from game_masters.bang.parser.reading import follow
from game_masters.bang.parser.writing import write_view

__all__ = ["follow", "read_move", "write_move", "write_view"]
