"""The syntax trees of rule texts."""

from __future__ import annotations

import pytest

from golpae.syntax import tree as t
from golpae.syntax.parse import MAX_TEXT
from tests.syntax.reading import fault, read


def only(source: str) -> t.Decl:
    [decl] = read(source).decls
    return decl


def expr(source: str) -> t.Expr:
    decl = only(f"claim a: {source}\n")
    assert isinstance(decl, t.Property)
    return decl.expr


# ------------------------------------------------------------------- precedence


@pytest.mark.parametrize(
    ("source", "same"),
    [
        ("a or b and c", "a or (b and c)"),
        ("a and b or c", "(a and b) or c"),
        ("a or b implies c", "(a or b) implies c"),
        ("a implies b implies c", "a implies (b implies c)"),
        ("not a and b", "(not a) and b"),
        ("not a = b", "not (a = b)"),
        ("a = b and c /= d", "(a = b) and (c /= d)"),
        ("a in b - c", "a in (b - c)"),
        ("a otherwise b = c", "(a otherwise b) = c"),
        ("a otherwise b + c", "a otherwise (b + c)"),
        ("a - b + c", "(a - b) + c"),
        ("a - b * c", "a - (b * c)"),
        ("a * b div c mod d", "((a * b) div c) mod d"),
        ("a ^ b ^ c", "a ^ (b ^ c)"),
        ("a * b ^ c", "a * (b ^ c)"),
        ("-a ^ b", "(-a) ^ b"),
        ("size of p's hand - 1", "(size of (p's hand)) - 1"),
        ("top of r = t", "(top of r) = t"),
        ("r at n + 1 = t", "((r at n) + 1) = t"),
        ("-r at 1", "-(r at 1)"),
        ("earlier(a) - b", "(earlier(a)) - b"),
        ("some a in b: c and d implies e", "some a in b: (c and d implies e)"),
        ("x or some a in b: c or d", "x or (some a in b: (c or d))"),
        ("not some a in b: c and d", "not (some a in b: (c and d))"),
        ("number of a in b: c = 2", "number of a in b: (c = 2)"),
        ("2 + number of a in b: c + 1", "2 + (number of a in b: (c + 1))"),
        ("sum of a for a in b + c = 2", "(sum of a for a in (b + c)) = 2"),
        ("if a then b else c and d", "if a then b else (c and d)"),
    ],
)
def test_operators_bind_as_documented(source: str, same: str) -> None:
    assert expr(source) == expr(same)
    assert expr(source) != expr(f"({source}) = x")


def test_names_may_hold_words_of_the_language() -> None:
    assert expr("andy or orbit") == expr("(andy) or (orbit)")
    assert isinstance(expr("not-yet"), t.Name)


# The grammar takes the word before the `-`.


@pytest.mark.parametrize(
    "name",
    [
        "some-tile",
        "size-of",
        "front",
        "yes-man",
        "no-pair",
        "none-left",
        "its-own",
        "at-sea",
        "earlier-on",
        "earlier",
    ],
)
def test_names_may_start_with_words_of_the_language(name: str) -> None:
    assert expr(name) == t.Name(expr("x").span, name)


@pytest.mark.parametrize("shape", ["empty-handed", "none-such"])
def test_shapes_may_start_with_words_of_the_language(shape: str) -> None:
    decided = expr(f"a is {shape}")
    assert isinstance(decided, t.Is)
    assert decided.word.text == shape


@pytest.mark.parametrize("name", ["extra", "extra-tile"])
def test_a_value_in_a_row_may_be_called_extra(name: str) -> None:
    bag = expr(f"{{a, {name}}}")
    assert isinstance(bag, t.Bag)
    assert len(bag.items) == 2


@pytest.mark.parametrize(
    "line",
    [
        "define both(n: number, extra: number): n + extra",
        "define both(n: number, optional extra: number): n",
        "define both(n, extra: number): both(n: n, extra: extra)",
        "action lay(n: number from 1 to 2, extra: number) by p\n  held: yes",
    ],
)
def test_a_key_may_be_called_extra(line: str) -> None:
    assert only(f"{line}\n") is not None


def test_an_owner_may_own_an_owner() -> None:
    outer = expr("p's right's hand")
    assert isinstance(outer, t.Possessive)
    assert isinstance(outer.owner, t.Possessive)
    assert (outer.name, outer.owner.name) == ("hand", "right")
    assert expr("its high") == expr("it's high")


# ------------------------------------------------------------ blocks and effects


def effects(source: str) -> tuple[t.Effect, ...]:
    action = only(source)
    assert isinstance(action, t.Action)
    body = action.clauses[0].body
    assert isinstance(body, t.Effects)
    return body.effects


def test_effects_are_the_same_on_one_line_and_as_a_block() -> None:
    one = effects("end\n  then for each p in players: when a: p wins; b := 1\n")
    block = effects("end\n  then\n    for each p in players\n      when a\n        p wins\n        b := 1\n")
    head = effects("end\n  then for each p in players\n    when a\n      p wins; b := 1\n")
    assert one == block == head


def test_a_semicolon_goes_on_with_the_innermost_effects() -> None:
    [when] = effects("end\n  then when a: b := 1; c := 2\n")
    assert isinstance(when, t.When)
    assert len(when.effects) == 2
    outer = effects("end\n  then\n    when a: b := 1\n    c := 2\n")
    assert len(outer) == 2


def test_a_named_effect_is_the_same_with_and_without_then() -> None:
    named = only("payout\n  drawn: p pays q 1 [J1]\n")
    assert named == only("payout\n  then drawn: p pays q 1 [J1]\n")
    assert named == only("payout\n  then drawn [J1]\n    p pays q 1\n")


def test_a_condition_goes_on_over_deeper_lines() -> None:
    action = only('end\n  due: a\n      and b\n    "over"\n    [J1]\n')
    assert action == only('end\n  due: a and b "over" [J1]\n')


def test_some_blocks_may_be_empty() -> None:
    assert len(read('deal from r\nend\nfinish\npayout\nvariant v "V"\nsource 1 "S"\n').decls) == 6


def test_spans_cover_the_words_of_the_text() -> None:
    source = "# first\ndefine f(a: tile): some b in a:\n  b's pips = 2\n"
    define = only(source)
    assert isinstance(define, t.Define)
    assert define.name.span.words == "f"
    [clause] = define.clauses
    assert isinstance(clause.body, t.Condition)
    assert isinstance(clause.body.expr, t.Quantified)
    assert clause.body.expr.body.span.words == "b's pips = 2"
    assert clause.body.expr.span.words == "some b in a:\n  b's pips = 2"


# ---------------------------------------------------------------------- bounds


@pytest.mark.parametrize(
    ("source", "message", "start"),
    [
        ("claim a: " + "(" * 61 + "1" + ")" * 61, "brackets are nested more than 60 deep", "("),
        ("claim a: " + "1 and " * 500 + "1", "this is nested too deeply", "1 and"),
        ("claim a: " + "not " * 500 + "1", "this is nested too deeply", "not"),
        ("claim a: " + "b's " * 500 + "c", "this is nested too deeply", "b's"),
        ("end\n  then " + "when 1: " * 500 + "p wins", "this is nested too deeply", "when"),
        ("claim a: " + "1" * 5000, "this number is too large", "1"),
        ("tiles " + "1" * 5000 + " of 1 kinds\n  a: one of each b", "this number is too large", "1"),
        ("x" * (MAX_TEXT + 1), f"this text is longer than {MAX_TEXT} characters", "x"),
    ],
    ids=["brackets", "chain", "prefixes", "owners", "effects", "number", "count", "text"],
)
def test_a_text_beyond_the_bounds_is_refused(source: str, message: str, start: str) -> None:
    diagnostic, words = fault(source + "\n")
    assert (diagnostic.code, diagnostic.message) == ("S006", message)
    assert words.startswith(start)


@pytest.mark.parametrize("line", ['written: "{a}"', "withdrawn: {}", "drawn as card"])
def test_a_repeated_line_under_tiles_is_refused(line: str) -> None:
    diagnostic, words = fault(f"tiles\n  a: one of each b\n  {line}\n  {line}\n")
    word = line.split(":", maxsplit=1)[0].split(maxsplit=1)[0]
    assert (diagnostic.code, words) == ("N002", word)
    assert diagnostic.message == f"`tiles` has two lines `{word}`"
    assert diagnostic.help == "write all of it in one line"


def test_what_wins_is_read_alike_before_a_loop() -> None:
    both = only("action a by p\n  then both\n    p's friend wins\n    for each q in players: q scores 1\n")
    assert isinstance(both, t.Action)
    [clause] = both.clauses
    assert isinstance(clause.body, t.Effects)
    assert [type(effect) for effect in clause.body.effects] == [t.Wins, t.ForEach]
