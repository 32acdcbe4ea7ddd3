"""Which constructs of the language a rule set uses.

Input: a rule set. Output: the names of the constructs in it; `ALL`, every construct that there is.
Guarantee: the names follow the classes and words of the IR, so that a new one is asked for at once.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import get_args

from golpae.ir import expr as ir
from golpae.ir.ruleset import PROPERTY_KINDS, SCORE_TOTALS, RuleSet
from golpae.ir.traverse import exprs_in, flat, nodes
from golpae.ir.types import (
    BOOL,
    INT,
    MELD,
    MELDS,
    NUMBERS,
    PATTERNS,
    SEAT,
    SEATS,
    TILE,
    TILES,
    Bag,
    Choice,
    Each,
    Opt,
    Type,
)
from tests.differential.hard_constructs import HARD, hard_constructs

PLAIN = {BOOL: "truth", INT: "number", SEAT: "seat", TILE: "tile", MELD: "meld", PATTERNS: "patterns",
         TILES: "tiles", SEATS: "seats", NUMBERS: "numbers", MELDS: "melds", Bag(TILES): "list of tiles"}  # fmt: skip
PLACES = ("tiles", "row", "row front", "row back", "melds", "meld")
KEYS = ("tile", "{a, b}", "tiles", "list of tiles", "seat", "choice", "number", "bounded number", "truth", "meld",
        "melds", "seats", "numbers", "patterns", "each player's number")  # fmt: skip
OPTIONAL = (
    "tile",
    "seat",
    "number",
    "bounded number",
    "choice",
    "tiles",
    "truth",
    "patterns",
    "each player's number",
)
STATES = ("truth", "number", "bounded number", "seat", "tile", "choice", "tiles", "seats", "numbers", "meld or none",
          "melds", "list of tiles", "truth or none", "number or none", "seat or none", "tile or none", "choice or none",
          "tiles or none", "each player's number or none")  # fmt: skip
ROUNDS = ("truth", "number", "seat", "tile", "meld", "tiles", "choice")
COMPARED = ("truth", "number", "seat", "tile", "choice", "tiles", "seats", "numbers", "melds", "meld", "list of tiles",
            "seat or none", "tile or none", "number or none", "choice or none")  # fmt: skip
MEMBERS = ("seat", "tile", "number", "choice", "tiles", "seats", "numbers", "meld", "tile or none")
CHOSEN = ("truth", "number", "seat", "tile", "tiles", "seats")
DOMAINS = ("seats", "tiles", "numbers", "melds", "list of tiles")
NEVER: dict[str, str] = {}  # constructs that random texts never have, each with the reason


def _all() -> Iterator[str]:
    yield from (f"expression {c.__name__}" for c in get_args(ir.Expr))
    yield from (f"effect {c.__name__}" for c in get_args(ir.Effect))
    yield from (f"operator {op}" for op in ir.OPS)
    yield from (f"word {w}" for w in ir.WORDS)
    for kind in get_args(ir.QuantKind):
        yield from (f"{kind}", f"{kind} of several names", f"{kind} of a size", f"{kind} way")
    yield from (f"fold {kind}" for kind in get_args(ir.FoldKind))
    yield from ("fold of a size", "fold with a test")
    yield from (f"key {k}" for k in KEYS)
    yield from (f"optional key {k}" for k in OPTIONAL)
    yield from (f"state {s}" for s in STATES)
    yield from ("state of the match", "state of each player", "state without a first value")
    yield from (f"move from {a} to {b}" for a in PLACES for b in PLACES)
    yield from ("move all", "move with a label", "move of a bag", "nobody wins", "pass right", "pass left")
    yield from ("else", "else of an else", "else that knows a value")
    yield from (f"round over {r}" for r in ROUNDS)
    yield from ("shuffle row", "shuffle tiles", "shuffle melds", "nested for each")
    yield from (f"property {k}" for k in PROPERTY_KINDS)
    yield from (f"property {k} after" for k in ("always", "never", "reachable", "ends"))
    yield from (f"total {t}" for t in SCORE_TOTALS)
    yield from (
        f"score {p}" for p in ("keep", "marking", "fixed", "brings", "provided", "define", "extra", "each")
    )
    yield from ("shape with names", "shape of a size", "shape union", "arrangement union", "different")
    yield from ("option", "withdrawn", "written", "pattern of tiles", "finish", "payout", "before the deal")
    yield from ("deal key", "end key", "define of each tile", "define of each player", "define with cases")
    yield from ("switch variant", "switch reading", "two switches")
    yield from (f"equal {k}" for k in COMPARED)
    yield from (f"{k} in a bag" for k in MEMBERS)
    yield from (f"question about {k}" for k in DOMAINS)
    yield from (f"sum over {k}" for k in DOMAINS)
    yield from (f"if of {k}" for k in CHOSEN)
    yield from (f"{kind} of a hand that {do}" for kind in ("deal", "end") for do in ("moves", "assigns"))
    yield from ("define with parameters", "action without a player", "dealt from another zone")
    yield from HARD


ALL = frozenset(_all())


def constructs_of(rules: RuleSet) -> set[str]:
    """Return the constructs of a rule set."""
    found = set(_of(rules)) | {f"switch {s.kind}" for s in rules.switches}
    return found | {"two switches"} if len(rules.switches) > 1 else found


def _of(rules: RuleSet) -> Iterator[str]:
    effects = [e for a in rules.actions for c in a.effects for e in flat(c.effects)]
    effects += [e for c in rules.payout for e in flat(c.effects)]
    exprs = [c.expr for a in rules.actions for c in a.conditions]
    exprs += [case.expr for d in rules.definitions for case in d.cases]
    exprs += [s.test for s in rules.shapes if s.test is not None] + [p.expr for p in rules.properties]
    exprs += list(exprs_in([e for a in rules.actions for c in a.effects for e in c.effects]))
    exprs += list(exprs_in([e for c in rules.payout for e in c.effects]))
    for score in rules.scores:
        exprs += [e for _, e in score.defines] + [p.test for p in score.patterns]
        exprs += [score.keep] if score.keep is not None else []
    for expr in exprs:
        for node in nodes(expr):
            yield from _of_node(node)
    for effect in effects:
        yield from _of_effect(rules, effect)
    yield from _of_declarations(rules)
    yield from _of_actions(rules)
    yield from hard_constructs(rules)


def _of_node(node: ir.Expr) -> Iterator[str]:
    yield f"expression {type(node).__name__}"
    match node:
        case ir.Op(op=op, args=args):
            yield f"operator {op}"
            if op in ("eq", "bag_eq"):
                yield from (f"equal {_named(arg.type)}" for arg in args if _named(arg.type) in COMPARED)
            if op in ("member", "bag_member", "within") and _named(args[0].type) in MEMBERS:
                yield f"{_named(args[0].type)} in a bag"
        case ir.If(type=kind):
            yield from [f"if of {_named(kind)}"] * (_named(kind) in CHOSEN)
        case ir.Builtin(name=name):
            yield f"word {name}"
        case ir.Quant(kind=kind, names=names, size=size, domain=domain):
            yield from [f"question about {_named(domain.type)}"] * (_named(domain.type) in DOMAINS)
            yield (
                kind
                if size is None and len(names) == 1
                else f"{kind} of a size"
                if size
                else f"{kind} of several names"
            )
        case ir.Ways(kind=kind):
            yield f"{kind} way"
        case ir.Fold(kind=kind, size=size, test=test, domain=domain):
            yield f"fold {kind}"
            yield from [f"sum over {_named(domain.type)}"] * (_named(domain.type) in DOMAINS)
            yield from ["fold of a size"] * (size is not None)
            yield from ["fold with a test"] * (test is not None and kind in ("sum", "most", "least", "each"))
        case _:
            pass


def _place(rules: RuleSet, place: ir.Place | ir.MeldPlace) -> str:
    if isinstance(place, ir.MeldPlace):
        return "meld"
    kind = rules.zone(place.zone).kind
    return f"{kind} {place.end}" if place.end else kind


def _of_effect(rules: RuleSet, effect: ir.Effect) -> Iterator[str]:
    yield f"effect {type(effect).__name__}"
    match effect:
        case ir.Move(what=what, source=source, target=target, label=label):
            yield f"move from {_place(rules, source)} to {_place(rules, target)}"
            yield from ["move all"] * (what is None) + ["move with a label"] * (label is not None)
            yield from ["move of a bag"] * (what is not None and what.type == TILES)
        case ir.Win(seat=None):
            yield "nobody wins"
        case ir.PassOn(side=side):
            yield f"pass {side}"
        case ir.When(test=test, effects=_, otherwise=(first, *_)):
            yield from ["else"] + ["else of an else"] * (isinstance(first, ir.When) and first.otherwise != ())
            yield from ["else that knows a value"] * (isinstance(test, ir.Op) and test.op == "is_none")
        case ir.Shuffle(zone=zone):
            yield f"shuffle {rules.zone(zone.zone).kind}"
        case ir.ForEach(domain=domain, effects=inner):
            member = TILE if domain.type == MELD else getattr(domain.type, "item", None)
            over = _named(member.item if isinstance(member, Opt) else member) if member is not None else ""
            yield from [f"round over {over}"] * (over in ROUNDS)
            yield from ["nested for each"] * any(isinstance(e, ir.ForEach) for e in inner)
        case _:
            pass


def _named(kind: Type, bounded: bool = False) -> str:
    match kind:
        case Opt(item):
            return f"{_named(item)} or none"
        case Each(item):
            return f"each player's {_named(item)}"
        case Choice():
            return "choice"
        case _:
            return f"bounded {PLAIN[kind]}" if bounded else PLAIN.get(kind, "other")


def _of_declarations(rules: RuleSet) -> Iterator[str]:
    for var in rules.vars:
        yield f"state {_named(var.type, var.low is not None)}"
        yield from ["state of the match"] * (var.scope == "match") + [
            "state of each player"
        ] * var.each_player
        yield from ["state without a first value"] * (var.initial is None)
    for shape in rules.shapes:
        yield "shape union" if shape.union else "shape with names" if shape.names else "shape of a size"
    for arrangement in rules.arrangements:
        yield from ["arrangement union"] * bool(arrangement.union)
        yield from ["different"] * any(p.different for p in arrangement.parts)
    for score in rules.scores:
        yield f"total {score.total}"
        has = {"keep": score.keep, "marking": score.marking, "fixed": score.fixed, "brings": score.brings,
               "provided": score.provided, "define": score.defines}  # fmt: skip
        yield from (f"score {name}" for name, value in has.items() if value)
        yield from ["score extra"] * any(p.extra for p in score.patterns)
        yield from ["score each"] * any(p.each for p in score.patterns)
    for define in rules.definitions:
        yield from ["define with parameters"] * bool(define.params) + ["define with cases"] * (
            not define.single
        )
        if define.params and define.params[0].name == "it":
            yield f"define of each {'tile' if define.params[0].type == TILE else 'player'}"
    for prop in rules.properties:
        yield f"property {prop.kind}"
        yield from [f"property {prop.kind} after"] * (prop.after is not None)
    yield from ["option"] * bool(rules.options) + ["withdrawn"] * (rules.tiles.withdrawn is not None)
    yield from ["written"] * bool(rules.tiles.written) + ["payout"] * bool(rules.payout)
    yield from ["pattern of tiles"] * any(g.pattern for g in rules.tiles.groups)


def _of_actions(rules: RuleSet) -> Iterator[str]:
    own = {"deal": 3, "end": 2, "finish": 2}
    holder = next(z.name for z in rules.zones if z.holds_set)
    for action in rules.actions:
        effects = [e for clause in action.effects for e in flat(clause.effects)]
        if action.kind in ("deal", "end"):
            yield from [f"{action.kind} of a hand that moves"] * any(isinstance(e, ir.Move) for e in effects)
            yield from [f"{action.kind} of a hand that assigns"] * any(
                isinstance(e, ir.SetState) for e in effects
            )
        yield from ["before the deal"] * (action.kind == "before")
        yield from ["finish"] * bool(action.kind == "finish" and action.effects)
        params = action.params[own.get(action.kind, 0) :]
        yield from [f"{action.kind} key"] * bool(params and action.kind in own)
        yield from ["action without a player"] * (action.kind == "play" and action.by is None)
        yield from ["dealt from another zone"] * bool(action.dealing and action.dealing.zone != holder)
        for param in params:
            kind = param.type.item if isinstance(param.type, Opt) else param.type
            name = "{a, b}" if len(param.parts) > 1 else _named(kind, param.low is not None)
            yield f"{'optional ' if param.optional else ''}key {name}"
