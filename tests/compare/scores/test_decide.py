"""Whether two rule sets count all hands of a score alike, whether or not a game asks for it."""

from __future__ import annotations

from pathlib import Path

import pytest

from golpae.cli.main import main as golpae
from golpae.compare.comparison import Comparison
from golpae.compare.games.compare import compare_games
from golpae.compare.games.verdict import SAME, Meaning
from golpae.compare.options import CompareOptions
from golpae.compare.scores.verdict import REFUSED, ScoreAnswer
from golpae.compare.size.compare import compare_sizes
from golpae.compare.text.diff import compare_texts
from golpae.elaborate.check import elaborate
from golpae.elaborate.load import load
from golpae.elaborate.resolve import resolve
from golpae.replay.machine_cache import Library
from golpae.replay.score_hand import Fault, Scored, score_hand
from golpae.report import comparison_words as words

TEXT = """
game counter "What a hand is worth"

players 2 to 2

tiles 12 of 4 kinds
  dots: three of each "{rank}p" for rank in 1 to 4

zones
  wall: tiles seen by nobody, holds the set
  each player's hand: tiles seen by its owner

shape pung(a, b, c): a = b and b = c
shape closed-pung(a, b, c): a = b and b = c
shape trio: pung or closed-pung
shape pair(a, b): a = b
shape low of 2: every t in it: t's rank <= 2
arrangement complete: 1 trio and 1 pair
arrangement twins: 2 pairs
arrangement lows: 2 lows
arrangement any: complete or twins
arrangement alone: 1 pair
arrangement more: any or alone

score worth "what a hand is worth"
  given
    hand: tiles
    melds: melds = {}
    drawn: yes or no = no
  provided
    few: size of melds <= 1 "too many melds"
  hand: hand
  fixed: melds
  as: any
  keep: points > 0
  total: sum
  define bonus: 3
  pattern concealed 1: melds is empty
  pattern trio bonus: trio is pung
  pattern closed 4: trio is closed-pung
  pattern pairs 2: size of pairs = 2
  pattern drawn 1: drawn

score flat "what two pairs are worth"
  given
    hand: tiles
  hand: hand
  as: lows
  keep: yes
  total: sum
  pattern ones 1: (number of t in hand: t's rank = 1) > 1

deal from wall
  hands: 3 for everyone

action stop by p "stop"
  then nobody wins

end
  due: over

"""


def comparison(tmp_path: Path, *lines: str, text: str = TEXT) -> Comparison:
    """Return what a variant with these lines changes."""
    variant = 'variant other "as others count"\n' + "".join(f"  {line}\n" for line in lines)
    (tmp_path / "counter.golpae").write_text(text + variant)
    rules = [elaborate(name, [tmp_path]) for name in ("counter", "counter+other")]
    [meaning] = compare_games([(rules[0], rules[1])], CompareOptions(cached=False))
    assert isinstance(meaning, Meaning)
    loaded = load("counter", [tmp_path])
    resolved = [resolve(name, loaded) for name in ("counter", "counter+other")]
    texts = compare_texts(resolved[0], resolved[1], lambda file: file)
    return Comparison("counter", "counter+other", ("text", "meaning", "size"), texts, meaning)


def answers(tmp_path: Path, *lines: str) -> list[ScoreAnswer]:
    """Return what comes of the scores that are not the same by syntax."""
    return list(comparison(tmp_path, *lines).score_answers())


def points(tmp_path: Path, answer: ScoreAnswer) -> tuple[object, object]:
    """Return what `golpae score` says of the hand of an answer, under both."""
    assert answer.hand is not None
    library = Library(lambda name: elaborate(name, [tmp_path]))
    found = []
    for rules in ("counter", "counter+other"):
        scored = score_hand({**answer.hand.hand, "rules": rules, "score": answer.score}, library)
        assert isinstance(scored, Scored | Fault)
        found.append(REFUSED if isinstance(scored, Fault) else scored.points)
    return found[0], found[1]


@pytest.mark.parametrize(
    "line",
    [
        "replace worth.bonus: 5",
        "replace worth.concealed: melds is not empty",
        "replace worth.closed: trio is closed-pung and melds is not empty and trio is not pung",
        "replace worth.few: size of melds <= 2 and not drawn",
        "replace worth.keep: points > 3",
        "drop worth.pairs",
        "replace worth.as: more",
    ],
)
def test_a_hand_shows_that_a_score_counts_otherwise(tmp_path: Path, line: str) -> None:
    (answer,) = answers(tmp_path, line)
    assert (answer.score, answer.verdict) == ("worth", "refuted")
    assert answer.hand is not None
    assert answer.hand.totals == points(tmp_path, answer)
    assert answer.hand.totals[0] != answer.hand.totals[1]


SEVERAL = """
score twofold "what two coins are worth in two numbers"
  given
    hand: tiles
  counts: points, doubles
  hand: hand
  as: alone
  keep: points > 0
  total: points * 2 ^ doubles
  pattern pair 4 points: yes
  pattern ones 1 doubles: every t in hand: t's rank = 1
"""


def test_the_number_that_differs_is_named(tmp_path: Path) -> None:
    text = TEXT.replace("\ndeal from wall", f"{SEVERAL}\ndeal from wall")
    found = comparison(tmp_path, "replace twofold.ones: every t in hand: t's rank = 2", text=text)
    (answer,) = found.score_answers()
    assert answer.hand is not None
    one, two = ({"points": 4, "doubles": n} for n in answer.hand.differing["doubles"])
    assert answer.hand.numbers == (one, two)
    assert set(answer.hand.totals) == {4, 8}
    assert [*answer.hand.differing] == ["doubles"]
    (line,) = (detail for _, verdict, _, detail in words.scores(found) if verdict == "refuted")
    assert "doubles 0 in" in line
    assert "points 4" not in line


@pytest.mark.parametrize(
    "line",
    [
        "replace worth.bonus: 1 + 2",
        "replace worth.concealed: not (size of melds > 0)",
        "replace worth.closed: trio is closed-pung and size of kinds of trio = 1",
        "replace worth.few: not (size of melds > 1)",
        "replace worth.keep: 1 <= points",
        "replace worth.as: twins or complete",
    ],
)
def test_a_score_that_is_only_written_otherwise_is_proved_the_same(tmp_path: Path, line: str) -> None:
    (answer,) = answers(tmp_path, line)
    assert (answer.verdict, answer.hand) == ("proved", None)


def test_what_a_value_is_worked_out_with_may_differ(tmp_path: Path) -> None:
    text = TEXT.replace(
        "    drawn: yes or no = no", "    drawn: yes or no = no\n    ones: number = ones-in(hand)"
    )
    text = text.replace("  pattern drawn 1: drawn", "  pattern drawn 1: drawn\n  pattern ones ones: ones > 0")
    text += "define ones-in(s: tiles): number of t in s: t's rank = 1\n"
    found = comparison(tmp_path, "replace ones-in: number of t in s: t's rank <= 2", text=text)
    (answer,) = found.score_answers()
    assert answer.verdict == "refuted"
    assert answer.hand is not None
    assert "ones" not in answer.hand.hand
    found = comparison(tmp_path, "replace worth.bonus: 1 + 2", text=text)
    assert [answer.verdict for answer in found.score_answers()] == ["proved"]


def test_few_hands_that_the_prover_does_not_support_are_counted_one_by_one(tmp_path: Path) -> None:
    (answer,) = answers(tmp_path, "replace flat.ones: some h of 2 in hand: h = {1p, 1p}")
    assert (answer.score, answer.verdict, answer.detail) == (
        "flat",
        "proved",
        "all hands are counted one by one",
    )
    (answer,) = answers(tmp_path, "replace flat.ones: (number of t in hand: t's rank = 1) > 2")
    assert answer.verdict == "refuted"


def test_scores_that_are_the_same_by_syntax_are_not_asked_about(tmp_path: Path) -> None:
    assert answers(tmp_path, "replace stop.then: p wins") == []


def test_the_verdict_is_not_same_if_hands_count_differently(tmp_path: Path) -> None:
    found = comparison(tmp_path, "replace worth.bonus: 5")
    assert (found.games, found.paid, found.hands) == (SAME, True, False)
    assert found.expected("same") is False
    assert found.decided


def test_the_verdict_is_same_if_hands_count_alike(tmp_path: Path) -> None:
    found = comparison(tmp_path, "replace worth.bonus: 1 + 2")
    assert (found.games, found.paid, found.hands) == (SAME, True, True)
    assert found.expected("same") is True


def test_a_score_that_a_game_asks_for_is_asked_about_if_games_are_the_same(tmp_path: Path) -> None:
    asked = TEXT.replace(
        'action stop by p "stop"\n',
        'action stop(points: number) by p "stop"\n'
        '  right: points = (worth(hand: {1p, 1p, 1p, 2p, 2p}) otherwise 0) "not {points}"\n',
    )
    same_games = comparison(tmp_path, "replace worth.pairs: size of pairs = 2 and drawn", text=asked)
    assert (same_games.games, same_games.hands) == (SAME, False)
    others = comparison(tmp_path, "replace worth.bonus: 5", text=asked)
    assert (others.games, list(others.score_answers())) == ("different", [])


def test_sizes_count_hands_of_a_score_that_no_game_asks_for(tmp_path: Path) -> None:
    comparison(tmp_path, "replace flat.ones: (number of t in hand: t's rank = 1) > 2")
    rules = [elaborate(name, [tmp_path]) for name in ("counter", "counter+other")]
    amounts = compare_sizes(rules[0], rules[1], CompareOptions(hands=200))
    assert [a.what for a in amounts if "`flat`" in a.what] == [
        "hands of 4 whose `flat` is 1 in {a} and 0 in {b}"
    ]
    comparison(tmp_path, "replace worth.bonus: 5")
    rules = [elaborate(name, [tmp_path]) for name in ("counter", "counter+other")]
    amounts = compare_sizes(rules[0], rules[1], CompareOptions(hands=200))
    assert any(a.count and "`worth`" in a.what for a in amounts)


def test_a_switch_that_changes_no_game_may_change_what_hands_count(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    comparison(tmp_path, "replace worth.bonus: 5")
    with open(tmp_path / "counter.golpae", "a") as text:
        text.write(
            '\nvariant plain "said in other words"\n  replace worth.concealed: not (size of melds > 0)\n'
        )
    told = ["compare", "counter+*", "--spec-path", str(tmp_path), "--no-cache", "--jobs", "1"]
    assert golpae([*told, "--switch", "other"]) == 0
    lines = [line.strip() for line in capsys.readouterr().out.splitlines()]
    assert lines[1:3] == ["2 players  changes no game: always", "hands count differently by `worth`: always"]
    assert golpae([*told, "--switch", "plain"]) == 0
    assert capsys.readouterr().out.splitlines()[1:] == ["  2 players  changes nothing: always"]
