"""How long the texts in a message may be, in characters.

Each limit is far above what an honest program needs, and bounds what is stored and repeated. Beyond it a message is
refused (:class:`ugs.wire.errors.WrongMessage`); ``parts.py`` and ``shapes.py`` do that. Limits of a whole document are
in ``document_limits.py``.
"""

from typing import Final

MAX_REF: Final = 128
"""A reference, which is stored and repeated. Programs use counters or random ids, at most 36 characters (a UUID)."""
MAX_ID: Final = 128
"""The id of a game or a table, or a token. The server chooses them, and uses less than half of this."""
MAX_NICK_LENGTH: Final = 64
"""A nick or a game type; longer ones cannot log in."""
MAX_LOGIN_TEXT: Final = 1024
"""Each attribute of a login. The broker answers a name that is too long with the error number for it, and only longer
text than this with an Error."""
MAX_ERROR: Final = 65_536
"""An error: it is stored in the record of the game."""
MAX_NAME: Final = 128
"""The name of an option, a seat, a family: a few words."""
MAX_VALUE: Final = 1024
"""The value of an option, or the version of a program: a line of text."""
MAX_CODE: Final = 64
"""The code of a reason: a few words of the rules."""
MAX_REASON: Final = 1024
"""A reason: a sentence or two for the author of a bot."""
MAX_REFUSAL: Final = 65_536
"""Why a request was refused, for people. The server may list all values that would have been allowed."""
MAX_SETUP: Final = 65_536
"""A set-up: all cards and pieces of a large game, with a line of explanation for each."""
MAX_CHAT: Final = 65_536
"""A text for other players; no setting allows more. A long chapter."""
