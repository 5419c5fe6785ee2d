"""The two tables of ``life.py`` as diagrams (Mermaid state diagrams in Markdown).

``python -m ugs.broker.diagrams > docs/life.md`` writes the page; a test compares it with the tables.
"""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator

from ugs.broker import life

PAGE = """# The life of a connection and of a game

Drawn from the tables in [`ugs/broker/life.py`](../ugs/broker/life.py) by `make diagrams`. An arrow means: when this
happens here, the next state may be that one. Arrows that lead back to where they begin are left out where the same
happening always does.

## A connection

A message that is on no arrow of a state is answered with an `error` (or changes nothing) there.

```mermaid
{connection}
```

## A game

The phases are explained at the top of [`ugs/broker/state/phases.py`](../ugs/broker/state/phases.py).

```mermaid
{game}
```
"""


def diagrams() -> str:
    """Return the whole page."""
    connection = (
        (str(state), kind.TYPE, "gone" if follow is None else str(follow))
        for state, row in life.CONNECTION.items()
        for kind, cell in row.items()
        for follow in cell.follow
    )
    game = (
        (str(phase), str(what), str(follow))
        for phase, row in life.GAME.items()
        for what, cell in row.items()
        for follow in cell.follow
    )
    states, phases = list(map(str, life.CONNECTION)), list(map(str, life.GAME))
    return PAGE.format(connection=drawing(states, connection, "gone"), game=drawing(phases, game))


def drawing(states: list[str], arrows: Iterable[tuple[str, str, str]], end: str = "") -> str:
    """Return a Mermaid state diagram. ``arrows`` are (from, event, to); arrows between the same states are drawn as
    one, and events that never lead to another state are left out."""
    names = {state: f"s{number}" for number, state in enumerate(states)}
    if end:
        names[end] = "[*]"
    leads_to: defaultdict[tuple[str, str], set[Hashable]] = defaultdict(set)
    found = list(arrows)
    for source, what, target in found:
        leads_to[source, what].add(target)
    texts: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    for source, what, target in found:
        if leads_to[source, what] != {source}:
            texts[source, target].append(what)
    return "\n".join(_lines(states, names, texts))


def _lines(states: list[str], names: dict[str, str], texts: dict[tuple[str, str], list[str]]) -> Iterator[str]:
    yield "stateDiagram-v2"
    for state in states:
        yield f'    state "{state}" as {names[state]}'
    yield f"    [*] --> {names[states[0]]}"
    places = {state: place for place, state in enumerate(names)}
    for (source, target), whats in sorted(texts.items(), key=lambda item: [places[state] for state in item[0]]):
        yield f"    {names[source]} --> {names[target]}: {', '.join(whats)}"


if __name__ == "__main__":
    print(diagrams(), end="")
