"""Life points lost: who reacts, who is saved, who is eliminated, and what follows, up to the end of the game."""

from collections.abc import Callable

from game_masters.bang.cards.characters import BART, GRINGO, SAM
from game_masters.bang.cycle.turns import end as end_turn
from game_masters.bang.messages.events import Command, LifePoints, Update
from game_masters.bang.messages.words import Role, Stage, Termination, Type
from game_masters.bang.table.circle import Player
from game_masters.bang.table.course import Course
from game_masters.bang.table.requests import DuelOver, LastSave, Series

REWARD = 3
"""Cards for the player who eliminates an outlaw."""


def wound(course: Course, victim: Player, culprit: int, lost: int, record: Callable[[list[Command]], None]) -> None:
    """Take life points. ``record`` adds the event that cost them, with the commands it is given."""
    victim.life -= lost
    # Not dead yet: Beers or Sid Ketchum's cards may still save the player.
    if victim.life <= 0:
        # On top of what has hit the player: a Gatling goes on only when this is decided.
        course.stack.items.append(LastSave(victim.id, culprit, lost))
    else:
        advance(course)
    # Readers never see less than 0; the context says how many points are missing.
    record([LifePoints(victim.id, max(0, victim.life))])
    # A dying player's ability waits: after a last save it counts the whole hit, in death it is lost.
    if victim.life > 0:
        _react(course, victim, culprit, lost)
        settle(course)


def healed(player: Player, points: int = 1) -> list[Command]:
    """Give life points up to the maximum. Returns the command for it, if that changes what all see."""
    before = max(0, player.life)
    player.life = min(player.most, player.life + points)
    after = max(0, player.life)
    # From -2 to -1 readers see no change.
    return [LifePoints(player.id, after)] if after != before else []


def revive(course: Course, player: Player, record: Callable[[list[Command]], None]) -> None:
    """Give a dying player a life point. If it is saved, what was interrupted goes on."""
    save = course.stack.top
    assert isinstance(save, LastSave)
    commands = healed(player)
    saved = player.life > 0
    # Before the event is recorded, which carries the question that the game goes on with.
    if saved:
        course.stack.items.pop()
        advance(course)
    record(commands)
    # After a Dynamite several Beers may be needed: Suzy Lafayette draws between them, and may find the next one.
    course.look_at_suzy(dying=True)
    if saved:
        _react(course, player, save.culprit, save.lost)
        settle(course)


def give_up(course: Course, victim: Player) -> None:
    """Let a dying player pass: it is eliminated."""
    save = course.stack.top
    assert isinstance(save, LastSave)
    course.record(Type.REACTION_PASS, victim.id)
    # Before the death is recorded: its context is the request that was interrupted.
    course.stack.items.pop()
    _eliminate(course, victim, save.culprit)


def advance(course: Course) -> None:
    """Find who is asked next by a Gatling or Indians, among those who are alive now."""
    items = course.stack.items
    series = items[-1] if items else None
    if isinstance(series, Series) and series.answered:
        following = course.players.after(series.requested)
        # The shooter is never asked, so with the shooter's seat the round is over.
        if following.id == series.cause:
            items.pop()
        else:
            # A new request: each target has its own tries of Barrel and ability.
            items[-1] = Series(series.reaction, series.cause, following.id)


def settle(course: Course) -> None:
    """A hit has had all its consequences: a duel that was decided by it is over."""
    items = course.stack.items
    while items and isinstance(items[-1], DuelOver):
        items.pop()
    course.look_at_suzy()


def _react(course: Course, victim: Player, culprit: int, lost: int) -> None:
    """Let Bart Cassidy and El Gringo react to a hit that they have survived."""
    if victim.character == BART:
        # For every cause, also a Dynamite or a lost duel of his own.
        course.draw(victim, lost, ability=True)
    # A Dynamite has no culprit, and in a duel that he has begun he is to blame himself.
    elif victim.character == GRINGO and culprit not in (0, victim.id):
        giver = course.players[culprit]
        stolen: list[Command] = []
        for _ in range(min(lost, len(giver.hand))):
            stolen.append(course.taken(giver, victim, course.any_card(giver)))
        if stolen:
            course.record(Type.DRAW_CARD, victim.id, stolen, ability=True)


def _eliminate(course: Course, victim: Player, culprit: int) -> None:
    victim.alive, victim.life = False, 0
    # The victim is dead already: Vulture Sam does not inherit from himself.
    sam = next((player for player in course.players.living if player.character == SAM), None)
    commands: list[Command] = []
    # In the order held; the printed game lets the victim choose what comes to lie on top.
    for card in (*victim.hand, *victim.table):
        commands.append(course.taken(victim, sam, card) if sam is not None else course.discarded(victim, card))
    commands.append(Update(victim.id, victim.role, alive=False))
    advance(course)
    # Before rewards and penalties: once the game is decided, no cards are drawn for it.
    ended = _ended(course)
    own_turn = victim is course.current
    course.record(
        Type.KILL_PLAYER,
        victim.id,
        commands,
        caused_by=culprit,
        ability=sam is not None,
        # A dead player cannot be asked: the next question is that of the turn that follows.
        context=ended is None and not own_turn,
    )
    if ended is not None:
        finish(course, ended)
        return
    # Neither a Dynamite nor a duel that the victim had begun earns anything.
    if culprit not in (0, victim.id):
        _settle_accounts(course, victim, course.players[culprit])
    settle(course)
    if own_turn:
        end_turn(course)


def _settle_accounts(course: Course, victim: Player, culprit: Player) -> None:
    """Reward who eliminated an outlaw, and punish a sheriff who eliminated a deputy."""
    # The culprit's own role does not matter: an outlaw is rewarded for an outlaw, too.
    if victim.role is Role.OUTLAW:
        course.draw(culprit, REWARD)
    elif victim.role is Role.DEPUTY and culprit.is_sheriff:
        # All of it, also what a sheriff who is Vulture Sam has inherited a moment ago.
        lost: list[Command] = [course.discarded(culprit, card) for card in (*culprit.hand, *culprit.table)]
        if lost:
            course.record(Type.DISCARD_CARD, culprit.id, lost)


def _ended(course: Course) -> Termination | None:
    """Return how the game has ended, if it has."""
    roles = [player.role for player in course.players.living]
    if Role.SHERIFF not in roles:
        # Only when really alone: beside a deputy the renegade loses, and the outlaws win even if none is alive.
        return Termination.RENEGADE_WON if roles == [Role.RENEGADE] else Termination.OUTLAWS_WON
    if Role.OUTLAW not in roles and Role.RENEGADE not in roles:
        return Termination.LAW_WON
    return None


# By role, so the dead of a side win with it. A dead renegade has never won: it has to be the last one alive.
_WINNERS: dict[Termination, frozenset[Role]] = {
    Termination.LAW_WON: frozenset({Role.SHERIFF, Role.DEPUTY}),
    Termination.OUTLAWS_WON: frozenset({Role.OUTLAW}),
    Termination.RENEGADE_WON: frozenset({Role.RENEGADE}),
    Termination.OTHERS_LEFT: frozenset(),
    Termination.ROUNDS: frozenset(),
}


def finish(course: Course, ended: Termination, winners: frozenset[int] = frozenset()) -> None:
    """End the game. It is won by those whose roles have won, and by ``winners``."""
    course.stage, course.ended = Stage.FINISHED, ended
    commands: list[Command] = []
    for player in course.players:
        player.winner = player.role in _WINNERS[ended] or player.id in winners
        commands.append(Update(player.id, player.role, winner=player.winner))
    course.record(Type.FINISH_GAME, 0, commands)
