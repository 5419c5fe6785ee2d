"""Words that people look for in one group of commands and that stand in another one."""

from typing import Any, ClassVar

from typer.core import TyperGroup


class OrdersOfChampionships(TyperGroup):
    """``ugs championship …``: for a running game ``ugs admin`` has more."""

    elsewhere: ClassVar[dict[str, str]] = {
        "void": "`ugs admin void GAME` ends a running game, also one of a championship, which is played again; "
        "`ugs championship replay NAME GAME` cancels a result",
    }
    """What is meant by words that are no commands here."""

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        """The command on the line. Ends the program with exit code 2 where there is none, and names the one meant."""
        if args and args[0] in self.elsewhere:
            ctx.fail(f"No such command {args[0]!r}: {self.elsewhere[args[0]]}.")
        return super().resolve_command(ctx, args)


class ActsOfOrganisers(OrdersOfChampionships):
    """``ugs admin …``: for results of championships ``ugs championship`` has more."""

    elsewhere: ClassVar[dict[str, str]] = {
        "correct": "`ugs championship correct NAME GAME` puts the result of a championship right",
        "replay": "`ugs championship replay NAME GAME` cancels the result of a championship, and it is played again",
        "withdraw": "`ugs championship withdraw NAME NICK` takes an entrant out of a championship",
    }
