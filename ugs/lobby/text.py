"""The lists of the lobby as laid-out text for people, and as plain values for JSON."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Final, TypeAlias

from rich.table import Table

from ugs.durations import duration_text
from ugs.lobby.client import NOWHERE, Answer
from ugs.terminal import grid
from ugs.wire.extensions import GameTypeInfo, GameTypes, OfferedOption, PlayerInfo, Players, TableInfo

Row: TypeAlias = tuple[str, ...]

COLUMNS_OF_PLAYERS: Final = ("nick", "game type", "does", "table or game", "here for", "silent for", "line")
COLUMNS_OF_TYPES: Final = ("game type", "players", "game master", "plays empty seats", "options")
COLUMNS_OF_TABLES: Final = ("name", "id", "set up by", "seats", "free", "computers", "for", "options", "invited")
DOES: Final = {"WAITING": "waits", "JOINED": "sits at a table", "PLAYING": "plays"}


def without_visitor(answer: Answer, nick: str) -> Answer:
    """The list without the entries that exist only because of this visit: the visitor's nick and its game type."""
    if isinstance(answer, Players):
        return Players(tuple(player for player in answer.players if player.nick != nick))
    if isinstance(answer, GameTypes):
        return GameTypes(tuple(game for game in answer.games if game.game_type != NOWHERE))
    return answer


def as_values(answer: Answer) -> dict[str, object]:
    """The value that ``--json`` prints."""
    if isinstance(answer, Players):
        return {"players": [asdict(player) for player in answer.players]}
    if isinstance(answer, GameTypes):
        return {"types": [asdict(game) for game in answer.games]}
    return {"tables": [asdict(table) for table in answer.tables]}


def as_grid(answer: Answer) -> Table | str:
    """The list for a terminal; a sentence when it is empty."""
    if isinstance(answer, Players):
        if any(player.node for player in answer.players):
            of_nodes = ((*_player(player), player.node) for player in answer.players)
            return _grid((*COLUMNS_OF_PLAYERS, "node"), of_nodes, "no other players are here")
        return _grid(COLUMNS_OF_PLAYERS, map(_player, answer.players), "no other players are here")
    if isinstance(answer, GameTypes):
        if any(game.node for game in answer.games):
            rows = ((*_game_type(game), game.node) for game in answer.games)
            return _grid((*COLUMNS_OF_TYPES, "node"), rows, "nothing is played here")
        return _grid(COLUMNS_OF_TYPES, map(_game_type, answer.games), "nothing is played here")
    return _grid(COLUMNS_OF_TABLES, map(_table, answer.tables), "no table is open to you")


def _grid(columns: Sequence[str], rows: Iterator[Row], otherwise: str) -> Table | str:
    shown = grid(columns, rows)
    return shown if shown.row_count else otherwise


def _player(player: PlayerInfo) -> Row:
    does = DOES.get(player.play, player.play)
    line = "cut" if player.connection == "DISCONNECTED" else "up"
    since, silent = duration_text(round(player.since_s)), duration_text(round(player.active_s))
    return player.nick, player.game_type, does, player.game_id, since, silent, line


def _game_type(game: GameTypeInfo) -> Row:
    most = f" to {game.players_max}" if game.players_max > game.players_min else ""
    players = f"{game.players_min}{most}" if game.master else ""
    options = ", ".join(map(_option, game.options))
    return game.game_type, players, _yes_or_no(game.master), _yes_or_no(game.programs), options


def _option(option: OfferedOption) -> str:
    """``mode=STANDARD (STANDARD, ADULT)``: the default, and the values that can be chosen."""
    words = option.values.split()
    if option.least is not None and option.most is not None:
        words.append(f"{option.least} to {option.most}")
    elif option.least is not None:
        words.append(f"from {option.least}")
    elif option.most is not None:
        words.append(f"up to {option.most}")
    return f"{option.name}={option.value} ({', '.join(words) or 'any text'})"


def _table(table: TableInfo) -> Row:
    options = ", ".join(f"{choice.name}={choice.value}" for choice in table.options)
    numbers = map(str, (table.seats, table.free, table.computers))
    whom = "all" if table.visibility == "PUBLIC" else "the invited"
    return table.name, table.id, table.owner, *numbers, whom, options, ", ".join(table.invited)


def _yes_or_no(value: bool) -> str:
    return "yes" if value else "no"
