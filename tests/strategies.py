"""Hypothesis strategies for surface trees: exactly the trees that a rule text can yield.

Names are plain words, and words of the language that may be names. Words that the grammar never reads as names are left
out.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from hypothesis import strategies as st

from golpae.diagnostics import Span, Text
from golpae.diagnostics.hidden import hidden
from golpae.syntax import tree as t

HERE = Span(Text.of("nowhere", ""), 0, 0)

PLAIN = ("a", "b", "p", "q", "tile", "hand", "x1", "by-claim", "left_over", "T", "a-1-b")
# Words of the language that may be names in some places.
AWKWARD = (
    "all and arrange as at back by count drop each else empty end ends events everyone first fits "
    "for from front game group is it keep kinds least list match mod most move nobody normally number of "
    "one optional or others otherwise pass pays pattern player players reading right scores seen set shape "
    "shuffle size state sum tiles to top total variant when wins within written"
).split()

# No name here is a word of the language, nor starts with one that is read before a `-`.
plain_names = st.sampled_from(PLAIN) | st.from_regex(r"[b-d][aeo][k-m](-[a-z]{2}|_9)?", fullmatch=True)
names = plain_names | st.sampled_from(AWKWARD)
tile_names = st.sampled_from(("6-6", "10-2", "2p", "15s", "2S", "10h", "5mr", "2-clubs"))
# Categories of characters that no text holds.
UNSHOWN: Final = ("Cc", "Cf", "Zl", "Zp", "Cs", "Co")


def is_shown(char: str) -> bool:
    """Return whether a character may stand in a text: some that no category excludes may not."""
    return not hidden().match(char)


texts = st.text(
    st.characters(exclude_characters='"\n', exclude_categories=UNSHOWN).filter(is_shown), max_size=12
)
long_texts = st.sampled_from(("{p} may not take {tile} now", "one: two # three " * 4))
gists = texts | long_texts
comments = st.text(
    st.characters(exclude_characters="\n", exclude_categories=UNSHOWN).filter(is_shown), max_size=12
).map(str.strip)


def nodes(kind: type[t.Node], *fields: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Return a strategy for nodes of one class, all at the same place."""
    return st.builds(kind, st.just(HERE), *fields)


def some(strategy: st.SearchStrategy[Any], most: int = 3, least: int = 1) -> st.SearchStrategy[Any]:
    return st.lists(strategy, min_size=least, max_size=most).map(tuple)


words = nodes(t.Word, names)
plain_words = nodes(t.Word, plain_names)
ids = some(nodes(t.Word, st.from_regex(r"[A-Z0-9][0-9]{0,2}r?", fullmatch=True)), least=0)
remarks = st.just(t.NO_REMARKS) | st.builds(
    t.Remarks, some(comments, 2, 0), st.none() | comments, some(comments, 2, 0)
)


# ---------------------------------------------------------------- expressions


def _whole_number(value: int) -> t.Expr:
    number = t.Number(HERE, abs(value))
    return t.Unary(HERE, "-", number) if value < 0 else number


possessives = st.recursive(
    nodes(t.Possessive, nodes(t.Name, names) | nodes(t.TileName, tile_names), names),
    lambda inner: nodes(t.Possessive, inner, names),
    max_leaves=3,
)
atoms = (
    nodes(t.Number, st.integers(0, 10**5))
    | nodes(t.Truth, st.booleans())
    | nodes(t.Nothing)
    | nodes(t.TileName, tile_names)
    | nodes(t.Name, names | st.sampled_from(("some", "every", "earlier")))
    | possessives
)
COMPARISONS = ("=", "/=", "<", "<=", ">", ">=", "in", "not in", "fits")
TOTALS = ("sum of", "most of", "least of")
QUANTIFIERS = ("some", "every", "no")
OPERATORS = ("and", "or", "implies", *COMPARISONS, "+", "-", "*", "div", "mod", "^", "otherwise")


def _named_call(pairs: tuple[tuple[t.Expr, t.Word], ...]) -> st.SearchStrategy[t.Expr]:
    return _call_of(names, pairs)


def _call_of(
    called: st.SearchStrategy[str], pairs: tuple[tuple[t.Expr, t.Word], ...]
) -> st.SearchStrategy[t.Call]:
    args, parameters = zip(*pairs, strict=True)
    return nodes(t.Call, called, st.just(args), st.just(parameters))


def _larger(inner: st.SearchStrategy[t.Expr]) -> st.SearchStrategy[t.Expr]:
    one_name = plain_words.map(lambda word: (word,))
    return (
        nodes(t.Binary, st.sampled_from(OPERATORS), inner, inner)
        | nodes(t.Binary, st.sampled_from(("and", "or", "implies")), inner, inner)
        | nodes(t.Call, names, some(inner, least=0))
        | nodes(t.Possessive, nodes(t.Call, names, some(inner, least=0)) | nodes(t.Bag, some(inner)), names)
        | some(st.tuples(inner, words)).flatmap(_named_call)
        | nodes(t.Bag, some(inner, least=0))
        | nodes(t.EachOf, inner, words, inner, st.none() | inner, st.none() | inner)
        | nodes(t.RangeBag, inner, inner)
        | nodes(t.Unary, st.sampled_from(("not", "-", "size of", "kinds of", "faces of")), inner)
        | nodes(t.RowEnd, st.sampled_from(("top", "front", "back")), inner)
        | nodes(t.RowPlace, inner, inner, st.sampled_from(("front", "back")))
        | nodes(t.Earlier, inner)
        | nodes(t.Is, inner, words | nodes(t.Word, st.just("none")), st.booleans())
        | nodes(t.LayOut, inner, inner, words)
        | nodes(t.Beside, inner, inner, words, st.booleans())
        | nodes(t.Parted, st.sampled_from(("within", "without")), plain_words, inner)
        | nodes(t.Quantified, st.sampled_from(QUANTIFIERS), some(words), inner, inner)
        | nodes(t.Quantified, st.sampled_from(QUANTIFIERS), words.map(lambda word: (word,)), inner, inner, inner)
        | nodes(t.Ways, st.sampled_from(QUANTIFIERS), words, inner)
        | nodes(t.Fold, st.sampled_from(("number of", "the", "the one", "those")), one_name, inner, st.none(), inner)
        | nodes(t.Fold, st.sampled_from(("the next", "the last")), one_name, inner, st.none(), inner)
        | nodes(t.Fold, st.just("number of"), one_name, inner, st.none(), inner, inner)
        | nodes(t.Fold, st.sampled_from(TOTALS), one_name, inner, inner, st.none() | inner)
        | nodes(t.Rounded, inner, st.sampled_from(("up", "down")), inner)
        | nodes(t.Extreme, st.sampled_from(("smaller", "larger")), inner, inner)
        | nodes(t.NextTo, st.sampled_from(("after", "before")), inner, plain_names)
        | nodes(t.PlaceOf, inner, plain_names)
        | nodes(t.If, inner, inner, inner)
    )  # fmt: skip


_expressions = st.recursive(atoms, _larger, max_leaves=8)


@st.composite
def _drawn(draw: st.DrawFn) -> t.Expr:
    """Draw an expression. (Hypothesis prints strategies; this one is printed as its name.)"""
    return draw(_expressions)


expressions = _drawn()

percents = nodes(t.Word, st.sampled_from(("0%", "14%", "62.5%", "100%")))
shares = nodes(
    t.Share,
    st.sampled_from(("about", "over", "under")),
    percents.map(lambda word: (word,)),
    words,
    expressions,
) | nodes(t.Share, st.just("between"), st.tuples(percents, percents), words, expressions)
stated = expressions | shares | nodes(t.Binary, st.just("implies"), expressions, shares)

# -------------------------------------------------------------------- effects

simple_effects = (
    nodes(t.Move, expressions, expressions, expressions, st.none() | words)
    | nodes(t.Move, st.none(), expressions, expressions, st.none())
    | nodes(t.Assign, expressions, expressions)
    | nodes(t.Wins, expressions)
    | nodes(t.Wins, st.none(), st.booleans())
    | nodes(t.Pays, expressions, expressions, expressions)
    | nodes(t.Scores, expressions, expressions)
    | nodes(t.Shuffle, expressions)
    | nodes(t.Cut, expressions, expressions)
    | nodes(t.Arrange, expressions, expressions)
    | nodes(t.PassOn, words, words)
)


def _holding(inner: st.SearchStrategy[Any], others: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return (
        nodes(t.When, expressions, inner, st.none() | others)
        | nodes(t.ForEach, words, expressions, inner)
        | nodes(t.Repeat, expressions, st.none(), st.none(), inner)
        | nodes(t.Repeat, expressions, st.sampled_from(("until", "while")), expressions, inner)
    )


def _commented(effect: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.tuples(effect, remarks).map(lambda parts: replace(parts[0], remarks=parts[1]))


group_calls: st.SearchStrategy[t.Call] = nodes(t.Call, plain_names, some(expressions, 2, 0)) | some(
    st.tuples(expressions, plain_words), 2
).flatmap(lambda pairs: _call_of(plain_names, pairs))
uses = nodes(t.Use, group_calls)
block_effects: st.SearchStrategy[Any] = some(
    st.recursive(
        _commented(simple_effects | uses),
        lambda inner: _commented(_holding(some(inner), _commented(nodes(t.Else, some(inner))))),
        max_leaves=4,
    )
)


def _continued(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    last = _holding(inner, nodes(t.Else, inner)).filter(_keeps_its_else)
    return st.tuples(some(simple_effects, 2, 0), last).map(lambda parts: (*parts[0], parts[1]))


def _keeps_its_else(effect: Any) -> bool:
    """Return whether no `when` within this one would take its `else`."""
    alone = not isinstance(effect, t.When) or effect.otherwise is None
    return alone or not isinstance(effect.effects[-1], t.NestingEffect)


# Behind a `:` the effects of a `when` go on to its `else`, or to the end of the line, so it comes last.
line_effects: st.SearchStrategy[Any] = st.recursive(some(simple_effects), _continued, max_leaves=4)

# -------------------------------------------------------------------- clauses

afterwards = nodes(t.Condition, expressions, st.none() | gists, st.just(()), st.just(True))
if_stated = nodes(t.Condition, expressions, st.none() | gists, st.just(()), st.just(False), st.just(True))
conditions = nodes(t.Condition, stated, st.none() | gists) | if_stated
bare_conditions = nodes(t.Condition, expressions, st.none())
hands = nodes(t.Hands, expressions, expressions, st.none() | gists) | expressions.flatmap(
    lambda expr: nodes(t.Hands, st.just(expr), st.just(expr), st.none() | gists)
)
clauses = (
    nodes(t.Clause, words, conditions | afterwards | hands, ids, remarks)
    | nodes(t.Clause, plain_words, nodes(t.Effects, block_effects), ids, remarks)
    | nodes(t.Clause, nodes(t.Word, st.just("then")), nodes(t.Effects, block_effects), ids, remarks)
    | nodes(t.Clause, words, nodes(t.Effects, block_effects), st.just(()), remarks)
    | nodes(t.Clause, words, nodes(t.Effects, line_effects), ids, remarks)
)
wheres = some(nodes(t.Where, plain_words, expressions, ids, remarks), 2, 0)


def _requires(call: t.Call) -> st.SearchStrategy[t.Clause]:
    name = st.just(t.Word(HERE, call.name))
    return nodes(t.Clause, name, nodes(t.Requires, st.just(call)), ids, remarks)


requires = group_calls.flatmap(_requires)
claimless = nodes(t.Condition, expressions, st.none() | gists)  # a case states no share of hands
cases = nodes(t.Clause, words | nodes(t.Word, st.just("then")), claimless, ids, remarks)

# ---------------------------------------------------------------------- types

flat_types = (
    nodes(t.TypeName, plain_names)
    | nodes(t.TypeTruth)
    | nodes(t.TypeChoice, some(plain_words))
    | nodes(t.TypeRange, expressions, expressions)
)
atom_types: st.SearchStrategy[Any] = st.recursive(
    flat_types, lambda inner: nodes(t.TypeList, inner) | nodes(t.TypeEach, inner), max_leaves=3
)
types = atom_types | nodes(t.TypeOrNone, atom_types)


def _param(types: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    typed = nodes(t.Param, plain_names, st.none() | types, st.none(), st.booleans())
    return typed | nodes(t.Param, plain_names, st.none(), some(plain_words), st.booleans())


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

spoken_tiles = nodes(
    t.SpokenTile,
    tile_names | names,
    st.none() | texts,
    st.just(()),
    st.none() | nodes(t.Word, tile_names | names),
)
_between = nodes(t.RangePart, expressions, expressions, st.none())
_alone = nodes(t.RangePart, expressions, st.none(), st.none() | texts)
templates = nodes(
    t.Template,
    texts,
    st.none() | texts,
    some(nodes(t.Range, plain_words, some(_between | _alone, 4))),
    st.none() | texts,
)
tile_groups = nodes(
    t.TileGroup, plain_words, st.integers(0, 12), some(spoken_tiles, 30) | templates, ids, remarks
)
withdrawn = nodes(t.Clause, nodes(t.Word, st.just("withdrawn")), bare_conditions, ids, remarks)
wild, wild_as = (
    nodes(t.Clause, nodes(t.Word, st.just(word)), bare_conditions, ids, remarks)
    for word in ("wild", "wild-as")
)
owned = words.filter(lambda word: word.text != "each")
sights = nodes(t.Sight, st.none() | expressions, st.none() | expressions)
zones = nodes(
    t.Zone,
    owned,
    st.booleans(),
    words,
    st.sampled_from(("nobody", "everyone", "its owner")),
    st.booleans(),
    ids,
    remarks,
    some(sights, 2, 0),
    st.none() | words,
)
_of_state = (words.filter(lambda word: word.text not in ("each", "hidden")),)
_shown = (st.just(False), st.none() | texts, st.booleans())  # no text says that a state tells winners
state_vars = nodes(
    t.StateVar,
    *_of_state,
    st.booleans(),
    types,
    st.none() | expressions,
    ids,
    remarks,
    st.just(False),
    *_shown,
) | nodes(
    t.StateVar,
    *_of_state,
    st.just(True),
    types,
    st.none() | expressions,
    ids,
    remarks,
    st.just(True),
    *_shown,
)


def _tiles(numbers: tuple[int | None, int | None]) -> st.SearchStrategy[t.Tiles]:
    count, kinds = (st.just(number) for number in numbers)
    written = st.none() | nodes(t.Written, some(texts), remarks)
    drawn = st.none() | nodes(t.Drawn, plain_words, remarks)
    rest = (st.none() | withdrawn, drawn, ids, remarks, st.none() | wild, st.none() | wild_as)
    return nodes(t.Tiles, count, kinds, some(tile_groups), written, *rest)


whole_numbers = st.integers(-99, 99).map(_whole_number)
case_keys = (
    nodes(t.Name, plain_names)
    | nodes(t.TileName, tile_names)
    | nodes(t.Truth, st.booleans())
    | nodes(t.Nothing)
    | whole_numbers
    | nodes(t.RangeBag, whole_numbers, whole_numbers)
)
order_items = nodes(t.Name, plain_names) | nodes(t.TileName, tile_names)


def _by_cases(by: t.Expr | None) -> st.SearchStrategy[t.Expr]:
    keys = some(case_keys) if by is not None else some(expressions, 1)
    rows = nodes(t.CaseRow, st.just(()) | keys, expressions, ids, remarks)
    return nodes(t.Cases, st.just(by), some(rows), st.booleans())


by_cases = (st.none() | expressions).flatmap(_by_cases)


def _definition(owner: str | None, params: tuple[t.Param, ...]) -> st.SearchStrategy[t.Define]:
    def plain(name: t.Word) -> st.SearchStrategy[t.Define]:
        bodies = bare_conditions | nodes(t.Condition, by_cases, st.none())
        only = nodes(t.Clause, st.just(name), bodies, st.just(()))
        head = (st.just(name), st.just(owner), st.just(params))
        return nodes(t.Define, *head, st.tuples(only), st.just(False), ids, remarks)

    several = nodes(
        t.Define, owned, st.just(owner), st.just(params), some(cases), st.just(True), ids, remarks
    )
    return owned.flatmap(plain) | several


definitions = st.tuples(st.sampled_from((None, "tile", "player")), st.just(()) | params).flatmap(
    lambda head: _definition(head[0], head[1] if head[0] is None else ())
)
largest = st.none() | st.integers(0, 20) | st.just(t.OR_MORE)
size_of_names = st.tuples(some(plain_words, least=0), st.none(), st.none()) | st.tuples(
    some(plain_words, least=0), st.integers(0, 20), largest
)
shapes = size_of_names.flatmap(
    lambda head: nodes(
        t.Shape, words, st.just(head[0]), st.just(head[1]), expressions, ids, st.just(head[2]), remarks
    )
)
parts = nodes(t.Part, st.integers(0, 20), st.booleans(), plain_words)
arrangements = nodes(t.Arrangement, words, some(parts, 12), st.just(()), ids, remarks) | nodes(
    t.Arrangement, words, st.just(()), some(plain_words, 20, 1), ids, remarks
)
patterns = st.sampled_from(((False, False), (True, False), (False, True))).flatmap(
    lambda marks: nodes(
        t.Pattern,
        words,
        expressions,
        st.none() | st.tuples(words, expressions),
        st.just(marks[0]),
        expressions,
        st.none() | gists,
        ids,
        st.just(marks[1]),
        remarks,
        st.none() | plain_words,
    )
)
counts = nodes(t.Counts, some(plain_words), ids, remarks)
fields = nodes(
    t.ScoreField,
    nodes(t.Word, st.sampled_from(("hand", "fixed", "as", "total", "marking"))),
    expressions,
    st.none() | words,
    ids,
    remarks,
)
given = nodes(t.GivenParam, words, types, st.none() | expressions, ids, remarks)
score_defines = nodes(t.ScoreDefine, words, expressions, ids, remarks)
provided = nodes(t.Clause, words, conditions, ids, remarks)
brings = nodes(t.Brings, plain_words, some(plain_words), ids, remarks)
score_lines = (given, provided, fields, score_defines)
score_inner = st.tuples(*(some(lines, 2, 0) for lines in score_lines), some(patterns), some(brings, 2, 0))


def _score(inner: Any) -> st.SearchStrategy[t.Score]:
    """Return scores with these lines; the heads of their first two blocks have comments if they stand there."""
    heads = (remarks if lines else st.just(t.NO_REMARKS) for lines in inner[:2])
    head = (words, st.just(()) | params, st.none() | texts)
    return nodes(t.Score, *head, *map(st.just, inner), ids, remarks, *heads, some(counts, 1, 0))


scores = score_inner.flatmap(_score)


note_lines = nodes(t.Note, texts, ids, remarks)


def _happening(kind: str, *, by: Any, zone: Any, before: Any, params: Any, least: int) -> Any:
    word = words if kind == "action" else nodes(t.Word, st.just(kind))
    inner = some(clauses if kind == "payout" else clauses | requires, 4, least)
    head = (st.just(kind), word, params, by, zone, before, st.none() | texts)
    told = st.none() | nodes(t.Told, texts, remarks)
    return nodes(t.Action, *head, inner, ids, remarks, wheres, told, some(note_lines, 2, 0))


group_lines = nodes(
    t.Clause, plain_words, bare_conditions | nodes(t.Condition, expressions, gists), ids, remarks
)
groups = nodes(
    t.Group,
    st.just("conditions"),
    plain_words,
    st.just(()) | params,
    some(group_lines | requires),
    ids,
    remarks,
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
changes = nodes(
    t.Delta,
    st.sampled_from(("replace", "add")),
    some(words, 2),
    conditions | afterwards | hands | nodes(t.Effects, line_effects),
    ids,
    remarks,
)
regrouped = nodes(t.Delta, st.just("replace"), some(words, 2), nodes(t.Parts, some(parts, 12)), ids, remarks)
renamed = nodes(
    t.Delta,
    st.sampled_from(("replace", "add")),
    some(words, 2),
    nodes(t.Names, some(plain_words, least=2)),
    ids,
    remarks,
)
drops = nodes(t.Delta, st.just("drop"), some(words, 2), NONE, ids, remarks)
VERDICTS = ("proved", "refuted", "measured", "bounded")
expects = nodes(t.Delta, st.just("expect"), some(words, 1), NONE, ids, remarks, st.sampled_from(VERDICTS))


def _added_pattern(pattern: t.Pattern) -> t.Delta:
    path = (t.Word(HERE, "worth"), pattern.name)
    bare = replace(pattern, remarks=t.NO_REMARKS)
    return t.Delta(HERE, "add", path, None, pattern.ids, pattern.remarks, pattern=bare)


deltas = changes | regrouped | renamed | drops | expects | patterns.map(_added_pattern)
said = nodes(t.Word, texts)
rewords = st.one_of(
    nodes(t.Reword, st.sampled_from(("replace", "add")), st.just(()), st.just("aim"), said, ids, remarks),
    nodes(t.Reword, st.sampled_from(("replace", "add")), some(words, 2), st.just("note"), said, ids, remarks),
    nodes(
        t.Reword,
        st.just("replace"),
        some(words, 2),
        st.sampled_from(("told", "words")),
        said,
        st.just(()),
        remarks,
    ),
)
properties = nodes(
    t.Property,
    st.sampled_from(("theorem", "always", "never", "reachable", "ends", "claim")),
    words,
    NONE | st.sampled_from(VERDICTS),
    NONE | st.integers(0, 99),
    stated,
    NONE | gists,
    ids,
    remarks,
    NONE | words,
)
options = nodes(t.Option, words, expressions, expressions, NONE | expressions, ids, remarks)
players = nodes(t.Players, expressions, expressions, ids, remarks) | nodes(
    t.Players, expressions, expressions, ids, remarks, nodes(t.Number, st.integers(2, 9))
)
tiles = (st.just((None, None)) | st.tuples(st.integers(0, 200), st.integers(0, 99))).flatmap(_tiles)
zone_blocks = nodes(t.Zones, some(zones), remarks)
states = nodes(t.State, st.sampled_from(("hand", "match")), some(state_vars), remarks)
own_actions = _happening(
    "action", by=NONE | words, zone=NONE, before=st.booleans(), params=some_params, least=1
)
added = st.one_of(
    options, players, tiles, zone_blocks, states, definitions, shapes, arrangements, scores, own_actions
)
variants = nodes(
    t.Variant,
    st.sampled_from(("variant", "reading")),
    words,
    gists,
    some(deltas, least=0),
    ids,
    remarks,
    some(properties, 2, 0),
    some(added, 2, 0),
    some(rewords, 2, 0),
)
rules = nodes(t.Rule, words, NONE | texts, texts, remarks)
sources = nodes(t.Source, nodes(t.Word, st.sampled_from(("000", "7"))), texts, some(rules, least=0), remarks)
decls: st.SearchStrategy[t.Decl] = st.one_of(
    nodes(t.Game, words, texts, ids, remarks, some(note_lines, 2, 0)),
    nodes(t.Include, words, remarks),
    sources,
    players,
    options,
    nodes(t.Kind, words, types, st.just(False), ids, remarks),
    nodes(t.Kind, words, nodes(t.TypeChoice, some(plain_words)), st.just(True), ids, remarks),
    nodes(t.Order, words, some(order_items), st.booleans(), ids, remarks),
    nodes(
        t.RowSlice, words, st.sampled_from(("first", "last")), st.booleans(), expressions, words, ids, remarks
    ),
    tiles,
    zone_blocks,
    states,
    definitions,
    shapes,
    arrangements,
    scores,
    actions,
    groups,
    deltas,
    rewords,
    variants,
    properties,
)
rule_texts = st.builds(t.RuleText, some(decls, 4, 0), some(comments, 2, 0))
