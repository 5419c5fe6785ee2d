"""What a running server is doing, as it reports itself, and as text for people."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from ugs.admin import NoAnswer, ask
from ugs.durations import duration_text
from ugs.places import Place
from ugs.printable import safe

ServerFacts: TypeAlias = Mapping[str, Any]


def ask_server(data_dir: Place) -> dict[str, Any]:
    """What the server on this data directory reports of itself. Raises :class:`ugs.admin.NoServer` when none runs
    there, and :class:`ugs.admin.NoAnswer` when it does not answer or does not know the question."""
    facts = ask(data_dir, {"ask": "server"})
    if not facts["ok"]:
        raise NoAnswer(f"the server on {data_dir} does not answer: {facts.get('error', 'no reason given')}")
    return facts


def as_text(facts: ServerFacts) -> str:
    """The same as lines; the last one ends without a newline."""
    return "\n".join(safe(line) for line in _lines(facts, {figure["name"]: figure for figure in facts["figures"]}))


def _lines(facts: ServerFacts, figures: Mapping[str, ServerFacts]) -> Iterator[str]:
    since = f"{facts['since'][:10]} {facts['since'][11:19]} UTC ({duration_text(facts['up_s'])})"
    yield f"server {facts['version']}, process {facts['pid']}, since {since}"
    if facts["draining"]:
        yield "  is stopping, and begins no game any more"
    if facts["journal_lost"]:
        yield f"  begins no game while nothing can be written down: {facts['journal_lost']}"
    if facts["look_age_s"] is None:
        yield "  has not looked at its peers yet"
    else:
        yield f"  looked at its peers {facts['look_age_s']:.1f} s ago"
    yield f"  {_by_label('connections', figures)} from {_count(_number(figures, 'addresses'), 'address', 'addresses')}"
    yield f"  {_by_label('players', figures)}"
    rows = _value(figures, "held_things").get("rows", 0)
    counted = f"games {facts['games']}, tables {facts['tables']}, game types {facts['game_types']}"
    yield f"  {counted}, rows of standings {rows}"
    for node in facts.get("nodes", ()):
        players = f"players {node['players']} ({node['waiting']} waiting)"
        yield f"  node {node['node']}: games {node['games']}, {players}, game masters {node['masters']}"
    for line in facts["championships"]:
        yield f"  championship {line}"
    if facts["more_championships"]:
        yield f"  and {facts['more_championships']} more championships"
    yield from _memory(facts, figures)
    yield from _addresses(facts["addresses"])
    yield from _loop(figures)


def _memory(facts: ServerFacts, figures: Mapping[str, ServerFacts]) -> Iterator[str]:
    places = _value(figures, "held_bytes")
    yield f"memory held: {_size(sum(places.values()))} of {_size(figures['held_bytes']['limit'])}"
    number = _value(figures, "held_things")
    for place, size in places.items():
        if size:
            yield f"  {place}: {_size(size)} ({number[place]})"
    yield f"  not taken by the network: {_of(figures['unsent_bytes'])}"
    resident, peak = _number(figures, "resident_bytes"), _number(figures, "resident_peak_bytes")
    yield f"  the whole process: {_size(resident)}, at most so far {_size(peak)}"
    shed = _value(figures, "shed_total")
    if shed:
        yield f"  had to give memory back: {', '.join(f'{number} by {limit}' for limit, number in shed.items())}"
    if facts["heaviest"]:
        yield "heaviest"
    for one in facts["heaviest"]:
        named = [str(one[key]) for key in ("name", "game", "game_type", "master", "address") if one.get(key)]
        yield f"  {_size(one['held_bytes'])}: {', '.join([one['kind'], *named])}"


def _addresses(addresses: Sequence[ServerFacts]) -> Iterator[str]:
    if addresses:
        yield "addresses"
    for one in addresses:
        yield (
            f"  {one['address']}: {_size(one['held_bytes'])} of {_size(one['most_held_bytes'])}, "
            f"{one['connections']} of {one['most_connections']} connections"
        )


def _loop(figures: Mapping[str, ServerFacts]) -> Iterator[str]:
    yield "loop"
    holds, longest = _number(figures, "holds_total"), _number(figures, "longest_hold_s")
    held = f", the longest for {longest * 1000:.1f} ms" if holds else ""
    yield f"  held up by {_count(holds, 'document', 'documents')}{held}; {_number(figures, 'timers')} timers"
    yield f"  on the way to the disk: {_of(figures['journal_pending_bytes'])}"
    yield f"  rate limits passed: {_number(figures, 'rate_overruns_total')} times"
    files = figures["open_files"]
    yield f"  open files: {files['value']} of {files['limit']}"


def _value(figures: Mapping[str, ServerFacts], name: str) -> Any:
    return figures[name]["value"]


def _number(figures: Mapping[str, ServerFacts], name: str) -> Any:
    return _value(figures, name)


def _by_label(name: str, figures: Mapping[str, ServerFacts]) -> str:
    """A number with its parts and, where there is one, its limit."""
    parts, limit = _value(figures, name), figures[name]["limit"]
    most = f" of {limit}" if limit is not None else ""
    listed = ", ".join(f"{part} {number}" for part, number in parts.items())
    return f"{name} {sum(parts.values())}{most}{f' ({listed})' if listed else ''}"


def _of(figure: ServerFacts) -> str:
    return f"{_size(figure['value'])} of {_size(figure['limit'])}"


def _size(size: float) -> str:
    """Bytes for people."""
    for unit in ("B", "KiB", "MiB"):
        if size < 1024:
            return f"{size:.0f} {unit}" if unit == "B" else f"{size:.1f} {unit}"
        size /= 1024
    return f"{size:.1f} GiB"


def _count(number: int, one: str, several: str) -> str:
    return f"1 {one}" if number == 1 else f"{number} {several}"
