"""Which table of a configuration file each setting stands in.

The program reads settings by their names alone, which are unique. Tables are for the eyes: ``max_depth`` stands under
``[wire]``. Under ``[game_types."NAME"]`` there are no tables. Files from before there were tables are still read.
"""

import json
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from ugs.printable import meant, shown, shown_key

SERVER_TABLES: Final[Mapping[str, tuple[str, ...]]] = {
    "server": ("host", "port", "allowed_game_types", "log_level", "log_joined", "drain_s", "goodbye_s"),
    "access": (
        "access_file",
        "auth",
        "auth_addresses",
        "wrong_token_delay_s",
        "max_registered",
        "max_registered_per_ip",
    ),
    "http": (
        "http_port",
        "mounts",
        "max_http_connections",
        "max_http_connections_per_ip",
        "max_page_worker_bytes",
        "admin_token_file",
        "open_metrics",
    ),
    "journal": (
        "data_dir",
        "admin_dir",
        "journal_url",
        "standby",
        "node",
        "node_address",
        "hand_over",
        "homes",
        "keep",
        "journal_keep_days",
        "journal_max_bytes",
        "max_past_bytes",
    ),
    "wire": (
        "xml_declaration",
        "validation",
        "max_message_bytes",
        "max_message_bytes_before_login",
        "max_depth",
        "max_attributes",
        "max_markup",
        "max_errors_per_minute",
        "document_timeout_s",
    ),
    "rates": (
        "max_messages_per_second",
        "max_messages_per_second_per_ip",
        "max_bytes_per_second",
        "max_bytes_per_second_per_ip",
        "max_logins_per_second_per_ip",
        "rate_burst_s",
        "rate_patience_s",
    ),
    "sessions": (
        "login_timeout_s",
        "login_attempts",
        "session_grace_s",
        "session_takeover",
        "max_absent",
        "max_absent_per_ip",
        "player_idle_s",
        "player_inactive_s",
        "idle_check_s",
        "first_idle_check_s",
    ),
    "lobby": (
        "list_rows",
        "list_burst",
        "lists_per_s",
        "list_burst_per_ip",
        "lists_per_s_per_ip",
        "table_rows",
        "champions_bytes_per_s",
        "max_tables",
        "max_tables_per_ip",
        "max_table_games",
        "max_table_games_per_ip",
        "max_table_seats",
        "max_table_name",
        "max_invitations",
        "max_chat_characters",
        "chat_per_minute",
    ),
    "watch": ("max_spectators", "max_watch_backlog_bytes"),
    "limits": (
        "max_logins",
        "max_connections",
        "max_connections_per_ip",
        "max_outbox_bytes",
        "max_outbox_total_bytes",
        "max_held_bytes",
        "max_held_bytes_per_ip",
        "max_game_bytes",
        "standings_rows",
        "max_new_names_per_ip",
        "write_timeout_s",
    ),
}
"""Settings of the server as a whole."""
GAME_TYPE_TABLES: Final[Mapping[str, tuple[str, ...]]] = {
    "pool": ("gather_s", "players_wanted", "gather_as_offered", "variety_s", "max_pool", "player_strikes"),
    "masters": (
        "auth_masters",
        "masters_per_game",
        "max_games_per_master",
        "begin_timeout_s",
        "master_timeout_s",
        "master_grace_s",
        "master_strikes",
        "quiet_master",
    ),
    "clocks": (
        "move_timeout_s",
        "move_timeout_alone_s",
        "time_s",
        "increment_s",
        "lag_credit_ms",
        "clock_warning_s",
        "thank_you_timeout_s",
        "game_idle_s",
        "game_inactive_s",
    ),
    "games": ("max_seats", "faults", "watch_delay_s", "live_remarks", "open_records", "quiet_players"),
    "championships": (
        "mode",
        "championship_players",
        "championship_at",
        "entrants_per_ip",
        "void_replays",
        "champions_interval_s",
    ),
}
"""Settings that each game type may have for itself."""
TABLES: Final[Mapping[str, tuple[str, ...]]] = {**SERVER_TABLES, **GAME_TYPE_TABLES}
TABLE_OF: Final[Mapping[str, str]] = {name: table for table, names in TABLES.items() for name in names}


class FlatSettings(NamedTuple):
    """The settings of a file, without tables."""

    values: dict[str, Any]
    mistakes: list[str]
    """A line for each setting that is not where it belongs."""
    outside: list[str]
    """Settings that stand above all tables, where old files have them."""


def flattened(values: Mapping[str, Any], source: str) -> FlatSettings:
    """Take the settings out of their tables; all else in ``values`` stays. ``source`` is named in the mistakes."""
    flat = FlatSettings({name: value for name, value in values.items() if name not in TABLES}, [], [])
    flat.outside.extend(name for name in flat.values if name in TABLE_OF)
    for table in TABLES:
        settings = values.get(table, {})
        if not isinstance(settings, Mapping):
            flat.mistakes.append(f"{source}: {table} = {shown(settings)}: a table is expected: [{table}]")
            continue
        for name, value in settings.items():
            mistake = _mistake(table, name, flat.values)
            if mistake:
                flat.mistakes.append(f"{source}: {mistake}")
            else:
                flat.values[name] = value
    return flat


def as_toml(values: Mapping[str, bool | float | str]) -> str:
    """A configuration file with these settings, in their tables."""
    tables: dict[str, list[str]] = {}
    for name, value in values.items():
        tables.setdefault(TABLE_OF[name], []).append(f"{name} = {json.dumps(value)}\n")
    return "".join(f"[{table}]\n{''.join(lines)}" for table, lines in tables.items())


def _mistake(table: str, name: str, read: Mapping[str, Any]) -> str:
    """What is wrong with a setting in a table, or the empty text."""
    if name not in TABLES[table]:
        if name in TABLE_OF:
            return f"{table}.{name}: {name} stands in [{TABLE_OF[name]}]"
        near = meant(name, TABLES[table])
        return f"unknown key {table}.{shown_key(name)}{near}; allowed in [{table}]: {', '.join(sorted(TABLES[table]))}"
    if name in read:
        return f"{table}.{name}: {name} stands above the tables, too; give it once"
    return ""
