"""One rule about who may come in, as organisers write it down."""

from ugs.value import value


@value
class AccessRule:
    """A ban, or an allowed name or range. ``left_s``: seconds that it is still in force; None: for good."""

    subject: str
    is_address: bool
    why: str
    left_s: float | None = None
    allows: bool = False
    """Whether the subject is allowed, and others are not."""
