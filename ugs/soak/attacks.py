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
    page_attacks,
    person_attacks,
    picture_attacks,
    remark_attacks,
    request_attacks,
    sketch_attacks,
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
            Attack("list-players", request_attacks.list_players),  # 300 in one segment once held all games for a second
            Attack("list-500-players", request_attacks.list_more_players),
            Attack("list-tables", request_attacks.list_tables),
            # 30 bytes once made the server write 16 MB of nicks.
            Attack("invitations-20", request_attacks.few_ask_for_invitations),
            Attack("invitations-800", request_attacks.many_ask_for_invitations),
            Attack("invitations-unread", request_attacks.invitations_unread),
            Attack("replay", request_attacks.replay),
            # 400 requests once made 400 MB of answers, since the limit was looked at when they went out.
            Attack("resend-unread", request_attacks.resend_unread),
            Attack("why-large", request_attacks.why_large, least_s=6),  # once 168 MB for a request of 45 bytes
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
            # 60 KB of blanks once held the loop for 22 s, before any login.
            Attack("blanks-before-login", document_attacks.blanks_before_login),
            Attack("deep-unfinished", document_attacks.deep_unfinished),
            Attack("trickle", document_attacks.trickle),
            Attack("trickled-ends", document_attacks.trickled_ends),
            Attack("unfinished", document_attacks.unfinished),  # unfinished documents once left holes in memory
            # A silent peer once held the last document that it had sent.
            Attack("quiet-again", document_attacks.quiet_again, least_s=6),
            Attack("nuls", document_attacks.nuls),
            Attack("ill-formed", document_attacks.ill_formed),
            Attack("lingering", document_attacks.lingering),
            # Doors.
            Attack("slow-logins", door_attacks.slow_logins),
            Attack("slow-http", door_attacks.slow_http),
            Attack("http-sockets", door_attacks.http_sockets),  # one client once kept health checks out
            Attack("http-requests", door_attacks.http_requests),
            Attack("rapid-reset", door_attacks.rapid_reset),  # HTTP/2 once held the loop for more than a second
            Attack("connections", door_attacks.connections),
            Attack("logins", door_attacks.logins),
            Attack("wrong-tokens", door_attacks.wrong_tokens, settings=door_attacks.TOKENS),
            Attack("handshakes", door_attacks.handshakes, tls=True),
            Attack("sessions", door_attacks.sessions),
            Attack("squatters", door_attacks.squatters),
            Attack("fragments", door_attacks.fragments),  # one message of them once cost most of a second
            Attack("wrong-requests", door_attacks.wrong_requests),
            # The page.
            Attack("health-checks", page_attacks.health_checks, least_s=6),  # people at browsers once waited 2.6 s
            Attack("ambiguous-requests", page_attacks.ambiguous_requests),
            Attack("refused", page_attacks.refused, least_s=20),  # lines are joined for ten seconds
            # A form has 30 s, and late answers are spread over 5 more.
            Attack("dripped-forms", person_attacks.dripped_forms, least_s=48),
            Attack("strange-pages", person_attacks.strange_pages),
            # Each guess once cost a hash: owners waited 25 s for their login.
            Attack("wrong-cookies", page_attacks.wrong_cookies, least_s=15, settings=page_attacks.REGISTERS),
            # Names and privacy.
            # A player that was refused once could come in as a game master.
            Attack("impostors", impostors.impostors, least_s=8, settings=door_attacks.TOKENS),
            Attack("private-tables", impostors.private_tables),  # strangers once got its id, and watched
            Attack("fresh-names", fresh_names.fresh_names, least_s=10, settings=fresh_names.SETTINGS),
            Attack("large-board", picture_attacks.large_board, least_s=20),  # a worker once took 1.8 GB for one page
            Attack("wide-states", picture_attacks.wide_states, least_s=20),
            Attack("hostile-sketches", sketch_attacks.hostile_sketches, least_s=20),
            # Games.
            Attack("remarks", remark_attacks.remarks),
            Attack("refused-moves", fault_attacks.refused_moves, settings=fault_attacks.SETTINGS),
            Attack("large-moves", game_attacks.large_moves),
            Attack("flooding-master", game_attacks.flooding_master),
            Attack("silent-master", game_attacks.silent_master),
            # A player with 10 s once thought for 100, by not reading.
            Attack("full-line", game_attacks.full_line, least_s=20, settings=game_attacks.BUDGET),
            Attack("deaf-spectators", game_attacks.deaf_spectators),
            Attack("tables-hoarded", game_attacks.tables_hoarded),
            # Names were once compared for each page, for half a second of the loop.
            Attack("misspelt-types", game_attacks.misspelt_types),
            # Seats were once dealt by looking at all pairs of players.
            Attack("many-seats", many_seats.many_seats, least_s=30, settings=many_seats.ALLOWED),
            # One state was once copied for each of them: 3.8 GB.
            Attack("unread-by-thousands", many_seats.unread_by_thousands, least_s=5, settings=many_seats.ALLOWED),
            # Each leave once informed all players of all seats: 103 MB for 60 bytes.
            Attack("leaves-sent-to-all", many_seats.leaves_sent_to_all, least_s=8, settings=many_seats.ALLOWED),
            # Thirty legal moves once cut off the master of all games.
            Attack("crowded-master", crowding.crowded_master, least_s=5),
            Attack("strangers", crowding.strangers, least_s=8),  # chat once cost a thinking player its game
            Attack("dear-moves", crowding.dear_moves, least_s=5),
            Attack("heavy-games", crowding.heavy_games, least_s=10, settings=crowding.TWO_MASTERS),
            # A loser could once make its game void.
            Attack("padded-moves", crowding.padded_moves, settings=crowding.SMALL_GAMES),
            Attack("handed-over", crowding.handed_over, least_s=10, settings=crowding.TWO_MASTERS),
            Attack("swiss", game_attacks.swiss, least_s=12, plan=game_attacks.SWISS),
            Attack("round-robin", game_attacks.round_robin, least_s=8, plan=game_attacks.ROUND_ROBIN),
            Attack(
                "entrants", field_attack.entrants, least_s=8, plan=field_attack.PLAN, settings=field_attack.SETTINGS
            ),
            # Files.
            Attack("hostile-files", hostile_files.hostile_files, least_s=40),  # a record of 2 MB once took 3.9 GB
            Attack("first-starts", first_starts.first_starts, least_s=40),  # 9 of 60 servers once never started again
        )
    }
)
"""By name, in the order of the trials."""
