"""Answers to peers that did something wrong, and when their connections are closed."""

from ugs.broker.events import Timer, TimerKind
from ugs.broker.facts import Dismissed
from ugs.broker.play import recorder
from ugs.broker.state.connection import Newcomer, Peer
from ugs.broker.state.desk import Desk


def complain(desk: Desk, peer: Peer, text: str, game_id: str = "") -> None:
    """Answer a wrong message with an ``error``; close the peer if it was one too many within a minute."""
    recorder.refused(desk, peer, text, game_id)
    desk.note("wrong message", peer, warning=True, reason=text)
    desk.error(peer, text)
    if not desk.within_errors(peer):
        too_many_errors(desk, peer)


def too_many_errors(desk: Desk, peer: Peer) -> None:
    """Close a peer that has sent too many wrong messages within a minute."""
    dismiss(desk, peer, f"more than {desk.config.max_errors_per_minute} wrong messages in a minute")


def count_refusal(desk: Desk, newcomer: Newcomer) -> None:
    """A login or a token was refused; after ``login_attempts`` of them the connection is closed."""
    if newcomer.refusals >= desk.config.login_attempts:
        desk.note("too many refused logins", newcomer, warning=True)
        desk.stop(Timer(TimerKind.LOGIN, newcomer.conn))
        desk.close(newcomer)


def dismiss(desk: Desk, peer: Peer, text: str) -> None:
    """Tell a peer why it has to go, and close its connection."""
    desk.note("dismissed", peer, warning=True, reason=text)
    desk.error(peer, text)
    desk.close(peer)
    desk.tell_of(Dismissed(peer))
