"""Machines by rule set and table, each made once.

In: headers of traces. Out: machines, or the fault in words where a header names rules, players or options
that there are not. Keeps the most recent ones, so that memory does not grow with the traces.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping

from golpae.diagnostics import Diagnostic, SpecError
from golpae.elaborate.instance import TableFault, instantiate
from golpae.ir.ruleset import RuleSet
from golpae.replay.machine import Machine

KEPT = 64
MOST_OPTIONS = 64  # of a machine that is kept


class Library:
    """Gives the machine of a rule set at a table.

    `load` turns a rule set's name into its IR and may raise `SpecError`. `faults` holds the first `KEPT` rule
    sets whose texts have faults; rules that there are not have no text.
    """

    def __init__(self, load: Callable[[str], RuleSet]) -> None:
        self._load = load
        self._machines: OrderedDict[object, Machine | str] = OrderedDict()
        self._rules: OrderedDict[str, RuleSet | SpecError] = OrderedDict()
        self.faults: dict[str, SpecError] = {}

    def machine(self, rules: str, players: int, options: Mapping[str, int]) -> Machine | str:
        """The machine, or why there is none, in words for the player."""
        key = (rules, players, tuple(sorted(options.items())))
        if key in self._machines:
            self._machines.move_to_end(key)
            return self._machines[key]
        found = self._make(rules, players, options)
        if len(options) > MOST_OPTIONS:
            return found
        self._machines[key] = found
        if len(self._machines) > KEPT:
            self._machines.popitem(last=False)
        return found

    def rule_set(self, rules: str) -> RuleSet | None:
        """The rule set of this name, None where its text has faults."""
        found = self._rule_set(rules)
        return None if isinstance(found, SpecError) else found

    def _make(self, rules: str, players: int, options: Mapping[str, int]) -> Machine | str:
        rule_set = self._rule_set(rules)
        if isinstance(rule_set, SpecError):
            return _told(rules, rule_set.diagnostics[0])
        try:
            return Machine(instantiate(rule_set, players, options))
        except TableFault as fault:
            return str(fault)
        except RecursionError:
            return f"the rules `{rules}` are nested too deep; name parts of their longest lines with `define`"

    def _rule_set(self, rules: str) -> RuleSet | SpecError:
        if rules in self._rules:
            self._rules.move_to_end(rules)
            return self._rules[rules]
        try:
            found: RuleSet | SpecError = self._load(rules)
        except SpecError as fault:
            found = fault
            if len(self.faults) < KEPT and any(d.span is not None for d in fault.diagnostics):
                self.faults[rules] = fault
        self._rules[rules] = found
        if len(self._rules) > KEPT:
            self._rules.popitem(last=False)
        return found


def _told(rules: str, fault: Diagnostic) -> str:
    """Why there is no such machine; of a faulty text, where the fault is."""
    advice = f"; {fault.help}" if fault.help else ""
    if fault.span is None:
        return fault.message + advice
    line, column = fault.span.text.place(fault.span.start)
    return (
        f"the rules `{rules}` have a fault at {fault.span.text.name}:{line}:{column}: {fault.message}{advice}"
    )
