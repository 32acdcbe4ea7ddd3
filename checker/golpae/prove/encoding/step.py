"""One event as formulas: what it needs, and the state after it.

Input: none. Output: `Step`, which the transition system makes and every proof reads. Guarantee: data only.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from golpae.ir.ruleset import Action
from golpae.prove.symbolic.state import SymbolicState
from golpae.prove.symbolic.values import Bag, Truth, Value, all_of

FREE = object()  # a number of an event that can still be any number
MOVES = "then"  # the guard that the effects can be carried out; no condition can have this name
WHENS = "then when"  # the guards of the path through the effects


@dataclass(frozen=True, slots=True)
class Step:
    """One instance of an action.

    `guards` are its conditions by name, `open` among them, and `MOVES` and `WHENS` of its effects. `facts` are
    certain of the symbols that the step introduced. `names` are its parameters. A long test of an effect has a
    symbol of its own, which `definitions` define; a question that can be answered without the definitions needs no
    more.
    """

    action: Action
    names: Mapping[str, Value]
    guards: tuple[tuple[str, Truth], ...]
    facts: tuple[Truth, ...]
    before: SymbolicState
    after: SymbolicState
    definitions: tuple[Truth, ...] = ()
    dealt: tuple[Bag, ...] = ()  # the hands of a deal, seat 0 first

    @property
    def guard(self) -> Truth:
        return all_of(truth for _, truth in self.guards)

    @property
    def path_condition(self) -> tuple[Truth, ...]:
        """Return all that is true if the event happens."""
        return (*self.facts, *self.definitions, self.guard)
