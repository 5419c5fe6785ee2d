"""All attacks: one table."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, TypeAlias

from ugs.soak import (
    crowding,
    document_attacks,
    door_attacks,
    fault_attacks,
    field_attack,
    first_starts,
    fresh_names,
    game_attacks,
    hostile_files,
    impostors,
    many_seats,
    person_attacks,
    picture_attacks,
    remark_attacks,
    request_attacks,
    sketch_attacks,
    web,
)
from ugs.soak.target import AttackSite

Script: TypeAlias = Callable[[AttackSite], Awaitable[None]]


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
            Attack("wide-advertise", request_attacks.wide_advertise),
            Attack("wide-offers", request_attacks.wide_offers),
            Attack("wide-labels", request_attacks.wide_labels),
            Attack("list-players", request_attacks.list_players),
            Attack("list-500-players", request_attacks.list_more_players),
            Attack("list-tables", request_attacks.list_tables),
            Attack("invitations-20", request_attacks.few_ask_for_invitations),
            Attack("invitations-800", request_attacks.many_ask_for_invitations),
            Attack("invitations-unread", request_attacks.invitations_unread),
            Attack("replay", request_attacks.replay),
            Attack("resend-unread", request_attacks.resend_unread),
            Attack("why-large", request_attacks.why_large, least_s=6),
            Attack("why-long", request_attacks.why_long, least_s=6),
            Attack("say-many", request_attacks.chat_to_many),
            Attack("say-unknown", request_attacks.chat_to_unknown),
            Attack("errors", request_attacks.errors),
            Attack("hung-up", request_attacks.hung_up),
            # Documents.
            Attack("empty-elements", request_attacks.empty_elements),
            Attack("empty-elements-ping", request_attacks.empty_elements_before_login),
            Attack("attributes", document_attacks.attributes),
            Attack("levels", document_attacks.levels),
            Attack("comments", document_attacks.comments),
            Attack("instructions", document_attacks.instructions),
            Attack("blanks", document_attacks.blanks),
            Attack("blanks-before-login", document_attacks.blanks_before_login),
            Attack("deep-unfinished", document_attacks.deep_unfinished),
            Attack("trickle", document_attacks.trickle),
            Attack("trickled-ends", document_attacks.trickled_ends),
            Attack("unfinished", document_attacks.unfinished),
            Attack("quiet-again", document_attacks.quiet_again, least_s=6),
            Attack("nuls", document_attacks.nuls),
            Attack("ill-formed", document_attacks.ill_formed),
            Attack("lingering", document_attacks.lingering),
            # Doors.
            Attack("slow-logins", door_attacks.slow_logins),
            Attack("slow-http", door_attacks.slow_http),
            Attack("http-sockets", door_attacks.http_sockets),
            Attack("http-requests", door_attacks.http_requests),
            Attack("rapid-reset", door_attacks.rapid_reset),
            Attack("connections", door_attacks.connections),
            Attack("logins", door_attacks.logins),
            Attack("wrong-tokens", door_attacks.wrong_tokens, settings=door_attacks.TOKENS),
            Attack("handshakes", door_attacks.handshakes, tls=True),
            Attack("sessions", door_attacks.sessions),
            Attack("squatters", door_attacks.squatters),
            Attack("fragments", door_attacks.fragments),
            Attack("wrong-requests", door_attacks.wrong_requests),
            # The page.
            Attack("health-checks", web.health_checks, least_s=6),
            Attack("ambiguous-requests", web.ambiguous_requests),
            Attack("refused", web.refused, least_s=20),
            Attack("dripped-forms", person_attacks.dripped_forms, least_s=48),
            Attack("strange-pages", person_attacks.strange_pages),
            Attack("wrong-cookies", web.wrong_cookies, least_s=15, settings=web.REGISTERS),
            # Names and privacy.
            Attack("impostors", impostors.impostors, least_s=8, settings=door_attacks.TOKENS),
            Attack("private-tables", impostors.private_tables),
            Attack("fresh-names", fresh_names.fresh_names, least_s=10, settings=fresh_names.SETTINGS),
            Attack("large-board", picture_attacks.large_board, least_s=20),
            Attack("wide-states", picture_attacks.wide_states, least_s=20),
            Attack("hostile-sketches", sketch_attacks.hostile_sketches, least_s=20),
            # Games.
            Attack("remarks", remark_attacks.remarks),
            Attack("refused-moves", fault_attacks.refused_moves, settings=fault_attacks.SETTINGS),
            Attack("large-moves", game_attacks.large_moves),
            Attack("flooding-master", game_attacks.flooding_master),
            Attack("silent-master", game_attacks.silent_master),
            Attack("full-line", game_attacks.full_line, least_s=20, settings=game_attacks.BUDGET),
            Attack("deaf-spectators", game_attacks.deaf_spectators),
            Attack("tables-hoarded", game_attacks.tables_hoarded),
            Attack("misspelt-types", game_attacks.misspelt_types),
            Attack("many-seats", many_seats.many_seats, least_s=30, settings=many_seats.ALLOWED),
            Attack("unread-by-thousands", many_seats.unread_by_thousands, least_s=5, settings=many_seats.ALLOWED),
            Attack("leaves-sent-to-all", many_seats.leaves_sent_to_all, least_s=8, settings=many_seats.ALLOWED),
            Attack("crowded-master", crowding.crowded_master, least_s=5),
            Attack("strangers", crowding.strangers, least_s=8),
            Attack("dear-moves", crowding.dear_moves, least_s=5),
            Attack("heavy-games", crowding.heavy_games, least_s=10, settings=crowding.TWO_MASTERS),
            Attack("padded-moves", crowding.padded_moves, settings=crowding.SMALL_GAMES),
            Attack("handed-over", crowding.handed_over, least_s=10, settings=crowding.TWO_MASTERS),
            Attack("swiss", game_attacks.swiss, least_s=12, plan=game_attacks.SWISS),
            Attack("round-robin", game_attacks.round_robin, least_s=8, plan=game_attacks.ROUND_ROBIN),
            Attack(
                "entrants", field_attack.entrants, least_s=8, plan=field_attack.PLAN, settings=field_attack.SETTINGS
            ),
            # Files.
            Attack("hostile-files", hostile_files.hostile_files, least_s=40),
            Attack("first-starts", first_starts.first_starts, least_s=40),
        )
    }
)
"""By name, in the order of the trials."""
