"""Actions, their clauses and effects: from the parser's tree to the surface tree.

Input: the grammar's rules of actions, clauses and effects. Output: `tree.Action`, `tree.Clause`, bodies and
effects. Guarantee: one method for each grammar rule, named after it; no name is looked up.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from lark import Token, v_args
from lark.tree import Meta

from golpae.diagnostics import Diagnostic, Span, SpecError
from golpae.syntax import of_all
from golpae.syntax import tree as t
from golpae.syntax.build.repeat import RepeatHead
from golpae.syntax.build.rows import RowBuilder
from golpae.syntax.build.spans import optional_text, text_of


@v_args(meta=True)
class EffectBuilder(RowBuilder):
    """Builds effects."""

    def effects(self, meta: Meta, c: list[Any]) -> t.Effects:
        return t.Effects(self._span(meta), tuple(c))

    body_effects = effects

    def use(self, meta: Meta, c: list[Any]) -> t.Use:
        return t.Use(self._span(meta), c[0])

    first_use = use

    def effect_line(self, meta: Meta, c: list[Any]) -> tuple[t.Effect, ...]:
        """Return the effects of one line: comments behind and below it are those of its last effect."""
        first, *others = c[0].effects if c[1] is None else self._with_else(c[0].effects, c[1])
        if not others or first.remarks == t.NO_REMARKS:
            return (first, *others)
        above, behind, below = first.remarks.above, first.remarks.behind, first.remarks.below
        last = replace(others[-1], remarks=t.Remarks((), behind, below))
        return (replace(first, remarks=t.Remarks(above)), *others[:-1], last)

    def when_head(self, meta: Meta, c: list[Any]) -> Any:
        return c[0]

    def each_head(self, meta: Meta, c: list[Any]) -> Any:
        return self._word(c[0]), c[1]

    def when_block(self, meta: Meta, c: list[Any]) -> tuple[t.Effect, ...]:
        return (self.remarked(self._when(self._span(meta), c)),)

    def _when(self, span: Span, c: list[Any]) -> t.When:
        test, *lines, otherwise = c
        return t.When(span, test, _effects(span, lines).effects, otherwise)

    def _with_else(self, effects: tuple[t.Effect, ...], otherwise: t.Else) -> tuple[t.Effect, ...]:
        """Return the effects of a line, which begins with the `when` to which an `else` under it belongs."""
        first, *others = effects
        if isinstance(first, t.When) and first.otherwise is None:
            return (replace(first, otherwise=otherwise), *others)
        raise self._no_when(otherwise, isinstance(first, t.When))

    def _no_when(self, otherwise: t.Else, again: bool = False) -> SpecError:
        """Return the fault of an `else` that belongs to no `when`, or is a second one (`again`)."""
        word = Span(self._text, otherwise.span.start, otherwise.span.start + len("else"))
        advice = "an `else` of its own line stands under a line that begins with `when`, indented like it"
        if again:
            advice = "write `else when ...:` on the line above for a second case, or give each part lines of its own"
        return SpecError([Diagnostic("S001", "no `when` belongs to this `else`", word, advice)])

    def else_line(self, meta: Meta, c: list[Any]) -> t.Else:
        return t.Else(self._span(meta), c[0].effects)

    def else_block(self, meta: Meta, c: list[Any]) -> t.Else:
        return t.Else(self._span(meta), _effects(self._span(meta), c).effects)

    def else_when(self, meta: Meta, c: list[Any]) -> t.Else:
        again: tuple[t.Effect, ...] = (c[0],)
        return t.Else(self._span(meta), again if c[1] is None else self._with_else(again, c[1]))

    def else_when_block(self, meta: Meta, c: list[Any]) -> t.Else:
        span = self._span(meta)
        return t.Else(span, (self._when(self._behind_else(span), c),))

    def _behind_else(self, span: Span) -> Span:
        """Return the span of the `when` in `else when ...`."""
        words = self._text.content[span.start + len("else") : span.end]
        return Span(self._text, span.end - len(words.lstrip()), span.end)

    def each_block(self, meta: Meta, c: list[Any]) -> tuple[t.Effect, ...]:
        return (self.remarked(self._each(self._span(meta), c)),)

    def repeat_head(self, meta: Meta, c: list[Any]) -> Any:
        return RepeatHead(self._text, *c)

    def repeat_block(self, meta: Meta, c: list[Any]) -> tuple[t.Effect, ...]:
        return (self.remarked(self._repeat(self._span(meta), c)),)

    def _repeat(self, span: Span, c: list[Any]) -> t.Repeat:
        head, *rest = c
        effect: t.Repeat = head.repeat(span, _effects(span, rest).effects)
        return effect

    def repeat(self, meta: Meta, c: list[Any]) -> t.Effect:
        head, body = c
        effect: t.Effect = head.repeat(self._span(meta), body.effects)
        return effect

    def _each(self, span: Span, c: list[Any]) -> t.ForEach:
        (name, domain), *rest = c
        return t.ForEach(span, name, domain, _effects(span, rest).effects)

    def move(self, meta: Meta, c: list[Any]) -> t.Effect:
        return t.Move(self._span(meta), c[0], c[1], c[2], None if c[3] is None else self._word(c[3]))

    def move_all(self, meta: Meta, c: list[Any]) -> t.Effect:
        return t.Move(self._span(meta), None, c[0], c[1], None)

    def assign(self, meta: Meta, c: list[Any]) -> t.Effect:
        return t.Assign(self._span(meta), c[0], c[1])

    def wins(self, meta: Meta, c: list[Any]) -> t.Effect:
        return t.Wins(self._span(meta), c[0])

    def nobody_wins(self, meta: Meta, c: list[Any]) -> t.Effect:
        return t.Wins(self._span(meta), None)

    def hand_over(self, meta: Meta, c: list[Any]) -> t.Effect:
        return t.Wins(self._span(meta), None, True)

    def all_assign(self, meta: Meta, c: list[Any]) -> t.Effect:
        return of_all.assign(self._span(meta), "players", self._word(c[0]), c[1])

    def teams_assign(self, meta: Meta, c: list[Any]) -> t.Effect:
        return of_all.assign(self._span(meta), "teams", self._word(c[0]), c[1])

    def all_win(self, meta: Meta, c: list[Any]) -> t.Effect:
        return of_all.win(self._span(meta), c[0])

    def all_score(self, meta: Meta, c: list[Any]) -> t.Effect:
        return of_all.score(self._span(meta), c[1], c[0])

    def all_pay(self, meta: Meta, c: list[Any]) -> t.Effect:
        return of_all.pay(self._span(meta), None, c[1], c[2], others=False, among=c[0])

    def others_pay(self, meta: Meta, c: list[Any]) -> t.Effect:
        return of_all.pay(self._span(meta), None, c[0], c[1], others=True)

    def pays_all(self, meta: Meta, c: list[Any]) -> t.Effect:
        return of_all.pay(self._span(meta), c[0], None, c[1], others=False)

    def pays_others(self, meta: Meta, c: list[Any]) -> t.Effect:
        return of_all.pay(self._span(meta), c[0], None, c[1], others=True)

    def among(self, meta: Meta, c: list[Any]) -> t.Expr:
        return c[0]  # type: ignore[no-any-return]

    def pays(self, meta: Meta, c: list[Any]) -> t.Effect:
        return t.Pays(self._span(meta), c[0], c[1], c[2])

    def scores(self, meta: Meta, c: list[Any]) -> t.Effect:
        return t.Scores(self._span(meta), c[0], c[1])

    def pass_on(self, meta: Meta, c: list[Any]) -> t.Effect:
        return t.PassOn(self._span(meta), self._word(c[0]), self._word(c[1]))

    def when(self, meta: Meta, c: list[Any]) -> t.Effect:
        return t.When(self._span(meta), c[0], c[1].effects, c[2])

    def else_part(self, meta: Meta, c: list[Any]) -> t.Else:
        return t.Else(self._span(meta), c[0].effects)

    def else_with(self, meta: Meta, c: list[Any]) -> t.Else:
        return t.Else(self._span(meta), (c[0],))

    def for_each(self, meta: Meta, c: list[Any]) -> t.Effect:
        return t.ForEach(self._span(meta), self._word(c[0]), c[1], c[2].effects)


@v_args(meta=True)
class ActionBuilder(EffectBuilder):
    """Builds actions and their clauses."""

    def action(self, meta: Meta, c: list[Any]) -> t.Action:
        name, params, by, before, title, ids, *clauses = c
        return t.Action(
            self._span(meta),
            "action",
            self._word(name),
            params or (),
            None if by is None else self._word(by),
            None,
            before is not None,
            optional_text(title),
            tuple(x for x in clauses if isinstance(x, t.Clause)),
            ids,
            wheres=tuple(x for x in clauses if isinstance(x, t.Where)),
            told=self._told(clauses),
            notes=tuple(x for x in clauses if isinstance(x, t.Note)),
        )

    def told_as(self, meta: Meta, c: list[Any]) -> t.Told:
        return t.Told(self._span(meta), text_of(c[1]))

    def note(self, meta: Meta, c: list[Any]) -> t.Note:
        return t.Note(self._span(meta), text_of(c[1]), c[2])

    def _told(self, clauses: list[Any]) -> t.Told | None:
        """Return the line with the words of an event. Raises `SpecError` if there are two."""
        notes = [x for x in clauses if isinstance(x, t.Told)]
        if len(notes) > 1:
            message, advice = "an event is told in one way", "leave one of the two lines out"
            raise SpecError([Diagnostic("S001", message, notes[1].span, advice)])
        return notes[0] if notes else None

    def _lifecycle(
        self, meta: Meta, kind: t.LifecycleKind, params: Any, zone: Token | None, title: Any, rest: list[Any]
    ) -> t.Action:
        ids, *clauses = rest
        span = self._span(meta)
        word = t.Word(Span(self._text, span.start, span.start + len(kind)), kind)
        zone_word = None if zone is None else self._word(zone)
        lines = tuple(x for x in clauses if isinstance(x, t.Clause))
        wheres = tuple(x for x in clauses if isinstance(x, t.Where))
        title = optional_text(title)
        own = params or ()
        return t.Action(
            span,
            kind,
            word,
            own,
            None,
            zone_word,
            False,
            title,
            lines,
            ids,
            wheres=wheres,
            told=self._told(clauses),
            notes=tuple(x for x in clauses if isinstance(x, t.Note)),
        )

    def deal(self, meta: Meta, c: list[Any]) -> t.Action:
        return self._lifecycle(meta, "deal", c[0], c[1], c[2], c[3:])

    def end(self, meta: Meta, c: list[Any]) -> t.Action:
        return self._lifecycle(meta, "end", c[0], None, c[1], c[2:])

    def finish(self, meta: Meta, c: list[Any]) -> t.Action:
        return self._lifecycle(meta, "finish", c[0], None, c[1], c[2:])

    def payout(self, meta: Meta, c: list[Any]) -> t.Action:
        return self._lifecycle(meta, "payout", None, None, c[0], c[1:])

    def clause(self, meta: Meta, c: list[Any]) -> t.Clause:
        name = self._word(c[0])
        body, otherwise = c[1], c[3]
        if isinstance(body, t.Effects):
            self._no_else(name)
            if otherwise is not None:
                body = replace(body, effects=self._with_else(body.effects, otherwise))
        elif otherwise is not None:
            raise self._no_when(otherwise)
        return t.Clause(self._span(meta), name, body, c[2])

    def effect_clause(self, meta: Meta, c: list[Any]) -> t.Clause:
        span, name = self._span(meta), self._word(c[0])
        self._no_else(name)
        return t.Clause(span, name, _effects(span, c[1:]), ())

    def _no_else(self, name: t.Word) -> None:
        """Refuse effects that would be a clause called `else`, and would always happen."""
        if name.text == "else":
            advice = "indent it like its `when`, or like the `then` before this `when`, as in `then NAME: when ...`"
            raise SpecError([Diagnostic("S001", "no `when` belongs to this `else`", name.span, advice)])

    def _then(self, meta: Meta) -> t.Word:
        start = self._span(meta).start
        return t.Word(Span(self._text, start, start + len("then")), "then")

    def then(self, meta: Meta, c: list[Any]) -> t.Clause:
        name = self._then(meta) if c[0] is None else self._word(c[0])
        effects = c[1] if c[3] is None else replace(c[1], effects=self._with_else(c[1].effects, c[3]))
        return t.Clause(self._span(meta), name, effects, c[2])

    def then_block(self, meta: Meta, c: list[Any]) -> t.Clause:
        name = self._then(meta) if c[0] is None else self._word(c[0])
        return t.Clause(self._span(meta), name, _effects(self._span(meta), c[2:]), c[1])

    def then_when(self, meta: Meta, c: list[Any]) -> t.Clause:
        span = self._span(meta)
        return t.Clause(span, self._then(meta), t.Effects(span, (self._when(span, c),)), ())

    def then_each(self, meta: Meta, c: list[Any]) -> t.Clause:
        span = self._span(meta)
        return t.Clause(span, self._then(meta), t.Effects(span, (self._each(span, c),)), ())

    def then_repeat(self, meta: Meta, c: list[Any]) -> t.Clause:
        span = self._span(meta)
        return t.Clause(span, self._then(meta), t.Effects(span, (self._repeat(span, c),)), ())

    def requires(self, meta: Meta, c: list[Any]) -> t.Clause:
        call, ids = c[1:]
        name = t.Word(Span(self._text, call.span.start, call.span.start + len(call.name)), call.name)
        return t.Clause(self._span(meta), name, t.Requires(call.span, call), ids)

    def group_name(self, meta: Meta, c: list[Any]) -> t.Call:
        return t.Call(self._span(meta), str(c[0]), ())

    def group_call(self, meta: Meta, c: list[Any]) -> t.Call:
        return t.Call(self._span(meta), str(c[0]), tuple(x for x in c[1:] if x is not None))

    def group_call_by_name(self, meta: Meta, c: list[Any]) -> t.Call:
        names, args = zip(*c[1:], strict=True)
        return t.Call(self._span(meta), str(c[0]), tuple(args), tuple(names))

    first_call, first_call_by_name = group_call, group_call_by_name

    def group_effects(self, meta: Meta, c: list[Any]) -> t.Clause:
        *effects, ids, otherwise = c
        span, remarks = self._span(meta), effects[0].remarks
        effects[0] = replace(effects[0], remarks=t.NO_REMARKS)
        body = tuple(effects) if otherwise is None else self._with_else(tuple(effects), otherwise)
        whole = t.Effects(effects[0].span.to(effects[-1].span), body)
        return t.Clause(span, t.Word(span, "then"), whole, ids, remarks)

    def group_when(self, meta: Meta, c: list[Any]) -> t.Clause:
        span = self._span(meta)
        return t.Clause(span, t.Word(span, "then"), t.Effects(span, (self._when(span, c),)), ())

    def group_repeat(self, meta: Meta, c: list[Any]) -> t.Clause:
        span = self._span(meta)
        return t.Clause(span, t.Word(span, "then"), t.Effects(span, (self._repeat(span, c),)), ())

    def group_each(self, meta: Meta, c: list[Any]) -> t.Clause:
        span = self._span(meta)
        return t.Clause(span, t.Word(span, "then"), t.Effects(span, (self._each(span, c),)), ())

    def condition(self, meta: Meta, c: list[Any]) -> t.Condition:
        return t.Condition(self._span(meta), c[0], optional_text(c[1]))

    def afterwards(self, meta: Meta, c: list[Any]) -> t.Condition:
        _, expr, message = c
        return t.Condition(self._span(meta), expr, optional_text(message), afterwards=True)

    def condition_if_stated(self, meta: Meta, c: list[Any]) -> t.Condition:
        return t.Condition(self._span(meta), c[0], optional_text(c[1]), if_stated=True)

    def hands_first(self, meta: Meta, c: list[Any]) -> t.Hands:
        return t.Hands(self._span(meta), c[0], c[1], optional_text(c[2]))

    def hands_all(self, meta: Meta, c: list[Any]) -> t.Hands:
        return t.Hands(self._span(meta), c[0], c[0], optional_text(c[1]))


def _effects(span: Span, lines: list[Any]) -> t.Effects:
    effects: list[t.Effect] = []
    for line in lines:
        if line is not None:
            effects.extend(line)
    return t.Effects(span, tuple(effects))
