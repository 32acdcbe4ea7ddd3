"""The symbol table: what every name of a rule text means.

Input: declarations, entered one by one; faults. Output: types and declarations by name, and the faults.
Guarantee: nothing here checks an expression; definitions are entered as they are checked.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import assert_never

from golpae.diagnostics import Diagnostic, Label, Span, SpecError, near, quoted_list
from golpae.elaborate.typecheck.builtins import BUILTINS, NO_VALUES, TRUTHS
from golpae.elaborate.typecheck.scope import Scope, names_within
from golpae.ir import expr as ir
from golpae.ir.dependencies import DeclaredParts, Dependencies, closure
from golpae.ir.ruleset import Definition, VarDecl, ZoneDecl
from golpae.ir.types import (
    MELDS,
    SEAT,
    TILE,
    TILES,
    Bag,
    Bool,
    Choice,
    Each,
    Int,
    Meld,
    NoneType,
    Opt,
    Patterns,
    Points,
    Seat,
    Tile,
    Type,
    fits,
)
from golpae.syntax import tree as t

MOST_FAULTS = 100  # of one text
ZONE_KINDS = ("tiles", "row", "melds")
# The type of what was declared with a fault: a choice without words, which no text can write.
UNKNOWN = Choice(())


class RefusedExpression(Exception):
    """An expression has a fault. Without arguments: a fault that is already in the symbol table."""

    def __init__(
        self, code: str = "", message: str = "", span: Span | None = None, advice: str | None = None
    ) -> None:
        super().__init__(message)
        self.diagnostic = None if span is None else Diagnostic(code, message, span, advice)


@dataclass(frozen=True, slots=True)
class Listed:
    """Tiles or words in an order, the lowest first. In a circle, the first comes after the last."""

    items: tuple[ir.Const, ...]
    type: Type
    circle: bool


FACE = "face"  # `t's face`: the tile that a tile counts as


@dataclass(slots=True)
class SymbolTable:
    """Everything that is declared, and the faults of the text."""

    defines: dict[str, t.Define] = field(default_factory=dict)
    definitions: dict[str, Definition] = field(default_factory=dict)
    zones: dict[str, ZoneDecl] = field(default_factory=dict)
    vars: dict[str, VarDecl] = field(default_factory=dict)
    groups: set[str] = field(default_factory=set)
    likes: dict[str, str] = field(default_factory=dict)  # tiles that count as others -> those others
    lines_of_likes: set[str] = field(default_factory=set)  # the names of their lines
    wild: ir.Expr | None = None  # the tiles that are wild
    wild_tiles: set[str] = field(
        default_factory=set
    )  # those of them that nothing counts as, as far as lines name them
    wild_groups: set[str] = field(default_factory=set)  # groups of which each tile is one of these
    attributes: set[str] = field(default_factory=set)
    tile_names: dict[str, str] = field(default_factory=dict)  # as written -> the kind's name
    tiles_incomplete: bool = False  # whether a fault hides the names of some kinds
    kinds: dict[str, Type] = field(default_factory=dict)  # kinds of value that the text names
    written_kinds: dict[str, t.Type] = field(default_factory=dict)  # the same, as they are written
    orders: list[tuple[str, ...]] = field(
        default_factory=list
    )  # the words of kinds in order, the lowest first
    sequences: dict[str, Listed] = field(default_factory=dict)  # orders and circles, and kinds in order
    ordered: set[str] = field(default_factory=set)  # the names of orders and circles
    options: set[str] = field(default_factory=set)
    shapes: dict[str, t.Shape] = field(default_factory=dict)
    arrangements: dict[str, t.Arrangement] = field(default_factory=dict)
    scores: dict[str, t.Score] = field(default_factory=dict)
    labels: set[str] = field(default_factory=set)
    keep_scopes: dict[str, Scope] = field(default_factory=dict)  # by score: what its `keep` may read
    scopes_after: dict[str, Scope] = field(default_factory=dict)  # by action: what is in scope right after it
    uncounted: set[str] = field(default_factory=set)  # actions whose events are no events of a hand
    zone_spans: dict[str, Span] = field(default_factory=dict)
    row_slices: dict[str, t.RowSlice] = field(default_factory=dict)
    var_spans: dict[str, Span] = field(default_factory=dict)
    places: dict[str, Span] = field(default_factory=dict)  # of names without an owner
    choices: dict[frozenset[str], Choice] = field(default_factory=dict)  # by their words
    most_players: int | None = 2  # None if an option says how many may play
    diagnostics: list[Diagnostic] = field(default_factory=list)
    used: dict[str, frozenset[str]] = field(default_factory=dict)  # by definition: the names in it
    dependencies: Dependencies = field(
        default_factory=lambda: Dependencies(DeclaredParts())
    )  # of all parts, from when these are checked

    @property
    def has_faces(self) -> bool:
        """Return whether a tile may have another one as its face."""
        return bool(self.likes) or self.wild is not None

    def choice(self, words: Sequence[str]) -> Choice:
        """Return the type of one of some words: the same type for the same words, in whatever order they are listed."""
        return self.choices.setdefault(frozenset(words), Choice(tuple(words)))

    def kind_with(self, word: str) -> Choice | None:
        """Return the smallest named kind of value that has a word, if the others that have it hold this kind."""
        choices = [
            bare for kind in self.kinds.values() if (bare := _bare_choice(kind)) and word in bare.words
        ]
        smallest = min(choices, key=lambda kind: len(kind.words), default=None)
        return smallest if smallest and all(fits(smallest, kind) for kind in choices) else None

    def reached(self, names: frozenset[str]) -> frozenset[str]:
        """Return these names, and those that the definitions, shapes and scores among them use."""
        return frozenset(closure(names, self._used_by))

    def _used_by(self, name: str) -> frozenset[str]:
        if name not in self.used:
            parts = (self.defines, self.shapes, self.arrangements, self.scores)
            declared = [node for part in parts if (node := part.get(name)) is not None]
            self.used[name] = frozenset(n for node in declared for n in names_within(node))
        return self.used[name]

    # ------------------------------------------------------------------ faults

    def fault(self, code: str, message: str, span: Span, advice: str | None = None) -> None:
        self._enter(Diagnostic(code, message, span, advice))

    def _enter(self, diagnostic: Diagnostic) -> None:
        """Enter a fault. Raises `SpecError` with all faults if it is one too many."""
        self.diagnostics.append(diagnostic)
        if len(self.diagnostics) > MOST_FAULTS:
            message = f"this text has more than {MOST_FAULTS} faults"
            more = Diagnostic(
                "S006", message, diagnostic.span, "mend those above; golpae then looks for others"
            )
            raise SpecError([*self.diagnostics[:-1], more])

    def record(self, refused: RefusedExpression) -> None:
        """Enter the fault of an expression, if it is a new one."""
        if refused.diagnostic is not None:
            self._enter(refused.diagnostic)

    def twice(self, message: str, span: Span, advice: str, first: Span, label: str = "the first one") -> None:
        """Enter the fault of a name or part that is there twice, with a label at the first one."""
        self.diagnostics.append(Diagnostic("N002", message, span, advice, (Label(first, label),)))

    def once_each(self, words: Iterable[t.Word], message: str, advice: str) -> None:
        """Enter a fault for each word that is there a second time. The message ends with the word."""
        first: dict[str, Span] = {}
        for word in words:
            if word.text in first:
                self.twice(f"{message} `{word.text}`", word.span, advice, first[word.text])
            first.setdefault(word.text, word.span)

    def no_zone(self, span: Span, kind: str) -> None:
        """Enter the fault of an expression that is not a `row` or `zone` but must be one."""
        zones = [z for z in self.zones.values() if kind in ("zone", z.kind)]
        words = [f"p's {z.name}" if z.each_player else z.name for z in zones]
        advice = advice_for(span.excerpt, words, f"the {kind}s are {quoted_list(words)}")
        self.fault("T004", f"`{span.excerpt}` is not a {kind}", span, advice)

    def no_row(self, zone: str, node: t.Expr, place: str, words: str) -> None:
        """Enter the fault of `node`, which uses `words` to read the `place` of a zone that is not a row."""
        advice = f"write `{zone}: row seen by ...` under `zones`, or leave `{words}` out"
        self.fault("T004", f"`{zone}` has no {place}: it is not a row", node.span, advice)

    def refuse_hiding(self, words: Iterable[t.Word]) -> None:
        """Enter a fault for each value that a text names like a part of itself, which it could then not read."""
        for word in words:
            if word.text in NO_VALUES:
                message = f"`{word.text}` already has a meaning in every game"
                self.fault("N002", message, word.span, "choose another name")
            kind = self._kind_of(word.text)
            if kind is not None:
                message = f"`{word.text}` is already the name of a {kind}"
                self.twice(message, word.span, "choose another name", self.places[word.text], f"the {kind}")

    def _kind_of(self, name: str) -> str | None:
        """Return the kind of a name without an owner and without values in brackets in this text, or None."""
        if name in self.vars and not self.vars[name].each_player:
            return "state"
        if name in self.zones and not self.zones[name].each_player:
            return "zone"
        if name in self.defines and self.defines[name].owner is None and not self.defines[name].params:
            return "definition"
        return "option" if name in self.options else None

    # ------------------------------------------------------------------ names

    def plain_words(self) -> Iterable[str]:
        """Return the names that are used without an owner."""
        yield from (z.name for z in self.zones.values() if not z.each_player)
        yield from (v.name for v in self.vars.values() if not v.each_player)
        yield from (d.name.text for d in self.defines.values() if d.owner is None)
        yield from self.groups
        yield from self.tile_names
        yield from self.options
        yield from self.ordered
        yield from TRUTHS
        yield from (w.name for w in BUILTINS.values() if not w.of_player)

    def owned_words(self, owner: Type) -> Iterable[str]:
        """Return the names that belong to a player or a tile: `p's name`."""
        if owner == SEAT:
            yield from (z.name for z in self.zones.values() if z.each_player)
            yield from (v.name for v in self.vars.values() if v.each_player)
            yield from (d.name.text for d in self.defines.values() if d.owner == "player")
            yield from (w.name for w in BUILTINS.values() if w.of_player)
        elif owner == TILE:
            yield from self.attributes
            yield "group"
            if self.has_faces:
                yield FACE
            yield from (d.name.text for d in self.defines.values() if d.owner == "tile")


def _bare_choice(kind: Type) -> Choice | None:
    bare = kind.item if isinstance(kind, Opt) else kind
    return bare if isinstance(bare, Choice) else None


def zone_type(zone: ZoneDecl) -> Type:
    """Return the type of a zone's content."""
    if zone.kind not in ZONE_KINDS:
        return UNKNOWN
    return MELDS if zone.kind == "melds" else TILES


def is_unknown(kind: Type) -> bool:
    """Return whether a fault in a declaration hides this type. Uses of it are not reported."""
    match kind:
        case Opt(item) | Bag(item) | Each(item):
            return is_unknown(item)
        case Choice():
            return kind == UNKNOWN
        case Bool() | Int() | Seat() | Tile() | Meld() | NoneType() | Points() | Patterns():
            return False
        case _:
            assert_never(kind)


def advice_for(name: str, words: Iterable[str], otherwise: str) -> str:
    """Return advice for an unknown name: a similar word if there is one."""
    return near(name, words) or otherwise
