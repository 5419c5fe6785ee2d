"""A game that waits for its start: who may start it, computer players, seats that are left. And how a game looks in
text."""

from collections.abc import Iterator

from game_masters.bang.cycle.legality import Refusal
from game_masters.bang.messages.events import GameUpdated, PlayerCreated, PlayerRemoved
from game_masters.bang.messages.moves import CreateGame, Move, StartGame
from game_masters.bang.messages.words import Reason, Stage
from game_masters.bang.setup.beginning import MAX_PLAYERS, MIN_PLAYERS
from game_masters.bang.table.circle import Player
from game_masters.bang.table.course import Course

CREATED = "Computer"


def creator(course: Course, automatic: set[int]) -> Player:
    """Return the player who may start the game: the first who is not a computer player of this lobby."""
    return next(player for player in course.players if player.id not in automatic)


def refusal(course: Course, move: Move) -> Refusal | None:
    """Return why the creator may not make this move."""
    number = len(course.players.players)
    match move:
        case StartGame():
            if MIN_PLAYERS <= number <= MAX_PLAYERS:
                return None
            return Refusal(Reason.BAD_GAME_STATE, f"{number} players; {MIN_PLAYERS} to {MAX_PLAYERS} can play")
        case CreateGame():
            seats = number - _computers(course) + move.computers
            if move.computers < 0 or seats > MAX_PLAYERS:
                return Refusal(Reason.BAD_USAGE, f"{move.computers} computer players; at most {MAX_PLAYERS} can play")
            return None
    return Refusal(Reason.BAD_GAME_STATE, "the game has not started")


def legal_moves(course: Course) -> list[Move]:
    """Return the moves of the creator; a new name of the game is allowed besides."""
    computers = range(MAX_PLAYERS + 1)
    candidates: list[Move] = [StartGame(), *(CreateGame("", number) for number in computers)]
    candidates += [CreateGame("", _computers(course), shuffle) for shuffle in (False, True)]
    return [move for move in candidates if refusal(course, move) is None]


def create(course: Course, move: CreateGame, seats: int) -> None:
    """Let there be as many computer players as the move wants, in place of those there are. Their ids come after those
    of the ``seats`` that players have, or had."""
    players = course.players.players
    while _computers(course) > move.computers:
        gone = next(player for player in reversed(players) if player.lobby)
        players.remove(gone)
        course.log.entries.append(PlayerRemoved(gone.id))
    names = {player.name for player in players}
    while _computers(course) < move.computers:
        id = max(seats, *(player.id for player in players)) + 1
        name = next(name for name in _names() if name not in names)
        names.add(name)
        players.append(Player(id, name, ai=True, lobby=True))
        course.log.entries.append(PlayerCreated(players[-1].view()))
    course.log.entries.append(GameUpdated(MIN_PLAYERS <= len(players) <= MAX_PLAYERS, move.name))


def remove(course: Course, player: Player) -> None:
    """Remove the seat of a player who leaves."""
    players = course.players.players
    before = len(players) >= MIN_PLAYERS
    players.remove(player)
    course.log.entries.append(PlayerRemoved(player.id))
    if before != (len(players) >= MIN_PLAYERS):
        course.log.entries.append(GameUpdated(startable=False))


def bring_back(course: Course, player: Player, seats: int) -> None:
    """Let a player who has left sit down again, in the place of a computer player if there is no other."""
    players = course.players.players
    if len(players) == MAX_PLAYERS:
        create(course, CreateGame("", _computers(course) - 1), seats)
    players.append(player)
    course.log.entries.append(PlayerCreated(player.view()))
    if len(players) == MIN_PLAYERS:
        course.log.entries.append(GameUpdated(startable=True))


def start_anyway(course: Course, seats: int) -> None:
    """Fill the table up with computer players, if there are too few players, so that the game can start."""
    missing = MIN_PLAYERS - len(course.players.players)
    if missing > 0:
        create(course, CreateGame("", _computers(course) + missing), seats)


def _computers(course: Course) -> int:
    return sum(player.lobby for player in course.players)


def _names() -> Iterator[str]:
    # More than there are seats, since players may be called like this, too.
    return (f"{CREATED} {number}" for number in range(1, 3 * MAX_PLAYERS))


def portrait(course: Course) -> Iterator[str]:
    """Yield the whole game as lines of text, with all that is hidden."""
    if course.stage is Stage.WAITING:
        yield f"waiting: {', '.join(player.name for player in course.players)}"
        return
    asked = "" if course.ended is not None else f", {course.requested.name} is asked: {_request(course)}"
    yield f"{course.stage}, turn {course.turn.number} of {course.current.name}{asked}"
    for player in course.players:
        state = f"{player.life}/{player.most}" if player.alive else "dead"
        hand = ", ".join(card.words for card in player.hand) or "nothing"
        table = f"; table: {', '.join(card.words for card in player.table)}" if player.table else ""
        yield f"{player.id} {player.name}, {player.character}, {player.role}, {state}: {hand}{table}"
    piles = course.piles
    yield f"deck, first first: {', '.join(_short(card.name, card.suit, card.rank) for card in reversed(piles.deck))}"
    yield f"discards, top first: {', '.join(_short(one.name, one.suit, one.rank) for one in reversed(piles.graveyard))}"
    if piles.selection:
        yield f"selection: {', '.join(card.words for card in piles.selection)}"


def _request(course: Course) -> str:
    top = course.stack.top
    return course.turn.phase if top is None else top.reaction


def _short(name: str, suit: str, rank: str) -> str:
    return f"{name} {rank[0].upper() if rank.isalpha() else rank}{suit[0]}"
