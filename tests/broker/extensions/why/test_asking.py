"""Players and spectators ask why: who is told what, and about whose games."""

import pytest

from tests.broker.acts.acting import acts
from tests.broker.entrance.tokens import DELAY_S, checks, checks_in, has_token
from tests.broker.extensions.why.test_verdict_messages import ILLEGAL, a_game, heard
from tests.broker.house import CHESS, House, Peer, move, over, thank, turn
from ugs.broker.effects import AskWhy
from ugs.broker.events import JournalLost, WhyAnswered
from ugs.broker.extensions.why.recent import MAX_SEATS, RECENT
from ugs.broker.state.session_tokens import FORMER, MAX_FORMER
from ugs.broker.values.questions import ActKind
from ugs.wire.extensions import Account, Because, Failed, Family, RefusalReason, Watch, Why
from ugs.wire.messages import LeaveGame, Logout, Message

REASON, SESSION = Family.REASON, Family.SESSION
TOKEN = "ann-key-secret"
NOT_YOURS = Failed(RefusalReason.INVALID_GAME, "x-why: gameId id 'g1': no game of yours since you logged in")


def answers(peer: Peer) -> list[Message]:
    return [message for message in heard(peer) if isinstance(message, Account | Failed)]


def waits(peer: Peer, **about: str) -> str:
    peer.says(Why(ref="w", **about))  # type: ignore[arg-type]
    (answer,) = answers(peer)
    assert isinstance(answer, Account)
    assert answer.ref == "w"
    return answer.text


def ended(house: House, *families: Family) -> tuple[Peer, ...]:
    """Ann has lost g1 by a broken rule, and everybody has said thank you."""
    master, ann, ben = a_game(house, "ann", "ben", player=(REASON, *families))
    house.passes(5)
    ann.says(move("g1"))
    master.says(ILLEGAL)
    master.says(over("g1", "ben", losers=("ann",)))
    thank("g1", ann, ben)
    for peer in (ann, ben):
        peer.hears()
    return master, ann, ben


ENDED = (
    "ann broke a rule of the game; ben won",
    "the game master said: 99,18 is outside the board",
    "refused moves: ann 1",
    "the fault of the player ann: it counts as lost for it",
)


class TestWaiting:
    """Without a game: what one waits for."""

    def test_a_bot_without_a_master(self, house: House) -> None:
        assert waits(house.guest("ann", REASON)) == f"there is no game master for {CHESS}"

    def test_a_bot_without_others(self, house: House) -> None:
        house.master()
        assert waits(house.guest("ann", REASON)) == "1 player waits; a game takes 2 players"

    def test_a_bot_that_plays(self, house: House) -> None:
        _master, ann, _ben = a_game(house, "ann", "ben")
        assert waits(ann) == "game g1: it is the turn of ann within 30 s"

    def test_its_own_nick_is_no_game_but_itself(self, house: House) -> None:
        house.master()
        ann = house.guest("ann", REASON)
        assert waits(ann, game_id="ann") == waits(ann)
        assert house.explaining == []

    def test_a_game_of_that_name_comes_first(self, house: House) -> None:
        _master, ann, _ben = a_game(house, "g1", "ben")
        ann.says(Why("g1"))
        assert house.explaining[-1].game_id == "g1"

    def test_a_bot_that_owes_thanks(self, house: House) -> None:
        master, ann, _ben = a_game(house, "ann", "ben")
        master.says(over("g1", "ben", losers=("ann",)))
        ann.hears()
        assert waits(ann).startswith("ann owes a thank you for game g1")

    def test_why_nothing_can_be_written_is_for_the_organiser(self, house: House) -> None:
        house.master()
        ann = house.guest("ann", REASON)
        house.happens(JournalLost("/srv/secret/journal.sqlite: disk full"))
        ann.hears()
        assert waits(ann) == "no game begins while nothing can be written down"

    def test_somebody_who_is_gone(self, house: House) -> None:
        ann = house.guest("ann", SESSION, REASON)
        ann.says(Logout())
        assert waits(house.greets(REASON), token=ann.token) == "ann is not here"


class TestSpectators:
    """What games of a type wait for."""

    @staticmethod
    def spectator(house: House) -> Peer:
        peer = house.greets(Family.WATCH, REASON)
        peer.says(Watch(game_type=CHESS))
        peer.hears()
        return peer

    def test_it_is_told_without_names(self, house: House) -> None:
        peer = self.spectator(house)
        assert waits(peer, game_type=CHESS) == f"there is no game master for {CHESS}"
        house.player("ann")
        house.master()
        assert waits(peer, game_type=CHESS) == "1 player waits; a game takes 2 players"
        assert waits(peer, game_type="go") == f"there is no game master for go; games of {CHESS} are led here"
        assert waits(peer, game_type="chest") == f"there is no game master for chest; games of {CHESS} are led here"

    def test_a_type_that_is_paused(self, house: House) -> None:
        house.table("ann", "ben")
        peer = self.spectator(house)
        acts(house, ActKind.PAUSE, game_type=CHESS)
        assert waits(peer, game_type=CHESS) == f"1 game of {CHESS} runs"
        house.players("cat", "dan")
        acts(house, ActKind.PAUSE, game_type="go")
        assert waits(peer, game_type="go") == "the organiser has paused go: because"

    def test_a_type_that_is_paused_and_has_no_game(self, house: House) -> None:
        house.master()
        house.player("ann")
        acts(house, ActKind.PAUSE, game_type=CHESS)
        peer = self.spectator(house)
        assert waits(peer, game_type=CHESS) == f"the organiser has paused {CHESS}: because"

    def test_games_that_run_are_counted(self, house: House) -> None:
        house.table("ann", "ben")
        peer = self.spectator(house)
        house.players("cat", "dan")
        peer.hears()
        assert waits(peer, game_type=CHESS) == f"2 games of {CHESS} run"

    def test_a_championship_that_has_not_begun(self, house: House) -> None:
        house.master()
        peer = self.spectator(house)
        house.plans(name="cup", game_type=CHESS, first=8)
        assert waits(peer, game_type=CHESS) == "championship cup has not begun"

    def test_a_server_that_stops_or_cannot_write(self, house: House) -> None:
        peer = self.spectator(house)
        house.happens(JournalLost("full"))
        assert waits(peer, game_type=CHESS) == "no game begins while nothing can be written down"

    def test_it_asks_about_a_type(self, house: House) -> None:
        peer = self.spectator(house)
        peer.says(Why("g1"))
        assert answers(peer) == [
            Failed(RefusalReason.INVALID_GAME, "x-why: game gameType: a spectator asks about a game type")
        ]


def test_a_server_that_stops_says_so() -> None:
    house = House(drain_s=30)
    house.table("ann", "ben")
    peer = TestSpectators.spectator(house)
    house.is_asked_to_stop()
    peer.hears()
    assert waits(peer, game_type=CHESS) == "the server is stopping, and begins no game any more"


class TestGames:
    """The account of a game of one's own."""

    def test_what_is_known_goes_to_the_shell_which_reads_the_rest(self, house: House) -> None:
        _master, ann, ben = ended(house)
        house.passes(7)
        ann.says(Why("g1", last=3, ref="1"))
        assert house.explaining == [AskWhy(ann.conn, "1", "g1", "ann", 12.0, 0.0, 3, ENDED)]
        ben.says(Why("g1"))
        assert house.explaining[-1] == AskWhy(ben.conn, "", "g1", "ben", 12.0, 0.0, 6, ENDED)

    def test_a_game_that_runs(self, house: House) -> None:
        _master, ann, _ben = a_game(house, "ann", "ben")
        ann.says(Why("g1"))
        assert house.explaining[-1].known == ("game g1: it is the turn of ann within 30 s",)

    def test_a_game_that_one_has_left(self, house: House) -> None:
        _master, ann, _ben, _cat = a_game(house, "ann", "ben", "cat")
        ann.says(LeaveGame("g1"))
        ann.says(Why("g1"))
        assert house.explaining[-1].nick == "ann"

    def test_a_game_of_others_is_nobodys_business(self, house: House) -> None:
        a_game(house, "ann", "ben")
        cat = house.guest("cat", REASON)
        cat.says(Why("g1"))
        assert answers(cat) == [NOT_YOURS]
        assert house.explaining == []

    def test_who_has_the_nick_later_does_not_have_the_games(self, house: House) -> None:
        _master, ann, _ben = ended(house)
        ann.says(Logout())
        house.passes(1)
        other = house.guest("ann", REASON)
        other.says(Why("g1"))
        assert answers(other) == [NOT_YOURS]

    def test_nor_those_that_still_run(self, house: House) -> None:
        _master, ann, ben, _cat = a_game(house, "ann", "ben", "cat")
        ann.says(Logout())
        house.passes(1)
        other = house.guest("ann", REASON)
        other.says(Why("g1"))
        assert answers(other) == [NOT_YOURS]
        assert ben.hears() is not None

    def test_a_reason_that_only_repeats_that_a_player_left_is_no_reason(self, house: House) -> None:
        master, ann, ben = a_game(house, "ann", "ben")
        ann.says(LeaveGame("g1"))
        master.says(Because("g1", "player-left", "player left"))
        master.says(over("g1", "ben"))
        thank("g1", ben)
        ben.says(Why("g1"))
        fault = "the fault of the player ann: it counts as lost for it"
        assert house.explaining[-1].known == ("ann left the game (leaveGame); ben won", fault)

    def test_of_a_game_that_is_forgotten_the_journal_may_know(self, house: House) -> None:
        ann = house.guest("ann", REASON)
        house.passes(30)
        ann.says(Why("g0"))
        assert house.explaining == [AskWhy(ann.conn, "", "g0", "ann", 30.0, 0.0, 6, ())]

    def test_the_answer_is_passed_on(self, house: House) -> None:
        ann = house.guest("ann", REASON)
        house.happens(WhyAnswered(ann.conn, "1", "g1", "game g1\n  ann won"))
        house.happens(WhyAnswered(ann.conn, "2", "g1", "too many", RefusalReason.RATE_LIMIT, 5.0))
        house.happens(WhyAnswered(99, "3", "g1", "nobody is there"))
        assert heard(ann) == [
            Account("game g1\n  ann won", "g1", "1"),
            Failed(RefusalReason.RATE_LIMIT, "too many", "g1", "2", 5.0),
        ]

    def test_there_is_a_limit_to_it(self) -> None:
        house = House(list_burst=1, lists_per_s=0.1)
        ann = house.guest("ann", REASON)
        for _ in range(40):
            ann.says(Why("g0", last=100))
        assert {message.code for message in answers(ann) if isinstance(message, Failed)} == {RefusalReason.RATE_LIMIT}
        assert 1 <= len(house.explaining) <= 3


class TestTokens:
    """A token in place of a login."""

    def test_it_is_about_the_games_of_its_player(self, house: House) -> None:
        _master, ann, _ben = a_game(house, "ann", "ben", player=(REASON, SESSION))
        stranger = house.greets(REASON)
        stranger.says(Why("g1", token=ann.token))
        assert house.explaining[-1].nick == "ann"
        assert not ann.is_closed()

    def test_it_goes_on_when_the_session_is_over(self, house: House) -> None:
        _master, ann, _ben = ended(house, SESSION)
        ann.says(Logout())
        house.passes(100)
        stranger = house.greets(REASON)
        stranger.says(Why("g1", token=ann.token))
        assert house.explaining[-1] == AskWhy(stranger.conn, "", "g1", "ann", 105.0, 100.0, 6, ENDED)

    def test_and_shows_nothing_that_came_later(self, house: House) -> None:
        master, ann, ben = ended(house, SESSION)
        ann.says(Logout())
        master.says(over("g2", "ben", losers=("ann",)))
        thank("g2", ben)
        house.passes(1)
        house.guest("ann", REASON)
        master.says(turn("g3", "ann"))
        stranger = house.greets(REASON)
        stranger.says(Why("g3", token=ann.token))
        text = "x-why: gameId id 'g3': no game of yours since you logged in"
        assert answers(stranger) == [Failed(RefusalReason.INVALID_GAME, text)]

    @pytest.mark.parametrize("wrong", ["nonsense", "x" * 43])
    def test_a_wrong_one_counts_as_a_refused_login(self, house: House, wrong: str) -> None:
        stranger = house.greets(REASON)
        for _ in range(3):
            assert not stranger.is_closed()
            stranger.says(Why("g1", token=wrong))
        gone = "no such session here: it is long over, or the server was started again since"
        text = f"x-why: session token: {gone}; nor is it the token of a nick"
        assert stranger.hears() == [Failed(RefusalReason.INVALID_PLAYER, text)] * 3
        assert stranger.is_closed()

    def test_half_of_a_token_is_none(self, house: House) -> None:
        ann = house.guest("ann", REASON, SESSION)
        old = house.guest("old", REASON, SESSION)
        old.says(Logout())
        for token in (ann.token, old.token):
            stranger = house.greets(REASON)
            stranger.says(Why(token=token[:12] + "x" * (len(token) - 12)))
            assert [type(message) for message in stranger.hears()] == [Failed]

    def test_without_one_a_newcomer_is_told_nothing(self, house: House) -> None:
        stranger = house.greets(REASON)
        stranger.says(Why())
        assert [type(message) for message in stranger.hears()] == [Failed]

    def test_a_player_with_a_wrong_one_only_hears_so(self, house: House) -> None:
        ann = house.guest("ann", REASON)
        for _ in range(5):
            ann.says(Why(token="wrong"))
        assert not ann.is_closed()
        assert len(answers(ann)) == 5

    def test_only_so_many_that_are_over_are_remembered(self, house: House) -> None:
        former = FORMER.of(house.broker.server)
        ann = house.guest("ann", REASON, SESSION)
        ann.says(Logout())
        one = next(iter(former.values()))
        former.update({f"session {number}": one for number in range(MAX_FORMER - 1)})
        ben = house.guest("ben", REASON, SESSION)
        ben.says(Logout())
        assert len(former) == MAX_FORMER
        assert waits(house.greets(REASON), token=ben.token) == "ben is not here"
        stranger = house.greets(REASON)
        stranger.says(Why(token=ann.token))
        assert [type(message) for message in stranger.hears()] == [Failed]

    def test_without_a_game_it_names_the_last_one(self, house: House) -> None:
        """A bot that has crashed has shown no id of a game."""
        _master, ann, ben = ended(house, SESSION)
        assert "last game" not in waits(ann), "it has seen the end itself"
        ann.says(Logout())
        last = "its last game was g1: ask with that id why it ended so"
        assert waits(house.greets(REASON), token=ann.token) == f"ann is not here\n{last}"
        cat = house.guest("cat", REASON, SESSION)
        assert "last game" not in waits(house.greets(REASON), token=cat.token)
        assert ben.hears() is not None


class TestNicks:
    """The token of a nick in place of a login."""

    @staticmethod
    def plays(house: House) -> tuple[Peer, Peer]:
        """Ann, whose nick has a token, plays g1 against ben; returns the master and ann."""
        has_token(house, "ann", key="ann-key-", made_us=7)
        master = house.master()
        ann = checks_in(house, "ann", REASON, token=TOKEN)
        house.guest("ben", REASON)
        master.says(turn("g1", "ann"))
        ann.hears()
        return master, ann

    def test_its_owner_is_told_about_the_game_it_plays(self, house: House) -> None:
        self.plays(house)
        asker = house.greets(REASON)
        asker.says(Why("g1", token=TOKEN))
        assert answers(asker) == [], "its token is checked first"
        asker.says(Why("g1", token=TOKEN))
        assert "your last request has not been answered yet" in str(answers(asker))
        assert checks(house).secret == TOKEN
        (asked,) = house.explaining
        assert (asked.nick, asked.known, asked.since_us) == ("ann", ("game g1: it is the turn of ann within 30 s",), 7)
        assert waits(asker, token=f"Ann#{TOKEN}") == asked.known[0], "proven once is enough"
        asker.says(Why("g1", token="ben#secret"))
        assert "no such session" in str(answers(asker))

    def test_a_wrong_one_is_refused_late(self, house: House) -> None:
        has_token(house, "ann", key="ann-key-")
        asker = house.greets(REASON)
        for right_length in (TOKEN, "ann#short"):
            asker.says(Why(token=right_length, ref="7"))
            if house.proving:
                checks(house, right=False)
            assert answers(asker) == []
            house.passes(DELAY_S)
            assert answers(asker) == [
                Failed(RefusalReason.INVALID_PLAYER, "x-why: nick 'ann': this is not the token of this name", ref="7")
            ]

    def test_whoever_has_proven_another_name_is_refused(self, house: House) -> None:
        has_token(house, "ann", key="ann-key-")
        has_token(house, "ben", key="ben-key-")
        asker = house.greets(REASON)
        asker.says(Why(token=TOKEN))
        checks(house)
        assert [type(answer) for answer in answers(asker)] == [Account]
        asker.says(Why(token="ben-key-secret"))
        assert "this connection has proven to be the player 'ann'" in str(answers(asker))

    def test_a_game_that_is_over_is_for_the_journal_to_tell(self, house: House) -> None:
        """By the moment when the nick got its token, which only the journal can compare with its games."""
        master, ann = self.plays(house)
        ann.says(LeaveGame("g1"))
        asker = house.greets(REASON)
        asker.says(Why("g1", token=TOKEN))
        checks(house)
        master.says(over("g1", "ben", losers=("ann",)))
        house.explaining.clear()
        asker.says(Why("g1", token=TOKEN))
        (asked,) = house.explaining
        assert asked == AskWhy(asker.conn, "", "g1", "ann", 0.0, 0.0, 6, (), 0, 7)

    def test_a_game_of_others_that_runs_is_refused(self, house: House) -> None:
        has_token(house, "cat", key="cat-key-", made_us=7)
        a_game(house, "ann", "ben")
        asker = house.greets(REASON)
        asker.says(Why("g1", token="cat-key-secret"))
        checks(house)
        text = "x-why: gameId id 'g1': it runs, and you are not in it, or no longer"
        assert answers(asker) == [Failed(RefusalReason.INVALID_GAME, text)]

    def test_who_came_before_the_nick_had_its_token_is_another_one(self, house: House) -> None:
        a_game(house, "ann", "ben")
        has_token(house, "ann", key="ann-key-", made_us=7)
        asker = house.greets(REASON)
        asker.says(Why("g1", token=TOKEN))
        checks(house)
        assert [type(answer) for answer in answers(asker)] == [Failed]
        assert waits(asker, token=TOKEN) == "ann is not here"

    def test_a_player_shows_no_token_of_a_nick(self, house: House) -> None:
        has_token(house, "ann", key="ann-key-")
        ben = house.guest("ben", REASON)
        ben.says(Why(token=TOKEN))
        assert "no such session" in str(answers(ben))


def test_only_so_many_games_are_remembered(house: House) -> None:
    _master, ann, ben = ended(house)
    recent = RECENT.of(house.broker.server)
    recent.seats += MAX_SEATS - 3
    house.peers[1].says(turn("g2", "ann"))
    house.peers[1].says(Because("g2", "row", ""))
    house.peers[1].says(over("g2", "ann", losers=("ben",)))
    assert list(recent.ended) == ["g2"]
    ben.says(Why("g2"))
    assert house.explaining[-1].known[1] == "the game master said: row"
    assert ann.hears() is not None


def test_a_beginning_of_several_of_ones_games_is_refused(house: House) -> None:
    master, ann, ben = ended(house)
    master.says(over("g2", "ben", losers=("ann",)))
    thank("g2", ann, ben)
    ann.hears()
    ann.says(Why("g"))
    (answer,) = answers(ann)
    assert isinstance(answer, Failed)
    assert answer.code is RefusalReason.INVALID_GAME
    assert "g1" in answer.text
    assert "g2" in answer.text
