"""`fair: afterwards ...`: what is asked of the position that an event leaves, in every reader alike."""

from __future__ import annotations

import io
import json
import random
from pathlib import Path

from golpae.elaborate.check import check
from golpae.elaborate.instance import instantiate
from golpae.elaborate.load import load_text
from golpae.elaborate.resolve import resolve
from golpae.lint.text_notes import text_notes
from golpae.replay.explain import explained
from golpae.replay.legal_events import Legal
from golpae.replay.machine import Machine
from golpae.replay.machine_cache import Library
from golpae.replay.replay import replay
from golpae.replay.report import Report
from golpae.syntax.format import format_text
from golpae.syntax.parse import parse
from tests.prove.encoding.steps import assert_alike_throughout
from tests.prove.meanings import verdicts
from tests.prove.shared import both_of

TEXT = (Path(__file__).parents[1] / "kernel" / "texts" / "asked-afterwards.golpae").read_text("utf-8")
HANDS = [["1c", "5c", "5c"], ["6c", "6c", "6c"]]


def judged(*events: dict[str, object], floor: str = "1c 1c 2c 3c", switches: str = "") -> Report:
    """Return the report on a game that is dealt so and goes on with these events."""
    rule_set = check(resolve(f"asked-afterwards{switches}", load_text(TEXT)))
    lines: list[dict[str, object]] = [
        {"golpae": 1, "rules": f"asked-afterwards{switches}", "players": ["An", "Bo"]},
        {"do": "deal", "first": 0, "hands": HANDS, "floor": floor.split()},
        *events,
    ]
    trace = "".join(json.dumps(line) + "\n" for line in lines)
    (report,) = replay(io.BytesIO(trace.encode()), "a trace", Library(lambda _: rule_set))
    return report


def said(report: Report) -> str:
    explanation = explained(report)
    assert explanation is not None
    return explanation.message


def put(seat: int, tile: str) -> dict[str, object]:
    return {"do": "put", "by": seat, "tile": tile}


def test_a_deal_is_refused_for_what_it_deals() -> None:
    """5.9"""
    outcome = judged(floor="1c 1c 1c 3c").outcome
    assert (outcome.event, outcome.clause) == (1, "asked-afterwards.deal.fair")
    assert outcome.message == "three of 1c 1c 1c 3c are alike"
    assert judged().outcome.verdict.value == "incomplete"
    assert judged(floor="1c 1c 1c 3c", switches="+open").outcome.verdict.value == "incomplete"


def test_the_question_and_its_message_are_about_the_position_after_the_event() -> None:
    report = judged(put(0, "1c"))
    assert report.outcome.clause == "asked-afterwards.put.low"
    assert said(report) == "An would keep 5c 5c, which counts 10"
    assert judged(put(0, "5c")).outcome.verdict.value == "incomplete"


def test_conditions_before_the_effects_come_first_and_an_illegal_event_changes_nothing() -> None:
    assert judged(put(0, "4c")).outcome.clause == "asked-afterwards.put.held"
    report = judged(put(0, "1c"))
    assert report.end is not None
    assert [len(hand) for hand in report.end[2].z_hand] == [3, 3]


def test_what_is_not_legal_afterwards_is_not_listed() -> None:
    explanation = explained(judged(put(0, "1c")))
    assert explanation is not None
    assert explanation.legal is not None
    assert explanation.legal[0] == "An: put 5c"


def test_a_variant_that_replaces_the_question_asks_it_afterwards_too() -> None:
    assert judged(put(0, "5c"), switches="+strict").outcome.verdict.value == "incomplete"
    assert judged(put(0, "1c"), switches="+strict").outcome.clause == "asked-afterwards.put.low"
    assert said(judged(put(0, "1c"), switches="+strict")) == "An would keep 5c 5c, which counts 10"


def test_games_by_chance_are_legal_and_deal_anew() -> None:
    machine = Machine(instantiate(check(resolve("asked-afterwards", load_text(TEXT))), 3, {}))
    assert machine.may_fail_midway >= {"deal", "put", "draw"}
    state = machine.new_state(1)
    assert Legal(machine).can_deal(state) == [0, 1, 2]


def test_the_text_is_written_as_it_stands_and_has_no_notes() -> None:
    from golpae.diagnostics import Text

    assert format_text(parse(Text.of("asked-afterwards", TEXT))) == TEXT
    assert not [note.message for note in text_notes(load_text(TEXT))]


def test_the_prover_steps_as_replay_does() -> None:
    legal, illegal = assert_alike_throughout(both_of(TEXT, 2), random.Random(1), 6, 3)
    assert legal > 5
    assert illegal > 5


def test_what_is_asked_holds_after_the_event() -> None:
    found = verdicts(TEXT)
    assert (found["none-alike-dealt"], found["low-kept"]) == ("proved", "proved")


def test_a_state_may_be_called_afterwards() -> None:
    text = TEXT.replace("  mover: seat\n", "  mover: seat\n  afterwards: yes or no = yes\n").replace(
        "  held: tile", '  now: afterwards and p = mover "no"\n  held: tile'
    )
    assert check(resolve("asked-afterwards", load_text(text))).action("put") is not None


def test_a_group_of_conditions_asks_afterwards() -> None:
    group = 'conditions keeping(p: seat)\n  low: afterwards size of p\'s hand < 9 "too many"\n'
    text = TEXT.replace("deal from stock", f"{group}\ndeal from stock").replace(
        "  place: tile fits", "  requires keeping(p)\n  place: tile fits"
    )
    draw = check(resolve("asked-afterwards", load_text(text))).action("draw")
    assert draw is not None
    assert [clause.name for clause in draw.effects][-2:] == ["low", "few"]
