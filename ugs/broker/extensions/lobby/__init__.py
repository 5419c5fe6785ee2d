"""The family ``lobby``: tables that players set up, lists, and news of seats and ends of games.

tables.py    requests about tables, and how games begin there
leaving_tables.py  how players leave tables, and tables are removed
choices.py   choices for a table, and which master can lead its game
lists.py     players, game types and tables that are here
news.py      who sits where, and why a game ended
"""

from ugs.broker import facts
from ugs.broker.extensions.lobby import choices, leaving_tables, lists, news, tables
from ugs.broker.extensions.request import PLAYERS, ExtensionModule, Request
from ugs.broker.state.server_state import ServerState
from ugs.wire import extensions as x

LOBBY = frozenset({x.Family.LOBBY})


def _begun(server: ServerState, fact: facts.GameBegun) -> None:
    news.begun(server, fact)
    tables.game_begun(server, fact)


EXTENSION = ExtensionModule(
    requests={
        x.ListPlayers: Request(LOBBY, PLAYERS, lists.players, is_list=True),
        x.ListGameTypes: Request(LOBBY, PLAYERS, lists.game_types, is_list=True),
        x.ListTables: Request(LOBBY, PLAYERS, lists.tables, is_list=True),
        x.Advertise: Request(LOBBY, PLAYERS, tables.advertise, choices.wrong_shape, goes_to_many=True),
        x.Join: Request(LOBBY, PLAYERS, tables.join, goes_to_many=True),
        x.Start: Request(LOBBY, PLAYERS, tables.start),
        # Not limited: leaving and cancelling are never refused, no matter how much was asked before.
        x.Cancel: Request(LOBBY, PLAYERS, leaving_tables.cancel),
        x.Quit: Request(LOBBY, PLAYERS, leaving_tables.quit_table),
        x.Wait: Request(LOBBY, PLAYERS, tables.wait),
    },
    hooks={
        facts.GameBegun: _begun,
        facts.SeatsChanged: news.seats_changed,
        facts.GameEnding: news.ending,
        facts.GameOver: leaving_tables.game_over,
        facts.PlayerLeft: leaving_tables.player_left,
        facts.LineChanged: news.line_changed,
        facts.MasterReady: tables.master_ready,
        facts.PeerGone: leaving_tables.peer_gone,
        facts.Unreachable: leaving_tables.unreachable,
        facts.PlayerSilent: leaving_tables.player_silent,
        facts.TableLeft: leaving_tables.table_left,
        facts.TableSilent: leaving_tables.table_silent,
    },
)
