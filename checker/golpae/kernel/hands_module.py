"""One score of a rule set as a module that scores files of hands.

Input: an instance, the name of a score, how lines name them. Output: a `CompiledHands`.
Guarantee: the same instance gives the same bytes. A hand is noted only if it was recognised, may be given like that,
and some way of it counts; anything else is for the reference. The module exports

    init()     fills the tables of definitions; once, before anything else
    hands()    scores the hands that lie in memory, one a line, and notes what each counts, as `HandPlace` says
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from golpae.elaborate.instance import Instance
from golpae.ir import expr as ir
from golpae.ir.dependencies import Dependencies
from golpae.ir.ruleset import ParamDecl, ScoreDecl
from golpae.ir.scoring import (
    as_given,
    counted_beside,
    every_meld,
    exprs_of_score,
    is_as_labelled,
    is_in_set,
    stated_labels,
    summed,
    unions_of,
)
from golpae.ir.traverse import free
from golpae.ir.types import MELD, TILE, TILES, Bag, NoneType, Type
from golpae.kernel.emit.expressions import Expressions
from golpae.kernel.emit.parts import Parts
from golpae.kernel.emit.scoring.faces import by_face
from golpae.kernel.emit.scoring.noting import MOST_WAYS, WayNotes, most_words
from golpae.kernel.emit.values import Bits, Stream, Value
from golpae.kernel.language.code import Expr, Function, Lit, Module
from golpae.kernel.language.wasm import wasm
from golpae.kernel.language.writer import ONE, ZERO, add, both, eq, ge, is_zero, load, shl
from golpae.kernel.layout import WORD, Arg, Layout
from golpae.kernel.module import fill
from golpae.kernel.scan.hand_lines import Saying, hand_scanner
from golpae.kernel.unsupported import NotCompiled

DONE, REFER, FULL = range(3)
ROOM = 1 << 20  # bytes of notes
HEAD = (
    5  # words of a note before the tiles of the hand: where its line and its `id` begin, where that ends, ...
)
OWN_KEYS = ("rules", "players", "id", "note", "time", "options", "score")
_NEW_LINE = ord("\n")


@dataclass(frozen=True, slots=True)
class HandPlace:
    """The addresses of what `hands` is told and finds, one word after the other, then of the notes.

    `hands` goes through the lines from `at` to `end`. It writes there where it stopped, and to `why`: DONE at the end;
    REFER at a hand for the reference; FULL without room for the next note. `line` is the number of the line at `at`,
    `next` the end of the notes, `many` the number of noted hands.
    """

    at: int
    end: int
    why: int
    line: int
    next: int
    many: int
    notes: int


@dataclass(frozen=True, slots=True)
class CompiledHands:
    """A module that scores hands: its bytes and its layout.

    A note of a hand is HEAD words: where its line begins, where its `id` begins and ends, the number of its line and
    that of its ways; then the tiles of the parameter `shown`, if there is one, and its ways, as `emit.scoring.noting`
    describes them. `groups` is how many groups each arrangement has.
    """

    wasm: bytes
    layout: Layout
    found: HandPlace
    score: ScoreDecl
    shown: str | None
    groups: tuple[int, ...]
    filled: tuple[str, ...]
    filling: int


def compiled_hands(
    instance: Instance,
    name: str,
    rules: Saying,
    score_key: Saying | None,
    counted: bool,
    left_out: Collection[str] = (),
) -> CompiledHands:
    """Return the module of a score. Raises `NotCompiled`. With `counted`, a hand whose loops have very many rounds is
    referred. Lines name the rule set as `rules`, and the score as `score_key`.
    """
    return _Hands(instance, name, counted, left_out).compiled(rules, score_key)


def reads_game(instance: Instance, name: str) -> bool:
    """Return whether a score depends on a game in progress, so that no hand alone has it."""
    rules = instance.rule_set
    score = next(s for s in rules.scores if s.name == name)
    exprs = exprs_of_score(score) + [c.expr for c in score.provided]
    exprs += [p.initial for p in score.params if p.initial is not None]
    return bool(Dependencies(rules).reads(exprs))


class _Hands:
    def __init__(self, instance: Instance, name: str, counted: bool, left_out: Collection[str]) -> None:
        self.layout = Layout(instance)
        self.parts = Parts(self.layout, counted, left_out)
        self.score = next(s for s in instance.rule_set.scores if s.name == name)
        if reads_game(instance, name):
            raise NotCompiled("a score that depends on the game")
        if any(p.name in OWN_KEYS or p.parts for p in self.score.params):
            raise NotCompiled(
                "a score with a value `{a, b}`, or with one that is named like a key of every hand"
            )
        if self.score.fixed is not None and self.score.fixed.type != Bag(MELD):
            raise NotCompiled("fixed groups that are no melds")
        allocate = self.layout.allocate
        at, end, why, line, following, many = (allocate(1) for _ in range(6))
        self.found = HandPlace(at, end, why, line, following, many, allocate(ROOM // WORD))
        self.notes = WayNotes(name, self.score.arrangements, allocate(1), allocate(1))
        self.parts.notes = self.notes
        self.id = allocate(2)
        self.args = [self.layout.given(p) for p in self.score.params]

    def compiled(self, rules: Saying, score_key: Saying | None) -> CompiledHands:
        layout, parts = self.layout, self.parts
        given = [
            (a, p.initial is None and not p.optional)
            for a, p in zip(self.args, self.score.params, strict=True)
        ]
        said = [rules, *(() if score_key is None else (score_key,))]
        functions = [self._hands(), *hand_scanner(layout, given, said, self.id)]
        functions += parts.counted([fill(parts), *parts.functions.values()])
        for function in functions:
            function.exported = function.name in ("init", "hands")
        module = Module(functions, layout.end, layout.data)
        groups = tuple(self._groups(name) for name in self.score.arrangements)
        shown = next((p.name for p in self.score.params if p.type == TILES), None)
        filled = tuple(parts.prepared)
        return CompiledHands(
            wasm(module), layout, self.found, self.score, shown, groups, filled, parts.filling
        )

    def _groups(self, arrangement: str) -> int:
        (declared,) = (a for a in self.parts.rules.arrangements if a.name == arrangement)
        return sum(part.count for part in declared.parts)

    def _hands(self) -> Function:
        """`hands()`: go through the lines."""
        writer, addresses = self.parts.writer("hands"), self.found
        of = Expressions(self.parts, writer)
        inputs = of.scores.inputs(self.score.name, of)  # writes `score:NAME`
        searches = self.parts.searches
        assert searches is not None
        tiles = self.layout.slots(TILES)
        widest = max((self._groups(a) for a in self.score.arrangements), default=0)
        way = most_words(len(self.score.patterns), widest, searches[0].many)
        most = (HEAD + tiles + MOST_WAYS * way) * WORD
        if most > ROOM:
            raise NotCompiled("a score with more groups and patterns than there is room for in notes")
        at, end, line = (
            writer.var(load(8, ZERO, word)) for word in (addresses.at, addresses.end, addresses.line)
        )
        following, seen = writer.new(), writer.new()
        note = writer.var(Lit(addresses.notes))
        writer.store(8, ZERO, note, addresses.next)

        def stop(why: int) -> None:
            writer.store(8, ZERO, Lit(why), addresses.why)
            writer.give()

        with writer.loop() as again:
            writer.store(8, ZERO, at, addresses.at)
            writer.store(8, ZERO, line, addresses.line)
            writer.store(8, ZERO, note, addresses.next)
            with writer.when(ge(at, end)):
                stop(DONE)
            with writer.when(eq(load(1, at), Lit(_NEW_LINE))):
                writer.set(at, add(at, ONE))
                writer.set(line, add(line, ONE))
                writer.leave(again)
            with writer.when(ge(note, Lit(addresses.notes + ROOM - most))):
                stop(FULL)
            writer.call_into((following, seen), "scan_hand", at)
            with writer.when(is_zero(following)):
                stop(REFER)
            self.parts.start(writer)
            self._give(of, inputs, seen)
            with writer.when(is_zero(self._may_be(of, inputs))):
                stop(REFER)
            self._score(of, inputs, note, line)
            with writer.when(is_zero(load(8, ZERO, self.notes.many))):
                stop(REFER)
            writer.store(8, note, load(8, ZERO, self.notes.many), (HEAD - 1) * WORD)
            writer.set(note, load(8, ZERO, self.notes.next))
            writer.store(8, ZERO, add(load(8, ZERO, addresses.many), ONE), addresses.many)
            writer.set(at, following)
            writer.set(line, add(line, ONE))
            writer.leave(again)
        return writer.function()

    def _give(self, of: Expressions, inputs: dict[str, tuple[int, Type]], seen: Expr) -> None:
        """Write that the score gets the values of a line, and those that it has where a line gives none."""
        writer = of.writer
        for place, (param, arg) in enumerate(zip(self.score.params, self.args, strict=True)):
            address, kind = inputs[param.name]

            def read(arg: Arg = arg, kind: Type = kind, address: int = address) -> None:
                self._keep(of, kind, of.memory.loaded(kind, Lit(arg.address), False), address)

            if param.initial is None and not param.optional:
                read()
                continue
            with writer.when(both(seen, shl(ONE, Lit(place)))):
                read()
            with writer.otherwise():
                if param.initial is not None:
                    named = free(param.initial)
                    names = {
                        name: of.memory.loaded(own, Lit(at), True)
                        for name, (at, own) in inputs.items()
                        if name in named
                    }
                    self._keep(of, kind, of.value(param.initial, names), address)
                else:
                    self._keep(of, kind, of.value(ir.Const(None, NoneType()), {}), address)

    def _keep(self, of: Expressions, kind: Type, value: Value, address: int) -> None:
        of.keeping.keep(kind, of.collecting.coerced(value, kind), Lit(address))

    def _may_be(self, of: Expressions, inputs: dict[str, tuple[int, Type]]) -> Expr:
        """Return whether a hand has no more of a tile than the set, and what is given goes together."""
        score, writer = self.score, of.writer
        names = {name: of.memory.loaded(kind, Lit(address), True) for name, (address, kind) in inputs.items()}
        bags: list[Bits] = [of.bits(score.hand, names)]
        if score.fixed is not None:
            bags.append(self._tiles_in(of, of.value(score.fixed, names)))
        beside = counted_beside(score)
        bags += [self._tiles_in(of, by_face(names[name], of)) for name in beside]
        members = [i for i, often in enumerate(self.layout.instance.by_face()) for _ in range(often)]
        whole = of.bags.constant(TILE, self.layout.words(TILE), members)
        all_tiles = bags[0]
        for bag in bags[1:]:
            all_tiles = of.bags.joined(all_tiles, bag, self.layout.planes(TILE))
        holds = writer.var(of.bags.within(all_tiles, whole))
        counted = {*beside, *summed(score.hand), *summed(score.fixed)}
        for param in score.params:
            own: list[ir.Expr | None] = [self._are_as_labelled(param)]
            if (
                param.name not in counted or self.layout.instance.has_likes
            ):  # it may have more tiles than what is laid out
                own.append(every_meld(ir.Local(param.name, param.type), param.type, is_in_set, of_tiles=True))
            for test in own:
                if test is not None:
                    with writer.when(holds):
                        writer.set(holds, of.scalar(test, names))
        for condition in score.provided:
            with writer.when(holds):
                writer.set(holds, of.scalar(condition.expr, names))
        return holds

    def _tiles_in(self, of: Expressions, value: Value) -> Bits:
        """Return the tiles of a bag of tiles or of melds."""
        if isinstance(value, Stream) and value.item == MELD:
            return of.collecting.gathered(value)
        return of.collecting.as_bits(value)

    def _are_as_labelled(self, param: ParamDecl) -> ir.Expr | None:
        """Return the condition that the melds of a parameter are what their labels say; None if it has no melds.

        Of melds that are groups, labels that fit no part make no difference: such a hand is for the reference.
        """
        value = ir.Local(param.name, param.type)
        shapes = {shape.name: shape for shape in self.parts.rules.shapes}
        labels = stated_labels(self.parts.rules) & {*shapes}
        if value == as_given(self.score.fixed):
            arrangements = {a.name: a for a in self.parts.rules.arrangements}
            used = {part.shape for name in self.score.arrangements for part in arrangements[name].parts}
            labels = frozenset(label for label in labels if used & {label, *unions_of(label, shapes)})
        return every_meld(value, param.type, lambda meld: is_as_labelled(meld, labels))

    def _score(self, of: Expressions, inputs: dict[str, tuple[int, Type]], note: Expr, line: Expr) -> None:
        """Write that a hand is scored, and noted with its ways."""
        writer = of.writer
        name = (load(8, ZERO, self.id + place * WORD) for place in range(2))
        for place, word in enumerate((load(8, ZERO, self.found.at), *name, line)):
            writer.store(8, note, word, place * WORD)
        words = HEAD
        shown = next((a for a, p in zip(self.args, self.score.params, strict=True) if p.type == TILES), None)
        if shown is not None:
            for place in range(self.layout.slots(TILES)):
                writer.store(8, note, load(8, ZERO, shown.address + place * WORD), (HEAD + place) * WORD)
            words += self.layout.slots(TILES)
        writer.store(8, ZERO, ZERO, self.notes.many)
        writer.store(8, ZERO, add(note, Lit(words * WORD)), self.notes.next)
        writer.call_into((writer.new(), writer.new()), f"score:{self.score.name}")
