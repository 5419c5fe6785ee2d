"""How nim looks: a column for each heap, from the bottom. A counter takes itself and all above it."""

from collections.abc import Sequence
from xml.sax.saxutils import escape

from ugs_nim.notation import write_move
from ugs_nim.rules import Take, View


def sketch(view: View, nicks: Sequence[str], seat: int | None) -> bytes:
    """The ``<sketch>`` of a position. Nothing is hidden, so all see the same."""
    rows = max(1, *view.heaps)
    parts = [f'<grid columns="{len(view.heaps)}" rows="{rows}"/>']
    stacked = [f"{heap},{rows - 1 - height}" for heap, size in enumerate(view.heaps) for height in range(size)]
    if stacked:
        parts.append(f'<pieces at="{" ".join(stacked)}" colour="blue"/>')
    if view.refused:
        parts.append(f"<news>{escape(view.refused[:100])}</news>")
    for heap, size in enumerate(view.heaps):
        for count in range(1, size + 1):
            cell = f"{heap},{rows - 1 - size + count}"
            label = f"take {count} from heap {heap}"
            move = write_move(Take(heap, count)).decode()
            parts.append(f'<offer label="{label}" at="{cell}">{move}</offer>')
    return f"<sketch>{''.join(parts)}</sketch>".encode()
