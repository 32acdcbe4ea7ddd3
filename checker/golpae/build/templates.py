"""What a host of a module has to know to say the same words as `golpae check`.

Input: an instance, and its module. Output: the templates, as one JSON object.
Guarantee: everything in them is plain data. A message is a list of words and of holes, `{"value": TYPE}`; a hole with a
`key` has the value of that key of the line, as it is written there.

A type is a word (`seat`, `tile`, `number`, `truth`, `meld`, `score`, `patterns`, `none`), or an object: one of some
words is `{"word": [...]}`, a bag `{"list": TYPE}`, a value for each player `{"each": TYPE}`, a value or none
`{"or none": TYPE}`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, assert_never

from golpae import __version__
from golpae.elaborate.instance import Instance, Kind, options_of
from golpae.elaborate.lifecycle import own_params
from golpae.ir import expr as ir
from golpae.ir.dependencies import other_owners
from golpae.ir.lifecycle import STAGES
from golpae.ir.ruleset import Action, Condition, ParamDecl, RuleSet, VarDecl
from golpae.ir.traverse import free
from golpae.ir.types import (
    Bag,
    Bool,
    Choice,
    Each,
    Int,
    Meld,
    NoneType,
    Opt,
    Patterns,
    Points,
    Seat,
    Tile,
    Type,
)
from golpae.kernel.emit.playing.listing import may_fail
from golpae.kernel.language.limits import named
from golpae.kernel.module import Compiled
from golpae.lower.event_plan import asks_order
from golpae.replay.citing import changes, cited, effects_fail_elsewhere, not_open, shared_zones
from golpae.replay.machine import Machine
from golpae.replay.report import NOT_POSSIBLE, NOT_THERE
from golpae.replay.runtime import EFFECTS

FORMAT = 1  # of the templates and of what a module exports
SECTION = "golpae"  # the custom section of a module that has them
_LENGTHS = {"end": ("pay",), "finish": ("totals",)}  # keys with one number for each player


def templates(machine: Machine, made: Compiled) -> dict[str, Any]:
    """Return the templates of a module that stands alone."""
    instance, rules = machine.instance, machine.rules
    assert made.texts is not None
    layout = made.layout
    return {
        "format": FORMAT,
        "golpae": __version__,
        "rules": rules.rules,
        "game": rules.game,
        "title": rules.title,
        "spec": rules.spec_hash,
        "players": instance.players,
        "options": dict(instance.options),
        "usual_options": options_of(rules, {}),
        "memory": {
            "text": [made.texts.start, made.texts.room],
            "position": [layout.at, layout.state_end - layout.at],
            "why": made.why,
        },
        "reasons": list(made.refused),
        "limits": {str(number): words for number, words in named().items()},
        "tiles": [_tile(kind) for kind in instance.kinds],
        "labels": {label: machine.reader.sizes.get(label, 1) for label in sorted(machine.reader.labels)},
        "zones": [
            {"name": z.name, "kind": z.kind, "each_player": z.each_player, "seen_by": z.seen_by}
            for z in rules.zones
        ],
        "states": [*map(state_of, rules.vars)],
        "actions": [_action(instance, action) for action in rules.actions],
    }


def state_of(var: VarDecl) -> dict[str, Any]:
    """Return the declaration of a state variable as a JSON object, for the templates of a module or a page."""
    out = {"name": var.name, "type": type_of(var.type), "each_player": var.each_player}
    if var.title is not None:
        is_sentence = "{" in var.title  # else it is said before the value
        out["told" if is_sentence else "title"] = var.title
    return {**out, "hidden": True} if var.hidden else out


def _tile(kind: Kind) -> dict[str, Any]:
    return {
        "name": kind.name,
        "spoken": kind.spoken,
        "also": [alias for alias in kind.aliases if alias != kind.name],
        "copies": kind.copies,
        "withdrawn": kind.withdrawn,
    }


def _action(instance: Instance, action: Action) -> dict[str, Any]:
    rules = instance.rule_set
    own = {param.name for param in own_params(action)}
    return {
        "name": action.name,
        "kind": action.kind,
        "title": action.title,
        "by": action.by is not None,
        "keys": [_key(rules, action, param, param.name in own) for param in action.params],
        "conditions": [
            *(_condition(rules, action, condition) for condition in action.conditions),
            *([_effects(rules, action)] if may_fail(rules, action) else ()),
        ],
        "not_open": {stage: not_open(action, stage) for stage in STAGES},
    }


def _key(rules: RuleSet, action: Action, param: ParamDecl, own: bool) -> dict[str, Any]:
    kind = param.type.item if param.optional and isinstance(param.type, Opt) else param.type
    return {
        "name": param.name,
        "type": type_of(kind),
        "optional": param.optional,
        "of_text": own,
        "tiles": len(param.parts),
        "ordered": not param.parts and asks_order(rules, action, param.name),
    }


def _condition(rules: RuleSet, action: Action, condition: Condition) -> dict[str, Any]:
    out: dict[str, Any] = {"name": condition.name}
    ids: Iterable[str] = condition.ids
    if condition.of_game is not None:
        out["of_every_game"] = condition.of_game
        if condition.of_game == "winner" and rules.winners_state is not None:
            out["winners"] = rules.winners_state
        if condition.of_game == "set":
            ids = rules.tiles.ids or ids
            of_withdrawn = rules.tiles.withdrawn_ids or condition.ids
            out["rules_if_withdrawn"] = [*cited(rules, of_withdrawn), *changes(rules, action, condition)]
    else:
        out["message"] = [part if isinstance(part, str) else _hole(part) for part in condition.message]
    out["rules"] = [*cited(rules, ids), *changes(rules, action, condition)]
    out["zones"] = shared_zones(rules, condition)
    others = [] if action.by is None else [name for name, _ in other_owners(action, condition)]
    if others:
        out["others"] = others
    length = _length(action, condition)
    if length is not None:
        out["length_of"] = length
    return out


def _effects(rules: RuleSet, action: Action) -> dict[str, Any]:
    """Return the condition behind all others of an action: its effects can happen. Its refusal shows no zones."""
    message = NOT_POSSIBLE if effects_fail_elsewhere(rules, action) else NOT_THERE
    return {"name": EFFECTS, "message": [message], "rules": [*cited(rules, action.ids)], "zones": None}


def _hole(expr: ir.Expr) -> dict[str, Any]:
    """Return the hole for a value of a message. Patterns that a line records are said as they are written there."""
    key = {"key": expr.name} if isinstance(expr, ir.Local) and isinstance(expr.type, Patterns) else {}
    return {"value": type_of(expr.type), **key}


def _length(action: Action, condition: Condition) -> str | None:
    """Return the key whose list has the wrong length if a condition fails, and nothing before it can have read."""
    name: str | None
    if condition.of_game is not None:
        name = condition.of_game if condition.of_game in _LENGTHS.get(action.kind, ()) else None
    else:
        name = next((p.name for p in action.params if p.name == condition.name and _has_length(p)), None)
    before = action.conditions[: action.conditions.index(condition)]
    read = {read for c in before for read in free(c.expr)}
    return None if name in read else name


def _has_length(param: ParamDecl) -> bool:
    bare = param.type.item if isinstance(param.type, Opt) else param.type
    return bool(param.parts) or isinstance(bare, Each)


def type_of(kind: Type) -> Any:
    """Return a type as plain data."""
    match kind:
        case Seat():
            return "seat"
        case Tile():
            return "tile"
        case Int():
            return "number"
        case Bool():
            return "truth"
        case Meld():
            return "meld"
        case Points():
            return "score"
        case Patterns():
            return "patterns"
        case NoneType():
            return "none"
        case Choice(words):
            return {"word": list(words)}
        case Bag(item):
            return {"list": type_of(item)}
        case Each(item):
            return {"each": type_of(item)}
        case Opt(item):
            return {"or none": type_of(item)}
        case _:
            assert_never(kind)
