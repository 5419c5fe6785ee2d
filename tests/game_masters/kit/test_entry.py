"""Logging in: with extensions, without them, and at a server that hangs up."""

from dataclasses import replace

from game_masters.kit.client import Effect, Finish, Level, Note, Reconnect, Send
from game_masters.kit.entry import ANSWER_LIMIT_S, Entry
from ugs import __version__
from ugs.wire.extensions import Failed, Family, Hello, RefusalReason
from ugs.wire.messages import Error, GameMasterLogin, LoginError, LoginResponse, Logout, Message, PlayerLogin

LOGIN = PlayerLogin("ann", "nim")
HELLO = Hello(("session", "state"), "a program", __version__)


def an_entry(*, v4: bool = False, needed: frozenset[Family] = frozenset()) -> Entry:
    return Entry("a program", "ann", (Family.SESSION, Family.STATE), v4=v4, needed=needed)


def sent(effects: list[Effect]) -> list[Message]:
    return [effect.message for effect in effects if isinstance(effect, Send)]


def test_the_hello_goes_first_and_the_login_right_behind_it() -> None:
    entry = an_entry()
    assert entry.calls(LOGIN) == [Send(HELLO), Send(LOGIN)]
    accepted = [entry.accepted]
    entry.greeted(Hello(("session", "lobby", "x-ray")))
    assert entry.answered(LoginResponse()) == []
    accepted.append(entry.accepted)
    assert accepted == [False, True]
    assert entry.may(Family.SESSION)
    assert not entry.may(Family.STATE), "asked for, and not granted"
    assert not entry.may(Family.LOBBY), "granted, and not asked for"


def test_a_server_without_extensions_is_no_reason_to_worry() -> None:
    entry = an_entry()
    entry.calls(LOGIN)
    assert entry.complained(Error("x-hello: no such type")).level is Level.DEBUG
    assert entry.answered(LoginResponse()) == []
    assert entry.accepted
    assert not entry.may(Family.SESSION)
    assert entry.complained(Error("move: not your turn")).level is Level.WARNING


def test_what_was_granted_holds_for_one_connection() -> None:
    entry = an_entry()
    entry.calls(LOGIN)
    entry.greeted(Hello(("session",)))
    entry.answered(LoginResponse())
    entry.calls(LOGIN)
    assert not entry.accepted
    assert not entry.may(Family.SESSION)


def test_with_v4_nothing_is_asked_for() -> None:
    entry = an_entry(v4=True)
    assert entry.calls(LOGIN) == [Send(LOGIN)]
    assert entry.answered(LoginResponse()) == []
    assert entry.accepted


def test_a_server_that_hangs_up_on_the_hello_is_called_without_it() -> None:
    entry = an_entry()
    entry.calls(LOGIN)
    entry.complained(Error("what?"))
    assert entry.calls(LOGIN) == [Send(LOGIN)]
    assert entry.answered(LoginResponse()) == []
    assert entry.calls(LOGIN) == [Send(HELLO), Send(LOGIN)], "it may be another server by now"


def test_a_server_that_has_greeted_before_is_greeted_again_whatever_happens() -> None:
    entry = an_entry()
    entry.calls(LOGIN)
    entry.greeted(Hello(()))
    for _ in range(3):
        assert entry.calls(LOGIN) == [Send(HELLO), Send(LOGIN)]


def test_who_needs_an_extension_asks_for_it_always_and_goes_where_it_is_not_granted() -> None:
    entry = an_entry(needed=frozenset({Family.SESSION}))
    for _ in range(3):
        assert entry.calls(LOGIN) == [Send(HELLO), Send(LOGIN)]
    entry.greeted(Hello(("state",)))
    note, *others = entry.answered(LoginResponse())
    assert note == Note("the server cannot do what is needed here", {"needed": ["session"]}, Level.ERROR)
    assert sent(others) == [Logout()]
    assert isinstance(others[-1], Finish)
    assert others[-1].exit_code == 1
    assert not entry.accepted


def test_a_refusal_is_the_end_unless_it_was_let_in_before() -> None:
    entry = an_entry()
    entry.calls(LOGIN)
    assert entry.answered(LoginResponse(LoginError.IMPROPER_GAME_TYPE))[-1] == Finish(1)
    entry.answered(LoginResponse())
    entry.calls(LOGIN)
    assert entry.answered(LoginResponse(LoginError.WRONG_NICK))[-1] == Reconnect()


def test_a_server_that_does_not_answer_the_login_is_called_at_once_without_the_hello() -> None:
    entry = an_entry()
    entry.calls(LOGIN)
    assert entry.awaiting
    entry.complained(Error("x-hello: what is that?"))
    note, again = entry.overdue()
    assert isinstance(note, Note)
    assert note.event == "no answer to the login, trying again as plain v4"
    assert note.fields["after_s"] == ANSWER_LIMIT_S
    assert "--v4" in str(note.fields["reason"])
    assert again == Reconnect(0)
    assert entry.calls(LOGIN) == [Send(LOGIN)]
    assert entry.answered(LoginResponse()) == []
    assert entry.accepted
    assert not entry.awaiting


def test_silence_has_other_reasons_where_the_hello_was_not_said_or_has_been_answered() -> None:
    plain, greeted, needy = an_entry(v4=True), an_entry(), an_entry(needed=frozenset({Family.SESSION}))
    greeted.calls(LOGIN)
    greeted.greeted(Hello(()))
    for entry, hellos in ((plain, 0), (greeted, 1), (needy, 1)):
        assert sent(entry.calls(LOGIN)).count(HELLO) == hellos
        note, again = entry.overdue()
        assert isinstance(note, Note)
        assert note.event == "no answer to the login"
        assert "no UGS server" in str(note.fields["reason"])
        assert again == Reconnect()
        assert sent(entry.calls(LOGIN)).count(HELLO) == hellos


# Tokens.


def test_a_token_goes_with_the_hello_and_in_plain_v4_behind_the_name() -> None:
    families = (Family.SESSION, Family.STATE)
    master = GameMasterLogin("m", "nim", "2", "2")
    entry = Entry("a program", "ann", families, token="s3cret")
    assert sent(entry.calls(LOGIN)) == [replace(HELLO, token="s3cret"), LOGIN]
    entry = Entry("a program", "ann", families, token="s3cret", v4=True)
    assert sent(entry.calls(LOGIN)) == [PlayerLogin("ann#s3cret", "nim")]
    assert sent(entry.calls(master)) == [replace(master, id="m#s3cret")]


def test_a_server_that_knows_no_hello_is_not_told_the_token_in_another_way() -> None:
    entry = Entry("a program", "ann", (Family.SESSION,), token="s3cret")
    entry.calls(LOGIN)
    assert sent(entry.calls(LOGIN)) == [LOGIN], "it has hung up on the first beginning, and would show a nick with #"


def test_a_name_that_is_not_proven_is_given_up_with_the_reason() -> None:
    entry = an_entry()
    entry.calls(LOGIN)
    assert entry.explained(Failed(RefusalReason.INVALID_PLAYER, "for a request", ref="1")) is None
    assert entry.explained(Failed(RefusalReason.INVALID_PLAYER, "needs a token")) is not None
    note, end = entry.answered(LoginResponse(LoginError.WRONG_NICK))
    assert isinstance(note, Note)
    assert note.fields["reason"] == "needs a token"
    assert end == Finish(1)
    entry.calls(LOGIN)
    assert Finish(1) not in entry.answered(LoginResponse(LoginError.WRONG_NICK)), "that was another connection"
    assert entry.explained(Failed(RefusalReason.INVALID_PLAYER, "later")) is None


def test_the_servers_own_reason_of_a_refusal_takes_the_place_of_the_guesses() -> None:
    entry = an_entry()
    entry.calls(LOGIN)
    entry.greeted(HELLO)
    text = "playerLogin: gameType is not allowed here"
    first = entry.explained(Failed(RefusalReason.INVALID_REQUEST, text))
    assert first is not None
    assert first.level is Level.DEBUG
    note, end = entry.answered(LoginResponse(LoginError.IMPROPER_GAME_TYPE))
    assert isinstance(note, Note)
    assert note.fields["reason"] == text
    assert end == Finish(1)


def test_that_reason_holds_for_one_connection_and_a_request_that_fails_is_none() -> None:
    entry = an_entry()
    entry.calls(LOGIN)
    assert entry.explained(Failed(RefusalReason.INVALID_GAME, "x-join: no such table", ref="1")) is None
    entry.explained(Failed(RefusalReason.USER_LIMIT, "playerLogin: the server is full"))
    entry.calls(LOGIN)
    note, _ = entry.answered(LoginResponse(LoginError.PLAYERS_POOL_OVERFLOW))
    assert isinstance(note, Note)
    assert "no room" in str(note.fields["reason"])
