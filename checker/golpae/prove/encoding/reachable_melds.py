"""The groups that can ever lie in zones of melds, and the members that states of melds, numbers and lists can have.

Input: a transition system. Output: its groups are complete. Guarantee: every group that some game makes is among them;
others may be too, for conditions that need a score are left out on the way.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from golpae.ir.lifecycle import OVER
from golpae.ir.ruleset import Action
from golpae.lower import statements as st
from golpae.lower.effects import statements_of
from golpae.lower.walk import flat
from golpae.prove.encoding.transition_system import TransitionSystem
from golpae.prove.symbolic.terms import Unsupported
from golpae.workers import tell_part

MOST_GROUPS = 1_000  # that can lie in a zone


def find_reachable_melds(system: TransitionSystem) -> None:
    """Complete the groups of a system, as a fixed point over its steps. Raises `Unsupported`."""
    system.skip_scores = True
    try:
        system.initial_state()
        _find(system)
    finally:
        system.skip_scores = False
    system.states.groups_complete = True


def _find(system: TransitionSystem) -> None:
    states = system.states
    system.unknown_state()  # notes which states have no encoding, even if no action makes anything
    makers = [a for a in system.rules.actions if makes_members(a, system)]
    late: dict[str, list[Any]] = {name: [] for name in states.groups}  # made when the hand ends
    for action in _until_nothing_is_new(system, makers):
        tell_part(f"groups of tiles that `{action.name}` makes")
        reached = {name: list(groups) for name, groups in states.groups.items()}
        for step in system.specialized_steps(action, system.unknown_state()):
            over = step.after.at == OVER
            for name, groups in states.groups.items():
                new = groups[len(reached[name]) :]  # which are added at the end
                if over:
                    late[name] += [g for g in new if g not in late[name]]
                else:
                    reached[name] += new
                _check_number(name, reached[name])
            states.groups = {name: list(groups) for name, groups in reached.items()}
    for name, groups in states.groups.items():
        groups += [g for g in late[name] if g not in groups]
    last = [a for a in makers if a.kind != "play"]  # what can follow the end of a hand
    for action in _until_nothing_is_new(system, last):
        for _ in system.specialized_steps(action, system.unknown_state()):
            pass


def _check_number(name: str, groups: Sequence[Any]) -> None:
    """Raise `Unsupported` if there are too many groups to ask about."""
    if len(groups) > MOST_GROUPS:
        raise Unsupported(f"more than {MOST_GROUPS:,} different melds in `{name}`")


def _until_nothing_is_new(system: TransitionSystem, actions: Sequence[Action]) -> Iterator[Action]:
    """Yield actions in turn, each again only if what there was before its last turn is not all that there is now."""
    before: dict[str, Any] = {}
    while True:
        waiting = [a for a in actions if before.get(a.name) != _noted(system)]
        if not waiting:
            return
        for action in waiting:
            noted = _noted(system)
            if before.get(action.name) != noted:
                before[action.name] = noted
                yield action


def _noted(system: TransitionSystem) -> Any:
    groups = {name: list(groups) for name, groups in system.states.groups.items()}
    return groups, set(system.states.blank)


def makes_members(action: Action, system: TransitionSystem) -> bool:
    """Return whether an action can make a group, or a member of a state."""
    for statement in flat(statements_of(system.rules, action)):
        if isinstance(statement, st.Set) and statement.name in system.states.groups:
            return True
        if isinstance(statement, st.AddToMeld | st.TakeFromMeld | st.NewMeld | st.PutMeld | st.MoveMelds):
            return True
    return action.kind == "deal" and any(v.name in system.states.groups for v in system.rules.vars)
