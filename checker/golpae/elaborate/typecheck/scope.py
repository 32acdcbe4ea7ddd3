"""What every name of a rule text stands for, and what is known where.

In: the declarations of a resolved text. Out: tables that the type checker looks names up in.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from golpae.diagnostics import Diagnostic, Label, Span, near, quoted
from golpae.elaborate.typecheck.builtins import BUILTINS, TRUTHS
from golpae.ir.ruleset import Definition, VarDecl, ZoneDecl
from golpae.ir.types import MELDS, SEAT, TILE, TILES, Bag, Choice, Each, Opt, Type
from golpae.syntax import tree as t

ZONE_KINDS = ("tiles", "row", "melds")
BEFORE = "earlier("  # what places of before an event are remembered by begins with this
# The type of what was declared with a fault: a choice without words, which no text can write.
UNKNOWN = Choice(())


@dataclass(slots=True)
class SymbolTable:
    """All that is declared. `definitions` fill up as they are asked for."""

    defines: dict[str, t.Define] = field(default_factory=dict)
    definitions: dict[str, Definition] = field(default_factory=dict)
    zones: dict[str, ZoneDecl] = field(default_factory=dict)
    vars: dict[str, VarDecl] = field(default_factory=dict)
    groups: set[str] = field(default_factory=set)
    attributes: set[str] = field(default_factory=set)
    tile_names: dict[str, str] = field(default_factory=dict)  # as written -> the kind's name
    unspelt: bool = False  # whether some kinds could not be told
    options: set[str] = field(default_factory=set)
    shapes: dict[str, t.Shape] = field(default_factory=dict)
    arrangements: dict[str, t.Arrangement] = field(default_factory=dict)
    scores: dict[str, t.Score] = field(default_factory=dict)
    labels: set[str] = field(default_factory=set)
    judged: dict[str, Scope] = field(default_factory=dict)  # what the `keep` of a score may speak of
    after: dict[str, Scope] = field(default_factory=dict)  # what may be said right after an action
    zone_spans: dict[str, Span] = field(default_factory=dict)
    var_spans: dict[str, Span] = field(default_factory=dict)
    diagnostics: list[Diagnostic] = field(default_factory=list)

    def fault(self, code: str, message: str, span: Span, advice: str | None = None) -> None:
        self.diagnostics.append(Diagnostic(code, message, span, advice))

    def twice(self, message: str, span: Span, advice: str, first: Span, label: str = "the first one") -> None:
        """A name or part that stands twice, with a pointer to the first one."""
        self.diagnostics.append(Diagnostic("N002", message, span, advice, (Label(first, label),)))

    def once_each(self, words: Iterable[t.Word], said: str, advice: str) -> None:
        """A fault for each word that stands a second time. What is `said` of it ends with the word."""
        first: dict[str, Span] = {}
        for word in words:
            if word.text in first:
                self.twice(f"{said} `{word.text}`", word.span, advice, first[word.text])
            first.setdefault(word.text, word.span)

    def no_zone(self, span: Span, wanted: str) -> None:
        """Something else where a `wanted` zone has to stand: a `row`, or any `zone`."""
        zones = [z for z in self.zones.values() if wanted in ("zone", z.kind)]
        words = [f"p's {z.name}" if z.each_player else z.name for z in zones]
        advice = advice_for(span.said, words, f"the {wanted}s are {quoted(words)}")
        self.fault("T004", f"`{span.said}` is no {wanted}", span, advice)

    def no_row(self, zone: str, node: t.RowEnd | t.RowPlace) -> None:
        place, words = ("places", "at ...") if isinstance(node, t.RowPlace) else (node.end, f"{node.end} of")
        advice = f"write `{zone}: row seen by ...` under `zones`, or leave `{words}` out"
        self.fault("T004", f"`{zone}` has no {place}, for it is no row", node.span, advice)

    def plain_words(self) -> Iterable[str]:
        """Names that stand by themselves."""
        yield from (z.name for z in self.zones.values() if not z.each_player)
        yield from (v.name for v in self.vars.values() if not v.each_player)
        yield from (d.name.text for d in self.defines.values() if d.owner is None)
        yield from self.groups
        yield from self.tile_names
        yield from self.options
        yield from TRUTHS
        yield from (w.name for w in BUILTINS.values() if not w.of_player)

    def owned_words(self, owner: Type) -> Iterable[str]:
        """Names that are asked of a player or a tile: `p's name`."""
        if owner == SEAT:
            yield from (z.name for z in self.zones.values() if z.each_player)
            yield from (v.name for v in self.vars.values() if v.each_player)
            yield from (d.name.text for d in self.defines.values() if d.owner == "player")
            yield from (w.name for w in BUILTINS.values() if w.of_player)
        elif owner == TILE:
            yield from self.attributes
            yield "group"
            yield from (d.name.text for d in self.defines.values() if d.owner == "tile")


def zone_type(zone: ZoneDecl) -> Type:
    if zone.kind not in ZONE_KINDS:
        return UNKNOWN
    return MELDS if zone.kind == "melds" else TILES


def unknown(kind: Type) -> bool:
    """Whether a fault in a declaration hides of what type this is; nothing more is said of its uses."""
    match kind:
        case Opt(item) | Bag(item) | Each(item):
            return unknown(item)
        case _:
            return kind == UNKNOWN


@dataclass(frozen=True, slots=True)
class Scope:
    """The names of the place at hand, and what is known to be there (not none).

    `unsure` where a fault hides what is known: then nothing is said of what may be none. `event` where an event has
    just happened, so that there is something earlier.
    """

    locals: dict[str, Type]
    known: frozenset[str] = frozenset()
    unsure: bool = False
    event: bool = False

    def with_local(self, name: str, type_: Type) -> Scope:
        known = frozenset(k for k in self.known if name not in _starting(k))
        return replace(self, locals={**self.locals, name: type_}, known=known)

    def knowing(self, keys: Iterable[str], unsure: bool = False) -> Scope:
        return replace(self, known=self.known | frozenset(keys), unsure=self.unsure or unsure)

    def asking(self, key: str) -> Scope:
        """The scope without what is known of one place, for asking whether there is something."""
        return replace(self, known=self.known - {key}, unsure=False)

    def earlier(self) -> Scope:
        """The scope of what is said of before the event: what is known of its names was so then too."""
        then = frozenset(k.removeprefix(BEFORE)[:-1] for k in self.known if k.startswith(BEFORE))
        return replace(self, known=then | (self.known & frozenset(self.locals)), event=False)

    def forgetting(self, names: Iterable[str]) -> Scope:
        """The scope after states or zones of these names have changed."""
        changed = set(names)
        known = frozenset(k for k in self.known if not changed & _spoken_of(k))
        return replace(self, known=known)


def _spoken_of(key: str) -> set[str]:
    """The names in what a place is remembered by."""
    return set(re.split(r"'s | of | at ", key))


def _starting(key: str) -> set[str]:
    """The names that stand by themselves in what a place is remembered by, whose own the others are."""
    if key.startswith(BEFORE):
        return _starting(key.removeprefix(BEFORE)[:-1])
    parts = (part.removeprefix("front of ").removeprefix("back of ") for part in key.split(" at "))
    return {part.split("'s ")[0] for part in parts}


def key_of(expr: t.Expr) -> str | None:
    """What a place that may hold none is remembered by: `winner`, `p's lot`, `front of line`, `line at 2`."""
    match expr:
        case t.Name(name=name):
            return name
        case t.Possessive(owner=owner, name=name):
            inner = key_of(owner)
            return None if inner is None else f"{inner}'s {name}"
        case t.RowEnd(end=end, row=row):
            inner = key_of(row)
            return None if inner is None else f"{'back' if end == 'top' else end} of {inner}"
        case t.RowPlace(row=row, number=number):
            place = str(number.value) if isinstance(number, t.Number) else key_of(number)
            inner = key_of(row)
            return None if inner is None or place is None else f"{inner} at {place}"
        case t.Earlier(arg=arg):
            inner = key_of(arg)
            return None if inner is None else f"{BEFORE}{inner})"
        case _:
            return None


def learnt(expr: t.Expr, holds: bool) -> frozenset[str]:
    """What is known not to be none once `expr` is true (`holds`) or false."""
    match expr:
        case t.Is(arg=arg, word=word, negated=negated) if word.text == "none" and negated is holds:
            key = key_of(arg)
            return frozenset() if key is None else frozenset({key})
        case t.Earlier(arg=arg):
            return frozenset(f"{BEFORE}{key})" for key in learnt(arg, holds))
        case t.Unary(op="not", arg=arg):
            return learnt(arg, not holds)
        case t.Binary(op="and", left=left, right=right) if holds:
            return learnt(left, True) | learnt(right, True)
        case t.Binary(op="or", left=left, right=right) if not holds:
            return learnt(left, False) | learnt(right, False)
        case t.Binary(op="implies", left=left, right=right) if not holds:
            return learnt(left, True) | learnt(right, False)
        case _:
            return frozenset()


def advice_for(name: str, words: Iterable[str], otherwise: str) -> str:
    return near(name, words) or otherwise
