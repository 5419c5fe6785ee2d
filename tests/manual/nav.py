"""Which page is for whom, in the order of the site."""

from collections.abc import Iterable
from typing import Any, Final

ROLES: Final[dict[str, tuple[str, ...]]] = {
    "Begin": ("index.md", "overview.md", "questions.md", "commands.md", "compared.md"),
    "Write a bot": (
        *(
            "first-bot.md",
            "trials.md",
            "bot-writer.md",
            "check.md",
            "match.md",
            "cluster-match.md",
            "kits.md",
            "engines.md",
            "agents.md",
        ),
        *("learning.md", "protocol.md", "examples.md"),
    ),
    "Run a contest": (
        *(
            "organiser.md",
            "public-address.md",
            "championship.md",
            "standings.md",
            "why.md",
            "security.md",
            "cluster.md",
        ),
        *("settings.md", "game-record.md", "benchmark.md"),
    ),
    "Look on and play": ("spectator.md",),
    "Games": (
        *(
            "games.md",
            "catan.md",
            "titan.md",
            "titan-rules.md",
            "bang.md",
            "apologies.md",
            "chess.md",
            "go.md",
            "openspiel.md",
        ),
    ),
    "Add a game": ("adding-a-game.md", "master-writer.md"),
    "Work on ugs": (
        *("contributing.md", "architecture.md", "ways.md", "changing.md", "life.md", "choices.md", "costs.md"),
        *("glossary.md", "dependencies.md", "promises.md", "changelog.md"),
    ),
}
"""Pages by role; those that are not there are left out, others of ``docs/`` come under :data:`MORE`."""
FOLDERS: Final = {"Commands": "commands/", "The kit": "api/", "Decisions": "decisions/", "Policies": "policies/"}
MORE: Final = "More"
HIDDEN: Final = "files/"
"""Files that pages link to; they are in no list, nor does the search show them."""


def navigation(pages: Iterable[str]) -> list[dict[str, Any]]:
    """The lists of the site, as mkdocs wants them, of these pages."""
    left = sorted(set(pages))
    lists: dict[str, list[str]] = {}
    for role, wanted in ROLES.items():
        lists[role] = [page for page in wanted if page in left]
    named = {page for wanted in ROLES.values() for page in wanted}
    for title, folder in FOLDERS.items():
        own = [page for page in left if page.startswith(folder)]
        lists[title] = sorted(own, key=lambda page: (not page.endswith(("README.md", "index.md")), page))
    lists[MORE] = [page for page in left if page not in named and not page.startswith((*FOLDERS.values(), HIDDEN))]
    return [{title: own} for title, own in lists.items() if own]
