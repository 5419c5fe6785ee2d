"""What options of games are for, as people read it."""

from ugs.pictures.installed_renderers import explained
from ugs.printable import safe


def purpose(name: str, game_type: str) -> str:
    """What an option is for, as an installed game of this type explains it; empty where none does."""
    return safe(explained().get(game_type, {}).get(name, ""))
