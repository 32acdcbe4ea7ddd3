"""Machines by rule set and table, each made once.

Input: headers of traces.
Output: machines, or the fault in words if a header names rules, players or options that do not exist.
Guarantee: memory does not grow with the traces; only the most recent machines are cached.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import replace

from golpae.diagnostics import Diagnostic, SpecError
from golpae.elaborate.instance import Instance, TableFault, bounds, instantiate, options_of
from golpae.ir.ruleset import RuleSet
from golpae.replay.codegen.generated import store, stored
from golpae.replay.machine import Machine
from golpae.trace.unseen import Completes

MOST_CACHED = 1_024
MOST_OPTIONS = 64  # of a machine that is cached


def machine_at(instance: Instance) -> Machine:
    """Return the machine of an instance, whose code is stored between runs."""
    made = stored(instance)
    machine = Machine(instance, made=made)
    if made is None:
        store(instance, machine.made)
    return machine


class Library:
    """Makes and caches the machines of rule sets at tables.

    `load` turns a rule set's name into its IR and may raise `SpecError`; `make` makes the machine of a table.
    `completes` decides games with tiles that nobody saw, which are malformed without it.
    `faults` are the first `MOST_CACHED` rule sets whose texts have faults; unknown rules have no text.
    """

    def __init__(
        self,
        load: Callable[[str], RuleSet],
        make: Callable[[Instance], Machine] = machine_at,
        completes: Completes | None = None,
    ) -> None:
        self._load = load
        self.completes = completes
        self._make_machine = make
        self._machines: OrderedDict[object, Machine | str] = OrderedDict()
        self._rules: OrderedDict[str, RuleSet | SpecError] = OrderedDict()
        self._most_players: dict[object, int] = {}
        self.faults: dict[str, SpecError] = {}

    def machine(self, rules: str, players: int, options: Mapping[str, int]) -> Machine | str:
        """Return the machine, or in words for the player why there is none."""
        key = (rules, players, tuple(sorted(options.items())))
        if key in self._machines:
            self._machines.move_to_end(key)
            return self._machines[key]
        machine = self._make(rules, players, options)
        if len(options) > MOST_OPTIONS:
            return machine
        self._machines[key] = machine
        if len(self._machines) > MOST_CACHED:
            self._machines.popitem(last=False)
        return machine

    def most_players(self, rules: str, options: Mapping[str, int]) -> int:
        """Return the largest number of players, with whom the whole set is in play; 0 if there are no such rules."""
        key = (rules, tuple(sorted(options.items())))
        if key not in self._most_players:
            if len(self._most_players) == MOST_CACHED:
                self._most_players.clear()
            self._most_players[key] = self._bounds(rules, options)
        return self._most_players[key]

    def _bounds(self, rules: str, options: Mapping[str, int]) -> int:
        rule_set = self.rule_set(rules)
        if rule_set is None:
            return 0
        try:
            return bounds(rule_set, options_of(rule_set, options))[1]
        except TableFault:
            return 0

    def rule_set(self, rules: str) -> RuleSet | None:
        """Return the rule set of this name, or None if its text has faults."""
        rule_set = self._rule_set(rules)
        return None if isinstance(rule_set, SpecError) else rule_set

    def text_faults(self, rules: str) -> SpecError | None:
        """Return the faults that prevent the use of a rule text, or None. Unknown rules have no text."""
        rule_set = self._rule_set(rules)
        return rule_set if isinstance(rule_set, SpecError) and _is_of_text(rule_set) else None

    def is_unknown(self, rules: str) -> bool:
        """Return whether there are no rules of this name."""
        rule_set = self._rule_set(rules)
        return isinstance(rule_set, SpecError) and not _is_of_text(rule_set)

    def _make(self, rules: str, players: int, options: Mapping[str, int]) -> Machine | str:
        rule_set = self._rule_set(rules)
        if isinstance(rule_set, SpecError):
            return _fault_words(rules, rule_set.diagnostics[0])
        try:
            return self._make_machine(instantiate(rule_set, players, options))
        except TableFault as fault:
            return str(fault)
        except RecursionError:
            advice = "give parts of their longest lines names with `define`"
            return f"the rules `{rules}` are nested too deeply; {advice}"

    def _rule_set(self, rules: str) -> RuleSet | SpecError:
        if rules in self._rules:
            self._rules.move_to_end(rules)
            return self._rules[rules]
        try:
            rule_set: RuleSet | SpecError = self._load(rules)
        except SpecError as fault:
            rule_set = fault
            if len(self.faults) < MOST_CACHED and _is_of_text(fault):
                self.faults[rules] = fault
        self._rules[rules] = rule_set
        if len(self._rules) > MOST_CACHED:
            self._rules.popitem(last=False)
        return rule_set


class Waived:
    """Machines whose actions lack conditions that were set aside."""

    def __init__(self) -> None:
        self._machines: dict[tuple[int, str, str], tuple[Machine, Machine]] = {}

    def without(self, machine: Machine, action: str, condition: str) -> Machine:
        """Return the machine without a condition of an action."""
        key = id(machine), action, condition
        if key not in self._machines:
            if len(self._machines) == 16:
                self._machines.clear()
            rules = machine.rules
            actions = tuple(
                replace(a, conditions=tuple(c for c in a.conditions if c.name != condition))
                if a.name == action
                else a
                for a in rules.actions
            )
            instance = replace(machine.instance, rule_set=replace(rules, actions=actions))
            self._machines[key] = machine, Machine(instance)
        return self._machines[key][1]


def _is_of_text(fault: SpecError) -> bool:
    """Return whether faults are in a rule text, as opposed to the name of rules that are not there."""
    return any(d.span is not None or d.code not in ("L001", "R001") for d in fault.diagnostics)


def _fault_words(rules: str, fault: Diagnostic) -> str:
    """Return why there is no machine for these rules and, if their text is faulty, where."""
    advice = f"; {fault.help}" if fault.help else ""
    if fault.span is None:
        return fault.message + advice
    line, column = fault.span.text.position(fault.span.start)
    return (
        f"the rules `{rules}` have a fault at {fault.span.text.name}:{line}:{column}: {fault.message}{advice}"
    )
