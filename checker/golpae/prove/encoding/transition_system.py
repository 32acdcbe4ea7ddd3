"""The transition relation of a rule set at one table, from its IR.

In: an `Evaluator`. Out: tables of unknown values, and for each action its instances: the same action with its
tiles, seats and words filled in, each a `Step` from a table: the guard under which the event is legal, and the
table after it.

The player who acts is always seat 0. INVARIANT: the language has no word for a seat of a certain number, so
a table may be turned until the one who acts sits there, and nothing changes.

Effects happen one after the other on a copy of the table, so an action that puts and takes the same tile in the
same zone ends with the sum of its moves. What has to lie somewhere to be moved is part of the guard: replay
refuses an event whose tiles are not there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations_with_replacement, permutations, product
from typing import Any, assert_never

from golpae.ir import expr as ir
from golpae.ir.dependencies import reads_through, written_by
from golpae.ir.ruleset import Action, EffectClause, ParamDecl, RuleSet, VarDecl, ZoneDecl
from golpae.ir.traverse import conjuncts, exprs_of, flat, names_in, nodes
from golpae.ir.types import Bag as BagType
from golpae.ir.types import Bool, Choice, Int, Opt, Seat, Tile, Type
from golpae.prove.encoding.argument_order import is_order_sensitive
from golpae.prove.encoding.evaluate import OPAQUE, Evaluator
from golpae.prove.symbolic.state import (
    BEFORE,
    ENDED,
    FINISHED,
    OVER,
    PLAYING,
    STAGES,
    SymbolicState,
    merged,
)
from golpae.prove.symbolic.values import (
    EMPTY,
    Bag,
    Group,
    Truth,
    Unsupported,
    Value,
    all_of,
    any_of,
    as_bag,
    as_number,
    at_least,
    bag_minus,
    bag_of,
    bags_same,
    cases,
    conj,
    equal,
    group_bag,
    guarded_union,
    iff,
    implies,
    is_long,
    ite_number,
    joined,
    negate,
    plus,
    same,
    size,
    tiles_of,
    times,
    total_of,
    within,
)
from golpae.prove.symbolic.zones import (
    HIDDEN,
    Tracking,
    Zone,
    arranged,
    empty_row,
    fits,
    hidden_places,
    put,
    row_of,
    shuffled,
    take,
)

OPEN = {
    "play": (PLAYING,),
    "before": (BEFORE,),
    "deal": (BEFORE, ENDED),
    "end": (PLAYING, OVER),
    "finish": (ENDED,),
}


MOST_WAYS = 3  # tests of effects that one event is cut into steps by
FREE = object()  # a number of an event that is still any number


@dataclass(frozen=True, slots=True)
class Step:
    """One instance of an action. `guards` are its conditions by name, `open` and `moves` among them.

    `facts` are certain of the unknown values that the step brought in; `names` are its parameters. What an effect
    depends on may be long: then a truth of its own stands for it, and `definitions` says what it is. A question that
    is answered without needs no more.
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
        """All that is so where the event happens."""
        return (*self.facts, *self.definitions, self.guard)


class TransitionSystem:
    """Tables and steps of one rule set at one table.

    What `also`, another rule set, asks of rows is known of its tables too, so that both can be asked about them.
    """

    def __init__(self, evaluator: Evaluator, also: RuleSet | None = None) -> None:
        self.evaluator = evaluator
        self.asking = (evaluator.rules, *(() if also is None else (also,)))
        self.symbols = evaluator.symbols
        self.rules = evaluator.rules
        self.players = evaluator.players
        self.zone_decls = {z.name: z for z in self.rules.zones}
        self.groups: dict[str, list[Group]] = {z.name: [] for z in self.rules.zones if z.kind == "melds"}
        self.conservation: list[
            Truth
        ] = []  # of the last unknown table: no tile is lost, and each lies in one place
        # whether every tile is filled in, and groups are asked for, so that none is left open
        self.exhaustive = False
        self.order_sensitive: dict[
            str, bool
        ] = {}  # actions, and whether it matters which of `{a, b}` comes first
        self._scored: dict[ir.Expr, bool] = {}
        self._needs: list[Truth] = []
        self._definitions: list[Truth] = []
        self._whens: list[Truth] = []
        self._choices: list[bool] | None = None  # which way effects go, in the order they are met
        self._taken = 0
        self._skip_scores = (
            False  # whether conditions that ask for a score are left out: more may seem possible
        )
        self._melds_complete = False  # whether all groups that can lie in zones of melds are known

    # ------------------------------------------------------------------ what is asked of the rules

    @cached_property
    def tracking(self) -> dict[str, Tracking]:
        """What is asked of each row."""
        asked: set[tuple[str, str]] = set()
        hides = {z.name for z in self.rules.zones if z.holds_set}
        for node in self._all_nodes():
            match node:
                case ir.ZoneEnd(name=name, end=end) | ir.Fits(name=name, end=end):
                    asked.add((name, end))
                case ir.ZonePlace(name=name):
                    asked.add((name, "places"))
                case _:
                    pass
        for effect in self._all_effects():
            match effect:
                case ir.Shuffle(zone=place):
                    hides.add(place.zone)
                case ir.Move(source=ir.Place(zone=name, end=str(end))):
                    asked.add((name, end))
                case _:
                    pass
        hides |= {a.dealing.zone for r in self.asking for a in r.actions if a.dealing is not None}

        def of(name: str) -> Tracking:
            front, back, places = ((name, what) in asked for what in ("front", "back", "places"))
            return Tracking(name, front, back, name in hides, places)

        return {z.name: of(z.name) for z in self.rules.zones if z.kind == "row"}

    def _all_nodes(self) -> Iterator[ir.Expr]:
        exprs = [e for effect in self._all_effects() for e in exprs_of(effect)]
        for rules in self.asking:
            exprs += [c.expr for d in rules.definitions for c in d.cases]
            exprs += [c.expr for a in rules.actions for c in a.conditions]
            exprs += [p.expr for p in rules.properties]
        for expr in exprs:
            yield from nodes(expr)

    def _all_effects(self) -> Iterator[ir.Effect]:
        for rules in self.asking:
            yield from all_effects(rules)

    # ------------------------------------------------------------------ tables

    def unknown_state(self, at: tuple[str, ...] = STAGES) -> SymbolicState:
        """A table of which nothing is known but that it is one, and, by `whole`, that no tile is lost."""
        symbols = self.symbols
        rules = self.rules
        begin = len(symbols.deferred)
        seats: list[Any] = [*range(self.players)]
        table = SymbolicState(
            symbols.of("at", list(at)),
            symbols.number("stake", 1),
            symbols.of("winner", [*seats, None]),
            symbols.number("hands-played", 0),
            [symbols.number("total") for _ in seats],
            {},
            {},
        )
        for var in rules.vars:
            kind = self.kind_of(var)
            table.vars[var.name] = (
                [self.evaluator.unknown(var.name, kind) for _ in seats]
                if var.each_player
                else self.evaluator.unknown(var.name, kind)
            )
        for zone in rules.zones:
            table.zones[zone.name] = (
                [self._unknown_zone(zone) for _ in seats] if zone.each_player else self._unknown_zone(zone)
            )
        self.conservation = [equal(self.everywhere(table, k), c) for k, c in self.evaluator.copies.items()]
        self.conservation += symbols.deferred[begin:]
        return table

    def kind_of(self, var: VarDecl) -> Type:
        """The type of a state, none included where it starts as nothing."""
        if var.initial is None and not isinstance(var.type, Opt):
            return Opt(var.type)
        return var.type

    def everywhere(self, table: SymbolicState, kind: int) -> Value:
        """How many tiles of a kind lie on the table."""
        counts = []
        for zone in self.rules.zones:
            found = table.zones[zone.name]
            counts += [tiles_of(one.bag).count(kind) for one in (found if zone.each_player else [found])]
        return total_of(counts)

    def _unknown_zone(self, zone: ZoneDecl) -> Zone:
        if zone.kind == "melds":
            most = dict.fromkeys(self.groups[zone.name])
            return Zone(self.symbols.bag(zone.name, most))
        bag = self.symbols.bag(zone.name, dict(self.evaluator.copies))
        if zone.kind != "row":
            return Zone(bag)
        return Zone(bag, row_of(bag, self.symbols, self.tracking[zone.name]))

    def initial_state(self) -> SymbolicState:
        """The table before anything has happened."""
        table = SymbolicState(BEFORE, self.symbols.number("stake", 1), None, 0, [0] * self.players, {}, {})
        for zone in self.rules.zones:
            table.zones[zone.name] = self._empty(zone, zone.holds_set)
        for var in self.rules.vars:
            table.vars[var.name] = self._initial(var, table)
        return table

    def _initial(self, var: VarDecl, table: SymbolicState) -> Any:
        def one() -> Value:
            if var.initial is None:
                return None
            return self.evaluator.value(var.initial, table, {})

        return [one() for _ in range(self.players)] if var.each_player else one()

    def _empty(self, zone: ZoneDecl, whole: bool) -> Any:
        bag = Bag(dict(self.evaluator.copies)) if whole else EMPTY
        made = Zone(bag)
        if zone.kind == "row":
            track = self.tracking[zone.name]
            row = empty_row(track)
            if whole:
                row = row_of(bag, self.symbols, track, HIDDEN, HIDDEN, bag, hidden_places(bag))
            made = Zone(bag, row)
        return [made for _ in range(self.players)] if zone.each_player else made

    # ------------------------------------------------------------------ steps

    def steps(self, action: Action, table: SymbolicState) -> Iterator[Step]:
        """Every instance of an action by seat 0 that is not certainly illegal."""
        if action.kind == "deal":
            yield from self.deals(action, table)
            return
        yield from self.steps_by(0, action, table)

    def specialized_steps(self, action: Action, table: SymbolicState) -> Iterator[Step]:
        """The same as `steps`, each from a table of which more is known, for the event could not happen otherwise: at
        which stage the match is, and who is meant by what a condition says to be the player who acts. That this is
        so is part of the guard. Little is left of what depends on it.
        """
        here = table.copy()
        where: list[tuple[str, Truth]] = []
        if len(OPEN[action.kind]) == 1:
            (here.at,) = OPEN[action.kind]
            where.append(("where", same(table.at, here.at)))
        for name in self._acting(action):
            here.vars[name] = 0
            where.append(("where", same(table.vars[name], 0)))
        for step in self.steps(action, here):
            yield replace(step, guards=(*step.guards, *where))

    def _acting(self, action: Action) -> frozenset[str]:
        """The shared states that conditions of an action say to be whoever acts."""
        found = set()
        for condition in action.conditions:
            for part in conjuncts(condition.expr):
                match part:
                    case (
                        ir.Op(op="eq", args=(ir.Local(name=by), ir.StateRead(name=name, seat=None)))
                        | ir.Op(op="eq", args=(ir.StateRead(name=name, seat=None), ir.Local(name=by)))
                    ) if by == action.by:
                        found.add(name)
                    case _:
                        pass
        return frozenset(found)

    def steps_by(self, seat: int, action: Action, table: SymbolicState) -> Iterator[Step]:
        """Every instance of an action by a seat that is not certainly illegal."""
        begin = len(self.symbols.facts)
        instances = list(self.instances(action, table, seat))
        opened = tuple(self.symbols.facts[begin:])  # certain of the values that are left open
        for names in instances:
            for step in self.paths(action, names, table):
                yield replace(step, facts=(*opened, *step.facts)) if opened else step

    def instances(self, action: Action, table: SymbolicState, seat: int = 0) -> Iterator[dict[str, Value]]:
        """The values that an action's names may have, unknown ones for what has no end of values."""
        rows: list[list[dict[str, Value]]] = []
        if action.by is not None:
            rows.append([{action.by: seat}])
        given = self.given(action, table)
        rows.append([given])
        tiles = 0
        for param in action.params:
            if param.name in given:
                continue
            tiles += param.type == Tile()
            if param.type == Tile() and tiles > 1 and not self.exhaustive:  # one tile filled in is enough
                rows.append([{param.name: self.evaluator.unknown(param.name, param.type)}])
            else:
                rows.append(list(self._param(action, param)))
        for chosen in product(*rows):
            yield {k: v for row in chosen for k, v in row.items()}

    def ways(self, action: Action) -> int:
        """In how many ways the tiles, seats and words of an action can be filled in, roughly."""
        found = 1
        for param in action.params:
            match param.type:
                case _ if param.parts:
                    found *= len(self.evaluator.kinds) ** len(param.parts)
                case Seat() | Tile() | Choice() | Bool() | Opt(Seat() | Tile() | Choice() | Bool()):
                    found *= 1 if param.optional else len(self.evaluator.values(param.type))
                case _:
                    pass
        return found

    def given(self, action: Action, table: SymbolicState) -> dict[str, Value]:
        """The keys of an event whose values every game has."""
        match action.kind:
            case "end":
                return {"winner": table.winner, "pay": OPAQUE}
            case "finish":
                return {"totals": OPAQUE, "winners": OPAQUE}
            case _:
                return {}

    def _param(self, action: Action, param: ParamDecl) -> Iterator[dict[str, Value]]:
        if param.parts:
            for tiles in combinations_with_replacement(self.evaluator.kinds, len(param.parts)):
                if self.evaluator.in_set(tiles):
                    for order in (
                        sorted(set(permutations(tiles))) if self.is_order_sensitive(action) else [tiles]
                    ):
                        yield {param.name: bag_of(tiles), **dict(zip(param.parts, order, strict=True))}
            return
        if param.optional:
            yield {param.name: None if self.exhaustive else OPAQUE}
            return
        match param.type:
            case Seat() | Tile() | Choice() | Bool() | Opt(Seat() | Tile() | Choice() | Bool()):
                for value in self.evaluator.values(param.type):
                    yield {param.name: value}
            case Int():
                yield {param.name: FREE}
            case Opt(Int()):
                yield {param.name: self.evaluator.unknown(param.name, param.type)}
            case BagType(Tile()):
                yield {param.name: self.symbols.bag(param.name, dict(self.evaluator.copies))}
            case BagType(BagType(Tile())):
                layout = self._layout_of(action, param)
                if layout is not None or not self.exhaustive:
                    yield {param.name: OPAQUE if layout is None else self._groups(param, layout)}
            case _:
                if not self.exhaustive:  # what is not asked for it may be wrong
                    yield {param.name: OPAQUE}

    def is_order_sensitive(self, action: Action) -> bool:
        """Whether it matters in which order an event of an action names its tiles."""
        if action.name not in self.order_sensitive:
            self.order_sensitive[action.name] = is_order_sensitive(action, self.evaluator)
        return self.order_sensitive[action.name]

    def _groups(self, param: ParamDecl, arrangement: str) -> Bag:
        return self.symbols.bag(param.name, dict.fromkeys(self.evaluator.candidates(arrangement)))

    def _layout_of(self, action: Action, param: ParamDecl) -> str | None:
        """The arrangement that a parameter has to lie as."""
        for condition in action.conditions:
            for node in nodes(condition.expr):
                if isinstance(node, ir.LayOut) and node.groups == ir.Local(param.name, node.groups.type):
                    return node.arrangement
        return None

    def paths(
        self, action: Action, names: Mapping[str, Value], table: SymbolicState, stuck: bool = False
    ) -> Iterator[Step]:
        """One event, a step for each way that its effects can go where they depend on something.

        Each way is plain moves, which a solver sees through more easily than one step of all ways. With `stuck`, those
        too by which a tile certainly does not lie where it is moved from.
        """
        begin = len(self.symbols.facts)
        names = dict(names)
        guards = self._conditions(action, names, table)
        facts = tuple(self.symbols.facts[begin:])
        if any(truth is False for _, truth in guards):
            return
        self._choices = []
        while True:
            self._taken = 0
            try:
                step = self._outcome(action, names, table, guards, facts)
            finally:
                taken, self._choices = self._choices[: self._taken], None
            if step.guard is not False or (
                stuck and all(t is not False for n, t in step.guards if n != "moves")
            ):
                yield step
            while taken and not taken[-1]:
                taken.pop()
            if not taken:
                return
            taken[-1] = False
            self._choices = taken

    def step(self, action: Action, names: Mapping[str, Value], table: SymbolicState) -> Step:
        """One event. Raises `Unsupported` where its effects cannot be put into a solver's terms."""
        begin = len(self.symbols.facts)
        names = dict(names)
        guards = self._conditions(action, names, table)
        if any(truth is False for _, truth in guards):
            return Step(action, names, guards, (), table, table)
        return self._outcome(action, names, table, guards, tuple(self.symbols.facts[begin:]))

    def _conditions(
        self, action: Action, names: dict[str, Value], table: SymbolicState
    ) -> tuple[tuple[str, Truth], ...]:
        """The conditions of an event by name, up to the first that certainly fails; settles its numbers."""
        guards: list[tuple[str, Truth]] = []
        for condition in action.conditions:
            truth = self.condition(action, condition.expr, table, names)
            guards.append((condition.name, truth))
            if truth is False:
                break
        else:
            self.settle([*names], names)
        return tuple(guards)

    def _outcome(
        self,
        action: Action,
        names: Mapping[str, Value],
        table: SymbolicState,
        conditions: tuple[tuple[str, Truth], ...],
        facts: tuple[Truth, ...],
    ) -> Step:
        """An event under its conditions, with what is certain of the unknown values in them."""
        begin, deferred = len(self.symbols.facts), len(self.symbols.deferred)
        after = table.copy()
        self._needs, self._definitions, self._whens = [], [], []
        pay = self.payout(table) if action.kind == "end" else []
        for clause in action.effects:
            self._clause(clause, after, names)
        if action.kind == "end":
            after.total = [plus(a, b) for a, b in zip(after.total, pay, strict=True)]
            after.hands_played = plus(after.hands_played, 1)
            after.at = ENDED
        if action.kind == "finish":
            after.at = FINISHED
        whens = [("when", w) for w in self._whens]
        guards = (*conditions, *whens, ("moves", all_of(self._needs)))
        after.memo = {}
        facts = (*facts, *self.symbols.facts[begin:])
        definitions = (*self._definitions, *self.symbols.deferred[deferred:])
        return Step(action, names, guards, facts, table, after, definitions)

    def condition(
        self, action: Action, expr: ir.Expr, table: SymbolicState, names: dict[str, Value]
    ) -> Truth:
        """Whether a condition of an event holds; True where it asks for what is OPAQUE. A FREE number that it fixes
        is that number from then on.
        """
        if isinstance(expr, ir.Implicit):
            if expr.kind == "open":
                return any_of(same(table.at, at) for at in OPEN[action.kind])
            return True  # what the trace has to say of the payments says nothing of the game
        if self._skip_scores and self._asks_a_score(expr):
            return True
        # a number that a condition fixes is that number
        match expr:
            case ir.LayOut(groups=ir.Local(), tiles=tiles, arrangement=arrangement) if self.exhaustive:
                return self.evaluator.is_shape(self.evaluator.bag(tiles, table, names), arrangement)
            case ir.Op(op="eq", args=(ir.Local(name=name), other)) if names.get(name) is FREE and not any(
                names.get(n) is FREE for n in names_in(other)
            ):
                found = self.evaluator.value(other, table, names)
                names[name] = as_number(found)
                return negate(same(found, None))
            case _:
                self.settle(names_in(expr), names)
        if any(names.get(n) is OPAQUE for n in names_in(expr)):
            return True
        return self.evaluator.truth(expr, table, names)

    def settle(self, asked: Iterable[str], names: dict[str, Value]) -> None:
        """Numbers that an event may have whatever they are, from now on unknown ones."""
        for name in asked:
            if names.get(name) is FREE:
                names[name] = self.symbols.number(name)

    def payout(self, table: SymbolicState) -> list[Value]:
        """What each player gets at the end."""
        pay: list[Value] = [0] * self.players
        kept, self._needs = self._needs, []
        for clause in self.rules.payout:
            self._effects(clause.effects, table, {}, pay, True)
        self._needs = kept
        return pay

    def after(self, expr: ir.Expr, step: Step) -> Truth:
        """Whether something holds right after an event, of which and of the table before which it may speak."""
        return self.evaluator.truth_after(expr, step.before, step.after, step.names)

    # ------------------------------------------------------------------ the deal

    def deals(self, action: Action, table: SymbolicState, first: int = 0) -> Iterator[Step]:
        """A deal of unknown hands, with this seat first."""
        assert action.dealing is not None
        dealing = action.dealing
        begin, deferred = len(self.symbols.facts), len(self.symbols.deferred)
        hands = []
        for seat in range(self.players):
            hand = self.symbols.bag("dealt", dict(self.evaluator.copies))
            wanted = self.evaluator.number(dealing.first if seat == first else dealing.others, table, {})
            self.symbols.fact(equal(size(hand), wanted))
            hands.append(hand)
        dealt = joined(*hands)
        whole = Bag(dict(self.evaluator.copies))
        self.symbols.fact(within(dealt, whole))
        names: dict[str, Value] = {"first": first, "hands": OPAQUE, "reserve": OPAQUE}
        for param in action.params[3:]:
            found = list(self._param(action, param))
            if found != [{param.name: OPAQUE}]:
                raise Unsupported(f"a deal with `{param.name}`")
            names |= found[0]
        guards = [(c.name, self.condition(action, c.expr, table, names)) for c in action.conditions]
        after = table.copy()
        after.winner = None
        after.at = PLAYING
        for zone in self.rules.zones:
            after.zones[zone.name] = self._empty(zone, zone.holds_set)
        for var in self.rules.vars:
            if var.scope == "hand":
                after.vars[var.name] = self._initial(var, after)
        after.zones[dealing.hand] = [Zone(h) for h in hands]
        rest = bag_minus(whole, dealt)
        made = Zone(rest)
        if self.zone_decls[dealing.zone].kind == "row":
            made = Zone(rest, row_of(rest, self.symbols, self.tracking[dealing.zone]))
        after.zones[dealing.zone] = made
        self._needs, self._definitions, self._whens = [], [], []
        for clause in action.effects:
            self._clause(clause, after, names)
        guards.append(("moves", all_of(self._needs)))
        after.memo = {}
        facts = tuple(self.symbols.facts[begin:])
        definitions = (*self._definitions, *self.symbols.deferred[deferred:])
        yield Step(action, names, tuple(guards), facts, table, after, definitions, tuple(hands))

    # ------------------------------------------------------------------ effects

    def _clause(self, clause: EffectClause, table: SymbolicState, names: Mapping[str, Value]) -> None:
        self._effects(clause.effects, table, names, None, True)

    def _effects(
        self,
        effects: Iterable[ir.Effect],
        table: SymbolicState,
        names: Mapping[str, Value],
        pay: list[Value] | None,
        path: Truth,
    ) -> None:
        """Carry effects out, in place. `path` is the condition under which they happen at all."""
        for effect in effects:
            self._effect(effect, table, names, pay, path)

    def _effect(
        self,
        effect: ir.Effect,
        table: SymbolicState,
        names: Mapping[str, Value],
        pay: list[Value] | None,
        path: Truth,
    ) -> None:
        ask = self.evaluator.value
        match effect:
            case ir.Move():
                self._move(effect, table, names, path)
            case ir.SetState(name=name, seat=seat, value=value):
                found = ask(value, table, names)
                table.set_var(name, None if seat is None else ask(seat, table, names), found)
            case ir.Win(seat=seat):
                table.winner = None if seat is None else ask(seat, table, names)
                table.at = OVER
                table.memo = {}
            case ir.Pay(payer=payer, payee=payee, amount=amount):
                assert pay is not None
                sum_ = self.evaluator.number(amount, table, names)
                self._credit(pay, ask(payer, table, names), times(-1, sum_), path)
                self._credit(pay, ask(payee, table, names), sum_, path)
            case ir.Gain(seat=seat, amount=amount):
                assert pay is not None
                self._credit(pay, ask(seat, table, names), self.evaluator.number(amount, table, names), path)
            case ir.Shuffle(zone=place):
                track = self.tracking.get(place.zone)
                table.change_zone(
                    place.zone, self._seat(place, table, names), lambda z: shuffled(z, self.symbols, track)
                )
            case ir.Arrange(zone=place, tiles=order):
                track = self.tracking.get(place.zone)
                if all(names.get(n) is not OPAQUE for n in names_in(order)):
                    lying = table.zone(place.zone, self._seat(place, table, names)).bag
                    self._needs.append(
                        implies(path, bags_same(self.evaluator.bag(order, table, names), lying))
                    )
                table.change_zone(
                    place.zone, self._seat(place, table, names), lambda z: arranged(z, self.symbols, track)
                )
            case ir.PassOn(zone=zone, side=side):
                found = table.zones[zone]
                turned = [found[-1], *found[:-1]] if side == "right" else [*found[1:], found[0]]
                table.zones[zone] = turned
                table.memo = {}
            case ir.When(test=test, effects=inner):
                asked = self.evaluator.truth(test, table, names)
                if self._chosen(asked, pay, path):
                    asked = self._go(asked)
                self._under(asked, inner, table, names, pay, path)
            case ir.ForEach(name=name, domain=domain, effects=inner):
                if any(_depends_on_order(e, name) for e in inner) or self._asks_what_it_writes(inner, name):
                    raise Unsupported("effects whose outcome depends on which comes first")
                bag = self.evaluator.bag(domain, table, names)
                noted = (n for n in nodes(domain) if isinstance(n, ir.StateRead))
                if not bag.concrete and any(isinstance(n.type, BagType) for n in noted):
                    raise Unsupported("a bag that is noted, and gone through")
                asked = len(self._needs)
                for key, count in list(bag.items()):
                    most = count if isinstance(count, int) else self._most(key, domain.type)
                    if not isinstance(count, int):
                        self._needs.append(implies(path, at_least(most, count)))
                moved = inner[0] if inner and pay is None and not bag.concrete else None
                if isinstance(moved, ir.Move) and self._just_moves(inner, name):
                    self._move_all(moved, bag, table, names, path)
                else:
                    for key, count in list(bag.items()):
                        most = count if isinstance(count, int) else self._most(key, domain.type)
                        for k in range(1, most + 1):
                            there = at_least(count, k)
                            self._under(there, inner, table, {**names, name: key}, pay, path)
                if (
                    self.exhaustive
                    and isinstance(domain, ir.Local)
                    and domain.type == BagType(BagType(Tile()))
                ):
                    del self._needs[asked:]  # groups that lie as they have to are there
            case _:
                assert_never(effect)

    def _just_moves(self, effects: tuple[ir.Effect, ...], name: str) -> bool:
        """Whether effects for each of a bag just move it, from where none of it arrives: then it moves as a whole."""

        def plain(place: ir.Place, kinds: tuple[str, ...]) -> bool:
            own = place.seat is not None and name in names_in(place.seat)
            return place.end is None and self.zone_decls[place.zone].kind in kinds and not own

        match effects:
            case (
                ir.Move(what=ir.Local(name=moved), source=ir.Place() as source, target=ir.Place() as target),
            ):
                away = moved == name and source.zone != target.zone
                return away and plain(source, ("tiles",)) and plain(target, ("tiles", "melds"))
            case _:
                return False

    def _move_all(
        self, effect: ir.Move, bag: Bag, table: SymbolicState, names: Mapping[str, Value], path: Truth
    ) -> None:
        """Move all that is in a bag of tiles or of groups, as often as it is in there."""
        source, target = effect.source, effect.target
        assert isinstance(source, ir.Place)
        assert isinstance(target, ir.Place)
        seat = self._seat(source, table, names)
        tiles = tiles_of(bag)
        self._needs.append(implies(path, within(tiles, table.zone(source.zone, seat).bag)))
        table.change_zone(source.zone, seat, lambda z: Zone(bag_minus(z.bag, tiles)))
        arriving = tiles
        if self.zone_decls[target.zone].kind == "melds":
            placed = [Bag({self._placed(key, effect.label): count}) for key, count in bag.items()]
            arriving = joined(*placed)
            for group in arriving.counts:
                self._seen(target.zone, group)
        table.change_zone(
            target.zone, self._seat(target, table, names), lambda z: Zone(joined(z.bag, arriving))
        )

    def _placed(self, key: Any, label: str | None) -> Group:
        return Group(key.tiles if isinstance(key, Group) else (key,), label)

    def _asks_what_it_writes(self, effects: Iterable[ir.Effect], name: str) -> bool:
        """Whether a later round of effects asks for what an earlier one changed."""
        effects = list(effects)
        written = written_by(effects)
        for effect in flat(effects):
            match effect:
                case ir.SetState(name=state, value=value) if _grows(value, state):
                    asked = [a for a in nodes(value) if not isinstance(a, ir.StateRead) or a.name != state][
                        1:
                    ]
                case _:
                    asked = list(exprs_of(effect))
            if any(reads_through(e, self.evaluator.definitions, name) & written for e in asked):
                return True
        return False

    def _most(self, key: Any, kind: Type) -> int:
        """How often a value can be in a bag of this type that is gone through."""
        copies = self.evaluator.copies
        if isinstance(key, Group):
            return min((copies.get(t, 0) // key.tiles.count(t) for t in key.tiles), default=1)
        return copies.get(key, 0) if kind == BagType(Tile()) else 1

    def _under(
        self,
        test: Truth,
        effects: Iterable[ir.Effect],
        table: SymbolicState,
        names: Mapping[str, Value],
        pay: list[Value] | None,
        path: Truth,
    ) -> None:
        """Carry effects out where a test holds."""
        if test is False:
            return
        if test is True:
            self._effects(effects, table, names, pay, path)
            return
        if pay is not None:  # payments change nothing on the table
            self._effects(effects, table, names, pay, conj(path, test))
            return
        test = self._standing_for(test)
        then = table.copy()
        self._effects(effects, then, names, pay, conj(path, test))
        joined_ = merged(test, then, table)
        for name in ("at", "winner", "vars", "zones"):
            setattr(table, name, getattr(joined_, name))
        table.memo = {}

    def _chosen(self, test: Truth, pay: list[Value] | None, path: Truth) -> bool:
        """Whether a step goes one way here, and another step the other."""
        if self._choices is None or pay is not None or path is not True or isinstance(test, bool):
            return False
        return self._taken < len(self._choices) or self._taken < MOST_WAYS

    def _go(self, test: Truth) -> bool:
        """The way that this step goes; where it has gone one way at the same test, the same again."""
        assert self._choices is not None
        test = self._standing_for(test)
        other = negate(test)
        for when in self._whens:
            if when.eq(test):
                return True
            if when.eq(other):
                return False
        if self._taken == len(self._choices):
            self._choices.append(True)
        yes = self._choices[self._taken]
        self._taken += 1
        self._whens.append(test if yes else other)
        return yes

    def _standing_for(self, test: Truth) -> Truth:
        """The test, or a truth of its own that stands for a long one."""
        if not is_long(test):
            return test
        stands = self.symbols.truth("when")
        self._definitions.append(iff(stands, test))
        return stands

    def _credit(self, pay: list[Value], seat: Value, amount: Value, path: Truth) -> None:
        for guard, plain in cases(seat):
            if plain is not None:
                pay[plain] = plus(pay[plain], ite_number(conj(path, guard), amount, 0))

    def _seat(self, place: ir.Place, table: SymbolicState, names: Mapping[str, Value]) -> Value:
        return None if place.seat is None else self.evaluator.value(place.seat, table, names)

    def _move(self, effect: ir.Move, table: SymbolicState, names: Mapping[str, Value], path: Truth) -> None:
        source = effect.source
        if isinstance(source, ir.MeldPlace):
            tiles, only = self._what(effect, table, names)
            self._change_meld(source, tiles, True, None, table, names, path)
            self._arrive(effect, tiles, only, None, table, names, path)
            return
        seat = self._seat(source, table, names)
        kind = self.zone_decls[source.zone].kind
        track = self.tracking.get(source.zone)
        have = table.zone(source.zone, seat)
        if effect.what is None:
            tiles = tiles_of(have.bag)
            row = None if have.row is None else empty_row(track)
            table.change_zone(source.zone, seat, lambda z: Zone(EMPTY, row))
            self._arrive(effect, tiles, None, None, table, names, path)
            return
        if kind == "melds":
            found = self.evaluator.value(effect.what, table, names)
            for guard, group in cases(found):
                if not isinstance(group, Group):
                    self._needs.append(implies(path, negate(guard)))
                    continue
                self._needs.append(implies(conj(path, guard), at_least(have.bag.count(group), 1)))
            melds = bag_of([found])
            table.change_zone(source.zone, seat, lambda z: Zone(bag_minus(z.bag, melds), z.row))
            self._arrive(effect, as_bag(found), None, found, table, names, path)
            return
        tiles, only = self._what(effect, table, names)
        if source.end is not None:
            self._needs.append(implies(path, fits(have, only, source.end)))
        self._needs.append(implies(path, within(tiles, have.bag)))
        table.change_zone(source.zone, seat, lambda z: take(z, tiles, source.end, self.symbols, track))
        self._arrive(effect, tiles, only, None, table, names, path)

    def _what(self, effect: ir.Move, table: SymbolicState, names: Mapping[str, Value]) -> tuple[Bag, Value]:
        """The tiles that are moved, and the one tile where it is one."""
        assert effect.what is not None
        found = self.evaluator.value(effect.what, table, names)
        if isinstance(effect.what.type, Tile):
            return bag_of([found]), found
        return as_bag(found), None

    def _arrive(
        self,
        effect: ir.Move,
        tiles: Bag,
        only: Value,
        group: Value,
        table: SymbolicState,
        names: Mapping[str, Value],
        path: Truth,
    ) -> None:
        target = effect.target
        if isinstance(target, ir.MeldPlace):
            self._change_meld(target, tiles, False, effect.label, table, names, path)
            return
        seat = self._seat(target, table, names)
        if self.zone_decls[target.zone].kind == "melds":
            if tiles.concrete:
                made: Value = Group(tiles.tiles(), effect.label)
            elif group is not None:
                made = guarded_union(
                    (g, Group(v.tiles, effect.label)) for g, v in cases(group) if v is not None
                )
            elif self._melds_complete:
                alike = [g for g in self.groups[target.zone] if g.label == effect.label]
                found = [(bags_same(tiles, group_bag(g)), g) for g in alike]
                self._needs.append(implies(path, any_of(t for t, _ in found)))
                made = guarded_union([*found, (negate(any_of(t for t, _ in found)), None)])
            else:
                raise Unsupported(f"a meld of unknown tiles in `{target.zone}`")
            table.change_zone(target.zone, seat, lambda z: Zone(joined(z.bag, bag_of([made]))))
            self._seen(target.zone, made)
            return
        track = self.tracking.get(target.zone)
        table.change_zone(target.zone, seat, lambda z: put(z, tiles, target.end, only, self.symbols, track))

    def _change_meld(
        self,
        place: ir.MeldPlace,
        tiles: Bag,
        taken: bool,
        label: str | None,
        table: SymbolicState,
        names: Mapping[str, Value],
        path: Truth,
    ) -> None:
        """Tiles join a meld on the table, or leave it."""
        if not tiles.concrete:
            raise Unsupported("unknown tiles that join or leave a meld")
        match place.meld:
            case ir.Fold(kind="the", domain=ir.ZoneRead(name=zone, seat=seat_expr)):
                pass
            case _:
                raise Unsupported("a meld that is not found as `the m in ...`")
        seat = None if seat_expr is None else self.evaluator.value(seat_expr, table, names)
        found = self.evaluator.value(place.meld, table, names)
        gone: list[tuple[Truth, Value]] = []
        made: list[tuple[Truth, Value]] = []
        for guard, group in cases(found):
            if group is None or (taken and within(tiles, group_bag(group)) is False):
                self._needs.append(implies(path, negate(guard)))
                gone.append((guard, None))
                made.append((guard, None))
                continue
            rest = list(group.tiles)
            for tile in tiles.tiles():
                rest.remove(tile) if taken else rest.append(tile)
            if not self.evaluator.in_set(tuple(rest)):
                gone.append((guard, None))  # more than the set has: the meld does not lie there
                made.append((guard, None))
                continue
            gone.append((guard, group))
            made.append((guard, Group(tuple(sorted(rest)), label or group.label)))
        if not gone:
            self._needs.append(negate(path))
            return
        before, after = guarded_union(gone), guarded_union(made)
        table.change_zone(
            zone, seat, lambda z: Zone(joined(bag_minus(z.bag, bag_of([before])), bag_of([after])))
        )
        self._seen(zone, after)

    def _seen(self, zone: str, made: Value) -> None:
        """Remember which groups can lie in a zone of melds."""
        for _, group in cases(made):
            if (
                isinstance(group, Group)
                and group not in self.groups[zone]
                and self.evaluator.in_set(group.tiles)
            ):
                self.groups[zone].append(group)

    # ------------------------------------------------------------------ what can lie where

    def find_reachable_melds(self) -> None:
        """Find out which groups can ever lie in zones of melds. Raises `Unsupported` where there is no telling."""
        self._skip_scores = True
        try:
            self._find_groups()
        finally:
            self._skip_scores = False
        self._melds_complete = True

    def _find_groups(self) -> None:
        makers = [a for a in self.rules.actions if self._makes_melds(a)]
        late: dict[str, list[Group]] = {name: [] for name in self.groups}  # made as the hand ends
        while True:
            before = {name: list(found) for name, found in self.groups.items()}
            table = self.unknown_state()
            for action in makers:
                known = {name: list(found) for name, found in self.groups.items()}
                for step in self.steps(action, table):
                    over = step.after.at == OVER
                    for name, found in self.groups.items():
                        new = [g for g in found if g not in known[name]]
                        if over:
                            late[name] += [g for g in new if g not in late[name]]
                        else:
                            known[name] += new
                    self.groups = {name: list(found) for name, found in known.items()}
            if self.groups == before:
                break
        for name, found in self.groups.items():
            found += [g for g in late[name] if g not in found]

    def _asks_a_score(self, expr: ir.Expr) -> bool:
        """Whether an expression asks what tiles score, itself or through definitions."""
        if expr not in self._scored:
            self._scored[expr] = any(
                isinstance(n, ir.CallScore)
                or (
                    isinstance(n, ir.CallDef)
                    and any(self._asks_a_score(c.expr) for c in self.evaluator.definitions[n.name].cases)
                )
                for n in nodes(expr)
            )
        return self._scored[expr]

    def _makes_melds(self, action: Action) -> bool:
        for effect in flat(e for c in action.effects for e in c.effects):
            if isinstance(effect, ir.Move):
                target = effect.target
                if isinstance(target, ir.MeldPlace) or isinstance(effect.source, ir.MeldPlace):
                    return True
                if self.zone_decls[target.zone].kind == "melds":
                    return True
        return False


def all_effects(rules: RuleSet) -> Iterator[ir.Effect]:
    """Every effect of every action and payout, those within others too."""
    clauses = [c for a in rules.actions for c in a.effects] + list(rules.payout)
    return flat(e for c in clauses for e in c.effects)


def _depends_on_order(effect: ir.Effect, name: str) -> bool:
    """Whether it matters in which order an effect happens for different values of a name: the last one stays.

    Bags have no order, and players one that begins with a seat, of which the rules must not speak.
    """
    match effect:
        case ir.Win(seat=seat):
            return seat is not None and name in names_in(seat)
        case ir.SetState(name=state, seat=seat, value=value):
            own = seat is not None and name in names_in(seat)
            grows = _grows(value, state)
            return name in names_in(value) and not own and not grows
        case ir.Move(what=what, target=ir.Place(end=str()) as target) if what is not None:
            own = target.seat is not None and name in names_in(target.seat)
            return name in names_in(what) and isinstance(what.type, Tile) and not own
        case ir.When(effects=inner) | ir.ForEach(effects=inner):
            return any(_depends_on_order(e, name) for e in inner)
        case _:
            return False


def _grows(value: ir.Expr, state: str) -> bool:
    """Whether a state is added to, by what does not ask for it."""
    match value:
        case ir.Op(op="add" | "bag_add", args=(ir.StateRead(name=read), other)):
            return read == state and not any(
                isinstance(n, ir.StateRead) and n.name == state for n in nodes(other)
            )
        case _:
            return False
