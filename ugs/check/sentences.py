"""The sentences of ``schemas/README.md`` on which the cases stand; a test compares them with the page."""

from typing import Final


class S:
    """Sentences, as the page has them; line ends are blanks."""

    XML: Final = "Both directions are XML documents, one after another, UTF-8 without byte order mark."
    DOCUMENTS: Final = "Each document is one `message` element, and its attribute `type` says what it is."
    PIECES: Final = "TCP keeps no boundaries: one read may bring half a document, or three and a half."
    NO_CHILDREN: Final = "when the root's start tag itself ends in `/>`, for that"
    DECLARED: Final = 'An organiser may set `xml_declaration = "always"`.'
    STRICT: Final = (
        "A well-formed document that is wrong (unknown type, missing attribute, not your turn, no such game) "
        "is answered with one `error`"
    )
    FLOOD: Final = "messages per second, of a connection"
    FIRST: Final = "After the answer you log in as in v4 (or `x-resume`, or `x-watch`)."
    ONE_LOGIN: Final = "A second login on a connection that is logged in is a wrong message and changes nothing."
    LOGIN: Final = "A player says who it is and which type of game it plays."
    REFUSED: Final = (
        "After a refused login the connection stays open for another attempt, and is closed after the third"
    )
    TABLE: Final = "The table of your game type, the best first. It may be empty."
    TABLE_WHEN_IDLE: Final = "Only players that play no game get one."
    REFERENCES: Final = (
        "Ids, nicks and game types are compared after the references in them (such as `&amp;`) are resolved, "
        "code point by code point."
    )
    TURN: Final = "The move of the player that the last `gameState` named, in the notation of the game."
    ONCE: Final = (
        "A `move` is passed on only from the player whom the last `gameState` of that game names in "
        "`nextPlayer`, and only the first."
    )
    OWN_GAME: Final = "A message about a game that is over or void is answered with `error` to a player"
    THANKS: Final = "A player has seen the `gameOver` and is ready for another game."
    READY: Final = "A player has seen the `gameOver` and is ready for another game. The type has a blank in it."
    LEGAL: Final = "lost, for that player (verdict `illegal move`)"
    OVER: Final = "`gameOver` with the result of everyone, `winner` or `loser`."
    LATE: Final = "One `move` of a player who had been asked when the game ended is ignored, too"
    VOID: Final = 'sends the players an `error` that begins with "game void:"; no `thank you` is due'
    ERROR: Final = (
        "Text for people: what was wrong with a message, or what has happened to a game. Programs should log "
        "it and go on."
    )
    SHUTDOWN: Final = "The server is about to close every connection."
    CLOSES: Final = "a player's connection is lost"
    GRANTED: Final = "You ask for families of messages with `x-hello`, and use and get only those that were granted"
    HELLO: Final = "The answer names those that you may use here."
    NOT_KNOWN: Final = "A family that the server does not know is not granted; that is no mistake."
    MORE: Final = (
        "Unknown attributes, elements and text in an `x-` message are ignored, so that later versions can say more."
    )
    PONG: Final = "the answer to `x-ping`, at once"
    REF: Final = (
        "A request may have an attribute `ref` on its `message` element, of at most 128 characters. The "
        "answer repeats it."
    )
    RESUME: Final = (
        "To come back, open a connection, say `x-hello` with the families you want from now on, then `x-resume`."
    )
    RESUMED_TURN: Final = (
        'The answer is `loginResponse` and `x-session`, in which `turn="yes"` says that the server waits for '
        "a move of yours"
    )
    RESUME_REFUSED: Final = "a token that is not known, or whose session is over, is wrong; both are `INVALID_PLAYER`"
    WARNING: Final = "silent for long, or short of time; `leftSec` is how long it may go on"
    CLOCK: Final = "the answer; and before every state of a game in which players have budgets"
    VERDICT: Final = "after the end of a game: why it ended, and whose fault that was"
    REASON: Final = "the master says that you broke this rule"
    SEATS: Final = "who sits where, whenever that changes"
    WORDS: Final = "or `SHUTDOWN`, and there may be more of them."
    SAID: Final = "somebody said that"
    INVITED: Final = "somebody asks you to this table"
    MASTER_LOGIN: Final = "A master says which type of game it leads, for how few and how many players."
    FIRST_STATE: Final = "The master answers with the first `gameState`."
    ANSWERS: Final = "The master gets it as it was sent, and answers with a `gameState`."
    NAMED: Final = "And one of two: `nextPlayer`, whose turn it is, or `gameOver` with the result of everyone"
    ALL_LISTED: Final = "`gameOver` must list every player who is still in the game exactly once."
    UNCHANGED: Final = "A `<move>` or `<gameState>` arrives at the other side byte for byte as it was sent"
    LEFT: Final = "this player has left, was disconnected or was too slow; answer with another `gameState`."
    MANY_GAMES: Final = "A game for the master to lead: its id, which no other game ever had or will have"
    LATE_FOR_MASTER: Final = "it may have been on its way when the game ended; a master leads many games"
    RULES: Final = "A game master knows the rules of a game"
    UNFINISHED: Final = "After `x-stop` the server ignores whatever still comes of that game."
    OFFERS: Final = "A master with `table` gets its first game only after its `x-offers`, which may be empty."
    OPTIONS: Final = "`beginGame` always says how the game is to be played, defaults included."
    SEED: Final = "so that the same seed and the same moves always give the same game."
    RESTORE: Final = "It plays them through and answers with the state as it is now, by `gameState` or `x-views`"
    MOVED: Final = "A master with `movers` may send `x-views` with several `nextPlayer`."
