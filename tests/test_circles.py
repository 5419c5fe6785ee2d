"""No two of our modules import each other, neither directly nor through others, nor for type checkers only."""

import ast
from collections.abc import Mapping

from tests.sources import SOURCES, imported, tree_of


def circle(imports: Mapping[str, set[str]]) -> list[str]:
    """Modules of which each imports the next and the last imports the first; empty when there are none."""
    left = dict(imports)
    while done := [name for name, targets in left.items() if not targets & left.keys()]:
        for name in done:
            del left[name]
    way: list[str] = []
    name = min(left, default="")
    while name and name not in way:  # what is left imports something that is left
        way.append(name)
        name = min(left[name] & left.keys())
    return way[way.index(name) :] if way else []


def test_ours_have_none() -> None:
    imports = {name: set(imported(tree_of(name))) - {name} for name in SOURCES}
    assert circle(imports) == []


def test_a_circle_is_found_wherever_it_is() -> None:
    assert circle({"a": {"b"}, "b": {"c"}, "c": {"d"}, "d": {"b"}, "e": set()}) == ["b", "c", "d"]
    assert circle({"a": {"b"}, "b": {"c"}, "c": set()}) == []


def test_imports_for_type_checkers_and_inside_functions_count() -> None:
    hidden = "if TYPE_CHECKING:\n    from ugs.wire import codec\n"
    late = "def f():\n    from ugs.value import value\n    import trio\n"
    tried = "try:\n    import a\nexcept OSError:\n    import b\nelse:\n    import c\nfinally:\n    import d\n"
    matched = "match x:\n    case 1:\n        import e\n"
    found = list(imported(ast.parse(hidden + late + tried + matched)))
    assert found == ["ugs.wire.codec", "ugs.value", "trio", *"acbde"]
