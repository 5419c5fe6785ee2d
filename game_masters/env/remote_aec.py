"""All seats of games at a running server as a PettingZoo AEC environment.

Each seat is a player with a connection of its own. They sit down at a private table, so that no one else plays with
them, and the options of the environment are those of the table. What the server decides (chance, clocks, bad moves) it
decides for them as for every player. Agents are ``player_0``, ``player_1``, ... in the order of the seats; the server
decides which of the players sits where.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import gymnasium
from pettingzoo import AECEnv

from game_masters.env.aec import MAX_ACTIONS, OBSERVED, Coding, Observation, chosen, copied
from game_masters.env.numbered_seat import PlayedGame, ServerSeat, seats_at
from game_masters.env.observing import no_moves
from game_masters.env.remote_seat import Pauses
from game_masters.env.server_line import LineClosed, ready
from game_masters.kit.rules import AnyGame, OptionValue, Table
from ugs.wire import extensions as x
from ugs.wire.messages import Choice, Extension

TABLE: Final = "table"
"""The ``ref`` of requests for tables."""
NO_BEGIN: Final = "the game does not begin"
"""How a comment begins if all sit at the table, and no master takes it as it is."""


class RemoteGameEnv(AECEnv):  # type: ignore[misc]  # PettingZoo brings no types
    """The games that the players of one process play among themselves at a server. Make it with
    :func:`remote_game_env`."""

    metadata: dict[str, Any]

    def __init__(
        self,
        game: AnyGame,
        coding: Coding,
        choices: Sequence[Choice],
        players: Sequence[ServerSeat],
        timeout_s: float | None,
    ) -> None:
        """``choices``: the options of the table."""
        super().__init__()
        self.game = game
        self.render_mode = None
        self.metadata = {"name": f"{game.name}_v0", "render_modes": [], "is_parallelizable": False}
        self.possible_agents = [f"player_{seat}" for seat in range(len(players))]
        self.coding = coding
        self._choices = tuple(choices)
        self._players = tuple(players)
        self._timeout_s = timeout_s
        self._at: dict[str, ServerSeat] = {}
        self._observation_spaces = {agent: copied(coding.space) for agent in self.possible_agents}
        self._action_spaces = {agent: gymnasium.spaces.Discrete(coding.size) for agent in self.possible_agents}
        self.agents: list[str] = []

    def observation_space(self, agent: str) -> gymnasium.spaces.Space[Any]:
        """Return the space of what an agent sees."""
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.spaces.Discrete:
        """Return the space of what an agent may do."""
        return self._action_spaces[agent]

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Begin a game, and end the one that is played: it counts for no one. ``seed`` and ``options`` of PettingZoo
        have no meaning here: chance is the server's, and the options of the game are chosen with ``aec_env``.

        Raises OSError if the server cannot be reached, or does not let a player in, RuntimeError if there can be no
        such table, and TimeoutError if no game begins in the seconds of ``timeout_s``.
        """
        pauses = Pauses(self._timeout_s)
        while True:
            try:
                seats = self._begin(pauses.until)
            except LineClosed:
                self.close()
                pauses.waits()
            except (OSError, RuntimeError):
                self.close()  # the next try begins without this table
                raise
            else:
                break
        self._at = dict(zip(self.possible_agents, seats, strict=True))
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: self._game_of(agent).info for agent in self.agents}
        self._skip_agent_selection = None
        self.agent_selection = self.agents[0]
        self._selects()

    def observe(self, agent: str) -> Observation:
        """Return what an agent sees now, and what it may do."""
        game = self._game_of(agent)
        if agent == self.agent_selection:
            return game.observation
        return {"observation": game.seen, "action_mask": no_moves(self.coding.size)}

    def moves(self, agent: str) -> Mapping[int, Any]:
        """Return the legal moves of an agent by their numbers, where they are known; empty if it is not asked."""
        return self._game_of(agent).numbers if agent == self.agent_selection else {}

    def step(self, action: Any) -> None:
        """Take the action of the selected agent; None for one whose game is over. A game that ends without a result,
        because it is void or a line is cut, is truncated; ``infos`` have the reason as ``why``."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        mover = self._at[agent]
        try:
            step = _Step(self._games(), self._game_of(agent))
            mover.acts(step.mover, int(action))
            while not step.is_done:
                by_line = {one.line: one for one in self._players}
                for line in ready(list(by_line)):
                    _receive(by_line[line], None)
        except LineClosed as error:
            for game in self._games():
                if not game.over:
                    game.why = str(error)
                    game.ends(void=True)
            self.close()
        self._goes_on()

    def render(self) -> None:
        """Do nothing: the server's page shows the game."""

    def close(self) -> None:
        """Log all players out."""
        for one in self._players:
            one.line.close()

    def _game_of(self, agent: str) -> PlayedGame:
        game = self._at[agent].played
        assert game is not None
        return game

    def _games(self) -> list[PlayedGame]:
        return [self._game_of(agent) for agent in self.possible_agents]

    # Sitting down.

    def _begin(self, until: float | None) -> list[ServerSeat]:
        """Begin a game; its players, in the order of seats. Raises OSError, LineClosed, RuntimeError, TimeoutError."""
        owner, *others = self._players
        for one in self._players:
            one.line.log_in()
        if owner.plays:
            owner.line.send(x.Cancel())
        for one in self._players:
            while one.plays:
                _receive(one, until)
            one.played = None
        invited = tuple(one.line.nick for one in others)
        name = f"environment of {owner.line.nick}"
        new = x.NewTable(name[:64], len(self._players), x.Visibility.PRIVATE, options=self._choices, invited=invited)
        advertised = self._ask(owner, x.Advertise(new, ref=TABLE), until)
        assert isinstance(advertised, x.Advertised)
        for one in others:
            self._ask(one, x.Join(advertised.table.id, ref=TABLE), until)
        for one in self._players:
            while one.played is None or one.played.id != advertised.table.id or not one.played.states:
                _receive(one, until)
                if one.news.startswith(NO_BEGIN):
                    raise RuntimeError(f"there is no game for {one.line.nick}: {one.news}")
        return sorted(self._players, key=_place)

    def _ask(self, player: ServerSeat, request: x.Advertise | x.Join, until: float | None) -> Extension:
        """Ask for something at a table; the answer. Raises LineClosed, TimeoutError, RuntimeError."""
        player.line.send(request)
        while True:
            answer: Extension | None = None
            for message in player.line.receive(until):
                if isinstance(message, x.Advertised | x.Joined | x.Failed) and message.ref == TABLE:
                    answer = message
                else:
                    player.receives(message)
            if isinstance(answer, x.Failed):
                raise RuntimeError(f"there is no table for {player.line.nick}: {answer.text}")
            if answer is not None:
                return answer

    # Playing.

    def _goes_on(self) -> None:
        """Select the next agent, or end the game for those for whom it is over."""
        self._cumulative_rewards[self.agent_selection] = 0.0
        for agent in self.agents:
            game = self._game_of(agent)
            self.infos[agent] = game.info
            self.rewards[agent] = 0.0
            if not (self.terminations[agent] or self.truncations[agent]):
                self.rewards[agent], self.terminations[agent], self.truncations[agent] = game.result
        self._selects()
        self._accumulate_rewards()
        self._deads_step_first()

    def _selects(self) -> None:
        """Select the first of the agents that are asked, if there is one."""
        for agent in self.agents:
            game = self._game_of(agent)
            if game.asked and not game.over:
                self.agent_selection = agent
                return


class _Step:
    """What has to come before the next agent can be selected."""

    def __init__(self, games: Sequence[PlayedGame], mover: PlayedGame) -> None:
        """``games``: those of all players, in the order of seats; the move of ``mover`` is about to be sent."""
        self.mover = mover
        self._games = games
        self._last = mover.state
        self._known = {game.seat: game.states for game in games}
        self._shown = [game for game in games if not game.over and (game is mover or not game.asked)]
        """Those to whom the next state will be sent: who is asked already is not asked again."""

    @property
    def is_done(self) -> bool:
        """Whether all players have what follows from the move."""
        playing = [game for game in self._games if not game.over]
        if not playing:
            return True
        if self.mover.out:
            return any(game.asked for game in playing)
        if not self._is_new(self.mover):
            return False
        if self.mover.asked and self.mover.state == self._last:
            return True  # its move was refused, and no other player learns of that
        return all(self._is_new(game) or game.over for game in self._shown) and any(game.asked for game in playing)

    def _is_new(self, game: PlayedGame) -> bool:
        return game.states > self._known[game.seat]


def _receive(player: ServerSeat, until: float | None) -> None:
    """Receive what has come for a player. Raises LineClosed, TimeoutError."""
    for message in player.line.receive(until):
        player.receives(message)


def _place(player: ServerSeat) -> int:
    assert player.played is not None
    return player.played.seat


def remote_game_env(
    game: AnyGame,
    address: str,
    *,
    nick: str = "learner",
    tokens: Mapping[str, str] | None = None,
    players: int | None = None,
    options: Mapping[str, OptionValue] | None = None,
    numbering: str | None = None,
    max_actions: int = MAX_ACTIONS,
    observed: int = OBSERVED,
    tls: bool = False,
    timeout_s: float | None = None,
) -> RemoteGameEnv:
    """Return games at the server at ``address`` (HOST:PORT), for players called ``nick``-0, ``nick``-1, ...; ``tokens``
    has the tokens of those that need one, by their nicks. ``timeout_s`` is how long :meth:`RemoteGameEnv.reset` waits
    for a game.

    Raises BadOption, and ValueError for a wrong number of players, a game without pictures, which says nothing of legal
    moves, and a bad address.
    """
    seats = game.players.min if players is None else players
    if not game.players.min <= seats <= game.players.max:
        raise ValueError(f"{game.name} is for {game.players.min} to {game.players.max} players, not {seats}")
    nicks = [f"{nick}-{number}" for number in range(seats)]
    values = chosen(game, options or {})
    coding = Coding(game, Table("env", tuple(nicks), values), numbering, max_actions, observed)
    choices = [Choice(one.name, one.written(values.values[one.name])) for one in game.options]
    shown = {one: (tokens or {}).get(one, "") for one in nicks}
    return RemoteGameEnv(game, coding, choices, seats_at(game, address, shown, values, coding, tls=tls), timeout_s)
