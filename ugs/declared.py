"""Values that come from outside (settings, plans, files of rules), checked against a class that declares them.

A subclass of :class:`Declared` says for each field its type, default, range and what it is for. Making an instance
checks them all, and reports all mistakes at once, each with what is allowed. ``msgspec`` checks single values.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import copy
from datetime import datetime
from types import NoneType, UnionType
from typing import Annotated, Any, ClassVar, Final, Literal, Self, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec.structs import replace

from ugs.printable import meant, shown, shown_key

MAX_MISTAKES: Final = 20
"""At most this many mistakes of one source are reported, the first ones."""
MISSING: Final = msgspec.UNSET
"""In place of the default of a field that has none."""
BOUNDS: Final = ("ge", "gt", "le", "lt", "min_length", "max_length", "pattern")
UNIT: Final = {int: "a whole number", float: "a number", bool: "true or false", str: "a text", datetime: "a time"}


class Mistake(msgspec.Struct, frozen=True):
    """One value that cannot be used."""

    path: tuple[str | int, ...]
    """Where it stands, from the outermost table inwards; empty: the values do not go together."""
    value: object
    text: str
    """What is allowed, or what is wrong."""
    kind: Literal["wrong", "missing", "unknown", "apart"] = "wrong"
    """``apart``: each value by itself is right."""
    known: tuple[str, ...] = ()
    """The keys that the table of an unknown one has."""

    def line(self, source: str, more: Sequence[str] = ()) -> str:
        """One line for people, which begins with ``source``. ``more`` may stand at the top of it, too."""
        key = shown_key(".".join(map(str, self.path)))
        if self.kind == "missing":
            return f"{source}: {key} is missing"
        if self.kind == "apart":
            return f"{source}: {key}: {self.text}" if key else f"{source}: {self.text}"
        if self.kind == "unknown":
            known = [*self.known, *(more if len(self.path) == 1 else ())]
            return f"{source}: unknown key {key}{meant(str(self.path[-1]), known)}; allowed: {', '.join(known)}"
        return f"{source}: {key}{' = ' if key else ''}{shown(self.value)}: {self.text}"


class WrongValues(ValueError):
    """Values that are not what is declared."""

    def __init__(self, mistakes: Sequence[Mistake]) -> None:
        self.mistakes = tuple(mistakes[:MAX_MISTAKES])
        super().__init__("\n".join(one.line("values") for one in self.mistakes))

    def lines(self, source: str, table: tuple[str | int, ...] = (), more: Sequence[str] = ()) -> list[str]:
        """One line per mistake: source, key, value, and what is allowed there. ``table`` is where in the source the
        values stand, ``more`` the other keys that may stand at its top."""
        return [replace(one, path=(*table, *one.path)).line(source, more) for one in self.mistakes]


class Field(msgspec.Struct, frozen=True):
    """What is declared of one field."""

    default: Any = MISSING
    description: str = ""
    bounds: Mapping[str, Any] = {}
    """Those of :data:`BOUNDS` that hold."""
    allowed: str = ""
    """What is allowed, in words, where the bounds do not say it well."""
    check: Callable[[Any], Any] | None = None
    """Returns the value to use, or raises ValueError with what is wrong."""
    annotation: Any = None

    @property
    def required(self) -> bool:
        """Whether there is no default."""
        return self.default is MISSING

    @property
    def initial(self) -> Any:
        """The default as a value of the type; it is shown as it is written."""
        return float(self.default) if self.annotation is float and not self.required else self.default


def declared(
    default: Any = MISSING,
    *,
    description: str = "",
    allowed: str = "",
    check: Callable[[Any], Any] | None = None,
    **bounds: Any,
) -> Any:
    """The default of a field, with what it is for and what is allowed; see :class:`Field`."""
    assert set(bounds) <= set(BOUNDS)
    return Field(default, description, bounds, allowed, check)


class Declared:
    """Values by name. An instance does not change. Making one raises :class:`WrongValues`."""

    strict: ClassVar[bool] = True
    """Whether a number must be a number; if not, a text that shows one will do."""
    _known: ClassVar[dict[str, Field]]
    """What :meth:`fields` has found for this class."""
    given: frozenset[str]
    """The fields whose values were given; the others have their defaults."""

    def __init__(self, /, **values: Any) -> None:
        mistakes: list[Mistake] = []
        prepared = self._prepared(values)
        found = dict(_read_table(type(self), prepared, mistakes))
        if not mistakes:
            vars(self).update(found, given=frozenset(prepared))
            try:
                self._goes_together()
            except ValueError as error:
                mistakes.append(Mistake((), prepared, str(error), "apart"))
        if mistakes:
            raise WrongValues(mistakes)

    @classmethod
    def _prepared(cls, values: dict[str, Any]) -> dict[str, Any]:
        """The values as they are checked."""
        return values

    def _goes_together(self) -> None:
        """Raise ValueError with the reason where the values contradict each other."""

    @classmethod
    def fields(cls) -> Mapping[str, Field]:
        """What is declared, by name, in its order."""
        # Found on first use: types may name classes further down in their module, and few classes are ever read.
        if "_known" not in cls.__dict__:
            cls._known = _fields(cls)
        return cls._known

    @classmethod
    def read(cls, values: object) -> Self:
        """An instance from any value; only a table can make one. Raises :class:`WrongValues`."""
        if not isinstance(values, Mapping):
            raise WrongValues([Mistake((), values, "a table is expected")])
        return cls(**{str(key): each for key, each in values.items()})

    @classmethod
    def unchecked(cls, /, **values: Any) -> Self:
        """An instance of values that were checked before."""
        made = cls.__new__(cls)
        defaults = {name: field.initial for name, field in cls.fields().items()}
        vars(made).update(defaults, **values, given=frozenset(values))
        return made

    def but(self, **values: Any) -> Self:
        """A copy with other values, which are not checked."""
        made = copy(self)
        vars(made).update(values, given=self.given | values.keys())
        return made

    def plain(self) -> dict[str, Any]:
        """All values as objects, arrays and texts of JSON, which :meth:`read` reads back."""
        return {name: _plain(self.__dict__[name]) for name in self.fields()}

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__}.{name} cannot be changed")

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return all(self.__dict__[name] == other.__dict__[name] for name in self.fields())

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={self.__dict__[name]!r}' for name in self.fields())})"


def _fields(cls: type[Declared]) -> dict[str, Field]:
    found = {}
    for name, annotation in get_type_hints(cls, include_extras=True).items():
        if name in Declared.__annotations__:
            continue
        default = getattr(cls, name, MISSING)
        found[name] = _typed(default if isinstance(default, Field) else Field(default), annotation)
    return found


def _typed(field: Field, annotation: Any) -> Field:
    """A field with its type and what that declares; what the field itself declares goes before."""
    notes = [note for note in getattr(annotation, "__metadata__", ()) if isinstance(note, Field)]
    for note in notes:
        bounds = {**note.bounds, **field.bounds}
        if "gt" in bounds:
            bounds.pop("ge", None)
        field = replace(field, bounds=bounds, allowed=field.allowed or note.allowed, check=field.check or note.check)
    return replace(field, annotation=get_args(annotation)[0] if get_origin(annotation) is Annotated else annotation)


def _read_table(cls: type[Declared], values: Mapping[str, Any], mistakes: list[Mistake]) -> Iterator[tuple[str, Any]]:
    """Yield the fields with their values, and add what is wrong to the mistakes."""
    fields, reading = cls.fields(), _Reading(cls.strict, mistakes)
    for name, field in fields.items():
        if name in values:
            yield name, reading.value(field, values[name], (name,))
        elif field.required:
            mistakes.append(Mistake((name,), None, "", "missing"))
        else:
            yield name, field.initial
    known = tuple(sorted(fields))
    mistakes += (Mistake((name,), values[name], "", "unknown", known) for name in values if name not in fields)


class _Reading:
    """Reads one value; mistakes are added to the list."""

    def __init__(self, strict: bool, mistakes: list[Mistake]) -> None:
        self._strict = strict
        self._mistakes = mistakes

    def value(self, field: Field, found: Any, path: tuple[str | int, ...]) -> Any:
        """The value of a field; None where it is wrong."""
        before = len(self._mistakes)
        read = self._of_type(field, found, path)
        if field.check is None or len(self._mistakes) > before:
            return read
        try:
            return field.check(read)
        except ValueError as error:
            return self._wrong(path, found, str(error))

    def _of_type(self, field: Field, found: Any, path: tuple[str | int, ...]) -> Any:
        kind = field.annotation
        if get_origin(kind) in (Union, UnionType):
            if found is None:
                return None
            kind = next(one for one in get_args(kind) if one is not NoneType)
            return self._of_type(replace(field, annotation=kind), found, path)
        if isinstance(kind, type) and issubclass(kind, Declared):
            return self._table(kind, found, path)
        origin = get_origin(kind)
        if origin in (tuple, list):
            return self._list(field, found, path, origin)
        if origin in (dict, Mapping):
            return self._mapping(field, found, path)
        try:
            return msgspec.convert(found, Annotated[kind, msgspec.Meta(**field.bounds)], strict=self._strict)
        except (msgspec.ValidationError, OverflowError):
            return self._wrong(path, found, allowed(field))

    def _table(self, kind: type[Declared], found: Any, path: tuple[str | int, ...]) -> Any:
        if isinstance(found, kind):
            return found
        if not isinstance(found, Mapping):
            return self._wrong(path, found, "a table is expected")
        try:
            return kind.read(found)
        except WrongValues as error:
            self._mistakes += (replace(one, path=(*path, *one.path)) for one in error.mistakes)
            return None

    def _list(self, field: Field, found: Any, path: tuple[str | int, ...], kind: type) -> Any:
        if not isinstance(found, list | tuple) or not _right_length(field, found):
            return self._wrong(path, found, allowed(field))
        each = _typed(Field(), get_args(field.annotation)[0])
        return kind(self.value(each, one, (*path, place)) for place, one in enumerate(found))

    def _mapping(self, field: Field, found: Any, path: tuple[str | int, ...]) -> Any:
        if not isinstance(found, Mapping) or not _right_length(field, found):
            return self._wrong(path, found, allowed(field))
        key, each = (_typed(Field(), one) for one in get_args(field.annotation))
        return {
            self.value(key, name, (*path, str(name))): self.value(each, one, (*path, str(name)))
            for name, one in found.items()
        }

    def _wrong(self, path: tuple[str | int, ...], found: Any, text: str) -> None:
        self._mistakes.append(Mistake(path, found, text))


def _right_length(field: Field, found: Any) -> bool:
    return bool(field.bounds.get("min_length", 0) <= len(found) <= field.bounds.get("max_length", len(found)))


def allowed(field: Field) -> str:
    """What is allowed in a field, in words."""
    kind, bounds = field.annotation, field.bounds
    if field.allowed:
        return f"allowed: {field.allowed}"
    if get_origin(kind) is Literal:
        *first, last = map(repr, get_args(kind))
        return f"allowed: {', '.join(first)} or {last}" if first else f"allowed: {last}"
    counted = {tuple: "entries", list: "entries", dict: "keys", Mapping: "keys"}.get(get_origin(kind), "characters")
    what = {"entries": "a list", "keys": "a table"}.get(counted) or UNIT.get(kind, "another value")
    least, most = bounds.get("ge", bounds.get("min_length")), bounds.get("le", bounds.get("max_length"))
    of = counted if counted != "characters" or kind is str else ""
    parts = [f"above {bounds['gt']}"] if "gt" in bounds else []
    parts += [f"at least {_counted(least, of)}"] if least is not None else []
    parts += [f"at most {_counted(most, of)}"] if most is not None else []
    parts += [f"like {bounds['pattern']}"] if "pattern" in bounds else []
    return f"allowed: {what}{', ' if parts else ''}{', '.join(parts)}"


def _counted(number: Any, what: str) -> str:
    one = {"entries": "entry", "keys": "key", "characters": "character"}
    return f"{number} {one[what] if number == 1 else what}" if what else str(number)


def _plain(found: Any) -> Any:
    if isinstance(found, Declared):
        return found.plain()
    if isinstance(found, Mapping):
        return {key: _plain(each) for key, each in found.items()}
    if isinstance(found, list | tuple):
        return [_plain(each) for each in found]
    return found.isoformat() if isinstance(found, datetime) else found
