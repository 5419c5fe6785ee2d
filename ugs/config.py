"""Every setting of the server: its name, default, unit, range and one line of explanation.

``conf/ugs.toml`` is this module written out (:mod:`ugs.config_text`). Units are in the names: ``_s`` is seconds,
``_bytes`` is bytes. In a file settings stand in tables (:mod:`ugs.setting_tables`), those of :class:`GameTypeSettings`
also under ``[game_types."NAME"]``, for one game type. What may stand under ``[gateways.NAME]`` is declared by the
gateway of that name; a function given to :func:`load` finds it.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime, time
from functools import cached_property
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

from ugs.admission import Admission
from ugs.declared import Declared, WrongValues, declared
from ugs.journal_settings import JournalSettings
from ugs.pool_settings import PoolSettings
from ugs.setting_tables import TABLES as SETTING_TABLES
from ugs.setting_tables import flattened
from ugs.setting_types import Entrants, LogLevel, Name, Seconds
from ugs.site_settings import SiteTable
from ugs.tls_settings import TlsSettings
from ugs.toml_files import read_toml


class ConfigError(Exception):
    """A configuration that cannot be used. The text names the source, the key and what is allowed."""


SettingsOf: TypeAlias = Callable[[str], type[Declared]]
"""The settings that the gateway of this name declares. Raises ConfigError when there is none; its text begins with the
key."""


def no_gateways(name: str) -> type[Declared]:
    """No gateway is known: raises ConfigError."""
    raise ConfigError(f"gateways.{name}: no gateway is known here")


RETRY: Final = "retry "
"""How a value of ``faults`` begins that has a number of tries."""


class GameTypeSettings(PoolSettings):
    """The settings that may differ from one game type to the next."""

    max_seats: int = declared(
        64, ge=2, le=4096, description="players that a master may ask for (playersMax), and seats of a table"
    )
    masters_per_game: int = declared(1, ge=1, description="masters that may be registered for one game type")
    max_games_per_master: int = declared(0, ge=0, description="games one master may lead at a time; 0 is no limit")
    master_strikes: int = declared(
        3, ge=1, description="time-outs in a row, or games given up without a result between, before a master is closed"
    )
    begin_timeout_s: Seconds = declared(10, gt=0, description="seconds for the master to answer beginGame")
    move_timeout_s: Seconds = declared(30, gt=0, description="seconds for a player to move")
    move_timeout_alone_s: Seconds = declared(
        600,
        description="seconds where all other seats are the computer's, so that no one waits; move_timeout_s at least",
    )
    master_timeout_s: Seconds = declared(30, gt=0, description="seconds for the master to answer a move or a leave")
    master_grace_s: Seconds = declared(
        0, description="seconds a game waits for another master when its own, with restore, is lost; 0: void at once"
    )
    thank_you_timeout_s: Seconds = declared(10, gt=0, description="seconds for a player to send its thanks")
    champions_interval_s: Seconds = declared(
        2, description="minimum seconds between two championsList to an idle player; the first one does not wait"
    )
    mode: Literal["open", "championship"] = declared(
        "open", description="open: waiting players are seated; championship: a fixed field plays to the end, then open"
    )
    championship_players: Entrants = declared(
        0, description="players needed to begin a championship; 0: only at championship_at"
    )
    entrants_per_ip: int = declared(
        0,
        ge=0,
        le=20_000,
        description="entrants from one address where a championship takes the first players that come, besides "
        "names with tokens and players on this machine; 0: half of its field",
    )
    championship_at: str = declared(
        "",
        description="local time (ISO 8601) when a championship begins with the players present; empty: never",
    )
    void_replays: int = declared(3, ge=0, description="times a championship game that ended void is played again")
    faults: str = declared(
        "rules",
        pattern=r"^(rules|strict|retry [1-9][0-9]?)$",
        allowed="'rules', 'strict', or 'retry N' with N from 1 to 99",
        description="what follows from a move that a master with the family faults refuses; rules: the rules of the "
        "game decide; strict: the player has lost; retry N: it is asked again, N times in a turn at most, while its "
        "clock runs on, and has lost after that",
    )
    time_s: Seconds = declared(0, description="seconds a player has for all its moves of a game; 0: no such budget")
    increment_s: Seconds = declared(0, description="seconds that every move adds to the budget of its player")
    lag_credit_ms: float = declared(
        100,
        ge=0,
        le=10_000,
        description="milliseconds of the measured network round trip that do not count, at most, per move",
    )
    clock_warning_s: Seconds = declared(
        5, description="seconds before the end of its time when a player with clock is warned; 0: never"
    )
    game_idle_s: Seconds = declared(
        600, description="seconds without activity at a table before its players are warned"
    )
    game_inactive_s: Seconds = declared(1200, description="seconds without activity at a table before it is cancelled")
    watch_delay_s: Seconds = declared(0, description="minimum delay, in seconds, of what spectators see")
    live_remarks: bool = declared(
        False,
        description="true: spectators read the remarks of players while the game runs; false: once it has ended. "
        "All spectators read them, an opponent's author too: set watch_delay_s",
    )
    open_records: bool = declared(
        False, description="true: once a game has ended, its page shows everything: all hands, all moves and the seed"
    )
    quiet_master: bool = declared(
        False, description="true for masters that cannot read playerLeftGame, error and serverShutdown"
    )
    quiet_players: bool = declared(
        False, description="true for players of plain v4 that cannot read the error that ends a void game"
    )

    auth_masters: Literal["auto", "none", "tokens"] = declared(
        "auto",
        description="tokens: a master needs a token, so that no stranger leads games of this type; none: only one whose"
        " id has a token; auto: tokens, unless auth is none",
    )

    @property
    def asks_again(self) -> int:
        """How often in a turn a player whose move was refused is asked again, by ``faults``."""
        return int(self.faults.removeprefix(RETRY)) if self.faults.startswith(RETRY) else 0

    def move_limit_s(self, players: int) -> float:
        """The seconds for a move in a game of this number of players; seats that its master plays are none."""
        return self.move_timeout_s if players > 1 else max(self.move_timeout_s, self.move_timeout_alone_s)

    @classmethod
    def _prepared(cls, values: dict[str, Any]) -> dict[str, Any]:
        return {key: time_text(one) if key == "championship_at" else one for key, one in values.items()}


class Config(GameTypeSettings, Admission, JournalSettings):
    """All settings of one server."""

    host: str = declared("127.0.0.1", min_length=1, description="address to listen on; 0.0.0.0 or :: is everywhere")
    port: int = declared(4747, ge=0, le=65535, description="TCP port of players and masters; 0 picks a free one")
    http_port: int = declared(
        8080,
        ge=0,
        le=65535,
        description="TCP port of the page; 0 picks a free one. Without data_dir there is one only if this is set",
    )
    mounts: str = declared(
        "",
        description="names of applications of other packages in the page, with commas between, such as mcp, "
        "which lets agents play (docs/agents.md); empty: none",
    )
    max_http_connections: int = declared(4000, ge=10, description="connections to the page at a time")
    max_http_connections_per_ip: int = declared(400, ge=5, description="connections to the page from one address")
    max_page_worker_bytes: int = declared(
        402_653_184,
        ge=134_217_728,
        description="bytes of memory of each of the three processes that answer for the page; "
        "what needs more is answered without pictures, or not at all",
    )
    admin_token_file: str = declared(
        "", description="file with the tokens of organisers, NAME TOKEN in a line, for /admin; empty: there is none"
    )
    open_metrics: bool = declared(
        False, description="true: /metrics is public; false: this machine, and organisers with their token"
    )
    log_level: LogLevel = declared("info", description="lowest level of log lines written; payloads only at debug")
    log_joined: bool = declared(
        True, description="whether repeated lines of the log are joined; false: all are written"
    )
    xml_declaration: Literal["mirror", "always"] = declared(
        "mirror", description="mirror: declare XML to a peer whose first document did; always: to every peer"
    )
    validation: Literal["envelope", "strict"] = declared(
        "envelope", description="envelope: check messages by hand, fast; strict: also with the XSDs of schemas/"
    )
    max_message_bytes: int = declared(1_048_576, ge=1024, description="bytes of one message")
    max_message_bytes_before_login: int = declared(
        262_144, ge=1024, description="bytes of one message before its sender has logged in"
    )
    max_depth: int = declared(
        64, ge=4, le=1000, description="levels of elements in a message, including message itself"
    )
    max_attributes: int = declared(64, ge=4, le=10_000, description="attributes of one element, including namespaces")
    max_markup: int = declared(
        16_000,
        ge=1000,
        le=10_000_000,
        description="'<' in a message: tags, comments and the like; twice as many '=' are allowed",
    )
    max_errors_per_minute: int = declared(
        30,
        ge=0,
        description="wrong messages in a minute before a peer is closed; also how many "
        "errors that it reports are logged",
    )
    document_timeout_s: Seconds = declared(
        60, gt=0, description="seconds from the first byte of a message to its last, before its sender is closed"
    )
    max_messages_per_second: int = declared(
        200_000, ge=0, description="messages of one connection; above that it is slowed down, then closed; 0: no limit"
    )
    max_messages_per_second_per_ip: int = declared(
        400_000, ge=0, description="messages of all connections from one address; above that they are slowed down"
    )
    max_bytes_per_second: int = declared(
        134_217_728, ge=0, description="bytes of one connection; above that it is slowed down, then closed; 0: no limit"
    )
    max_bytes_per_second_per_ip: int = declared(
        536_870_912, ge=0, description="bytes of all connections from one address; above that they are slowed down"
    )
    max_logins_per_second_per_ip: int = declared(
        500, ge=0, description="new connections from one address; above that they have to wait; 0: no limit"
    )
    rate_burst_s: Seconds = declared(
        10, ge=0.1, description="seconds: a peer may use what these limits allow in them all at once"
    )
    rate_patience_s: Seconds = declared(
        10, description="seconds above one of these limits, without a pause, before a peer is closed"
    )
    login_timeout_s: Seconds = declared(10, gt=0, description="seconds for a new connection to log in")
    login_attempts: int = declared(3, ge=1, description="refused logins before a connection is closed")
    session_grace_s: Seconds = declared(
        60, description="seconds for a player with a session to come back after a cut connection; 0: none"
    )
    session_takeover: Literal["never", "address"] = declared(
        "never",
        description="address: a login from the address of an absent player, with its nick and program, takes its"
        " place without a token",
    )
    max_absent: int = declared(
        5000,
        ge=0,
        description="absent players whose places are kept; above that those in no game lose theirs, the "
        "longest absent first",
    )
    max_absent_per_ip: int = declared(500, ge=0, description="the same for those of one address")
    player_idle_s: Seconds = declared(900, description="seconds of silence before a player with a session is warned")
    player_inactive_s: Seconds = declared(1800, description="seconds of silence before such a player is logged out")
    idle_check_s: Seconds = declared(120, gt=0, description="seconds between two checks for idle and inactive players")
    first_idle_check_s: Seconds = declared(300, description="seconds before the first such check")
    list_rows: int = declared(
        200,
        ge=1,
        le=10_000,
        description="players, tables, games or options in a list; 256 characters of options count as one more",
    )
    list_burst: int = declared(
        100,
        ge=1,
        description="full lists (of list_rows) that a peer may ask for at once; shorter ones, the past of a game and"
        " messages to many count by their length",
    )
    lists_per_s: float = declared(5, gt=0, description="such lists that a peer may have each second after that")
    list_burst_per_ip: int = declared(
        1000, ge=1, description="such lists that all peers of one address may ask for at once"
    )
    lists_per_s_per_ip: float = declared(
        250, gt=0, description="such lists that all peers of one address may have each second after that"
    )
    table_rows: int = declared(
        1000, ge=1, le=2000, description="rows of a championsList, besides the row of the player that gets it"
    )
    champions_bytes_per_s: int = declared(
        262_144,
        ge=1024,
        description="bytes of championsList in a second, for all players together; above that a player gets the first "
        "rows and its own, and the whole list later",
    )
    max_game_bytes: int = declared(
        67_108_864,
        ge=65_536,
        description="bytes of the states of one game; beyond them it is void. Its moves may have the rest, and at "
        "least half of it all",
    )
    max_tables: int = declared(1000, ge=1, description="tables that may be set up at a time, including those in play")
    max_tables_per_ip: int = declared(
        200, ge=1, description="tables that players of one address may set up, including those in play"
    )
    max_table_games: int = declared(200, ge=1, description="games that may be in play at tables at a time")
    max_table_games_per_ip: int = declared(
        20,
        ge=1,
        description="games that may be in play at tables of players of one address; when nearly all are in play, an "
        "address that has many gets no more",
    )
    max_table_seats: int = declared(32, ge=2, le=4096, description="seats of a table; max_seats holds, too")
    max_table_name: int = declared(40, ge=1, le=1024, description="characters of the name of a table")
    max_invitations: int = declared(100, ge=0, le=1024, description="players that may be invited to a table")
    max_chat_characters: int = declared(2000, ge=1, le=65_536, description="characters of one message in the chat")
    chat_per_minute: int = declared(30, ge=1, description="messages in the chat that one peer may send in a minute")
    max_spectators: int = declared(5000, ge=0, description="spectators at a time")
    max_watch_backlog_bytes: int = declared(
        1_048_576, ge=65_536, description="unsent bytes before a spectator is dropped"
    )
    max_past_bytes: int = declared(
        2_147_483_648,
        ge=1_048_576,
        description="bytes of a temporary file with the past of running games, where there is no journal; above that "
        "the games with the most are forgotten by it and go on",
    )
    standings_rows: int = declared(
        100_000,
        ge=2,
        description="rows of players who have gone, in all standings of open play together; above that those with the "
        "fewest games go, and are counted on disk only",
    )
    max_new_names_per_ip: int = declared(
        20_000,
        ge=1,
        description="nicks without a row in the standings that may come from one address within a day, besides those "
        "that go without a game; names with tokens and players on this machine do not count",
    )
    allowed_game_types: tuple[Name, ...] = declared((), description="game types that may log in; empty: all")
    max_logins: int = declared(10_000, ge=1, description="players and masters logged in at a time (the server is full)")
    max_connections: int = declared(12_000, ge=1, description="connections at a time, logged in or not")
    max_connections_per_ip: int = declared(5_000, ge=1, description="connections at a time from one address")
    max_outbox_bytes: int = declared(4_194_304, ge=65_536, description="unsent bytes before a peer is closed")
    max_outbox_total_bytes: int = declared(
        134_217_728,
        ge=1_048_576,
        description="unsent bytes for all peers together; above that the peers with the most are closed",
    )
    max_held_bytes_per_ip: int = declared(
        83_886_080,
        ge=16_777_216,
        description="bytes held for all peers from one address and the games of its masters (unfinished messages, "
        "unsent bytes, moves and states); above that those with the most have to give some back",
    )
    max_held_bytes: int = declared(
        1_073_741_824,
        ge=16_777_216,
        description="bytes held for all peers of the server, with all else that it keeps for them; at most half of the "
        "memory of the machine or its control group",
    )
    write_timeout_s: Seconds = declared(30, gt=0, description="seconds for a peer to take any byte that waits for it")
    drain_s: Seconds = declared(0, description="seconds for running games to end after SIGTERM or SIGINT")
    goodbye_s: Seconds = declared(3, description="seconds for the last messages to go out when the server stops")
    game_types: Mapping[Name, GameTypeSettings] = declared({}, description="settings of single game types")
    tls: TlsSettings = declared(TlsSettings(), description="encrypted lines")
    site: SiteTable = declared(SiteTable(), description="texts of the first page")
    gateways: Mapping[Name, Declared] = declared(
        {},
        description="settings of gateways, each an instance of the class that the gateway declares",
    )

    @property
    def kept_at(self) -> str:
        """Where everything is kept: the address of a database, or a directory; empty if nothing is kept."""
        return self.journal_url or self.data_dir

    @property
    def needs_tokens(self) -> bool:
        """Whether any player cannot come in without a token."""
        of_types = [self.game_type(name).auth_masters for name in ("", *self.game_types)]
        return self.auth != "none" or "tokens" in of_types

    @cached_property
    def for_all_types(self) -> GameTypeSettings:
        """The settings of a game type that is not named in ``game_types``."""
        return GameTypeSettings.unchecked(**{name: getattr(self, name) for name in GameTypeSettings.fields()})

    def game_type(self, name: str) -> GameTypeSettings:
        """Return the settings in force for one game type: its own, otherwise those of the top level."""
        own = self.game_types.get(name)
        if own is None:
            return self.for_all_types
        return self.for_all_types.but(**{key: getattr(own, key) for key in own.given})


def no_note(names: Sequence[str]) -> None:
    """Old places of settings are not mentioned."""


def load(
    path: Path | None,
    overrides: Mapping[str, object] | None = None,
    gateways: SettingsOf = no_gateways,
    note: Callable[[Sequence[str]], None] = no_note,
) -> Config:
    """Read a configuration file (None: all defaults) and lay the options of the command line over it.

    ``note`` is called with the settings that stand above all tables, as in files of old, if there are any. Raises
    :class:`ConfigError` when the file cannot be read, is not TOML, has an unknown key or a wrong value.
    """
    source = str(path) if path is not None else "command line"
    settings = read_toml(path, ConfigError) if path is not None else {}
    parse(settings, source, gateways)
    values, _, outside = flattened(settings, source)
    if outside:
        note(outside)
    for key, value in (overrides or {}).items():
        if isinstance(value, Mapping):
            values[key] = merged(values.get(key, {}), value)
        else:
            values[key] = value
    return parse(values, "command line" if overrides else source, gateways)


def merged(below: Mapping[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    """Two levels of tables laid over each other: game type or gateway -> its settings."""
    return {
        **below,
        **{name: {**below.get(name, {}), **settings} for name, settings in above.items()},
    }


def parse(values: Mapping[str, Any], source: str, gateways: SettingsOf = no_gateways) -> Config:
    """Check the settings of a file; ``source`` is named in the :class:`ConfigError` when something is wrong."""
    flat = flattened(values, source)
    checked = dict(flat.values)
    mistakes = flat.mistakes
    tables = checked.get("gateways")
    if isinstance(tables, Mapping):
        checked["gateways"], more = gateway_settings(tables, source, gateways)
        mistakes += more
    try:
        config = Config.read(checked)
    except WrongValues as error:
        mistakes = error.lines(source, more=tuple(SETTING_TABLES)) + mistakes
    if mistakes:
        raise ConfigError("\n".join(mistakes))
    for name, settings in [("", config.for_all_types), *config.game_types.items()]:
        where = f'game_types."{name}".championship_at' if name else "championship_at"
        try:
            starts_at(settings)
        except ValueError:
            raise ConfigError(
                f"{source}: {where} = {settings.championship_at!r}: not a time; "
                "allowed: a local time such as 2030-05-01T20:00, or empty"
            ) from None
    if config.championship_at:
        raise ConfigError(
            f'{source}: championship_at = {config.championship_at!r}: allowed only under [game_types."NAME"]'
        )
    return config


def starts_at(settings: GameTypeSettings) -> datetime | None:
    """Return the time when a championship begins, or None. Raises ValueError for text that is no time."""
    return datetime.fromisoformat(settings.championship_at) if settings.championship_at else None


def gateway_settings(
    tables: Mapping[str, Any], source: str, gateways: SettingsOf
) -> tuple[dict[str, Declared], list[str]]:
    """The tables under ``gateways``, each checked by the class that its gateway declares, and one line per mistake."""
    settings: dict[str, Declared] = {}
    mistakes: list[str] = []
    for name, table in tables.items():
        try:
            settings[name] = gateways(name).read(table)
        except ConfigError as error:
            mistakes.append(f"{source}: {error}")
        except WrongValues as error:
            mistakes += error.lines(source, ("gateways", name))
    return settings, mistakes


def time_text(values: object) -> object:
    """A time that TOML has read itself, as the text that stands for it; anything else as it is."""
    return values.isoformat() if isinstance(values, date | time) else values
