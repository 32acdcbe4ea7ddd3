"""Texts of `texts` and `checked`, each about some constructs: all their games are checked on the compiled path.

The games are made by chance; some end with an event whose keys were changed. The verdicts are those of the reference.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from golpae.corpus.check import check
from golpae.corpus.noting import Tables
from golpae.corpus.paths import Paths
from golpae.elaborate.instance import bounds, instantiate
from golpae.kernel.language.host import available
from golpae.kernel.module import ModuleRequest, compiled
from golpae.replay.machine import Machine
from golpae.replay.machine_cache import Library
from golpae.replay.replay import replay
from golpae.replay.report import Report
from golpae.replay.simulate import DeadEnd, header, play
from golpae.trace import Verdict
from tests.differential.checks import rule_sets_of
from tests.differential.texts import RuleText

pytestmark = [
    pytest.mark.property,
    pytest.mark.skipif(not available(), reason="wasmtime does not load here"),
]

FOLDERS = ("texts", "checked")  # `checked` has those whose games the compiled path does not make
TEXTS = sorted(file for folder in FOLDERS for file in (Path(__file__).parent / folder).glob("*.golpae"))
GAMES = 60


def games(machine: Machine, rng: random.Random) -> Iterator[list[dict[str, Any]]]:
    """Yield games, each followed by one that ends with a changed event."""
    for _ in range(GAMES):
        events: list[dict[str, Any]] = []
        with suppress(DeadEnd):
            events += play(machine, machine.new_state(1), rng, longest=30)
        events = [_left_out(machine, event, rng) for event in events]
        yield [header(machine), *events]
        other = rng.choice(events)
        place = rng.randrange(len(events))
        yield [header(machine), *events[:place], {**events[place], **_keys(other, events[place])}]


def _left_out(machine: Machine, event: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    """Return an event without some keys of every game that its rules let traces leave out."""
    action = next(action for action in machine.rules.actions if action.name == event["do"])
    own = {param.name for param in action.params if param.optional} & {"pay", "totals", "winners"}
    return {key: value for key, value in event.items() if key not in own or rng.random() < 0.5}


def _keys(event: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    """Return the keys of an event that another one has too."""
    return {key: value for key, value in event.items() if key in other and key != "do"}


@pytest.mark.parametrize("file", TEXTS, ids=lambda file: str(file.stem))
def test_every_game_is_checked_on_the_compiled_path(file: Path) -> None:
    text = RuleText(file.stem, file.read_text(), 0)
    rule_set = rule_sets_of(text, ())[text.name]
    library = Library(lambda name: rule_set)
    machine = Machine(instantiate(rule_set, max(2, bounds(rule_set, {})[0]), {}))
    assert compiled(machine.instance, ModuleRequest(file.stem, machine.may_be_long)).refused == ()
    lines = [line for game in games(machine, random.Random(7)) for line in game]
    written = b"".join(json.dumps(line).encode() + b"\n" for line in lines)
    paths = Paths()
    reports = check(BytesIO(written), "games", Tables(library, None, cited=True), True, paths)
    found = [report.outcome for report in reports if isinstance(report, Report)]
    expected = [report.outcome for report in replay(BytesIO(written), "games", library, cited=True)]
    assert found == expected
    assert (paths.referred, paths.disagree) == (0, [])
    verdicts = [outcome.verdict for outcome in expected]
    assert verdicts.count(Verdict.LEGAL) + verdicts.count(Verdict.INCOMPLETE) >= GAMES
    assert Verdict.ILLEGAL in verdicts
    happened = {line["do"] for line in lines if "do" in line}
    assert happened >= {a.name for a in machine.rules.actions if a.kind not in ("finish", "end")}


FLAGS = """\
game flags "A score that reads a state, asked before and after it changes"
players 2 to 2
tiles
  figs: two of each 1f 2f 3f 4f 5f 6f
zones
  stock: tiles seen by nobody, holds the set
  each player's hand: tiles seen by its owner
state of the hand
  mover: seat
  flag: yes or no = no
  told: number = 0
shape any-two(a, b): yes
arrangement full: 1 any-two
score worth
  given
    hand: tiles
  hand: hand
  as: full
  total: sum
  pattern base 1: yes
  pattern flagged 10: flag
define value(p: seat): worth(p's hand) otherwise 0
deal from stock
  hands: 2 for everyone
  then mover := first
action go by p
  some: value(p) >= 1
  then flag := not flag
  then told := value(p)
  then stop: the hand is over
end
  due: over
payout
  all: each player scores told
"""


OF_A_TILE = (
    ("shape any-two(a, b): yes\narrangement full: 1 any-two", "shape one(a): a = a\narrangement full: 1 one"),
    ("define value(p: seat): worth(p's hand)", "define value(t: tile): worth({t})"),
    ("value(p)", "value(1f)"),
)


@pytest.mark.parametrize("changes", [(), OF_A_TILE], ids=["of a hand", "of a tile"])
def test_what_a_definition_asks_of_a_score_is_asked_again_when_a_state_has_changed(
    changes: tuple[tuple[str, str], ...],
) -> None:
    text = FLAGS
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    rule_set = rule_sets_of(RuleText("flags", text, 0), ())["flags"]
    library = Library(lambda name: rule_set)
    lines = []
    for paid in (11, 1) * 40:
        lines.append({"golpae": 1, "rules": "flags", "players": ["An", "Bo"]})
        lines.append({"do": "deal", "first": 0, "hands": [["1f", "1f"], ["2f", "3f"]]})
        lines += [{"do": "go", "by": 0}, {"do": "end", "winner": None, "pay": [paid, paid]}]
    written = b"".join(json.dumps(line).encode() + b"\n" for line in lines)
    paths = Paths()
    reports = check(BytesIO(written), "games", Tables(library, None, cited=True), True, paths)
    verdicts = [report.outcome.verdict for report in reports if isinstance(report, Report)]
    assert verdicts == [Verdict.LEGAL, Verdict.ILLEGAL] * 40
    assert (paths.referred, paths.disagree) == (0, [])


def test_a_row_whose_order_nobody_asks_for_is_cut_no_further_than_it_goes() -> None:
    text = FLAGS.replace("stock: tiles seen by nobody", "stock: row seen by nobody")
    text = text.replace("action go by p\n", "action go(n: number from 0 to 20) by p\n  then cut stock at n\n")
    rule_set = rule_sets_of(RuleText("flags", text, 0), ())["flags"]
    library = Library(lambda name: rule_set)
    lines: list[dict[str, Any]] = []
    for number in (0, 8, 9, 20):  # eight tiles are left
        lines.append({"golpae": 1, "rules": "flags", "players": ["An", "Bo"]})
        lines.append({"do": "deal", "first": 0, "hands": [["1f", "1f"], ["2f", "3f"]]})
        lines.append({"do": "go", "n": number, "by": 0})
    written = b"".join(json.dumps(line).encode() + b"\n" for line in lines)
    paths = Paths()
    reports = check(BytesIO(written), "games", Tables(library, cited=True), True, paths)
    found = [report.outcome for report in reports if isinstance(report, Report)]
    assert found == [report.outcome for report in replay(BytesIO(written), "games", library, cited=True)]
    assert [outcome.verdict for outcome in found] == [Verdict.INCOMPLETE] * 2 + [Verdict.ILLEGAL] * 2


def test_a_game_whose_effects_fail_leaves_the_others_as_they_are() -> None:
    file = Path(__file__).parent / "texts" / "asked-afterwards.golpae"
    rule_set = rule_sets_of(RuleText(file.stem, file.read_text(), 0), ())[file.stem]
    library = Library(lambda name: rule_set)
    hands = [["3c", "4c", "5c"], ["3c", "4c", "5c"]]
    lines = []
    for floor in (["1c", "1c", "2c", "2c"], ["1c", "1c", "1c", "2c"]) * 3:
        lines.append({"golpae": 1, "rules": file.stem, "players": ["An", "Bo"]})
        lines.append({"do": "deal", "first": 0, "hands": hands, "floor": floor})
        lines.append({"do": "draw", "by": 0, "tile": "6c"})
    written = b"".join(json.dumps(line).encode() + b"\n" for line in lines)
    reports = check(BytesIO(written), "games", Tables(library, cited=True), True)
    found = [report.outcome for report in reports if isinstance(report, Report)]
    assert found == [report.outcome for report in replay(BytesIO(written), "games", library, cited=True)]
    assert [outcome.clause for outcome in found] == [None, "asked-afterwards.deal.fair"] * 3


USES = """game uses "Definitions that use one another very often"

players 2 to 2

tiles
  coins: two of each copper silver

zones
  pool: tiles seen by nobody, holds the set
  each player's hand: tiles seen by its owner

define tiles-0(s: tiles): size of s
define lists-0(s: numbers): size of s
{definitions}
action look by p
  some: tiles-{tiles}(p's hand) > 0 and lists-{lists}({{1, 2}}) > 0
  then nobody wins

deal from pool
  hands: 0 for everyone

end
  due: over
"""


def test_definitions_that_use_one_another_very_often_make_no_long_module() -> None:
    tiles, lists = 17, 300
    definitions = [f"define tiles-{n}(s: tiles): tiles-{n - 1}(s) + tiles-{n - 1}(s)" for n in range(1, 18)]
    definitions += [f"define lists-{n}(s: numbers): lists-{n - 1}(s + s)" for n in range(1, lists + 1)]
    source = USES.format(definitions="\n".join(definitions), tiles=tiles, lists=lists)
    instance = instantiate(RuleText("uses", source, 0).rule_set(), 2, {})
    made = compiled(instance, ModuleRequest("uses", counted=True))
    assert made.refused == ("definitions that are used very many times by one another",)
    assert len(made.wasm) < 1_000_000


FITS = """game fits "Patterns that are asked for in one event after another"

players 2 to 2

tiles
  coins: one of each "c{n}" for n in 1 to 4

zones
  pool: tiles seen by nobody, holds the set
  each player's hand: tiles seen by its owner

shape two(a, b): a's n < b's n
arrangement twos-of-hand: 2 twos

score worth
  given
    held: tiles
    others: numbers
  hand: held
  as: twos-of-hand
  total: sum
  pattern near 2: some s in twos: s = {c1, c2}
  pattern far 2: some s in twos: s = {c1, c3}
  pattern many (sum of n for n in others), extra: others is not empty

action count(points: number, others: numbers, one: patterns, optional patterns) by p
  points: points = (worth(held: p's hand, others: others) otherwise 0)
  fits: one fits worth(held: p's hand, others: others) or points = 9
  other: patterns is none or patterns fits worth(held: p's hand, others: {})
  again: one fits worth(held: p's hand, others: others + {0}) or points = 9
  then nobody wins

deal from pool
  hands: 4 for first, 0 for the others

end
  due: over
"""

PATTERNS = [
    {"near": 2, "many": 7},
    {"near": 2},
    {"far": 2},
    {"near": 2, "far": 2},
    {},
    {"near": 2, "many": 1},
]


def test_patterns_are_those_of_the_event_that_asks_for_them() -> None:
    rule_set = RuleText("fits", FITS, 0).rule_set()
    library = Library(lambda name: rule_set)
    deal = {"do": "deal", "first": 0, "hands": [["c1", "c2", "c3", "c4"], []]}
    counts = [
        {"do": "count", "by": 0, "points": points, "others": others, "one": one, **key}
        for points, others in (
            (2, []),
            (3, [1]),
            (2, [1]),
            (8, [1] * 6),
            (8, [1] * 5 + [2]),
            (9, [1] * 5 + [2]),
        )
        for one in PATTERNS
        for key in ({}, *({"patterns": patterns} for patterns in PATTERNS[1:5]))
    ]
    top = {"golpae": 1, "rules": "fits", "players": ["An", "Bo"]}
    lines = [line for count in counts for line in (top, deal, count)]
    written = b"".join(json.dumps(line).encode() + b"\n" for line in lines)
    paths = Paths()
    reports = check(BytesIO(written), "games", Tables(library), True, paths)
    found = [report.outcome for report in reports if isinstance(report, Report)]
    expected = [report.outcome for report in replay(BytesIO(written), "games", library)]
    assert (found, paths.referred, paths.disagree) == (expected, 0, [])
    verdicts = Counter(outcome.verdict for outcome in expected)
    assert min(verdicts[Verdict.INCOMPLETE], verdicts[Verdict.ILLEGAL]) > 10


CHOICES = (
    FITS.split("action count", 1)[0].replace("game fits", "game choices")
    + """
score strict
  given
    held: tiles
    least: number
  hand: held
  as: twos-of-hand
  keep: points >= least
  total: sum
  pattern outer 3: some s in twos: s = {c1, c4}
  pattern inner 1: some s in twos: s = {c2, c3}

action choose(points: number, one: patterns, which: one of wide, narrow, none-at-all, least: number from 0 to 9) by p
  points: points = ((if which = wide then worth(held: p's hand, others: {}) else strict(held: p's hand, least: least))
    otherwise 0)
  fits: which = none-at-all or one fits (if which = wide then worth(held: p's hand, others: {}) else
    strict(held: p's hand, least: least))
  instead: one fits (strict(held: p's hand, least: least) otherwise worth(held: p's hand, others: {}))
    or which /= none-at-all
  then nobody wins

deal from pool
  hands: 4 for first, 0 for the others

end
  due: over
"""
)


def test_a_choice_of_scores_is_compiled() -> None:
    rule_set = RuleText("choices", CHOICES, 0).rule_set()
    library = Library(lambda name: rule_set)
    deal = {"do": "deal", "first": 0, "hands": [["c1", "c2", "c3", "c4"], []]}
    top = {"golpae": 1, "rules": "choices", "players": ["An", "Bo"]}
    events = [
        {"do": "choose", "by": 0, "points": points, "one": one, "which": which, "least": least}
        for points in (0, 2, 4)
        for one in ({"near": 2}, {"far": 2}, {"outer": 3, "inner": 1}, {})
        for which in ("wide", "narrow", "none-at-all")
        for least in (0, 4, 5)
    ]
    written = b"".join(json.dumps(line).encode() + b"\n" for event in events for line in (top, deal, event))
    paths = Paths()
    reports = check(BytesIO(written), "games", Tables(library), True, paths)
    found = [report.outcome for report in reports if isinstance(report, Report)]
    expected = [report.outcome for report in replay(BytesIO(written), "games", library)]
    assert (found, paths.referred, paths.disagree) == (expected, 0, [])
    broken = Counter(outcome.verdict for outcome in expected)
    assert min(broken[Verdict.INCOMPLETE], broken[Verdict.ILLEGAL]) > 3
