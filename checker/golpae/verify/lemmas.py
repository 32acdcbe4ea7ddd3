"""Elaborate expressions that stand outside of a rule text: lemmas that were written down beside it.

Input: a rule set by name, the places of its texts, and expressions as text.
Output: for each expression what it means in the rule set, as an `always`, or its first fault; candidates for
invariants, from what is kept.
Guarantee: an expression means what it would mean in an `always` of the text. Nothing else of the text changes.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from golpae.diagnostics import Diagnostic, SpecError, Text
from golpae.elaborate.check import check
from golpae.elaborate.instance import Instance
from golpae.elaborate.load import Loaded, load
from golpae.elaborate.resolve import Resolved, resolve
from golpae.ir.applies import has_to_apply
from golpae.ir.limits import TooManySteps
from golpae.ir.ruleset import PropertyDecl, RuleSet, form_of
from golpae.prove.encoding.transition_system import TransitionSystem
from golpae.prove.induction import invariant_templates as templates
from golpae.prove.induction.candidate import LEMMA_STAGES, Candidate, Predicate
from golpae.prove.induction.scopes import stage_holds
from golpae.prove.symbolic.values import implies
from golpae.replay.machine import State
from golpae.syntax import tree as t
from golpae.syntax.parse import parse
from golpae.verify.confirmation import GAMES as PLAYED
from golpae.verify.confirmation import by_replay
from golpae.verify.kept_proofs import SEPARATOR, KeptTable, lemma_of
from golpae.verify.properties import is_about_rules
from golpae.verify.sample_states import PlayedGames
from golpae.verify.stated import never_applies, predicate_of

NAME = "lemma-beside-the-text-"  # how the properties are called that stand for expressions
LONGEST = 2_000  # characters of an expression


class Lemmas:
    """The expressions that stand beside the text of one game. Raises `SpecError` if the text has a fault."""

    def __init__(self, base: str, places: Sequence[Path]) -> None:
        self._loaded: Loaded = load(base, places)
        self._parsed: dict[str, t.Property | Diagnostic] = {}

    def meanings(self, rule_set: RuleSet, expressions: Iterable[str]) -> dict[str, PropertyDecl | Diagnostic]:
        """Return the property that each expression means in a rule set of this game, or its first fault."""
        out: dict[str, PropertyDecl | Diagnostic] = {}
        nodes: dict[str, t.Property] = {}
        for words in dict.fromkeys(expressions):
            parsed = self._parse(words)
            if isinstance(parsed, Diagnostic):
                out[words] = parsed
            else:
                nodes[words] = parsed
        resolved = resolve(rule_set.rules, self._loaded)
        try:
            return out | _checked(resolved, nodes)
        except SpecError as fault:  # some expression has a fault: halves are looked at by themselves
            if len(nodes) == 1:
                return out | dict.fromkeys(nodes, fault.diagnostics[0])
            names, middle = list(nodes), len(nodes) // 2
            for part in (names[:middle], names[middle:]):
                out |= self.meanings(rule_set, part)
            return out

    def _parse(self, words: str) -> t.Property | Diagnostic:
        if words not in self._parsed:
            self._parsed[words] = _parse(words, len(self._parsed))
        return self._parsed[words]


def _parse(words: str, number: int) -> t.Property | Diagnostic:
    name = f"{NAME}{number}"
    if len(words) > LONGEST or "\n" in words or "\r" in words:
        return Diagnostic("S006", f"an expression of more than one line or {LONGEST} characters", None)
    try:
        decls = parse(Text.of("a lemma", f"always {name}: {words}\n")).decls
    except SpecError as fault:
        return fault.diagnostics[0]
    if len(decls) != 1 or not isinstance(decls[0], t.Property) or decls[0].ids:
        return Diagnostic("S001", f"`{words}` is no expression", None)
    return decls[0]


def _checked(resolved: Resolved, nodes: dict[str, t.Property]) -> dict[str, PropertyDecl]:
    rule_set = check(replace(resolved, decls=(*resolved.decls, *nodes.values())))
    by_name = {prop.name: prop for prop in rule_set.properties}
    return {words: by_name[node.name.text] for words, node in nodes.items()}


class KeptInvariants:
    """The invariants that are kept beside a text, read for one instance, and what games say of candidates.

    `several` says that the instance stands for several rule sets at once.
    """

    def __init__(self, instance: Instance, played: PlayedGames, several: bool) -> None:
        self.instance = instance
        self.played = played
        self.several = several

    def lemmas(self, system: TransitionSystem, kept_table: KeptTable) -> Iterator[Candidate]:
        """Yield the lemmas that are kept beside the text.

        Those that golpae could have found are known by their names; the others are read as expressions.
        """
        candidates = templates.named(system, kept_table.lemmas)
        others = [lemma_of(name) for name in kept_table.lemmas if name not in candidates]
        others = [(at, holds) for at, holds in others if at in LEMMA_STAGES]
        rules = self.instance.rule_set
        meanings = (
            Lemmas(rules.game, kept_table.places).meanings(rules, [e for _, e in others]) if others else {}
        )
        for name in kept_table.lemmas:
            at, holds = lemma_of(name)
            if name in candidates:
                yield replace(candidates[name], kept=True)
            elif isinstance(prop := meanings.get(holds), PropertyDecl) and at in LEMMA_STAGES:
                predicate = predicate_of(system.evaluator, prop, prop.expr, False)
                yield Candidate(name, _at_stage(at, predicate), kept=True)

    def still(self, candidates: Iterable[Candidate], names: Collection[str]) -> Iterator[Candidate]:
        """Yield the candidates with these names, and those that would make a property vacuous and were not seen in a
        game.
        """
        seen: frozenset[str] | None = None
        for candidate in candidates:
            if candidate.name in names:
                yield replace(candidate, kept=True)
            elif candidate.stated is None and SEPARATOR in candidate.name:
                seen = self._seen_to_apply() if seen is None else seen
                at, _ = lemma_of(candidate.name)
                if candidate.name not in seen and at not in LEMMA_STAGES:
                    yield candidate

    def possible(self, candidates: Iterable[Candidate]) -> Iterator[Candidate]:
        """Yield candidates, but not what would make a property vacuous and does not hold in some game.

        Induction would drop these too, one after the other, and look at the rest again each time. No games are asked
        about several rule sets at once.
        """
        seen = frozenset[str]() if self.several else None
        for candidate in candidates:
            if candidate.stated is None and SEPARATOR in candidate.name:
                seen = self._seen_to_apply() if seen is None else seen
                if candidate.name in seen:
                    continue
            yield candidate

    def _seen_to_apply(self) -> frozenset[str]:
        """Return the names of what would make a property vacuous, and does not hold in some game."""
        tests = {
            name: holds
            for name, prop in self._vacuities()
            if (holds := by_replay(self.played.machine, prop)) is not None
        }
        seen: set[str] = set()
        with suppress(TooManySteps):  # of what is not seen, the solver is asked
            self._note_seen(tests, seen)
        return frozenset(seen)

    def _note_seen(self, tests: Mapping[str, Callable[[State], bool]], seen: set[str]) -> None:
        """Add the names of the tests that fail in some game."""
        for state in self.played.states(PLAYED):
            for name in tests.keys() - seen:
                with suppress(TypeError, IndexError):
                    if not tests[name](state):
                        seen.add(name)
            if len(seen) == len(tests):
                return

    def _vacuities(self) -> Iterator[tuple[str, PropertyDecl]]:
        """Yield each condition that would make a property vacuous, as a property, with its name."""
        for prop in self.instance.rule_set.properties:
            form = form_of(prop.kind)
            if prop.after is None and form.invariant and form.may_be_vacuous:
                if is_about_rules(self.instance.rule_set, prop):
                    continue  # no game is needed
                for reason, applies in has_to_apply(prop.expr, form.negated):
                    yield never_applies(prop, reason), replace(prop, kind="never", expr=applies)


def _at_stage(at: str, predicate: Predicate) -> Predicate:
    inside = stage_holds(at)
    return lambda state: implies(inside(state), predicate(state))
