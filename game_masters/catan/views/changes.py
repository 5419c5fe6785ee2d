"""What has changed of a table since the state before: written as ``<changes>``, and put into what is known.

Attributes of the table and of seats stand there if they have another value, a board, a seat or a village if anything in
it has. ``offers="2"`` means that the offers have changed: two follow. What the reader may do is always there.
"""

import re
from typing import Final
from xml.etree.ElementTree import Element

from game_masters.catan.message.forms import Malformed
from game_masters.catan.views.view import View
from game_masters.catan.views.writing import attributes_of, board_of, may_of, offer_of, seat_attributes, village_of

# Nicks with a double quote are written between single ones.
_ATTRIBUTE: Final = re.compile(r' (\w+)=("[^"]*"|\'[^\']*\')')


def changes_of(view: View, base: View) -> str:
    """Return what has changed from one view to the next of the same reader."""
    table, known = view.table, base.table
    attributes = _changed(attributes_of(table), attributes_of(known))
    # Mostly it is the same object, and the long comparison is saved.
    inside = "" if table.board is known.board or table.board == known.board else board_of(table.board)
    for number, (seat, was) in enumerate(zip(table.seats, known.seats, strict=True)):
        if seat != was:
            inside += f'<seat pn="{number}"{_changed(seat_attributes(number, seat), seat_attributes(number, was))}/>'
    before = {one.node: one for one in known.villages}
    inside += "".join([village_of(one) for one in table.villages if one != before.get(one.node)])
    if table.offers != known.offers:
        attributes += f' offers="{len(table.offers)}"'
        inside += "".join(map(offer_of, table.offers))
    inside += "".join(map(may_of, view.may))
    return f"<changes{attributes}>{inside}</changes>"


def _changed(now: str, before: str) -> str:
    """The attributes that have another value, or none before."""
    known = dict(_ATTRIBUTE.findall(before))
    return "".join([f" {name}={value}" for name, value in _ATTRIBUTE.findall(now) if known.get(name) != value])


def merge(known: Element, news: Element) -> None:
    """Put the changes in a state into the state before. Raises Malformed for changes of what is not there."""
    table, changes = known.find("table"), news.find("changes")
    events = news.find("events")
    if table is None or changes is None or events is None:
        raise Malformed("there are no changes, or no events")
    known.attrib.clear()
    known.attrib.update(news.attrib)
    _replace(known, "events", [events])
    seats = {seat.get("pn"): seat for seat in table.iterfind("seat")}
    villages = {one.get("coord"): one for one in table.iterfind("village")}
    for tag, kept, key in (("seat", seats, "pn"), ("village", villages, "coord")):
        for one in changes.iterfind(tag):
            if one.get(key) not in kept:
                raise Malformed(f"something has changed about a {tag} {str(one.get(key))[:20]} that is not known")
            kept[one.get(key)].attrib.update(one.attrib)
    board = changes.findall("board")
    if board:
        _replace(table, "board", board)
    if "offers" in changes.attrib:
        _replace(table, "offer", changes.findall("offer"))
    _replace(table, "may", changes.findall("may"))
    table.attrib.update({name: value for name, value in changes.attrib.items() if name != "offers"})


def _replace(parent: Element, tag: str, children: list[Element]) -> None:
    for child in parent.findall(tag):
        parent.remove(child)
    parent.extend(children)
