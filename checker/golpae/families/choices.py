"""One rule set that stands for all rule sets of a family: what a switch changes is a choice there.

Input: a text and a family. Output: `Choices`, each for one setting of the switches that cannot be choices.
Guarantee: with the states of the table set as the switches are, replay judges as under the rule set of these switches.

Each free switch is a state of the table, a truth that nothing sets:

    draw.place: tile in reserve      with `row` a choice:
                                     draw.place: if row is on then tile fits front of reserve else tile in reserve

A switch that changes the set, an arrangement or a list of patterns is no choice: these belong to a table, not to a
position. Neither is one that adds a state, a zone or an action, or changes what only another switch brings. But where
switches change shapes and scores, and nothing else that is no choice, whoever asks for it gets them as states
`of_table`: there is an alternative for each setting of them, with its own shapes and scores, and the rule set says all
else.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import assert_never

from golpae.diagnostics import SpecError
from golpae.elaborate.blocks import Block, clauses_of, name_of, with_clauses
from golpae.elaborate.check import check
from golpae.elaborate.instance import Instance, Setting, instantiate
from golpae.elaborate.load import Loaded, load
from golpae.elaborate.properties import share_of
from golpae.elaborate.resolve import Resolved, path_of, resolve
from golpae.elaborate.switches.case_rows import by_cases
from golpae.families.alternatives import Alternative, Outside
from golpae.families.family import Family
from golpae.families.region import Cube, Region
from golpae.ir import expr as ir
from golpae.ir.dependencies import Dependencies, contents_of
from golpae.ir.distinct_names import MARK
from golpae.ir.ruleset import TABLE, RuleSet, form_of
from golpae.syntax import tree as t

PREFIX = f"with{MARK}"  # of the states that stand for switches: no word of a text has it


class NoChoice(Exception):
    """A switch changes what cannot be a choice within one rule set."""


@dataclass(frozen=True, slots=True)
class StatedProperty:
    """A property: the rule sets that state it, and what they expect of it; the later lines
    go before the earlier ones."""

    region: Region
    expected: tuple[tuple[Cube, str], ...]

    def fails(self, region: Region) -> Region:
        """Return the rule sets of a region that expect that the property fails."""
        out = region.difference(region)
        for cube, verdict in self.expected:
            out = out.subtract(cube)
            if verdict == "refuted":
                out = out.union(region.restrict(cube))
        return out


@dataclass(frozen=True, slots=True)
class Choices:
    """Rule sets of a family as one: `region` are those that it stands for, `free` the switches that are choices.

    Those `of_table` change shapes and scores too, which are those of `alternatives`.
    """

    family: Family
    rule_set: RuleSet
    region: Region
    free: tuple[str, ...]
    stated: dict[str, StatedProperty]
    of_table: tuple[str, ...] = ()
    alternatives: tuple[Alternative, ...] = ()

    def instance(self, players: int, options: Mapping[str, int]) -> Instance:
        """Return the rule sets at one table. Raises `TableFault`."""
        alternatives = tuple(
            (one.setting, instantiate(one.rule_set, players, options)) for one in self.alternatives
        )
        return replace(instantiate(self.rule_set, players, options), alternatives=alternatives)

    def alternative(self, switches_on: int) -> int:
        """Return the number of the alternative that a rule set belongs to; 0 if there are none."""
        at = self.family.bits(self.of_table)
        numbers = (n for n, one in enumerate(self.alternatives) if (one.cube[1] ^ switches_on) & at == 0)
        return next(numbers) if self.alternatives else 0

    def rule_set_at(self, switches_on: int) -> RuleSet:
        """Return the rule set with choices that has the shapes and scores of one of the rule sets."""
        if not self.alternatives:
            return self.rule_set
        return self.alternatives[self.alternative(switches_on)].rule_set

    def settings(self, region: Region) -> tuple[Setting, ...]:
        """Return the values that the states of the table have in a region."""
        bits = {name: self.family.bits([name]) for name in self.free}
        return tuple(
            (
                tuple(PREFIX + n for n in self.free if fixed & on & bits[n]),
                tuple(PREFIX + n for n in self.free if fixed & ~on & bits[n]),
            )
            for fixed, on in region.cubes
        )

    def values(self, switches_on: int) -> dict[str, bool]:
        """Return the states of the table under one rule set."""
        return {PREFIX + name: bool(switches_on & self.family.bits([name])) for name in self.free}


def choices(family: Family, spec_path: Sequence[Path] = (), of_table: bool = False) -> Iterator[Choices]:
    """Yield rule sets with choices that stand for all rule sets of a family. With `of_table`, switches that change
    shapes and scores are choices too. Raises `SpecError`.
    """
    loaded = load(family.base, spec_path)
    sound = [n for n in family.names if n not in family.faulty and not family.fixed & family.bits([n])]
    free = tuple(name for name in sound if _can_be_choice(family, loaded, (name,), ()))
    if free and not _can_be_choice(family, loaded, free, ()):
        together: tuple[str, ...] = ()
        for name in free:
            if _can_be_choice(family, loaded, (*together, name), ()):
                together = (*together, name)
        free = together
    others = [name for name in family.names if name not in free]
    groups = _over(family, loaded, free, others, family.universe)
    yield from groups if not of_table else _joined(family, loaded, list(groups))


def _over(
    family: Family, loaded: Loaded, free: tuple[str, ...], others: Sequence[str], region: Region
) -> Iterator[Choices]:
    """Yield the choices for each setting of the other switches."""
    if not region:
        return
    if others:
        bit = family.bits(others[:1])
        for on in (0, bit):
            yield from _over(family, loaded, free, others[1:], region.restrict((bit, on)))
        return
    fixed = [n for n in family.names if n not in free and region.sample & family.bits([n])]
    while True:
        try:
            resolved, stated = _resolved(family, loaded, free, fixed, region)
            yield Choices(family, _checked(resolved), region, free, stated)
            return
        except (NoChoice, SpecError):
            if not free:
                raise
        # what is a choice with other switches off need not be one here
        last, free = free[-1], free[:-1]
        bit = family.bits([last])
        if region.restrict((bit, bit)):
            yield from _over(family, loaded, free, [], region.restrict((bit, bit)))
        region = region.restrict((bit, 0))


# ------------------------------------------------------------------ shapes and scores


def _joined(family: Family, loaded: Loaded, parts: Sequence[Choices]) -> Iterator[Choices]:
    """Yield the choices, merged: those that differ in shapes and scores alone become one with alternatives."""
    first = parts[0]
    if any(one.free != first.free for one in parts):
        yield from parts
        return
    by_sample = {one.region.sample & ~family.bits(first.free): one for one in parts}
    least = first.region.sample & ~family.bits(first.free)
    of_table: list[str] = []
    for name in family.names:
        other = by_sample.get(least | family.bits([name])) if name not in first.free else None
        if other not in (None, first) and _as_one(family, loaded, [first, other], (name,)):
            of_table.append(name)
    bits = family.bits(of_table)
    alike: dict[int, list[Choices]] = {}
    for on, one in by_sample.items():
        alike.setdefault(on & ~bits, []).append(one)
    for some in alike.values():
        made = _as_one(family, loaded, some, tuple(of_table)) if len(some) > 1 else None
        yield from some if made is None else (made,)


def _as_one(
    family: Family, loaded: Loaded, parts: Sequence[Choices], of_table: tuple[str, ...]
) -> Choices | None:
    """Return choices that differ in shapes and scores alone as one; None if they do not."""
    region = parts[0].region
    for one in parts[1:]:
        region = region.union(one.region)
    bits, free = family.bits(of_table), parts[0].free
    both = tuple(name for name in family.names if name in (*free, *of_table))
    fixed = family.on(region.sample & ~family.bits(both))
    try:
        resolved, stated = _resolved(family, loaded, both, fixed, region, of_table)
        whole = check(resolved)
    except (NoChoice, SpecError):
        return None
    states = {PREFIX + name for name in of_table}
    outside, made = Outside(whole), []
    for one in parts:
        own = replace(one.rule_set, vars=whole.vars, properties=whole.properties)
        on = one.region.sample & bits
        values = {PREFIX + name: bool(on & family.bits([name])) for name in of_table}
        if one.rule_set.vars != tuple(v for v in whole.vars if v.name not in states):
            return None
        if not outside.is_of(own, values):
            return None
        setting = tuple(n for n in values if values[n]), tuple(n for n in values if not values[n])
        made.append(Alternative((bits, on), setting, own))
    return Choices(family, whole, region, both, stated, of_table, tuple(made))


# ------------------------------------------------------------------ one text with choices


def _can_be_choice(family: Family, loaded: Loaded, free: tuple[str, ...], fixed: Sequence[str]) -> bool:
    others = family.every & ~family.bits(free) & ~family.fixed  # which are off
    try:
        _checked(_resolved(family, loaded, free, fixed, family.universe.restrict((others, 0)))[0])
    except (NoChoice, SpecError):
        return False
    return True


def _checked(resolved: Resolved) -> RuleSet:
    """Return the rule set of a text. Raises `SpecError`, and `NoChoice` if a shape or a score depends on a switch."""
    rules = check(resolved)
    at_table = {v.name for v in rules.vars if v.scope == TABLE}
    of_table = [c for (kind, _), c in contents_of(rules).items() if kind in ("score", "shape", "arrangement")]
    exprs = [expr for content in of_table for expr in content.exprs]
    exprs += [rules.low, rules.high, *(bag for _, bag in rules.tiles.bags)]
    for node in Dependencies(rules).nodes(exprs):
        if isinstance(node, ir.StateRead) and node.name in at_table:
            raise NoChoice(node.name)
    return rules


def _resolved(
    family: Family,
    loaded: Loaded,
    free: tuple[str, ...],
    fixed: Sequence[str],
    region: Region,
    of_table: Sequence[str] = (),
) -> tuple[Resolved, dict[str, StatedProperty]]:
    """Return the text of a game in which free switches are choices, and its properties. What those `of_table` change of
    shapes and scores is left out.
    """
    resolved = resolve("+".join((family.base, *fixed)), loaded)
    making = _Making(family, loaded, resolved, region)
    for variant in resolved.variants:
        if variant.name.text in free:
            making.add(variant, variant.name.text in of_table)
    return making.resolved(free), making.stated


class _Making:
    """Makes a text with choices from that of one rule set."""

    def __init__(self, family: Family, loaded: Loaded, resolved: Resolved, region: Region) -> None:
        self.family = family
        self.base = resolved
        self.region = region
        # a share of hands is counted, and no proof speaks of it
        self.decls = [d for d in resolved.decls if not (isinstance(d, t.Property) and share_of(d))]
        self.stated = {
            d.name.text: StatedProperty(region, (((0, 0), d.expected or "proved"),))
            for d in self.decls
            if isinstance(d, t.Property)
        }
        # the properties of the text as it stands; and what changes each, with the switch that does
        self._properties = {d.name.text for d in loaded.decls if isinstance(d, t.Property)}
        self._changed: dict[str, list[tuple[int, t.Delta]]] = {}
        for variant in resolved.variants:
            if variant.name.text in resolved.active:
                for delta in variant.deltas:
                    self._note_change(delta, family.bits([variant.name.text]))

    def resolved(self, free: tuple[str, ...]) -> Resolved:
        """Return the text that was made."""
        spans = [v.name.span for v in self.base.variants if v.name.text in free]
        states = tuple(
            t.StateVar(s, t.Word(s, PREFIX + name), False, t.TypeTruth(s), t.Truth(s, False), ())
            for s, name in zip(spans, free, strict=True)
        )
        decls = [one for d in self.decls for one in self._as_stated(d)]
        place = next((i for i, d in enumerate(decls) if isinstance(d, t.Zones)), 0)
        if states:
            decls.insert(place, t.State(spans[0], "table", states))
        return replace(self.base, decls=tuple(decls))

    def add(self, variant: t.Variant, of_table: bool) -> None:
        """Make what a switch changes a choice; if it is `of_table`, but for shapes and scores. Raises `NoChoice`."""
        bit = self.family.bits([variant.name.text])
        on = t.Name(variant.name.span, PREFIX + variant.name.text)
        for part in variant.parts:
            # what nothing uses unless the switch is on; other parts change what a trace may say
            if not isinstance(part, t.Define | t.Arrangement | t.Score):
                raise NoChoice(variant.name.text)
            self.decls.append(replace(part, ids=part.ids or variant.ids))
        for delta in variant.deltas:
            if not self._property(delta, bit, on) and not (of_table and self._is_of_table(delta)):
                self._clause(delta, on)
        for prop in variant.properties:
            if share_of(prop):
                continue
            if prop.name.text in self.stated:
                raise NoChoice(prop.name.text)
            stated = StatedProperty(self.region.restrict((bit, bit)), (((0, 0), prop.expected or "proved"),))
            self.stated[prop.name.text] = stated
            self.decls.append(replace(prop, ids=prop.ids or variant.ids))

    def _as_stated(self, decl: t.Decl) -> Iterator[t.Decl]:
        """Yield a declaration; a property with one that holds where it is stated, and as it stands, which may be an
        invariant where a switch drops it and another one makes it count again.
        """
        if not isinstance(decl, t.Property):
            yield decl
            return
        left = self.region.difference(self.stated[decl.name.text].region)
        if not left or decl.kind == "ends":
            yield decl
            return
        yield self._where_stated(decl, left)
        if decl.after is None and form_of(decl.kind).invariant:
            yield replace(decl, name=replace(decl.name, text=f"{decl.name.text}{MARK}"))

    def _where_stated(self, prop: t.Property, left: Region) -> t.Property:
        """Return a property that says nothing of the rule sets that do not state it."""
        expr = replace(prop.expr, bracketed=True)
        for fixed, on in left.cubes:
            outside = self._cube(prop, fixed, on)
            if prop.kind in ("never", "reachable"):
                expr = t.Binary(expr.span, "and", t.Unary(expr.span, "not", outside), expr, bracketed=True)
            else:
                expr = t.Binary(expr.span, "or", outside, expr, bracketed=True)
        return replace(prop, expr=expr)

    def _cube(self, prop: t.Property, fixed: int, on: int) -> t.Expr:
        """Return whether the switches are as in a cube."""
        span, out = prop.expr.span, None
        for name in self.family.names:
            bit = self.family.bits([name])
            if fixed & bit & self.region.varies:
                one: t.Expr = t.Name(span, PREFIX + name)
                if not on & bit:
                    one = t.Unary(span, "not", one)
                out = one if out is None else t.Binary(span, "and", out, one)
        return replace(t.Truth(span, True) if out is None else out, bracketed=True)

    def _property(self, delta: t.Delta, bit: int, on: t.Expr) -> bool:
        """Change a property; return False if a delta is not about one."""
        name = delta.path[0].text
        at = next(
            (i for i, d in enumerate(self.decls) if isinstance(d, t.Property) and d.name.text == name), None
        )
        if any(isinstance(d, Block) and name_of(d) == name for d in self.decls):
            return False
        if at is None:  # a switch that is no choice may have dropped it
            return name in self._properties
        old, stated = self.decls[at], self.stated[name]
        assert isinstance(old, t.Property)
        match delta.kind:
            case "expect":
                stated = replace(stated, expected=(*stated.expected, ((bit, bit), delta.verdict or "proved")))
            case "drop":
                stated = replace(stated, region=stated.region.subtract((bit, bit)))
            case "replace":
                assert isinstance(delta.body, t.Condition)
                self.decls[at] = replace(old, expr=t.If(old.span, on, delta.body.expr, old.expr))
            case "add":
                raise NoChoice(path_of(delta))
            case _:
                assert_never(delta.kind)
        self.stated[name] = replace(stated, region=stated.region.difference(self._note_change(delta, bit)))
        return True

    def _note_change(self, delta: t.Delta, bit: int) -> Region:
        """Note that a switch changes a property. Return where another switch changes it differently: there, neither
        states it.
        """
        changed = self._changed.setdefault(path_of(delta), [])
        left = self.region
        for other, earlier in changed:
            same = delta.kind in ("drop", "expect") and (earlier.kind, earlier.verdict) == (
                delta.kind,
                delta.verdict,
            )
            if not same and other != bit:
                left = left.subtract((other | bit, other | bit))
        changed.append((bit, delta))
        return self.region.difference(left)

    def _is_of_table(self, delta: t.Delta) -> bool:
        name = delta.path[0].text
        blocks = (d for d in self.decls if isinstance(d, t.Shape | t.Arrangement | t.Score))
        return any(name_of(block) == name for block in blocks)

    def _zones(self) -> set[str]:
        blocks = [decl for decl in self.decls if isinstance(decl, t.Zones)]
        return {zone.name.text for block in blocks for zone in block.zones}

    def _clause(self, delta: t.Delta, on: t.Expr) -> None:
        name, path = delta.path[0].text, path_of(delta)
        if delta.pattern is not None:
            raise NoChoice(path)
        index = next(
            (i for i, d in enumerate(self.decls) if isinstance(d, Block) and name_of(d) == name), None
        )
        block = None if index is None else self.decls[index]
        if index is None or not isinstance(block, t.Define | t.Action | t.Group | t.Score):
            raise NoChoice(path)
        clauses = list(clauses_of(block))
        clause = delta.path[1].text if len(delta.path) == 2 else name
        at = next((i for i, c in enumerate(clauses) if c.name.text == clause), None)
        if isinstance(block, t.Define) and by_cases(block) is not None and delta.kind != "replace":
            raise NoChoice(path)  # a row more, or one less, is no choice between two values
        if name == "deal" and delta.kind in ("add", "drop") and clause in self._zones():
            raise NoChoice(path)  # it may deal tiles to this zone, and then a deal has a key more or less
        if delta.kind == "add":
            if at is not None:
                raise NoChoice(path)
            body = _only_if(on, block, delta.body, path)
            happening = [i for i, c in enumerate(clauses) if isinstance(c.body, t.Effects)]
            place = happening[0] if happening and isinstance(body, t.Condition) else len(clauses)
            clauses.insert(place, t.Clause(delta.span, delta.path[-1], body, delta.ids))
        elif at is None:
            raise NoChoice(path)
        elif delta.kind == "drop":
            off = t.Unary(on.span, "not", on)
            clauses[at] = replace(clauses[at], body=_only_if(off, block, clauses[at].body, path))
        else:
            clauses[at] = replace(clauses[at], body=_either(on, delta.body, clauses[at].body, path))
        self.decls[index] = with_clauses(block, tuple(clauses))


def _only_if(test: t.Expr, block: Block, body: t.Body | None, path: str) -> t.Body:
    """Return a clause that counts only if a test holds. Raises `NoChoice`."""
    match body:
        case t.Condition(expr=expr) if isinstance(block, t.Action | t.Group | t.Define):
            # every condition of an action has to hold, and one case of a definition
            op: t.BinaryOp = "and" if isinstance(block, t.Define) else "implies"
            whole = t.Binary(expr.span, op, test, replace(expr, bracketed=True))
            return replace(body, expr=whole)
        case t.Effects(effects=effects):
            return t.Effects(body.span, (t.When(body.span, test, effects),))
        case _:
            raise NoChoice(path)


def _either(test: t.Expr, new: t.Body | None, old: t.Body, path: str) -> t.Body:
    """Return a clause that is one thing if a test holds, and another if not. Raises `NoChoice`."""
    span = old.span
    match old, new:
        case t.Condition(), t.Condition() if old.afterwards or not new.afterwards:
            return replace(old, expr=t.If(span, test, new.expr, old.expr))
        case t.Hands(), t.Hands():
            first = t.If(span, test, new.first, old.first)
            return t.Hands(span, first, t.If(span, test, new.others, old.others), old.message)
        case t.Effects(), t.Effects():
            off = t.Unary(span, "not", test)
            return t.Effects(span, (t.When(span, test, new.effects), t.When(span, off, old.effects)))
        case _:
            raise NoChoice(path)
