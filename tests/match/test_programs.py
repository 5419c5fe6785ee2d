"""What a bot writes, cut game by game."""

from pathlib import Path

from ugs.match.programs import MAX_KEPT_BYTES, MAX_LOG_BYTES, Errors, tail


def writes(path: Path, text: str) -> None:
    with path.open("a", encoding="utf-8") as file:
        file.write(text)


def test_what_a_bot_writes_when_it_is_sent_the_result_is_of_that_game(tmp_path: Path) -> None:
    log, first, second = tmp_path / "bots" / "a.log", tmp_path / "1.log", tmp_path / "2.log"
    errors = Errors(log)
    errors.begins()
    errors.begun()
    writes(log, "one\n")
    errors.keep(first)
    writes(log, "I have lost\n")
    errors.begins()  # the order is refused: the bot has not sent its thanks
    writes(log, "a pity\n")
    errors.begins()
    errors.begun()
    writes(log, "two\n")
    errors.keep(second)
    errors.begins()
    errors.begun()
    writes(log, "three\n")
    errors.begins()
    assert first.read_text(encoding="utf-8") == "one\nI have lost\na pity\n"
    assert second.read_text(encoding="utf-8") == "two\n"


def test_late_words_are_kept_where_there_were_none(tmp_path: Path) -> None:
    log, kept = tmp_path / "a.log", tmp_path / "1.log"
    errors = Errors(log)
    errors.begins()
    errors.begun()
    errors.keep(kept)
    assert not kept.exists()
    writes(log, "x" * (MAX_KEPT_BYTES + 10) + "end")
    errors.begins()
    assert kept.stat().st_size == MAX_KEPT_BYTES
    assert kept.read_text(encoding="utf-8").endswith("xend")


def test_what_the_next_program_writes_is_not_of_the_game_that_the_last_one_lost(tmp_path: Path) -> None:
    log, kept = tmp_path / "a.log", tmp_path / "1.log"
    errors = Errors(log)
    errors.begins()
    errors.begun()
    writes(log, "going to crash\n")
    errors.keep(kept)
    writes(log, "crashed\n")
    errors.ended()
    writes(log, "here I am\n")
    errors.begins()
    assert kept.read_text(encoding="utf-8") == "going to crash\ncrashed\n"


def test_what_the_next_program_writes_before_the_end_of_the_game_is_known_is_not_of_it_either(tmp_path: Path) -> None:
    log, kept, next_kept = tmp_path / "a.log", tmp_path / "1.log", tmp_path / "2.log"
    errors = Errors(log)
    errors.begins()
    errors.begun()
    writes(log, "crashed\n")
    errors.ended()
    writes(log, "logged in\n")
    errors.ended()
    errors.keep(kept)
    writes(log, "here I am\n")
    errors.begins()
    errors.begun()
    writes(log, "two\n")
    errors.keep(next_kept)
    assert kept.read_text(encoding="utf-8") == "crashed\n"
    assert next_kept.read_text(encoding="utf-8") == "two\n"


def test_the_log_has_all_games_and_of_very_much_the_end(tmp_path: Path) -> None:
    log, kept = tmp_path / "a.log", tmp_path / "1.log"
    errors = Errors(log)
    for game in range(3):
        errors.begins()
        errors.begun()
        writes(log, f"game {game}\n")
    assert log.read_text(encoding="utf-8") == "game 0\ngame 1\ngame 2\n"
    writes(log, "x" * MAX_LOG_BYTES + "end")
    errors.begins()
    errors.begun()
    assert log.stat().st_size == MAX_LOG_BYTES // 2
    writes(log, "next\n")
    errors.keep(kept)
    assert (kept.read_text(encoding="utf-8"), log.read_text(encoding="utf-8")[-8:]) == ("next\n", "endnext\n")


def test_of_a_long_stack_both_ends_are_shown_since_the_error_is_before_or_behind_it(tmp_path: Path) -> None:
    log = tmp_path / "log"
    frames = [f"\tfrom protocol.rb:{number}:in 'run'" for number in range(30)]
    log.write_text(
        "\n".join(["in game g1", "bot.rb:48:in 'move': undefined method 'upcase'", *frames]), encoding="utf-8"
    )
    shown = [f"  {frame[1:]}" for frame in frames]
    assert tail(log).splitlines() == [
        "in game g1",
        "bot.rb:48:in 'move': undefined method 'upcase'",
        *shown[:4],
        "  …",
        *shown[-4:],
    ]
    log.write_text("\n".join(["Traceback", *frames, "KeyError: 'x'"]), encoding="utf-8")
    assert tail(log).splitlines()[-1] == "KeyError: 'x'"
    log.write_text("\n".join(frames[:9]), encoding="utf-8")
    assert tail(log).splitlines() == shown[:9]
