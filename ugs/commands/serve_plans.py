"""The plan files of ``ugs serve``."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import typer

from ugs.championship.plan import Plan, PlanError, load_plan
from ugs.commands.installed_options import refused_options
from ugs.journal.journal_error import JournalError
from ugs.places import Place, place_of
from ugs.printable import safe
from ugs.toml_files import read_toml


def plans_of(files: Sequence[Path], kept_at: str) -> Iterator[Plan]:
    """The plans of championships, with their seeds. ``kept_at``: where the journal is, or nothing.

    A file with a mistake is left out, with a warning, where the journal has its championship: that goes on with the
    plan in the journal, also one of an older program that took more. Else PlanError is raised."""
    if not files:
        return
    from ugs.standings.seeding import seeded  # standings take a second to load

    place = place_of(kept_at) if kept_at else None
    for file in files:
        try:
            plan = seeded(load_plan(file), place)
        except PlanError as error:
            name = _known(file, place)
            if not name:
                raise
            typer.echo(f"ugs serve: warning: {error}; {name} goes on with the plan in the journal", err=True)
        else:
            if refused := refused_options(plan.game_type, plan.options):
                typer.echo(f"ugs serve: warning: {safe(f'{file}: {refused}')}", err=True)
            yield plan


def _known(file: Path, place: Place | None) -> str:
    """The championship of a plan file, if the journal has it already."""
    name = read_toml(file, PlanError).get("name")
    if place is None or not isinstance(name, str):
        return ""
    from ugs.journal.reader import Reader

    try:
        with Reader(place) as reader:
            return name if name in [one.name for one in reader.championships()] else ""
    except JournalError:  # none yet
        return ""
