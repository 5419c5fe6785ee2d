"""Whose bytes each regular expression of the packages reads."""

from enum import StrEnum
from typing import Final


class Whose(StrEnum):
    """Who may choose what an expression is asked of."""

    PEER = "players, masters, spectators, before and after their login"
    VISITOR = "visitors of the page"
    FILE = "files that others have written: records, payload logs of other servers"
    ORGANISER = "settings and commands of the organiser"
    OURS = "what this project has written itself"


_KIND: Final = "ugs.wire.parts"
_SHAPE: Final = "ugs.wire.shapes"

READS: Final[dict[str, Whose]] = {
    'ugs.bench.pages:\'(?:href|src)="(assets/[^"]+)"\'': Whose.OURS,
    "ugs.broker.extensions.lobby.choices:WHOLE_NUMBER": Whose.PEER,
    "ugs.broker.extensions.why:_CODE": Whose.PEER,
    "ugs.broker.play.answers:_COMPLAINT": Whose.PEER,
    "ugs.broker.play.reasons:_WORD": Whose.PEER,
    "ugs.commands.lazy:_CODE": Whose.OURS,
    "ugs.commands.lazy:'(?<!\\\\\\\\)<'": Whose.OURS,
    "ugs.config_text:BARE_KEY": Whose.ORGANISER,
    "ugs.daemon.connections.payload_log:SECRET": Whose.PEER,
    "ugs.daemon.connections.payload_log:BEHIND_NAME": Whose.PEER,
    "ugs.durations:_DURATION": Whose.ORGANISER,
    "ugs.match.match_settings:TIME": Whose.ORGANISER,
    "ugs.page.html:'\\\\n\\\\s*\\\\n'": Whose.ORGANISER,
    "ugs.page.worker.answers:'[^A-Za-z0-9_-]'": Whose.VISITOR,
    "ugs.page.worker.export:'[^a-z0-9]+'": Whose.ORGANISER,
    "ugs.page.worker.my_games:'[^A-Za-z0-9_-]'": Whose.VISITOR,
    "ugs.page.worker.packed_positions:_CUTS": Whose.PEER,
    "ugs.pictures.svg:_PREFIX": Whose.PEER,
    "ugs.record.escapes:_ESCAPE": Whose.FILE,
    "ugs.record.tags:_TAG": Whose.FILE,
    "ugs.record.tags:_VALUE": Whose.FILE,
    "ugs.record.tags:_NUMBERED": Whose.FILE,
    "ugs.record.times:_TIME": Whose.FILE,
    "ugs.record.times:_SECONDS": Whose.FILE,
    "ugs.record.ugsg:_WHOLE": Whose.FILE,
    "ugs.record.ugsg:_FLOAT": Whose.FILE,
    "ugs.record.ugsg:_EVENT": Whose.FILE,
    "ugs.record.ugsg:_CONTROL": Whose.FILE,
    "ugs.sketch.drawings:_NUMBERS": Whose.PEER,
    "ugs.sketch.drawings:_SIZES": Whose.PEER,
    "ugs.sketch.drawings:_WIDTHS": Whose.PEER,
    "ugs.sketch.drawings:_HUGE": Whose.PEER,
    "ugs.sketch.drawings:_SHARE": Whose.PEER,
    "ugs.sketch.drawings:_PAINT": Whose.PEER,
    "ugs.sketch.drawings:_PATH": Whose.PEER,
    "ugs.sketch.drawings:_POINTS": Whose.PEER,
    "ugs.sketch.drawings:_TRANSFORM": Whose.PEER,
    "ugs.sketch.drawings:_CELL": Whose.PEER,
    "ugs.sketch.drawings:_VIEW_BOX": Whose.PEER,
    "ugs.sketch.drawings:_ANCHOR": Whose.PEER,
    "ugs.sketch.drawings:_WEIGHT": Whose.PEER,
    "ugs.sketch.drawings:_CAP": Whose.PEER,
    "ugs.sketch.drawings:_JOIN": Whose.PEER,
    "ugs.sketch.elements:_TAG": Whose.PEER,
    "ugs.sketch.elements:_ATTRIBUTE": Whose.PEER,
    "ugs.sketch.elements:_REFERENCE": Whose.PEER,
    "ugs.sketch.decoding:_MOVE": Whose.PEER,
    "ugs.sketch.decoding:_PREFIX": Whose.PEER,
    "ugs.sketch.vocabulary:_NUMBER": Whose.PEER,
    "ugs.sketch.vocabulary:_WHOLE": Whose.PEER,
    "ugs.soak.churn_player:STONE": Whose.OURS,
    "ugs.soak.crowding:_NEXT": Whose.OURS,
    "ugs.soak.crowding:_FIRST": Whose.OURS,
    "ugs.soak.fresh_names:_SEATS": Whose.OURS,
    "ugs.soak.field_attack:_NICKS": Whose.OURS,
    "ugs.soak.picture_attacks:_LENGTH": Whose.OURS,
    "ugs.soak.target:_ERROR": Whose.OURS,
    "ugs.soak.target:_FAILED": Whose.OURS,
    "ugs.soak.target:_REFUSED": Whose.OURS,
    "ugs.state_files:_PLAIN": Whose.ORGANISER,
    "ugs.wire.codec:_USUAL": Whose.PEER,
    "ugs.wire.codec:_USUAL_RESULT": Whose.PEER,
    "ugs.wire.escaping:_NO_CHARACTER": Whose.PEER,
    "ugs.wire.escaping:_SPECIAL_IN_VALUE": Whose.PEER,
    "ugs.wire.fragment_cache:_ENVELOPE": Whose.PEER,
    "ugs.wire.fragment_cache:_STRETCHES": Whose.PEER,
    "ugs.wire.framing:_NOT_SPACE": Whose.PEER,
    "ugs.wire.framing:_USUAL_OPENING": Whose.PEER,
    "ugs.wire.limits:_NO_ELEMENTS": Whose.PEER,
    "ugs.wire.limits:LONG_NAMESPACE": Whose.PEER,
    "ugs.wire.parts:'yes|no'": Whose.PEER,
    "ugs.wire.parts:'-?[0-9]{1,18}'": Whose.PEER,
    "ugs.wire.parts:'[0-9]{1,12}(\\\\.[0-9]{1,12})?'": Whose.PEER,
    "ugs.wire.parts:'-?[0-9]{1,12}(\\\\.[0-9]{1,12})?'": Whose.PEER,
    "ugs.wire.parts:allowed": Whose.PEER,
    "ugs.wire.parts:f'(?s:.{{0,{most}}})'": Whose.PEER,
    "ugs.wire.scanner:_DECLARATION_START": Whose.PEER,
    "ugs.wire.scanner:_DECLARATION": Whose.PEER,
    "ugs.wire.scanner:_BEFORE_ROOT": Whose.PEER,
    "ugs.wire.scanner:_ANGLE": Whose.PEER,
    "ugs.wire.scanner:_NAME": Whose.PEER,
    "ugs.wire.scanner:_ATTRIBUTE": Whose.PEER,
    "ugs.wire.scanner:_BETWEEN_PARTS": Whose.PEER,
    "ugs.wire.scanner:b'[\\\\\"\\'<>]'": Whose.PEER,
    "ugs.wire.scanner:b'[\"<]'": Whose.PEER,
    'ugs.wire.scanner:b"[\'<]"': Whose.PEER,
    "ugs.wire.shapes:COUNT": Whose.PEER,
    "ugs.wire.shapes:f'(?s:.{{0,{most}}})'": Whose.PEER,
    "ugs.wire.shapes:'yes|no'": Whose.PEER,
    "ugs.wire.shapes:'[1-5]'": Whose.PEER,
    "ugs.wire.shapes:'winner|loser'": Whose.PEER,
    "ugs.wire.lexer:QUOTED": Whose.PEER,
    "ugs.wire.lexer:TOKEN": Whose.PEER,
    "ugs.wire.fast_path:USUAL": Whose.PEER,
    "game_masters.apologies.gateway.requests:_HANDLE": Whose.PEER,
    "game_masters.apologies.gateway.requests:_NOT_IN_XML": Whose.PEER,
    "game_masters.bang.parser.actions:_ID": Whose.PEER,
    "game_masters.catan.bridge.asking:_NUMBER": Whose.PEER,
    "game_masters.catan.message.board_messages:_LABEL": Whose.FILE,
    "game_masters.catan.views.changes:_ATTRIBUTE": Whose.PEER,
    "game_masters.catan.message.coding:_NAME": Whose.FILE,
    "game_masters.catan.message.coding:_GAME": Whose.FILE,
    "game_masters.catan.message.events:_PREFIX": Whose.FILE,
    "game_masters.catan.message.events:_XML_TO": Whose.FILE,
    "game_masters.catan.message.forms:_DECIMAL": Whose.FILE,
    "game_masters.catan.message.forms:_HEXADECIMAL": Whose.FILE,
    "game_masters.catan.message.forms:_ELEMENT": Whose.FILE,
    "game_masters.catan.logs.soclog:_TIME": Whose.FILE,
    "game_masters.kit.check_pictures:_REFERENCE": Whose.OURS,
    "game_masters.kit.leading:_NOT_IN_A_CODE": Whose.PEER,
    "game_masters.kit.payload:_INTEGER": Whose.PEER,
    "ugs.daemon.http.strict:_END_OF_HEAD": Whose.VISITOR,
    "ugs.daemon.http.strict:_FOLDED": Whose.VISITOR,
    "ugs.daemon.http.strict:_LENGTH": Whose.VISITOR,
    "ugs.printable:_FORMULA": Whose.PEER,
    "ugs.toml_files:_TOKEN": Whose.ORGANISER,
    "game_masters.catan.message.element:_NO_XML": Whose.PEER,
}
"""By module and name, or the expression where it has none. A new one needs a line: say who writes what it reads."""

HOW: Final[dict[str, str]] = {
    # An expression of the table of an element or an attribute has to match the whole value.
    **dict.fromkeys(
        [key for key in READS if key.startswith((f"{_KIND}:", f"{_SHAPE}:"))],
        "fullmatch",
    ),
    **dict.fromkeys([key for key in READS if key.startswith("ugs.wire.scanner:b")], "search"),
    # The table of attributes: the whole value.
    **dict.fromkeys([key for key in READS if key.startswith("ugs.sketch.drawings:")], "fullmatch"),
    # Read up to the first token without an end, and that is the last.
    "ugs.wire.lexer:TOKEN": "search",
    # Asked of what _TAG has matched: each value begins a blank behind the one before.
    "ugs.record.tags:_VALUE": "match",
}
"""How an expression is asked, where the sources do not tell it by its name, or tell too much."""

MADE: Final[dict[str, str]] = {
    "ugs.wire.parts:allowed": "yes|no|yes and no",
    "ugs.wire.parts:f'(?s:.{{0,{most}}})'": "(?s:.{0,65536})",
    "ugs.wire.shapes:f'(?s:.{{0,{most}}})'": "(?s:.{0,65536})",
}
"""One of those that a function makes."""
