"""Results as PGN."""

from tests.standings.results import drawn, forfeit, game, void, won
from ugs.broker.verdict import Outcome
from ugs.standings.pgn import pgn


def test_each_rated_game_of_two_has_its_tags_and_its_result() -> None:
    three = game(("a", Outcome.WON), ("b", Outcome.LOST), ("c", Outcome.LOST))
    text = pgn([won("ann", "ben"), forfeit("ann", "ben"), void("ann", "ben"), drawn("cat", "ann"), three])
    games = text.split("\n\n")
    assert games[1::2] == ["1-0", "1/2-1/2"]
    assert '[White "ann"]\n[Black "ben"]\n[Result "1-0"]' in games[0]
    assert '[White "cat"]\n[Black "ann"]\n[Result "1/2-1/2"]' in games[2]
    lost = pgn([game(("ann", Outcome.LOST), ("ben", Outcome.WON))])
    assert lost.endswith("\n\n0-1\n\n")


def test_a_nick_cannot_end_its_tag() -> None:
    assert '[White "a\\"b\\\\"]' in pgn([won('a"b\\', "ben")])


def test_without_games_it_is_empty() -> None:
    assert pgn([]) == ""
