"""The clauses of a game that recorded games can use, each with its place in the text.

Input: the text of a game, and its rule sets as the IR has them.
Output: a `Book`: every clause of the game and of its variants and readings, and which of them a rule set has.
Guarantee: a clause that several rule sets have is one clause; what a variant writes instead of it is another, and so is
a condition under each action that shares it.

    action put(tile) by p           put            happened
      turn: p = mover               put.turn       held, broken
      then when p's hand is empty   put.then       done
                                    put.then when  yes, no
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from golpae.diagnostics import Span, SpecError
from golpae.elaborate.blocks import clauses_of
from golpae.elaborate.expand.expand import placed
from golpae.elaborate.load import Loaded
from golpae.elaborate.resolve import resolve, split
from golpae.ir import expr as ir
from golpae.ir.dependencies import Part, closure, parts_in, refers_to
from golpae.ir.ruleset import Action, Definition, EffectClause, RuleSet, effects_of, paths_of, when_path
from golpae.ir.traverse import deciding_test, exprs_in, flat, nodes
from golpae.syntax import tree as t

Kind = Literal["action", "condition", "definition", "case", "effect", "when", "pattern", "switch"]
HAPPENED, HELD, BROKEN, ASKED, DONE, YES, NO, COUNTED, PLAYED = (
    "happened", "held", "broken", "asked", "done", "yes", "no", "counted", "played"
)  # fmt: skip
SIDES: Mapping[Kind, tuple[str, ...]] = {
    "switch": (PLAYED,),
    "action": (HAPPENED,),
    "condition": (HELD, BROKEN),
    "effect": (DONE,),
    "when": (YES, NO),
    "definition": (ASKED,),
    "case": (HELD,),
    "pattern": (COUNTED,),
}
"""What can come of a clause of each kind. A game that shows all of it covers the clause."""


@dataclass(frozen=True, slots=True)
class Clause:
    """A clause. `name` is its path, and the switch that wrote it, if one did; no other clause of the game has it.

    `stated` is whether a line of the text says it, as opposed to the format of traces. `words` are what the text says.
    """

    name: str
    path: str
    kind: Kind
    switch: str | None
    ids: tuple[str, ...]
    span: Span
    stated: bool = True

    @property
    def sides(self) -> tuple[str, ...]:
        return SIDES[self.kind]

    @property
    def file(self) -> str:
        return self.span.text.name

    @property
    def line(self) -> int:
        return self.span.text.position(self.span.start)[0]

    @property
    def words(self) -> str:
        return " ".join(self.span.words.split())

    @property
    def digest(self) -> str:
        """A few characters that differ if the text of the clause does."""
        return hashlib.sha256(f"{self.kind} {self.words}".encode()).hexdigest()[:12]


class Book:
    """All clauses of a game, in reading order. `rule_set` gives the IR of a rule set, and may raise `SpecError`."""

    def __init__(self, loaded: Loaded, rule_set: Callable[[str], RuleSet]) -> None:
        self.loaded = loaded
        self.game = loaded.game.name.text
        self.title = loaded.game.title
        self.rule_set = rule_set
        self._variants = [d for d in loaded.decls if isinstance(d, t.Variant)]
        self._found: dict[tuple[str, int, str, str], Clause] = {}
        self._names: set[str] = set()
        self._of: dict[str, dict[str, Clause]] = {}
        for variant in self._variants:
            ids = dict.fromkeys(
                [*_ids(variant.ids), *(i for d in variant.deltas if d.kind == "drop" for i in _ids(d.ids))]
            )
            self._put(variant.name.text, "switch", (*ids,), variant.span, True, variant.name.text)
        self.of(self.game)
        for variant in self._variants:
            self.of(f"{self.game}+{variant.name.text}")
        self.rules = {rule.id: rule for rule in rule_set(self.game).rules_by_id}
        self.sources = dict(rule_set(self.game).sources)

    def gist(self, number: str) -> str:
        """Return the meaning of a number of the sources: the gist of a rule, or the title of a source."""
        rule = self.rules.get(number)
        return rule.gist if rule is not None else self.sources.get(number, "")

    @property
    def clauses(self) -> list[Clause]:
        """All clauses that some rule set has that was asked for, in reading order."""
        files = {
            file: number for number, file in enumerate(dict.fromkeys(c.file for c in self._found.values()))
        }
        return sorted(self._found.values(), key=lambda c: (files[c.file], c.span.start))

    @property
    def switches(self) -> list[Clause]:
        return [clause for clause in self._found.values() if clause.kind == "switch"]

    def of(self, rules: str) -> Mapping[str, Clause]:
        """Return the clauses of a rule set by their paths in it, its switches by their names; none if there is no such
        rule set.
        """
        if rules not in self._of:
            try:
                self._of[rules] = self._clauses(rules)
            except SpecError:
                self._of[rules] = {}
        return self._of[rules]

    def _clauses(self, rules: str) -> dict[str, Clause]:
        rule_set = self.rule_set(rules)
        written = _written(placed(resolve(rules, self.loaded).decls))
        out: dict[str, Clause] = {}
        lines = _lines_of_conditions(rule_set, written)
        # first those that the text states, so that they have the name alone
        for block, path, kind, ids, name in sorted(
            _clauses_of(rule_set), key=lambda c: lines.get(c[1]) == ""
        ):
            line = lines.get(path, path.partition(" when")[0])
            span = written.get(line) or written.get(block)
            if span is not None:
                stated = line in written
                own = line if stated and kind == "condition" else path
                name = own if kind == "condition" else name
                out[path] = self._put(own, kind, ids, span, stated, name=name, block=block)
        for name in split(rules)[1]:
            out |= {c.name: c for c in self.switches if c.path == name}
        return out

    def _put(
        self,
        path: str,
        kind: Kind,
        ids: tuple[str, ...],
        span: Span,
        stated: bool,
        switch: str | None = None,
        name: str | None = None,
        block: str = "",
    ) -> Clause:
        within = path.partition(".")[2] if kind == "when" or not stated else kind
        # a condition that actions share is one of each: it may be broken under one, and never under another
        key = (span.text.name, span.start, within, block if kind == "condition" else "")
        if key not in self._found:
            by = switch or next((v.name.text for v in self._variants if _within(span, v.span)), None)
            name = name or path
            name = name if by is None or kind == "switch" else f"{name} ({by})"
            if kind == "switch":
                name = f"+{path}"
            alike = sum(1 for taken in self._names if taken == name or taken.startswith(f"{name} #"))
            name = f"{name} #{alike + 1}" if alike else name
            self._names.add(name)
            self._found[key] = Clause(name, path, kind, by, ids, span, stated)
        return self._found[key]


def _ids(words: tuple[t.Word, ...]) -> tuple[str, ...]:
    return tuple(word.text for word in words)


def _within(inner: Span, outer: Span) -> bool:
    return inner.text is outer.text and outer.start <= inner.start and inner.end <= outer.end


# ------------------------------------------------------------------ where the text says it


def _written(decls: tuple[t.Decl, ...]) -> dict[str, Span]:
    """Return where each block and each clause is written, by its path as the IR has it."""
    out: dict[str, Span] = {}
    for node in decls:
        if isinstance(node, t.Define):
            out[node.name.text] = node.span if node.cases else node.clauses[0].span
            out |= {f"{node.name.text}.{c.name.text}": c.span for c in node.clauses if node.cases}
        elif isinstance(node, t.Action):
            block = node.name.text
            out[block] = node.span
            out |= {
                f"{block}.{w.name.text}": w.span for w in node.wheres
            }  # what there is exactly one of is asked
            effects = [c for c in node.clauses if isinstance(c.body, t.Effects)]
            out |= {f"{block}.{c.name.text}": c.span for c in node.clauses if c not in effects}
            paths = paths_of(block, [c.name.text for c in effects])
            out |= dict(zip(paths, (c.span for c in effects), strict=True))
        elif isinstance(node, t.Score):
            out[node.name.text] = node.span
            patterns = {p.name.text for p in node.patterns}
            for clause in clauses_of(node):
                if clause.name.text in patterns:
                    out[f"{node.name.text}.{clause.name.text}"] = clause.span
    return out


# ------------------------------------------------------------------ what a rule set has


def _clauses_of(rules: RuleSet) -> Iterator[tuple[str, str, Kind, tuple[str, ...], str]]:
    """Yield the block, the path, the kind, the numbers and the name of each clause.

    A line that deals to a zone is a condition: its tiles are moved if it holds.
    """
    for action in rules.actions:
        yield action.name, action.name, "action", action.ids, action.name
        conditions = condition_paths(action)
        for path, condition in zip(conditions, action.conditions, strict=True):
            yield action.name, path, "condition", condition.ids, path
        effects = _effects(action.name, action.effects, rules.winners_state)
        yield from (clause for clause in effects if clause[1] not in conditions)
    yield from _effects("payout", rules.payout, rules.winners_state)
    parts = _asked(rules)
    for definition in rules.definitions:
        if ("definition", definition.name) in parts:
            yield from _definition(definition)
    for score in rules.scores:
        for pattern in score.patterns:
            path = f"{score.name}.{pattern.name}"
            yield score.name, path, "pattern", pattern.ids, path


def _lines_of_conditions(rules: RuleSet, written: Mapping[str, Span]) -> dict[str, str]:
    """Return which line of the text each condition is, by the path of the condition; the empty line if none is.

    What the format of traces asks of a key has the name of the key, and comes before a condition that is called so.
    """
    out: dict[str, str] = {}
    for action in rules.actions:
        paths = condition_paths(action)
        names = [condition.name for condition in action.conditions]
        for name in {*names}:
            alike = [path for path, own in zip(paths, names, strict=True) if own == name]
            lines = [path for path in alike if path in written]
            out |= dict(zip(alike, [""] * (len(alike) - len(lines)) + lines, strict=True))
    return out


def condition_paths(action: Action) -> list[str]:
    """Return the paths of an action's conditions, in order."""
    return paths_of(action.name, [condition.name for condition in action.conditions])


def _effects(
    block: str, clauses: tuple[EffectClause, ...], has_won: str | None
) -> Iterator[tuple[str, str, Kind, tuple[str, ...], str]]:
    """Yield effects and their tests; not those that ask for the state `has_won`, which no line of a text does."""
    for path, clause in zip(paths_of(block, [c.name for c in clauses]), clauses, strict=True):
        yield block, path, "effect", clause.ids, path
        tests = [test for effect in flat(clause.effects) if (test := deciding_test(effect)) is not None]
        stated = [number for number, test in enumerate(tests, 1) if not _reads(test, has_won)]
        for name, number in enumerate(stated, 1):
            yield block, when_path(path, number), "when", clause.ids, when_path(path, name)


def _reads(test: ir.Expr, state: str | None) -> bool:
    return any(isinstance(node, ir.StateRead) and node.name == state for node in nodes(test))


def _definition(definition: Definition) -> Iterator[tuple[str, str, Kind, tuple[str, ...], str]]:
    name = definition.name
    if definition.single:
        yield name, name, "definition", definition.cases[0].ids or definition.ids, name
        return
    for case in definition.cases:
        path = f"{name}.{case.name}"
        yield name, path, "case", case.ids or definition.ids, path


def _asked(rules: RuleSet) -> frozenset[Part]:
    """Return the definitions that games ask: not those that only properties, shapes or the set of tiles use.

    A shape is the same in all games, so nobody can say which game asked what it uses.
    """
    definitions = {d.name: d for d in rules.definitions}
    exprs: list[ir.Expr] = [v.initial for v in rules.vars if v.initial is not None]
    for action in rules.actions:
        exprs += [condition.expr for condition in action.conditions]
        exprs += exprs_in([*flat(effects_of(action.effects))])
        if action.dealing is not None:
            exprs += action.dealing.sizes
    exprs += exprs_in([*flat(effects_of(rules.payout))])
    for score in rules.scores:
        exprs += [score.hand, *(define for _, define in score.defines)]
        own = (score.fixed, score.keep, score.formula, *(score.marking or ())[:1])
        exprs += [e for e in own if isinstance(e, ir.Expr)]
        for pattern in score.patterns:
            exprs += [pattern.value, pattern.test, *(() if pattern.each is None else (pattern.each[1],))]

    def used(part: Part) -> Iterator[Part]:
        if part[0] == "definition" and part[1] in definitions:
            for case in definitions[part[1]].cases:
                for node in nodes(case.expr):
                    yield from refers_to(node)

    return frozenset(closure((part for expr in exprs for part in parts_in(expr)), used))
