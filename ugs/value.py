"""Values: the data that crosses from one room of the house to another compares by content and is never changed."""

import dataclasses
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
    body = {name: part for name, part in vars(cls).items() if name not in ("__dict__", "__weakref__")}
    for name, part in body.items():
        if isinstance(part, dataclasses.Field):
            if not (part.repr and part.compare and part.init and callable(part.default_factory)):
                return dataclasses.dataclass(slots=True, unsafe_hash=True)(cls)
            body[name] = msgspec.field(default_factory=part.default_factory)
    bases = tuple(base for base in cls.__bases__ if base is not object)
    return cast("type[T]", _STRUCT(cls.__name__, (_Value, *bases), body, frozen=True))


class Light(msgspec.Struct, frozen=True, gc=False):
    """The base of the few values that are made for every message which is relayed, six of them each time.

    The collector of cycles does not look at them, which is why they take less time than other values: so none may lead
    back to itself.
    """
