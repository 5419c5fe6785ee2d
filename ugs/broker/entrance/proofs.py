"""Names that need a proof: which peers may use one at once, which secrets are checked, which peers are refused.

A name with a token always needs it. The setting ``auth`` decides about names without one. A check takes time, so the
message that wants the name waits: the effect ``Prove`` goes out, the event ``Proved`` comes back, and the fact
``Proven`` lets the message go on. Refusals are sent a fixed time after the request, so the delay does not reveal what
was wrong.
"""

from dataclasses import field
from enum import Enum
from functools import lru_cache
from typing import Final, Literal

from ugs.broker.effects import Prove
from ugs.broker.entrance import doors, refusals
from ugs.broker.entrance.doors import Door, Passage
from ugs.broker.events import Proved, Timer, TimerKind
from ugs.broker.facts import Proven
from ugs.broker.play import dismissals
from ugs.broker.state.connection import Newcomer, Peer
from ugs.broker.state.extras import Key
from ugs.broker.state.server_state import ServerState
from ugs.broker.values.identity import MARK, Role
from ugs.broker.values.name_rules import unique_form
from ugs.value import state, value
from ugs.wire.extensions import Failed, RefusalReason, Watch, Why
from ugs.wire.messages import GameMasterLogin, LoginError, PlayerLogin

MIN_SECRET: Final = 8
"""Characters of a secret that a person chooses."""
MIN_DIFFERENT: Final = 4
"""Different characters in it: only blanks are a mistake of a program."""
MAX_SECRET: Final = 128
"""Characters of any secret; a longer one is not accepted."""
WRONG: Final = "this is not the token of this name"

Asking = PlayerLogin | GameMasterLogin | Watch | Why
Mode = Literal["none", "tokens", "register"]


@value
class Claim:
    """The name that a message wants, and the secret that its sender has shown."""

    door: Door
    name: str
    mode: Mode
    """The rule for names without a token."""
    game_type: str = ""
    secret: str = field(default="", repr=False)

    @property
    def role(self) -> Role:
        """The role that the name belongs to."""
        return Role.MASTER if self.door is Door.MASTER else Role.PLAYER


class ProofStep(Enum):
    """The next step for a waiting message."""

    TRY = "its secret is tried when its turn has come"
    CHECK = "its secret is being checked"
    REFUSE = "it is refused when its time has come"


@state(eq=True)
class Pending:
    """With a peer: a message that waits for the proof of its name."""

    peer: Peer
    message: Asking
    claim: Claim
    at: float
    step: ProofStep = ProofStep.TRY
    digest: str = ""
    """The hash that the secret has to fit; empty to register the name."""
    error: LoginError = LoginError.WRONG_NICK
    why: str = ""


@state(eq=True)
class WaitingProof:
    """The place for a pending message."""

    pending: Pending | None = None


WAITING: Key[WaitingProof] = Key("waits for proof", WaitingProof)


def is_waiting(peer: Peer) -> bool:
    """Return whether a message of this peer waits for the proof of its name."""
    found = WAITING.find(peer)
    return found is not None and found.pending is not None


# What is claimed.


def of_player(server: ServerState, newcomer: Newcomer, message: PlayerLogin) -> Claim:
    """Return what a player claims: its name without the secret that may follow it."""
    return _claim(server, newcomer, Door.PLAYER, message.nick or "", server.config.auth, message.game_type or "")


def of_master(server: ServerState, newcomer: Newcomer, message: GameMasterLogin) -> Claim:
    """Return what a master claims: its name without the secret that may follow it."""
    game_type = message.game_type or ""
    wanted = server.config.game_type(game_type).auth_masters
    of_players: Mode = "none" if server.config.auth == "none" else "tokens"
    return _claim(
        server, newcomer, Door.MASTER, message.id or "", of_players if wanted == "auto" else wanted, game_type
    )


def of_spectator(peer: Peer, message: Watch) -> Claim:
    """Return what a spectator claims: a nick without an owner is free."""
    return Claim(Door.NICK, message.nick, "none", secret=peer.connection.token)


def of_asker(server: ServerState, token: str) -> Claim | None:
    """Return what is claimed by this token of a nick, or ``NICK#SECRET``; None if it belongs to no nick."""
    found = server.entry.identities.shown(token)
    return Claim(Door.NICK, found[0].name, "none", secret=found[1]) if found is not None else None


def _claim(server: ServerState, newcomer: Newcomer, door: Door, secret: str, mode: Mode, game_type: str) -> Claim:
    """If tokens may be needed, the first ``#`` ends the name. Otherwise a name may contain one, unless it begins with a
    name that has a token. Gateways pass the secret separately."""
    token = newcomer.connection.token
    role = Role.MASTER if door is Door.MASTER else Role.PLAYER
    name, mark, behind = secret.partition(MARK)
    # A v4 login has no other place for a secret; where tokens mean nothing a nick may hold the mark.
    if mark and not newcomer.connection.by_gateway and (mode != "none" or _is_owned(server, role, name)):
        return Claim(door, name, mode, game_type, token or behind)
    return Claim(door, secret, mode, game_type, token)


# Whether it has to be proven.


def why_closed(server: ServerState, peer: Peer, claim: Claim) -> str:
    """Return why a peer that wants this name must be removed, since it has proven another identity; empty if it has
    not."""
    connection = peer.connection
    found = doors.passage(server, connection, claim.door, claim.name, claim.game_type)
    return doors.why_closed(server, connection) if found is Passage.CLOSE else ""


def holds(server: ServerState, peer: Peer, message: Asking, claim: Claim) -> bool:
    """Return whether a message has to wait for a proof or to be refused; then this function handles it. ``message``
    must not hold the secret, and the peer must not have proven another identity (:func:`why_closed`)."""
    if not _needs_proof(server, peer, claim):
        _note_unneeded(server, peer, claim)
        return False
    pending = Pending(peer, message, claim, server.now)
    WAITING.of(peer).pending = pending
    known = server.entry.identities.find(claim.role, claim.name)
    pending.digest = known.digest if known is not None else ""
    wrong = _wrong(server, peer, claim)
    if wrong:
        _refuse_soon(server, pending, wrong)
        return True
    form = unique_form(claim.name)
    wait_s = server.entry.identities.tries.wait_s(_origin(peer), claim.role, form, server.now)
    if wait_s is None:
        _refuse_soon(server, pending, "too many secrets were tried for this name from your address; wait a little")
    elif wait_s:
        server.start(_timer(peer), wait_s)
    else:
        _check(server, pending)
    return True


def _needs_proof(server: ServerState, peer: Peer, claim: Claim) -> bool:
    connection = peer.connection
    if doors.passage(server, connection, claim.door, claim.name, claim.game_type) is Passage.OPEN:
        return False
    if server.entry.identities.is_trusted(connection.host, claim.role, claim.name):
        return False
    return claim.mode != "none" or _is_owned(server, claim.role, claim.name)


def _note_unneeded(server: ServerState, peer: Peer, claim: Claim) -> None:
    """Whoever tries tokens on the machine of the server is let in with a wrong one: the log has why."""
    identities = server.entry.identities
    if not claim.secret or not identities.is_trusted(peer.connection.host, claim.role, claim.name):
        return
    known = identities.find(claim.role, claim.name)
    # Only its public beginning is compared: no hash is made that nothing depends on.
    if known is None or not claim.secret.startswith(known.key):
        why = f"{WRONG}, but its address needs none (auth_addresses)"
        server.note("token not needed", peer, name=claim.name, why=why, address=peer.connection.address)


def _is_owned(server: ServerState, role: Role, name: str) -> bool:
    """Return whether a name has an owner: it has a token, or is reserved for an entrant."""
    return server.entry.identities.find(role, name) is not None or bool(role is Role.PLAYER and _reserved(server, name))


def _reserved(server: ServerState, name: str) -> str:
    """Return the championship that reserves this nick for an entrant, or the empty text."""
    form = unique_form(name)
    for championship in server.championships.values():
        if championship.plan.reserved and not championship.ledger.over and form in _forms(championship.plan.entrants):
            return championship.name
    return ""


# Asked at every login of a type, and a field may have thousands of nicks.
@lru_cache(maxsize=64)
def _forms(nicks: tuple[str, ...]) -> frozenset[str]:
    return frozenset(map(unique_form, nicks))


def _wrong(server: ServerState, peer: Peer, claim: Claim) -> str:
    """Return what is wrong without checking the secret; empty if it has to be checked."""
    known = server.entry.identities.find(claim.role, claim.name)
    if len(claim.secret) > MAX_SECRET:
        return f"its secret has {len(claim.secret)} characters; at most {MAX_SECRET} are allowed"
    if known is None:
        return _wrong_unknown(server, peer, claim)
    if not claim.secret:
        return "this name has a token, which was not given; send it in x-hello, or behind the name as NAME#TOKEN"
    if known.game_type and known.game_type != claim.game_type and claim.role is Role.MASTER:
        return f"the token of this name is for the game type {known.game_type!r} only"
    # A wrong beginning is refused without a hash: guessing costs the server next to nothing.
    if not claim.secret.startswith(known.key):
        return WRONG
    return ""


def _wrong_unknown(server: ServerState, peer: Peer, claim: Claim) -> str:
    """Return what is wrong with a name without a token."""
    config, identities = server.config, server.entry.identities
    reserved = _reserved(server, claim.name) if claim.role is Role.PLAYER else ""
    if reserved:
        return f"this nick is reserved for an entrant of {reserved}, and the organiser has not made its token yet"
    if claim.mode == "tokens":
        if claim.role is Role.MASTER:
            return "this name has no token here, and every game master needs one: `ugs token add --master` makes it"
        return "this name has no token here, and every player needs one; ask the organiser for it"
    if (claim.role, unique_form(claim.name)) in identities.revoked:
        return "the token of this name was revoked; ask the organiser for a new one"
    if server.names.player(claim.name) is not None:
        return "this nick is kept for its absent player, who has no token; it cannot be registered meanwhile"
    if not claim.secret:
        return "a secret is needed, which then belongs to this name; send it in x-hello, or as NAME#SECRET"
    if len(claim.secret) < MIN_SECRET:
        return f"the secret has {len(claim.secret)} characters; at least {MIN_SECRET} are needed"
    if len(set(claim.secret)) < MIN_DIFFERENT:
        return f"the secret has hardly any different characters; at least {MIN_DIFFERENT} are needed"
    if identities.registered[_origin(peer)] >= config.max_registered_per_ip:
        return f"{config.max_registered_per_ip} names were registered from your address, and no more may be"
    if len(identities.of) + len(identities.registers) >= config.max_registered:
        return f"{config.max_registered} names have tokens, and no more may be registered"
    return ""


# What happens next.


def due(server: ServerState, conn: int) -> None:
    """The timer of a waiting message has fired."""
    connection = server.connections.get(conn)
    pending = _pending(connection.peer) if connection is not None else None
    if pending is None:
        return
    if pending.step is ProofStep.TRY:
        _check(server, pending)
    else:
        _refuse(server, pending)


def proved(server: ServerState, event: Proved) -> None:
    """A secret was checked. Meanwhile the token may have been revoked, or the peer may be gone."""
    connection = server.connections.get(event.conn)
    pending = _pending(connection.peer) if connection is not None else None
    origin = server.entry.identities.registers.pop(event.conn, None)
    if origin is not None and not event.digest:
        server.entry.identities.registered[origin] -= 1
    if pending is None or pending.step is not ProofStep.CHECK:
        return
    claim, peer = pending.claim, pending.peer
    known = server.entry.identities.find(claim.role, claim.name)
    if event.failure:
        _refuse_soon(server, pending, event.failure, LoginError.PLAYERS_POOL_OVERFLOW)
    elif known is None or event.digest != known.digest:
        _refuse_soon(server, pending, WRONG)
    else:
        form = unique_form(claim.name)
        server.entry.identities.tries.was_right(_origin(peer), claim.role, form)
        WAITING.of(peer).pending = None
        peer.connection.has_proven(known)
        server.report(Proven(peer, pending.message))


def _check(server: ServerState, pending: Pending) -> None:
    claim, peer = pending.claim, pending.peer
    pending.step = ProofStep.CHECK
    if not pending.digest:
        server.entry.identities.registers[peer.conn] = _origin(peer)
        # Counted before the hash is made: logins at the same moment could all pass the limit otherwise.
        server.entry.identities.registered[_origin(peer)] += 1
    server.emit(Prove(peer.conn, claim.role, claim.name, _origin(peer), claim.secret, pending.digest))


def _refuse_soon(server: ServerState, pending: Pending, why: str, error: LoginError = LoginError.WRONG_NICK) -> None:
    pending.step, pending.why, pending.error = ProofStep.REFUSE, why, error
    # Counted from the request: the time of the answer must not show whether a hash was made.
    server.start(_timer(pending.peer), max(0.0, pending.at + server.config.wrong_token_delay_s - server.now))


def _refuse(server: ServerState, pending: Pending) -> None:
    peer, message = pending.peer, pending.message
    WAITING.of(peer).pending = None
    if isinstance(message, Watch | Why):
        text = f"{message.TYPE}: nick {pending.claim.name!r}: {pending.why}"
        server.note("token refused", peer, warning=True, why=text, address=peer.connection.address)
        server.send_extension([peer], Failed(RefusalReason.INVALID_PLAYER, text, ref=message.ref))
        if isinstance(peer, Newcomer):
            peer.is_refused()
            dismissals.count_refusal(server, peer)
    else:
        assert isinstance(peer, Newcomer)
        refusals.refuse_unproven(server, peer, message, pending.error, pending.why)


def _pending(peer: Peer) -> Pending | None:
    """Return the pending message of a peer, which may have become another one: a newcomer whose session goes on, or a
    spectator."""
    found = WAITING.find(peer)
    pending = found.pending if found is not None else None
    return pending if pending is not None and pending.peer is peer else None


def _origin(peer: Peer) -> str:
    return peer.connection.origin


def _timer(peer: Peer) -> Timer:
    return Timer(TimerKind.PROOF, peer.conn)
