"""The table of findings, and the story of one."""

from __future__ import annotations

from golpae.diagnostics.colour import split
from golpae.prove.answer import Witness
from golpae.report.paint import painted, unpainted
from golpae.report.proofs_table import details, table
from golpae.verify.result import PropertyResult
from tests.verify.made_up import GAME, finding

FOUND = [
    finding(kind="theorem", name="each-has-a-mate", players=0, ids=("P1",)),
    finding(players=2),
    finding(players=3),
    finding("refuted", name="claimed", kind="claim", expected="refuted", story="it fails"),
    finding(
        "refuted",
        name="stays",
        ids=("P2", "P3"),
        story="a game of 2 events",
        witness=Witness((("p", "P0"),), GAME),
        seed=1,
        options={"dealt": 2},
    ),
    finding("unknown", name="ends", kind="ends", story="induction gave no answer: time", rules="put+more"),
    finding(vacuous="nobody can ever `put`", rules="put+more", name="after-put"),
]

SHOWN = """\
  property         kind     verdict  players  secs  ids    how
put (dealt 2)
  each-has-a-mate  theorem  proved   all       0.2  P1     by 12 steps
  holds            always   proved   2–3       0.5         by 12 steps
  claimed          claim    refuted  2         0.2         it fails
! stays            always   refuted  2         0.2  P2 P3  a game of 2 events
put+more
? ends             ends     unknown  2         0.2         induction gave no answer: time
! after-put        always   proved   2         0.2         by 12 steps

put, 2 players, dealt 2: always stays  [P2 P3]
  refuted, but proved is expected
  how: a game of 2 events
  shown by: p = P0
  shown by a game of 2 events:
    1. {"do":"deal","first":0,"hands":[["1-1","2-2"],["3-3","4-4"]]}
    2. {"do":"put","by":0,"tile":"1-1"}
  again: golpae prove put stays --players 2 --option dealt=2 --seed 1 --no-cache

put+more, 2 players: ends ends
  unknown, but proved is expected
  how: induction gave no answer: time
  again: golpae prove put+more ends --players 2 --spec-path 'my rules' --no-cache

put+more, 2 players: always after-put
  proved, but vacuous
  how: by 12 steps
  vacuous: nobody can ever `put`
  again: golpae prove put+more after-put --players 2 --spec-path 'my rules' --no-cache

6 results on 2 rule sets: 3 proved, 2 refuted, 1 unknown; 2 not as expected, 1 vacuous, 1 undecided
"""
AGAIN = {"put+more": ["put+more", "--spec-path", "my rules"]}


def test_the_table_shows_every_kind_of_result() -> None:
    assert "\n".join(table(FOUND, unpainted, AGAIN, 100)) + "\n" == SHOWN


def test_colour_changes_no_text_of_the_table() -> None:
    lines = ["".join(split(line)) for line in table(FOUND, painted, AGAIN, 100)]
    assert "  claimed          claim    \x1b[32mrefuted\x1b[0m  2         0.2         it fails" in lines
    assert any("\x1b[31mrefuted\x1b[0m" in line for line in lines)
    assert any("\x1b[33munknown\x1b[0m" in line for line in lines)
    bare = "\n".join(lines)
    for colour in ("31m", "32m", "33m", "0m"):
        bare = bare.replace(f"\x1b[{colour}", "")
    assert bare + "\n" == SHOWN


def test_rows_are_never_wider_than_the_page() -> None:
    found = [
        finding(name="a-name-that-goes-on-and-on-and-on-for-ever", story="word " * 40),
        finding(name="short", ids=tuple(f"P{i}" for i in range(20)), story="word " * 40),
        finding("refuted", name="fails", story="word " * 60, witness=Witness((), GAME * 30)),
    ]
    for width in (90, 100, 140):
        lines = table(found, unpainted, {}, width)
        assert max(map(len, lines)) <= max(width, len(lines[-1]))
        assert any("…" in line for line in lines)


def test_a_long_game_is_cut_in_the_middle() -> None:
    lines = table([finding("refuted", witness=Witness((), GAME * 30))], unpainted, {}, 100)
    at = lines.index("    ...")
    assert lines[at - 1].startswith("    10. ")
    assert lines[at + 1].startswith("    59. ")
    assert lines[at + 2].startswith("    60. ")


def test_control_characters_are_never_printed() -> None:
    lines = table([finding("refuted", story="\x1b[2J\nx", vacuous="\x07")], unpainted, {}, 100)
    assert all(line.isprintable() for line in lines)


def test_a_table_without_results_is_one_line() -> None:
    assert table([], unpainted, {}, 100) == ["0 results on 0 rule sets"]


def test_the_details_of_a_result_hold_all_of_its_parts() -> None:
    one = finding(
        ids=("P1",),
        clauses=("put.held", "put.turn"),
        lemmas=("a hand has 2 tiles", "the other"),
        bound=5,
        checked="agrees",
        confirmed=3,
        kept=True,
        solvers={"z3": "1.2", "cvc5": "3.4"},
    )
    assert (
        story_of(one)
        == """\
put, 2 players: always holds  [P1]
  proved, as expected
  how: by 12 steps
  bound: 5
  clauses: put.held, put.turn
  rests on 2 invariants: a hand has 2 tiles; the other
  second solver: agrees; 3 questions answered alike
  solver: 3 questions in 0.2 s, from the cache; z3 1.2, cvc5 3.4
  text: 5555555555555555555555555555555555555555555555555555555555555555
  again: golpae prove put holds --players 2 --no-cache

1 result on 1 rule set: 1 proved; all as expected
"""
    )


def test_a_second_solver_without_an_answer_is_marked() -> None:
    lines = table([finding(checked="no answer to 2 questions", confirmed=1)], unpainted, {}, 100)
    assert "! holds" in lines[2]
    assert "  second solver: no answer to 2 questions; 1 question answered alike" in lines
    assert lines[-1].endswith("1 proved; 1 without an answer from the second solver")


def story_of(found: PropertyResult) -> str:
    return "\n".join(details([found], unpainted, {}, 100)) + "\n"


def test_values_of_an_option_with_equal_results_share_a_row() -> None:
    found = [
        finding(
            "proved" if dealt != 3 else "refuted",
            players=0,
            options={"dealt": dealt},
            story=f"with {dealt} tiles",
            kind="theorem",
        )
        for dealt in (2, 3, 4, 5)
    ]
    lines = table(found, unpainted, {}, 100)
    assert lines[1:4] == [
        "put (dealt 2–5)",
        "  holds     theorem  proved   all       0.8       dealt 2, 4–5: with 2–5 tiles",
        "! holds     theorem  refuted  all       0.2       dealt 3: with 3 tiles",
    ]
    told = details(found, unpainted, {}, 100)
    assert told[0] == "put, any number of players, dealt 2, 4–5: theorem holds"
    assert "  decided separately for each of 3 values of dealt" in told
    assert "  again: golpae prove put holds --option dealt=all --no-cache" in told
    assert "  again: golpae prove put holds --option dealt=3 --no-cache" in told


def test_a_witness_is_shown_with_its_own_details() -> None:
    found = [
        finding("refuted", options={"dealt": n}, story=f"t = {n}-1", witness=Witness((("t", f"{n}-1"),)))
        for n in (2, 3)
    ]
    told = details(found, unpainted, {}, 100)
    assert "  how: t = 2-1" in told
    assert "  shown by (2 players, dealt 2): t = 2-1" in told


def test_a_theorem_has_one_row_for_all_its_methods_of_proof() -> None:
    found = [
        finding(kind="theorem", players=2, story="by mate, pair", clauses=("mate", "pair")),
        finding(kind="theorem", players=3, story="computed for the whole set"),
    ]
    assert (
        table(found, unpainted, {}, 100)[2]
        == "  holds     theorem  proved   2–3       0.5       by mate, pair"
    )
