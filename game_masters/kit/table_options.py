"""A bot's options about tables, and the place to play that they describe."""

from dataclasses import dataclass

from game_masters.kit.hosting import Guest, Host
from game_masters.kit.resuming import RESUME
from game_masters.kit.rules import AnyGame
from game_masters.kit.tables import Place
from ugs.wire.extensions import NewTable, Visibility
from ugs.wire.messages import Choice


class BadTable(Exception):
    """Options about tables that cannot be met. ``option`` is the one to change, ``text`` gives the reason."""

    def __init__(self, option: str, text: str) -> None:
        super().__init__(f"{option}: {text}")
        self.option = option
        self.text = text


@dataclass(frozen=True)
class TableOptions:
    """The options of the command line that are about tables, as they were given; None: not given."""

    advertise: str | None = None
    join: str | None = None
    seats: int | None = None
    private: bool = False
    invite: tuple[str, ...] = ()
    computers: int | None = None
    start_with: int | None = None
    resume: str | None = None

    def place(self, game: AnyGame, game_type: str, choices: tuple[Choice, ...], *, v4: bool = False) -> Place | None:
        """Return where a bot of this game plays; None: in the pool. ``choices`` are the given options of the game.

        Raises :class:`BadTable`.
        """
        if self.advertise is None:
            self._needs_no_table()
        if self.advertise is None and self.join is None:
            return None
        way = "--join" if self.advertise is None else "--advertise"
        if v4:
            raise BadTable("--v4", f"plain v4 knows no tables; leave out this or {way}")
        if self.join is None:
            return Host(game_type, self._table(game, self.advertise or "", choices), self.start_with)
        if self.advertise is not None:
            raise BadTable("--join", "a bot sits at one table; leave out this or --advertise")
        if not self.join:
            raise BadTable("--join", "'' is no name or id of a table")
        return Guest(game_type, self.join)

    def _needs_no_table(self) -> None:
        chosen = {
            "--seats": self.seats is not None,
            "--private": self.private,
            "--invite": bool(self.invite),
            "--computers": self.computers is not None,
            "--start-with": self.start_with is not None,
            "--resume": self.resume is not None,
        }
        for option, is_chosen in chosen.items():
            if is_chosen:
                raise BadTable(option, "goes with --advertise, which gives the table its name")

    def _table(self, game: AnyGame, name: str, choices: tuple[Choice, ...]) -> NewTable:
        if not name:
            raise BadTable("--advertise", "'' is no name; a table needs at least one character")
        if "" in self.invite:
            raise BadTable("--invite", "'' is no nick")
        computers = self.computers or 0
        guests = len(set(self.invite))
        wanted = 1 + guests + computers
        # As many as come, within what the game allows.
        seats = min(max(wanted, game.players.min), game.players.max) if self.seats is None else self.seats
        if not game.players.min <= seats <= game.players.max:
            most = f" to {game.players.max}" if game.players.max > game.players.min else ""
            raise BadTable("--seats", f"{seats} is not allowed; allowed: {game.players.min}{most}")
        players = seats - computers
        if players < 1:
            raise BadTable("--computers", f"{computers} is not allowed at {seats} seats; allowed: 0 to {seats - 1}")
        if self.start_with is not None and self.start_with > players:
            raise BadTable("--start-with", f"{self.start_with} is not allowed; allowed: 1 to {players}")
        needed = players if self.start_with is None else self.start_with
        if self.private and needed > 1 + guests:
            short = (
                f"only {guests} could come besides; --invite more"
                if guests
                else "no other player could come; --invite them"
            )
            raise BadTable("--private", f"{needed} players are needed, and {short}")
        if self.resume is not None:
            choices = (*choices, Choice(RESUME, self.resume))
        visibility = Visibility.PRIVATE if self.private else Visibility.PUBLIC
        return NewTable(name, seats, visibility, computers, choices, self.invite)
