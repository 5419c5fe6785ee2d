"""Chat: to named players, or to everybody at a table or in a game."""

from collections.abc import Callable, Iterable

from ugs.broker.desk import Desk
from ugs.broker.extensions.refusal import Refusal
from ugs.broker.games import Games
from ugs.broker.link import Link, LinkState
from ugs.broker.logins import unique_form
from ugs.wire.extensions import Ok, Reason, Said, Say


class Chat:
    """Passes on what is said.

    ``audiences`` say who else listens, and may speak, at the table or in the game of an id: those who watch it.
    """

    def __init__(self, desk: Desk, games: Games) -> None:
        self._desk = desk
        self._games = games
        self.audiences: list[Callable[[str], Iterable[Link]]] = []

    def say(self, link: Link, message: Say) -> Refusal | None:
        """Somebody says something; who cannot be reached is left out without a word."""
        desk, most = self._desk, self._desk.config.max_chat_characters
        if bool(message.to) == bool(message.table):
            return _refusal(Reason.INVALID_REQUEST, "<to> or <table>: allowed is one of them, and not both")
        if not 1 <= len(message.text) <= most:
            text = f"text: has {len(message.text)} characters; allowed are 1 to {most}"
            return _refusal(Reason.INVALID_REQUEST, text)
        if not desk.chat_allowed(link):
            most = desk.config.chat_per_minute
            return _refusal(Reason.RATE_LIMIT, f"allowed are {most} within a minute")
        if link.state is LinkState.WATCHING and not link.name:
            return _refusal(Reason.INVALID_PLAYER, "a spectator without a nick may listen only")
        if message.table:
            around = self._around(link, message.table)
            if link not in around:
                return _refusal(Reason.INVALID_GAME, f"table id {message.table!r}: you are not there")
            hearers = [one for one in around if one is not link]
        else:
            forms = map(unique_form, message.to)
            named = [desk.nicks.get(form) or desk.spectator_nicks.get(form) for form in forms]
            hearers = [one for one in named if one is not None]
        desk.tell(dict.fromkeys(hearers), Said(link.name, message.to, message.table, message.text))
        desk.tell([link], Ok(message.ref))
        return None

    def _around(self, link: Link, table_id: str) -> list[Link]:
        """Everybody at a table or in a game, and whoever watches it; for those who were in a game also when it is
        over, until they have said thank you."""
        table = self._desk.tables.get(table_id)
        there = list(table.members) if table is not None else []
        over = link.game if link.game is not None and link.game.id == table_id else None
        game = self._games.find(table_id) or over
        if game is not None:
            there += [player for player in game.present.values() if player.game is game]
        for watching in self.audiences:
            there += watching(table_id)
        return there


def _refusal(reason: Reason, text: str) -> Refusal:
    return Refusal(reason, f"{Say.TYPE}: {text}")
