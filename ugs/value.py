"""Values: the data that crosses from one room of the house to another compares by content and is never changed.
States are what changes."""

import dataclasses
from collections.abc import Callable
from typing import Any, Final, TypeVar, cast, dataclass_transform

import msgspec

T = TypeVar("T")
NOTES: Final = "__annotations__"


class _Fields:
    """The fields of a value as a dataclass has them, made on first use, since few are used."""

    def __init__(self) -> None:
        self._made: dict[type, Any] = {}

    def __get__(self, one: object, cls: type[msgspec.Struct]) -> Any:
        if cls not in self._made:
            known = {name: kind for base in reversed(cls.__mro__) for name, kind in vars(base).get(NOTES, {}).items()}
            names, defaults = cls.__struct_fields__, cls.__struct_defaults__
            body: dict[str, Any] = {NOTES: {name: known[name] for name in names}}
            for name, default in zip(names[len(names) - len(defaults) :], defaults, strict=True):
                factory = getattr(default, "factory", None)
                body[name] = dataclasses.field(default_factory=factory) if factory else default
            made: Any = dataclasses.dataclass(init=False, repr=False, eq=False)(type(cls.__name__, (), body))
            self._made[cls] = made.__dataclass_fields__
        return self._made[cls]


class _Value(msgspec.Struct, frozen=True):
    """The base of all values."""

    __dataclass_fields__ = _Fields()


class _State(msgspec.Struct):
    """The base of all states."""

    __dataclass_fields__ = _Fields()


_STRUCT: Final[Any] = type(_Value)


@dataclass_transform(frozen_default=True, field_specifiers=(dataclasses.field,))
def value(cls: type[T]) -> type[T]:
    """Make a value of a class that is written like a dataclass: frozen, compared by content, hashed by it.

    It is a struct of msgspec, whose classes are made in a twentieth of the time that a frozen dataclass takes, and
    there are hundreds of them at each start; an instance takes a third. ``dataclasses.fields``, ``replace`` and
    ``asdict`` take it for a dataclass. A class whose fields are more than a default, such as secrets that are not to be
    printed, becomes a dataclass, frozen for the type checker only. One that follows another value has no ``field``:
    raises TypeError.
    """
    if issubclass(cls, _Value):
        if any(isinstance(part, dataclasses.Field) for part in cls.__struct_defaults__):
            raise TypeError(f"{cls.__name__}: a value that follows another one has no field()")
        return cls
    body = _body(cls)
    if body is None:
        return dataclasses.dataclass(slots=True, unsafe_hash=True)(cls)
    return cast("type[T]", _STRUCT(cls.__name__, (_Value, *_bases(cls)), body, frozen=True))


@dataclass_transform(field_specifiers=(dataclasses.field,))
def state(*, eq: bool) -> Callable[[type[T]], type[T]]:
    """Make a state of a class that is written like a dataclass with slots: its attributes may change, it is compared by
    content if ``eq``, else by identity.

    It is a struct of msgspec for the same reason as a value. Changing an attribute takes twice as long as with a
    dataclass: what changes with every message that is relayed stays one. Raises TypeError for a field that is more than
    a default.
    """

    def made(cls: type[T]) -> type[T]:
        body = _body(cls)
        if body is None:
            raise TypeError(f"{cls.__name__}: a field of a state is at most a default")
        return cast("type[T]", _STRUCT(cls.__name__, (_State, *_bases(cls)), body, eq=eq))

    return made


def _body(cls: type) -> dict[str, Any] | None:
    """What the class of a struct is made of; None where a field is more than a default."""
    body = {name: part for name, part in vars(cls).items() if name not in ("__dict__", "__weakref__")}
    for name, part in body.items():
        if isinstance(part, dataclasses.Field):
            if not (part.repr and part.compare and part.init and callable(part.default_factory)):
                return None
            body[name] = msgspec.field(default_factory=part.default_factory)
    return body


def _bases(cls: type) -> tuple[type, ...]:
    return tuple(base for base in cls.__bases__ if base is not object)


class Light(msgspec.Struct, frozen=True, gc=False):
    """The base of the few values that are made for every message which is relayed, six of them each time.

    The collector of cycles does not look at them, which is why they take less time than other values: so none may lead
    back to itself.
    """
