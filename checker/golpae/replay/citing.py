"""What the explanation of a refusal takes from the rules alone: numbered rules, switches, zones, stages.

Input: a rule set, an action, one of its conditions.
Output: text on one line each.
Guarantee: nothing here depends on a game, so a caller without golpae can be given all of it beforehand.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from golpae.ir import expr as ir
from golpae.ir.dependencies import Dependencies, definitions_reached, pays, read_by
from golpae.ir.lifecycle import Stage
from golpae.ir.ruleset import Action, Condition, RuleSet
from golpae.ir.traverse import deciding_test, exprs_of, flat
from golpae.ir.types import Int
from golpae.lower import statements as st
from golpae.lower.effects import statements_of
from golpae.lower.walk import flat as flat_statements


def cited(rules: RuleSet, ids: Iterable[str]) -> Iterator[str]:
    """Yield the rules of these numbers, each with its source."""
    for number in ids:
        rule = rules.rule(number)
        if rule is None:
            title = dict(rules.sources).get(number)
            yield f"source {number}" + (f" ({title})" if title else "")
        else:
            section = f", {rule.section}" if rule.section else ""
            yield f"{number} (source {rule.source}{section}: {rule.gist})"


def rules_of(rules: RuleSet, clause: str) -> Iterator[str]:
    """Yield the rules that a condition rests on, by the name of the clause: `game.action.condition`."""
    _, _, path = clause.partition(".")
    name, _, condition = path.partition(".")
    for action in rules.actions:
        if action.name == name:
            for one in action.conditions:
                if one.name == condition:
                    yield from cited(rules, one.ids)
                    yield from changes(rules, action, one)


def changes(rules: RuleSet, action: Action, condition: Condition) -> Iterator[str]:
    """Yield the switches that changed what a condition uses: the numbered rules do not mention the change."""
    path = f"{action.name}.{condition.name}"
    exprs = [condition.expr]
    blocks: set[str] = set()
    if condition.of_game == "pay":
        blocks.add("payout")
        exprs += [e for clause in rules.payout for e in _amounts(clause.effects)]
    blocks.update(definitions_reached(exprs, {d.name: d for d in rules.definitions}))
    for switch in rules.switches:
        if switch.name in rules.active and any(p == path or p.split(".")[0] in blocks for p in switch.paths):
            yield f"as changed by {switch.name}: {switch.gist}"


def shared_zones(rules: RuleSet, condition: Condition) -> list[str]:
    """Return the shared zones that a condition reads, except a row whose whole order it compares."""
    shared = {zone.name for zone in rules.zones if not zone.each_player}
    read: dict[str, None] = {}
    for node in Dependencies(rules).nodes([condition.expr]):
        part = read_by(node)
        if part is not None and part.kind == "zone" and not isinstance(node, ir.FitsOrder):
            read[part.name] = None
    return [name for name in read if name in shared]


def tells_hidden(rules: RuleSet, action: Action, condition: Condition) -> bool:
    """Return whether the message of a condition may tell of tiles that the acting seat cannot see."""
    return any(_reads_hidden(rules, action, hole) for hole in _holes(condition))


def effects_tell_hidden(rules: RuleSet, action: Action) -> bool:
    """Return whether the reason why effects fail may tell of tiles that the acting seat cannot see."""
    for statement in flat_statements(statements_of(rules, action)):
        if isinstance(statement, st.Arrange):
            if not _is_seen(rules, action, statement.place.zone, statement.place.seat):
                return True
        elif isinstance(statement, st.AddToMeld | st.TakeFromMeld):
            if _reads_hidden(rules, action, statement.meld):
                return True
    asked = (
        effect for clause in action.effects for effect in clause.effects if isinstance(effect, ir.Ensure)
    )
    return any(_reads_hidden(rules, action, value) for effect in asked for value in effect.values)


def effects_fail_elsewhere(rules: RuleSet, action: Action) -> bool:
    """Return whether effects may fail for another reason than tiles that are not where they are moved from."""
    return any(
        isinstance(statement, st.Arrange | st.Cut | st.AddToMeld | st.TakeFromMeld | st.Ensure)
        for statement in flat_statements(statements_of(rules, action))
    )


def _reads_hidden(rules: RuleSet, action: Action, expr: ir.Expr) -> bool:
    for node in Dependencies(rules).nodes([expr]):
        read = read_by(node)
        if read is not None and read.kind == "zone" and not _is_seen(rules, action, read.name, read.seat):
            return True
    return False


def _is_seen(rules: RuleSet, action: Action, zone: str, seat: ir.Expr | None) -> bool:
    """Return whether the acting seat sees a zone."""
    own = isinstance(seat, ir.Local) and seat.name == action.by
    return rules.zone(zone).is_seen(own)


def _holes(condition: Condition) -> Iterator[ir.Expr]:
    if condition.of_game is None:
        yield from (part for part in condition.message if not isinstance(part, str))


def not_open(action: Action, stage: Stage) -> str:
    """Return why an action cannot happen at a stage."""
    match stage:
        case "before":
            if action.kind == "finish":
                return "no hand has ended yet"
            return f"no hand has been dealt yet: `{action.name}` has to wait for the `deal`"
        case "playing":
            if action.kind == "before":
                return f"`{action.name}` is possible only before the first `deal`"
            return f"a hand is under way: `{action.name}` has to wait for its `end`"
        case "over":
            return "the hand is over: only `end` can follow"
        case "ended":
            return "the hand has ended: only `deal` or `finish` can follow"
        case "finished":
            return "the match is finished: nothing can follow"


def _amounts(effects: tuple[ir.Effect, ...]) -> Iterator[ir.Expr]:
    """Yield the conditions and amounts of payments."""
    for effect in flat(effects):
        test = deciding_test(effect)
        if test is not None:
            yield test
        elif pays(effect):
            yield from (expr for expr in exprs_of(effect) if isinstance(expr.type, Int))
