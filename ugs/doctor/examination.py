"""A configuration, and all checks in order."""

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from ugs.config import Config, ConfigError, load
from ugs.doctor import folder_checks
from ugs.doctor.diagnosis import Diagnosis, Grade, bad, good, warning
from ugs.doctor.folder_checks import examine_folder, examine_journal
from ugs.doctor.game_checks import examine_games, read_games
from ugs.doctor.machine_checks import clock, open_files, packages, read_open_files, read_packages, read_synchronized
from ugs.doctor.port_checks import examine_port, wanted_ports
from ugs.doctor.secret_checks import examine_secrets
from ugs.gateway import settings_of
from ugs.journal.journal_error import JournalError
from ugs.journal.lock import refuse_if_held
from ugs.page.server.admin_tokens import KeysError, read_keys
from ugs.path_faults import directory_fault
from ugs.setting_tables import TABLE_OF

SETTINGS: Final = "settings"


def examine(path: Path | None, overrides: dict[str, object]) -> list[Diagnosis]:
    """Everything that is to be known before a server starts with this file (None: defaults) and these options of its
    command line. Settings that cannot be read are reported, and the rest is judged by the defaults."""
    found, config = read_settings(path, overrides)
    data_dir = Path(config.data_dir) if config.data_dir else None
    if data_dir is not None and (fault := directory_fault(config.data_dir)):
        found.append(bad(folder_checks.SUBJECT, f"{data_dir}: {fault}", "name another one: data_dir, or --data-dir"))
        data_dir = None
    found += [packages(read_packages()), open_files(read_open_files(), config)]
    found.append(clock(read_synchronized(), time.time(), folder_checks.written_s(data_dir) if data_dir else None))
    if data_dir is not None:
        kind, writable = folder_checks.kind_of(data_dir, folder_checks.read_mounts()), folder_checks.may_write(data_dir)
        found += examine_folder(data_dir, folder_checks.free_in(data_dir), kind, writable)
        found += examine_journal(data_dir)
    elif not config.data_dir:
        found.append(warning("data directory", "none: nothing is kept", "set data_dir in [journal], or --data-dir"))
    # A server that runs here has its ports itself.
    if data_dir is not None and is_served(data_dir):
        found.append(good("ports", "not tried, since the server runs"))
    else:
        found += [examine_port(*one) for one in wanted_ports(config)]
    found += examine_secrets(config, time.time(), count_tokens)
    found += examine_games(config, *read_games())
    return found


def read_settings(path: Path | None, overrides: dict[str, object]) -> tuple[list[Diagnosis], Config]:
    """The judgements on the settings, and the settings."""
    outside: list[str] = []
    try:
        config = load(path, overrides, settings_of, outside.extend)
    except ConfigError as error:
        advice = "mend the file; `ugs config` prints every setting with what it does"
        return [bad(SETTINGS, line, advice) for line in str(error).splitlines()], load(None)
    if outside:
        places = ", ".join(f"{name} -> [{TABLE_OF[name]}]" for name in outside)
        text = f"{path}: {len(outside)} stand above all tables, which is read until 2.0"
        return [warning(SETTINGS, text, f"move them: {places}")], config
    if path is None:
        return [good(SETTINGS, "defaults, since there is no ugs.toml here; --config FILE names another one")], config
    return [good(SETTINGS, f"{path}: can be used")], config


def worst(found: Sequence[Diagnosis]) -> Grade:
    """The worst grade of all."""
    grades = {one.grade for one in found}
    return next((grade for grade in (Grade.BAD, Grade.WARNING) if grade in grades), Grade.GOOD)


def is_served(data_dir: Path) -> bool:
    """Whether a server has the data directory in use."""
    try:
        refuse_if_held(data_dir)
    except JournalError:
        return True
    return False


def count_tokens(path: Path) -> int:
    """How many tokens of organisers a file holds. Raises ValueError."""
    try:
        return len(read_keys(path))
    except KeysError as error:
        raise ValueError(str(error)) from error
