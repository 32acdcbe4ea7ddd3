"""Hypothesis strategies for surface trees: every tree that a rule text can yield, and no other.

Names are plain words and words of the language that may also be names. Left out are the names that the
grammar reads as something else wherever they stand.
"""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from golpae.diagnostics import Span, Text
from golpae.syntax import tree as t

HERE = Span(Text.of("nowhere", ""), 0, 0)

PLAIN = ("a", "b", "p", "q", "tile", "hand", "x1", "by-claim", "left_over", "T", "a-1-b")
# Words of the language, in places where they are not read as such.
AWKWARD = (
    "all and arrange as back by count drop each else empty end ends events everyone first fits "
    "for from front game group is it keep kinds least list match mod most move nobody normally number of "
    "one optional or others otherwise pass pays pattern player players reading right scores seen set shape "
    "shuffle size state sum tiles to top total variant when wins within written"
).split()

plain_names = st.sampled_from(PLAIN) | st.from_regex(r"[a-m][a-z]{2}(-[a-z]{2}|_9)?", fullmatch=True).filter(
    lambda name: name not in ("its", "for", "all", "and", "div", "mod", "let")
)
names = plain_names | st.sampled_from(AWKWARD)
tile_names = st.sampled_from(("6-6", "10-2", "2p", "15s"))
texts = st.text(st.characters(exclude_characters='"\n', exclude_categories=["Cs"]), max_size=12)
long_texts = st.sampled_from(("{p} may not take {tile} now", "one: two # three " * 4))
gists = texts | long_texts
comments = st.text(st.characters(exclude_characters="\n", exclude_categories=["Cs"]), max_size=12).map(
    str.strip
)


def build(kind: type[Any], *args: st.SearchStrategy[Any], **kwargs: st.SearchStrategy[Any]) -> Any:
    """Nodes of one class, all at the same place."""
    return st.builds(kind, st.just(HERE), *args, **kwargs)


def some(strategy: st.SearchStrategy[Any], most: int = 3, least: int = 1) -> st.SearchStrategy[Any]:
    return st.lists(strategy, min_size=least, max_size=most).map(tuple)


words = build(t.Word, names)
plain_words = build(t.Word, plain_names)
ids = some(build(t.Word, st.from_regex(r"[A-Z0-9][0-9]{0,2}r?", fullmatch=True)), least=0)
remarks = st.just(t.NO_REMARKS) | st.builds(t.Remarks, some(comments, 2, 0), st.none() | comments)


# ---------------------------------------------------------------- expressions

possessives = st.recursive(
    build(t.Possessive, build(t.Name, names), names),
    lambda inner: build(t.Possessive, inner, names),
    max_leaves=3,
)
atoms = (
    build(t.Number, st.integers(0, 10**5))
    | build(t.Truth, st.booleans())
    | build(t.Nothing)
    | build(t.TileName, tile_names)
    | build(t.Name, names | st.sampled_from(("some", "every")))
    | possessives
)
COMPARISONS = ("=", "/=", "<", "<=", ">", ">=", "in", "not in", "fits")
OPERATORS = ("and", "or", "implies", *COMPARISONS, "+", "-", "*", "div", "mod", "^", "otherwise")


def _named_call(pairs: tuple[tuple[t.Expr, t.Word], ...]) -> st.SearchStrategy[t.Expr]:
    args, parameters = zip(*pairs, strict=True)
    return build(t.Call, names, st.just(args), st.just(parameters))  # type: ignore[no-any-return]


def _larger(inner: st.SearchStrategy[t.Expr]) -> st.SearchStrategy[t.Expr]:
    one_name = plain_words.map(lambda word: (word,))
    return (
        build(t.Binary, st.sampled_from(OPERATORS), inner, inner)
        | build(t.Binary, st.sampled_from(("and", "or", "implies")), inner, inner)
        | build(t.Call, names, some(inner, least=0))
        | some(st.tuples(inner, words)).flatmap(_named_call)
        | build(t.Bag, some(inner, least=0))
        | build(t.EachOf, inner, words, inner, st.none() | inner)
        | build(t.RangeBag, inner, inner)
        | build(t.Unary, st.sampled_from(("not", "-", "size of", "kinds of")), inner)
        | build(t.RowEnd, st.sampled_from(("top", "front", "back")), inner)
        | build(t.Is, inner, words | build(t.Word, st.just("none")), st.booleans())
        | build(t.LayOut, inner, inner, words)
        | build(t.Quantified, st.sampled_from(("some", "every", "no")), some(words), inner, inner)
        | build(t.Fold, st.sampled_from(("number of", "the", "those")), one_name, inner, st.none(), inner)
        | build(t.Fold, st.sampled_from(("sum of", "most of", "least of")), one_name, inner, inner, st.none() | inner)
        | build(t.If, inner, inner, inner)
    )  # fmt: skip


expressions: st.SearchStrategy[t.Expr] = st.recursive(atoms, _larger, max_leaves=8)

# -------------------------------------------------------------------- effects

simple_effects = (
    build(t.Move, expressions, expressions, expressions, st.none() | words)
    | build(t.Move, st.none(), expressions, expressions, st.none())
    | build(t.Assign, expressions, expressions)
    | build(t.Wins, st.none() | expressions)
    | build(t.Pays, expressions, expressions, expressions)
    | build(t.Scores, expressions, expressions)
    | build(t.Shuffle, expressions)
    | build(t.Arrange, expressions, expressions)
    | build(t.PassOn, words, words)
)
block_effects: st.SearchStrategy[Any] = some(
    st.recursive(
        simple_effects,
        lambda inner: build(t.When, expressions, some(inner)) | build(t.ForEach, words, expressions, some(inner)),
        max_leaves=4,
    )
)  # fmt: skip


def _continued(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    last = build(t.When, expressions, inner) | build(t.ForEach, words, expressions, inner)
    return st.tuples(some(simple_effects, 2, 0), last).map(lambda parts: (*parts[0], parts[1]))


# Behind a `:` the effects of a `when` go on to the end of the line, so it comes last.
line_effects: st.SearchStrategy[Any] = st.recursive(some(simple_effects), _continued, max_leaves=4)

# -------------------------------------------------------------------- clauses

conditions = build(t.Condition, expressions, st.none() | gists)
bare_conditions = build(t.Condition, expressions, st.none())
hands = build(t.Hands, expressions, expressions, st.none() | gists) | expressions.flatmap(
    lambda expr: build(t.Hands, st.just(expr), st.just(expr), st.none() | gists)
)
clauses = (
    build(t.Clause, words, conditions | hands, ids, remarks)
    | build(t.Clause, plain_words, build(t.Effects, block_effects), ids, remarks)
    | build(t.Clause, build(t.Word, st.just("then")), build(t.Effects, block_effects), ids, remarks)
    | build(t.Clause, words, build(t.Effects, block_effects), st.just(()), remarks)
    | build(t.Clause, words, build(t.Effects, line_effects), ids, remarks)
)
cases = build(t.Clause, words | build(t.Word, st.just("then")), conditions, ids, remarks)

# ---------------------------------------------------------------------- types

flat_types = (
    build(t.TypeName, plain_names)
    | build(t.TypeTruth)
    | build(t.TypeChoice, some(plain_words))
    | build(t.TypeRange, expressions, expressions)
)
atom_types: st.SearchStrategy[Any] = st.recursive(
    flat_types, lambda inner: build(t.TypeList, inner) | build(t.TypeEach, inner), max_leaves=3
)
types = atom_types | build(t.TypeOrNone, atom_types)


def _param(types: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    typed = build(t.Param, plain_names, st.none() | types, st.none(), st.booleans())
    return typed | build(t.Param, plain_names, st.none(), some(plain_words), st.booleans())  # type: ignore[no-any-return]


def _ends_in_words(node: t.Type) -> bool:
    match node:
        case t.TypeChoice():
            return True
        case t.TypeList(item=item) | t.TypeEach(item=item):
            return _ends_in_words(item)
        case _:
            return False


# `one of a, b` goes on to the end of the brackets, so it comes last.
_first_params = some(_param(types.filter(lambda node: not _ends_in_words(node))), 2, 0)
params = st.tuples(_first_params, _param(types)).map(lambda parts: (*parts[0], parts[1]))

# --------------------------------------------------------------- declarations

spoken_tiles = build(t.SpokenTile, tile_names | names, st.none() | texts)
templates = build(
    t.Template, texts, st.none() | texts, some(build(t.Range, plain_words, expressions, expressions))
)
tile_groups = build(
    t.TileGroup, plain_words, st.integers(0, 12), some(spoken_tiles, 30) | templates, ids, remarks
)
withdrawn = build(t.Clause, build(t.Word, st.just("withdrawn")), bare_conditions, ids, remarks)
owned = words.filter(lambda word: word.text != "each")
zones = build(
    t.Zone,
    owned,
    st.booleans(),
    words,
    st.sampled_from(("nobody", "everyone", "its owner")),
    st.booleans(),
    ids,
    remarks,
)
state_vars = build(t.StateVar, owned, st.booleans(), types, st.none() | expressions, ids, remarks)


def _tiles(numbers: tuple[int | None, int | None]) -> st.SearchStrategy[t.Tiles]:
    count, kinds = (st.just(number) for number in numbers)
    written = st.none() | build(t.Written, some(texts), remarks)
    rest = (st.none() | withdrawn, ids, remarks)
    return build(t.Tiles, count, kinds, some(tile_groups), written, *rest)  # type: ignore[no-any-return]


def _definition(owner: str | None, params: tuple[t.Param, ...]) -> st.SearchStrategy[t.Define]:
    def plain(name: t.Word) -> st.SearchStrategy[t.Define]:
        only = build(t.Clause, st.just(name), bare_conditions, st.just(()))
        head = (st.just(name), st.just(owner), st.just(params))
        return build(t.Define, *head, st.tuples(only), st.just(False), ids, remarks)  # type: ignore[no-any-return]

    several = build(
        t.Define, owned, st.just(owner), st.just(params), some(cases), st.just(True), ids, remarks
    )
    return owned.flatmap(plain) | several


definitions = st.tuples(st.sampled_from((None, "tile", "player")), st.just(()) | params).flatmap(
    lambda head: _definition(head[0], head[1] if head[0] is None else ())
)
size_of_names = st.tuples(some(plain_words, least=0), st.none()) | st.tuples(st.just(()), st.integers(0, 20))
shapes = size_of_names.flatmap(
    lambda head: build(t.Shape, words, st.just(head[0]), st.just(head[1]), expressions, ids, remarks)
)
parts = build(t.Part, st.integers(0, 20), st.booleans(), plain_words)
arrangements = build(t.Arrangement, words, some(parts, 12), st.just(()), ids, remarks) | build(
    t.Arrangement, words, st.just(()), some(plain_words, 20, 2), ids, remarks
)
patterns = build(
    t.Pattern,
    words,
    expressions,
    st.none() | st.tuples(words, expressions),
    st.booleans(),
    expressions,
    st.none() | gists,
    ids,
    remarks,
)
fields = build(
    t.ScoreField,
    build(t.Word, st.sampled_from(("hand", "fixed", "as", "total", "marking"))),
    expressions,
    st.none() | words,
    ids,
    remarks,
)
given = build(t.GivenParam, words, types, st.none() | expressions, ids, remarks)
score_defines = build(t.ScoreDefine, words, expressions, ids, remarks)
scores = st.tuples(some(given, 2, 0), some(fields, 2, 0), some(score_defines, 2, 0), some(patterns)).flatmap(
    lambda inner: build(
        t.Score, words, st.just(()) | params, st.none() | texts, *map(st.just, inner), ids, remarks
    )
)


def _happening(kind: str, *, by: Any, zone: Any, before: Any, params: Any, least: int) -> Any:
    word = words if kind == "action" else build(t.Word, st.just(kind))
    inner = some(clauses, 4, least)
    return build(
        t.Action, st.just(kind), word, params, by, zone, before, st.none() | texts, inner, ids, remarks
    )


NONE, NO = st.none(), st.just(False)
some_params, no_params = st.just(()) | params, st.just(())
actions = st.one_of(
    _happening("action", by=NONE | words, zone=NONE, before=st.booleans(), params=some_params, least=1),
    _happening("deal", by=NONE, zone=words, before=NO, params=some_params, least=0),
    _happening("end", by=NONE, zone=NONE, before=NO, params=some_params, least=0),
    _happening("finish", by=NONE, zone=NONE, before=NO, params=some_params, least=0),
    _happening("payout", by=NONE, zone=NONE, before=NO, params=no_params, least=0),
)
changes = build(
    t.Delta,
    st.sampled_from(("replace", "add")),
    some(words, 2),
    conditions | hands | build(t.Effects, line_effects),
    ids,
    remarks,
)
regrouped = build(t.Delta, st.just("replace"), some(words, 2), build(t.Parts, some(parts, 12)), ids, remarks)
drops = build(t.Delta, st.just("drop"), some(words, 2), NONE, ids, remarks)
deltas = changes | regrouped | drops
variants = build(
    t.Variant, st.sampled_from(("variant", "reading")), words, gists, some(deltas, least=0), ids, remarks
)
properties = build(
    t.Property,
    st.sampled_from(("theorem", "always", "never", "reachable", "ends", "claim")),
    words,
    NONE | st.sampled_from(("proved", "refuted", "measured", "bounded")),
    NONE | st.integers(0, 99),
    expressions,
    NONE | gists,
    ids,
    remarks,
)
rules = build(t.Rule, words, NONE | texts, texts, remarks)
sources = build(t.Source, build(t.Word, st.sampled_from(("000", "7"))), texts, some(rules, least=0), remarks)
decls: st.SearchStrategy[t.Decl] = st.one_of(
    build(t.Game, words, texts, ids, remarks),
    build(t.Include, words, remarks),
    sources,
    build(t.Players, expressions, expressions, ids, remarks),
    build(t.Option, words, expressions, expressions, NONE | expressions, ids, remarks),
    (st.just((None, None)) | st.tuples(st.integers(0, 200), st.integers(0, 99))).flatmap(_tiles),
    build(t.Zones, some(zones), remarks),
    build(t.State, st.sampled_from(("hand", "match")), some(state_vars), remarks),
    definitions,
    shapes,
    arrangements,
    scores,
    actions,
    deltas,
    variants,
    properties,
)
rule_texts = st.builds(t.RuleText, some(decls, 4, 0), some(comments, 2, 0))
