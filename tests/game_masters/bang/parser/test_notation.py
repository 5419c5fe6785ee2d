"""Moves and events on the wire: both forms that players may send, the spelling of what they are told."""

import pytest
from defusedxml.ElementTree import fromstring

from game_masters.bang import GAME
from game_masters.bang.cards.playing_cards import HIDDEN, Card
from game_masters.bang.messages.events import (
    ChatMessage,
    Event,
    Exited,
    GameUpdated,
    PlayerChanged,
    PlayerCreated,
    PlayerRemoved,
    PlayerView,
    Rejected,
    Resynced,
)
from game_masters.bang.messages.moves import (
    Ability,
    Chat,
    CreateGame,
    Discard,
    Draw,
    EndTurn,
    JoinGame,
    LeaveGame,
    Move,
    Pass,
    Play,
    StartGame,
)
from game_masters.bang.notation import read_move, write_move
from game_masters.bang.parser.reading import read_view
from game_masters.bang.parser.writing import entry_text, write_view
from game_masters.kit.rules import Unreadable
from tests.game_masters.bang.saloon import Saloon
from ugs.wire.schema import PayloadSchema

SCHEMA = PayloadSchema(GAME.schema)

FORMS: list[tuple[Move, tuple[str, ...]]] = [
    (Draw(), ("<draw-card/>",)),
    (Play(7), ('<play-card played-card-id="7"/>', '<play-card id="7"/>', '<play-card id="7" target-player-id="0"/>')),
    (
        Play(7, 3),
        (
            '<play-card played-card-id="7" target-player-id="3"/>',
            '<play-card id="7" target-player-id="3"/>',
            '<play-card id="7" target-hand-id="3"/>',
            '<play-card played-card-id="7" target-player-id="3" discard-card-id="9"/>',
        ),
    ),
    (
        Play(7, 0, 2147483647),
        (
            '<play-card played-card-id="7" target-card-id="2147483647"/>',
            '<play-card id="7" target-card-id="2147483647"/>',
        ),
    ),
    (Pass(), ("<pass/>",)),
    (Ability(), ("<use-ability/>",)),
    (Ability(3), ('<use-ability target-player-id="3"/>',)),
    (
        Ability(0, (7, 8)),
        (
            "<use-ability><target-cards><card-id>7</card-id><card-id>8</card-id></target-cards></use-ability>",
            '<use-ability><card id="7"/><card id="8"/></use-ability>',
        ),
    ),
    (Discard(7), ('<discard card-id="7"/>', '<discard-card id="7"/>', '<discard id="7"/>')),
    (EndTurn(), ("<end-turn/>",)),
    (
        Chat("Hi & <you>"),
        ('<chat-message message="Hi &amp; &lt;you>"/>', "<chat-message> Hi &amp; &lt;you> </chat-message>"),
    ),
    (StartGame(), ("<start-game/>",)),
    (LeaveGame(), ("<leave-game/>",)),
    (JoinGame(), ("<join-game/>",)),
    (
        JoinGame(2),
        ('<join-game game-id="g" player-id="2"/>', '<join-game gameId="g" playerId="2"><create-player/></join-game>'),
    ),
    (
        CreateGame("Noon", 2, shuffle=True),
        (
            '<create-game><game-data name="Noon" desc="" players-min="4" players-max="7" ai-players-cnt="2"><options>'
            '<element name="shuffle-players" type="bool" value="true"/></options></game-data>'
            '<player-data name="Ann" password=""><avatar/></player-data></create-game>',
            '<create-game><create-game name="Noon" minPlayers="4" AIPlayers="2" shufflePlayers="true"/><create-player/>'
            "</create-game>",
        ),
    ),
    (CreateGame(), ("<create-game/>", "<create-game><game-data/></create-game>")),
]


@pytest.mark.parametrize(("move", "forms"), FORMS, ids=lambda one: type(one).__name__)
def test_an_action_is_read_in_both_protocols_with_and_without_its_wrapper(move: Move, forms: tuple[str, ...]) -> None:
    for form in forms:
        for payload in (f"<move>{form}</move>", f"<move><action>{form}</action></move>"):
            assert read_move(payload.encode()) == move
            SCHEMA.check(payload.encode())
    assert read_move(write_move(move)) == move
    SCHEMA.check(write_move(move))


@pytest.mark.parametrize(
    ("inside", "why"),
    [
        ("", "expected exactly one action in it, not 0"),
        ("<pass/><pass/>", "expected exactly one action in it, not 2"),
        ("<action/>", "expected exactly one action in it, not 0"),
        ("<action><action><pass/></action></action>", "element 'action' is no action"),
        ("<yodel/>", "element 'yodel' is no action; there are: chat-message, create-game,"),
        ('<play-card id="x"/>', "attribute id: 'x' is not an id"),
        ('<play-card id="-1"/>', "attribute id: '-1' is not an id"),
        ('<play-card id="99999999999"/>', "is not an id"),
        ("<use-ability><target-cards><card-id>x</card-id></target-cards></use-ability>", "element card-id: 'x'"),
        ("<use-ability>" + '<card id="1"/>' * 81 + "</use-ability>", "81 cards"),
        (f"<chat-message>{'x' * 4001}</chat-message>", "4001 characters"),
        (f'<create-game><game-data name="{"x" * 65}"/></create-game>', "65 characters; at most 64"),
        ('<create-game><create-game shufflePlayers="maybe"/></create-game>', "'maybe'; expected true or false"),
    ],
)
def test_what_is_no_action_is_unreadable(inside: str, why: str) -> None:
    payload = f"<move>{inside}</move>".encode()
    with pytest.raises(Unreadable) as refused:
        read_move(payload)
    assert why in str(refused.value)


def test_what_is_not_known_is_ignored() -> None:
    assert read_move(b'<move><action colour="red"><pass loud="yes"><!-- --></pass></action></move>') == Pass()


# --- what players are told ----------------------------------------------------------------------------------------


def test_a_shot_is_told_in_the_spelling_of_the_protocol() -> None:
    saloon = Saloon(p1={"hand": ["bang 9 diamonds"]})
    (event,) = saloon.plays("bang", on=2)
    card = f'<card id="{event.meaning[0][1].id}" name="bang" type="playing" suit="diamonds" rank="9"/>'
    assert entry_text(event, "g1") == (
        f'<game-event game-id="g1" event-id="{event.id}" type="play-card-on-player" player-id="1" target-player-id="2">'
        f"<card-played>{card}</card-played>"
        '<card-movement pocket-type-from="hand" pocket-type-to="graveyard" player-from="1" player-to="0">'
        f"{card}</card-movement>"
        '<game-context current-player-id="1" requested-player-id="2" turn-number="1" game-play-state="reaction" '
        'reaction-type="bang" caused-by="1"/></game-event>'
    )


PLAYER = PlayerView(2, "Ben & Co", ai=True, life=3, hand=2, character="paul-regret")


@pytest.mark.parametrize(
    ("entry", "text"),
    [
        (PlayerRemoved(2), '<remove-player game-id="g1" player-id="2"/>'),
        (Exited(2), '<exit-game game-id="g1"/>'),
        (GameUpdated(startable=True), '<game-update game-id="g1" is-startable="true"/>'),
        (
            ChatMessage(1, "Ann", "Howdy <all>"),
            '<chat-message game-id="g1" client-id="1" player-id="1" sender-name="Ann">Howdy &lt;all&gt;</chat-message>',
        ),
        (
            Rejected(1, "pass", "bad-usage", "no"),
            '<action-rejected game-id="g1" player-id="1" action="pass" reason="bad-usage">no</action-rejected>',
        ),
    ],
)
def test_server_events_are_spelled_so(entry: GameUpdated, text: str) -> None:
    assert entry_text(entry, "g1") == f"<server-event>{text}</server-event>"
    assert entry_text(Resynced(1), "g1") == ""


@pytest.mark.parametrize(
    ("entry", "tag"), [(PlayerCreated(PLAYER), "create-player"), (PlayerChanged(PLAYER), "player-update")]
)
def test_a_player_is_told_with_all_attributes(entry: PlayerCreated, tag: str) -> None:
    element = fromstring(entry_text(entry, "g1"))
    player = element.find(f"{tag}/public-player")
    assert player is not None
    assert set(player.attrib) == {
        "id", "name", "has-password", "has-controller", "is-ai", "is-alive", "is-winner", "is-sheriff", "character",
        "life-points", "hand-size", "role",
    }  # fmt: skip
    assert (player.get("name"), player.get("is-ai"), player.get("role")) == ("Ben & Co", "true", "unknown")


def test_other_spellings_are_read() -> None:
    """Readers take what older servers wrote: names without hyphens, ranks as letters or numbers, other attributes."""
    saloon = Saloon(p1={"hand": ["bang"]})
    payload = write_view(saloon.state.view(None)).decode()
    head, tail = payload.split("<game-event", 1)
    event = (
        '<event><game-event event-id="{id}" type="" player-id="1"><played-card><card id="5" name="wellsfargo" '
        'type="playing" suit="hearts" rank="J"/></played-card><life-points id="1" life-points="3"/>'
        '<update-player player-id="2" role="invalid"/><game-context current-player-id="1" requested-player-id="1" '
        'turn-number="1" game-play-state="response"/></game-event></event></gameState>'
    )
    snapshot = head.replace('game-state="playing"', 'game-state="Playing"')
    last = read_view(payload.encode()).snapshot.event
    view = read_view((snapshot + event.format(id=last + 1)).encode())
    (told,) = [one for one in view.news if isinstance(one, Event)]
    assert told.type == "draw-into-selection"
    assert told.meaning == (("card-played", Card(5, "wells-fargo", "playing", "hearts", "jack")),)
    assert view.known.player(1).life == 3
    assert view.known.context is not None
    assert view.known.context.phase == "reaction"
    assert tail


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("enter-game", "leave-game", "no enter-game in it"),
        ('suit="', 'suit="x', "are no suit and rank"),
        ('name="diligenza"', 'name="whip"', "there is no card 'whip'"),
        ('character="', 'character="x', "attribute character: there is no"),
        ('game-state="playing"', 'game-state="paused"', "'paused' means nothing"),
        ('life-points="', 'life-points="-', "is not a number"),
        ('player-to="1"', 'player-to="9"', "who does not play"),
        ('event-id="4"', 'event-id="6"', "events 4 to 5 are missing"),
    ],
)
def test_a_state_that_cannot_be_right_is_unreadable(old: str, new: str, why: str) -> None:
    saloon = Saloon(draw=True)
    payload = write_view(saloon.state.view(0, saloon.seen)).decode()
    assert old in payload
    with pytest.raises(Unreadable) as refused:
        read_view(payload.replace(old, new).encode())
    assert why in str(refused.value)


def test_a_hidden_card_has_an_id_and_nothing_else() -> None:
    saloon = Saloon(p2={"hand": ["beer"]})
    assert Card(0) == HIDDEN
    text = write_view(saloon.state.view(0, 0)).decode()
    assert '<card id="0"/>' in text
    assert '<card id="0" ' not in text
