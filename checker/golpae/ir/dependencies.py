"""Reads, writes and dependencies: of expressions, effects and parts of a rule set.

Input: expressions, effects, a rule set. Output: the states, zones and words that they read or write, the parts of
the rule set (definitions, shapes, arrangements, scores, the set of tiles, ...) that they refer to, and closures.
Guarantee: everything follows from the `STRUCTURE` of the nodes, so a new node of the IR needs no change here.
`closure` is the only transitive closure in the package.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from typing import Any, NamedTuple, Protocol, TypeVar

from golpae.ir import expr as ir
from golpae.ir.ruleset import (
    Action,
    ArrangementDecl,
    Condition,
    Definition,
    ParamDecl,
    RuleSet,
    ScoreDecl,
    ShapeDecl,
    VarDecl,
    effects_of,
)
from golpae.ir.structure import ReadKind
from golpae.ir.traverse import exprs_in, flat, free, nodes, tells_apart
from golpae.ir.types import Bag, Each, Meld, Opt, Type

Part = tuple[str, str]  # the kind of a part of a rule set, and its name
SET: Part = ("set", "")

T = TypeVar("T", bound=Hashable)


def closure(start: Iterable[T], successors: Callable[[T], Iterable[T]]) -> list[T]:
    """Return all that can be reached from `start`, which is included, each once, in the order of discovery."""
    reached = dict.fromkeys(start)
    waiting = list(reached)
    while waiting:
        for other in successors(waiting.pop()):
            if other not in reached:
                reached[other] = None
                waiting.append(other)
    return list(reached)


def are_told_apart(param: ParamDecl, conditions: Iterable[Condition]) -> bool:
    """Return whether conditions can differ between orders of the tiles of a parameter written `{a, b}`."""
    names = frozenset(param.parts)
    return any(tells_apart(condition.expr, names) for condition in conditions)


# ---------------------------------------------------------------- reads and writes


class Read(NamedTuple):
    """A part of a game in progress that a node reads; `seat` if each player has one.

    `part` is what is read of a row: its order, its places, or its end `front` or `back`.
    """

    kind: ReadKind
    name: str
    seat: ir.Expr | None
    part: str | None = None


def read_by(node: ir.Expr) -> Read | None:
    """Return the part of a game in progress that a node reads, its children aside; None if it reads nothing."""
    reads = node.STRUCTURE.reads
    if reads is None or (isinstance(node, ir.Builtin) and not ir.WORDS[node.name].changes):
        return None
    part = getattr(node, reads.part) if reads.part == "end" else reads.part
    return Read(reads.kind, getattr(node, reads.name), getattr(node, reads.seat), part)


def reads_in(expr: ir.Expr) -> Iterator[Read]:
    """Yield each read of an expression, without the reads of the definitions that it calls."""
    for node in nodes(expr):
        read = read_by(node)
        if read is not None:
            yield read


def _is_own(node: ir.Expr, name: str | None) -> bool:
    """Return whether a node reads what belongs to the seat of this name."""
    read = None if name is None else read_by(node)
    return read is not None and isinstance(read.seat, ir.Local) and read.seat.name == name


def _each_node(exprs: Iterable[ir.Expr]) -> Iterator[ir.Expr]:
    """Yield all expressions in these, without what is in the parts that they refer to."""
    return (node for expr in exprs for node in nodes(expr))


def _word_of(node: ir.Expr) -> str | None:
    """Return the part of a game in progress that a node reads, or the kind of a check of a recorded value, or None."""
    if isinstance(node, ir.Implicit):
        return node.kind
    read = read_by(node)
    return None if read is None else read.name


def reads_unset(expr: ir.Expr, rules: RuleSet) -> bool:
    """Return whether an expression reads a state that has no value before the first deal, itself or through
    definitions and scores. One without a first value that may be none is none there.
    """
    unset = {v.name for v in rules.vars if v.initial is None and not isinstance(v.type, Opt)}
    return bool(unset & Dependencies(rules).reads([expr]))


def reads_unset_earlier(expr: ir.Expr, rules: RuleSet) -> bool:
    """Return whether an expression reads such a state as it was before an event, which may be the first deal."""
    return any(reads_unset(node.expr, rules) for node in nodes(expr) if isinstance(node, ir.Earlier))


def written_by(effects: Iterable[ir.Effect]) -> set[str]:
    """Return the states, zones and words that effects change, payments aside."""
    names: set[str] = set()
    for effect in flat(effects):
        for writes in effect.STRUCTURE.writes:
            names.update(writes.words)
            if writes.field is not None:
                names |= _named(getattr(effect, writes.field))
    return names


def _named(field: str | ir.Place | ir.MeldPlace) -> set[str]:
    """Return the names in a field of an effect: for a meld, the zones that may contain it."""
    if isinstance(field, str):
        return {field}
    if isinstance(field, ir.Place):
        return {field.zone}
    return {node.name for node in nodes(field.meld) if isinstance(node, ir.ZoneRead)}


def ordered_rows(rules: RuleSet, asked_too: Iterable[ir.Expr] = ()) -> frozenset[str]:
    """Return the rows whose order an event can depend on: something reads it, takes from an end, or reveals it, or all
    tiles go on to such a row. Properties count only if they are `asked_too`.
    """
    effects = [
        *flat(e for a in rules.actions for e in effects_of(a.effects)),
        *flat(effects_of(rules.payout)),
    ]
    exprs = [*asked_too, *exprs_in(effects), *(c.expr for a in rules.actions for c in a.conditions)]
    sizes = (a.dealing for a in rules.actions if a.dealing is not None)
    exprs += [expr for dealing in sizes for expr in dealing.sizes]
    bounds = (expr for a in rules.actions for p in a.params for expr in (p.low, p.high))
    exprs += [expr for expr in bounds if expr is not None]
    exprs += [v.initial for v in rules.vars if v.initial is not None]
    exprs += [expr for content in contents_of(rules).values() for expr in content.exprs]
    names = {read.name for expr in exprs for read in reads_in(expr) if read.part is not None}
    onward: list[tuple[str, str]] = []
    for effect in effects:
        if isinstance(effect, ir.Arrange):
            names.add(effect.zone.zone)
        elif isinstance(effect, ir.Move) and isinstance(effect.source, ir.Place):
            if effect.source.end is not None:
                names.add(effect.source.zone)
            if effect.what is None and isinstance(effect.target, ir.Place):
                onward.append((effect.source.zone, effect.target.zone))
    reached = closure(names, lambda row: [source for source, target in onward if target == row])
    return frozenset(reached).intersection(zone.name for zone in rules.zones if zone.kind == "row")


def pays(effect: ir.Effect) -> bool:
    """Return whether an effect itself is a payment, which changes the totals as the hand ends."""
    return any(writes.kind == "payment" for writes in effect.STRUCTURE.writes)


def settles(action: Action) -> bool:
    """Return whether an `end` or a `finish` holds payments among its own effects."""
    return action.kind in ("end", "finish") and any(map(pays, flat(effects_of(action.effects))))


def paying_effects(rules: RuleSet, *kinds: str) -> list[ir.Effect]:
    """Return the effects of `payout`, and those of an `end` and a `finish` that pay; only of these `kinds`, if any are
    named.
    """
    own = [a for a in rules.actions if settles(a) and (not kinds or a.kind in kinds)]
    paid = effects_of(rules.payout) if not kinds or "end" in kinds else []
    return [*paid, *(effect for action in own for effect in effects_of(action.effects))]


# ---------------------------------------------------------------- definitions


def definitions_reached(exprs: Iterable[ir.Expr], definitions: Mapping[str, Definition]) -> list[str]:
    """Return the names of the definitions that expressions use, themselves or through others."""

    def used(expr: ir.Expr) -> Iterator[str]:
        return (name for kind, name in parts_in(expr) if kind == "definition" and name in definitions)

    start = (name for expr in exprs for name in used(expr))
    return closure(start, lambda name: (n for c in definitions[name].cases for n in used(c.expr)))


def nodes_through(expr: ir.Expr, definitions: Mapping[str, Definition]) -> Iterator[ir.Expr]:
    """Return an expression and all expressions in it and in the definitions that it uses, each definition once, at its
    first use.
    """
    yield from _nodes_through(expr, definitions, set())


def _nodes_through(
    expr: ir.Expr, definitions: Mapping[str, Definition], visited: set[str]
) -> Iterator[ir.Expr]:
    for node in nodes(expr):
        yield node
        for kind, name in refers_to(node):
            if kind == "definition" and name in definitions and name not in visited:
                visited.add(name)
                for case in definitions[name].cases:
                    yield from _nodes_through(case.expr, definitions, visited)


def chooses_together(expr: ir.Expr, definitions: Mapping[str, Definition]) -> bool:
    """Return whether an expression goes through choices of several members of a bag together."""
    return any(
        isinstance(node, ir.Quant | ir.Fold) and node.size is not None
        for node in nodes_through(expr, definitions)
    )


# ---------------------------------------------------------------- parts of a rule set


def refers_to(node: ir.Expr) -> Iterator[Part]:
    """Return the parts of a rule set that a node refers to, its children aside."""
    for refers in node.STRUCTURE.refers:
        yield refers.kind, "" if refers.field is None else getattr(node, refers.field)
    if isinstance(node, ir.Builtin) and ir.WORDS[node.name].of_set:
        yield SET
    if isinstance(node, ir.Implicit) and node.kind in ir.IMPLICIT_REFERS:
        yield ir.IMPLICIT_REFERS[node.kind].kind, ""


def parts_in(expr: ir.Expr) -> Iterator[Part]:
    """Return the parts of a rule set that an expression refers to."""
    for node in nodes(expr):
        yield from refers_to(node)


class PartContent(NamedTuple):
    """The meaning of a part: `meaning` for comparison, the `exprs` in it, and `names`, other parts that it names."""

    meaning: Any
    exprs: tuple[ir.Expr, ...]
    names: frozenset[Part]


class Declared(Protocol):
    """The parts that expressions can refer to: those of a rule set, or of a text that is still being checked."""

    @property
    def definitions(self) -> Iterable[Definition]: ...
    @property
    def shapes(self) -> Iterable[ShapeDecl]: ...
    @property
    def arrangements(self) -> Iterable[ArrangementDecl]: ...
    @property
    def scores(self) -> Iterable[ScoreDecl]: ...


class DeclaredParts(NamedTuple):
    """The parts of a text that is still being checked."""

    definitions: tuple[Definition, ...] = ()
    shapes: tuple[ShapeDecl, ...] = ()
    arrangements: tuple[ArrangementDecl, ...] = ()
    scores: tuple[ScoreDecl, ...] = ()


def contents_of(rules: Declared) -> dict[Part, PartContent]:
    """Return every definition, shape, arrangement and score, without messages, sources and names of cases."""
    contents: dict[Part, PartContent] = {}

    def add(part: Part, meaning: Any, names: Iterable[str] = ()) -> None:
        shapes = frozenset(("shape", name) for name in names)
        contents[part] = PartContent(meaning, tuple(exprs_within(meaning)), shapes)

    for d in rules.definitions:
        cases = [c.expr for c in d.cases]
        add(("definition", d.name), ([(p.name, p.type, p.parts) for p in d.params], d.type, cases))
    for s in rules.shapes:
        add(
            ("shape", s.name),
            (s.names, s.test, s.union, s.size, *([s.most] if s.most else []), *([s.wild] if s.wild else [])),
            s.union,
        )
    for g in rules.arrangements:
        add(("shape", g.name), (g.parts, g.union), (*(p.shape for p in g.parts), *g.union))
    for c in rules.scores:
        params = [(p.name, p.type, p.parts, p.optional, p.initial) for p in c.params]
        patterns = [
            (
                p.name,
                p.value,
                p.each,
                p.test,
                p.extra,
                *([True] if p.alone else []),
                *filter(None, [p.number]),
            )
            for p in c.patterns
        ]
        brings = [(line.pattern, line.brought) for line in c.brings]
        whole = (c.hand, c.fixed, c.arrangements, c.marking, c.keep, c.total)
        meaning = (params, whole, c.defines, patterns, brings)
        marked = () if c.marking is None else (c.marking[1],)
        numbers = (c.numbers, c.formula)
        add(
            ("score", c.name),
            (*meaning, numbers) if c.numbers else meaning,
            (*c.arrangements, *marked),
        )
    return contents


def exprs_within(value: Any) -> Iterator[ir.Expr]:
    """Return the expressions that lists, tuples and declarations contain, without those in other expressions."""
    if isinstance(value, ir.Expr):
        yield value
    elif isinstance(value, list | tuple):
        for item in value:
            yield from exprs_within(item)
    elif is_dataclass(value):
        for field in fields(value):
            yield from exprs_within(getattr(value, field.name))


class Dependencies:
    """The dependencies among the definitions, shapes, arrangements and scores of a rule set.

    With `provided`, a score depends also on what its conditions on what is given refer to, as statements about its ways
    do.
    """

    def __init__(self, rules: Declared, provided: bool = False) -> None:
        self.contents = contents_of(rules)
        self._uses: dict[Part, frozenset[Part]] = {}
        self._words: dict[Part, frozenset[str]] = {}
        self._steps: dict[Part, Sequence[tuple[ir.Expr, Sequence[Part]]]] = {}
        self._provided: dict[Part, tuple[ir.Expr, ...]] = {
            ("score", s.name): tuple(c.expr for c in s.provided) for s in rules.scores if provided
        }

    def exprs_of(self, part: Part) -> tuple[ir.Expr, ...]:
        """Return the expressions in a part."""
        content = self.contents.get(part)
        return () if content is None else (*content.exprs, *self._provided.get(part, ()))

    def uses(self, part: Part) -> frozenset[Part]:
        """Return the parts that a part refers to directly."""
        if part not in self._uses:
            content = self.contents.get(part)
            used = frozenset() if content is None else content.names
            self._uses[part] = used.union(*(parts_in(expr) for expr in self.exprs_of(part)))
        return self._uses[part]

    def reached_by(self, exprs: Iterable[ir.Expr]) -> frozenset[Part]:
        """Return all parts that expressions refer to, directly or through other parts."""
        return self.reached_through(part for expr in exprs for part in parts_in(expr))

    def reached_through(self, parts: Iterable[Part]) -> frozenset[Part]:
        """Return these parts and all that they refer to, directly or through others."""
        return frozenset(closure(parts, self.uses))

    def nodes(self, exprs: Iterable[ir.Expr]) -> Iterator[ir.Expr]:
        """Yield all expressions in these, and in the parts that they refer to, directly or through others: each part
        once, at its first use.
        """
        yield from self._nodes(exprs, set())

    def _nodes(self, exprs: Iterable[ir.Expr], visited: set[Part]) -> Iterator[ir.Expr]:
        yield from self._nodes_through(self._with_parts(exprs), visited)

    def _nodes_through(
        self, steps: Iterable[tuple[ir.Expr, Sequence[Part]]], visited: set[Part]
    ) -> Iterator[ir.Expr]:
        for node, parts in steps:
            yield node
            for part in parts:
                if part not in visited:
                    visited.add(part)
                    yield from self._nodes_through(self._steps_of(part), visited)

    def _with_parts(self, exprs: Iterable[ir.Expr]) -> Iterator[tuple[ir.Expr, Sequence[Part]]]:
        """Yield the nodes of expressions, each with the parts that it refers to, also by names of parts."""
        for expr in exprs:
            for node in nodes(expr):
                direct = tuple(refers_to(node))
                yield node, closure(direct, self._names) if direct else ()

    def _steps_of(self, part: Part) -> Sequence[tuple[ir.Expr, Sequence[Part]]]:
        """Return the nodes of a part, each with the parts that it refers to."""
        steps = self._steps.get(part)
        if steps is None:
            steps = self._steps[part] = tuple(self._with_parts(self.exprs_of(part)))
        return steps

    def _names(self, part: Part) -> frozenset[Part]:
        """Return the parts that a part names outside of its expressions."""
        content = self.contents.get(part)
        return frozenset() if content is None else content.names

    def first_read(self, expr: ir.Expr) -> str | None:
        """Return the first part of a game in progress that an expression reads, itself or through definitions and
        scores, or None. A check of a recorded value counts, by its kind.
        """
        return next(filter(None, map(_word_of, self.nodes([expr]))), None)

    def reads(self, exprs: Iterable[ir.Expr], own_of: str | None = None) -> frozenset[str]:
        """Return the parts of a game in progress that expressions read, themselves or through definitions and scores.
        A check of a recorded value counts, by its kind.

        `own_of` is the name of a seat: what belongs to that seat is left out, unless a definition or a score reads it.
        """
        exprs = list(exprs)
        own = (_word_of(node) for node in _each_node(exprs) if not _is_own(node, own_of))
        through = map(self._words_of, self.reached_by(exprs))
        return frozenset(filter(None, own)).union(*through)

    def _words_of(self, part: Part) -> frozenset[str]:
        """Return the names of the zones, states and words that the expressions of a part read, without those of the
        definitions that they call.
        """
        if part not in self._words:
            self._words[part] = frozenset(filter(None, map(_word_of, _each_node(self.exprs_of(part)))))
        return self._words[part]

    def meaning_of(self, parts: Iterable[Part]) -> str:
        """Return words for what parts mean, with all that they refer to, directly or through others: the same in two
        rule sets only if they mean the same there.
        """
        reached = (part for part in sorted(self.reached_through(parts)) if part in self.contents)
        return repr([(part, self.contents[part].meaning, self._provided.get(part)) for part in reached])


def states_of_score(rules: RuleSet, name: str) -> tuple[VarDecl, ...] | None:
    """Return the states that a score reads, in the order of the text. None if it reads anything else, or if one of them
    is no single value for all.
    """
    dependencies = Dependencies(rules)
    read = dependencies.reads(dependencies.exprs_of(("score", name)))
    states = tuple(v for v in rules.vars if v.name in read)
    if len(states) < len(read) or any(v.each_player or _has_parts(v.type) for v in states):
        return None
    return states


def _has_parts(kind: Type) -> bool:
    return isinstance(kind.item if isinstance(kind, Opt) else kind, Bag | Each | Meld)


def other_owners(action: Action, condition: Condition) -> list[tuple[str, ir.Expr]]:
    """Return the zones that a condition asks of players besides the one who acts, with these players.

    Each is said by the event and the state alone, as the hand of a partner for whom somebody plays.
    """
    names = {action.by, *(param.name for param in action.params)}
    names |= {part for param in action.params for part in param.parts}
    owners: dict[tuple[str, ir.Expr], None] = {}
    for node in nodes(condition.expr):
        if isinstance(node, ir.ZoneRead) and node.seat is not None and free(node.seat) <= names:
            if not (isinstance(node.seat, ir.Local) and node.seat.name == action.by):
                owners[node.name, node.seat] = None
    return [*owners]
