"""From the parser's tree to the surface tree.

In: what the grammar (grammar/golpae.lark) yields. Out: nodes of `golpae.syntax.tree`. One method a grammar
rule, named after it; nothing is looked up or checked here.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import replace
from typing import Any

from lark import Token, Transformer, Tree, v_args
from lark.tree import Meta

from golpae.diagnostics import Diagnostic, Span, SpecError, Text
from golpae.syntax import tree as t
from golpae.syntax.layout import Comment

DEEPEST = 100  # nodes within nodes
LONGEST = 15  # digits of a number
COUNTS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8}


def _unquote(token: Token | None) -> str | None:
    return None if token is None else str(token)[1:-1]


def _quoted(token: Token) -> str:
    return str(token)[1:-1]


@v_args(meta=True)
class Builder(Transformer[Token, t.RuleText]):
    """Builds the surface tree of one text."""

    def __init__(self, text: Text, comments: tuple[Comment, ...]) -> None:
        super().__init__(visit_tokens=False)
        self._text = text
        # INVARIANT: those that no node has taken yet, in order, and the starts of the lines they speak of.
        self._comments = [comment for comment in comments if comment.line is not None]
        self._lines = [comment.line or 0 for comment in self._comments]
        self._rest = tuple(comment.words for comment in comments if comment.line is None)

    def transform(self, tree: Tree[Token]) -> t.RuleText:
        level: list[Tree[Token]] = [tree]
        for _ in range(DEEPEST):
            level = [child for node in level for child in node.children if isinstance(child, Tree)]
        if level:
            span = self._span(next((node.meta for node in level if not node.meta.empty), tree.meta))
            raise self._too_large("this is nested too deep", span, "name a part of it with `define`")
        return super().transform(tree)

    def _call_userfunc(self, tree: Any, new_children: Any = None) -> Any:
        node = super()._call_userfunc(tree, new_children)  # type: ignore[no-untyped-call]
        if self._comments and isinstance(node, t.Node) and hasattr(node, "remarks"):
            return self._remark(node)
        return node

    def _remark(self, node: Any) -> Any:
        """The node with the comments of its lines, except those that nodes inside it have taken."""
        start, end = node.span.start, max(node.span.end, node.span.start + 1)
        low, high = bisect_left(self._lines, start), bisect_left(self._lines, end)
        mine = self._comments[low:high]
        if not mine:
            return node
        del self._comments[low:high], self._lines[low:high]
        behind = [c.words for c in mine if c.trailing and c.line == start]
        above = [c.words for c in mine if not (c.trailing and c.line == start)]
        if len(behind) > 1:
            above, behind = above + behind[:-1], behind[-1:]
        return replace(node, remarks=t.Remarks(tuple(above), behind[0] if behind else None))

    # ------------------------------------------------------------------ places and remarks

    def _span(self, meta: Meta) -> Span:
        if meta.empty:
            return Span(self._text, 0, 0)
        start, end = meta.start_pos, meta.end_pos
        while end > start and self._text.content[end - 1 : end].isspace():
            end -= 1
        return Span(self._text, start, max(start, end))

    def _word(self, token: Token) -> t.Word:
        start = token.start_pos or 0
        return t.Word(Span(self._text, start, start + len(token)), str(token))

    def _int(self, token: Token) -> int:
        if len(token) > LONGEST:
            raise self._too_large("this number is too large", self._word(token).span, None)
        return int(token)

    def _too_large(self, message: str, span: Span, advice: str | None) -> SpecError:
        return SpecError([Diagnostic("S006", message, span, advice)])

    def _words(self, tokens: list[Token]) -> tuple[t.Word, ...]:
        return tuple(self._word(token) for token in tokens)

    def ids(self, meta: Meta, children: list[Token]) -> tuple[t.Word, ...]:
        if not children:
            return ()
        token = children[0]
        words = []
        offset = 1
        for word in str(token)[1:-1].split(" "):
            if word:
                start = (token.start_pos or 0) + offset
                words.append(t.Word(Span(self._text, start, start + len(word)), word))
            offset += len(word) + 1
        return tuple(words)

    # ------------------------------------------------------------------ declarations

    def start(self, meta: Meta, children: list[Any]) -> t.RuleText:
        return t.RuleText(tuple(children), self._rest)

    def game(self, meta: Meta, c: list[Any]) -> t.Game:
        return t.Game(self._span(meta), self._word(c[0]), _quoted(c[1]), c[2])

    def include(self, meta: Meta, c: list[Any]) -> t.Include:
        return t.Include(self._span(meta), self._word(c[0]))

    def source(self, meta: Meta, c: list[Any]) -> t.Source:
        return t.Source(
            self._span(meta), self._word(c[0]), _quoted(c[1]), tuple(r for r in c[2:] if r is not None)
        )

    def rule(self, meta: Meta, c: list[Any]) -> t.Rule:
        return t.Rule(self._span(meta), self._word(c[0]), _unquote(c[1]), _quoted(c[2]))

    def players(self, meta: Meta, c: list[Any]) -> t.Players:
        return t.Players(self._span(meta), c[0], c[1], c[2])

    def option(self, meta: Meta, c: list[Any]) -> t.Option:
        return t.Option(self._span(meta), self._word(c[0]), c[1], c[2], c[3], c[4])

    def _only(self, clauses: list[Any], kind: type[t.Written | t.Clause]) -> Any:
        """The clause of this kind under `tiles`, None where there is none."""
        found = [x for x in clauses if isinstance(x, kind)]
        for again in found[1:]:
            word = again.span.words.split(":")[0].rstrip()
            span = Span(self._text, again.span.start, again.span.start + len(word))
            message = f"`{word}` stands twice under `tiles`"
            raise SpecError([Diagnostic("N002", message, span, "write all of it in one line")])
        return found[0] if found else None

    def tiles(self, meta: Meta, c: list[Any]) -> t.Tiles:
        count, kinds, ids, *clauses = c
        groups = tuple(x for x in clauses if isinstance(x, t.TileGroup))
        written = self._only(clauses, t.Written)
        withdrawn = self._only(clauses, t.Clause)
        return t.Tiles(
            self._span(meta),
            count and self._int(count),
            kinds and self._int(kinds),
            groups,
            written,
            withdrawn,
            ids,
        )

    def written(self, meta: Meta, c: list[Any]) -> t.Written:
        return t.Written(self._span(meta), tuple(_quoted(x) for x in c))

    def withdrawn(self, meta: Meta, c: list[Any]) -> t.Clause:
        span = self._span(meta)
        word = t.Word(Span(self._text, span.start, span.start + len("withdrawn")), "withdrawn")
        return t.Clause(span, word, t.Condition(c[0].span, c[0], None), c[1])

    def tile_group(self, meta: Meta, c: list[Any]) -> t.TileGroup:
        name, count, *rest, ids = c
        copies = COUNTS.get(str(count)) or self._int(count)
        tiles = rest[0] if isinstance(rest[0], t.Template) else tuple(rest)
        return t.TileGroup(self._span(meta), self._word(name), copies, tiles, ids)

    def tile_name(self, meta: Meta, c: list[Any]) -> t.SpokenTile:
        return t.SpokenTile(self._span(meta), str(c[0]), _unquote(c[1]))

    def tile_template(self, meta: Meta, c: list[Any]) -> t.Template:
        return t.Template(self._span(meta), _quoted(c[0]), _unquote(c[1]), tuple(c[2:]))

    def range_of(self, meta: Meta, c: list[Any]) -> t.Range:
        return t.Range(self._span(meta), self._word(c[0]), c[1], c[2])

    def zones(self, meta: Meta, c: list[Any]) -> t.Zones:
        return t.Zones(self._span(meta), tuple(x for x in c if x is not None))

    def owner(self, meta: Meta, c: list[Any]) -> bool:
        return not meta.empty

    def zone(self, meta: Meta, c: list[Any]) -> t.Zone:
        owner, name, kind, viewer, holds, ids = c
        return t.Zone(
            self._span(meta), self._word(name), owner, self._word(kind), viewer, holds is not None, ids
        )

    def nobody(self, meta: Meta, c: list[Any]) -> str:
        return "nobody"

    def everyone(self, meta: Meta, c: list[Any]) -> str:
        return "everyone"

    def its_owner(self, meta: Meta, c: list[Any]) -> str:
        return "its owner"

    def state(self, meta: Meta, c: list[Any]) -> t.State:
        return t.State(self._span(meta), c[0], tuple(x for x in c[1:] if x is not None))

    def scope_hand(self, meta: Meta, c: list[Any]) -> str:
        return "hand"

    def scope_match(self, meta: Meta, c: list[Any]) -> str:
        return "match"

    def state_var(self, meta: Meta, c: list[Any]) -> t.StateVar:
        owner, name, type_, _, initial, ids = c
        return t.StateVar(self._span(meta), self._word(name), owner, type_, initial, ids)

    # ------------------------------------------------------------------ types and parameters

    def or_none(self, meta: Meta, c: list[Any]) -> t.Type:
        return t.TypeOrNone(self._span(meta), c[0])

    def type_name(self, meta: Meta, c: list[Any]) -> t.Type:
        return t.TypeName(self._span(meta), str(c[0]))

    def type_number(self, meta: Meta, c: list[Any]) -> t.Type:
        return t.TypeName(self._span(meta), "number")

    def type_truth(self, meta: Meta, c: list[Any]) -> t.Type:
        return t.TypeTruth(self._span(meta))

    def type_choice(self, meta: Meta, c: list[Any]) -> t.Type:
        return t.TypeChoice(self._span(meta), self._words(c))

    def type_range(self, meta: Meta, c: list[Any]) -> t.Type:
        return t.TypeRange(self._span(meta), c[0], c[1])

    def type_list(self, meta: Meta, c: list[Any]) -> t.Type:
        return t.TypeList(self._span(meta), c[0])

    def type_each(self, meta: Meta, c: list[Any]) -> t.Type:
        return t.TypeEach(self._span(meta), c[0])

    def params(self, meta: Meta, c: list[Any]) -> tuple[t.Param, ...]:
        return tuple(c)

    def param(self, meta: Meta, c: list[Any]) -> t.Param:
        optional, name, kind = c
        if isinstance(kind, tuple):
            return t.Param(self._span(meta), str(name), None, kind, optional is not None)
        return t.Param(self._span(meta), str(name), kind, None, optional is not None)

    def param_names(self, meta: Meta, c: list[Any]) -> tuple[t.Word, ...]:
        return self._words(c)

    # ------------------------------------------------------------------ definitions, shapes, scores

    def define(self, meta: Meta, c: list[Any]) -> t.Define:
        (name, owner, params), ids, *rest = c
        span = self._span(meta)
        if rest and not isinstance(rest[0], t.Clause):
            rest = [x for x in rest if x is not None]
            expr = rest[0]
            more = rest[1] if len(rest) > 1 else ()
            clause = t.Clause(span, name, t.Condition(expr.span, expr, None), ())
            return t.Define(span, name, owner, params, (clause,), False, ids + more)
        cases = tuple(x for x in rest if x is not None)
        return t.Define(span, name, owner, params, cases, True, ids)

    def define_plain(self, meta: Meta, c: list[Any]) -> Any:
        return self._word(c[0]), None, c[1] or ()

    def define_tile(self, meta: Meta, c: list[Any]) -> Any:
        return self._word(c[0]), "tile", ()

    def define_seat(self, meta: Meta, c: list[Any]) -> Any:
        return self._word(c[0]), "player", ()

    def case(self, meta: Meta, c: list[Any]) -> t.Clause:
        name, expr, message, ids = c
        return t.Clause(
            self._span(meta), self._word(name), t.Condition(expr.span, expr, _unquote(message)), ids
        )

    def shape(self, meta: Meta, c: list[Any]) -> t.Shape:
        names = [x for x in c[1:] if isinstance(x, Token)]
        ids, body, more = [x for x in c[1:] if x is not None and not isinstance(x, Token)]
        return t.Shape(self._span(meta), self._word(c[0]), self._words(names), None, body, ids + more)

    def shape_of(self, meta: Meta, c: list[Any]) -> t.Shape:
        name, size, ids, body, more = c
        return t.Shape(self._span(meta), self._word(name), (), self._int(size), body, ids + more)

    def arrangement(self, meta: Meta, c: list[Any]) -> t.Arrangement:
        name, ids, *parts, more = c
        return t.Arrangement(self._span(meta), self._word(name), tuple(parts), (), ids + more)

    def arrangement_union(self, meta: Meta, c: list[Any]) -> t.Arrangement:
        name, ids, *others, more = c
        return t.Arrangement(self._span(meta), self._word(name), (), self._words(others), ids + more)

    def part(self, meta: Meta, c: list[Any]) -> t.Part:
        return t.Part(self._span(meta), self._int(c[0]), c[1] is not None, self._word(c[2]))

    def score(self, meta: Meta, c: list[Any]) -> t.Score:
        name, params, title, ids, *clauses = c
        return t.Score(
            self._span(meta),
            self._word(name),
            params or (),
            _unquote(title),
            tuple(g for x in clauses if isinstance(x, list) for g in x if isinstance(g, t.GivenParam)),
            tuple(g for x in clauses if isinstance(x, list) for g in x if isinstance(g, t.Clause)),
            tuple(x for x in clauses if isinstance(x, t.ScoreField)),
            tuple(x for x in clauses if isinstance(x, t.ScoreDefine)),
            tuple(x for x in clauses if isinstance(x, t.Pattern)),
            tuple(x for x in clauses if isinstance(x, t.Brings)),
            ids,
        )

    def given(self, meta: Meta, c: list[Any]) -> list[t.GivenParam]:
        return list(c)

    def given_param(self, meta: Meta, c: list[Any]) -> t.GivenParam:
        name, type_, _, initial, ids = c
        return t.GivenParam(self._span(meta), self._word(name), type_, initial, ids)

    def provided(self, meta: Meta, c: list[Any]) -> list[t.Clause]:
        return list(c)

    def provided_line(self, meta: Meta, c: list[Any]) -> t.Clause:
        return t.Clause(self._span(meta), self._word(c[0]), c[1], c[2])

    def brings(self, meta: Meta, c: list[Any]) -> t.Brings:
        pattern, *brought, ids = c
        return t.Brings(self._span(meta), self._word(pattern), self._words(brought), ids)

    def score_define(self, meta: Meta, c: list[Any]) -> t.ScoreDefine:
        return t.ScoreDefine(self._span(meta), self._word(c[0]), c[1], c[2])

    def score_field(self, meta: Meta, c: list[Any]) -> t.ScoreField:
        name, expr, label, ids = c
        word = None if label is None else self._word(label)
        return t.ScoreField(self._span(meta), self._word(name), expr, word, ids)

    def pattern(self, meta: Meta, c: list[Any]) -> t.Pattern:
        name, value, each, extra, test, message, ids = c
        return t.Pattern(
            self._span(meta), self._word(name), value, each, extra is not None, test, _unquote(message), ids
        )

    def pattern_each(self, meta: Meta, c: list[Any]) -> tuple[t.Word, t.Expr]:
        return self._word(c[0]), c[1]

    # ------------------------------------------------------------------ actions

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
            _unquote(title),
            tuple(x for x in clauses if x is not None),
            ids,
        )

    def _lifecycle(
        self, meta: Meta, kind: str, params: Any, zone: Token | None, title: Any, rest: list[Any]
    ) -> t.Action:
        ids, *clauses = rest
        span = self._span(meta)
        word = t.Word(Span(self._text, span.start, span.start + len(kind)), kind)
        zone_word = None if zone is None else self._word(zone)
        kept = tuple(x for x in clauses if x is not None)
        return t.Action(span, kind, word, params or (), None, zone_word, False, _unquote(title), kept, ids)

    def deal(self, meta: Meta, c: list[Any]) -> t.Action:
        return self._lifecycle(meta, "deal", c[0], c[1], c[2], c[3:])

    def end(self, meta: Meta, c: list[Any]) -> t.Action:
        return self._lifecycle(meta, "end", c[0], None, c[1], c[2:])

    def finish(self, meta: Meta, c: list[Any]) -> t.Action:
        return self._lifecycle(meta, "finish", c[0], None, c[1], c[2:])

    def payout(self, meta: Meta, c: list[Any]) -> t.Action:
        return self._lifecycle(meta, "payout", None, None, c[0], c[1:])

    def clause(self, meta: Meta, c: list[Any]) -> t.Clause:
        return t.Clause(self._span(meta), self._word(c[0]), c[1], c[2])

    def effect_clause(self, meta: Meta, c: list[Any]) -> t.Clause:
        span = self._span(meta)
        return t.Clause(span, self._word(c[0]), self._effects(span, c[1:]), ())

    def _effects(self, span: Span, lines: list[Any]) -> t.Effects:
        effects: list[t.Effect] = []
        for line in lines:
            if line is not None:
                effects.extend(line)
        return t.Effects(span, tuple(effects))

    def _then(self, meta: Meta) -> t.Word:
        start = self._span(meta).start
        return t.Word(Span(self._text, start, start + len("then")), "then")

    def then(self, meta: Meta, c: list[Any]) -> t.Clause:
        name = self._then(meta) if c[0] is None else self._word(c[0])
        return t.Clause(self._span(meta), name, c[1], c[2])

    def then_block(self, meta: Meta, c: list[Any]) -> t.Clause:
        name = self._then(meta) if c[0] is None else self._word(c[0])
        return t.Clause(self._span(meta), name, self._effects(self._span(meta), c[2:]), c[1])

    def then_when(self, meta: Meta, c: list[Any]) -> t.Clause:
        span = self._span(meta)
        return t.Clause(span, self._then(meta), t.Effects(span, tuple(self.when_block(meta, c))), ())

    def then_each(self, meta: Meta, c: list[Any]) -> t.Clause:
        span = self._span(meta)
        return t.Clause(span, self._then(meta), t.Effects(span, tuple(self.each_block(meta, c))), ())

    def condition(self, meta: Meta, c: list[Any]) -> t.Condition:
        return t.Condition(self._span(meta), c[0], _unquote(c[1]))

    def hands_first(self, meta: Meta, c: list[Any]) -> t.Hands:
        return t.Hands(self._span(meta), c[0], c[1], _unquote(c[2]))

    def hands_all(self, meta: Meta, c: list[Any]) -> t.Hands:
        return t.Hands(self._span(meta), c[0], c[0], _unquote(c[1]))

    # ------------------------------------------------------------------ effects

    def effects(self, meta: Meta, c: list[Any]) -> t.Effects:
        return t.Effects(self._span(meta), tuple(c))

    def effect_line(self, meta: Meta, c: list[Any]) -> tuple[t.Effect, ...]:
        effects: tuple[t.Effect, ...] = c[0].effects
        return effects

    def when_head(self, meta: Meta, c: list[Any]) -> Any:
        return c[0]

    def each_head(self, meta: Meta, c: list[Any]) -> Any:
        return self._word(c[0]), c[1]

    def when_block(self, meta: Meta, c: list[Any]) -> tuple[t.Effect, ...]:
        span = self._span(meta)
        return (t.When(span, c[0], self._effects(span, c[1:]).effects),)

    def each_block(self, meta: Meta, c: list[Any]) -> tuple[t.Effect, ...]:
        span = self._span(meta)
        (name, domain), *rest = c
        return (t.ForEach(span, name, domain, self._effects(span, rest).effects),)

    def move(self, meta: Meta, c: list[Any]) -> t.Effect:
        return t.Move(self._span(meta), c[0], c[1], c[2], None if c[3] is None else self._word(c[3]))

    def move_all(self, meta: Meta, c: list[Any]) -> t.Effect:
        return t.Move(self._span(meta), None, c[0], c[1], None)

    def place(self, meta: Meta, c: list[Any]) -> t.Expr:
        return self.row_end(meta, c) if len(c) == 2 else c[0]

    def assign(self, meta: Meta, c: list[Any]) -> t.Effect:
        return t.Assign(self._span(meta), c[0], c[1])

    def wins(self, meta: Meta, c: list[Any]) -> t.Effect:
        return t.Wins(self._span(meta), c[0])

    def nobody_wins(self, meta: Meta, c: list[Any]) -> t.Effect:
        return t.Wins(self._span(meta), None)

    def pays(self, meta: Meta, c: list[Any]) -> t.Effect:
        return t.Pays(self._span(meta), c[0], c[1], c[2])

    def scores(self, meta: Meta, c: list[Any]) -> t.Effect:
        return t.Scores(self._span(meta), c[0], c[1])

    def shuffle(self, meta: Meta, c: list[Any]) -> t.Effect:
        return t.Shuffle(self._span(meta), c[0])

    def arrange(self, meta: Meta, c: list[Any]) -> t.Effect:
        return t.Arrange(self._span(meta), c[0], c[1])

    def pass_on(self, meta: Meta, c: list[Any]) -> t.Effect:
        return t.PassOn(self._span(meta), self._word(c[0]), self._word(c[1]))

    def when(self, meta: Meta, c: list[Any]) -> t.Effect:
        return t.When(self._span(meta), c[0], c[1].effects)

    def for_each(self, meta: Meta, c: list[Any]) -> t.Effect:
        return t.ForEach(self._span(meta), self._word(c[0]), c[1], c[2].effects)

    # ------------------------------------------------------------------ variants and properties

    def variant(self, meta: Meta, c: list[Any]) -> t.Variant:
        kind = "variant"
        if isinstance(c[0], Token) and c[0].type == "READING":
            kind, c = "reading", c[1:]
        name, gist, ids, *deltas = c
        return t.Variant(
            self._span(meta),
            kind,
            self._word(name),
            _quoted(gist),
            tuple(d for d in deltas if isinstance(d, t.Delta)),
            ids,
            properties=tuple(d for d in deltas if isinstance(d, t.Property)),
        )

    def path(self, meta: Meta, c: list[Any]) -> tuple[t.Word, ...]:
        return self._words(c)

    def replace(self, meta: Meta, c: list[Any]) -> t.Delta:
        return t.Delta(self._span(meta), "replace", c[0], c[1], c[2])

    def replace_parts(self, meta: Meta, c: list[Any]) -> t.Delta:
        path, *parts, ids = c
        return t.Delta(
            self._span(meta), "replace", path, t.Parts(parts[0].span.to(parts[-1].span), tuple(parts)), ids
        )

    def replace_names(self, meta: Meta, c: list[Any]) -> t.Delta:
        return self._names_delta(meta, "replace", c)

    def add_names(self, meta: Meta, c: list[Any]) -> t.Delta:
        return self._names_delta(meta, "add", c)

    def _names_delta(self, meta: Meta, kind: str, c: list[Any]) -> t.Delta:
        path, *tokens, ids = c
        words = self._words(tokens)
        return t.Delta(self._span(meta), kind, path, t.Names(words[0].span.to(words[-1].span), words), ids)

    def add(self, meta: Meta, c: list[Any]) -> t.Delta:
        return t.Delta(self._span(meta), "add", c[0], c[1], c[2])

    def drop(self, meta: Meta, c: list[Any]) -> t.Delta:
        return t.Delta(self._span(meta), "drop", c[0], None, c[1])

    def expect(self, meta: Meta, c: list[Any]) -> t.Delta:
        return t.Delta(self._span(meta), "expect", (self._word(c[0]),), None, c[2], verdict=str(c[1]))

    def property(self, meta: Meta, c: list[Any]) -> t.Property:
        kind, name, after, expected, within, ids, expr, message, more = c
        verdict = None if expected is None else str(expected).split()[1]
        return t.Property(
            self._span(meta),
            str(kind),
            self._word(name),
            verdict,
            within,
            expr,
            _unquote(message),
            ids + more,
            after=after,
        )

    def after(self, meta: Meta, c: list[Any]) -> t.Word:
        return self._word(c[0])

    def within(self, meta: Meta, c: list[Any]) -> int:
        return self._int(c[0])

    # ------------------------------------------------------------------ expressions

    def number(self, meta: Meta, c: list[Any]) -> t.Expr:
        return t.Number(self._span(meta), self._int(c[0]))

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
        expr: t.Expr = c[0]
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

    def range_bag(self, meta: Meta, c: list[Any]) -> t.Expr:
        return t.RangeBag(self._span(meta), c[0], c[1])

    def possessive(self, meta: Meta, c: list[Any]) -> t.Expr:
        owner: t.Expr | None = None
        if len(c) > DEEPEST:
            raise self._too_large(
                "this is nested too deep", self._span(meta), "name a part of it with `define`"
            )
        for token in c[:-1]:
            word = str(token)[:-2]
            start = token.start_pos or 0
            span = Span(self._text, c[0].start_pos or 0, start + len(word))
            owner = t.Name(span, word) if owner is None else t.Possessive(span, owner, word)
        assert owner is not None
        return t.Possessive(self._span(meta), owner, str(c[-1]))

    def its(self, meta: Meta, c: list[Any]) -> t.Expr:
        span = self._span(meta)
        return t.Possessive(span, t.Name(Span(self._text, span.start, span.start + 3), "it"), str(c[1]))

    def _binary(self, meta: Meta, op: str, c: list[Any]) -> t.Expr:
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
        return self._binary(meta, str(c[1]), [c[0], c[2]])

    def arithmetic(self, meta: Meta, c: list[Any]) -> t.Expr:
        return self._binary(meta, str(c[1]), [c[0], c[2]])

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
        return t.Quantified(self._span(meta), str(kind), self._words(names), domain, body)

    def together(self, meta: Meta, c: list[Any]) -> t.Expr:
        kind, *tokens, size, domain, body = c
        name, *others = self._words(tokens)
        if others:
            message = f"`{others[0].text}` is a second name, and tiles together have one"
            advice = f"write `{kind} {name.text} of {size.span.said} in ...: ...`"
            raise SpecError([Diagnostic("S001", message, others[0].span, advice)])
        return t.Quantified(self._span(meta), str(kind), (name,), domain, body, size)

    def ways(self, meta: Meta, c: list[Any]) -> t.Expr:
        kind, name, score, body = c
        word = self._word(name)
        if word.text != "way" or not isinstance(score, t.Name):
            span = Span(self._text, kind.start_pos or 0, score.span.end)
            advice = f"write `{span.said} in ...: ...`, or `{kind} way of` and a score's name"
            raise SpecError([Diagnostic("S001", f"`{span.said}` does not say in what", span, advice)])
        return t.Ways(self._span(meta), str(kind), t.Word(score.span, score.name), body)

    def count(self, meta: Meta, c: list[Any]) -> t.Expr:
        _, *names, domain, test = c
        return t.Fold(self._span(meta), "number of", self._words(names), domain, None, test)

    def count_together(self, meta: Meta, c: list[Any]) -> t.Expr:
        _, name, size, domain, test = c
        return t.Fold(self._span(meta), "number of", (self._word(name),), domain, None, test, size)

    def _fold(self, meta: Meta, kind: str, c: list[Any]) -> t.Expr:
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

    def those(self, meta: Meta, c: list[Any]) -> t.Expr:
        name, domain, test = c
        return t.Fold(self._span(meta), "those", (self._word(name),), domain, None, test)

    def size_of(self, meta: Meta, c: list[Any]) -> t.Expr:
        return t.Unary(self._span(meta), "size of", c[1])

    def kinds_of(self, meta: Meta, c: list[Any]) -> t.Expr:
        return t.Unary(self._span(meta), "kinds of", c[1])

    def row_end(self, meta: Meta, c: list[Any]) -> t.Expr:
        return t.RowEnd(self._span(meta), str(c[0]).split()[0], c[1])

    def row_place(self, meta: Meta, c: list[Any]) -> t.Expr:
        return t.RowPlace(self._span(meta), c[0], c[2])
