"""The family ``watch``: spectators follow games, from their begin or from now, at once or later.

asking.py            requests of spectators, and what is wrong with them
catching_up.py       spectators who get the past
delayed_channels.py  channels that events are published on, at once or later
stand.py             the state: channels, and who follows what
"""

from ugs.broker import facts
from ugs.broker.events import TimerKind
from ugs.broker.extensions.request import SPECTATORS, ExtensionModule, Request
from ugs.broker.extensions.watch import asking, catching_up, delayed_channels
from ugs.wire.extensions import Family, ListGames, Unwatch, Watch

WATCH = frozenset({Family.WATCH})

EXTENSION = ExtensionModule(
    requests={
        Watch: Request(WATCH, SPECTATORS, asking.watch, asking.wrong, is_list=True),
        Unwatch: Request(WATCH, SPECTATORS, asking.unwatch),
        ListGames: Request(WATCH, SPECTATORS, asking.list_games, is_list=True),
    },
    hooks={
        facts.GameBegun: delayed_channels.begun,
        facts.EntryWritten: delayed_channels.written,
        facts.MasterAwaited: delayed_channels.master_awaited,
        facts.PastRecalled: catching_up.recalled,
        facts.PeerGone: delayed_channels.gone,
        facts.Proven: asking.proven,
    },
    timers={TimerKind.SPECTATORS: catching_up.due},
)
