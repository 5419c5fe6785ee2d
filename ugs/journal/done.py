"""What organisers have done, as lines for people: acts, orders to championships, changes of tokens."""

from datetime import UTC, datetime

from ugs.journal.reader import Reader
from ugs.journal.tokens import changes
from ugs.places import Place


def done_lines(place: Place, latest: int = -1) -> list[str]:
    """Return what organisers did to the server, to championships and to the list of tokens, in order; with ``latest``,
    only that many of the last ones. Raises :class:`~ugs.journal.journal_error.JournalError` and
    :class:`~ugs.journal.tokens.IdentitiesError`."""
    with Reader(place) as reader:
        done = [(one.wall_us, one.line) for one in reader.done(latest)]
    done += [(one.at_us, f"{_moment(one.at_us)}  {one.who}: {one.text}") for one in changes(place)]
    # A stable sort: what is of the same moment stays in its order.
    lines = [line for _, line in sorted(done, key=lambda one: one[0])]
    return lines if latest < 0 else lines[-latest:]


def _moment(us: int) -> str:
    return datetime.fromtimestamp(us / 1_000_000, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
