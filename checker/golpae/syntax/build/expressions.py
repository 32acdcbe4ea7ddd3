"""Expressions: from the parser's tree to the surface tree.

Input: the grammar's rules of expressions. Output: nodes of `tree.Expr`. Guarantee: one method for each grammar
rule, named after it; no name is looked up.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from lark import v_args
from lark.tree import Meta

from golpae.diagnostics import Diagnostic, Span, SpecError
from golpae.syntax import tree as t
from golpae.syntax.build.spans import DEEPEST, SpanBuilder, too_large


@v_args(meta=True)
class ExpressionBuilder(SpanBuilder):
    """Builds expressions."""

    def number(self, meta: Meta, c: list[Any]) -> t.Expr:
        return t.Number(self._span(meta), self._int(c[0]))

    def negative_number(self, meta: Meta, c: list[Any]) -> t.Expr:
        span = self._span(meta)
        start = c[1].start_pos or 0
        return t.Unary(span, "-", t.Number(Span(self._text, start, span.end), self._int(c[1])))

    def tile(self, meta: Meta, c: list[Any]) -> t.Expr:
        return t.TileName(self._span(meta), str(c[0]))

    def yes(self, meta: Meta, c: list[Any]) -> t.Expr:
        return t.Truth(self._span(meta), True)

    def no(self, meta: Meta, c: list[Any]) -> t.Expr:
        return t.Truth(self._span(meta), False)

    def none(self, meta: Meta, c: list[Any]) -> t.Expr:
        return t.Nothing(self._span(meta))

    def name(self, meta: Meta, c: list[Any]) -> t.Expr:
        return t.Name(self._span(meta), str(c[0]))

    def group(self, meta: Meta, c: list[Any]) -> t.Expr:
        expr: t.Expr = replace(c[0], bracketed=True)
        return expr

    def call(self, meta: Meta, c: list[Any]) -> t.Expr:
        return t.Call(self._span(meta), str(c[0]), tuple(x for x in c[1:] if x is not None))

    def call_by_name(self, meta: Meta, c: list[Any]) -> t.Expr:
        names, args = zip(*c[1:], strict=True)
        return t.Call(self._span(meta), str(c[0]), tuple(args), tuple(names))

    def earlier(self, meta: Meta, c: list[Any]) -> t.Expr:
        return t.Earlier(self._span(meta), c[1])

    def argument(self, meta: Meta, c: list[Any]) -> tuple[t.Word, t.Expr]:
        return self._word(c[0]), c[1]

    def bag(self, meta: Meta, c: list[Any]) -> t.Expr:
        return t.Bag(self._span(meta), tuple(x for x in c if x is not None))

    def each_of(self, meta: Meta, c: list[Any]) -> t.Expr:
        return t.EachOf(self._span(meta), c[0], self._word(c[1]), c[2], c[3])

    def each_of_together(self, meta: Meta, c: list[Any]) -> t.Expr:
        item, name, size, domain, test = c
        return t.EachOf(self._span(meta), item, self._word(name), domain, test, size)

    def range_bag(self, meta: Meta, c: list[Any]) -> t.Expr:
        return t.RangeBag(self._span(meta), c[0], c[1])

    def possessive(self, meta: Meta, c: list[Any]) -> t.Expr:
        token = c[0]
        word = str(token)[:-2]
        start = token.start_pos or 0
        span = Span(self._text, start, start + len(word))
        owner = t.TileName(span, word) if word[0].isdecimal() else t.Name(span, word)
        return self._owned(meta, owner, c[1:])

    def its(self, meta: Meta, c: list[Any]) -> t.Expr:
        start = self._span(meta).start
        return self._owned(meta, t.Name(Span(self._text, start, start + 3), "it"), c[1:])

    def owned(self, meta: Meta, c: list[Any]) -> t.Expr:
        return self._owned(meta, c[0], c[1:])

    def _owned(self, meta: Meta, owner: t.Expr, words: list[Any]) -> t.Expr:
        """Return the expression that begins with an owner, such as `right's right's hand`."""
        whole = self._span(meta)
        if len(words) >= DEEPEST:
            advice = "give a part of it a name with `define`"
            raise too_large("this is nested too deeply", whole, advice)
        for token in words[:-1]:
            word = str(token)[:-2]
            span = Span(self._text, whole.start, (token.start_pos or 0) + len(word))
            owner = t.Possessive(span, owner, word)
        return t.Possessive(whole, owner, str(words[-1]))

    def _binary(self, meta: Meta, op: t.BinaryOp, c: list[Any]) -> t.Expr:
        return t.Binary(self._span(meta), op, c[0], c[1])

    def implies(self, meta: Meta, c: list[Any]) -> t.Expr:
        return self._binary(meta, "implies", c)

    def either(self, meta: Meta, c: list[Any]) -> t.Expr:
        return self._binary(meta, "or", c)

    def both(self, meta: Meta, c: list[Any]) -> t.Expr:
        return self._binary(meta, "and", c)

    def not_(self, meta: Meta, c: list[Any]) -> t.Expr:
        return t.Unary(self._span(meta), "not", c[0])

    def negative(self, meta: Meta, c: list[Any]) -> t.Expr:
        return t.Unary(self._span(meta), "-", c[1])

    def compare(self, meta: Meta, c: list[Any]) -> t.Expr:
        return self._binary(meta, c[1].value, [c[0], c[2]])

    def arithmetic(self, meta: Meta, c: list[Any]) -> t.Expr:
        return self._binary(meta, c[1].value, [c[0], c[2]])

    def power(self, meta: Meta, c: list[Any]) -> t.Expr:
        return self._binary(meta, "^", c)

    def member(self, meta: Meta, c: list[Any]) -> t.Expr:
        return self._binary(meta, "in", c)

    def not_member(self, meta: Meta, c: list[Any]) -> t.Expr:
        return self._binary(meta, "not in", c)

    def other(self, meta: Meta, c: list[Any]) -> t.Expr:
        return self._binary(meta, "otherwise", c)

    def fits(self, meta: Meta, c: list[Any]) -> t.Expr:
        return self._binary(meta, "fits", c)

    def lay_out(self, meta: Meta, c: list[Any]) -> t.Expr:
        return t.LayOut(self._span(meta), c[0], c[2], self._word(c[3]))

    def beside(self, meta: Meta, c: list[Any]) -> t.Expr:
        return t.Beside(self._span(meta), c[0], c[1], self._word(c[2]), False)

    def not_beside(self, meta: Meta, c: list[Any]) -> t.Expr:
        return t.Beside(self._span(meta), c[0], c[1], self._word(c[2]), True)

    def without(self, meta: Meta, c: list[Any]) -> t.Expr:
        return t.Parted(self._span(meta), "without", self._word(c[1]), c[0])

    def within_tiles(self, meta: Meta, c: list[Any]) -> t.Expr:
        return t.Parted(self._span(meta), "within", self._word(c[0]), c[1])

    def is_word(self, meta: Meta, c: list[Any]) -> t.Expr:
        return t.Is(self._span(meta), c[0], self._word(c[1]), False)

    is_shape = is_word

    def is_not_word(self, meta: Meta, c: list[Any]) -> t.Expr:
        return t.Is(self._span(meta), c[0], self._word(c[1]), True)

    is_not_shape = is_not_word

    def if_(self, meta: Meta, c: list[Any]) -> t.Expr:
        return t.If(self._span(meta), c[0], c[1], c[2])

    def quantified(self, meta: Meta, c: list[Any]) -> t.Expr:
        kind, *names, domain, body = c
        return t.Quantified(self._span(meta), kind.value, self._words(names), domain, body)

    def together(self, meta: Meta, c: list[Any]) -> t.Expr:
        kind, *tokens, size, domain, body = c
        name, *others = self._words(tokens)
        if others:
            message = f"`{others[0].text}` is a second name, but values taken together have one"
            advice = f"write `{kind} {name.text} of {size.span.excerpt} in ...: ...`"
            raise SpecError([Diagnostic("S001", message, others[0].span, advice)])
        return t.Quantified(self._span(meta), kind.value, (name,), domain, body, size)

    def ways(self, meta: Meta, c: list[Any]) -> t.Expr:
        kind, name, score, body = c
        word = self._word(name)
        if word.text != "way" or not isinstance(score, t.Name):
            span = Span(self._text, kind.start_pos or 0, score.span.end)
            advice = f"write `{span.excerpt} in ...: ...`, or `{kind} way of` and a score's name"
            raise SpecError([Diagnostic("S001", f"`{span.excerpt}` lacks `in ...`", span, advice)])
        return t.Ways(self._span(meta), kind.value, t.Word(score.span, score.name), body)

    def share(self, meta: Meta, c: list[Any]) -> t.Expr:
        word, low, high, policy, event = c
        percents = self._words([p for p in (low, high) if p is not None])
        if (word.value == "between") != (len(percents) == 2):
            span = Span(self._text, word.start_pos or 0, percents[-1].span.end)
            one = percents[0].text
            advice = "write `between 40% and 50%`" if len(percents) == 1 else f"write `about {one}`"
            raise SpecError([Diagnostic("S001", f"`{span.excerpt}` is no share", span, advice)])
        return t.Share(self._span(meta), word.value, percents, self._word(policy), event)

    def conditional_share(self, meta: Meta, c: list[Any]) -> t.Expr:
        return self._binary(meta, "implies", c)

    def count(self, meta: Meta, c: list[Any]) -> t.Expr:
        _, *names, domain, test = c
        return t.Fold(self._span(meta), "number of", self._words(names), domain, None, test)

    def count_together(self, meta: Meta, c: list[Any]) -> t.Expr:
        _, name, size, domain, test = c
        return t.Fold(self._span(meta), "number of", (self._word(name),), domain, None, test, size)

    def _fold(self, meta: Meta, kind: t.FoldKind, c: list[Any]) -> t.Expr:
        _, item, name, domain, test = c
        return t.Fold(self._span(meta), kind, (self._word(name),), domain, item, test)

    def total(self, meta: Meta, c: list[Any]) -> t.Expr:
        return self._fold(meta, "sum of", c)

    def most(self, meta: Meta, c: list[Any]) -> t.Expr:
        return self._fold(meta, "most of", c)

    def least(self, meta: Meta, c: list[Any]) -> t.Expr:
        return self._fold(meta, "least of", c)

    def the(self, meta: Meta, c: list[Any]) -> t.Expr:
        *names, domain, test = c
        return t.Fold(self._span(meta), "the", self._words(names), domain, None, test)

    def the_one(self, meta: Meta, c: list[Any]) -> t.Expr:
        _, name, domain, test = c
        return t.Fold(self._span(meta), "the one", (self._word(name),), domain, None, test)

    def next_after(self, meta: Meta, c: list[Any]) -> t.Expr:
        _, name, player, test = c
        return t.Fold(self._span(meta), "the next", (self._word(name),), player, None, test)

    def last_before(self, meta: Meta, c: list[Any]) -> t.Expr:
        _, name, player, test = c
        return t.Fold(self._span(meta), "the last", (self._word(name),), player, None, test)

    def those(self, meta: Meta, c: list[Any]) -> t.Expr:
        name, domain, test = c
        return t.Fold(self._span(meta), "those", (self._word(name),), domain, None, test)

    def rounded(self, meta: Meta, c: list[Any]) -> t.Expr:
        return t.Rounded(self._span(meta), c[0], c[1].value.split()[1], c[2])

    def extreme(self, meta: Meta, c: list[Any]) -> t.Expr:
        return t.Extreme(self._span(meta), c[0].value.split()[1], c[1], c[2])

    def next_to(self, meta: Meta, c: list[Any]) -> t.Expr:
        return t.NextTo(self._span(meta), c[0].value.split()[1], c[1], str(c[2]))

    def place_of(self, meta: Meta, c: list[Any]) -> t.Expr:
        return t.PlaceOf(self._span(meta), c[1], str(c[2]))

    def size_of(self, meta: Meta, c: list[Any]) -> t.Expr:
        return t.Unary(self._span(meta), "size of", c[1])

    def kinds_of(self, meta: Meta, c: list[Any]) -> t.Expr:
        return t.Unary(self._span(meta), "kinds of", c[1])

    def faces_of(self, meta: Meta, c: list[Any]) -> t.Expr:
        return t.Unary(self._span(meta), "faces of", c[1])

    def row_end(self, meta: Meta, c: list[Any]) -> t.Expr:
        return t.RowEnd(self._span(meta), c[0].value.split()[0], c[1])

    def row_place(self, meta: Meta, c: list[Any]) -> t.Expr:
        back = c[3] is not None and c[3].value.endswith("back")
        return t.RowPlace(self._span(meta), c[0], c[2], "back" if back else "front")

    def place(self, meta: Meta, c: list[Any]) -> t.Expr:
        return self.row_end(meta, c) if len(c) == 2 else c[0]
