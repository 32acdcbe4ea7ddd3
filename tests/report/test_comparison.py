"""How a comparison is shown: to people, on a page, for programs."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from golpae.compare.comparison import Amount, Comparison
from golpae.compare.games.verdict import (
    BOUNDED,
    PROVED,
    REFUTED,
    AtTable,
    Meaning,
    QuestionResult,
    WitnessGame,
)
from golpae.compare.text.diff import ClauseSide, Difference, TextComparison
from golpae.diagnostics.colour import split
from golpae.diagnostics.markdown import code, escaped
from golpae.ir.ruleset import SourceRule
from golpae.report import comparison_words as words
from golpae.report.comparison import table
from golpae.report.comparison_json import document
from golpae.report.comparison_page import page
from golpae.report.paint import painted, unpainted

RULES, STATED, SOURCES = "rules", "stated", "sources"


def side(text: str, *ids: str, path: str = "take.turn", expected: str | None = None) -> ClauseSide:
    bare = re.sub(r' "[^"]*"$', "", text)
    return ClauseSide(path, text, bare, ids, "small.golpae", 7, expected)


def texts(*differences: Difference, unused: tuple[tuple[str, str], ...] = ()) -> TextComparison:
    sources: dict[str, SourceRule | str] = {
        "S1": SourceRule("S1", "900", "Play", "one takes a tile"),
        "900": "The game",
    }
    return TextComparison("small", "small+open", ("0" * 64, "1" * 64), differences, sources, unused)


def comparison(*differences: Difference, **more: Any) -> Comparison:
    unused = more.pop("unused", ())
    return Comparison(
        "small", "small+open", more.pop("layers", ("text",)), texts(*differences, unused=unused), **more
    )


TURN = Difference(
    "take.turn",
    "replaced",
    RULES,
    "condition",
    side('turn: p = mover "not you"', "S1"),
    side('turn: yes "not you"', "900"),
    switches=(None, "open"),
)


REFUTED_NOW = side("", expected="refuted")


def shown(c: Comparison, width: int = 100) -> str:
    return "\n".join(table(c, {}, unpainted, width))


def test_a_clause_is_shown_in_both_texts_with_its_sources() -> None:
    assert shown(comparison(TURN)) == (
        "small and small+open differ in 1 clause\n"
        "\n"
        "text: 1 replaced\n"
        "  replaced: take.turn [S1 900]  by open\n"
        "    - turn: p = mover\n"
        "    + turn: yes\n"
        "\n"
        "sources\n"
        "  S1  source 900, Play: one takes a tile\n"
        "  900  The game"
    )


def test_different_messages_of_a_clause_are_shown() -> None:
    said = Difference(
        "take.turn", "reworded", RULES, "condition",
        side('turn: yes "no"'), side('turn: yes "wait"'), says_otherwise=True,
    )  # fmt: skip
    assert '  reworded: take.turn\n    - turn: yes "no"\n    + turn: yes "wait"' in shown(comparison(said))


def test_each_kind_of_difference_has_its_words() -> None:
    found = shown(
        comparison(
            Difference("mate.same", "dropped", RULES, "case", side("same: a = b"), None, reaches=("take.fit",)),
            Difference("mate.none", "added", RULES, "case", None, side("none: no"), reaches=()),
            Difference("take", "reordered", RULES, "effects", side("then x := 1\nthen y := x"), side("...")),
            Difference("a.b", "renamed", RULES, "condition", side("b: yes"), side("c: yes", path="a.c")),
            Difference("a.d", "recited", RULES, "condition", side("d: yes"), side("d: yes", "S1")),
            Difference("a.e", "recited", RULES, "condition", side("e: yes"), side("e: yes", "S1")),
            Difference("stays", "expected", STATED, "always", side("", expected="proved"), REFUTED_NOW),
            Difference("holds", "added", STATED, "always", None, side("always holds: yes")),
            Difference("S1", "reworded", SOURCES, "rule", side("old"), side("new")),
            Difference("S2", "added", SOURCES, "rule", None, side("new")),
            Difference("S3", "dropped", SOURCES, "rule", side("old"), None),
            unused=(("late", "b"), ("row", "both"), ("slow", "a")),
        )
    )  # fmt: skip
    assert found == (
        "small and small+open differ in 3 clauses\n"
        "\n"
        "text: 1 added, 1 dropped, 1 reordered, 1 renamed, 2 with different rule numbers\n"
        "  dropped: mate.same  used by take.fit\n"
        "    - same: a = b\n"
        "  added: mate.none\n"
        "    + none: no\n"
        "  reordered: take\n"
        "    - then x := 1\n"
        "    - then y := x\n"
        "    + ...\n"
        "  renamed: a.b to a.c\n"
        "  different rule numbers: a.d, a.e\n"
        "\n"
        "properties\n"
        "  different expected verdict: stays, refuted instead of proved\n"
        "  added: holds\n"
        "    + always holds: yes\n"
        "\n"
        "sources that differ: S3 only in small; S2 only in small+open; S1 reworded\n"
        "\n"
        "switches off in both: late (only in small+open), row (differs), slow (only in small)"
    )


def test_a_long_block_that_only_one_text_has_is_cut() -> None:
    block = "\n".join(["action take", *(f"  c{i}: yes" for i in range(20))])
    found = shown(comparison(Difference("take", "added", RULES, "action", None, side(block))))
    assert "    +   c6: yes\n    + ... 13 more lines" in found
    assert "c7" not in found


def test_many_uses_are_counted() -> None:
    reaches = tuple(f"take.c{i}" for i in range(30))
    found = shown(
        comparison(Difference("mate", "added", RULES, "definition", None, side("x"), reaches=reaches))
    )
    assert "take.c7 and 22 more" in " ".join(found.split())


@pytest.mark.parametrize("width", [40, 80, 100])
def test_no_line_is_wider_than_the_page(width: int) -> None:
    long = side("long: " + " and ".join(f"word{i} in hand" for i in range(30)), "S1")
    for c in (comparison(Difference("a.long", "replaced", RULES, "condition", long, long)), told()):
        assert all(len(line) <= width for line in shown(c, width).splitlines())


def test_verdicts_and_sides_have_their_colours() -> None:
    found = "".join(split("\n".join(table(comparison(TURN), {}, painted, 100))))
    assert "\x1b[31m    - turn: p = mover\x1b[0m" in found
    assert "\x1b[32m    + turn: yes\x1b[0m" in found
    assert "\x1b[1msmall and small+open differ" in found
    assert re.sub(r"\x1b\[\d*m", "", found) == shown(comparison(TURN))


# ------------------------------------------------------------------ games


def game(events: int, clause: str = "small.take.turn") -> WitnessGame:
    lines: list[Mapping[str, Any]] = [{"golpae": 1, "rules": "small", "players": ["An", "Bo"]}]
    lines += [{"do": "take", "by": i % 2, "tile": f"{i}-{i}"} for i in range(events)]
    return WitnessGame(tuple(lines), "small", clause, "not you", False)


def told() -> Comparison:
    """Return a comparison whose tables differ, with a game at two of them."""
    proved = QuestionResult(PROVED, "by 3 clauses")
    bounded = QuestionResult(BOUNDED, "no proof", bound=4)
    tables = (
        AtTable(2, {}, proved, QuestionResult(REFUTED, "a game of 20 events", game(20)), bounded),
        AtTable(3, {}, proved, QuestionResult(REFUTED, "a game of 20 events", game(20)), bounded),
        AtTable(4, {}, proved, QuestionResult(REFUTED, "a game of 2 events", game(2)), proved),
    )  # fmt: skip
    return comparison(TURN, layers=("text", "meaning"), meaning=Meaning("small", "small+open", tables))


def test_numbers_of_players_with_equal_results_share_a_line() -> None:
    lines = shown(told()).splitlines()
    assert "  small+open allows all games of small: proved, 2–4 players" in lines
    assert "  small allows all games of small+open: refuted, 2–3 players" in lines
    assert "  small allows all games of small+open: refuted, 4 players" in lines
    assert "  payments are the same in all games that both allow: bounded 4, 2–3 players" in lines


def test_the_shortest_game_is_shown() -> None:
    found = shown(told())
    assert found.count("allows this game") == 1
    assert (
        "  small+open allows this game, small does not (4 players, 2 events):\n"
        "    1. An take 0-0\n"
        "    2. Bo take 1-1\n"
        "    small refuses event 2 by small.take.turn: not you\n"
    ) in found


def test_the_middle_of_a_long_game_is_left_out() -> None:
    held = QuestionResult(REFUTED, "a game of 20 events", game(20))
    proved = QuestionResult(PROVED, "")
    meaning = Meaning("small", "small+open", (AtTable(2, {}, held, proved, proved),))
    found = shown(comparison(TURN, layers=("meaning",), meaning=meaning))
    assert "    9. An take 8-8\n    ...\n    18. Bo take 17-17\n" in found
    assert "text:" not in found


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ({"do": "end", "winner": None, "pay": [1, -1]}, "end winner none, pay 1 -1"),
        ({"do": "turn", "tile": "3-3"}, "turn tile 3-3"),
        ({"do": "take", "by": 1, "tile": "3-3", "note": "x"}, "Bo take 3-3"),
        ({"do": "take", "by": 7, "tile": "3-3"}, "take tile 3-3"),
        ({"do": "show", "by": 0, "sets": [["1-1"], ["2-2", "3-3"]], "count": 2}, "An show sets 1-1 | 2-2 3-3, count 2"),
        ({"do": "pass", "by": 0}, "An pass"),
        ({"do": "say", "by": 0, "yes": True}, "An say yes"),
        ({"do": "put", "by": 0, "tiles": []}, "An put nothing"),
        ({"do": "a\x1b[2J\nb"}, "a [2J b"),
    ],
)  # fmt: skip
def test_an_event_is_shown_in_words(line: dict[str, Any], said: str) -> None:
    assert words.event(line, ["An", "Bo"]) == said


# ------------------------------------------------------------------ size


@pytest.mark.parametrize(
    ("row", "said"),
    [
        (Amount("x", 3, 12), "3 of 12 (25.0%)"),
        (Amount("x", 0, 12), "0 of 12 (0%)"),
        (Amount("x", 0, 0), "0 of 0 (0%)"),
        (Amount("x", 12, 12), "12 of 12 (100%)"),
        (Amount("x", 1, 1_000_000), "1 of 1,000,000 (0.0001%)"),
        (Amount("x", 999_999, 1_000_000), "999,999 of 1,000,000 (99.9999%)"),
        (Amount("x", 50, 1000, 0.0, 0.064, 3), "5.0%, 0% to 6.4% (n = 1,000, seed 3)"),
    ],
)
def test_an_amount_is_shown_with_share_interval_and_seed(row: Amount, said: str) -> None:
    assert words.amount(row) == said


def test_amounts_name_the_compared_rule_sets() -> None:
    rows = (Amount("hands that only {a} has, of {a} and {b}", 1, 2), Amount("braces {c} and {{b}}", 1, 2))
    c = replace(comparison(size=rows, layers=("size",)), a="one {b}", b="other")
    said = ["hands that only one {b} has, of one {b} and other", "braces {c} and {other}"]
    assert [words.sized(row, c) for row in rows] == said
    assert f"  {said[0]}: 1 of 2 (50.0%)" in shown(c)
    assert [row["what"] for row in json.loads(document(c, {}, 0, None, "x"))["size"]] == said
    assert f"| {said[0]} | 1 of 2 (50.0%) |" in page(c, {}, "x")


# ------------------------------------------------------------------ pages and programs


def test_a_page_escapes_markup() -> None:
    odd = Difference("a_b.c*", "added", RULES, "condition", None, side("c: yes ```x``` |y|", "S1"))
    lines = page(comparison(odd), {}, "golpae compare `a`")
    assert "- added: a\\_b.c\\*" in lines
    assert "  ````diff" in lines
    assert lines[-1] == "Made by `` golpae compare `a` ``."
    assert "  - S1: source 900, Play: one takes a tile" in lines


def test_a_page_calls_nobody_and_links_nowhere() -> None:
    words = "@team http://x www.x HTTPS://x ![a](b) <b> $a$ ~~a~~ a@b \u202e\x1b"
    shown = escaped(words)
    assert "@<!-- -->team" in shown
    assert not re.search(r"@\w|:(<!-- -->)?//(?!x)|:/|www\.", shown)
    assert not re.search(r"(?<!\\)[\[\]$~]|<(?!!-- -->)(?<!\\<)", shown)
    assert shown.isprintable()
    assert html_of(shown).split() == words[:-3].split()
    assert code("a\n`b`") == "`` a `b` ``"


def html_of(escaped_text: str) -> str:
    """Return what a reader sees of escaped text."""
    return re.sub(r"\\(.)", r"\1", escaped_text.replace("<!-- -->", ""))


def test_a_page_has_a_table_of_answers() -> None:
    lines = page(told(), {(2, "b_in_a"): "games/x.jsonl"}, "golpae compare small open")
    assert "| small+open allows all games of small | proved | 2–4 players | by 3 clauses |" in lines
    assert "Written to `games/x.jsonl`." in lines


def test_a_document_has_every_table_and_game() -> None:
    found = json.loads(document(told(), {(2, "b_in_a"): "x.jsonl"}, 0, "wider", "golpae compare"))
    assert [t["players"] for t in found["meaning"]["tables"]] == [2, 3, 4]
    assert found["meaning"]["tables"][0]["paid"]["bound"] == 4
    assert found["meaning"]["tables"][2]["without"]["game"]["file"] == "x.jsonl"
    assert found["meaning"]["tables"][0]["without"]["game"]["file"] is None
    assert len(found["meaning"]["tables"][0]["without"]["game"]["lines"]) == 21
    assert (found["games"], found["payments"], found["expected"]) == ("wider", None, True)
    assert found["text"]["sources"]["S1"] == {"source": "900", "section": "Play", "gist": "one takes a tile"}
    assert found["text"]["sources"]["900"] == {"source": "900", "section": None, "gist": "The game"}
