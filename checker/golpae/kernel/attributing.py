"""Follow a trace under many rule sets at once, which are one text: each switch is a state of the table.

Input: the layout of an instance with states of the table, and the rule sets to follow. Output: the function
`attribute()`, and where it is told what to follow and notes what it found: at a `Following`.
Guarantee: a rule set is found only if the header and all events were recognised and are legal under it.

A rule set is a number with a bit for each state of the table; a set of them is bits, too. A branch is a position and
the rule sets under which the events so far lead to it. An event is tried under one rule set of a branch. The module
notes which states of the table it asks for, and all rule sets that agree on these have the same answer.

`attribute` goes through the trace from `at` to `end`, and sets `known` if it has followed it to its end, or as far as
some rule set accepts it. Then `found` are those that accept it, and `complete` says whether the match is over under one
of them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass

from golpae.kernel.language.code import Expr, Function, Get, Lit
from golpae.kernel.language.writer import (
    ONE,
    ZERO,
    Writer,
    add,
    both,
    call,
    either,
    eq,
    ge,
    is_zero,
    load,
    lowest_bit,
    lt,
    ne,
    select,
    shl,
    shr,
    sub,
    without,
    xor,
)
from golpae.kernel.layout import BITS, WORD, Layout
from golpae.kernel.unsupported import NotCompiled

MOST_SWITCHES = 13
MOST_BRANCHES = 16
_ALL = Lit(-1)
_NEW_LINE = ord("\n")
_HEADER = -1  # the number of the header, among those of actions


@dataclass(frozen=True, slots=True)
class Following:
    """The addresses of what `attribute` is told and finds, one word each, and of the rule sets, bit by bit."""

    at: int
    end: int
    known: int
    complete: int
    found: int
    words: int


class Attributing:
    """Writes the functions that follow a trace; `begin_line` writes that the steps of an event are counted from there
    on. Raises `NotCompiled` if there are very many rule sets.
    """

    def __init__(
        self, layout: Layout, rule_sets: Collection[int], begin_line: Callable[[Writer], None]
    ) -> None:
        names = layout.at_table
        if len(names) > MOST_SWITCHES:
            raise NotCompiled(f"more than {MOST_SWITCHES} switches that are followed at once")
        self._begin_line = begin_line
        self.layout, self._switches = layout, [layout.var(name) for name in names]
        many = 1 << len(names)
        self.words = -(-many // BITS)
        self.size = layout.state_end - layout.at
        allocate = layout.allocate
        at, end, known, complete = (allocate(1) for _ in range(4))
        self.following = Following(at, end, known, complete, allocate(self.words), self.words)
        self._all = layout.hold(self._bits(rule_sets))
        self._with = [
            layout.hold(self._bits([s for s in range(many) if s >> place & 1])) for place in range(len(names))
        ]
        self._waiting, self._agreeing = allocate(self.words), allocate(self.words)
        self._before = allocate(self.size // WORD)
        self._branch = self.words * WORD + self.size  # bytes of a branch: its rule sets, its position
        self._lists = [allocate(MOST_BRANCHES * self._branch // WORD) for _ in range(2)]
        self._many = allocate(1)  # branches of the second list, after the event

    def _bits(self, rule_sets: Collection[int]) -> bytes:
        return sum(1 << number for number in rule_sets).to_bytes(self.words * WORD, "little")

    def functions(self) -> list[Function]:
        """Return the functions that follow a trace."""
        return [self._agree(), self._same(), self._put(), self._try(), self._attribute()]

    def _agree(self) -> Function:
        """`agree(rule_set)`: the rule sets that wait and agree with one on all states that were asked for are put
        apart, and wait no more.
        """
        writer = Writer("agree", 1)
        asked = writer.let(load(8, ZERO, self.layout.asked))
        terms = []
        for place, held in enumerate(self._with):
            turned = writer.let(
                sub(both(shr(writer.param(0), Lit(place)), ONE), ONE)
            )  # all bits if it is off
            any_value = writer.let(sub(both(shr(asked, Lit(place)), ONE), ONE))  # all bits if nobody asked
            terms.append((held, turned, any_value))
        at = writer.var(0)
        with writer.loop() as again:
            agreeing: Expr = load(8, at, self._waiting)
            for held, turned, any_value in terms:
                agreeing = both(agreeing, either(xor(load(8, at, held), turned), any_value))
            agrees = writer.let(agreeing)
            writer.store(8, at, agrees, self._agreeing)
            writer.store(8, at, without(load(8, at, self._waiting), agrees), self._waiting)
            writer.set(at, add(at, Lit(WORD)))
            writer.leave(again, lt(at, Lit(self.words * WORD)))
        return writer.function()

    def _same(self) -> Function:
        """`same(branch)`: whether the position is that of a branch."""
        writer = Writer("same", 1, 1)
        at = writer.var(0)
        with writer.loop() as again:
            kept = load(8, add(writer.param(0), at), self.words * WORD)
            with writer.when(ne(kept, load(8, at, self.layout.at))):
                writer.give(ZERO)
            writer.set(at, add(at, Lit(WORD)))
            writer.leave(again, lt(at, Lit(self.size)))
        writer.give(ONE)
        return writer.function()

    def _put(self) -> Function:
        """`put(list)`: the rule sets put apart have led to the position, which is or becomes a branch of a list."""
        writer = Writer("put", 1)
        for address in self._switches:  # they are the same in all branches
            writer.store(8, ZERO, ZERO, address)
        many, at = writer.let(load(8, ZERO, self._many)), writer.var(0)
        branch = writer.var(writer.param(0))
        with writer.block() as placed, writer.loop() as again:
            with writer.when(ge(at, many)):
                writer.refer_if(ge(many, Lit(MOST_BRANCHES)))
                for offset in range(0, self.words * WORD, WORD):
                    writer.store(8, branch, ZERO, offset)
                writer.copy(add(branch, Lit(self.words * WORD)), Lit(self.layout.at), Lit(self.size))
                writer.store(8, ZERO, add(many, ONE), self._many)
                writer.leave(placed)
            writer.leave(placed, call("same", branch))
            writer.set(at, add(at, ONE))
            writer.set(branch, add(branch, Lit(self._branch)))
            writer.leave(again)
        place = writer.var(0)
        with writer.loop() as more:
            target = writer.let(add(branch, place))
            writer.store(8, target, either(load(8, target), load(8, place, self._agreeing)))
            writer.set(place, add(place, Lit(WORD)))
            writer.leave(more, lt(place, Lit(self.words * WORD)))
        return writer.function()

    def _try(self) -> Function:
        """`try(action, list, stake)`: an event, or the header, happens in the position under all rule sets that wait;
        the branches that it leads to are put into a list.
        """
        writer = Writer("try", 3)
        action, target, stake = writer.param(0), writer.param(1), writer.param(2)
        writer.copy(Lit(self._before), Lit(self.layout.at), Lit(self.size))
        at = writer.var(0)
        with writer.block() as done, writer.loop() as again:
            writer.leave(done, ge(at, Lit(self.words * WORD)))
            waiting = writer.let(load(8, at, self._waiting))
            with writer.when(is_zero(waiting)):
                writer.set(at, add(at, Lit(WORD)))
                writer.leave(again)
            rule_set = writer.let(add(shl(at, Lit(3)), lowest_bit(waiting)))
            writer.copy(Lit(self.layout.at), Lit(self._before), Lit(self.size))
            for place, address in enumerate(self._switches):
                writer.store(8, ZERO, both(shr(rule_set, Lit(place)), ONE), address)
            writer.store(8, ZERO, ZERO, self.layout.asked)
            legal = writer.var(1)
            with writer.when(eq(action, Lit(_HEADER))):
                writer.call_into((), "new_game", stake)
            with writer.when(ne(action, Lit(_HEADER))):
                writer.set(legal, call("act", action))
            writer.call_into((), "agree", rule_set)
            with writer.when(legal):
                writer.call_into((), "put", target)
            writer.leave(again)
        return writer.function()

    def _attribute(self) -> Function:
        writer, told = Writer("attribute", exported=True), self.following
        at, end = (writer.var(load(8, ZERO, word)) for word in (told.at, told.end))
        following, read = writer.new(), writer.new()
        writer.store(8, ZERO, ZERO, told.known)
        writer.call_into((following, read), "scan_header", at)
        with writer.when(is_zero(following)):
            writer.give()
        old, new, swapped, many = (writer.var(where) for where in (*self._lists, 0, 0))
        writer.store(8, ZERO, ZERO, self._many)
        writer.copy(Lit(self._waiting), Lit(self._all), Lit(self.words * WORD))
        writer.call_into((), "try", Lit(_HEADER), new, read)
        with writer.block() as over, writer.loop() as again:
            writer.set(at, following)
            writer.set(swapped, old)
            writer.set(old, new)
            writer.set(new, swapped)
            writer.set(many, load(8, ZERO, self._many))
            writer.leave(over, either(is_zero(many), ge(at, end)))
            with writer.loop() as blank, writer.when(eq(load(1, at), Lit(_NEW_LINE))):
                writer.set(at, add(at, ONE))
                writer.leave(over, ge(at, end))
                writer.leave(blank)
            writer.call_into((following, read), "scan_event", at)
            with writer.when(is_zero(following)):
                writer.give()
            writer.store(8, ZERO, ZERO, self._many)
            self._begin_line(writer)
            branch, left = writer.var(old), writer.var(many)
            with writer.loop() as more:
                writer.copy(Lit(self._waiting), branch, Lit(self.words * WORD))
                writer.copy(Lit(self.layout.at), add(branch, Lit(self.words * WORD)), Lit(self.size))
                writer.call_into((), "try", read, new, ZERO)
                writer.set(branch, add(branch, Lit(self._branch)))
                writer.set(left, sub(left, ONE))
                writer.leave(more, left)
            writer.leave(again)
        self._tell(writer, old, many)
        return writer.function()

    def _tell(self, writer: Writer, branches: Get, many: Get) -> None:
        """Write that what all branches have found is noted."""
        following = self.following
        for offset in range(0, self.words * WORD, WORD):
            writer.store(8, ZERO, ZERO, following.found + offset)
        complete, branch, left = writer.var(0), writer.var(branches), writer.var(many)
        stage_at = self.words * WORD  # a position begins with its stage
        with writer.block() as done, writer.loop() as again:
            writer.leave(done, is_zero(left))
            stage = writer.let(load(8, branch, stage_at))
            for name in ("ended", "finished"):
                writer.set(complete, select(eq(stage, Lit(self.layout.stage(name))), ONE, complete))
            for offset in range(0, self.words * WORD, WORD):
                merged = either(load(8, ZERO, following.found + offset), load(8, branch, offset))
                writer.store(8, ZERO, merged, following.found + offset)
            writer.set(branch, add(branch, Lit(self._branch)))
            writer.set(left, sub(left, ONE))
            writer.leave(again)
        writer.store(8, ZERO, complete, following.complete)
        writer.store(8, ZERO, ONE, following.known)
