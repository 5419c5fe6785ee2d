"""All attacks: one table."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, TypeAlias

from ugs.soak import (
    crowding,
    documents,
    doors,
    fresh_names,
    games,
    hostile_files,
    impostors,
    many_seats,
    persons,
    pictures,
    requests,
    web,
)
from ugs.soak.site import Site

Script: TypeAlias = Callable[[Site], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Attack:
    """One attack. ``script`` prepares, calls ``site.begins()`` and then goes on until it is cancelled."""

    name: str
    script: Script
    least_s: float = 0.0
    """Seconds that it needs to show anything."""
    plan: str = ""
    """A championship that the server is to announce, as TOML."""
    settings: str = ""
    """Settings of the server, as TOML."""
    tls: bool = False
    """Whether players speak TLS at its port."""

    @property
    def what(self) -> str:
        """What it does, in a sentence."""
        return " ".join((self.script.__doc__ or "").split())


ATTACKS: Final[Mapping[str, Attack]] = MappingProxyType(
    {
        attack.name: attack
        for attack in (
            # Requests.
            Attack("wide-advertise", requests.wide_advertise),
            Attack("wide-offers", requests.wide_offers),
            Attack("wide-labels", requests.wide_labels),
            Attack("list-players", requests.list_players),
            Attack("list-500-players", requests.list_more_players),
            Attack("list-tables", requests.list_tables),
            Attack("invitations-20", requests.few_ask_for_invitations),
            Attack("invitations-800", requests.many_ask_for_invitations),
            Attack("invitations-unread", requests.invitations_unread),
            Attack("replay", requests.replay),
            Attack("resend-unread", requests.resend_unread),
            Attack("why-large", requests.why_large, least_s=6),
            Attack("why-long", requests.why_long, least_s=6),
            Attack("say-many", requests.say_to_many),
            Attack("say-nobody", requests.say_to_nobody),
            Attack("errors", requests.errors),
            Attack("hung-up", requests.hung_up),
            # Documents.
            Attack("empty-elements", requests.empty_elements),
            Attack("empty-elements-ping", requests.empty_elements_before_login),
            Attack("attributes", documents.attributes),
            Attack("levels", documents.levels),
            Attack("comments", documents.comments),
            Attack("instructions", documents.instructions),
            Attack("blanks", documents.blanks),
            Attack("blanks-before-login", documents.blanks_before_login),
            Attack("deep-unfinished", documents.deep_unfinished),
            Attack("trickle", documents.trickle),
            Attack("trickled-ends", documents.trickled_ends),
            Attack("unfinished", documents.unfinished),
            Attack("quiet-again", documents.quiet_again, least_s=6),
            Attack("nuls", documents.nuls),
            Attack("ill-formed", documents.ill_formed),
            Attack("lingering", documents.lingering),
            # Doors.
            Attack("slow-logins", doors.slow_logins),
            Attack("slow-http", doors.slow_http),
            Attack("http-sockets", doors.http_sockets),
            Attack("http-requests", doors.http_requests),
            Attack("rapid-reset", doors.rapid_reset),
            Attack("connections", doors.connections),
            Attack("logins", doors.logins),
            Attack("wrong-tokens", doors.wrong_tokens, settings=doors.TOKENS),
            Attack("handshakes", doors.handshakes, tls=True),
            Attack("sessions", doors.sessions),
            Attack("squatters", doors.squatters),
            Attack("fragments", doors.fragments),
            Attack("wrong-requests", doors.wrong_requests),
            # The page.
            Attack("health-checks", web.health_checks, least_s=6),
            Attack("ambiguous-requests", web.ambiguous_requests),
            Attack("refused", web.refused, least_s=20),
            Attack("dripped-forms", persons.dripped_forms, least_s=48),
            Attack("strange-pages", persons.strange_pages),
            Attack("wrong-cookies", web.wrong_cookies, least_s=15, settings=web.REGISTERS),
            # Names and privacy.
            Attack("impostors", impostors.impostors, least_s=8, settings=doors.TOKENS),
            Attack("private-tables", impostors.private_tables),
            Attack("fresh-names", fresh_names.fresh_names, least_s=10, settings=fresh_names.SETTINGS),
            Attack("large-board", pictures.large_board, least_s=20),
            Attack("wide-states", pictures.wide_states, least_s=20),
            # Games.
            Attack("large-moves", games.large_moves),
            Attack("flooding-master", games.flooding_master),
            Attack("silent-master", games.silent_master),
            Attack("full-line", games.full_line, least_s=20, settings=games.BUDGET),
            Attack("deaf-spectators", games.deaf_spectators),
            Attack("tables-hoarded", games.tables_hoarded),
            Attack("misspelt-types", games.misspelt_types),
            Attack("many-seats", many_seats.many_seats, least_s=30, settings=many_seats.ALLOWED),
            Attack("unread-by-thousands", many_seats.unread_by_thousands, least_s=5, settings=many_seats.ALLOWED),
            Attack("leaves-told-to-all", many_seats.leaves_told_to_all, least_s=8, settings=many_seats.ALLOWED),
            Attack("crowded-master", crowding.crowded_master, least_s=5),
            Attack("strangers", crowding.strangers, least_s=8),
            Attack("dear-moves", crowding.dear_moves, least_s=5),
            Attack("heavy-games", crowding.heavy_games, least_s=10, settings=crowding.TWO_MASTERS),
            Attack("padded-moves", crowding.padded_moves, settings=crowding.SMALL_GAMES),
            Attack("handed-over", crowding.handed_over, least_s=10, settings=crowding.TWO_MASTERS),
            Attack("swiss", games.swiss, least_s=12, plan=games.SWISS),
            Attack("round-robin", games.round_robin, least_s=8, plan=games.ROUND_ROBIN),
            # Files.
            Attack("hostile-files", hostile_files.hostile_files, least_s=40),
        )
    }
)
"""By name, in the order in which they are tried."""
