"""A model of identity: three peers log in, are refused, lose their lines and come back, while tokens come and go.

The model knows only what was said and shown. :data:`BECOMES` says what may follow; it is written down a second time
here, so that it does not err with the broker.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Final, NamedTuple

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from tests.broker.entrance.tokens import has_token, loses_token
from tests.broker.house import CHESS, House, Peer
from tests.profile import sized
from ugs.broker.effects import Prove
from ugs.broker.events import Proved
from ugs.broker.state.connection import Newcomer, Spectator
from ugs.broker.state.model import Master, Player
from ugs.broker.values.identity import Role
from ugs.broker.values.name_rules import unique_form
from ugs.wire.extensions import Hello, Resume, Session, Watch
from ugs.wire.messages import GameMasterLogin, Logout, Message, PlayerLogin

HOME: Final = "127.0.0.1:1"
"""Needs no token."""
ELSEWHERE: Final = "198.51.100.7:1"
PEERS: Final = 3
GRACE_S: Final = 60.0
TYPES: Final = (CHESS, "go")
FAMILIES: Final = ("session", "watch")
NAMES: Final = ("ann", "m1")
"""Players and masters may have each of them."""


class Shown(Enum):
    """What a connection has shown before, seen from the name that its peer wants now."""

    NOTHING = "no right token"
    ITS_OWN = "the token of this name in this role, which holds, and for this game type"
    ANOTHER = "first the token of another name, of another role, for another game type, or one that holds no more"


class Needs(Enum):
    """What the name needs that its peer wants."""

    NO_PROOF = "nothing: it is nobody's and anybody may come, or the peer is at home"
    A_TOKEN = "the token of the name"
    ITS_SESSION = "the token of the session"


class Outcome(Enum):
    """What may become of a peer."""

    MAY_ENTER = "it may become what it wants"
    STAYS_OUT = "it stays what it is"
    MUST_GO = "it stays what it is, and its connection is closed"


BECOMES: Final = {
    (Needs.NO_PROOF, Shown.NOTHING): Outcome.MAY_ENTER,
    (Needs.NO_PROOF, Shown.ITS_OWN): Outcome.MAY_ENTER,
    (Needs.NO_PROOF, Shown.ANOTHER): Outcome.MUST_GO,
    (Needs.A_TOKEN, Shown.NOTHING): Outcome.STAYS_OUT,
    (Needs.A_TOKEN, Shown.ITS_OWN): Outcome.MAY_ENTER,
    (Needs.A_TOKEN, Shown.ANOTHER): Outcome.MUST_GO,
    (Needs.ITS_SESSION, Shown.NOTHING): Outcome.MAY_ENTER,
    (Needs.ITS_SESSION, Shown.ITS_OWN): Outcome.MAY_ENTER,
    (Needs.ITS_SESSION, Shown.ANOTHER): Outcome.MUST_GO,
}
"""Who may become what. The right token of a session is taken as shown: with a wrong one nobody becomes anything."""


class Token(NamedTuple):
    """A token that somebody made or registered."""

    role: Role
    form: str
    secret: str
    game_type: str = ""


class Then(Enum):
    """What happens when a secret is to be checked."""

    CHECKED = "it is checked at once"
    TAKEN = "somebody else comes in under the name first"
    TAKEN_FOR_A_WHILE = "likewise, and goes again"
    WAITS = "it waits"


class Wish(NamedTuple):
    """What a peer wants to be."""

    role: Role
    form: str
    game_type: str
    watches: bool = False
    session: str = ""


@dataclass
class Line:
    """One connection, as the model knows it."""

    peer: Peer
    at_home: bool
    wish: Wish | None = None
    """The last one that the server has heard."""
    first: Token | None = None
    """The first right token that it has shown."""
    just_proven: bool = False
    """Whether that was in this step."""


@dataclass
class Seat:
    """A player, as the model knows it: it may be carried over several connections."""

    player: Player
    token: Token | None
    """The one that its nick had when it came."""
    sessions: set[str] = field(default_factory=set)


class ModelBroken(AssertionError):
    """Somebody has become what it may not become."""


class Identities(RuleBasedStateMachine):
    """Everything that three peers and an organiser may do with names and tokens."""

    @initialize(
        auth=st.sampled_from(["none", "tokens", "register"]),
        masters=st.sampled_from(["auto", "none"]),
        owned=st.sets(st.tuples(st.sampled_from(Role), st.sampled_from(NAMES))),
    )
    def the_house_opens(self, auth: str, masters: str, owned: set[tuple[Role, str]]) -> None:
        self.auth, self.auth_masters = auth, masters
        self.house = House(
            auth=auth,
            auth_masters=masters,
            auth_addresses=["127.0.0.1 *"],
            login_attempts=99,
            masters_per_game=9,
            session_grace_s=GRACE_S,
            login_timeout_s=600,
            max_errors_per_minute=1000,
            max_registered_per_ip=1000,
        )
        self.lines: list[Line | None] = [None] * PEERS
        self.tokens: dict[tuple[Role, str], Token] = {}
        self.revoked: set[tuple[Role, str]] = set()
        self.seats: list[Seat] = []
        self.sessions: list[str] = []
        self.secrets = 0
        for role, name in sorted(owned):
            self.the_organiser_makes_a_token(role, name, "")

    # What peers do.

    @rule(
        slot=st.integers(0, PEERS - 1),
        at_home=st.sampled_from([False, False, True]),
        shown=st.integers(0, 5),
        families=st.sampled_from([FAMILIES, ()]),
    )
    def a_peer_connects(self, slot: int, at_home: bool, shown: int, families: tuple[str, ...]) -> None:
        secrets = ["", "a wrong secret", *(token.secret for token in self.tokens.values())]
        self.connected(slot, at_home=at_home, token=secrets[shown % len(secrets)], families=families)

    @rule(
        slot=st.integers(0, PEERS - 1),
        role=st.sampled_from(Role),
        name=st.sampled_from(NAMES),
        spelled=st.sampled_from([str.lower, str.lower, str.upper]),
        game_type=st.sampled_from([CHESS, CHESS, "go"]),
        shown=st.sampled_from(["its own", "its own", "its own", "", "wrong"]),
        then=st.sampled_from(Then),
    )
    def a_peer_logs_in(
        self, slot: int, role: Role, name: str, spelled: Any, game_type: str, shown: str, then: Then
    ) -> None:
        line = self.here(slot)
        token = self.tokens.get((role, name))
        secret = {"": "", "wrong": "a wrong secret"}.get(shown, token.secret if token is not None else "my own secret")
        said = spelled(name) + (f"#{secret}" if secret and self.has_mark(role, name, game_type) else "")
        login: Message = PlayerLogin(said, game_type)
        if role is Role.MASTER:
            login = GameMasterLogin(said, game_type, "2", "2")
        self.wants(line, Wish(role, name, game_type), login)
        self.goes_on(then)

    @rule(slot=st.integers(0, PEERS - 1), name=st.sampled_from(NAMES), then=st.sampled_from(Then))
    def a_peer_wants_to_watch(self, slot: int, name: str, then: Then) -> None:
        line = self.here(slot)
        if line.peer.connection.families:
            self.wants(line, Wish(Role.PLAYER, name, CHESS, watches=True), Watch("", CHESS, nick=name))
            self.goes_on(then)

    @precondition(lambda self: self.sessions)
    @rule(slot=st.integers(0, PEERS - 1), number=st.integers(0, 100))
    def a_peer_resumes(self, slot: int, number: int) -> None:
        line = self.here(slot)
        if not line.peer.connection.families:
            return
        session = self.sessions[-1 - number % len(self.sessions)]
        of = next((seat for seat in self.seats if session in seat.sessions), None)
        form = unique_form(of.player.name) if of is not None else ""
        self.wants(line, Wish(Role.PLAYER, form, CHESS, session=session), Resume(session))

    @rule(slot=st.integers(0, PEERS - 1), politely=st.booleans())
    def a_peer_goes(self, slot: int, politely: bool) -> None:
        line = self.lines[slot]
        if line is None or line.peer.is_closed():
            return
        if politely:
            line.peer.says(Logout())
        else:
            line.peer.is_lost()
            self.lines[slot] = None
        self.looks()

    @rule(name=st.sampled_from(NAMES))
    def a_guest_leaves_its_seat(self, name: str) -> None:
        line = Line(self.house.connects(address=HOME), at_home=True, wish=Wish(Role.PLAYER, name, CHESS))
        self.lines.append(line)
        line.peer.says(Hello(FAMILIES))
        line.peer.says(PlayerLogin(name, CHESS))
        self.looks()
        self.lines.pop()
        line.peer.is_lost()

    # What the others do.

    @precondition(lambda self: self.house.proving)
    @rule(number=st.integers(0, 10))
    def the_shell_checks_a_secret(self, number: int) -> None:
        self.checks(self.house.proving.pop(number % len(self.house.proving)))

    @rule(seconds=st.sampled_from([1.5, 20.0, GRACE_S + 1]))
    def time_passes(self, seconds: float) -> None:
        while self.house.proving and seconds > GRACE_S:
            self.checks(self.house.proving.pop(0))
        self.house.passes(seconds)
        self.looks()

    @rule(role=st.sampled_from(Role), name=st.sampled_from(NAMES), game_type=st.sampled_from(["", "", "go"]))
    def the_organiser_makes_a_token(self, role: Role, name: str, game_type: str) -> None:
        self.secrets += 1
        token = Token(role, name, f"secret number {self.secrets}", game_type if role is Role.MASTER else "")
        self.tokens[role, name] = token
        self.revoked.discard((role, name))
        has_token(self.house, name, f"hash of {token.secret}", role, game_type=token.game_type)
        self.looks()

    @precondition(lambda self: self.tokens)
    @rule(number=st.integers(0, 10))
    def the_organiser_revokes_a_token(self, number: int) -> None:
        role, name = [*self.tokens][number % len(self.tokens)]
        del self.tokens[role, name]
        self.revoked.add((role, name))
        loses_token(self.house, name, role=role)
        self.looks()

    # The model.

    def here(self, slot: int) -> Line:
        """The line of a peer; it connects if it has none, or has become something already."""
        line = self.lines[slot]
        if line is None or line.peer.is_closed() or (line.wish is None and line.peer.admitted):
            line = self.connected(slot, at_home=False)
        return line

    def connected(self, slot: int, *, at_home: bool, token: str = "", families: Sequence[str] = FAMILIES) -> Line:
        """A peer connects, once more if it was there."""
        before = self.lines[slot]
        if before is not None and not before.peer.is_closed():
            before.peer.is_lost()
        line = self.lines[slot] = Line(self.house.connects(address=HOME if at_home else ELSEWHERE), at_home)
        line.peer.says(Hello(tuple(families), token=token))
        self.looks()
        return line

    def mode(self, role: Role) -> str:
        """What holds for names without a token."""
        if role is Role.PLAYER or self.auth == "none":
            return self.auth
        return "none" if self.auth_masters == "none" else "tokens"

    def has_mark(self, role: Role, name: str, _game_type: str) -> bool:
        """Whether a ``#`` ends the name."""
        return self.mode(role) != "none" or (role, name) in self.tokens

    def needs(self, line: Line, wish: Wish) -> Needs:
        """What the name needs that a peer wants."""
        if wish.session:
            return Needs.ITS_SESSION
        is_owned = (wish.role, wish.form) in self.tokens
        is_free = not is_owned and (wish.watches or self.mode(wish.role) == "none")
        return Needs.NO_PROOF if line.at_home or is_free else Needs.A_TOKEN

    def shown(self, line: Line, wish: Wish) -> Shown:
        """What a connection has shown before."""
        first = line.first
        if first is None:
            return Shown.NOTHING
        fits = first == self.tokens.get((wish.role, wish.form)) and (
            wish.role is Role.PLAYER or first.game_type in ("", wish.game_type)
        )
        return Shown.ITS_OWN if fits else Shown.ANOTHER

    def wants(self, line: Line, wish: Wish, message: Message) -> None:
        """A peer says what it wants to be."""
        was_new = isinstance(line.peer.connection.peer, Newcomer)
        waits = any(asked.conn == line.peer.conn for asked in self.house.proving) or line.peer.conn in self.late()
        expected = BECOMES[self.needs(line, wish), self.shown(line, wish)]
        is_heard = was_new and (wish.session in self.valid_sessions() if wish.session else not waits)
        if is_heard:
            line.wish = wish
        line.peer.says(message)
        self.looks()
        if is_heard and expected is Outcome.MUST_GO:
            self.must(line.peer.is_closed(), f"a connection that has proven {line.first} stays open for {wish}")

    def late(self) -> set[int]:
        """The connections whose answer is waited for."""
        return {int(timer.subject) for timer in self.house.timers if timer.kind == "proof"}

    def goes_on(self, then: Then) -> None:
        """What comes next for the secret that is to be checked last, if there is any."""
        if not self.house.proving or then is Then.WAITS:
            return
        asked = self.house.proving.pop()
        if then is not Then.CHECKED:
            self.takes(asked)
        self.checks(asked)
        if then is Then.TAKEN_FOR_A_WHILE:
            self.guest.is_lost()
            self.house.passes(GRACE_S + 1)

    def takes(self, asked: Prove) -> None:
        """Somebody else takes a name: at home nobody needs a token."""
        self.guest = self.house.connects(address=HOME)
        login: Message = PlayerLogin(asked.name, CHESS)
        if asked.role is Role.MASTER:
            login = GameMasterLogin(asked.name, CHESS, "2", "2")
        self.guest.says(login)

    def valid_sessions(self) -> set[str]:
        """The tokens of all sessions that go on."""
        there = self.house.broker.server.names.players.values()
        return {session for seat in self.seats for session in seat.sessions if seat.player in there}

    def checks(self, asked: Prove) -> None:
        """The shell checks a secret, or registers it."""
        form = unique_form(asked.name)
        key = asked.role, form
        if not asked.digest and key not in self.tokens:
            self.tokens[key] = Token(asked.role, form, asked.secret)
            self.revoked.discard(key)
            has_token(self.house, asked.name, f"hash of {asked.secret}", asked.role)
            digest = f"hash of {asked.secret}"
        else:
            digest = asked.digest if asked.digest == f"hash of {asked.secret}" else ""
        token = self.tokens.get(key)
        line = next((one for one in self.lines if one is not None and one.peer.conn == asked.conn), None)
        is_right = token is not None and digest == f"hash of {token.secret}"
        if line is not None and not line.peer.is_closed() and is_right and line.first is None:
            is_new = isinstance(line.peer.connection.peer, Newcomer)
            line.first = token if is_new else None
        self.house.happens(Proved(asked.conn, digest))
        self.looks()

    def looks(self) -> None:
        """Whoever has become something since the last look may have."""
        for line in self.lines:
            if line is None or line.peer.is_closed():
                continue
            peer = line.peer.connection.peer
            if isinstance(peer, Newcomer) or line.wish is None:
                continue
            wish, line.wish = line.wish, None
            self.may_be(line, wish, peer)
        self.reads()

    def may_be(self, line: Line, wish: Wish, peer: object) -> None:
        """A peer has just become what it wanted to be."""
        outcome = BECOMES[self.needs(line, wish), self.shown(line, wish)]
        self.must(outcome is Outcome.MAY_ENTER, f"{line.first} has become {wish}")
        if isinstance(peer, Master):
            self.must((wish.role, wish.form) == (Role.MASTER, unique_form(peer.name)), "another master than wanted")
        elif isinstance(peer, Spectator):
            self.must(wish.watches and wish.form == unique_form(peer.name), "another spectator than wanted")
        else:
            assert isinstance(peer, Player)
            self.must((wish.role, wish.form) == (Role.PLAYER, unique_form(peer.name)), "another player than wanted")
            self.sits_down(line, wish, peer)

    def sits_down(self, line: Line, wish: Wish, player: Player) -> None:
        """A player came, or came back: the seat of an absent one is for its own tokens."""
        seat = next((one for one in self.seats if one.player is player), None)
        if seat is None:
            self.must(not wish.session, "a session that nobody had")
            self.seats.append(Seat(player, self.tokens.get((Role.PLAYER, wish.form))))
        elif wish.session:
            self.must(wish.session in seat.sessions, f"the session of {player.name} by a token that is not its own")
        else:
            own = line.first is not None and line.first == seat.token
            self.must(own, f"the seat of {player.name}, who came with {seat.token}, by {line.first}")

    def reads(self) -> None:
        """Whoever got the token of a session knows it."""
        for line in self.lines:
            if line is None:
                continue
            for letter in line.peer.hears():
                if isinstance(letter, Session):
                    (seat,) = [one for one in self.seats if one.player is self.player_of(line, letter)]
                    if letter.token not in self.sessions:
                        seat.sessions.add(letter.token)
                        self.sessions.append(letter.token)

    def player_of(self, line: Line, letter: Session) -> Player | None:
        """The player who was told of its session; it may be gone in the same step."""
        if line.peer.is_closed():
            return next((one.player for one in reversed(self.seats) if one.player.name == letter.nick), None)
        return line.peer.player

    def must(self, holds: object, else_: str) -> None:
        """The model says so."""
        if not holds:
            raise ModelBroken(else_)


Identities.TestCase.settings = settings(
    max_examples=sized(quick=40, deep=3000), stateful_step_count=sized(quick=50, deep=100)
)
TestIdentities = Identities.TestCase
