"""The names of the families. Each family has a module of its name in this package."""

from enum import StrEnum


class Family(StrEnum):
    """What a peer may ask for. The values are the wire names."""

    SESSION = "session"
    """A player keeps its seat when its connection is cut, and is warned before a time-out."""
    STATE = "state"
    """A player may ask for its last state again."""
    LOBBY = "lobby"
    """A player sees who is there and plays at tables that players set up."""
    CHAT = "chat"
    """Players and spectators talk."""
    CLOCK = "clock"
    """A player learns how much time it has left."""
    WATCH = "watch"
    """A spectator follows games."""
    VIEWS = "views"
    """A master shows each player a state of its own."""
    TABLE = "table"
    """A master takes options, plays the free seats, and labels the seats."""
    MOVERS = "movers"
    """A master lets several players move at the same time."""
    RESTORE = "restore"
    """A master can take over a game from its seed and its moves."""
    REJOIN = "rejoin"
    """A player who has left a game takes its seat again, and a master gives it back."""
    REASON = "reason"
    """A master gives the reason of an end, and players ask why they wait or lost."""
    SKETCH = "sketch"
    """A master describes how a position looks, and what may be done in it."""
