"""The formatter: a formatted text has the same meaning and comments, in the one style."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from golpae.syntax import format as style
from golpae.syntax import tree as t
from tests import strategies
from tests.syntax.reading import PATHS, TEXTS, read, too_wide

BLOCKS = [block for text in TEXTS for block in re.split(r"\n(?=[^\s#])", re.sub(r"#.*", "", text))]

# Trees are large; drawing them may take a while on a busy machine.
unhurried = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])


def formatted(source: str) -> str:
    """Return the text in the one style. Check that it has the same tree, and that formatting it again
    changes nothing.
    """
    tree = read(source)
    once = style.format_text(tree)
    assert read(once) == tree
    assert style.format_text(read(once)) == once
    return once


def claim(expr: t.Expr) -> t.RuleText:
    word = t.Word(strategies.HERE, "a")
    return t.RuleText((t.Property(strategies.HERE, "claim", word, None, None, expr, None, ()),))


# ------------------------------------------------------------------ round trips


@pytest.mark.parametrize("source", TEXTS, ids=[path.stem for path in PATHS])
def test_formatting_keeps_the_texts_of_the_repository(source: str) -> None:
    formatted(source)


@unhurried
@given(strategies.expressions)
def test_a_formatted_expression_parses_to_the_same_tree(expr: t.Expr) -> None:
    tree = claim(expr)
    assert read(style.format_text(tree)) == tree


@settings(unhurried, max_examples=50)
@given(strategies.rule_texts)
def test_a_formatted_text_parses_to_the_same_tree(tree: t.RuleText) -> None:
    text = style.format_text(tree)
    assert read(text) == tree
    assert style.format_text(read(text)) == text


@pytest.mark.fuzz
@settings(unhurried, max_examples=5000)
@given(strategies.rule_texts)
def test_many_formatted_texts_parse_to_the_same_tree(tree: t.RuleText) -> None:
    assert read(style.format_text(tree)) == tree


@pytest.mark.parametrize("source", ["", "\n\n", "# alone", "  \n# one\n\n  # two\n"])
def test_formatting_keeps_texts_without_declarations(source: str) -> None:
    formatted(source)


def test_an_empty_tree_is_an_empty_text() -> None:
    assert style.format_text(t.RuleText(())) == ""


# --------------------------------------------------------------------- comments


def all_remarks(text: str) -> Counter[str]:
    return Counter(re.findall(r"# (note \d+)", text))


@unhurried
@given(st.lists(st.sampled_from(BLOCKS), min_size=1, max_size=3).map("\n".join), st.data())
def test_comments_survive_formatting_at_every_place(source: str, data: st.DataObject) -> None:
    lines = source.split("\n")
    places = data.draw(st.lists(st.integers(0, len(lines) - 1), min_size=1, max_size=12))
    for number, place in enumerate(places):
        line = lines[place]
        behind = data.draw(st.booleans())
        lines[place] = f"{line} # note {number}" if behind and "#" not in line else f"# note {number}\n{line}"
    commented = formatted("\n".join(lines))
    assert all_remarks(commented) == Counter(f"note {number}" for number in range(len(places)))
    without = re.sub(r" *# note \d+", "", commented)
    kept = [line for line in without.split("\n") if line]
    assert kept == [line for line in formatted(source).split("\n") if line]


def test_comments_stay_with_their_lines() -> None:
    source = """\
# above the head
action draw(tile) by p # behind the head
  # above a clause
  left: reserve is not empty # behind a condition
    # before its message
    "the reserve is empty" # behind its message
  then when over # behind a block
    # inside a block
    p wins # behind an effect
    # at the end of a block
# after the last line
"""
    assert (
        formatted(source)
        == """\
# above the head
action draw(tile) by p  # behind the head
  # above a clause
  # behind a condition
  # before its message
  left: reserve is not empty "the reserve is empty"  # behind its message
  then when over  # behind a block
    # inside a block
    p wins  # behind an effect
    # at the end of a block

# after the last line
"""
    )


def test_an_effect_of_each_player_keeps_its_words_above_a_comment() -> None:
    source = """\
action pass by p
  then
    every other player pays p 1
      # or two
    each player's bid := 0
      # and no more
    nobody wins
"""
    assert formatted(source) == source


def test_a_line_that_is_commented_out_stays_in_its_block() -> None:
    source = """\
tiles
  pips: one of each t1
  # jokers: two of each joker

action pass by p
  then nobody wins  # for now
  # then mover := p's right

# The end.
end
  # due: over

variant one "one"
  replace deal.hands: 2 for everyone
    # 3 for everyone
  drop end.due
  # drop end.over

score worth(s: tiles)
  given
    lone: yes or no = no
    # open: yes or no = no
  # where the tiles are
  hand: s
  # pattern all 1: yes
"""
    assert formatted(source) == source


def test_lines_of_a_block_keep_their_order() -> None:
    source = """\
tiles
  written: "Ta"
  pips: one of each t1

score worth(s: tiles)
  # what counts
  pattern all 1: yes
  # where the tiles are
  hand: s

variant one "one"
  claim small: 1 = 1
  drop end.due
"""
    assert formatted(source) == source


# ----------------------------------------------------------------------- layout

LAYOUTS = {
    "rule numbers stand in a column": (
        'game dam "Dam" [D1 D2]',
        'game dam "Dam"                                                            [D1 D2]\n',
    ),
    "rule numbers keep two spaces from a long line": (
        f'game dam "{"x" * 70}" [D1]',
        f'game dam "{"x" * 70}"  [D1]\n',
    ),
    "rule numbers from before and after a colon are one list": (
        "define f(a: tile) [D1]: yes [D2]",
        "define f(a: tile): yes                                                    [D1 D2]\n",
    ),
    "lines of one kind stand together": (
        'game dam "Dam"\ninclude x\n\ninclude y\ndefine a: 1\n\n\n\ndefine b: 2\nshape c: a',
        'game dam "Dam"\ninclude x\ninclude y\n\ndefine a: 1\ndefine b: 2\n\nshape c: a\n',
    ),
    "a comment and a block keep a blank line": (
        "define a: 1\n# on b\ndefine b: 2\ndefine c\n  d: 1\ndefine e: 1",
        "define a: 1\n\n# on b\ndefine b: 2\n\ndefine c\n  d: 1\n\ndefine e: 1\n",
    ),
    "a message that does not fit stands on a deeper line": (
        f'end\n  due: some t in reserve: t is empty "{"x" * 65}" [D1]',
        f'end\n  due: some t in reserve: t is empty\n    "{"x" * 65}"   [D1]\n',
    ),
    "rule numbers count towards no width": (
        f'end\n  due: over "{"x" * 85}" [D1]',
        f'end\n  due: over "{"x" * 85}"  [D1]\n',
    ),
    "a condition breaks at `and`": (
        f"define f: {'a' * 40} = 1 and {'b' * 40} = 1 and c = 1",
        f"define f: {'a' * 40} = 1\n  and {'b' * 40} = 1\n  and c = 1\n",
    ),
    "a condition breaks at `implies`, then at `or`": (
        f"define f: {'a' * 40} implies {'b' * 40} or {'c' * 40} or d and e",
        f"define f: {'a' * 40}\n  implies {'b' * 40}\n    or {'c' * 40}\n    or (d and e)\n",
    ),
    "a quantifier breaks behind its colon": (
        f"define f: no a, b in hands: some {'c' * 40} in {'d' * 40}: {'e' * 40}",
        f"define f: no a, b in hands:\n  some {'c' * 40} in {'d' * 40}:\n    {'e' * 40}\n",
    ),
    "a choice breaks at `then` and `else`": (
        f"define f: if {'a' * 40} then {'b' * 40} else {'c' * 40}",
        f"define f: if {'a' * 40}\n  then {'b' * 40}\n  else {'c' * 40}\n",
    ),
    "brackets break inside": (
        f"define f: a = 1 and ({'b' * 45} = 1 or {'c' * 45} = 1)",
        f"define f: a = 1\n  and ({'b' * 45} = 1\n    or {'c' * 45} = 1)\n",
    ),
    "a long message follows a broken condition": (
        f'end\n  due: {"a" * 50} and {"b" * 50} "over" [D1]',
        f"end\n  due: {'a' * 50}\n      and {'b' * 50}\n    \"over\"".replace("      and", "    and")
        + " " * 64
        + "[D1]\n",
    ),
    "tiles fill lines": (
        "tiles\n  all: one of each " + " ".join(f"t{n}" for n in range(10, 40)),
        "tiles\n  all: one of each "
        + " ".join(f"t{n}" for n in range(10, 30))
        + "\n    "
        + " ".join(f"t{n}" for n in range(30, 40))
        + "\n",
    ),
    "one effect stands on one line": (
        "end\n  then\n    when over\n      for each p in players\n        p scores 1",
        "end\n  then when over: for each p in players: p scores 1\n",
    ),
    "several effects of a group stay on its line": (
        "effects f(n: number)\n  a := n;b := 2 [D1]\n  each player  scores 1; g(n)",
        "effects f(n: number)\n  a := n; b := 2"
        + " " * 58
        + "[D1]\n  each player scores 1; g(n)\n",
    ),
    "several effects are a block": (
        "end\n  then a := 1; b := 2\n  then when c: a := 1; b := 2\n  then next: d wins; a := 2",
        """\
end
  then
    a := 1
    b := 2
  then when c
    a := 1
    b := 2
  then next
    d wins
    a := 2
""",
    ),
    "an effect that is too wide is a block": (
        f"end\n  then when {'a' * 50}: {'b' * 50} := 1",
        f"end\n  then when {'a' * 50}\n    {'b' * 50} := 1\n",
    ),
    "a block's head with a colon has brackets round it": (
        "end\n  then when (some a in b: c)\n    x := 1\n    y := 2",
        "end\n  then when (some a in b: c)\n    x := 1\n    y := 2\n",
    ),
    "rule numbers of a block stand in its head": (
        "end\n  then a := 1; b := 2 [D1]\n  then when c: a := 1; b := 2 [D1]",
        """\
end
  then                                                                    [D1]
    a := 1
    b := 2
  then                                                                    [D1]
    when c
      a := 1
      b := 2
""",
    ),
    "a payout names its effects without `then`": (
        "payout\n  then drawn: p pays q 1\n  claimed: p pays q 1; q pays p 2",
        "payout\n  drawn: p pays q 1\n  claimed:\n    p pays q 1\n    q pays p 2\n",
    ),
    "a change stays one line, or breaks behind its colons": (
        f"variant v \"V\"\n  add a.b: when {'a' * 60}: for each q in {'b' * 40}: q wins; x := 1",
        f"variant v \"V\"\n  add a.b: when {'a' * 60}:\n    for each q in {'b' * 40}: q wins; x := 1\n",
    ),
    "the value of an effect breaks": (
        f"end\n  then next: x := if {'a' * 40} then {'b' * 40} else c",
        f"end\n  then next: x := if {'a' * 40}\n      then {'b' * 40}\n      else c\n",
    ),
    "several effects of a change break at `;`, and in their values": (
        f"add a.b: x := 1; p wins; y := {'a' * 40} and {'b' * 40}; q scores 2",
        f"add a.b: x := 1;\n  p wins;\n  y := {'a' * 40} and {'b' * 40};\n  q scores 2\n",
    ),
    "what is denied breaks inside its brackets": (
        f"define f: not ({'a' * 50} and {'b' * 50})",
        f"define f: not ({'a' * 50}\n  and {'b' * 50})\n",
    ),
    "a comparison breaks on its right": (
        f"define f: 2 = number of {'a' * 40} in {'b' * 40}: {'c' * 40}",
        f"define f: 2\n  = number of {'a' * 40} in {'b' * 40}:\n    {'c' * 40}\n",
    ),
    "a long message about hands stands on a deeper line": (
        f'deal from r\n  hands: 6 for first, 5 for the others "{"x" * 70}"',
        f'deal from r\n  hands: 6 for first, 5 for the others\n    "{"x" * 70}"\n',
    ),
    "parts of an arrangement fill lines": (
        f"replace a: 4 {'a' * 60} and 1 {'b' * 60} and 7 different c",
        f"replace a: 4 {'a' * 60}\n  and 1 {'b' * 60} and 7 different c\n",
    ),
    "a name that is a word of effects keeps its rule numbers behind its effects": (
        "end\n  move: a := 1; b := 2 [D1]",
        f"end\n  move: a := 1; b := 2{' ' * 52}[D1]\n",
    ),
    "a sum breaks at its signs": (
        f"define f: {'a' * 40} + (if {'b' * 20} then 1 else 0) - {'c' * 40}",
        f"define f: {'a' * 40}\n  + (if {'b' * 20} then 1 else 0)\n  - {'c' * 40}\n",
    ),
    "each `else if` has a line": (
        f"define f: if {'a' * 40} then 1 else if {'b' * 40} then 2 else if {'c' * 40} then 3 else 4",
        f"define f: if {'a' * 40}\n  then 1\n  else if {'b' * 40} then 2\n  else if {'c' * 40} then 3 else 4\n",
    ),
    "a comparison of two sets breaks at its sign": (
        f"define f: {{{'a' * 40}, b}} = {{{'c' * 40}, d}}",
        f"define f: {{{'a' * 40}, b}}\n  = {{{'c' * 40}, d}}\n",
    ),
    "a list breaks between its values": (
        f"define f: {{{'a' * 45}, {'b' * 45}, c}}",
        f"define f: {{\n  {'a' * 45}, {'b' * 45}, c}}\n",
    ),
    "the value of an effect in a block breaks inside brackets": (
        f"end\n  then x := {'a' * 50} + {'b' * 50}",
        f"end\n  then x := ({'a' * 50}\n      + {'b' * 50})\n",
    ),
    "the test of a block breaks inside brackets": (
        f"end\n  then when {'a' * 50} and {'b' * 50}\n    x := 1\n    y := 2",
        f"end\n  then when ({'a' * 50}\n    and {'b' * 50})\n    x := 1\n    y := 2\n",
    ),
    "a move breaks inside the brackets of its places": (
        f"end\n  then move a from {'b' * 30}'s z to (the m in {'c' * 30}: {'d' * 30} in m)",
        f"end\n  then move a from {'b' * 30}'s z to (the m in {'c' * 30}:\n      {'d' * 30} in m)\n",
    ),
    "the fields of a score break": (
        f"score s(h: tiles)\n  keep: {'a' * 50} and {'b' * 50}\n  as: x",
        f"score s(h: tiles)\n  keep: {'a' * 50}\n    and {'b' * 50}\n  as: x\n",
    ),
    "the keys of an action break inside their brackets": (
        f"action a({'b' * 40}: tile, {'c' * 40}: tile, d: tile) by p\n  x: yes",
        f"action a({'b' * 40}: tile,\n    {'c' * 40}: tile, d: tile) by p\n  x: yes\n",
    ),
    "the words of a choice fill lines": (
        f"state of the hand\n  s: one of {'a' * 40}, {'b' * 40}, c or none = none",
        f"state of the hand\n  s: one of {'a' * 40}, {'b' * 40}, c\n    or none = none\n",
    ),
    "a name that is a word of effects has no `then` before it": (
        "end\n  move: a := 1",
        "end\n  move: a := 1\n",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("source", "expected"), LAYOUTS.values(), ids=LAYOUTS)
def test_a_text_is_laid_out_in_the_one_style(source: str, expected: str) -> None:
    assert formatted(source) == expected


@pytest.mark.parametrize("source", TEXTS, ids=[path.stem for path in PATHS])
def test_the_texts_of_the_repository_keep_within_the_width(source: str) -> None:
    assert too_wide(formatted(source)) == []


@unhurried
@given(st.lists(st.integers(1, 60), min_size=1, max_size=6), st.sampled_from(["and", "or", "implies", "+"]))
def test_long_conditions_are_broken_into_lines(sizes: list[int], operator: str) -> None:
    condition = f" {operator} ".join("a" * size for size in sizes)
    text = formatted(f'end\n  due: {condition} "over"\n')
    assert all(len(line) <= style.WIDTH for line in text.split("\n"))


# ------------------------------------------------------------------- expressions

EXPRESSIONS = {
    "(a)": "a",
    "((a = b)) and (c)": "a = b and c",
    "(a and b) or c": "(a and b) or c",
    "a and b or c": "(a and b) or c",
    "a or b or c": "a or b or c",
    "a or (b or c)": "a or (b or c)",
    "a and (b or c)": "a and (b or c)",
    "(a implies b) implies c": "(a implies b) implies c",
    "a implies b implies c": "a implies (b implies c)",
    "(a and b) implies c": "(a and b) implies c",
    "a and b implies c": "a and b implies c",
    "a implies (b or c)": "a implies (b or c)",
    "not (a = b)": "not (a = b)",
    "not a = b": "not a = b",
    "not (a and b)": "not (a and b)",
    "(not a) and b": "not a and b",
    "(a = b) = c": "(a = b) = c",
    "a - (b - c)": "a - (b - c)",
    "(a - b) - c": "a - b - c",
    "(a * b) + c * (d + e)": "(a * b) + c * (d + e)",
    "a - (b * c)": "a - (b * c)",
    "a * b + c": "a * b + c",
    "(a - b) + c": "(a - b) + c",
    "(a + b) = c": "a + b = c",
    "a * b div c": "(a * b) div c",
    "a otherwise b + c": "a otherwise (b + c)",
    "(a ^ b) ^ c": "(a ^ b) ^ c",
    "a ^ b ^ c": "a ^ (b ^ c)",
    "-(a + b)": "-(a + b)",
    "-a ^ b": "(-a) ^ b",
    "-(a ^ b)": "-(a ^ b)",
    "a - -b": "a - -b",
    "size of (p's hand)": "size of p's hand",
    "size of (a + b) = 2": "size of (a + b) = 2",
    "(size of a) + b": "size of a + b",
    "its high": "its high",
    "it's high": "its high",
    "it's right's hand": "its right's hand",
    "its right's hand": "its right's hand",
    "best(p)'s rank": "best(p)'s rank",
    "(a otherwise b)'s left's hand": "(a otherwise b)'s left's hand",
    "(a)'s hand": "a's hand",
    "(best(p))'s hand": "best(p)'s hand",
    "p's right's hand": "p's right's hand",
    "(some a in b: c) and d": "(some a in b: c) and d",
    "d and (some a in b: c)": "d and (some a in b: c)",
    "d and some a in b: c": "d and some a in b: c",
    "some a in b: (c and d)": "some a in b: c and d",
    "(number of a in b: c) = 2": "(number of a in b: c) = 2",
    "2 = (number of a in b: c)": "2 = (number of a in b: c)",
    "2 = number of a in b: c": "2 = number of a in b: c",
    "2 ^ (number of a in b: c)": "2 ^ (number of a in b: c)",
    "2 + (the a in b: c)": "2 + (the a in b: c)",
    "(the a in b: c) otherwise {}": "(the a in b: c) otherwise {}",
    "sum of (a + b) for a in c": "sum of (a + b) for a in c",
    "sum of a + b for a in c": "sum of a + b for a in c",
    "(sum of a for a in c) + 1": "(sum of a for a in c) + 1",
    "sum of a for a in (those b in c: d): e": "sum of a for a in (those b in c: d): e",
    "if (a) then (b) else (c) or d": "if a then b else (c or d)",
    "if a then b else (c + d)": "if a then b else (c + d)",
    "if a then b else c + d": "if a then b else c + d",
    "(if a then b else c) or d": "(if a then b else c) or d",
    "{a,b , {}}": "{a, b, {}}",
    "{(1) to 2+ 3}": "{1 to 2 + 3}",
    "{a for b in c:d}": "{a for b in c: d}",
    "f( a,(b) )": "f(a, b)",
    "f(x:a, y :b)": "f(x: a, y: b)",
    "f()": "f()",
    "a   not   in   b": "a not in b",
    "a is  not empty": "a is not empty",
    "t fits (front of r)": "t fits front of r",
    "front of (p's line)": "front of p's line",
    "front of (top of r)": "front of (top of r)",
    "a div b mod c": "(a div b) mod c",
    "line  at (2)": "line at 2",
    "(p's line) at (n + 1)": "p's line at (n + 1)",
    "line at (f(q))+ 1": "line at f(q) + 1",
    "size of (line at 1)": "size of line at 1",
    "(front of r) at 1": "(front of r) at 1",
    "line at (size of line)": "line at (size of line)",
    "earlier ( (a + b) )": "earlier(a + b)",
    "(earlier(a)) - 1": "earlier(a) - 1",
    "earlier": "earlier",
}


@pytest.mark.parametrize(("source", "expected"), EXPRESSIONS.items())
def test_expressions_keep_the_brackets_that_help(source: str, expected: str) -> None:
    [only] = read(f"claim a: {source}\n").decls
    assert isinstance(only, t.Property)
    assert style.format_expression(only.expr) == expected
    [again] = read(f"claim a: {expected}\n").decls
    assert again == only


@pytest.mark.parametrize(
    "effect",
    [
        "(move) := 1",
        "(shuffle(x)) := 1",
        "move (all) from a to b",
        "p pays (q) (in)",
        "p pays (q) (at)",
        "p pays (q) (a or b) and c",
        "p pays f(q) (a or b) and c",
        "shuffle (front of r)",
        "move a from front of r to back of s as pair",
    ],
)
def test_brackets_around_words_of_the_language_are_kept(effect: str) -> None:
    assert formatted(f"end\n  then {effect}\n") == f"end\n  then {effect}\n"


LONG = " + ".join(f"state-number-{n}" for n in range(1, 9))


@pytest.mark.parametrize(
    "line",
    [
        "(pass()) implies about 14% of hands by greedy: winner is none",
        f"(pass + {LONG} > 0) implies about 14% of hands by greedy: winner is none",
    ],
    ids=["one line", "over lines"],
)
def test_brackets_before_a_share_leave_the_share_out(line: str) -> None:
    formatted(f'variant v "v"\n  replace drawn: {line}\n')


def test_a_place_named_earlier_can_end_a_line() -> None:
    text = "payout\n  due:\n    move all from a to earlier\n    (when) := 1\n"
    assert formatted(text) == text


def test_a_move_breaks_what_moves_if_its_places_are_too_wide() -> None:
    test = "{2} /= {u's high, turns, lead's low}"
    move = f"move (those u in mover's lot: {test}) from mover's lot to mover's near's lot"
    expected = f"""end
  then when p's left's hand is empty
    move (those u in mover's lot:
        {test}) from mover's lot to mover's near's lot
"""
    assert formatted(f"end\n  then when p's left's hand is empty\n    {move}\n") == expected


# ------------------------------------------------------------------ single nodes


def clause_of(source: str) -> t.Clause:
    [only] = read(source).decls
    assert isinstance(only, t.Action)
    return only.clauses[0]


def test_a_clause_is_formatted_alone() -> None:
    source = 'end\n  # why\n  due:  over  "the hand is not over" [D1]\n'
    expected = f'# why\ndue: over "the hand is not over"{" " * 42}[D1]'
    assert style.format_clause(clause_of(source)) == expected


def test_effects_of_a_clause_are_formatted_alone() -> None:
    assert style.format_clause(clause_of("end\n  then next: a := 1")) == "then next: a := 1"
    assert style.format_clause(clause_of("payout\n  next: a := 1"), "payout") == "next: a := 1"


def test_a_declaration_is_formatted_alone() -> None:
    [only] = read("action a( t ) by p\n  b:c # why\n").decls
    assert style.format_decl(only) == "action a(t) by p\n  b: c  # why"


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ('x: a = b "so {a}"', 'a = b "so {a}"'),
        ('x: 6 for first, 5 for the others "so"', '6 for first, 5 for the others "so"'),
        ("x: 6 for first, 6 for the others", "6 for everyone"),
        ("then when a: b := 1", "when a: b := 1"),
        ("then a := 1; b := 2", "a := 1\nb := 2"),
    ],
)
def test_the_body_of_a_clause_is_formatted_alone(source: str, expected: str) -> None:
    assert style.format_body(clause_of(f"deal from r\n  {source}\n").body) == expected


def test_effects_that_one_line_cannot_hold_are_refused() -> None:
    clause = clause_of("end\n  then\n    when a\n      p wins\n    b := 1\n")
    assert style.format_clause(clause) == "then\n  when a: p wins\n  b := 1"
    delta = t.Delta(strategies.HERE, "add", (clause.name,), clause.body, ())
    with pytest.raises(ValueError, match="one line"):
        style.format_decl(delta)
