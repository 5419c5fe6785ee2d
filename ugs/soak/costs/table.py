"""All costs: one table."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from ugs.broker.entrance import pool
from ugs.broker.play import intake
from ugs.broker.state.history import MAX_RECENT_ENTRIES
from ugs.broker.values.recollection import MAX_LISTED_BYTES
from ugs.broker.views import closed_types, public
from ugs.config import parse
from ugs.sketch.decoding import MAX_OFFERS
from ugs.soak.costs import documents, entrance, games, lobby, page
from ugs.soak.costs.scene import Cost, Limit
from ugs.wire import document_limits
from ugs.wire.extensions import chat, common_parts, negotiation
from ugs.wire.extensions.remark import MAX_REMARK_BYTES
from ugs.wire.text_limits import MAX_REASON

_DEFAULTS: Final = parse({}, "defaults")


def _setting(name: str) -> Limit:
    """A setting, with its default."""
    return Limit(name, int(getattr(_DEFAULTS, name)))


BYTES: Final = _setting("max_message_bytes")
BYTES_BEFORE_LOGIN: Final = _setting("max_message_bytes_before_login")
MARKUP: Final = _setting("max_markup")
LOGINS: Final = _setting("max_logins")
POOL: Final = _setting("max_pool")
ROWS: Final = _setting("table_rows")
LISTED: Final = _setting("list_rows")
SEATS: Final = _setting("max_seats")
TABLE_SEATS: Final = _setting("max_table_seats")
GUESTS: Final = _setting("max_invitations")
LOOKED_AT: Final = 50
"""That of :mod:`ugs.broker.extensions.idle_timeouts`. Only the broker's entry may import extensions: a test keeps the
two the same."""
EXCHANGES: Final = 100
"""The same for the exchanges that ``x-why`` lists."""
LIKENED: Final = Limit("types that are named", closed_types.MAX_LED)

COSTS: Final[Mapping[str, Cost]] = MappingProxyType(
    {
        cost.name: cost
        for cost in (
            # Bytes, independent of their content.
            Cost("text", documents.text, (BYTES,)),
            Cost("elements", documents.elements, (MARKUP, BYTES)),
            Cost("attributes", documents.attributes, (_setting("max_attributes"), MARKUP)),
            Cost("comments", documents.comments, (MARKUP, BYTES)),
            Cost(
                "namespaces",
                documents.namespaces,
                (Limit("bytes of a namespace", document_limits.MAX_NAMESPACE_BYTES), BYTES),
            ),
            Cost("blanks", documents.blanks, (MARKUP, BYTES)),
            Cost("levels", documents.levels, (_setting("max_depth"), MARKUP)),
            Cost("before-login", documents.before_login, (BYTES_BEFORE_LOGIN, MARKUP)),
            Cost("white-space", documents.white_space, (BYTES_BEFORE_LOGIN,)),
            Cost("no-end", documents.no_end, (MARKUP, BYTES)),
            # Coming and going.
            Cost("hello", entrance.hello, (Limit("families", negotiation.MAX_FAMILIES),), ("x-hello",)),
            Cost("player-login", entrance.player_login, (POOL, ROWS), ("playerLogin",)),
            Cost("refused-login", entrance.refused_login, (LOGINS,), ("error",)),
            Cost(
                "master-login",
                entrance.master_login,
                (Limit("games begun at once", pool.BEGUN_AT_ONCE), Limit("their seats", pool.MAX_SEATED_AT_ONCE)),
                ("gameMasterLogin",),
            ),
            Cost(
                "master-lost",
                entrance.master_lost,
                (Limit("lost games at once", intake.LOST_AT_ONCE), Limit("their seats", intake.MAX_LOST_SEATS), LOGINS),
                ("logout",),
            ),
            Cost("player-lost", entrance.player_lost, (LOGINS,)),
            Cost("resume", entrance.resume, (_setting("max_absent"),), ("x-resume",)),
            Cost(
                "silence",
                entrance.silence,
                (Limit("players looked at once", LOOKED_AT),),
                ("x-ping", "x-pong"),
            ),
            Cost("champions", entrance.champions, (ROWS, LOGINS)),
            Cost("broadcast", entrance.broadcast, (LOGINS,), ("Act",)),
            # The lobby.
            Cost("list-players", lobby.list_players, (LISTED,), ("x-listPlayers",)),
            Cost("list-game-types", lobby.list_game_types, (LISTED,), ("x-listGameTypes",)),
            Cost("list-tables", lobby.list_tables, (_setting("max_tables"), LISTED), ("x-listTables",)),
            Cost("waiting-tables", lobby.waiting_tables, (_setting("max_tables"),), ("x-offers",)),
            Cost("advertise", lobby.advertise, (GUESTS,), ("x-advertise",)),
            Cost("join", lobby.join, (TABLE_SEATS,), ("x-join",)),
            Cost("start", lobby.start, (TABLE_SEATS,), ("x-start",)),
            Cost("quit", lobby.quit_table, (TABLE_SEATS,), ("x-quit",)),
            Cost("cancel", lobby.cancel, (TABLE_SEATS, GUESTS), ("x-cancel",)),
            Cost("wait", lobby.wait, (POOL,), ("x-wait",)),
            Cost(
                "say",
                lobby.chat_all,
                (Limit("recipients", chat.MAX_RECIPIENTS), _setting("max_chat_characters")),
                ("x-say",),
            ),
            # Games.
            Cost("begin", games.begin, (SEATS,)),
            Cost("state", games.state, (BYTES, SEATS), ("gameState",)),
            Cost("views", games.views, (BYTES, SEATS), ("x-views",)),
            Cost("labels", games.labels, (SEATS,), ("x-labels",)),
            Cost("sketch", games.sketch, (Limit("offers of a sketch", MAX_OFFERS),), ("x-sketch",)),
            Cost("remark", games.remark, (Limit("bytes of a remark", MAX_REMARK_BYTES),), ("x-remark",)),
            Cost("offers", games.offers, (Limit("options", common_parts.MAX_CHOICES),), ("x-offers",)),
            Cost("move", games.move, (BYTES,), ("move",)),
            Cost("leave", games.leave, (SEATS,), ("leaveGame", "playerLeftGame")),
            Cost("reason", games.reason, (Limit("characters of a reason", MAX_REASON),), ("x-reason", "x-failed")),
            Cost("fault", games.fault, (BYTES,), ("x-fault",)),
            Cost("fault-lost", games.fault_lost, (SEATS,)),
            Cost("over", games.over, (SEATS,)),
            Cost("told", games.result_kept, (SEATS,)),
            Cost("thank-you", games.thank_you, (POOL, ROWS), ("thank you",)),
            Cost("resend", games.resend, (BYTES,), ("x-resend",)),
            Cost("states", games.list_states, (Limit("bytes of all states", MAX_LISTED_BYTES),), ("x-listStates",)),
            Cost("rejoin", games.rejoin, (SEATS,), ("x-rejoin", "x-showClock")),
            Cost("why", games.why, (Limit("moves listed", EXCHANGES),), ("x-why",)),
            Cost("watch", games.watch, (Limit("events in memory", MAX_RECENT_ENTRIES),), ("x-watch", "x-unwatch")),
            Cost("list-games", games.list_games, (LISTED,), ("x-listGames",)),
            # The page, and people at the machine.
            Cost(
                "page",
                page.public,
                (Limit("games listed", public.MAX_GAMES), Limit("types listed", public.MAX_TYPES)),
                ("PublicAsked",),
            ),
            Cost("page-why", page.public_why, (LIKENED,), ("PublicWhyAsked",)),
            Cost("why-waits", page.why, (LIKENED,), ("WhyAsked",)),
            Cost("overview", page.server, (LOGINS,), ("ServerAsked",)),
            Cost("owner", page.owner, (LOGINS,), ("OwnerAsked",)),
        )
    }
)
"""By name, in the order of measurement."""

OF_ORGANISERS: Final = ("Order", "PlanAsked", "EditAsked")
"""Questions that only organisers can ask: what a championship costs is measured by the attacks ``swiss`` and
``round-robin``."""
