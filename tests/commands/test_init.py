"""``ugs init``: questions and flags."""

import io
from pathlib import Path

import pytest

from tests.commands.line import ugs
from ugs.championship.plan import load_plan
from ugs.commands import demo_game, init
from ugs.commands.app import application
from ugs.commands.demo_game import DEFAULT_GAME
from ugs.commands.init_folder import PLAN, SETTINGS
from ugs.config import load
from ugs.distributions import NotInstalled
from ugs.gateway import settings_of


def test_five_questions_make_a_folder(tmp_path: Path) -> None:
    said = ugs("init", tmp_path / "cup", stdin="Spring cup\ncatan\ny\ntokens\n8\n")
    assert said.exit_code == 0, said.output
    config = load(tmp_path / "cup" / SETTINGS, {}, settings_of)
    assert (config.site.title, config.host, config.auth) == ("Spring cup", "0.0.0.0", "tokens")
    plan = load_plan(tmp_path / "cup" / PLAN)
    assert (plan.name, plan.game_type, plan.first, plan.format) == ("Spring cup", "settlers", 8, "round-robin")


def test_a_wrong_answer_is_asked_for_again_with_the_reason(tmp_path: Path) -> None:
    said = ugs("init", tmp_path / "cup", stdin="\x07\nCup\nches\nchess\nmaybe\nn\nall\nnone\none\n1\n1001\n8\n")
    assert said.exit_code == 0, said.output
    assert "openspiel:NAME" in said.output
    for reason in (
        "printable",
        "no game 'ches'",
        "'maybe': allowed: yes",
        "'all': allowed",
        "not a number",
        "at least two",
    ):
        assert reason in said.output
    plan = load_plan(tmp_path / "cup" / PLAN)
    assert (plan.name, plan.game_type, plan.first) == ("Cup", "chess", 8)


class Shelf:
    """A collection whose library is not installed."""

    def missing(self) -> str:
        return 'pip install "ugs[shelf]"'


def test_only_games_that_can_be_played_here_are_offered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    described = demo_game.demo_game

    def demo(name: str) -> demo_game.DemoGame:
        if name == "chess":
            raise demo_game.NoDemo('its library is not installed: pip install "ugs[chess]"') from NotInstalled()
        if name == "titan":
            raise demo_game.NoDemo("the game 'titan' cannot be loaded: KeyError: 7")
        return described(name)

    monkeypatch.setattr(demo_game, "demo_game", demo)
    monkeypatch.setattr(init, "games_named", lambda: ["catan", "chess", "shelf:", "titan"])
    monkeypatch.setattr(demo_game, "collection_of", lambda name: (Shelf(), ""))
    said = ugs("init", tmp_path / "cup", "--title", "Cup", "--local", "--auth", "none", "--players", "0", stdin="\n")
    assert said.exit_code == 0, said.output
    assert (
        'not installed: chess, games of shelf: pip install "ugs[chess,shelf]"\nWhich game? (catan) [catan]'
        in said.output
    )


def test_through_a_pipe_each_answer_stands_behind_its_question(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("Cup\nches\n\nno\n\n2\n"))
    application()(["init", str(tmp_path / "cup")], standalone_mode=False)
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "What is the contest called? [cup]: Cup"
    assert [line.partition("]: ")[2] for line in lines if "]: " in line] == [
        "Cup",
        "ches",
        DEFAULT_GAME,
        "no",
        "none",
        "2",
    ]
    assert lines[2].startswith("Error: there is no game 'ches'")


def test_a_wrong_option_is_refused_before_anything_is_asked(tmp_path: Path) -> None:
    said = ugs("init", tmp_path / "cup", "--auth", "all", stdin="Cup\n")
    assert (said.exit_code, said.stdout) == (2, "")


def test_with_yes_nothing_is_asked_and_flags_count(tmp_path: Path) -> None:
    said = ugs("init", tmp_path / "cup", "--yes", "--title", 'The "big" cup', "--players", "40")
    assert said.exit_code == 0, said.output
    assert load_plan(tmp_path / "cup" / PLAN).format == "swiss"
    assert load(tmp_path / "cup" / SETTINGS, {}, settings_of).site.title == 'The "big" cup'


@pytest.mark.parametrize(("game", "seats"), [("apologies", 2), ("tic-tac-toe", 2), ("bang", 4), ("catan-six", 5)])
def test_a_championship_has_games_of_two_where_two_can_play(game: str, seats: int, tmp_path: Path) -> None:
    assert ugs("init", tmp_path / "cup", "--yes", "--game", game, "--players", "8").exit_code == 0
    assert load_plan(tmp_path / "cup" / PLAN).seats == seats
    assert f"(round-robin, games of {seats})" in (tmp_path / "cup" / "README.md").read_text()


@pytest.mark.parametrize(
    ("game", "form", "repeats"),
    [
        *((game, "round-robin", 10) for game in ("apologies", "bang", "catan", "titan")),
        ("apologies", "gauntlet", 10),
        ("apologies", "swiss", 1),
        ("chess", "round-robin", 1),
        ("tic-tac-toe", "round-robin", 1),
    ],
)
def test_games_of_luck_are_repeated(game: str, form: str, repeats: int, tmp_path: Path) -> None:
    told = ("--yes", "--game", game, "--players", "8", "--format", form)
    assert ugs("init", tmp_path / "cup", *told).exit_code == 0
    assert load_plan(tmp_path / "cup" / PLAN).repeats == repeats


def test_a_large_championship_of_luck_has_no_more_games_than_are_allowed(tmp_path: Path) -> None:
    told = ("--yes", "--game", "apologies", "--players", "1000", "--format", "round-robin")
    assert ugs("init", tmp_path / "cup", *told).exit_code == 0
    assert load_plan(tmp_path / "cup" / PLAN).repeats == 1


def test_ports_that_are_given_are_in_settings_units_and_page(tmp_path: Path) -> None:
    folder = tmp_path / "cup"
    assert ugs("init", folder, "--yes", "--port", "4801", "--http-port", "8801").exit_code == 0
    config = load(folder / SETTINGS, {}, settings_of)
    assert (config.port, config.http_port) == (4801, 8801)
    page = (folder / "README.md").read_text()
    assert "connect to `127.0.0.1:4801`, spectators look at <http://127.0.0.1:8801/>" in page
    for text in (page, (folder / "ugs-master.service").read_text()):
        assert "127.0.0.1:4801" in text
        assert "4747" not in text


def test_a_plan_has_places_for_the_hour_and_the_rounds_of_a_swiss_one(tmp_path: Path) -> None:
    for players, has_rounds in ((12, True), (8, False)):
        assert ugs("init", tmp_path / str(players), "--yes", "--players", str(players)).exit_code == 0
        file = tmp_path / str(players) / PLAN
        text = file.read_text()
        assert ("# rounds = 0" in text.splitlines()) == has_rounds
        file.write_text(text.replace("# rounds = 0", "rounds = 5").replace("# begins_at", "begins_at"))
        plan = load_plan(file)
        assert (plan.first, plan.rounds, plan.begins_at) == (players, 5 * has_rounds, "2030-05-01T20:00")


def test_without_a_championship_there_is_no_plan(tmp_path: Path) -> None:
    assert ugs("init", tmp_path / "cup", "--yes").exit_code == 0
    assert not (tmp_path / "cup" / PLAN).exists()
    assert PLAN not in (tmp_path / "cup" / "README.md").read_text()


def test_a_folder_that_is_in_use_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine").touch()
    said = ugs("init", tmp_path, "--yes")
    assert (said.exit_code, "not empty" in said.stderr) == (1, True)
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]


@pytest.mark.parametrize(
    ("flag", "value", "why"),
    [
        ("--auth", "all", "allowed: none, register, tokens"),
        ("--format", "cup", "allowed: round-robin"),
        ("--format", "swiss", "--players says with how many it begins"),
        ("--players", "1", "at least two"),
        ("--title", " ", "1 to 64 printable"),
        ("--port", "8080", "players and the page need one each"),
        ("--game", "ches", "there is no game"),
    ],
)
def test_a_wrong_answer_is_refused_and_nothing_is_made(tmp_path: Path, flag: str, value: str, why: str) -> None:
    said = ugs("init", tmp_path / "cup", "--yes", flag, value)
    assert said.exit_code in (1, 2)
    assert why in " ".join(said.stderr.replace("│", " ").split())
    assert not (tmp_path / "cup").exists()


def test_where_nothing_answers_the_flags_are_named_that_do(tmp_path: Path) -> None:
    said = ugs("init", tmp_path / "cup", "--game", "chess", "--local", stdin="Spring cup\n")
    assert (said.exit_code, "Aborted" in said.output) == (2, False)
    assert "use a terminal, or give --title, --auth, --players, or --yes for defaults" in said.stderr
    assert not (tmp_path / "cup").exists()


def test_paths_are_written_as_one_types_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "here").mkdir()
    written = ugs("init", "my cups/spring", "--yes").stdout
    assert ("my cups/spring/ugs.toml\n" in written, "Next: cd 'my cups/spring', then `ugs" in written) == (True, True)
    monkeypatch.chdir(tmp_path / "here")
    assert "Next: `ugs doctor --config ugs.toml`; README.md" in ugs("init", ".", "--yes").stdout
