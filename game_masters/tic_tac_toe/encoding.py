"""Five in line as numbers, for learners: fields column by column, and three planes of the board.

They are one's own stones, the other's, and free fields; a plane has ``width`` columns of ``height`` fields.
"""

from game_masters.kit.encoding import ChosenOptions, Encoding, Reader
from game_masters.tic_tac_toe.rules import Cell, View


def _size(options: ChosenOptions) -> tuple[int, int]:
    return options.integer("width"), options.integer("height")


def _moves(options: ChosenOptions, seats: int) -> tuple[Cell, ...]:
    width, height = _size(options)
    return tuple(Cell(x, y) for x in range(width) for y in range(height))


def _shape(options: ChosenOptions, seats: int) -> tuple[int, ...]:
    return (3, *_size(options))


def _follow(options: ChosenOptions, seats: int, seat: int) -> Reader[View]:
    width, height = _size(options)
    fields = width * height
    planes = bytearray(2 * fields) + b"\1" * fields
    read = 0

    def reader(view: View) -> tuple[bytes, bytes]:
        """Stones only come on top of those that were read before."""
        nonlocal read
        stones = view.stones
        for place in range(read, len(stones)):
            cell = stones[place]
            number = cell.x * height + cell.y
            planes[number if place % 2 == seat else fields + number] = 1
            planes[2 * fields + number] = 0
        read = max(read, len(stones))
        return bytes(planes), bytes(planes[2 * fields :])

    return reader


ENCODING: Encoding[Cell, View] = Encoding(moves=_moves, shape=_shape, highest=1, follow=_follow)
