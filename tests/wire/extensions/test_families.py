"""One module per family: all are found, none imports another, and each message goes to the peers of its family."""

import ast
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

from ugs.wire import extensions as x

FOLDER = Path(x.__file__).parent
BUILDING_BLOCKS = {"family", "form", "common_parts"}
MODULES = {name: import_module(f"{x.__name__}.{name}") for name in ("negotiation", *x.Family, "why")}
of_every_family = pytest.mark.parametrize("module", MODULES.values(), ids=list(MODULES))
FOR_BOTH = {x.Ping, x.Warn}
"""The session asks whether a player is there; the clock measures round trips and warns of the end of the time."""


def test_every_module_is_a_family_or_a_building_block() -> None:
    assert {path.stem for path in FOLDER.glob("*.py")} == {"__init__", *BUILDING_BLOCKS, *MODULES}


def test_every_form_is_collected_once() -> None:
    forms = [form for module in MODULES.values() for form in module.FORMS]
    assert forms == list(x.EXTENSIONS.values())
    assert [form.cls.TYPE for form in forms] == list(x.EXTENSIONS)


@of_every_family
def test_a_family_knows_no_other(module: ModuleType) -> None:
    tree = ast.parse(Path(str(module.__file__)).read_text(encoding="utf-8"))
    imported = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    ours = {name for name in imported if name is not None and name.startswith(x.__name__)}
    assert ours <= {f"{x.__name__}.{name}" for name in BUILDING_BLOCKS}


@pytest.mark.parametrize("family", x.Family)
def test_the_messages_of_a_family_go_to_the_peers_that_have_it(family: x.Family) -> None:
    asked = MODULES["why"].FORMS if family is x.Family.REASON else ()
    for form in (*MODULES[family].FORMS, *asked):
        if form.cls in FOR_BOTH:
            assert form.sent_to == {x.Family.SESSION, x.Family.CLOCK}
        else:
            assert form.sent_to in (frozenset(), {family})


def test_greeting_and_answers_go_to_every_peer_and_a_ping_to_those_that_may_have_to_answer() -> None:
    sent_to = {form.cls: form.sent_to for form in MODULES["negotiation"].FORMS}
    assert sent_to.pop(x.Ping) == {x.Family.SESSION, x.Family.CLOCK}
    assert sent_to == dict.fromkeys((x.Hello, x.Ok, x.Failed, x.Pong), frozenset(x.Family))


def test_the_families_of_a_message_are_those_that_its_form_names() -> None:
    assert dict(x.FAMILIES_OF) == {form.cls: form.sent_to for form in x.EXTENSIONS.values() if form.sent_to}
