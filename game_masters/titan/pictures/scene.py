"""What can be seen of one state: in words, as news, as offers; the drawings are next door."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from game_masters.kit.rules import Unreadable
from game_masters.titan import requests as ask
from game_masters.titan.creatures import KINDS, UNKNOWN, titan_power
from game_masters.titan.lands import Label
from game_masters.titan.legal import legal_requests
from game_masters.titan.messages import EliminatePlayer, Message, Turn
from game_masters.titan.notation import Reader, write_move
from game_masters.titan.pictures import battlemap, lines, masterboard, panel
from game_masters.titan.pictures.odds import mustered
from game_masters.titan.pictures.wording import ASKED, creatures, label, land, news, places
from game_masters.titan.position import Phase
from game_masters.titan.requests import Request
from game_masters.titan.views import View
from ugs.pictures.contract import CannotDraw, Line, Offer, Picture, Scene, Shown
from ugs.pictures.lettering import clipped
from ugs.pictures.svg import Svg
from ugs.pictures.words_once import words_once
from ugs.terminal import safe

NAME = 24
"""Columns of a name at most."""


@dataclass(frozen=True, slots=True)
class Sight:
    """One state."""

    scene: Scene
    view: View
    new: tuple[Message, ...]
    """What has happened since the state before."""
    movers: tuple[int, ...]
    winners: frozenset[int] | None
    fell: Mapping[str, str] = field(default_factory=dict)
    """How players have left the game, by name."""
    all_lost: bool = False

    @property
    def names(self) -> Sequence[str]:
        """The names of the players, safe and not long."""
        return [clipped(score.player, NAME) for score in self.view.status.scores]

    @property
    def standing(self) -> str:
        """Who is asked what, or how the game ended."""
        status = self.view.status
        if self.winners is not None or status.phase is Phase.OVER:
            won = [self.names[seat] for seat in sorted(self.winners or ()) if seat < len(self.names)]
            return f"won by {' and '.join(won)}" if won else "all players lost" if self.all_lost else "drawn"
        whose = [self.names[seat] for seat in self.movers if seat < len(self.names)]
        where = f", in {land(status.hex)}" if status.hex else ""
        battle = f", battle turn {status.battle_turn}" if status.battle_turn else ""
        roll = f", roll {status.roll}" if status.phase is Phase.MOVE and status.roll else ""
        asked = f": {' '.join(whose)} {ASKED[status.awaiting]}" if whose and status.awaiting is not None else ""
        return f"turn {status.turn}{roll}{where}{battle}{asked}"

    # --- what a picture is --------------------------------------------------------------------------------------------

    @words_once
    def words(self) -> str:
        """Return the position in sentences."""
        status, position = self.view.status, self.view.position
        sentences = [f"Titan, {self.standing}."]
        if self.view.nak is not None:
            sentences.append(f"Refused: {clipped(self.view.nak.reason, 200)}.")
        sentences += [f"{clipped(name, NAME)} agrees to go on another time." for name in status.willing]
        if status.kept is not None:
            sentences.append(f"All agree: the game is kept as it is, its code is {clipped(status.kept, 2 * NAME)}.")
        for seat, score in enumerate(status.scores):
            player = position.players[seat] if position.players else None
            colour = f" ({player.color}, tower {player.tower})" if player is not None and player.color else ""
            out = ""
            if player is not None and not player.alive:
                out = f", {safe(self.fell.get(score.player, '')) or 'out of the game'}"
            power = titan_power(score.points)
            sentences.append(f"{self.names[seat]}{colour}: {score.points} points, Titan power {power}{out}.")
            if player is not None:
                sentences += [
                    f"{legion.marker} in {land(legion.hex)}: {creatures(legion.creatures)}."
                    for legion in position.legions_of(seat)
                ]
        if not position.players:
            sentences.append("Where the legions are is not known: it was sent before this reader came.")
        battle = position.battle
        if battle is not None:
            sentences.append(f"Battle in {battle.terrain}, turn {battle.turn}, {battle.acting}: {battle.phase}.")
            sentences += [
                f"{fighter.side} {fighter.creature} {fighter.hex or 'off the board'}"
                f"{f', {fighter.hits} hits' if fighter.hits else ''}."
                for fighter in battle.fighters
            ]
        return safe(" ".join(sentences))

    def news(self) -> Sequence[str]:
        """Return what has happened since the state before."""
        return [safe(news(message)) for message in self.new]

    def offers(self, seat: int) -> Sequence[Offer]:
        """Return all requests that the seat may make, as far as it knows what it holds."""
        return [
            Offer(safe(label(request, self.view.position)), write_move((request,))) for request in self._requests(seat)
        ]

    def _requests(self, seat: int) -> Sequence[Request]:
        position = self.view.position
        if position.asked is None or position.asked.seat != seat or self.winners is not None:
            return ()
        # Players know their own creatures; this state is of a reader who has missed some messages.
        if any(UNKNOWN in legion.creatures for legion in position.legions_of(seat)):
            return ()
        return legal_requests(position)

    def _marked(self, seat: int | None) -> tuple[Mapping[str, list[int]], list[int]]:
        """Return the numbers of the offers by the part of the picture that stands for them, and those without any."""
        placed: dict[str, list[int]] = {}
        others: list[int] = []
        for number, request in enumerate(self._requests(seat) if seat is not None else ()):
            found = places(request)
            for place in found:
                placed.setdefault(place, []).append(number)
            if not found:
                others.append(number)
        return placed, others

    def _brings(self, seat: int | None) -> Mapping[Label, str]:
        """Return the strongest creature that some legion can muster by going to a land."""
        found: dict[Label, list[str]] = {}
        for request in self._requests(seat) if seat is not None else ():
            if isinstance(request, ask.Move):
                found.setdefault(request.hex, []).extend(mustered(self.view.position, request.legion, request.hex)[:1])
        return {hex: max(best, key=lambda one: (KINDS[one].points, one)) for hex, best in found.items() if best}

    def svg(self, prefix: str, seat: int | None = None) -> str:
        """Return the masterboard, or in a battle its map, with a panel below."""
        placed, others = self._marked(seat)
        position = self.view.position
        battle = position.battle
        fought = battle is not None
        height = battlemap.height(battle) if battle is not None else masterboard.HEIGHT + masterboard.LEGEND_HEIGHT
        labels = [offer.label for offer in self.offers(seat)] if seat is not None else []
        rest = [(number, labels[number]) for number in sorted({*others, *_not_drawn(fought, placed)})]
        below = panel.height(self.view, rest)
        drawn = Svg(prefix, masterboard.WIDTH, height + below, f"Titan: {self.standing}", self.words())
        drawn.rect(0, 0, masterboard.WIDTH, height + below, round=8, fill="ground")
        if fought:
            battlemap.draw(drawn, position, placed)
        else:
            masterboard.draw(drawn, position, placed, self._brings(seat))
        panel.draw(drawn, self.view, self.names, self.standing, height, rest, self.fell)
        return drawn.drawn()

    def text(self, width: int) -> Sequence[Line]:
        """Return the picture for a terminal."""
        return lines.write(self.view, self.names, self.standing, width, self.fell)


def _not_drawn(battle: bool, placed: Mapping[str, list[int]]) -> list[int]:
    """Return the offers without any part on the map that is shown: in a battle, those about lands and legions."""
    # Hexes of a battle are called like D4; lands have numbers, and markers four signs.
    shown = [place for place in placed if (len(place) == 2 and place[0] in "ABCDEF") == battle]
    there = {number for place in shown for number in placed[place]}
    return [number for numbers in placed.values() for number in numbers if number not in there]


def follow(scene: Scene) -> "SceneFollower":
    """Return a follower for one game: the renderer."""
    return SceneFollower(scene)


class SceneFollower:
    """Follows one game, and knows which messages it has shown."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._reader = Reader()
        self._last_event = 0
        self._turn = 0
        self._fell: dict[str, str] = {}

    def __call__(self, shown: Shown) -> Picture:
        """Take a state. Raises CannotDraw if it is not one of this game."""
        try:
            view = self._reader(shown.payload)
        except Unreadable as error:
            raise CannotDraw(str(error)) from error
        fresh = max(0, min(len(view.news), view.status.event - self._last_event))
        new = view.news[len(view.news) - fresh :] if fresh else ()
        self._last_event = max(self._last_event, view.status.event)
        self._keep(new)
        return Sight(self._scene, view, new, shown.movers, shown.winners, dict(self._fell), shown.all_lost)

    def _keep(self, new: Sequence[Message]) -> None:
        """Remember who has fallen, when, and by whom."""
        for message in new:
            if isinstance(message, Turn):
                self._turn = message.number
            elif isinstance(message, EliminatePlayer):
                when = f" in turn {self._turn}" if self._turn else ""
                by = f", slain by {clipped(message.slayer, NAME)}" if message.slayer else ""
                self._fell[message.loser] = f"out{when}{by}"
