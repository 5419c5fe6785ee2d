"""The configuration file with every setting, as ``conf/ugs.toml`` and ``ugs config`` show it."""

import json
import re
from collections.abc import Mapping

from ugs.config import Config, GameTypeSettings
from ugs.declared import Declared
from ugs.setting_tables import GAME_TYPE_TABLES, SERVER_TABLES
from ugs.site_settings import SiteTable
from ugs.tls_settings import TlsSettings

HEADING = """\
# The settings of a server: `ugs serve --config THIS-FILE`. Every setting is here with its default, its unit and what it
# does; `ugs config` prints this file. Units are in the names: _s is seconds, _bytes is bytes.
"""
GAME_TYPE_HEADING = """
# ---- Play ----
# Each of these may also stand under [game_types."NAME"], without a table of its own, and then holds for that game type
# only.
"""
EXAMPLE = """
# ---- Single game types, for example ----
#
# [game_types."5-in-line-tic-tac-toe"]
# move_timeout_s = 5
# mode = "championship"
# championship_players = 8
"""
TLS_HEADING = """
# ---- TLS: encrypted lines ----
# With a certificate every port speaks TLS only, except where its setting is false. SIGHUP reads the files again.

[tls]
"""
SITE_HEADING = """
# ---- The page: the text of its first page ----

[site]
"""
GATEWAY_HEADING = """
# ---- The gateway {name} ----

[gateways.{key}]
"""
BARE_KEY = re.compile("[A-Za-z0-9_-]+")
"""A key of TOML that needs no quotes."""


def written_out(gateways: Mapping[str, type[Declared]] | None = None) -> str:
    """The configuration file with every default and explanation; ``gateways`` are the settings that the installed
    gateways declare, by name."""
    lines = [HEADING, *_tables(Config, SERVER_TABLES), GAME_TYPE_HEADING, *_tables(GameTypeSettings, GAME_TYPE_TABLES)]
    lines += [TLS_HEADING, *(setting_line(TlsSettings, name) for name in TlsSettings.fields())]
    lines += [SITE_HEADING, *(setting_line(SiteTable, name) for name in SiteTable.fields()), EXAMPLE]
    for name, model in (gateways or {}).items():
        key = name if BARE_KEY.fullmatch(name) else json.dumps(name)
        lines.append(GATEWAY_HEADING.format(name=name, key=key))
        lines += [setting_line(model, field) for field in model.fields()]
    return "".join(lines)


def _tables(model: type[Declared], tables: Mapping[str, tuple[str, ...]]) -> list[str]:
    return [
        line for table, names in tables.items() for line in (f"\n[{table}]\n", *(setting_line(model, x) for x in names))
    ]


def setting_line(model: type[Declared], name: str) -> str:
    """One setting with its default and explanation, as TOML."""
    field = model.fields()[name]
    default = list(field.default) if isinstance(field.default, tuple) else field.default
    return f"\n# {field.description}\n{name} = {json.dumps(default)}\n"
