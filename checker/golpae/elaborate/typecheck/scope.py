"""The names in scope at one place of a text, and the optional places that certainly have a value there.

Input: conditions, and effects that happened before. Output: for each optional place whether it may be none.
Guarantee: a place counts as present only if it certainly has a value.

    lot is not none and size of lot = 2        on the right of `and`, `lot` is present
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from string import Formatter

from golpae.ir.types import Type
from golpae.syntax import tree as t

BEFORE = "earlier("  # the key of a place before an event begins with this


@dataclass(frozen=True, slots=True)
class Scope:
    """The local names with their types, and the places that are `present`: certainly not none.

    With `unsure`, a fault hides which places are present, so none is reported. With `event`, an event has just
    happened, so that `earlier` has a meaning. `keys` are the names that are keys of the event: a list in a
    trace is the only bag that has an order. `lists` are the keys `{a, b}` with the names of their tiles; there are
    no names if one of them is hidden here. `asked` are the names that have no value: a text asks only what they are
    (`arrangement is pairs`). `swallowed` are the faults of words of a choice that are no names.
    """

    locals: dict[str, Type]
    present: frozenset[str] = frozenset()
    unsure: bool = False
    event: bool = False
    keys: frozenset[str] = frozenset()
    lists: dict[str, tuple[str, ...]] = field(default_factory=dict)
    asked: frozenset[str] = frozenset()
    swallowed: Mapping[str, Exception] = field(default_factory=dict)

    def with_local(self, name: str, type_: Type) -> Scope:
        """Return the scope with a name, which hides another one of the same name."""
        present = frozenset(k for k in self.present if name not in _owners_in(k))
        lists = {key: () if name in parts else parts for key, parts in self.lists.items() if key != name}
        return replace(
            self,
            locals={**self.locals, name: type_},
            present=present,
            keys=self.keys - {name},
            asked=self.asked - {name},
            lists=lists,
        )

    def with_asked(self, name: str, type_: Type) -> Scope:
        """Return the scope with a name of which a text can only ask what it is."""
        scope = self.with_local(name, type_)
        return replace(scope, asked=scope.asked | {name})

    def asking(self, expr: t.Expr) -> Scope:
        """Return the scope in which a text asks what an expression is."""
        name = expr.name if isinstance(expr, t.Name) else ""
        return replace(self, asked=self.asked - {name})

    def has_order(self, expr: t.Expr) -> bool:
        """Return whether an expression is a list of the event as it was recorded."""
        return isinstance(expr, t.Name) and expr.name in self.keys

    def narrowed(self, keys: Iterable[str], unsure: bool = False) -> Scope:
        """Return the scope in which these places are present too."""
        return replace(self, present=self.present | frozenset(keys), unsure=self.unsure or unsure)

    def widened(self, key: str) -> Scope:
        """Return the scope in which one place may be none, so that a text can ask whether it is."""
        return replace(self, present=self.present - {key}, unsure=False)

    def earlier(self) -> Scope:
        """Return the scope right before the event: local names were present then if they are now."""
        then = frozenset(k.removeprefix(BEFORE)[:-1] for k in self.present if k.startswith(BEFORE))
        return replace(self, present=then | (self.present & frozenset(self.locals)), event=False)

    def after_change(self, names: Iterable[str]) -> Scope:
        """Return the scope after states or zones of these names have changed."""
        changed = set(names)
        present = frozenset(k for k in self.present if not changed & _names_in(k))
        return replace(self, present=present)


def place_key(expr: t.Expr) -> str | None:
    """Return the key of a place that may be none: `winner`, `p's lot`, `front of line`, `line at 2`.

    An expression of another form has no key, and is never narrowed.
    """
    if expr.PLACE is None:
        return None
    parts = {field: _key_part(getattr(expr, field)) for field in _fields(expr.PLACE)}
    return None if None in parts.values() else expr.PLACE.format(**parts)


def _key_part(part: t.Expr | str) -> str | None:
    if isinstance(part, str):
        return part
    return str(part.value) if isinstance(part, t.Number) else place_key(part)


@lru_cache
def _fields(template: str) -> tuple[str, ...]:
    return tuple(field for _, field, _, _ in Formatter().parse(template) if field is not None)


def narrowed_by(expr: t.Expr, truth: bool) -> frozenset[str]:
    """Return the places that are present if `expr` is true, or false; for most expressions there are none."""
    match expr:
        case t.Is(arg=arg, word=word, negated=negated) if word.text == "none" and negated is truth:
            key = place_key(arg)
            return frozenset() if key is None else frozenset({key})
        case t.Earlier(arg=arg):
            return frozenset(f"{BEFORE}{key})" for key in narrowed_by(arg, truth))
        case t.Unary(op="not", arg=arg):
            return narrowed_by(arg, not truth)
        case t.Binary(op="and", left=left, right=right) if truth:
            return narrowed_by(left, True) | narrowed_by(right, True)
        case t.Binary(op="or", left=left, right=right) if not truth:
            return narrowed_by(left, False) | narrowed_by(right, False)
        case t.Binary(op="implies", left=left, right=right) if not truth:
            return narrowed_by(left, True) | narrowed_by(right, False)
        case _:
            return frozenset()


def _names_in(key: str) -> set[str]:
    """Return the names in a key."""
    return set(re.split(r"'s | of | at ", key))


def _owners_in(key: str) -> set[str]:
    """Return the names without an owner in a key; its other names belong to them."""
    if key.startswith(BEFORE):
        return _owners_in(key.removeprefix(BEFORE)[:-1])
    parts = (part.removeprefix("front of ").removeprefix("back of ") for part in key.split(" at "))
    return {part.split("'s ")[0] for part in parts}
