"""Messages of the extensions by name: one of every type, others in an unusual form, and wrong ones."""

from typing import Final

from ugs.wire import extensions as x
from ugs.wire.messages import Choice, Extension, PlayerResult, Result

_TABLE: Final = (
    b'<table id="t" name="Friday" gameType="chess" owner="ann" seats="4" free="1" computers="2" visibility="PRIVATE">'
    b'<option name="mode" value="ADULT"/><invite nick="bob"/><invite nick="cyd"/></table>'
)
_FRIDAY: Final = x.TableInfo(
    "t", "Friday", "chess", "ann", 4, 1, 2, x.Visibility.PRIVATE, (Choice("mode", "ADULT"),), ("bob", "cyd")
)
_STRANGE_STATE: Final = (
    "<gameState\n  xmlns='u' a=\"'\"><view><gameState/></view><!-- </gameState> --><![CDATA[]]>&#380;ż\r\n</gameState >"
).encode()

# Every message as the server writes it, with its meaning.
EXTENSION_MESSAGES: Final[dict[str, tuple[bytes, Extension]]] = {
    "hello": (
        b'<message type="x-hello"><ext name="session"/><ext name="lobby"/>'
        b'<program name="bot" version="1.2"/></message>',
        x.Hello(("session", "lobby"), "bot", "1.2"),
    ),
    "hello with a token": (
        b'<message type="x-hello" ref="1"><ext name="chat"/><identity token="a1B2&#9;&quot;"/></message>',
        x.Hello(("chat",), ref="1", token='a1B2\t"'),
    ),
    "hello without a name": (b'<message type="x-hello"/>', x.Hello(())),
    "hello without a version": (
        b'<message type="x-hello"><program name="bot"/></message>',
        x.Hello((), "bot"),
    ),
    "ok": (b'<message type="x-ok" ref="9"/>', x.Ok("9")),
    "ok without ref": (b'<message type="x-ok"/>', x.Ok()),
    "failed": (
        b'<message type="x-failed" ref="3"><reason code="NO_MASTER">nobody &lt; here</reason></message>',
        x.Failed(x.RefusalReason.NO_MASTER, "nobody < here", ref="3"),
    ),
    "failed, of a master": (
        b'<message type="x-failed"><gameId id="g"/><reason code="INVALID_GAME"/></message>',
        x.Failed(x.RefusalReason.INVALID_GAME, "", "g"),
    ),
    "failed for a while": (
        b'<message type="x-failed"><reason code="DUPLICATE_USER" waitSec="41.5">kept</reason></message>',
        x.Failed(x.RefusalReason.DUPLICATE_USER, "kept", wait_s=41.5),
    ),
    "reason": (
        b'<message type="x-reason"><gameId id="g"/><cause code="illegal-move" nick="ann">9 &lt; 0</cause></message>',
        x.Because("g", "illegal-move", "9 < 0", "ann"),
    ),
    "reason of a draw": (
        b'<message type="x-reason"><gameId id="g"/><cause code="board-full" draw="yes"/></message>',
        x.Because("g", "board-full", "", draw=True),
    ),
    "verdict": (
        b'<message type="x-verdict"><gameId id="g"/><verdict cause="illegal move" fault="player" culprit="ann"'
        b' code="illegal-move"/><account>ann broke a rule</account><said>99,18</said>'
        b'<seat nick="ann" outcome="lost"/><seat nick="bob" outcome="won"/></message>',
        x.GameVerdict(
            "g",
            "illegal move",
            "player",
            "ann broke a rule",
            (x.SeatVerdict("ann", "lost"), x.SeatVerdict("bob", "won")),
            "ann",
            "illegal-move",
            "99,18",
        ),
    ),
    "verdict of the server": (
        b'<message type="x-verdict"><gameId id="g"/><verdict cause="timeout" fault="player" byServer="yes" void="yes"/>'
        b'<account></account><seat nick="ann" outcome="void" departure="timeout"/></message>',
        x.GameVerdict(
            "g", "timeout", "player", "", (x.SeatVerdict("ann", "void", "timeout"),), by_server=True, void=True
        ),
    ),
    "why": (b'<message type="x-why" ref="7"><gameId id="g"/></message>', x.Why("g", ref="7")),
    "why with a token": (
        b'<message type="x-why"><gameId id="g"/><session token="s"/><last exchanges="0"/></message>',
        x.Why("g", token="s", last=0),
    ),
    "why, of a game type": (
        b'<message type="x-why"><game gameType="chess"/></message>',
        x.Why(game_type="chess"),
    ),
    "account": (
        b'<message type="x-account" ref="7"><gameId id="g"/><account>game g\n  ann broke a rule</account></message>',
        x.Account("game g\n  ann broke a rule", "g", "7"),
    ),
    "account of nothing": (b'<message type="x-account"><account></account></message>', x.Account("")),
    "ping": (b'<message type="x-ping" ref="1"/>', x.Ping("1")),
    "pong": (b'<message type="x-pong" ref="1"/>', x.Pong("1")),
    "session": (
        b'<message type="x-session"><session token="s" nick="ann" resumed="no" graceSec="60"/></message>',
        x.Session("s", "ann", False, 60),
    ),
    "session that goes on": (
        b'<message type="x-session"><session token="s" nick="ann" resumed="yes" graceSec="0.5" turn="yes"/></message>',
        x.Session("s", "ann", True, 0.5, True),
    ),
    "resume": (b'<message type="x-resume"><session token="s"/></message>', x.Resume("s")),
    "resend": (b'<message type="x-resend" ref="2"><gameId id="g"/></message>', x.Resend("g", "2")),
    "list of states": (b'<message type="x-listStates" ref="2"><gameId id="g"/></message>', x.ListStates("g", "2")),
    "states": (
        b'<message type="x-states" ref="2"><gameId id="g"/><shown><gameState/></shown>'
        b"<shown><gameState>a<b/></gameState></shown></message>",
        x.States("g", (x.PastState(b"<gameState/>"), x.PastState(b"<gameState>a<b/></gameState>")), "2"),
    ),
    "no states": (b'<message type="x-states"><gameId id="g"/></message>', x.States("g")),
    "rejoin": (b'<message type="x-rejoin" ref="2"><gameId id="g"/></message>', x.Rejoin("g", ref="2")),
    "rejoin with a token": (
        b'<message type="x-rejoin"><gameId id="g"/><session token="s"/></message>',
        x.Rejoin("g", "s"),
    ),
    "rejoined": (
        b'<message type="x-rejoined"><gameId id="g"/><player nick="ann"/></message>',
        x.Rejoined("g", "ann"),
    ),
    "warning": (
        b'<message type="x-warning"><warn scope="player" state="IDLE" leftSec="900"/></message>',
        x.Warn(x.WarningScope.PLAYER, x.WarningState.IDLE, 900),
    ),
    "warning of a game": (
        b'<message type="x-warning"><gameId id="g"/><warn scope="clock" state="LOW" leftSec="4.25"/></message>',
        x.Warn(x.WarningScope.CLOCK, x.WarningState.LOW, 4.25, "g"),
    ),
    "list players": (b'<message type="x-listPlayers" ref="1"/>', x.ListPlayers("1")),
    "players": (
        b'<message type="x-players" ref="1"><player nick="ann" gameType="chess" sinceSec="60.000001" activeSec="0"'
        b' connection="CONNECTED" activity="ACTIVE" play="JOINED" gameId="t"/><player nick="bob" gameType="go"'
        b' sinceSec="1" activeSec="1" connection="DISCONNECTED" activity="IDLE" play="WAITING" node="b"/></message>',
        x.Players(
            (
                x.PlayerInfo("ann", "chess", 60.000001, 0, "CONNECTED", "ACTIVE", "JOINED", "t"),
                x.PlayerInfo("bob", "go", 1, 1, "DISCONNECTED", "IDLE", "WAITING", node="b"),
            ),
            "1",
        ),
    ),
    "no players": (b'<message type="x-players"/>', x.Players(())),
    "list game types": (b'<message type="x-listGameTypes"/>', x.ListGameTypes()),
    "game types": (
        b'<message type="x-gameTypes"><game gameType="chess" playersMin="2" playersMax="4" master="yes" programs="no">'
        b'<option name="mode" value="SHORT" values="SHORT LONG"/><option name="low" value="0" least="-1" most="9"/>'
        b"</game></message>",
        x.GameTypes(
            (
                x.GameTypeInfo(
                    "chess",
                    2,
                    4,
                    True,
                    False,
                    (x.OfferedOption("mode", "SHORT", "SHORT LONG"), x.OfferedOption("low", "0", least=-1, most=9)),
                ),
            )
        ),
    ),
    "game types without options": (
        b'<message type="x-gameTypes" ref="2">'
        b'<game gameType="go" playersMin="2" playersMax="2" master="no" programs="yes"/></message>',
        x.GameTypes((x.GameTypeInfo("go", 2, 2, False, True),), "2"),
    ),
    "advertise": (
        b'<message type="x-advertise" ref="3"><table name="Friday" seats="4" visibility="PRIVATE" computers="2">'
        b'<option name="mode" value="ADULT"/><invite nick="bob"/></table></message>',
        x.Advertise(
            x.NewTable("Friday", 4, x.Visibility.PRIVATE, 2, (Choice("mode", "ADULT"),), ("bob",)),
            "3",
        ),
    ),
    "advertise for all": (
        b'<message type="x-advertise"><table name="" seats="2"/></message>',
        x.Advertise(x.NewTable("", 2, x.Visibility.PUBLIC)),
    ),
    "advertised": (b'<message type="x-advertised" ref="3">' + _TABLE + b"</message>", x.Advertised(_FRIDAY, "3")),
    "invitation": (b'<message type="x-invitation">' + _TABLE + b"</message>", x.Invitation(_FRIDAY)),
    "list tables": (b'<message type="x-listTables" ref="4"/>', x.ListTables("4")),
    "tables": (
        b'<message type="x-tables" ref="4">' + _TABLE + b'<table id="u" name="" gameType="chess" owner="dan" seats="2"'
        b' free="1" visibility="PUBLIC"/></message>',
        x.Tables((_FRIDAY, x.TableInfo("u", "", "chess", "dan", 2, 1, 0, x.Visibility.PUBLIC)), "4"),
    ),
    "no tables": (b'<message type="x-tables"/>', x.Tables(())),
    "join": (b'<message type="x-join" ref="5"><table id="t"/></message>', x.Join("t", "5")),
    "joined": (b'<message type="x-joined" ref="5">' + _TABLE + b"</message>", x.Joined(_FRIDAY, "5")),
    "start": (b'<message type="x-start" ref="6"/>', x.Start("6")),
    "cancel": (b'<message type="x-cancel" ref="7"/>', x.Cancel("7")),
    "quit": (b'<message type="x-quit" ref="8"/>', x.Quit("8")),
    "wait": (b'<message type="x-wait" ref="8"/>', x.Wait("8")),
    "wait-once": (b'<message type="x-wait" ref="8" once="yes"/>', x.Wait("8", once=True)),
    "seats": (
        b'<message type="x-seats"><gameId id="t"/><comment>bob &amp; cyd left</comment>'
        b'<seat nick="ann" kind="human" state="PLAYING" label="RED"/>'
        b'<seat nick="hal" kind="program" state="JOINED"/></message>',
        x.Seats(
            "t",
            "bob & cyd left",
            (
                x.SeatInfo("ann", x.SeatKind.HUMAN, x.SeatState.PLAYING, "RED"),
                x.SeatInfo("hal", x.SeatKind.PROGRAM, x.SeatState.JOINED),
            ),
        ),
    ),
    "seats without comment": (b'<message type="x-seats"><gameId id="t"/></message>', x.Seats("t", "", ())),
    "game ended": (
        b'<message type="x-gameEnded"><gameId id="t"/>'
        b'<end result="CANCELLED" reason="NOT_VIABLE" comment="bob left"/></message>',
        x.GameEnded("t", x.EndResult.CANCELLED, "NOT_VIABLE", "bob left"),
    ),
    "say": (
        b'<message type="x-say" ref="9"><to nick="bob"/><to nick="cyd"/><text>Hello\n&amp; all&#13;</text></message>',
        x.Say(("bob", "cyd"), "", "Hello\n& all\r", "9"),
    ),
    "say to a table": (
        b'<message type="x-say"><table id="t"/><text></text></message>',
        x.Say((), "t", ""),
    ),
    "said": (
        b'<message type="x-said"><from nick="ann"/><to nick="bob"/><text>Hello</text></message>',
        x.Said("ann", ("bob",), "", "Hello"),
    ),
    "said to a table": (
        b'<message type="x-said"><from nick="ann"/><table id="t"/><text>Hello</text></message>',
        x.Said("ann", (), "t", "Hello"),
    ),
    "show clock": (b'<message type="x-showClock" ref="1"/>', x.ShowClock("1")),
    "clock": (
        b'<message type="x-clock" ref="1"><gameId id="g"/><player nick="ann" leftSec="-0.5" moveLeftSec="12"'
        b' roundTripMs="41.7"/><player nick="bob"/></message>',
        x.Clock("g", (x.ClockInfo("ann", -0.5, 12, 41.7), x.ClockInfo("bob")), "1"),
    ),
    "clock of nobody": (b'<message type="x-clock"><gameId id="g"/></message>', x.Clock("g", ())),
    "watch": (
        b'<message type="x-watch" ref="1"><watch gameId="g" from="begin" delaySec="30" nick="eve"/></message>',
        x.Watch("g", begin=x.WatchFrom.BEGIN, delay_s=30, nick="eve", ref="1"),
    ),
    "watch a type": (
        b'<message type="x-watch"><watch gameType="chess"/></message>',
        x.Watch(game_type="chess"),
    ),
    "unwatch": (b'<message type="x-unwatch" ref="2"><watch gameId="g"/></message>', x.Unwatch("g", ref="2")),
    "unwatch all": (b'<message type="x-unwatch"/>', x.Unwatch()),
    "list games": (b'<message type="x-listGames"/>', x.ListGames()),
    "list games of a type": (
        b'<message type="x-listGames" ref="3"><game gameType="chess"/></message>',
        x.ListGames("chess", "3"),
    ),
    "games": (
        b'<message type="x-games" ref="3">'
        b'<game gameId="g" gameType="chess" players="ann, bob" moves="12" spectators="0"/></message>',
        x.RunningGames((x.WatchableGame("g", "chess", "ann, bob", 12, 0),), "3"),
    ),
    "no games": (b'<message type="x-games"/>', x.RunningGames(())),
    "watching": (
        b'<message type="x-watching" ref="1"><gameId id="g"/><game gameType="chess" number="3"/>'
        b'<seat nick="ann" kind="human" state="PLAYING"/><option name="mode" value="LONG"/><nextPlayer nick="ann"/>'
        b'<gameState><!-- e4 --><tac x="3"/></gameState></message>',
        x.Watching(
            "g",
            "chess",
            3,
            (x.SeatInfo("ann", x.SeatKind.HUMAN, x.SeatState.PLAYING),),
            (Choice("mode", "LONG"),),
            ("ann",),
            b'<gameState><!-- e4 --><tac x="3"/></gameState>',
            "1",
        ),
    ),
    "watching what has not begun": (
        b'<message type="x-watching"><gameId id="g"/><game gameType="chess" number="0"/></message>',
        x.Watching("g", "chess", 0, ()),
    ),
    "fault": (
        b'<message type="x-fault"><gameId id="g"/><cause code="illegal-move" nick="ann">9 &lt; 0</cause></message>',
        x.RefusedMove("g", "ann", "illegal-move", "9 < 0"),
    ),
    "ruling": (
        b'<message type="x-ruling"><gameId id="g"/><ruling nick="ann" what="again"/></message>',
        x.Ruled("g", "ann", x.MoveRuling.AGAIN),
    ),
    "event of a fault": (
        b'<message type="x-event"><gameId id="g"/><event number="4" afterSec="1.5" what="fault" nick="ann"/></message>',
        x.GameEvent("g", 4, 1.5, x.EventKind.FAULT, "ann"),
    ),
    "watching what its master draws": (
        b'<message type="x-watching"><gameId id="g"/><game gameType="chess" number="3"/>'
        b'<nextPlayer nick="ann"/><gameState/><sketch><grid columns="3" rows="3"/></sketch></message>',
        x.Watching(
            "g",
            "chess",
            3,
            (),
            next_players=("ann",),
            state=b"<gameState/>",
            sketch=b'<sketch><grid columns="3" rows="3"/></sketch>',
        ),
    ),
    "event": (
        b'<message type="x-event"><gameId id="g"/><event number="4" afterSec="1.5" what="state"/>'
        b'<nextPlayer nick="ann"/><nextPlayer nick="bob"/><gameState/></message>',
        x.GameEvent("g", 4, 1.5, x.EventKind.STATE, next_players=("ann", "bob"), state=b"<gameState/>"),
    ),
    "event of a move": (
        b'<message type="x-event"><gameId id="g"/>'
        b'<event number="5" afterSec="2" what="left" nick="bob" text="gone"/></message>',
        x.GameEvent("g", 5, 2, x.EventKind.LEFT, "bob", "gone"),
    ),
    "event of the end": (
        b'<message type="x-event"><gameId id="g"/><event number="6" afterSec="3" what="over"/>'
        b'<gameOver><player nick="ann" result="winner"/></gameOver><gameState/></message>',
        x.GameEvent(
            "g", 6, 3, x.EventKind.OVER, game_over=(PlayerResult("ann", Result.WINNER),), state=b"<gameState/>"
        ),
    ),
    "event of a sketch": (
        b'<message type="x-event"><gameId id="g"/><event number="3" afterSec="1" what="sketch"/>'
        b"<sketch><grid/></sketch></message>",
        x.GameEvent("g", 3, 1, x.EventKind.SKETCH, sketch=b"<sketch><grid/></sketch>"),
    ),
    "event of a remark": (
        b'<message type="x-event"><gameId id="g"/><event number="4" afterSec="1" what="remark" nick="ann"'
        b' text="{&quot;value&quot;:1}"/></message>',
        x.GameEvent("g", 4, 1, x.EventKind.REMARK, "ann", '{"value":1}'),
    ),
    "remark": (
        b'<message type="x-remark" ref="7"><gameId id="g"/><worth value="-0.25"/><plan>wait &amp; see</plan>'
        b'<line>9,10 9,11</line><mark at="9,10"/><mark at="9,10" to="9,7" text="1"/></message>',
        x.Remark("g", -0.25, "wait & see", "9,10 9,11", (x.BoardMark("9,10"), x.BoardMark("9,10", "9,7", "1")), "7"),
    ),
    "remark without a value": (
        b'<message type="x-remark"><gameId id="g"/><plan>wait</plan></message>',
        x.Remark("g", plan="wait"),
    ),
    "sketch": (
        b'<message type="x-sketch"><gameId id="g"/><sketch><grid columns="3" rows="3"/></sketch></message>',
        x.Sketch("g", b'<sketch><grid columns="3" rows="3"/></sketch>'),
    ),
    "sketch for one player": (
        b'<message type="x-sketch"><gameId id="g"/><viewer nick="ann"/><sketch/></message>',
        x.Sketch("g", b"<sketch/>", "ann"),
    ),
    "views": (
        b'<message type="x-views"><gameId id="g"/><nextPlayer nick="ann"/><nextPlayer nick="bob"/>'
        b'<view nick="ann"><gameState>7</gameState></view><view><gameState/></view></message>',
        x.Views("g", ("ann", "bob"), (), (x.View("ann", b"<gameState>7</gameState>"), x.View("", b"<gameState/>"))),
    ),
    "views of the end": (
        b'<message type="x-views"><gameId id="g"/><gameOver><player nick="ann" result="winner"/>'
        b'<player nick="bob" result="loser"/></gameOver></message>',
        x.Views("g", (), (PlayerResult("ann", Result.WINNER), PlayerResult("bob", Result.LOSER)), ()),
    ),
    "moved": (
        b'<message type="x-moved"><gameId id="g"/><player nick="ann"/><move><tic x="3"/></move></message>',
        x.Moved("g", "ann", b'<move><tic x="3"/></move>'),
    ),
    "offers": (
        b'<message type="x-offers"><option name="size" value="9" least="5" most="19"/></message>',
        x.Offers((x.OfferedOption("size", "9", least=5, most=19),)),
    ),
    "offers with a set-up": (
        b'<message type="x-offers"><setup>players = 2</setup></message>',
        x.Offers((), "players = 2"),
    ),
    "offers that are worth waiting for": (
        b'<message type="x-offers"><gather wanted="4" forSec="20"/></message>',
        x.Offers((), players_wanted=4, gather_s=20),
    ),
    "offers of one who plays no seats": (
        b'<message type="x-offers"><seats own="no"/></message>',
        x.Offers((), plays_seats=False),
    ),
    "no offers": (b'<message type="x-offers"/>', x.Offers(())),
    "no labels": (b'<message type="x-labels"><gameId id="g"/></message>', x.Labels("g", ())),
    "labels": (
        b'<message type="x-labels"><gameId id="g"/><seat nick="ann" label="RED" kind="human"/>'
        b'<seat nick="hal" kind="program"/></message>',
        x.Labels("g", (x.Label("ann", "RED", x.SeatKind.HUMAN), x.Label("hal", "", x.SeatKind.PROGRAM))),
    ),
    "stop": (b'<message type="x-stop"><gameId id="g"/><end reason="CANCELLED"/></message>', x.Stop("g", "CANCELLED")),
    "restore": (
        b'<message type="x-restore"><gameId id="g"/><player nick="ann"/><player nick="bob"/>'
        b'<option name="mode" value="LONG"/><seats total="3"/><seed value="s"/><setup>players = 3</setup>'
        b'<moved nick="ann"><move>a</move></moved>'
        b'<left nick="bob" cause="timeout"/><rejoined nick="bob"/><moved nick="ann"><move/></moved></message>',
        x.Restore(
            "g",
            ("ann", "bob"),
            (Choice("mode", "LONG"),),
            3,
            "s",
            (
                x.PastMove("ann", b"<move>a</move>"),
                x.PastLeft("bob", "timeout"),
                x.PastRejoined("bob"),
                x.PastMove("ann", b"<move/>"),
            ),
            "players = 3",
        ),
    ),
    "restore of a game without a move": (
        b'<message type="x-restore"><gameId id="g"/><player nick="ann"/></message>',
        x.Restore("g", ("ann",), (), 0, "", ()),
    ),
}

# Messages in a form that the server would not write.
LENIENT_EXTENSIONS: Final[dict[str, tuple[bytes, Extension]]] = {
    "unknown attributes": (
        b'<message type="x-hello" xmlns="u" xmlns:p="v" to="you"><ext name="chat" p:a="1"/><program/></message>',
        x.Hello(("chat",)),
    ),
    "unknown elements": (
        b'<message type="x-join"><x><table id="no"/></x><table id="t"><table id="no"/></table>'
        b'<p:table xmlns:p="u"/></message>',
        x.Join("t"),
    ),
    "text everywhere": (
        b'<message type="x-join">a<table id="t">b<![CDATA[c]]></table>d</message>',
        x.Join("t"),
    ),
    "text in pieces": (
        b'<message type="x-say"><text> a<b>no</b>b<!-- no --><![CDATA[<c>]]><?d?> </text></message>',
        x.Say((), "", " ab<c> "),
    ),
    "other order": (
        b"<message ref='1' type='x-event'><gameState/><event text='t' what='move' afterSec='01.50' number='007'/>"
        b"<gameId id='g'/></message>",
        x.GameEvent("g", 7, 1.5, x.EventKind.MOVE, text="t", state=b"<gameState/>"),
    ),
    "what may be missing, but is empty": (
        b'<message type="x-failed" ref=""><gameId id=""/><reason code="USER_LIMIT"></reason></message>',
        x.Failed(x.RefusalReason.USER_LIMIT, ""),
    ),
    "payload in an unknown element": (
        b'<message type="x-moved"><old><move>no</move></old><gameId id="g"/><player nick="a"/><move>a<move/></move >'
        b"</message>",
        x.Moved("g", "a", b"<move>a<move/></move >"),
    ),
    "payload that ends like its parent": (
        b'<message type="x-restore"><gameId id="g"/><moved nick="a"><move/></moved ><moved nick="b"><move></move\n>'
        b"</moved></message>",
        x.Restore("g", (), (), 0, "", (x.PastMove("a", b"<move/>"), x.PastMove("b", b"<move></move\n>"))),
    ),
    "payload in a strange dress": (
        b"<message type='x-views'><gameId id='g'/><nextPlayer nick='a'/><view id='1'>now"
        + _STRANGE_STATE
        + b"then</view></message>",
        x.Views("g", ("a",), (), (x.View("", _STRANGE_STATE),)),
    ),
}

# Well-formed, but no message; the beginning of the text, which names message, element, attribute and value.
WRONG_EXTENSIONS: Final[dict[str, tuple[bytes, str]]] = {
    "unknown type": (b'<message type="x-nonsense" ref="1"/>', "message: unknown type 'x-nonsense'"),
    "no element": (b'<message type="x-join"/>', "x-join: <table> is missing in <message>"),
    "no attribute": (b'<message type="x-join"><table/></message>', "x-join: the attribute id of <table> is missing"),
    "no attribute of what may be missing": (
        b'<message type="x-say"><table/><text/></message>',
        "x-say: the attribute id of <table> is missing",
    ),
    "no attribute of one of many": (
        b'<message type="x-hello"><ext name="chat"/><ext/></message>',
        "x-hello: the attribute name of <ext> is missing",
    ),
    "twice": (b'<message type="x-join"><table id="t"/><x/><table id="t"/></message>', "x-join: a second <table>"),
    "text twice": (b'<message type="x-say"><text>a</text><text>b</text></message>', "x-say: a second <text>"),
    "no number": (
        b'<message type="x-advertise"><table name="a" seats="four"/></message>',
        "x-advertise: seats of <table> is 'four', not a whole number from 0",
    ),
    "negative number": (
        b'<message type="x-advertise"><table name="a" seats="2" computers="-1"/></message>',
        "x-advertise: computers of <table> is '-1', not a whole number from 0",
    ),
    "fraction of an integer": (
        b'<message type="x-offers"><option name="a" value="1" least="0.5"/></message>',
        "x-offers: least of <option> is '0.5', not a whole number",
    ),
    "negative seconds": (
        b'<message type="x-watch"><watch delaySec="-1"/></message>',
        "x-watch: delaySec of <watch> is '-1', not a number of at least 0, such as 30 or 0.5",
    ),
    "seconds with an exponent": (
        b'<message type="x-watch"><watch delaySec="1e3"/></message>',
        "x-watch: delaySec of <watch> is '1e3', not a number",
    ),
    "seconds that are no number": (
        b'<message type="x-clock"><gameId id="g"/><player nick="a" leftSec="nan"/></message>',
        "x-clock: leftSec of <player> is 'nan', not a number such as 30 or -0.5",
    ),
    "neither yes nor no": (
        b'<message type="x-session"><session token="s" nick="a" resumed="true" graceSec="1"/></message>',
        'x-session: resumed of <session> is \'true\', not "yes" or "no"',
    ),
    "none of the words": (
        b'<message type="x-advertise"><table name="a" seats="2" visibility="public"/></message>',
        'x-advertise: visibility of <table> is \'public\', not one of "PUBLIC", "PRIVATE"',
    ),
    "no reason": (
        b'<message type="x-failed"><reason code="">why</reason></message>',
        "x-failed: code of <reason> is '', not one of",
    ),
    "no payload": (
        b'<message type="x-moved"><gameId id="g"/><player nick="a"/></message>',
        "x-moved: <move> is missing in <message>",
    ),
    "two payloads": (
        b'<message type="x-moved"><gameId id="g"/><player nick="a"/><move/><move/></message>',
        "x-moved: a second <move>",
    ),
    "no payload in a view": (
        b'<message type="x-views"><gameId id="g"/><nextPlayer nick="a"/><view><move/></view></message>',
        "x-views: <gameState> is missing in <view>",
    ),
    "payload outside a view": (
        b'<message type="x-views"><gameId id="g"/><nextPlayer nick="a"/><gameState/><view nick="a"/></message>',
        "x-views: <gameState> is missing in <view>",
    ),
    "two payloads in a past move": (
        b'<message type="x-restore"><gameId id="g"/><moved nick="a"><move/><move/></moved></message>',
        "x-restore: a second <move> in <moved>",
    ),
    "neither turn nor end": (
        b'<message type="x-views" ref="7"><gameId id="g"/></message>',
        "x-views: <nextPlayer> and <gameOver> are both missing",
    ),
    "turn and end": (
        b'<message type="x-views"><gameId id="g"/><nextPlayer nick="a"/>'
        b'<gameOver><player nick="a" result="loser"/></gameOver></message>',
        "x-views: <nextPlayer> and <gameOver> are both present",
    ),
    "end without players": (
        b'<message type="x-views"><gameId id="g"/><nextPlayer nick="a"/><gameOver/></message>',
        "x-views: <player> is missing in <gameOver>",
    ),
    "result that is none": (
        b'<message type="x-event"><gameId id="g"/><event number="1" afterSec="0" what="over"/>'
        b'<gameOver><player nick="a" result="draw"/></gameOver></message>',
        'x-event: result of <player> is \'draw\', not one of "winner", "loser"',
    ),
    "long value": (
        b'<message type="x-watch"><watch from="' + b"x" * 5000 + b'"/></message>',
        "x-watch: from of <watch> is 'xxx",
    ),
}
