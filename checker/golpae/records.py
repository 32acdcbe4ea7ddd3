"""Frozen dataclasses that are made quickly.

Input: a class, as `dataclasses.dataclass(frozen=True, slots=True)` takes it. Output: the same class as that gives.
Guarantee: such an object is made, compared, hashed, copied, matched and pickled like that of a frozen dataclass with
slots.

Python writes six functions for each such class as text, compiles them, and reads the annotation of each field with
regular expressions, whenever golpae starts: a quarter of the time of a small `golpae check`. Here nothing is compiled
for a class: an `__init__` is one of a few, by how many fields it sets, with other names. The fields that
`dataclasses` asks for are made when somebody asks. Classes that this call loads are made so.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from functools import cache
from operator import attrgetter
from types import CodeType, FunctionType
from typing import TYPE_CHECKING, Any, NoReturn

__all__ = ["dataclass"]
_FIELDS = "__dataclass_fields__"
_UNKNOWN = ("InitVar", "KW_ONLY")  # annotations of what is a field in another way

if TYPE_CHECKING:
    from dataclasses import dataclass
else:

    def dataclass(*, frozen: bool, slots: bool) -> Callable[[type], type]:
        """Return a function that makes a frozen dataclass with slots of a class."""
        assert frozen
        assert slots
        return _made


def _made(cls: type) -> Any:
    assert not any(hasattr(base, _FIELDS) for base in cls.__bases__), f"{cls.__name__} inherits fields"
    names = tuple(name for name, annotation in cls.__annotations__.items() if _is_field(annotation))
    space = {name: value for name, value in cls.__dict__.items() if name not in names}
    for name in ("__dict__", "__weakref__"):
        space.pop(name, None)
    given = {name: cls.__dict__[name] for name in names if name in cls.__dict__}
    compared = [name for name in names if name not in given or getattr(given[name], "compare", True)]
    key: Callable[[Any], Any] = attrgetter(*compared) if compared else lambda self: ()

    def equal(self: Any, other: object) -> bool:
        return key(self) == key(other) if other.__class__ is self.__class__ else NotImplemented

    def hashed(self: Any) -> int:
        return hash(key(self))

    space |= {
        "__doc__": cls.__doc__ or cls.__name__,
        "__slots__": names,
        "__match_args__": names,
        "__qualname__": cls.__qualname__,
        "__eq__": equal,
        "__hash__": hashed,
        "__repr__": _shown,
        "__replace__": _replaced,
        "__setattr__": _frozen,
        "__delattr__": _frozen,
        "__getstate__": _state,
        "__setstate__": _set_state,
        _FIELDS: _Fields(cls),
    }
    own: Any = type(cls)(cls.__name__, cls.__bases__, space)
    own.__init__ = _init(own, names, given)
    return own


def _is_field(annotation: object) -> bool:
    """Return whether something with an annotation is a field, and not a value of the class."""
    outermost = str(annotation).partition("[")[0]
    assert not outermost.endswith(_UNKNOWN), "this is a field in another way"
    return not outermost.endswith("ClassVar")


class _Fields:
    """The fields of a class, as `dataclasses` makes them of the class as it was written."""

    def __init__(self, written: type) -> None:
        self._written = written

    def __get__(self, _: object, own: Any) -> dict[str, dataclasses.Field[Any]]:
        make = dataclasses.dataclass(init=False, repr=False, eq=False, match_args=False)
        fields: dict[str, dataclasses.Field[Any]] = getattr(make(self._written), _FIELDS)
        setattr(own, _FIELDS, fields)
        return fields


def _init(cls: Any, names: tuple[str, ...], given: dict[str, Any]) -> FunctionType:
    """Return `__init__`, which sets the slots one after the other. `given` are what a class has for its fields:
    defaults, or what `field` makes.
    """
    space: dict[str, Any] = {"__name__": cls.__module__, "missing": dataclasses.MISSING}
    made: list[int] = []
    defaults: list[Any] = []
    for number, name in enumerate(names):
        space[f"set_{number}"] = cls.__dict__[name].__set__
        default = given.get(name, dataclasses.MISSING)
        if isinstance(default, dataclasses.Field):
            if default.default_factory is not dataclasses.MISSING:
                made.append(number)
                space[f"made_{number}"] = default.default_factory
                defaults.append(dataclasses.MISSING)
                continue
            default = default.default
        if default is not dataclasses.MISSING:
            defaults.append(default)
        elif defaults:
            raise TypeError(f"field {name!r} without a default behind one that has one")
    code = _code(len(names), tuple(made)).replace(co_varnames=("self", *names))
    return FunctionType(code, space, "__init__", tuple(defaults))


@cache
def _code(many: int, made: tuple[int, ...]) -> CodeType:
    """Return the code of an `__init__` of so many fields, of which those at some places may have to be made."""
    params = ", ".join(f"value_{number}" for number in range(many))
    values = [
        f"made_{number}() if value_{number} is missing else value_{number}"
        if number in made
        else f"value_{number}"
        for number in range(many)
    ]
    lines = [f"set_{number}(self, {value})" for number, value in enumerate(values)] or ["pass"]
    space: dict[str, Any] = {}
    exec(f"def __init__(self, {params}):\n " + "\n ".join(lines), space)
    code: CodeType = space["__init__"].__code__
    return code


def _replaced(self: Any, **changes: Any) -> Any:
    return dataclasses.replace(self, **changes)


def _frozen(self: object, name: str, value: object = None) -> NoReturn:
    raise dataclasses.FrozenInstanceError(f"cannot change `{name}`")


def _shown(self: Any) -> str:
    values = (f"{f.name}={getattr(self, f.name)!r}" for f in dataclasses.fields(self) if f.repr)
    return f"{type(self).__qualname__}({', '.join(values)})"


def _state(self: Any) -> list[Any]:
    return [getattr(self, f.name) for f in dataclasses.fields(self)]


def _set_state(self: Any, state: list[Any]) -> None:
    for field, value in zip(dataclasses.fields(self), state, strict=True):
        object.__setattr__(self, field.name, value)
