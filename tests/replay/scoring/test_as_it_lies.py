"""A score without `hand` and `as` counts what is given as it lies: a pile of any size."""

from __future__ import annotations

import json
import random
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from golpae.compare.scores.decide import decide_score
from golpae.conform.stated_hands import StatedHands
from golpae.diagnostics import SpecError
from golpae.elaborate.check import elaborate
from golpae.elaborate.instance import Instance, instantiate
from golpae.kernel.language.host import available
from golpae.replay.machine import Machine
from golpae.replay.machine_cache import Library
from golpae.replay.replay import replay
from golpae.replay.score_hand import Fault, Scored, score_hand
from golpae.verify.options import Settings
from golpae.verify.verifier import Verifier
from tests.differential.counting import check_compiled
from tests.differential.texts import RuleText

PILE = """
game pile "What a pile of cards counts"

players 2 to 2

tiles 9 of 9 kinds
  brights: one of each "{month}g" for month in 1 to 3
  animals: one of each "{month}a" for month in 1 to 3
  junk: one of each "{month}j" for month in 1 to 3

zones
  stock: tiles seen by nobody, holds the set
  each player's hand: tiles seen by its owner

score count "what a pile counts"
  given
    pile: tiles
    go: yes or no = no
  provided
    some-tile: not go or size of pile > 1 "nobody goes on with {pile}"
  keep: points > 0
  total: sum
  define bright: number of t in pile: t in brights
  pattern brights 3: bright = 3
  pattern many size of pile - 4: size of pile > 4
  pattern animal 1 for each t in pile: t in animals
  pattern go 1, extra: go

deal from stock
  hands: 4 for everyone

action stop(points: number, patterns: patterns) by p "stop"
  worth: points = (count(pile: p's hand) otherwise 0) "not {points}"
  named: patterns fits count(pile: p's hand) "other patterns"
  then p wins

end
  due: over

claim eleven-at-most: every way of count: kept implies points <= 12
claim twelve: some way of count: kept and points = 12 and size of pile = 9
claim five-tiles: every way of count: size of pile > 4 implies many and not (points = 0)

variant dear "two brights are enough"
  replace count.brights: bright >= 2

variant alike "said in other words"
  replace count.brights: 2 < bright
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "pile.golpae").write_text(PILE)
    return tmp_path


def table(folder: Path, rules: str = "pile") -> Instance:
    return instantiate(elaborate(rules, [folder]), 2, {})


@pytest.mark.parametrize(
    ("tiles", "patterns"),
    [
        ("", None),
        ("1j", None),
        ("1a", {"animal": 1}),
        ("1g 2g 3g 1a", {"brights": 3, "animal": 1}),
        ("1g 2g 3g 1a 2a 3a 1j 2j 3j", {"brights": 3, "many": 5, "animal": 3}),
    ],
)
def test_a_pile_of_any_size_has_one_way(folder: Path, tiles: str, patterns: dict[str, int] | None) -> None:
    library = Library(lambda name: elaborate(name, [folder]))
    scored = score_hand({"rules": "pile", "pile": tiles.split()}, library)
    assert isinstance(scored, Scored)
    assert scored.points == (None if patterns is None else sum(patterns.values()))
    assert [(way.sets, way.patterns) for way in scored.ways] == ([] if patterns is None else [((), patterns)])


def test_what_cannot_be_given_is_refused(folder: Path) -> None:
    library = Library(lambda name: elaborate(name, [folder]))
    for hand in ({"pile": ["1g", "1g"]}, {"pile": ["1g"], "go": True}):
        assert isinstance(score_hand({"rules": "pile", **hand}, library), Fault)


def test_statements_about_every_pile_are_decided(folder: Path) -> None:
    instance = table(folder)
    verifier = Verifier(instance, Settings())
    props = [prop for prop in instance.rule_set.properties if prop.kind == "claim"]
    assert [verifier.verify(prop).verdict for prop in props] == ["proved", "proved", "proved"]


def test_piles_that_count_differently_are_found(folder: Path) -> None:
    found = [
        decide_score(table(folder), table(folder, f"pile+{name}"), "count", Settings())
        for name in ("dear", "alike")
    ]
    assert [answer.verdict for answer in found] == ["refuted", "proved"]


def test_a_trace_names_the_patterns_of_a_pile(folder: Path) -> None:
    library = Library(lambda name: elaborate(name, [folder]))
    lines: list[dict[str, Any]] = [
        {"golpae": 1, "rules": "pile", "players": ["a", "b"]},
        {"do": "deal", "first": 0, "hands": [["1g", "2g", "3g", "1a"], ["1j", "2j", "3j", "2a"]]},
        {"do": "stop", "by": 0, "points": 4, "patterns": {"brights": 3, "animal": 1}},
        {"do": "end"},
    ]
    verdicts = []
    for points, patterns in ((4, {"brights": 3, "animal": 1}), (4, {"brights": 4}), (3, {"brights": 3})):
        lines[2] |= {"points": points, "patterns": patterns}
        written = "\n".join(map(json.dumps, lines)).encode()
        [report] = replay(BytesIO(written), "games", library)
        verdicts.append(report.outcome.verdict.value)
    assert verdicts[0] != "illegal"
    assert verdicts[1:] == ["illegal", "illegal"]


@pytest.mark.skipif(not available(), reason="wasmtime does not load here")
def test_the_compiled_path_counts_piles_as_the_reference(folder: Path) -> None:
    rng = random.Random(1)
    kinds = [kind.name for kind in table(folder).kinds]
    lines = [
        {"rules": "pile", "pile": rng.sample(kinds, rng.randint(0, 9)), "go": rng.random() < 0.3}
        for _ in range(60)
    ]
    wrong: list[str] = []
    counts = check_compiled(RuleText("pile", PILE), lines, lambda *finding: wrong.append(str(finding)))
    assert (wrong, counts) == ([], 60)


def test_piles_by_chance_have_all_sizes(folder: Path) -> None:
    hands = StatedHands(Machine(table(folder)), "count", 1)
    sizes = {len(values["pile"]) for number in range(60) if (values := hands.draw(number)) is not None}
    assert len(sizes) > 4


@pytest.mark.parametrize(
    ("lines", "words"),
    [("  hand: pile\n", "`as:`"), ("  as: some\n", "`hand:`"), ("  marking: t as x\n", "`as:`")],
)
def test_a_hand_that_is_laid_out_needs_both_lines(tmp_path: Path, lines: str, words: str) -> None:
    text = PILE.replace("  keep: points > 0\n", f"{lines}  keep: points > 0\n")
    (tmp_path / "pile.golpae").write_text(text)
    with pytest.raises(SpecError) as fault:
        elaborate("pile", [tmp_path])
    found = [d for d in fault.value.diagnostics if d.code == "G004"]
    assert any(words in d.message for d in found)
