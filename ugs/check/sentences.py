"""The sentences of ``schemas/README.md`` that the cases stand on; a test compares them with the page."""

from enum import StrEnum


class S(StrEnum):
    """Sentences, as the page has them; line ends are blanks."""

    XML = "Both directions are XML documents, one after another, UTF-8 without byte order mark."
    DOCUMENTS = "Each document is one `message` element, and its attribute `type` names its kind."
    PIECES = "TCP keeps no boundaries: one read may bring half a document, or three and a half."
    NO_CHILDREN = "when the root's start tag itself ends in `/>`, for that"
    DECLARED = 'An organiser may set `xml_declaration = "always"`.'
    STRICT = (
        "A well-formed document that is wrong (unknown type, missing attribute, not your turn, no such game) "
        "is answered with one `error`"
    )
    FLOOD = "messages per second, of a connection"
    FIRST = "After the answer you log in as in v4 (or `x-resume`, or `x-watch`)."
    ONE_LOGIN = "A second login on a connection that is logged in is a wrong message and changes nothing."
    LOGIN = "A player names itself and the type of game that it plays."
    REFUSED = "After a refused login the connection stays open for another attempt, and is closed after the third"
    TABLE = "The table of your game type, the best first. It may be empty."
    TABLE_WHEN_IDLE = "Only players that play no game get one."
    REFERENCES = (
        "Ids, nicks and game types are compared after the references in them (such as `&amp;`) are resolved, "
        "code point by code point."
    )
    TURN = "The move of the player that the last `gameState` named, in the notation of the game."
    ONCE = (
        "A `move` is passed on only from the player whom the last `gameState` of that game names in "
        "`nextPlayer`, and only the first."
    )
    OWN_GAME = "A message about a game that is over or void is answered with `error` to a player"
    THANKS = "A player has seen the `gameOver` and is ready for another game."
    READY = "A player has seen the `gameOver` and is ready for another game. The type has a blank in it."
    LEGAL = "lost, for that player (verdict `illegal move`)"
    OVER = "`gameOver` with the result of everyone, `winner` or `loser`."
    LATE = "One `move` of a player who had been asked when the game ended is ignored, too"
    VOID = 'sends the players an `error` that begins with "game void:"; no `thank you` is due'
    ERROR = (
        "Text for people: what was wrong with a message, or what has happened to a game. Programs should log "
        "it and go on."
    )
    SHUTDOWN = "The server is about to close every connection."
    CLOSES = "a player's connection is lost"
    GRANTED = "You ask for families of messages with `x-hello`, and use and get only those that were granted"
    HELLO = "The answer names those that you may use here."
    NOT_KNOWN = "A family that the server does not know is not granted; that is no mistake."
    MORE = "Unknown attributes, elements and text in an `x-` message are ignored, so that later versions can add to it."
    PONG = "the answer to `x-ping`, at once"
    REF = (
        "A request may have an attribute `ref` on its `message` element, of at most 128 characters. The "
        "answer repeats it."
    )
    RESUME = "To come back, open a connection, send `x-hello` with the families you want from now on, then `x-resume`."
    RESUMED_TURN = (
        "With `yes` a move that you sent before the cut has not arrived; with `no` that state needs no answer, even if "
        "it names you."
    )
    MISSED = "If your game has ended meanwhile, the `error` that you have missed follows"
    RESUME_REFUSED = "a token that is not known, or whose session is over, is wrong; both are `INVALID_PLAYER`"
    WARNING = "silent for long, or short of time; `leftSec` is how long it may go on"
    CLOCK = "the answer; and before every state of a game in which players have budgets"
    VERDICT = "after the end of a game: why it ended, and whose fault that was"
    REASON = "the master reports that you broke this rule"
    SEATS = "who sits where, whenever that changes"
    WORDS = "or `SHUTDOWN`, and there may be more of them."
    SAID = "the text of another peer"
    INVITED = "a player asks you to this table"
    MASTER_LOGIN = "A master names the type of game that it leads, and how few and how many players it takes."
    FIRST_STATE = "The master answers with the first `gameState`."
    ANSWERS = "The master gets it as it was sent, and answers with a `gameState`."
    NAMED = "And one of two: `nextPlayer`, whose turn it is, or `gameOver` with the result of everyone"
    ALL_LISTED = "`gameOver` must list every player who is still in the game exactly once."
    UNCHANGED = "A `<move>` or `<gameState>` arrives at the other side byte for byte as it was sent"
    LEFT = "this player has left, was disconnected or was too slow; answer with another `gameState`."
    MANY_GAMES = "A game for the master to lead: its id, which no other game ever had or will have"
    LATE_FOR_MASTER = "it may have been on its way when the game ended; a master leads many games"
    RULES = "A game master knows the rules of a game"
    UNFINISHED = "After `x-stop` the server ignores what still comes of that game."
    OFFERS = "A master with `table` gets its first game only after its `x-offers`, which may be empty."
    OPTIONS = "`beginGame` always holds how the game is to be played, defaults included."
    SEED = "so that the same seed and the same moves always give the same game."
    RESTORE = "It plays them through and answers with the state as it is now, by `gameState` or `x-views`"
    SEATS_OF_MASTER = "`seats` is there when the master plays some of them"
    SKETCH = "What is wrong in a sketch is answered with an `error` that names element, attribute and value"
    OFFERED = "`nick`: who may make it, without it who is asked; in it the `move`, as it is to be sent"
    MOVED = "A master with `movers` may send `x-views` with several `nextPlayer`."
