"""The installed games, whose masters a server needs, and the game types that the settings name."""

from collections.abc import Iterable, Mapping
from importlib.metadata import EntryPoint, entry_points
from typing import Final

from ugs.config import Config
from ugs.distributions import NotInstalled, what_installs
from ugs.doctor.diagnosis import Diagnosis, bad, good, note, warning
from ugs.printable import meant

GROUP: Final = "ugs.games"


def examine_games(
    config: Config, installed: Mapping[str, str], broken: Mapping[str, str], lacking: Mapping[str, str]
) -> list[Diagnosis]:
    """Judge the installed games, game type by name, those that cannot be loaded, with the reasons, those that lack a
    library, with what to do, and the game types of the settings."""
    found = [
        bad("games", f"{name} cannot be loaded: {why}", "reinstall the package that has it")
        for name, why in broken.items()
    ]
    types = set(installed.values())
    for name in sorted({*config.game_types, *config.allowed_game_types} - types):
        found.append(
            warning(
                "games",
                f"the settings name the game type {name!r}{meant(name, types)}, which no installed game has",
                "mend the name, or start a game master of your own for it",
            )
        )
    if not installed:
        found.append(
            warning("games", "none is installed", 'pip install "ugs[games]", or start game masters of your own')
        )
    if found:
        return found
    found.append(good("games", f"{len(installed)} installed: ugs master NAME leads one"))
    if lacking:
        # Each with its reason would be a line of many hundred characters.
        how = what_installs(lacking.values()) or "ugs games names what installs it"
        found.append(note("games", f"{len(lacking)} more lack{'s' if len(lacking) == 1 else ''} a library", how))
    return found


def read_games(
    points: Iterable[EntryPoint] | None = None,
) -> tuple[dict[str, str], dict[str, str], dict[str, str]]:
    """The game types of the installed games by name, those that cannot be loaded with the reasons, and those that wait
    for a library of an extra with the command that installs it."""
    installed: dict[str, str] = {}
    broken: dict[str, str] = {}
    lacking: dict[str, str] = {}
    for point in sorted(entry_points(group=GROUP) if points is None else points, key=lambda point: point.name):
        try:
            installed[point.name] = str(point.load().game_type)
        except NotInstalled as error:
            lacking[point.name] = str(error)
        except Exception as error:  # the code behind an entry point is foreign and may do anything
            broken[point.name] = f"{type(error).__name__}: {error}"
    return installed, broken, lacking
