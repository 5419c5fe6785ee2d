"""Proves that a document is well-formed from what it has in common with earlier ones.

The states of a game repeat themselves: the same cells and cards, a few of them moved. Parsing all of that again is half
of what a large document costs.

Where there are no comments, CDATA sections, processing instructions, document types and prefixes, a document is a row
of pieces: each is a ``<``, the rest of a tag, and the text behind it. None of them can hold another ``<``, so each is
read in the same way everywhere, and a piece of one well-formed document is well-formed in every other. That is a fact
about its bytes: it does not matter who sent them. What remains to be checked is how the elements are nested, and that
repeats itself too. New pieces are parsed, each in an element of its own. A stretch of pieces that occurred in an
earlier document need not be checked piece by piece. When a peer sends a document of the same size as its last one in
this game, most stretches are in the same place and are only compared with the earlier ones. The envelope names a game
and a player, so it is rarely the same: it is proved by its plain letters.
"""

import re
from collections import OrderedDict
from collections.abc import Collection, Sequence
from itertools import compress, count
from operator import ne
from struct import Struct
from typing import Final, TypeAlias, cast
from xml.parsers.expat import ExpatError, ParserCreate

from ugs.wire.document_limits import EQUALS_PER_MARKUP, Limits, surely_short_spaces

__all__ = ["MIN_BYTES", "Familiar"]

MIN_BYTES: Final = 1024
"""Smaller documents are parsed in less time."""
MAX_BYTES: Final = 131_072
"""Larger documents are parsed as a whole."""
MAX_IN_DOCUMENT: Final = 8192
"""Pieces of a document that is tried; longer ones are parsed."""
MAX_NEW: Final = 32
"""New pieces in each 32 KiB, or less, of a document that is tried: each costs as much as twenty that are known."""
STRETCH_BYTES: Final = 128
"""A stretch ends with the first piece that makes it this long. Longer stretches change more often, shorter ones are
more numerous."""
MAX_STRETCH_BYTES: Final = 512
"""The longest stretch that is remembered."""
MAX_STRETCHES: Final = 16_384
"""Stretches that are certainly remembered; beyond that, those that no peer has sent since are forgotten."""
MAX_LEARNT: Final = 1024
"""Pieces remembered from one document."""
MAX_PIECES: Final = 16_384
"""Pieces that are remembered; with one more all are forgotten."""
MAX_PIECE: Final = 96
"""Bytes of a piece that is remembered: longer ones are mostly text, which changes. Names are never longer."""
MAX_TREES: Final = 512
MAX_TREE: Final = 4096
"""Nestings of elements that are remembered, and the tags in one of them."""
MAX_PAYLOAD: Final = 256
MAX_PAYLOADS: Final = 4096
"""Bytes of a payload that is remembered as a whole, and how many are; with one more all are forgotten."""
MAX_SKIPPED: Final = 64
"""While no document can be proved, one in this many is tried."""
MAX_LATEST_BYTES: Final = 20 * 1024 * 1024
"""Bytes of the latest documents of all games; in memory they take up to two and a half times as much. The oldest is
forgotten first."""
LATEST_BYTES: Final = 1024
"""What each takes besides its content, which may be short."""
MAX_ENVELOPE_BYTES: Final = 512
"""The longest envelope of a document that is remembered as the latest: the id of the game is kept with it."""

Stretch: TypeAlias = tuple[str, int, int]
"""The tags of pieces in a row, the number of tags, and the number of ``=`` in them."""

_ROOT_ENDS: Final = b"</message>"
_ENVELOPE_PIECES: Final = 3
# Printable ASCII without markup cannot be wrong.
_ENVELOPE: Final = re.compile(
    rb"""<message\ type="VALUE">(?:<gameId\ id="(VALUE)"/>)?(?:<nextPlayer\ nick="VALUE"/>)?(?=<)""".replace(
        b"VALUE", rb"[ !#-%'-;=?-~]*"
    ),
    re.VERBOSE,
)
# One expression for all: a loop would cost as much as its body.
_STRETCHES: Final = re.compile(rb".{%d}[^<]*|.+" % STRETCH_BYTES, re.DOTALL)
_NO_TAG: Final = b"!?"

# A tag as one letter: none for <a/>, an even one for <a>, the next one for </a>.
_FIRST_LETTER: Final = 0x100


class LatestDocument:
    """The latest document of a peer in a game, and what is known of it."""

    __slots__ = ("_cutter", "known", "limits", "size", "stretches")

    def __init__(self, limits: Limits, stretches: Sequence[bytes], known: Sequence[Stretch], size: int) -> None:
        self.limits = limits
        """The limits that it keeps."""
        self.stretches = stretches
        self.known = known
        self.size = size
        """Bytes of all stretches together."""
        self._cutter: Struct | None = None

    def cut(self, raw: bytes, begin: int) -> tuple[bytes, ...]:
        """Cut a document of the same size into stretches of the same lengths."""
        if self._cutter is None:  # made late: not needed for states that never have the size of the one before
            self._cutter = Struct("".join([f"{len(stretch)}s" for stretch in self.stretches]))
        return self._cutter.unpack_from(raw, begin)

    def followed(self, stretches: Sequence[bytes], known: Sequence[Stretch]) -> "LatestDocument":
        """Return the document after this one, cut in the same way."""
        latest = LatestDocument(self.limits, stretches, known, self.size)
        latest._cutter = self._cutter
        return latest


class Familiar:
    """Remembers pieces of the documents that many peers send, at most about 75 MiB in all."""

    __slots__ = (
        "_failures",
        "_latest",
        "_latest_bytes",
        "_letters",
        "_max_attributes",
        "_names",
        "_older",
        "_skip",
        "_stretches",
        "_trees",
        "_tried",
        "payloads",
    )

    def __init__(self, max_attributes: int) -> None:
        self.payloads: dict[bytes, Limits] = {}
        """Short payloads that stood alone in an envelope of plain letters (:mod:`ugs.wire.fast_path`), and the limits
        that such a document keeps, except for its size."""
        self._max_attributes = max_attributes
        """The limit that all pieces keep. Documents with another limit are not tried."""
        self._letters: dict[bytes, str] = {}
        """The tag of each piece."""
        self._names: dict[bytes, int] = {}
        """The numbers of the names in them."""
        self._stretches: dict[bytes, Stretch] = {}
        self._older: dict[bytes, Stretch] = {}
        """Stretches that were sent lately, and those before."""
        self._trees: dict[str, int] = {}
        """Rows of tags that form whole elements, and their depth."""
        self._latest: OrderedDict[tuple[int, bytes | None], LatestDocument] = OrderedDict()
        """By sender and id of the game. The oldest comes first."""
        self._latest_bytes = 0
        """Their size, and LATEST_BYTES for each."""
        self._failures = 0
        """How many documents in a row could not be proved."""
        self._skip = 0
        """Documents that will not be tried, since the ones before were all different."""
        self._tried = False
        """Whether the latest document was tried."""

    def proves(self, raw: bytes, limits: Limits, peer: int = 0) -> bool:
        """Return True only if ``raw``, which ends with ``</message>``, is well-formed, holds no DOCTYPE and keeps
        ``limits`` (except the size). False proves nothing. Never raises.

        ``peer`` is a number of the sender. A wrong number does no harm: the proof takes longer."""
        self._tried = False
        if self._skip:
            self._skip -= 1
            return False
        if limits.max_attributes != self._max_attributes or len(raw) > MAX_BYTES or not surely_short_spaces(raw):
            return False
        self._tried = True
        if self._are_proved(raw, limits, peer):
            self._failures = 0
            return True
        self._failures += 1
        self._skip = min(2**self._failures, MAX_SKIPPED) - 2
        return False

    def learn(self, raw: bytes) -> None:
        """Remember pieces of a document that :meth:`proves` has just failed to prove, and that is well-formed and keeps
        the same limits. Does nothing if it was not tried."""
        envelope = _ENVELOPE.match(raw) if self._tried else None
        if envelope and b"<!" not in raw and b"<?" not in raw:
            pieces = set(raw[envelope.end() :].split(b"<")[1:-1])
            new = list(pieces.difference(self._letters))[:MAX_LEARNT]
            self._make_room(len(new))
            for piece in new:
                known = _tag_of(piece) if len(piece) <= MAX_PIECE else None
                if known is not None:
                    self._remember(piece, *known)

    def keep(self, payload: bytes, limits: Limits) -> None:
        """Add a payload to :attr:`payloads` if it is short."""
        if len(payload) <= MAX_PAYLOAD:
            if len(self.payloads) == MAX_PAYLOADS:
                self.payloads.clear()
            self.payloads[payload] = limits

    def _are_proved(self, raw: bytes, limits: Limits, peer: int) -> bool:
        envelope = _ENVELOPE.match(raw)
        if envelope is None or not raw.endswith(_ROOT_ENDS):
            return False
        begin, end, who = envelope.end(), len(raw) - len(_ROOT_ENDS), (peer, envelope[1])
        before = self._latest.get(who)
        if before is not None and before.size == end - begin and before.limits is limits:
            stretches, found = self._cut_like(before, raw, begin)
            if stretches:
                known = self._known(stretches, found, len(raw))
                if known is None or (known != before.known and not self._is_tree(known, len(raw), limits)):
                    return False
                self._keep(who, before.followed(stretches, known))
                return True
        stretches = _STRETCHES.findall(raw, begin, end)
        known = self._known(stretches, [*map(self._stretches.get, stretches)], len(raw))
        if known is None or not self._is_tree(known, len(raw), limits):
            return False
        if begin <= MAX_ENVELOPE_BYTES:
            self._keep(who, LatestDocument(limits, stretches, known, end - begin))
        return True

    def _cut_like(self, before: LatestDocument, raw: bytes, begin: int) -> tuple[Sequence[bytes], list[Stretch | None]]:
        """Return the stretches of a document of the same size as the one before, and what is known of each: most are in
        the same places. Returns no stretches if pieces do not begin where stretches do."""
        stretches = before.cut(raw, begin)
        found: list[Stretch | None] = [*before.known]
        for place in compress(count(), map(ne, stretches, before.stretches)):
            if not stretches[place].startswith(b"<"):
                return (), []
            found[place] = self._stretches.get(stretches[place])
        return stretches, found

    def _keep(self, who: tuple[int, bytes | None], latest: LatestDocument) -> None:
        """Remember the latest document of a game."""
        before = self._latest.pop(who, None)
        self._latest[who] = latest
        self._latest_bytes += latest.size - before.size if before is not None else latest.size + LATEST_BYTES
        while self._latest_bytes > MAX_LATEST_BYTES:
            self._latest_bytes -= self._latest.popitem(last=False)[1].size + LATEST_BYTES

    def _known(self, stretches: Sequence[bytes], found: list[Stretch | None], size: int) -> list[Stretch] | None:
        """Return what is known of all stretches of a document of this size; looks at those not in ``found``. None
        unless all are proved."""
        if not all(found):
            new = MAX_NEW * (1 + size // 32_768)
            for place, stretch in enumerate(stretches):
                if found[place] is None:
                    found[place], met = self._met(stretch, new)
                    if found[place] is None:
                        return None
                    new -= met
        return cast("list[Stretch]", found)  # none is None now

    def _is_tree(self, known: Sequence[Stretch], size: int, limits: Limits) -> bool:
        """Return whether the elements in these stretches are nested correctly and keep ``limits``."""
        letters, pieces, equals = zip(*known, strict=True) if known else ((), (), ())
        most, number = limits.max_markup, _ENVELOPE_PIECES + sum(pieces)
        if number > min(most, MAX_IN_DOCUMENT) or (size > most and sum(equals) > EQUALS_PER_MARKUP * most):
            return False
        tree = "".join(letters)
        depth = self._trees.get(tree)
        if depth is None:
            depth = self._depth_of(tree)
        return 0 < depth <= limits.max_depth

    def _met(self, stretch: bytes, most_new: int) -> tuple[Stretch | None, int]:
        """Look at a stretch that was not sent lately, and remember it. Return it, or None unless it is proved with at
        most ``most_new`` new pieces; and the number of new pieces."""
        met = self._stretches.get(stretch) or self._older.get(stretch)
        number = 0
        if met is None:
            pieces = stretch.split(b"<")
            del pieces[0]  # nothing
            try:
                letters = "".join(map(self._letters.__getitem__, pieces))
            except KeyError:
                unknown = set(pieces).difference(self._letters)
                number = len(unknown)
                new = self._looked_at(unknown) if number <= most_new else None
                if new is None:
                    return None, number
                letters = "".join([new[piece] if piece in new else self._letters[piece] for piece in pieces])
            met = letters, len(pieces), stretch.count(b"=")
        if len(stretch) <= MAX_STRETCH_BYTES:
            if len(self._stretches) == MAX_STRETCHES:
                self._stretches, self._older = {}, self._stretches
            self._stretches[stretch] = met
        return met, number

    def _looked_at(self, pieces: Collection[bytes]) -> dict[bytes, str] | None:
        """Return the letters of new pieces, or None unless all are well-formed and within the limits."""
        if self._make_room(len(pieces)):
            return None
        apart = []
        known = {}
        for piece in pieces:
            one = _tag_of(piece)
            if one is None or piece.count(b"=") > self._max_attributes:
                return None
            known[piece] = one
            apart.append(_alone(piece, *one))
        try:
            ParserCreate("UTF-8").Parse(b"<r>%b</r>" % b"".join(apart), True)
        except ExpatError:
            return None
        return {piece: self._remember(piece, *one) for piece, one in known.items()}

    def _remember(self, piece: bytes, name: bytes, sign: int) -> str:
        """Remember a well-formed piece, if it is short, and return its letter."""
        letter = ""
        if sign:
            letter = chr(_FIRST_LETTER + 2 * self._names.setdefault(name, len(self._names)) + (sign < 0))
        if len(piece) <= MAX_PIECE:
            self._letters[piece] = letter
        return letter

    def _make_room(self, number: int) -> bool:
        """Forget everything if there is no room for ``number`` more pieces. Return whether that happened."""
        full = max(len(self._letters), len(self._names)) + number > MAX_PIECES
        if full:
            self._letters, self._names, self._trees = {}, {}, {}
            self._stretches, self._older = {}, {}
            self._latest, self._latest_bytes = OrderedDict(), 0
        return full

    def _depth_of(self, tree: str) -> int:
        """Return the number of levels of these tags in the root, including the root; 0 if they are not whole
        elements."""
        depth = _depth_of(tree)
        if len(tree) <= MAX_TREE:
            if len(self._trees) == MAX_TREES:
                self._trees = {}
            self._trees[tree] = depth
        return depth


def _tag_of(piece: bytes) -> tuple[bytes, int] | None:
    """Return the name of the tag of a piece, if it is well-formed, and 1 for a start tag, -1 for an end tag, 0 for both
    in one. None if it may be no tag, or if only a parser can decide: a value may contain ``>``, and a prefix has to be
    declared."""
    tag, end, _ = piece.partition(b">")
    if not end or piece[0] in _NO_TAG or b":" in tag or b"'" in tag or tag.count(b'"') % 2:
        return None
    if tag.endswith(b"/"):
        return b"", 0
    sign = -1 if tag.startswith(b"/") else 1
    words = tag[1 if sign < 0 else 0 :].split(None, 1)
    if not words or len(words[0]) > MAX_PIECE:
        return None
    return words[0], sign


def _alone(piece: bytes, name: bytes, sign: int) -> bytes:
    """Return the piece as content that is well-formed if and only if the piece is."""
    if sign == 0:
        return b"<" + piece
    return b"<%b</%b>" % (piece, name) if sign > 0 else b"<%b><%b" % (name, piece)


def _depth_of(tree: str) -> int:
    open_tags: list[int] = []
    depth = 0
    for letter in map(ord, tree):
        if letter % 2 == 0:
            open_tags.append(letter + 1)
            depth = max(depth, len(open_tags))
        elif not open_tags or open_tags.pop() != letter:
            return 0
    return 0 if open_tags else depth + 2  # the root, and an element without content in the innermost
