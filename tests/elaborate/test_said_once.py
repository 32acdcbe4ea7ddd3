"""`where`, groups of effects and conditions, and definitions of a score mean what the words do that they stand for."""

from __future__ import annotations

import io
import json
import random
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, cast

import pytest

from golpae.cli.main import main
from golpae.coverage.clauses import Book
from golpae.elaborate.check import elaborate
from golpae.elaborate.load import load
from golpae.elaborate.resolve import resolve
from golpae.families.choices import _Making
from golpae.ir.ruleset import RuleSet
from golpae.lint.text_notes import text_notes
from golpae.lower import statements as st
from golpae.lower.effects import statements_of
from golpae.replay.machine_cache import Library
from golpae.replay.replay import replay
from golpae.syntax import tree as t
from golpae.syntax.format import format_decl
from golpae.trace import Verdict
from tests.prove.encoding.steps import assert_alike_throughout
from tests.prove.meanings import game, rule_set_of, verdicts
from tests.prove.shared import both_of

STATE = """n: number = 0
limit: number = 3
owner: seat or none = none
kind: one of single, pair = single
kept: tiles = {}
each player's out: yes or no = no"""
GROUPS = """
conditions moving(p: seat)
  turn: p = mover "it is not {p}'s turn"

effects count(k: number, w: one of single, pair)
  next: n := n + k
  kind := w
  when w = pair: n := n + 10

effects twice(k: number)
  count(k, single)
  count(k + 1, pair)
"""


SAME = "q in players: q = owner"


def text(lines: str, more: str = "", properties: str = "") -> str:
    """Return a text for three, whose action `turn` has these lines."""
    clauses = "".join(f"  {line}\n" for line in lines.splitlines())
    return game(
        state=STATE,
        more=GROUPS + more,
        actions=f"action turn(coin: tile) by p\n{clauses}",
        zones="shown: row seen by everyone",
        coins="one of each 1c 2c 3c 4c 5c 6c",
        hands=2,
        players=3,
        properties=properties,
    )


def parts(rules: RuleSet) -> object:
    """Return what the action `turn` asks and does."""
    (action,) = (a for a in rules.actions if a.name == "turn")
    return action.conditions, statements_of(rules, action)


def number_after(lines: str, more: str = "") -> int:
    """Return what `n` comes to by an event of seat 0, which holds 1c and 2c and gives 1c."""
    rule_set = rule_set_of(text(lines, more))
    events: list[dict[str, object]] = [
        {"golpae": 1, "rules": "coins", "players": ["An", "Bo", "Cho"]},
        {"do": "deal", "first": 0, "hands": [["1c", "2c"], ["3c", "4c"], ["5c", "6c"]]},
        {"do": "turn", "by": 0, "coin": "1c"},
    ]
    trace = "".join(json.dumps(event) + "\n" for event in events)
    (report,) = replay(io.BytesIO(trace.encode()), "a trace", Library(lambda _: rule_set))
    assert report.outcome.verdict is Verdict.INCOMPLETE, report.outcome
    assert report.end is not None
    return int(report.end[2].v_n)


@pytest.mark.parametrize(
    ("lines", "same"),
    [
        (  # a condition, its message, and what changes nothing that is read
            'where many is size of p\'s hand\nheld: many > 1 "{p} has {many}"\nthen n := many',
            "held: size of p's hand > 1 \"{p} has {size of p's hand}\"\nthen n := size of p's hand",
        ),
        (  # names that use names, and a name that a quantifier binds
            "where q is mover\nwhere w is q's right\nall: some q in players: q = w\nthen n := 1",
            "all: some q in players: q = mover's right\nthen n := 1",
        ),
        (  # what may be none
            "where o is owner\nhas: o is not none\nsame: o = p\nthen o's out := yes",
            "has: owner is not none\nsame: owner = p\nthen owner's out := yes",
        ),
        (  # which has to be there
            "where o is the one q in players: q = owner\nsame: o = p\nthen o's out := yes",
            """o: OWNER is not none "there should be exactly one `o`; those that fit: {kinds of THOSE}"
same: OWNER = p\nthen OWNER's out := yes""".replace("OWNER", f"(the {SAME})").replace(
                "THOSE", f"those {SAME}"
            ),
        ),
        ("requires moving(p)\nthen n := 1", 'turn: p = mover "it is not {p}\'s turn"\nthen n := 1'),
        (
            "then count(2, pair)",
            "then\n  n := n + 2\n  kind := pair\n  when kind = kind: n := n + 10",
        ),
    ],
)
def test_words_come_to_those_that_they_stand_for(lines: str, same: str) -> None:
    """12.2, 12.4 and 12.5"""
    ours, theirs = parts(rule_set_of(text(lines))), parts(rule_set_of(text(same)))
    if "count" not in lines:
        assert ours == theirs
    assert number_after_or_none(lines) == number_after_or_none(same)


def number_after_or_none(lines: str) -> int | None:
    """Return what `n` comes to, or None if the event is illegal."""
    try:
        return number_after(lines)
    except AssertionError:
        return None


@pytest.mark.parametrize(
    ("lines", "n"),
    [
        ("where many is size of p's hand\nthen move coin from p's hand to shown\nthen n := many", 2),
        ("where a is n + 5\nthen n := a; n := n + a", 10),
        ("where a is n + 5\nthen n := 1\nthen n := a\nthen n := n + a", 10),
        ("where a is n + 5\nthen kind := pair\nthen out: when kind = pair: n := a", 5),
        ("where a is n\nthen for each q in players: n := n + a + 1", 3),
        ("where o is owner\nthen owner := p\nthen n := if o is none then 7 else 8", 7),
        ("where h is p's hand\nthen move all from p's hand to shown\nthen n := size of h", 2),
        ("where r is owner otherwise p's right\nthen owner := r\nthen n := if owner = p then 1 else 2", 2),
        ("then count(2, pair)", 12),
        ("then count(n + 3, single); count(n, single)", 6),  # values at the moment of use
        ("then count(w: single, k: 4)", 4),
        ("then twice(1)", 13),
        ("then twice(1); twice(n)", 13 + 13 + 14 + 10),
        ("then for each mover in {p's right}: count(if mover = p then 1 else 2, single)", 2),
        ("then when n = 0: count(1, single) else: count(2, single)", 1),
        ("then repeat 3 times: count(1, single)", 3),
        ("out: count(5, pair)", 15),  # reads like a condition
        ("where n-before is n\nthen count(1, single); count(n-before, pair)", 11),
    ],
)
def test_effects_have_values_of_the_moment_that_the_words_say(lines: str, n: int) -> None:
    """12.3 and 12.4"""
    assert number_after(lines) == n


def test_a_group_reads_what_the_text_calls_so_and_not_a_loop_around_it() -> None:
    more = "\neffects noted\n  n := size of shown\n"
    assert number_after("then for each shown in {p's hand}: noted()", more) == 0


def test_a_definition_names_values() -> None:
    more = """
define f(a: number): b * b + c where b is a + 1, c is b - a
define g(a: number)
  where b is a + 1
  small: b < 3
  large: b > 7
"""
    assert (
        number_after("then n := f(2) + (if g(1) then 100 else 0) + (if g(3) then 1000 else 0)", more) == 110
    )


def test_a_definition_by_cases_names_values_above_its_rows() -> None:
    more = """
define f(a: number) by b
  where b is a + 1
  3: b * 10
  otherwise: 0
define g(a: number)
  where b is a + 1
  where c is b + a
  when c > 3: c
  otherwise: 0
define h(a: number) by b: 2 b, otherwise 0 where b is a + 1
"""
    assert number_after("then n := f(2) + f(3) + 100 * g(2) + g(1) + 1000 * h(1) + h(2)", more) == 2530


SCORE = """
score worth
  given
    coins: tiles
  keep: yes
  total: sum
  define half(x: number): y div 2 where y is x + 1
  define lot(x: number) by z
    where z is x + many
    3: z * 10
    otherwise: 1
  define many: m where m is size of coins
  pattern halves half(many): many > 0
  pattern lots lot(many): many > 0
  pattern more lot(1): many > 0
"""


def test_definitions_of_a_score_name_values() -> None:
    assert number_after("then n := worth(coins: p's hand) otherwise 0", SCORE) == 1 + 1 + 30


@pytest.mark.parametrize(
    "lines",
    [
        "where h is size of p's hand\nheld: coin in p's hand\nthen move coin from p's hand to shown; n := h",
        "requires moving(p)\nthen count(n + 1, pair)\nthen twice(size of p's hand)\nthen mover := p's right",
        "where o is owner\nthen owner := p; n := if o = p then n + 1 else 0",
    ],
)
def test_the_prover_does_what_replay_does(lines: str) -> None:
    legal, _ = assert_alike_throughout(both_of(text(lines), 3), random.Random(1), 6, 3)
    assert legal > 5


ONE = "where o is the one q in players: q's out"


def test_the_one_is_asked_before_what_needs_it() -> None:
    """3.20 and 3.21"""
    for lines, names in (
        (f"{ONE}\nturn: p = mover\nsame: o = p\nlast: n = 0", "turn o same last"),
        (f"{ONE}\nthen n := 1\nturn: p = mover\nlast: n = 0", "turn last o"),
        (f"{ONE}\nwhere r is o's right\nsame: n = 0\nturn: r = p", "same o turn"),
        (f'{ONE}\nfirst: n = 0\nturn: p = mover "{{o}} begins"\nthen n := 1', "first o turn"),
        (f"{ONE}\nfirst: n = 0\nrequires moving(o)\nthen n := 1", "first o turn"),
    ):
        (action,) = (a for a in rule_set_of(text(lines)).actions if a.name == "turn")
        assert [c.name for c in action.conditions if c.name in names.split()] == names.split()


def test_the_one_is_proved_and_played_as_written() -> None:
    lines = f"{ONE}\nrequires moving(p)\nthen o's out := no; owner := o"
    more = "\naction leave by p\n  then p's out := yes\n"
    properties = "always it after turn: no q in players: q's out"
    assert verdicts(text(lines, more, properties))["it"] == "proved"
    legal, illegal = assert_alike_throughout(both_of(text(lines, more), 3), random.Random(1), 6, 3)
    assert legal > 5
    assert illegal > 5


def test_the_one_is_a_clause_that_games_use(tmp_path: Path) -> None:
    (tmp_path / "coins.golpae").write_text(text(f"{ONE}\nrequires moving(p)\nthen n := 1"), encoding="utf-8")
    book = Book(load("coins", [tmp_path]), lambda name: elaborate(name, [tmp_path]))
    (clause,) = (c for c in book.clauses if c.name == "turn.o")
    assert (clause.kind, clause.words) == ("condition", ONE)


def test_a_deal_asks_for_the_one_when_the_tiles_are_dealt() -> None:
    deal = "where holder is the one q in players: 1c in q's hand\nthen n := size of holder's hand"
    rules = rule_set_of(game(state="n: number = 0", coins="two of each 1c 2c 3c", hands=2, deal=deal))
    for hands, clause in (
        ("1c 1c/2c 3c", None),
        ("1c 2c/1c 3c", "coins.deal.holder"),
        ("2c 3c/2c 3c", "coins.deal.holder"),
    ):
        lines: list[dict[str, Any]] = [
            {"golpae": 1, "rules": "coins", "players": ["An", "Bo"]},
            {"do": "deal", "first": 0, "hands": [hand.split() for hand in hands.split("/")]},
        ]
        trace = "".join(json.dumps(line) + "\n" for line in lines)
        (report,) = replay(io.BytesIO(trace.encode()), "a trace", Library(lambda _: rules))
        assert report.outcome.clause == clause
        if clause is not None:
            fit = "An, Bo" if hands.startswith("1c") else "none"
            assert report.outcome.message == f"there should be exactly one `holder`; those that fit: {fit}"


def test_a_proof_goes_through_what_is_said_once() -> None:
    lines = "where a is n\nrequires moving(p)\nthen n := 0; count(a mod 2, single); n := n + (a - a)"
    assert verdicts(text(lines, properties="always small: n <= 1"))["small"] == "proved"


EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"


def test_a_variant_changes_a_line_of_a_group_for_all_that_use_it() -> None:
    for rules, side in (("fair-pairs", "right"), ("fair-pairs+leftwards", "left")):
        found = elaborate(rules, [EXAMPLES])
        for name in ("one", "two"):
            (action,) = (a for a in found.actions if a.name == name)
            sets = {s.name: s.value for s in statements_of(found, action) if isinstance(s, st.Set)}
            assert getattr(sets["mover"], "name", None) == side


def test_a_switch_that_changes_a_group_is_a_choice() -> None:
    loaded = load("fair-pairs", [EXAMPLES])
    resolved = resolve("fair-pairs", loaded)
    making = _Making(cast(Any, _Bits()), loaded, resolved, cast(Any, None))
    (variant,) = resolved.variants
    making.add(variant, False)
    assert any(isinstance(d, t.Group) and "with~leftwards" in format_decl(d) for d in making.decls)


class _Bits:
    """As much of a family as the maker of choices asks of one with a single switch."""

    def bits(self, names: object) -> int:
        return 1


def test_a_condition_of_a_group_is_shown_by_the_name_that_a_verdict_has(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["show", str(EXAMPLES / "fair-pairs.golpae"), "two.turn"]) == 0
    assert "turn: p = mover" in capsys.readouterr().out


def test_a_clause_of_a_group_is_a_clause_of_each_action_for_coverage() -> None:
    book = Book(load("fair-pairs", [EXAMPLES]), lambda rules: elaborate(rules, [EXAMPLES]))
    of = book.of("fair-pairs")
    names = ("one.turn", "two.turn", "stop.turn")
    assert [of[name].path for name in names] == [*names]
    assert "p = mover" in of["one.turn"].words


def test_a_group_and_a_name_that_nothing_uses_are_noted() -> None:
    more = "\neffects idle\n  n := 1\n" + SCORE.replace("is x + many", "is x + many\n    where idler is x")
    lines = "where spare is n\nrequires moving(p)\nthen twice(n)"
    with TemporaryDirectory() as folder:
        Path(folder, "coins.golpae").write_text(text(lines, more), encoding="utf-8")
        notes = [note.message for note in text_notes(load("coins", [Path(folder)]))]
    assert "`idle`: nothing uses this group" in notes
    assert "`spare`: nothing uses this name for a value" in notes
    assert "`idler`: nothing uses this name for a value" in notes
