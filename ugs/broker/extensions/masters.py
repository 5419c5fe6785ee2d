"""What game masters may say beyond v4: views, several movers, labels, offers, and that a game cannot be begun.

Each method returns what is wrong with the message, or None.
"""

from collections.abc import Callable

from ugs.broker.games import Games
from ugs.broker.link import Link
from ugs.wire.extensions import Failed, Family, Labels, Offers, Views


class Masters:
    """Listens to masters. ``ready`` is called with one that may be given games from now on."""

    def __init__(self, games: Games, ready: Callable[[Link], None]) -> None:
        self._games = games
        self._ready = ready

    def views(self, link: Link, message: Views) -> str | None:
        """A state for each player."""
        if not link.may(Family.VIEWS) and any(view.nick for view in message.views):
            return "x-views: a view with a nick, and the family views was not granted"
        return self._games.views(link, message)

    def labels(self, link: Link, message: Labels) -> str | None:
        """Who plays what."""
        return self._games.labels(link, message)

    def offers(self, link: Link, message: Offers) -> str | None:
        """What may be chosen for games of this master, which is given none before it has said so. Games that run
        keep what was chosen for them."""
        assert link.master is not None
        names = [option.name for option in message.options]
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice is not None:
            return f"x-offers: option name {twice!r}: there twice"
        link.master.offers = message.options
        self._ready(link)
        return None

    def failed(self, link: Link, message: Failed) -> str | None:
        """A game cannot be begun."""
        return self._games.declined(link, message.game_id, message.text)
