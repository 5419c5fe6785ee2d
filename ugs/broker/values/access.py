"""One rule about who may come in, as organisers write it down."""

from ugs.value import value


@value
class AccessRule:
    """A ban that holds, or a name or range that is allowed. ``left_s``: for how many seconds; None: for good."""

    subject: str
    is_address: bool
    why: str
    left_s: float | None = None
    allows: bool = False
    """Whether who is named may come in, and nobody else."""
