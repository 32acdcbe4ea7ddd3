"""All traces of a game together: the rule sets that fit them, and the trace that decides each switch."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from golpae.attribute.corpus import Attributed, Corpus, SwitchRole
from golpae.replay.simulate import DeadEnd, header, play
from tests.attribute.attributed import Checked, Lines, won
from tests.attribute.guilds import GUILDS

pytestmark = pytest.mark.corpus


@pytest.fixture
def own(tmp_path: Path) -> Path:
    (tmp_path / "guilds.golpae").write_text(GUILDS, encoding="utf-8")
    return tmp_path


def answer(game: Checked, traces: list[Lines]) -> Attributed:
    corpus = Corpus(game.family)
    for found in game.found(*traces):
        assert found.fault is None
        corpus.add(found)
    return corpus.answer()


def simulated(game: Checked, names: list[str], count: int, seed: int) -> list[Lines]:
    rng = random.Random(seed)
    machine = game.machine(game.family.bits(names), 2)
    out: list[Lines] = []
    while len(out) < count:
        try:
            out.append([header(machine), *play(machine, machine.new_state(1), rng)])
        except DeadEnd:
            continue
    return out


@pytest.mark.parametrize(
    "names", [[], ["climbing", "counted"], ["free", "wild", "stops"], ["falling", "short"]]
)
def test_the_rule_set_of_the_games_is_among_the_answers(own: Path, names: list[str]) -> None:
    game = Checked("guilds", own)
    found = answer(game, simulated(game, names, 10, 1))
    played = game.family.bits(names)
    assert found.all_legal
    assert played in found.accepting
    assert all(rules.bit_count() <= played.bit_count() for rules in found.smallest)


def test_the_answer_and_its_evidence_agree_with_trying_every_rule_set() -> None:
    game = Checked("three-dozen")
    traces = simulated(game, ["may-draw"], 6, 1) + simulated(game, ["lay-compulsory"], 9, 2)
    traces.insert(1, [*traces[0][:2], *traces[0][1:]])  # dealt twice, which no rule set allows
    found = answer(game, traces)
    legal = {r: sum(game.judged(r, trace) is None for trace in traces) for r in game.all()}
    most = max(legal.values())
    best = [r for r, n in legal.items() if n == most]
    fewest = min(r.bit_count() for r in best)
    assert not found.all_legal
    assert found.legal == most
    assert [r for r in game.all() if r in found.accepting] == best
    assert list(found.smallest) == [r for r in best if r.bit_count() == fewest]
    for rules in found.smallest:
        for number, one in enumerate(found.evidence[rules]):
            other = rules ^ 1 << number
            assert one.on == bool(rules >> number & 1)
            if other not in game.family.universe:
                assert one.role is SwitchRole.CLASHES
            elif legal[other] == most:
                assert one.role is SwitchRole.EITHER
            else:
                assert one.role is (SwitchRole.NEEDED if one.on else SwitchRole.EXCLUDED)
                first = next(
                    t for t in traces if game.judged(rules, t) is None and game.judged(other, t) is not None
                )
                assert one.trace is not None
                assert one.refusal is not None
                assert one.trace.line == line_of(traces, first)
                assert (one.refusal.event, one.refusal.clause) == game.judged(other, first)
    left = [line_of(traces, t) for t in traces if game.judged(found.smallest[0], t) is not None]
    assert [trace.line for trace, _ in found.illegal] == left


def line_of(traces: list[Lines], wanted: Lines) -> int:
    line = 1
    for trace in traces:
        if trace is wanted:
            return line
        line += len(trace)
    raise AssertionError


def test_rules_named_in_headers_are_compared_with_the_events() -> None:
    game = Checked("jjak")
    spoilt = won("jjak+doubling")
    spoilt[-1] = {"do": "end", "winner": 1, "pay": [-3, 3]}
    found = answer(game, [won("jjak"), won("jjak"), won("jjak+doubling"), spoilt, won("jjak+unheard")])
    said = {s.claimed: s for s in found.headers}
    assert (said["jjak"].traces, said["jjak"].legal, said["jjak"].smallest) == (2, 2, (0,))
    doubled = said["jjak+doubling"]
    assert (doubled.traces, doubled.legal, doubled.most) == (2, 0, 1)
    unheard = said["jjak+unheard"]
    assert (unheard.unknown, unheard.switches_on, unheard.legal, unheard.most) == (("unheard",), None, 0, 1)


def test_a_trace_without_its_end_counts_as_accepted() -> None:
    game = Checked("jjak")
    found = answer(game, [won("jjak")[:5], won("jjak")])
    assert (found.all_legal, found.traces, found.incomplete) == (True, 2, 1)


def test_memory_does_not_grow_with_equal_traces() -> None:
    game = Checked("jjak")
    corpus = Corpus(game.family)
    text = [json.loads(json.dumps(won("jjak"))) for _ in range(200)]
    for found in game.found(*text):
        corpus.add(found)
    assert corpus.answer().traces == 200
    assert sum(len(same.examples) for same in corpus._by_region.values()) == 20
