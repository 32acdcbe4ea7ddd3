"""The parts of a game, its variants and properties: from the parser's tree to the surface tree.

Input: the grammar's rules of these declarations. Output: their nodes. Guarantee: one method for each grammar
rule, named after it; no name is looked up. A second line of the same kind under `tiles` is refused with `SpecError`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from lark import Token, v_args
from lark.tree import Meta

from golpae.diagnostics import Diagnostic, Span, SpecError
from golpae.syntax import tree as t
from golpae.syntax.build.spans import SpanBuilder, optional_text, text_of

COUNTS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8}


@v_args(meta=True)
class DeclarationBuilder(SpanBuilder):
    """Builds the parts of a game, variants and properties."""

    def game(self, meta: Meta, c: list[Any]) -> t.Game:
        name, title, ids, *aim = c
        said = tuple(line for line in aim if line is not None)
        return t.Game(self._span(meta), self._word(name), text_of(title), ids, aim=said)

    def aim(self, meta: Meta, c: list[Any]) -> t.Note:
        return t.Note(self._span(meta), text_of(c[1]), c[2])

    def include(self, meta: Meta, c: list[Any]) -> t.Include:
        return t.Include(self._span(meta), self._word(c[0]))

    def source(self, meta: Meta, c: list[Any]) -> t.Source:
        return t.Source(
            self._span(meta), self._word(c[0]), text_of(c[1]), tuple(r for r in c[2:] if r is not None)
        )

    def rule(self, meta: Meta, c: list[Any]) -> t.Rule:
        return t.Rule(self._span(meta), self._word(c[0]), optional_text(c[1]), text_of(c[2]))

    def players(self, meta: Meta, c: list[Any]) -> t.Players:
        low, high, size, ids = c
        team = None if size is None else t.Number(self._word(size).span, self._int(size))
        return t.Players(self._span(meta), low, high, ids, team=team)

    def option(self, meta: Meta, c: list[Any]) -> t.Option:
        return t.Option(self._span(meta), self._word(c[0]), c[1], c[2], c[3], c[4])

    def kind(self, meta: Meta, c: list[Any]) -> t.Kind:
        return t.Kind(self._span(meta), self._word(c[0]), c[1], False, c[2])

    def kind_in_order(self, meta: Meta, c: list[Any]) -> t.Kind:
        name, *tokens, ids = c
        words = self._words(tokens)
        choice = t.TypeChoice(words[0].span.to(words[-1].span), words)
        return t.Kind(self._span(meta), self._word(name), choice, True, ids)

    def order(self, meta: Meta, c: list[Any]) -> t.Order:
        name, *items, ids = c
        return t.Order(self._span(meta), self._word(name), tuple(items), False, ids)

    def circle(self, meta: Meta, c: list[Any]) -> t.Order:
        return replace(self.order(meta, c), circle=True)

    def row_slice(self, meta: Meta, c: list[Any]) -> t.RowSlice:
        name, which, number, row, ids = c
        return t.RowSlice(
            self._span(meta), self._word(name), which.value, False, number, self._word(row), ids
        )

    def all_but_a_slice(self, meta: Meta, c: list[Any]) -> t.RowSlice:
        return replace(self.row_slice(meta, c), rest=True)

    def _only(self, clauses: list[Any], kind: type[t.Written | t.Clause | t.Drawn]) -> Any:
        """Return the clause of this kind under `tiles`, None if there is none."""
        same = [x for x in clauses if isinstance(x, kind)]
        for again in same[1:]:
            word = again.span.words.split(":")[0].split()[0]
            span = Span(self._text, again.span.start, again.span.start + len(word))
            message = f"`tiles` has two lines `{word}`"
            raise SpecError([Diagnostic("N002", message, span, "write all of it in one line")])
        return same[0] if same else None

    def tiles(self, meta: Meta, c: list[Any]) -> t.Tiles:
        count, kinds, ids, *clauses = c
        groups = tuple(x for x in clauses if isinstance(x, t.TileGroup))
        written = self._only(clauses, t.Written)
        named = [x for x in clauses if isinstance(x, t.Clause)]
        withdrawn, wild, wild_as = (
            self._only([x for x in named if x.name.text == word], t.Clause) for word in t.LINES_OF_SET
        )
        return t.Tiles(
            self._span(meta),
            count and self._int(count),
            kinds and self._int(kinds),
            groups,
            written,
            withdrawn,
            self._only(clauses, t.Drawn),
            ids,
            wild=wild,
            wild_as=wild_as,
        )

    def written(self, meta: Meta, c: list[Any]) -> t.Written:
        return t.Written(self._span(meta), tuple(text_of(x) for x in c))

    def _of_set(self, word: str, meta: Meta, c: list[Any]) -> t.Clause:
        """Return a line of the set that is a value, as a clause of this name."""
        span = self._span(meta)
        name = t.Word(Span(self._text, span.start, span.start + len(word)), word)
        return t.Clause(span, name, t.Condition(c[0].span, c[0], None), c[1])

    def withdrawn(self, meta: Meta, c: list[Any]) -> t.Clause:
        return self._of_set("withdrawn", meta, c)

    def wild(self, meta: Meta, c: list[Any]) -> t.Clause:
        return self._of_set("wild", meta, c[1:])

    def wild_as(self, meta: Meta, c: list[Any]) -> t.Clause:
        return self._of_set("wild-as", meta, c)

    def drawn(self, meta: Meta, c: list[Any]) -> t.Drawn:
        return t.Drawn(self._span(meta), self._word(c[1]))

    def tile_group(self, meta: Meta, c: list[Any]) -> t.TileGroup:
        name, count, *rest, ids = c
        copies = COUNTS.get(str(count)) or self._int(count)
        tiles = rest[0] if isinstance(rest[0], t.Template) else tuple(rest)
        return t.TileGroup(self._span(meta), self._word(name), copies, tiles, ids)

    def tile_name(self, meta: Meta, c: list[Any]) -> t.SpokenTile:
        like = None if c[2] is None else self._word(c[2])
        return t.SpokenTile(self._span(meta), str(c[0]), optional_text(c[1]), like=like)

    def tile_template(self, meta: Meta, c: list[Any]) -> t.Template:
        pattern, spoken, like, *ranges = c
        return t.Template(
            self._span(meta), text_of(pattern), optional_text(spoken), tuple(ranges), optional_text(like)
        )

    def range_of(self, meta: Meta, c: list[Any]) -> t.Range:
        return t.Range(self._span(meta), self._word(c[0]), tuple(c[1:]))

    def range_part(self, meta: Meta, c: list[Any]) -> t.RangePart:
        low, other = c
        if isinstance(other, Token) or other is None:
            return t.RangePart(self._span(meta), low, None, optional_text(other))
        return t.RangePart(self._span(meta), low, other, None)

    def zones(self, meta: Meta, c: list[Any]) -> t.Zones:
        return t.Zones(self._span(meta), tuple(x for x in c if x is not None))

    def owner(self, meta: Meta, c: list[Any]) -> bool:
        return not meta.empty

    def whose(self, meta: Meta, c: list[Any]) -> tuple[bool, bool]:
        return not meta.empty, False

    def whose_team(self, meta: Meta, c: list[Any]) -> tuple[bool, bool]:
        return True, True

    def zone(self, meta: Meta, c: list[Any]) -> t.Zone:
        owner, name, kind, viewer, *sights, holds, shown, ids = c
        return t.Zone(
            self._span(meta),
            self._word(name),
            owner,
            self._word(kind),
            viewer,
            holds is not None,
            ids,
            sights=tuple(sights),
            shown=shown,
        )

    def shown_as(self, meta: Meta, c: list[Any]) -> t.Word:
        return self._word(c[1])

    def sight(self, meta: Meta, c: list[Any]) -> t.Sight:
        return t.Sight(self._span(meta), c[0], c[1])

    def sight_of_all(self, meta: Meta, c: list[Any]) -> t.Sight:
        return t.Sight(self._span(meta), None, c[0])

    def nobody(self, meta: Meta, c: list[Any]) -> t.Viewer:
        return "nobody"

    def everyone(self, meta: Meta, c: list[Any]) -> t.Viewer:
        return "everyone"

    def everyone_but_its_owner(self, meta: Meta, c: list[Any]) -> t.Viewer:
        return "everyone but its owner"

    def its_owner(self, meta: Meta, c: list[Any]) -> t.Viewer:
        return "its owner"

    def state(self, meta: Meta, c: list[Any]) -> t.State:
        return t.State(self._span(meta), c[0], tuple(x for x in c[1:] if x is not None))

    def scope_hand(self, meta: Meta, c: list[Any]) -> t.Scope:
        return "hand"

    def scope_match(self, meta: Meta, c: list[Any]) -> t.Scope:
        return "match"

    def state_var(self, meta: Meta, c: list[Any]) -> t.StateVar:
        hidden, (player, team), name, type_, _, initial, title, ids = c
        return t.StateVar(
            self._span(meta),
            self._word(name),
            player,
            type_,
            initial,
            ids,
            each_team=team,
            title=optional_text(title),
            hidden=hidden is not None,
        )

    # ------------------------------------------------------------------ variants and properties

    def variant(self, meta: Meta, c: list[Any]) -> t.Variant:
        kind: t.SwitchKind = "variant"
        if isinstance(c[0], Token) and c[0].type == "READING":
            kind, c = "reading", c[1:]
        name, gist, ids, *deltas = c
        return t.Variant(
            self._span(meta),
            kind,
            self._word(name),
            text_of(gist),
            tuple(d for d in deltas if isinstance(d, t.Delta)),
            ids,
            properties=tuple(d for d in deltas if isinstance(d, t.Property)),
            parts=tuple(d for d in deltas if isinstance(d, t.Added)),
            reworded=tuple(d for d in deltas if isinstance(d, t.Reword)),
        )

    def path(self, meta: Meta, c: list[Any]) -> tuple[t.Word, ...]:
        return self._words(c)

    def path_word(self, meta: Meta, c: list[Any]) -> Token:
        (word,) = c
        assert isinstance(word, Token)
        return word

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

    def _names_delta(self, meta: Meta, kind: t.DeltaKind, c: list[Any]) -> t.Delta:
        path, *tokens, ids = c
        words = self._words(tokens)
        return t.Delta(self._span(meta), kind, path, t.Names(words[0].span.to(words[-1].span), words), ids)

    def add(self, meta: Meta, c: list[Any]) -> t.Delta:
        return t.Delta(self._span(meta), "add", c[0], c[1], c[2])

    def add_pattern(self, meta: Meta, c: list[Any]) -> t.Delta:
        path, value, number, each, mark, test, message, ids = c
        span, words = self._span(meta), optional_text(message)
        pattern = t.Pattern(
            span,
            path[-1],
            value,
            each,
            mark == "extra",
            test,
            words,
            ids,
            mark == "alone",
            number=None if number is None else self._word(number),
        )
        return t.Delta(span, "add", path, None, ids, pattern=pattern)

    def drop(self, meta: Meta, c: list[Any]) -> t.Delta:
        return t.Delta(self._span(meta), "drop", c[0], None, c[1])

    def expect(self, meta: Meta, c: list[Any]) -> t.Delta:
        return t.Delta(self._span(meta), "expect", (self._word(c[0]),), None, c[2], verdict=str(c[1]))

    def property(self, meta: Meta, c: list[Any]) -> t.Property:
        kind, name, after, expected, within, ids, expr, message, more = c
        verdict = None if expected is None else str(expected).split()[1]
        return t.Property(
            self._span(meta),
            kind.value,
            self._word(name),
            verdict,
            within,
            expr,
            optional_text(message),
            ids + more,
            after=after,
        )

    def after(self, meta: Meta, c: list[Any]) -> t.Word:
        return self._word(c[0])

    def within(self, meta: Meta, c: list[Any]) -> int:
        return self._int(c[0])
