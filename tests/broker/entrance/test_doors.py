"""One identity for each connection, fixed by the first proof: every proof, tried at every other door."""

import itertools
from dataclasses import dataclass
from typing import Final

import pytest
from _pytest.mark.structures import ParameterSet

from tests.broker.entrance.tokens import DELAY_S, checks_all, gets_token, has_token, loses_token, secret_of
from tests.broker.house import CHESS, House, Peer, turn
from ugs.broker.events import Started
from ugs.broker.values.identity import Role
from ugs.wire.extensions import Family, Hello, Resume, Watch
from ugs.wire.messages import Error, GameMasterLogin, GameState, LoginResponse, Logout, Message, PlayerLogin

GO: Final = "go"
STRANGER: Final = "198.51.100.7:1"
AT_HOME: Final = "127.0.0.1:1"
PLAYER, MASTER = Role.PLAYER, Role.MASTER
OWNED: Final = {(PLAYER, "ann"): "", (PLAYER, "bob"): "", (PLAYER, "m1"): "", (MASTER, "m1"): "", (MASTER, "m2"): GO}
"""Names that have tokens, and the only game type for which each is good."""


@dataclass(frozen=True)
class Want:
    """What a peer wants to be. ``said`` is the name as it is spelled, ``name`` as it is listed."""

    way: str
    name: str
    game_type: str = CHESS
    said: str = ""

    @property
    def identity(self) -> tuple[Role, str]:
        """Who it then is."""
        return MASTER if self.way == "master" else PLAYER, self.name

    def message(self, session: str = "") -> Message:
        """As it is said, without a token."""
        name = self.said or self.name
        if self.way == "master":
            return GameMasterLogin(name, self.game_type, "2", "2")
        if self.way == "watch":
            return Watch("", self.game_type, nick=name)
        return Resume(session) if self.way == "resume" else PlayerLogin(name, self.game_type)

    def __str__(self) -> str:
        return f"{self.way} {self.said or self.name} {self.game_type}"


EVE: Final = Want("player", "eve")
"""Has no token: with ``auth = "register"`` it gets one."""
FIRST: Final = (
    Want("player", "ann"),
    Want("master", "m1"),
    Want("master", "m2", GO),
    Want("watch", "ann"),
    EVE,
)
SECOND: Final = (
    *(Want("player", "ann", said=said) for said in ("ann", "ANN", "\uff41nn")),
    Want("player", "ann", GO),
    EVE,
    *(Want("player", name) for name in ("bob", "cat", "m1", "m2", "absent")),
    *(Want("master", "m1", said=said) for said in ("m1", "M1", "\uff4d1")),
    Want("master", "m1", GO),
    Want("master", "m2"),
    Want("master", "m2", GO),
    *(Want("master", name) for name in ("ann", "eve", "boss")),
    *(Want("watch", name) for name in ("ann", "bob", "cat", "m1")),
    *(Want("resume", name) for name in ("ann", "bob", "absent")),
)


class Scene:
    """A house in which names have tokens, and whose own machine needs none."""

    def __init__(self, auth: str) -> None:
        self.house = House(auth=auth, auth_addresses=["127.0.0.1 *"], login_attempts=99, masters_per_game=9)
        self.sessions: dict[str, str] = {}
        for (role, name), game_type in OWNED.items():
            gets_token(self.house, role, name, game_type)
        self.guest("absent").is_lost()
        self.guest("bob")

    def guest(self, nick: str) -> Peer:
        """A player of this machine, with a session."""
        peer = self.house.guest(nick, Family.SESSION, address=AT_HOME)
        self.sessions[nick] = peer.token
        return peer

    def stranger(self, secret: str) -> Peer:
        """A peer from elsewhere that has shown a secret in x-hello."""
        peer = self.house.connects(address=STRANGER)
        peer.says(Hello(("session", "watch"), token=secret))
        return peer

    def tries(self, peer: Peer, want: Want) -> None:
        """A peer says what it wants, secrets are checked, and whatever has to wait is over."""
        peer.hears()
        peer.says(want.message(self.sessions.get(want.name, "")))
        checks_all(self.house)
        self.house.passes(DELAY_S)

    def refused_after_proof(self, want: Want) -> tuple[Peer, Peer]:
        """A peer that has proven who it is, and was refused: somebody else came in under this name meanwhile."""
        peer = self.stranger(secret_of(*want.identity))
        peer.says(want.message())
        assert len(self.house.proving) == 1
        twin = self.twin(want)
        checks_all(self.house)
        assert not peer.admitted
        return peer, twin

    def twin(self, want: Want) -> Peer:
        """Somebody on this machine, who needs no token."""
        if want.way != "master":
            return self.guest(want.name)
        peer = self.house.connects(address=AT_HOME)
        peer.says(want.message())
        assert peer.admitted
        return peer


def is_same(first: Want, second: Want) -> bool:
    """The model: whether who has proven to be the first may be the second, without another proof."""
    return first.identity == second.identity and OWNED.get(second.identity, "") in ("", second.game_type)


def proofs(auth: str) -> list[Want]:
    """What can be proven."""
    return [first for first in FIRST if first != EVE or auth == "register"]


def pairs(*auths: str) -> list[ParameterSet]:
    """All that can be proven, each with all that can be wanted then."""
    return [
        pytest.param(auth, first, second, id=f"{auth}: {first}, then {second}")
        for auth in auths
        for first, second in itertools.product(proofs(auth), SECOND)
    ]


@pytest.mark.no_cover
@pytest.mark.parametrize(("auth", "first", "second"), pairs("none", "tokens", "register"))
def test_who_has_proven_one_thing_gets_in_as_nothing_else(auth: str, first: Want, second: Want) -> None:
    goes_through(Scene(auth), first, second, "leaves")


@pytest.mark.no_cover
@pytest.mark.parametrize("then", ["stays", "is cut"])
@pytest.mark.parametrize(("auth", "first", "second"), pairs("register"))
def test_that_its_name_is_in_use_opens_no_other_door(auth: str, first: Want, second: Want, then: str) -> None:
    goes_through(Scene(auth), first, second, then)


def goes_through(scene: Scene, first: Want, second: Want, then: str) -> None:
    """A peer proves the first, is refused since somebody has that name, ``then`` wants the second."""
    if first.name != "ann":
        scene.guest("ann")
    peer, twin = scene.refused_after_proof(first)
    if then == "leaves":
        twin.says(Logout())
    elif then == "is cut":
        twin.is_lost()
    if second.name not in scene.sessions and second.way == "resume":
        scene.guest(second.name)
    scene.tries(peer, second)
    if is_same(first, second):
        assert not peer.is_closed()
        is_free = then == "leaves" and second.way != "resume"
        assert peer.admitted or not is_free
        assert scene.house.proving == []
    else:
        assert not peer.admitted
        assert peer.is_closed()
        assert [one for one in peer.hears() if isinstance(one, Error) and first.name in one.text]


@pytest.mark.no_cover
@pytest.mark.parametrize(("auth", "first", "second"), pairs("none", "register"))
def test_a_token_that_was_not_tried_before_opens_its_own_door(auth: str, first: Want, second: Want) -> None:
    scene = Scene(auth)
    scene.house.passes(scene.house.config.session_grace_s / 2)
    peer = scene.stranger(secret_of(*first.identity))
    if second.way == "resume":
        scene.sessions.setdefault("ann", "")
        scene.tries(peer, second)
        assert peer.admitted is (second.name in ("bob", "absent"))
        return
    scene.tries(peer, second)
    is_there = second.way != "master" and second.name in ("bob", "absent")
    if second.identity in OWNED:
        may = is_same(first, second)
    elif second.way == "player":
        may = auth != "tokens"
    else:
        may = second.way == "watch" or auth == "none"
    assert peer.admitted is (may and not is_there)


@pytest.mark.parametrize("second", [one for one in SECOND if one.way != "resume"], ids=str)
def test_a_wrong_token_fixes_nothing(second: Want) -> None:
    scene = Scene("register")
    scene.house.passes(scene.house.config.session_grace_s + 1)
    peer = scene.stranger("a wrong secret")
    scene.tries(peer, Want("player", "ann"))
    assert not peer.admitted
    scene.tries(peer, second)
    assert not peer.is_closed()


@pytest.mark.parametrize("way", ["player", "watch"])
def test_a_proof_ends_with_its_token(way: str) -> None:
    scene = Scene("none")
    peer, twin = scene.refused_after_proof(Want(way, "ann"))
    twin.says(Logout())
    has_token(scene.house, "ann", "another hash")
    scene.tries(peer, Want(way, "ann"))
    assert not peer.admitted
    assert peer.is_closed()
    assert "does not hold any more" in str(peer.hears()[-1])


def test_a_revoked_token_opens_no_session_either() -> None:
    scene = Scene("none")
    peer, twin = scene.refused_after_proof(Want("player", "ann"))
    twin.says(Logout())
    loses_token(scene.house, "ann")
    scene.guest("ann")
    scene.tries(peer, Want("resume", "ann"))
    assert peer.is_closed()
    assert not peer.admitted


def test_a_spectator_keeps_its_proven_nick_when_the_player_comes_and_gets_no_other_one() -> None:
    scene = Scene("none")
    eve = scene.stranger(secret_of(PLAYER, "ann"))
    scene.tries(eve, Want("watch", "ann"))
    assert eve.name == "ann"
    scene.guest("ann")
    assert eve.name == "ann"
    scene.tries(eve, Want("watch", "cat"))
    assert eve.name == "ann"


# The seats of absent players.


def hand(scene: Scene, nick: str, address: str = AT_HOME) -> Peer:
    """A player with a session in a game, to whom something secret was shown, and whose line was cut then."""
    master = scene.house.connects(address=AT_HOME)
    master.says(GameMasterLogin("dealer", CHESS, "2", "2"))
    player = scene.house.guest(nick, Family.SESSION, address=address)
    master.hears()
    master.says(turn("g1", nick, b"<gameState>an ace</gameState>"))
    player.is_lost()
    return player


@pytest.mark.parametrize("holder", ["ann", "m1"])
def test_the_seat_of_an_absent_player_without_a_token_is_not_for_the_holder_of_another_one(holder: str) -> None:
    scene = Scene("none")
    hand(scene, "dora", STRANGER)
    peer, _twin = scene.refused_after_proof(Want("player", holder))
    scene.tries(peer, Want("player", "dora"))
    assert not peer.admitted
    assert not [one for one in peer.hears() if isinstance(one, GameState)]


def test_who_gets_the_token_of_a_nick_does_not_get_the_seat_of_who_had_the_nick_before() -> None:
    scene = Scene("none")
    hand(scene, "dora", STRANGER)
    gets_token(scene.house, PLAYER, "dora")
    peer = scene.stranger(secret_of(PLAYER, "dora"))
    scene.tries(peer, Want("player", "dora"))
    assert not peer.admitted
    assert not peer.is_closed(), "it may wait until the nick is free"
    scene.house.passes(scene.house.config.session_grace_s)
    again = scene.stranger(secret_of(PLAYER, "dora"))
    scene.tries(again, Want("player", "dora"))
    assert again.admitted


def test_nobody_registers_the_nick_of_an_absent_player_to_get_its_seat() -> None:
    scene = Scene("register")
    hand(scene, "dora")
    peer = scene.stranger("my new secret")
    scene.tries(peer, Want("player", "dora"))
    assert not peer.admitted
    assert scene.house.broker.server.entry.identities.find(PLAYER, "dora") is None
    assert "kept for its absent player" in str(peer.hears())


def test_who_needed_no_token_at_home_shows_it_elsewhere_and_gets_its_seat() -> None:
    scene = Scene("tokens")
    hand(scene, "ann")
    peer = scene.stranger(secret_of(PLAYER, "ann"))
    scene.tries(peer, Want("player", "ann"))
    assert peer.admitted
    assert [one for one in peer.hears() if isinstance(one, GameState)]


def test_after_a_restart_the_token_of_a_nick_still_opens_its_seat() -> None:
    scene = Scene("tokens")
    hand(scene, "ann")
    past = scene.house.again().past
    scene.house = House(auth="tokens", past=past)
    gets_token(scene.house, PLAYER, "ann")
    scene.house.happens(Started())
    peer = scene.stranger(secret_of(PLAYER, "ann"))
    scene.tries(peer, Want("player", "ann"))
    assert peer.admitted


def test_the_answer_to_a_login_comes_before_the_line_is_closed() -> None:
    scene = Scene("none")
    peer, _twin = scene.refused_after_proof(Want("player", "ann"))
    scene.tries(peer, Want("master", "m1"))
    _failed, answer, error = peer.hears()
    assert isinstance(answer, LoginResponse)
    assert isinstance(error, Error)
    assert error.text == ("this connection has proven to be the player 'ann'; connect again to use another identity")
