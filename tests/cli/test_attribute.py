"""`golpae attribute`: its text, its JSON and its exit status."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from tests.attribute.attributed import Lines, won
from tests.cli.conftest import Golpae
from tests.cli.table import run, text, write

pytestmark = pytest.mark.corpus

DEALT_TWICE = [*won("jjak")[:2], *won("jjak")[1:]]
MALFORMED = [*won("jjak")[:3], {"do": "draw", "by": 0, "tile": "9-9"}]
# A game with a switch of each standing. `up` and `down` say different things of one clause.
STEPS = """\
game steps "Steps"

players 2 to 2

tiles 6 of 6 kinds
  plain: one of each 1-1 2-2 3-3 4-4 5-5 6-6
  written: "{high}-{low}"

zones
  pile: tiles seen by nobody, holds the set
  table: tiles seen by everyone
  each player's hand: tiles seen by its owner

state of the hand
  mover: seat
  last: number = 0

define step(t: tile): yes

deal from pile
  hands: 1 for everyone
  then mover := first

action put(tile) by p "put a tile down"
  turn: p = mover "it is not {p}'s turn"
  held: tile in p's hand "{p} does not hold {tile}"
  step: step(tile) "{tile} does not follow"
  then move tile from p's hand to table
  then last: last := tile's high
  then mover := p's right
  then when every q in players: q's hand is empty: p wins

end
  due: over "the hand is not over"

payout
  won: when winner is not none: for each q in players - winner: q pays winner price

define price: stake

variant up "tiles rise"
  replace step: t's high > last

variant down "tiles fall"
  replace step: last = 0 or t's high < last

variant dear "paid double"
  replace price: stake * 2

variant own-turn "whose turn it is does not matter"
  drop put.turn

variant no-turns "the same by another name"
  drop put.turn
"""


def steps(rules: str, first: str, second: str, pay: int) -> Lines:
    return [
        {"golpae": 1, "rules": rules, "players": ["An", "Bo"]},
        {"do": "deal", "first": 0, "hands": [[first], [second]]},
        {"do": "put", "by": 0, "tile": first},
        {"do": "put", "by": 1, "tile": second},
        {"do": "end", "winner": 1, "pay": [-pay, pay]},
    ]


@pytest.fixture
def own(here: Path) -> tuple[str, str]:
    Path("own").mkdir()
    Path("own", "steps.golpae").write_text(STEPS, encoding="utf-8")
    return "--spec-path", "own"


def objects(out: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in out.splitlines()]


# ---------------------------------------------------------------- answers


def test_the_answer_comes_first_and_then_the_evidence_for_each_switch(
    golpae: Golpae, own: tuple[str, str]
) -> None:
    write("a.jsonl", *steps("steps", "3-3", "5-5", 2), *steps("steps+up", "1-1", "2-2", 2))
    done = golpae("attribute", *own, "a.jsonl")
    assert (
        done.out
        == """\
steps: 2 traces
  all are legal under steps+dear; no rule set with fewer switches accepts them all

  dear      needed: without it, a.jsonl:1 is refused at event 4, line 5
              steps.end.pay: `pay` should be [-1, 1] (An -1, Bo +1), not `[-2, 2]`
  down      ruled out: with it, a.jsonl:1 is refused at event 3, line 4
              steps.put.step: 5-5 does not follow
  up        either way: no trace decides it
  own-turn  either way: no trace decides it
  no-turns  either way: no trace decides it

  1 trace names steps: not legal under it, but legal under steps+dear
  1 trace names steps+up: not legal under it, but legal under steps+dear
"""
    )
    assert (done.status, done.err) == (0, "")


def test_if_no_rule_set_fits_the_best_one_and_its_illegal_traces_are_printed(
    golpae: Golpae, own: tuple[str, str]
) -> None:
    spoilt = steps("steps", "3-3", "5-5", 1)
    spoilt[2] = {"do": "put", "by": 0, "tile": "6-6"}
    write(
        "a.jsonl",
        *steps("steps", "3-3", "5-5", 1),
        *steps("steps", "5-5", "3-3", 1),
        *steps("steps", "5-5", "3-3", 3),
        *spoilt,
    )
    done = golpae("attribute", *own, "a.jsonl")
    assert done.status == 1
    assert "  2 of 4 are legal under steps; no rule set does better\n" in done.out
    assert done.out.endswith("""\
  still not legal under steps:
    a.jsonl:11  refused at event 4, line 15; no rule set gets further
      steps.end.pay: `pay` should be [-1, 1] (An -1, Bo +1), not `[-3, 3]`
    a.jsonl:16  refused at event 2, line 18; no rule set gets further
      steps.put.held: An does not hold 6-6

  4 traces name steps: 2 legal under it, and no rule set does better
""")


def test_several_smallest_answers_are_all_listed(golpae: Golpae, own: tuple[str, str]) -> None:
    game = steps("steps", "3-3", "5-5", 1)
    game[2], game[3] = game[3], game[2]
    game[-1] = {"do": "end", "winner": 0, "pay": [1, -1]}
    write("a.jsonl", *game)
    done = golpae("attribute", *own, "a.jsonl")
    assert done.out.startswith("""\
steps: 1 trace
  it is legal under each of these; no rule set with fewer switches accepts it:
    steps+own-turn
    steps+no-turns

  for steps+own-turn:
  own-turn  needed: without it, a.jsonl:1 is refused at event 2, line 3
              steps.put.turn: it is not Bo's turn
""")
    assert done.out.endswith(
        "1 trace names steps: not legal under it, but legal under steps+own-turn or steps+no-turns\n"
    )
    whole = objects(golpae("attribute", *own, "--format", "json", "a.jsonl").out)[-1]
    assert whole["smallest"] == ["steps+own-turn", "steps+no-turns"]


def test_a_trace_that_no_rule_set_accepts_is_printed_with_its_refusal(
    golpae: Golpae, own: tuple[str, str]
) -> None:
    write("a.jsonl", *steps("steps", "5-5", "3-3", 1)[:2], {"do": "put", "by": 0, "tile": "4-4"})
    done = golpae("attribute", *own, "--each", "a.jsonl")
    assert done.status == 1
    assert (
        done.out
        == """\
a.jsonl:1  illegal  under every rule set
  refused at event 2, line 3
    steps.put.held: An does not hold 4-4
steps: 1 trace
  no rule set makes it legal

  where they fail:
    a.jsonl:1  refused at event 2, line 3; no rule set gets further
      steps.put.held: An does not hold 4-4

  1 trace names steps, and is legal under no rule set
"""
    )


def test_a_switch_that_clashes_with_a_chosen_one_is_reported_as_off(
    golpae: Golpae, own: tuple[str, str]
) -> None:
    write("a.jsonl", *steps("steps", "3-3", "5-5", 1))
    done = golpae("attribute", *own, "--rules", "steps+up", "a.jsonl")
    assert "  up        on: `--rules` names it\n" in done.out
    assert "  down      ruled out: it cannot be combined with up\n" in done.out
    assert (
        "steps: 1 trace\n  it is legal under steps+up; no rule set with fewer switches accepts it\n"
        in done.out
    )


def test_a_switch_whose_text_has_a_fault_is_left_out(golpae: Golpae, own: tuple[str, str]) -> None:
    faulty = STEPS + '\nvariant odd "a fault"\n  replace price: nothing-known\n'
    Path("own", "steps.golpae").write_text(faulty, encoding="utf-8")
    write("a.jsonl", *steps("steps", "3-3", "5-5", 1))
    done = golpae("attribute", *own, "a.jsonl")
    assert "  odd       left out: its text has a fault (see `golpae lint`)\n" in done.out
    assert done.status == 0


def test_each_prints_for_every_trace_which_rule_sets_accept_it(golpae: Golpae, own: tuple[str, str]) -> None:
    write("a.jsonl", *steps("steps", "3-3", "5-5", 1), *steps("steps", "5-5", "3-3", 2)[:4])
    done = golpae("attribute", *own, "--each", "a.jsonl")
    assert done.out.startswith("""\
a.jsonl:1  legal  without down or dear
a.jsonl:6  incomplete  without up
steps: 2 traces, 1 of which has not ended
""")


def test_games_are_answered_one_after_the_other(golpae: Golpae, own: tuple[str, str]) -> None:
    write("a.jsonl", *won("jjak"), *steps("steps", "3-3", "5-5", 1), *won("jjak"))
    done = golpae("attribute", *own, "--format", "json", "a.jsonl")
    assert [o["game"] for o in objects(done.out)] == ["jjak", "steps", "jjak", "jjak", "steps"]
    assert [o["traces"] for o in objects(done.out)[-2:]] == [2, 1]


# ---------------------------------------------------------------- headers


def test_unknown_switches_in_a_header_are_reported_and_ignored(golpae: Golpae) -> None:
    write("a.jsonl", *won("jjak+unheard"))
    done = golpae("attribute", "a.jsonl")
    said = "1 trace names jjak+unheard (jjak has no `unheard`, so only the game counts)"
    assert f"  {said}, and is legal under jjak\n" in done.out
    assert done.status == 0


def test_the_rules_option_replaces_missing_and_unknown_rules_of_headers(golpae: Golpae) -> None:
    nameless, other = won("jjak"), won("no-such-game")
    del nameless[0]["rules"]
    write("a.jsonl", *nameless, *other)
    assert golpae("attribute", "a.jsonl").status == 2
    done = golpae("attribute", "--rules", "jjak", "a.jsonl")
    assert done.status == 0
    assert "  1 trace names no rules, and is legal under jjak\n" in done.out
    assert "  1 trace names no-such-game, and is legal under jjak\n" in done.out


# ---------------------------------------------------------------- json


def test_json_has_an_object_for_each_trace_and_game(golpae: Golpae, own: tuple[str, str]) -> None:
    write("a.jsonl", *steps("steps", "3-3", "5-5", 2), *steps("steps", "3-3", "5-5", 3))
    first, second, whole = objects(golpae("attribute", *own, "--format", "json", "a.jsonl").out)
    assert first == {
        "file": "a.jsonl",
        "line": 1,
        "id": None,
        "rules": "steps",
        "verdict": "legal",
        "event": None,
        "at": None,
        "clause": None,
        "message": None,
        "game": "steps",
        "smallest": ["steps+dear"],
        "accepting": [{"on": ["dear"], "off": ["down"]}],
        "refused": [
            {"rules": [{"on": ["down"], "off": ["up"]}], "event": 3, "at": 4, "clause": "steps.put.step"},
            {"rules": [{"on": [], "off": ["down", "dear"]}], "event": 4, "at": 5, "clause": "steps.end.pay"},
        ],
    }
    assert (second["verdict"], second["event"], second["clause"]) == ("illegal", 4, "steps.end.pay")
    assert (second["smallest"], second["accepting"]) == ([], [])
    assert {k: whole[k] for k in ("game", "traces", "incomplete", "malformed", "legal", "smallest")} == {
        "game": "steps",
        "traces": 2,
        "incomplete": 0,
        "malformed": 0,
        "legal": 1,
        "smallest": ["steps+dear"],
    }
    standings = {one["switch"]: (one["on"], one["standing"]) for one in whole["switches"]}
    assert standings == {
        "up": (False, "either"),
        "down": (False, "excluded"),
        "dear": (True, "needed"),
        "own-turn": (False, "either"),
        "no-turns": (False, "either"),
    }
    assert [(one["line"], one["at"], one["clause"]) for one in whole["illegal"]] == [(6, 10, "steps.end.pay")]
    assert whole["headers"] == [
        {"rules": "steps", "unknown": [], "traces": 2, "legal": 0, "most": 1, "smallest": ["steps+dear"]}
    ]


# ---------------------------------------------------------------- faults


def test_malformed_traces_are_reported_and_left_out(golpae: Golpae) -> None:
    write("a.jsonl", *MALFORMED, *won("jjak"))
    done = golpae("attribute", "a.jsonl")
    assert done.out.startswith("a.jsonl:1 `won`  malformed  at event 3, line 4\n  there is no tile `9-9`\n")
    assert "jjak: 1 trace\n  it is legal under jjak\n" in done.out
    assert done.out.endswith("1 trace malformed, left out\n")
    assert done.status == 2
    malformed, _, whole = objects(golpae("attribute", "--format", "json", "a.jsonl").out)
    assert (malformed["verdict"], malformed["game"], malformed["at"]) == ("malformed", "jjak", 4)
    assert "accepting" not in malformed
    assert (whole["malformed"], whole["traces"]) == (1, 1)


def test_the_faults_of_a_text_are_shown_once(golpae: Golpae, own: tuple[str, str]) -> None:
    Path("own", "steps.golpae").write_text(STEPS + "\ndefine extra: +\n", encoding="utf-8")
    write("a.jsonl", *steps("steps", "3-3", "5-5", 1), *steps("steps+up", "3-3", "5-5", 1), *won("jjak"))
    done = golpae("attribute", *own, "a.jsonl")
    assert (done.status, done.err.count("error[")) == (2, 1)
    assert done.out.startswith("jjak: 1 trace\n")
    assert done.out.endswith(
        "2 traces malformed, left out\n"
        "2 traces could not be attributed: their rules (`steps`, `steps+up`) have the faults shown above\n"
    )
    found = objects(golpae("attribute", *own, "--format", "json", "a.jsonl").out)
    assert [o.get("verdict") for o in found] == ["malformed", "malformed", "legal", None]


def test_events_after_a_refusal_by_every_rule_set_are_not_read(golpae: Golpae) -> None:
    write("a.jsonl", *DEALT_TWICE[:4], {"do": "draw", "by": 0, "tile": "9-9"}, *won("jjak"))
    done = golpae("attribute", "--format", "json", "a.jsonl")
    assert [o.get("verdict") for o in objects(done.out)] == ["illegal", "legal", None]
    assert done.status == 1


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("nowhere.jsonl",), "nowhere.jsonl"),
        (("--rules", "jak", "a.jsonl"), "there are no rules called `jak`"),
        (("--rules", "jjak+clin", "a.jsonl"), "did you mean `culin`?"),
        (("--rules", "jjak+", "a.jsonl"), "`jjak+` lacks a name"),
        (("--spec-path", "nowhere", "a.jsonl"), "there is no `nowhere`"),
        (("--format", "xml", "a.jsonl"), "`--format` must be `text` or `json`"),
        ((), "FILE is missing"),
        (("empty.jsonl",), "there is no trace to attribute"),
    ],
)
def test_a_wrong_call_gets_a_message(golpae: Golpae, words: tuple[str, ...], said: str) -> None:
    write("a.jsonl", *won("jjak"))
    Path("empty.jsonl").write_text("", encoding="utf-8")
    done = golpae("attribute", *words)
    assert said in done.err
    assert "Traceback" not in done.err
    assert done.status == 2


def test_lines_without_a_header_are_malformed(golpae: Golpae) -> None:
    done = golpae("attribute", "-", stdin=text(*won("jjak")[1:3]).encode())
    assert done.out.startswith(
        "<stdin>:1  malformed  in its header\n  there is an event before any header; a header "
    )
    assert done.status == 2


def test_a_file_that_breaks_off_is_reported(golpae: Golpae) -> None:
    whole = gzip.compress(text(*won("jjak"), *won("jjak")).encode())
    Path("a.jsonl.gz").write_bytes(whole[:-20])
    done = golpae("attribute", "a.jsonl.gz")
    assert done.status == 2
    assert "Traceback" not in done.err


def test_a_whole_process_prints_the_same_answer(here: Path) -> None:
    write("a.jsonl", *won("jjak"))
    done = run("attribute", "a.jsonl", cwd=here)
    assert done.status == 0
    assert done.out.startswith("jjak: 1 trace\n  it is legal under jjak\n")


def test_switches_that_cannot_be_combined_are_left_out(golpae: Golpae, own: tuple[str, str]) -> None:
    """Each switch is sound alone; together they add tiles to a number."""
    text = STEPS + (
        "\ndefine extra(p: seat): 0\n"
        '\nvariant more "more is paid"\n  replace payout.won: when winner is not none: '
        "for each q in players - winner: q pays winner price + extra(q)\n"
        '\nvariant shown "something else"\n  replace extra: p\'s hand\n'
    )
    Path("own", "steps.golpae").write_text(text, encoding="utf-8")
    write("a.jsonl", *steps("steps", "3-3", "5-5", 1))
    done = golpae("attribute", *own, "--format", "json", "a.jsonl")
    trace, whole = objects(done.out)
    assert trace["smallest"] == ["steps"]
    assert not any({"more", "shown"} <= set(box["on"]) for box in whole["accepting"])
    standings = {one["switch"]: one["standing"] for one in whole["switches"]}
    assert (standings["more"], standings["shown"]) == ("either", "either")
