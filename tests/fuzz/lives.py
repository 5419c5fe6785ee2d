"""Whole sessions: logins, tokens, sessions resumed, tables, games, masters lost, restarts, as state machines.

Hypothesis chooses what happens; as a target, the bytes of the fuzzer choose instead. The invariants of the house hold
after every single event.
"""

import re
from collections.abc import Callable
from typing import Any

from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, get_state_machine_test, initialize, precondition, rule

from tests.broker.extensions.test_mixed_sessions import PLAYERS, SETTINGS, Eavesdropping, Mixed
from tests.broker.house import Peer
from tests.broker.test_properties import NICKS, Anything, chosen, numbers
from tests.profile import sized
from ugs.broker.effects import Effect, Publish, Send
from ugs.broker.events import Event, IdentitiesRead, Proved, Received
from ugs.broker.past import Past
from ugs.broker.values.identity import Identity, Role
from ugs.wire.codec import decode, decode_sent, encode
from ugs.wire.extensions import Family, Hello, Session
from ugs.wire.framing import Framer
from ugs.wire.messages import GameMasterLogin, PlayerLogin

OWNED = NICKS[:3]
"""Nicks that may have tokens."""
RIGHT = "right secret of {}"
SECRETS = (RIGHT, "wrong secret of {}", "", "#")
OF_A_NAME = re.compile("(right|wrong) secret of")
STEPS = 60
ENOUGH = 8000
"""Bytes for all choices of so many steps. Fewer are filled up: where they end, the machine would stop amid a step."""


class OnTheWire(Eavesdropping):
    """A house in which all that is said goes through bytes, in pieces, and no effect tells the secret of a name."""

    def __init__(self, *, past: Past | None = None, first_game: int = 1, **settings: Any) -> None:
        self.framers: dict[int, Framer] = {}
        self.pieces = 7
        """Bytes of a piece."""
        super().__init__(past=past, first_game=first_game, **settings)

    def happens(self, event: Event) -> list[Effect]:
        """One event; a message comes as the bytes that it is."""
        if isinstance(event, Received):
            raw = encode(event.message)
            framer = self.framers.setdefault(event.conn, Framer())
            parts = [raw[at : at + self.pieces] for at in range(0, len(raw), self.pieces)]
            cut = [document.raw for part in parts for document in framer.feed(part)]
            assert [decode_sent(one) for one in cut] == [event.message]
            self.pieces = self.pieces % 64 + 1
        return super().happens(event)

    def _carry_out(self, effect: Effect) -> None:
        assert not OF_A_NAME.search(repr(effect)), f"the secret of a name goes astray: {effect}"
        super()._carry_out(effect)
        if isinstance(effect, Send | Publish):
            raw = encode(effect.message)
            assert encode(decode(raw)) == raw


class WholeSessions(Mixed):
    """What is in :class:`Mixed`, with bytes, and with names that get tokens, lose them and are claimed by others."""

    house: OnTheWire
    rows: list[Identity]
    """The list of tokens."""

    @initialize(drain_s=st.sampled_from([0, 15]), disk_is_slow=st.booleans())
    def the_house_opens(self, drain_s: int, disk_is_slow: bool) -> None:
        self.house = OnTheWire(drain_s=drain_s, **SETTINGS)
        self.house.disk_is_slow = disk_is_slow
        self.finished, self.tokens, self.rows = {}, {}, []

    def digest_of(self, nick: str) -> str:
        """What the list says of a nick now; empty when it has no token."""
        return next((row.digest for row in self.rows[::-1] if row.name == nick), "")

    @rule(nick=st.sampled_from(OWNED), has=st.booleans())
    def a_name_gets_a_token_or_loses_it(self, nick: str, has: bool) -> None:
        if has or self.digest_of(nick):
            digest = f"hash of {nick}" if has else ""
            self.rows.append(Identity(len(self.rows) + 1, Role.PLAYER, nick, digest))
            self.house.happens(IdentitiesRead((self.rows[-1],)))

    @precondition(lambda self: not self.house.stopped)
    @rule(
        nick=st.sampled_from(OWNED),
        secret=st.sampled_from(SECRETS),
        which=st.sampled_from(PLAYERS),
        by_name=st.booleans(),
        game_type=st.sampled_from(["go", "cup"]),
    )
    def a_name_is_claimed(
        self, nick: str, secret: str, which: tuple[Family, ...] | None, by_name: bool, game_type: str
    ) -> None:
        said = secret.format(nick)
        peer = self.house.connects()
        self.house.nick_of[peer.conn] = nick
        if which is not None:
            peer.says(Hello(tuple(which), token="" if by_name else said))
        owned = bool(self.digest_of(nick))
        written = f"{nick}#{said}" if owned and said and (by_name or which is None) else nick
        if not peer.is_closed():
            peer.says(PlayerLogin(written, game_type))
        self.shell_checks(right=secret == RIGHT)
        self.remembers(peer)
        if owned and secret != RIGHT:
            assert not peer.admitted, f"{nick} came in with {said!r}"

    @precondition(lambda self: self.house.proving)
    @rule(right=st.booleans(), number=numbers)
    def a_check_is_done(self, right: bool, number: int) -> None:
        asked = chosen(self.house.proving, number)
        self.house.proving.remove(asked)
        peer = self.house.peers[asked.conn]
        self.house.happens(Proved(asked.conn, asked.digest if right and asked.secret.startswith("right") else ""))
        assert not peer.admitted or asked.secret.startswith("right")
        self.remembers(peer)

    def shell_checks(self, *, right: bool) -> None:
        """The shell is asked about one secret more, and answers in half of all cases at once."""
        if self.house.proving and len(self.house.diary) % 2:
            asked = self.house.proving.pop()
            self.house.happens(Proved(asked.conn, asked.digest if right else ""))

    def remembers(self, peer: Peer) -> None:
        """The token of a session is kept by whoever was told it."""
        for letter in peer.mail:
            if isinstance(letter, Session):
                self.tokens[letter.nick] = letter.token

    @precondition(lambda self: not self.house.stopped)
    @rule(said=st.sampled_from(["a#a", "x#y", "m#"]), game_type=st.sampled_from(["go", "cup"]))
    def a_master_shows_a_secret(self, said: str, game_type: str) -> None:
        self.house.connects().says(GameMasterLogin(said, game_type, "2", "2"))

    @precondition(lambda self: self.house.broker.games and self.now_and_then(4))
    @rule(part=st.floats(0, 1))
    def the_server_is_killed_and_comes_back(self, part: float) -> None:
        super().the_server_is_killed_and_comes_back(part)
        self.house.happens(IdentitiesRead(tuple(self.rows)))


USUAL = settings(
    derandomize=True,
    max_examples=sized(quick=8, deep=400),
    stateful_step_count=STEPS,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)


def fed(machine: type[RuleBasedStateMachine]) -> Callable[[bytes], None]:
    """A target whose bytes are the choices of a state machine. Bytes that choose nothing are no find."""
    test: Any = get_state_machine_test(machine, settings=settings(USUAL, phases=[Phase.generate], database=None))
    feed: Callable[[bytes], bytes | None] = test.hypothesis.fuzz_one_input

    def target(data: bytes) -> None:
        feed(data.ljust(ENOUGH, b"\0"))

    return target


broker_target = fed(Anything)
sessions_target = fed(WholeSessions)
