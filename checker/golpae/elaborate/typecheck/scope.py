"""The names in scope at one place of a text, and the optional values that are certainly there.

Input: conditions, and effects that happened before. Output: for each optional value whether it may be none.
Guarantee: a value counts as present only if it certainly is: it was compared with none, and nothing that it reads,
itself or through definitions, has changed since then.

    lot is not none and size of lot = 2        on the right of `and`, `lot` is present
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from string import Formatter

from golpae.ir.types import Type
from golpae.syntax import tree as t
from golpae.syntax.bound_names import nameless, with_values
from golpae.syntax.format import format_expression
from golpae.syntax.traverse import children, nodes

BEFORE = "earlier("  # the key of a place before an event begins with this
Reached = Callable[[frozenset[str]], frozenset[str]]  # names, with those that their definitions use


@dataclass(frozen=True, slots=True)
class Present:
    """A value that is certainly there, by its key.

    `free` are its names that a local name would hide, `reads` all names that it depends on.
    """

    key: str
    free: frozenset[str] = field(default=frozenset(), compare=False)
    reads: frozenset[str] = field(default=frozenset(), compare=False)


@dataclass(frozen=True, slots=True)
class Scope:
    """The local names with their types, and the values that are `present`: certainly not none.

    `changed` are those that were, before something changed that they depend on. With `unsure`, a fault hides which
    values are present, so none is reported. With `event`, an event has just happened, so that `earlier` has a
    meaning. `keys` are the names that are keys of the event: a list in a trace is the only bag that has an order.
    `lists` are the keys `{a, b}` with the names of their tiles; there are no names if one of them is hidden here.
    `asked` are the names that have no value: a text asks only what they are (`arrangement is pairs`). A `message` is
    read if its condition does not hold. `by_face` are the names of tiles, and of what holds tiles, that mean their
    faces. `swallowed` are the faults of words of a choice that are no names.
    """

    locals: dict[str, Type]
    present: frozenset[Present] = frozenset()
    changed: frozenset[Present] = frozenset()
    unsure: bool = False
    event: bool = False
    keys: frozenset[str] = frozenset()
    lists: dict[str, tuple[str, ...]] = field(default_factory=dict)
    asked: frozenset[str] = frozenset()
    message: bool = False
    by_face: frozenset[str] = frozenset()
    swallowed: Mapping[str, Exception] = field(default_factory=dict)

    def with_local(self, name: str, type_: Type) -> Scope:
        """Return the scope with a name, which hides another one of the same name."""
        present = frozenset(known for known in self.present if name not in known.free)
        lists = {key: () if name in parts else parts for key, parts in self.lists.items() if key != name}
        return replace(
            self,
            locals={**self.locals, name: type_},
            present=present,
            keys=self.keys - {name},
            asked=self.asked - {name},
            by_face=self.by_face - {name},
            lists=lists,
        )

    def with_asked(self, name: str, type_: Type) -> Scope:
        """Return the scope with a name of which a text can only ask what it is."""
        scope = self.with_local(name, type_)
        return replace(scope, asked=scope.asked | {name})

    def is_asked(self, expr: t.Expr) -> bool:
        """Return whether an expression is a name of which a text can only ask what it is."""
        return isinstance(expr, t.Name) and expr.name in self.asked

    def asking(self, expr: t.Expr) -> Scope:
        """Return the scope in which a text asks what an expression is."""
        name = expr.name if isinstance(expr, t.Name) else ""
        return replace(self, asked=self.asked - {name})

    def has_order(self, expr: t.Expr) -> bool:
        """Return whether an expression is a list of the event as it was recorded."""
        return isinstance(expr, t.Name) and expr.name in self.keys

    def narrowed(self, values: Iterable[Present], unsure: bool = False) -> Scope:
        """Return the scope in which these values are present too."""
        return replace(self, present=self.present | frozenset(values), unsure=self.unsure or unsure)

    def widened(self, key: str) -> Scope:
        """Return the scope in which one value may be none, so that a text can ask whether it is."""
        return replace(self, present=self.present - {Present(key)}, unsure=False)

    def has(self, key: str | None) -> bool:
        """Return whether the value with this key is present."""
        return key is not None and Present(key) in self.present

    def earlier(self) -> Scope:
        """Return the scope right before the event: local names were present then if they are now."""
        then = frozenset(
            replace(known, key=known.key.removeprefix(BEFORE)[:-1])
            for known in self.present
            if known.key.startswith(BEFORE)
        )
        now = frozenset(known for known in self.present if known.key in self.locals)
        return replace(self, present=then | now, event=False)

    def after_change(self, names: Iterable[str]) -> Scope:
        """Return the scope after states or zones of these names have changed."""
        changed = set(names)
        gone = frozenset(known for known in self.present if changed & known.reads)
        return replace(self, present=self.present - gone, changed=self.changed | gone)


def value_key(expr: t.Expr) -> str | None:
    """Return the key of a value that may be none: a place, a result of `the`, what a definition or a score gives.

    An expression of another form has no key, and is never narrowed. Names that an expression binds itself do not count:
    `the t in s: t in rare` and `the u in s: u in rare` are one value.
    """
    key = place_key(expr)
    if key is None and (expr.PLACE is not None or isinstance(expr, t.Fold | t.Call)):
        return f"({format_expression(nameless(expr))})"
    return key


def place_key(expr: t.Expr) -> str | None:
    """Return the key of a place that may be none: `winner`, `p's lot`, `front of line`, `line at 2`.

    An expression of another form is no place.
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


def narrowed_by(expr: t.Expr, truth: bool, reached: Reached) -> frozenset[Present]:
    """Return the values that are present if `expr` is true, or false; for most expressions there are none."""
    match expr:
        case t.Is(arg=arg, word=word, negated=negated) if word.text == "none" and negated is truth:
            key = value_key(arg)
            if key is None:
                return frozenset()
            return frozenset({Present(key, frozenset(_free(arg)), reached(frozenset(names_within(arg))))})
        case t.Earlier(arg=arg):
            inner = narrowed_by(arg, truth, reached)
            return frozenset(replace(known, key=f"{BEFORE}{known.key})") for known in inner)
        case t.Unary(op="not", arg=arg):
            return narrowed_by(arg, not truth, reached)
        case t.Binary(op="and", left=left, right=right) if truth:
            return narrowed_by(left, True, reached) | narrowed_by(right, True, reached)
        case t.Binary(op="or", left=left, right=right) if not truth:
            return narrowed_by(left, False, reached) | narrowed_by(right, False, reached)
        case t.Binary(op="implies", left=left, right=right) if not truth:
            return narrowed_by(left, True, reached) | narrowed_by(right, False, reached)
        case t.With(values=values, body=body):
            in_place = {value.name.text: value.expr for value in values}
            return narrowed_by(with_values(body, in_place), truth, reached)
        case _:
            return frozenset()


def names_within(node: t.Node) -> Iterator[str]:
    """Yield all names in a part of a text, whatever they are names of."""
    for inner in nodes([node]):
        match inner:
            case t.Name(name=name) | t.Possessive(name=name) | t.Call(name=name) | t.Word(text=name):
                yield name
            case _:
                pass


def _free(node: t.Node) -> Iterator[str]:
    """Yield the names in an expression that a local name would hide: not those with an owner, or bound within it."""
    match node:
        case t.Name(name=name):
            yield name
        case (
            t.Quantified(names=names, domain=domain, body=inner)
            | t.Fold(names=names, domain=domain, test=inner)
        ):
            bound = {word.text for word in names}
            yield from _free(domain)
            for part in (inner, node.size, node.item if isinstance(node, t.Fold) else None):
                if part is not None:
                    yield from (name for name in _free(part) if name not in bound)
        case t.EachOf(item=item, name=word, domain=domain, test=test):
            yield from _free(domain)
            if node.size is not None:
                yield from _free(node.size)
            for part in (item, test):
                if part is not None:
                    yield from (name for name in _free(part) if name != word.text)
        case _:
            for child in children(node):
                yield from _free(child)
