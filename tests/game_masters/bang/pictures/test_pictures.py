"""What pictures of Bang! show, beyond what is promised for every game."""

from game_masters.bang.messages.moves import Chat
from game_masters.bang.messages.words import ASKED, Reaction
from game_masters.bang.notation import write_view
from game_masters.bang.pictures import follow
from tests.game_masters.bang.saloon import NAMES, Saloon
from tests.game_masters.bang.table.test_course import lobby
from ugs.pictures.contract import Picture, Scene, Seat, Shown


def scene(saloon: Saloon, viewer: int | None) -> Scene:
    return Scene(tuple(Seat(name) for name in NAMES[: len(saloon.state.labels)]), viewer)


def picture(saloon: Saloon, viewer: int | None) -> Picture:
    return follow(scene(saloon, viewer))(Shown(write_view(saloon.state.view(viewer, saloon.seen))))


def text(saloon: Saloon, viewer: int | None) -> str:
    return "\n".join("".join(span.text for span in line) for line in picture(saloon, viewer).text(80))


def test_players_stand_in_the_order_of_their_seats_with_life_hand_table_and_distance() -> None:
    saloon = Saloon(
        p1={"table": ["barrel"], "life": 3, "hand": ["bang"]}, p3={"table": ["mustang"], "hand": ["beer", "beer"]}
    )
    shown = text(saloon, 1)
    lines = [line for line in shown.splitlines() if line.strip()][1:]
    places = [next(number for number, line in enumerate(lines) if name in line) for name in NAMES[:4]]
    assert places == sorted(places)
    ann, barrel = lines[places[0]], lines[places[0] + 1]
    assert ("***.." in ann, "###" in ann, "at 1" in ann, "sheriff" in ann) == (True, True, True, True)
    assert barrel.strip() == "Sid Ketchum: Barrel Qs"
    assert "at 2" in lines[places[2]]
    assert "at " not in lines[places[1]]


def test_hands_of_others_are_backs_and_the_own_one_is_shown() -> None:
    saloon = Saloon(p2={"hand": ["panic", "duel"]})
    assert "Panic!" in text(saloon, 1)
    assert "you are: outlaw" in text(saloon, 1)
    for viewer in (None, 0):
        assert "Panic!" not in text(saloon, viewer)
        assert "outlaw" not in text(saloon, viewer)


def test_it_says_who_is_asked_for_what() -> None:
    saloon = Saloon(p1={"hand": ["bang"]})
    assert "turn of Ann, to play" in text(saloon, None)
    saloon.plays("bang", on=2)
    words = picture(saloon, None).words()
    assert words.startswith("Bang!, Ben is asked to answer a BANG! (turn of Ann).")
    assert list(picture(saloon, None).news()) == [
        "Ann plays BANG! (ace of spades) on Ben; Ben is asked to answer a BANG!"
    ]


def test_every_reaction_is_asked_for_in_words() -> None:
    assert set(ASKED) == set(Reaction)
    duel = Saloon(p1={"hand": ["duel"]})
    duel.plays("duel", on=2)
    assert picture(duel, None).words().startswith("Bang!, Ben is asked to shoot in a duel with Ann (turn of Ann).")
    hurt = Saloon(
        begins=2,
        draw=False,
        deck=["missed 2 spades"],
        p2={"table": ["dynamite"], "life": 1, "character": "bart-cassidy"},
    )
    hurt.plays("dynamite")
    assert (
        picture(hurt, None).words().startswith("Bang!, Ben is asked for a last save, 3 Beers are needed (turn of Ben).")
    )


def test_long_names_of_cards_and_long_events_stay_inside() -> None:
    saloon = Saloon(p1={"hand": ["general-store", "winchester"], "character": "suzy-lafayette"})
    svg = picture(saloon, 0).svg("x")
    assert ">General<" in svg
    assert ">Store<" in svg
    assert ">Winchester<" in svg
    lucky = {"character": "lucky-duke", "table": ["jail"]}
    duke = Saloon(begins=2, draw=False, deck=["bang 2 clubs", "beer 7 hearts"], p2=lucky)
    duke.plays("jail")
    assert "…" not in picture(duke, None).svg("x"), "what has happened is not cut"


def test_cards_and_players_can_be_clicked() -> None:
    saloon = Saloon(p1={"hand": ["bang", "panic", "cat-balou"]}, p2={"table": ["barrel"], "hand": ["beer"]})
    seen = picture(saloon, 0)
    labels = [offer.label for offer in seen.offers(0)]
    assert "BANG! (ace of spades) on Ben" in labels
    assert "Panic! (jack of hearts) on Barrel (queen of spades) of Ben" in labels
    assert "end the turn" in labels or any(label.startswith("discard") for label in labels)
    svg = seen.svg("p", 0)
    for number, label in enumerate(labels):
        parts = [part.split('"')[0].split() for part in svg.split('data-offer="')[1:]]
        assert any(str(number) in part for part in parts), label
    assert picture(saloon, 1).offers(1) == []


def test_what_was_said_is_news_once() -> None:
    saloon = Saloon()
    follower = follow(scene(saloon, None))
    saloon.does(Chat("Howdy <b>partner</b>"))
    state = Shown(write_view(saloon.state.view(None, saloon.seen)))
    assert list(follower(state).news()) == ["Ann: Howdy <b>partner</b>"]
    assert list(follower(state).news()) == []
    saloon.does(Chat("Howdy <b>partner</b>"))
    again = Shown(write_view(saloon.state.view(None, saloon.seen - 1)))
    assert list(follower(again).news()) == ["Ann: Howdy <b>partner</b>"]


def test_the_end_shows_who_won_and_all_roles() -> None:
    saloon = Saloon(p1={"hand": ["bang"]}, p2={"life": 1}, p3={"alive": False}, p4={"alive": False})
    saloon.plays("bang", on=2)
    saloon.passes()
    saloon.passes()
    shown = text(saloon, None)
    assert shown.startswith("won by Ann")
    assert "renegade" in shown
    assert "dead" in shown


def test_a_lobby_is_drawn_too() -> None:
    state = lobby(4)
    seen = follow(Scene((), 0))(Shown(write_view(state.view(0, 0))))
    assert seen.words().startswith("Bang!, waiting for the start.")
    assert [offer.label for offer in seen.offers(0)][:2] == ["start the game", "0 computer players"]
    assert "start the game" in seen.svg("p", 0)


def test_the_shot_in_the_air_is_an_arrow_to_who_has_to_answer() -> None:
    saloon = Saloon(p1={"hand": ["bang"]})
    assert "stroke-linecap" not in picture(saloon, 0).svg("p")
    saloon.plays("bang", on=2)
    for viewer in (None, 0, 2):
        assert "stroke-linecap" in picture(saloon, viewer).svg("p")
    store = Saloon(p1={"hand": ["general-store"]})
    store.plays("general-store")
    assert "stroke-linecap" not in picture(store, None).svg("p"), "a choice is no shot"


def test_distances_say_from_whom() -> None:
    saloon = Saloon(p1={"hand": ["bang"]})
    assert "distances are from you" in picture(saloon, 0).svg("p")
    assert "distances are from Ann" in picture(saloon, None).svg("p")
    assert "distance 1 from you." in picture(saloon, 1).words()
    assert "distance 1 from Ann." in picture(saloon, None).words()


def test_after_the_end_all_read_who_acted_against_whom_and_what_they_were() -> None:
    saloon = Saloon(p1={"hand": ["bang"]}, p2={"life": 1}, p3={"alive": False}, p4={"alive": False})
    saloon.plays("bang", on=2)
    assert "acted against" not in text(saloon, None)
    saloon.passes()
    saloon.passes()
    for viewer in (None, 0, 1):
        assert "Ann (sheriff) acted against Ben (outlaw)" in text(saloon, viewer)
        assert "Ann (sheriff) acted against Ben (outlaw)" in picture(saloon, viewer).words()


def test_two_cards_for_a_life_are_chosen_by_their_cards_not_by_buttons() -> None:
    saloon = Saloon(p1={"hand": ["bang", "panic", "cat-balou"], "character": "sid-ketchum", "life": 2})
    seen = picture(saloon, 0)
    pairs = [number for number, offer in enumerate(seen.offers(0)) if offer.label.endswith("for a life")]
    assert len(pairs) == 10, "of five cards"
    assert seen.offers(0)[pairs[0]].label == "discard BANG! (ace of spades) and Panic! (jack of hearts) for a life"
    parts = [part.split('"')[0].split() for part in seen.svg("p", 0).split('data-offer="')[1:]]
    for pair in pairs:
        assert sum(str(pair) in part for part in parts) == 2, "both cards stand for it, and nothing else does"
