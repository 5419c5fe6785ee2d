"""How a request is refused: with a reason code for programs and a sentence for people."""

from ugs.value import value
from ugs.wire.extensions import Reason


@value
class Refusal:
    """Why a request is not granted."""

    reason: Reason
    text: str
