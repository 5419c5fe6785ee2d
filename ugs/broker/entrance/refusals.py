"""Refused logins: the answer, the log, and lines for people who ask."""

from ugs.broker.play import dismissals
from ugs.broker.state.connection import Newcomer
from ugs.broker.state.recent_refusals import Refused
from ugs.broker.state.server_state import ServerState
from ugs.wire.extensions import Failed, RefusalReason
from ugs.wire.messages import GameMasterLogin, LoginError, LoginResponse, PlayerLogin

IN_USE = "is in use"
"""What is wrong with a name that another peer has."""
REASONS = {
    LoginError.WRONG_NICK: RefusalReason.INVALID_PLAYER,
    LoginError.IMPROPER_GAME_TYPE: RefusalReason.INVALID_REQUEST,
    LoginError.PLAYERS_POOL_OVERFLOW: RefusalReason.USER_LIMIT,
    LoginError.MASTER_ALREADY_REGISTERED: RefusalReason.USER_LIMIT,
    LoginError.WRONG_GAME_TYPE_DESCRIPTION: RefusalReason.INVALID_REQUEST,
}
"""The code of a refusal for a peer that has sent x-hello."""


def refuse(
    server: ServerState, newcomer: Newcomer, message: PlayerLogin | GameMasterLogin, error: LoginError, why: str
) -> None:
    """Refuse a login; the last allowed attempt closes the connection. A newcomer that has sent x-hello gets the reason
    in words: one number stands for many mistakes."""
    name = message.nick if isinstance(message, PlayerLogin) else message.id
    fields = {"nick" if isinstance(message, PlayerLogin) else "id": name, "game_type": message.game_type}
    remember(server, newcomer, message, "login refused", error, why, **fields)
    explain(server, newcomer, message, RefusalReason.DUPLICATE_USER if why.endswith(IN_USE) else REASONS[error], why)
    answer(server, newcomer, error)


def refuse_for_now(
    server: ServerState,
    newcomer: Newcomer,
    message: PlayerLogin,
    error: LoginError,
    reason: RefusalReason,
    why: str,
    wait_s: float,
) -> None:
    """Refuse a login that may succeed after some seconds. A newcomer that has sent x-hello gets the reason and the
    time."""
    remember(server, newcomer, message, "login refused", error, why)
    explain(server, newcomer, message, reason, why, wait_s)
    answer(server, newcomer, error)


def refuse_unproven(
    server: ServerState, newcomer: Newcomer, message: PlayerLogin | GameMasterLogin, error: LoginError, why: str
) -> None:
    """Refuse a login whose name is not proven. A newcomer that has sent x-hello gets the reason."""
    remember(server, newcomer, message, "token refused", error, why, said=_name(message))
    explain(server, newcomer, message, RefusalReason.INVALID_PLAYER, why)
    answer(server, newcomer, error)


def turn_away(server: ServerState, newcomer: Newcomer, message: PlayerLogin | GameMasterLogin, why: str) -> None:
    """Refuse a login and close the connection. A newcomer that has sent x-hello gets the reason before the answer, as
    with any name that it may not use; all newcomers get it after the answer."""
    explain(server, newcomer, message, RefusalReason.INVALID_PLAYER, why)
    server.send(newcomer, LoginResponse(LoginError.WRONG_NICK))
    dismissals.dismiss(server, newcomer, why)


# Steps.


def remember(
    server: ServerState,
    newcomer: Newcomer,
    message: PlayerLogin | GameMasterLogin,
    event: str,
    error: LoginError,
    why: str,
    **fields: object,
) -> None:
    """Remember a refused login: a line for the log, and an answer for people who ask why."""
    newcomer.is_refused()
    connection = newcomer.connection
    server.note(event, newcomer, warning=True, error=int(error), why=why, address=connection.address, **fields)
    role = "player" if isinstance(message, PlayerLogin) else "master"
    server.turned_away.refused.remember(
        Refused(_name(message), role, why, connection.address, connection.origin, server.now)
    )


def explain(
    server: ServerState,
    newcomer: Newcomer,
    message: PlayerLogin | GameMasterLogin,
    reason: RefusalReason,
    why: str,
    wait_s: float = 0.0,
) -> None:
    """Send the reason in words before the answer, so that the reader knows what to do. Gateways have their own
    words."""
    if not newcomer.connection.by_gateway:
        server.send_extension([newcomer], Failed(reason, f"{message.TYPE}: {why}", wait_s=wait_s))


def answer(server: ServerState, newcomer: Newcomer, error: LoginError) -> None:
    """Send the loginResponse of v4."""
    server.send(newcomer, LoginResponse(error))
    dismissals.count_refusal(server, newcomer)


def _name(message: PlayerLogin | GameMasterLogin) -> str:
    return (message.nick if isinstance(message, PlayerLogin) else message.id) or ""
