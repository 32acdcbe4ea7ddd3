"""Elaborate expressions that stand outside of a rule text: lemmas that were written down beside it.

Input: a rule set by name, the places of its texts, and expressions as text.
Output: for each expression what it means in the rule set, as an `always`, or its first fault.
Guarantee: an expression means what it would mean in an `always` of the text. Nothing else of the text changes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from golpae.diagnostics import Diagnostic, SpecError, Text
from golpae.elaborate.check import check
from golpae.elaborate.load import Loaded, load
from golpae.elaborate.resolve import Resolved, resolve
from golpae.ir.ruleset import PropertyDecl, RuleSet
from golpae.syntax import tree as t
from golpae.syntax.parse import parse

NAME = "lemma-beside-the-text-"  # how the properties are called that stand for expressions
LONGEST = 2_000  # characters of an expression


class Lemmas:
    """The expressions that stand beside the text of one game. Raises `SpecError` if the text has a fault."""

    def __init__(self, base: str, places: Sequence[Path]) -> None:
        self._loaded: Loaded = load(base, places)
        self._parsed: dict[str, t.Property | Diagnostic] = {}

    def meanings(self, rule_set: RuleSet, expressions: Iterable[str]) -> dict[str, PropertyDecl | Diagnostic]:
        """Return what each expression means in a rule set of this game, or its first fault."""
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
