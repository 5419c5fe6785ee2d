"""Plans of championships for ``ugs championship``: read, and played through beforehand."""

from pathlib import Path

import typer

from ugs.championship.forecast import forecast, report
from ugs.championship.plan import Plan, PlanError, load_plan
from ugs.commands.failure import FAILED, WRONG_USAGE, failure
from ugs.journal.journal_error import JournalError
from ugs.places import Place
from ugs.standings.seeding import seeded

COMMAND = "ugs championship"


def read(file: Path, data_dir: Place | None) -> Plan:
    """Return the plan in a file, with the seeds that follow from the journal, where it wants such; ends the command
    when it cannot be used."""
    try:
        return seeded(load_plan(file), data_dir)
    except PlanError as error:
        raise failure(COMMAND, error, WRONG_USAGE) from None
    except JournalError as error:
        raise failure(COMMAND, error, FAILED) from None


def foretell(plan: Plan, entrants: int | None, seats: int | None, game_s: float, at_a_time: int) -> None:
    """Print what a plan would come to; ends the command when it does not fix how many play."""
    try:
        if plan.entrants and entrants is not None:
            raise PlanError(f"--entrants {entrants}: the plan names its {len(plan.entrants)} entrants")
        field = plan.entrants or entrants or plan.first
        if not field:
            raise PlanError("the plan does not set how many play: give --entrants")
        typer.echo(report(forecast(plan, field, seats or plan.seats or 2, game_s, at_a_time)))
    except PlanError as error:
        raise failure(COMMAND, error, WRONG_USAGE) from None
