"""What hands are worth is learned from hands with their points."""

from __future__ import annotations

from dataclasses import replace

import pytest

from golpae.elaborate.check import check
from golpae.elaborate.load import load_text
from golpae.elaborate.resolve import resolve
from golpae.learn.asked import parsed
from golpae.learn.edits import Edit
from golpae.learn.hands.answer import points_learned
from golpae.learn.hands.candidates import edits
from golpae.learn.hands.pruned import pruned
from golpae.learn.hands.reading import sound
from golpae.learn.hands.slices import scoring
from golpae.learn.hands.vain import Differs, in_vain
from golpae.learn.superposed import with_decl
from golpae.learn.text import flat
from golpae.mutate.judge import silent
from golpae.mutate.recorded import Hand
from golpae.syntax import tree as t
from tests.learning.couples import TEXT, couples, couples_with, given
from tests.learning.scored import scored, switchless, worths

HANDS = 40

LEARNED = {
    "hidden-alone": "replace worth.self-drawn: not shown and drawn",
    "dear": "add worth.one-group 4 spots: every t in hand: t in a-tiles",
    "high": "replace most: 6",
    "doubled": "replace worth.total: (the smaller of most and spots) * 2",
}


@pytest.mark.parametrize("switch", LEARNED)
def test_a_variant_that_was_taken_out_is_found(switch: str) -> None:
    loaded = couples()
    hands = scored(loaded, switch, given(), HANDS, 1)
    answer = points_learned(switchless(loaded), "couples", hands)
    assert answer.hands == len(hands) == HANDS
    assert answer.wrong
    assert answer.best is not None
    assert not answer.best.wrong
    assert answer.best.variant is not None
    assert LEARNED[switch] in " ".join(answer.best.variant.split())
    new = scored(loaded, switch, given(), HANDS, 2)
    base, _, _ = TEXT.partition("\nvariant ")
    rules = check(resolve("couples+learned", load_text(f"{base}\n\n{answer.best.variant}")))
    assert worths(rules, new) == [hand.worth for hand in new]


CHANGED = {
    "two edits": (
        "define low: 3\ndefine high: 10",
        "if drawn then spots * low else spots * high",
        "  replace low: 8\n  replace high: 40",
        "replace low: 8 replace high: 40",
    ),
    "one of two equal numbers": (
        "define rate(d: yes or no): if d then 3 else 3",
        "spots * rate(drawn)",
        "  replace rate: if d then 3 else 7",
        "replace rate: if d then 3 else 7",
    ),
    "points that are taken away": (
        "  pattern fee -1 spots: drawn and shown",
        "spots",
        "  replace worth.fee: drawn or shown",
        "replace worth.fee: drawn or shown",
    ),
    "a total that falls": (
        "  pattern fee 1 spots: drawn and shown",
        "10 - spots",
        "  replace worth.fee: drawn or shown",
        "replace worth.fee: drawn or shown",
    ),
    "another test and other points": (
        "",
        "spots",
        "  drop worth.one-group\n  add worth.one-group 4 spots: every t in hand: t in b-tiles",
        "drop worth.one-group add worth.one-group 4 spots: no t in hand: t in a-tiles",
    ),
}


@pytest.mark.parametrize("name", CHANGED)
def test_what_was_changed_is_found(name: str) -> None:
    lines, total, variant, learned = CHANGED[name]
    loaded = couples_with(lines, total, variant)
    hands = scored(loaded, "changed", given(), 20, 1)
    best = points_learned(switchless(loaded), "couples", hands).best
    assert best is not None
    assert best.variant is not None
    _, _, said = " ".join(best.variant.split()).partition('have it" ')
    assert (said or best.variant.partition('have them"')[2]).split() == learned.split()
    assert not best.wrong


def test_the_same_edits_in_another_order_are_no_other_answer() -> None:
    lines, total, variant, _ = CHANGED["two edits"]
    loaded = couples_with(lines, total, variant)
    answer = points_learned(switchless(loaded), "couples", scored(loaded, "changed", given(), 20, 1))
    assert answer.best is not None
    every = [frozenset(one.said) for one in (answer.best, *answer.others)]
    assert len(set(every)) == len(every)


def test_edits_with_the_same_words_are_numbered() -> None:
    text = TEXT.replace(
        "arrangement two-couples: 2 couples", "arrangement two-couples: 1 couple and 2 couples"
    )
    start = switchless(load_text(text))
    said = [edit.said for edit in edits(start, [], []) if edit.place == "two-couples"]
    assert len(set(said)) == len(said)
    assert {"different parts", "different parts (2)"} <= {*said}


def test_only_points_that_cannot_fall_make_another_test_vain() -> None:
    start = switchless(couples())
    at, score = next((at, d) for at, d in enumerate(start.decls) if isinstance(d, t.Score))
    drawn = score.patterns[1]
    other = replace(drawn, test=t.Truth(score.span, False))
    patterns = (score.patterns[0], other, *score.patterns[2:])
    cut = with_decl(start, at, replace(score, patterns=patterns))
    much, little = Differs(4, 2, ("couples",)), Differs(2, 4, ("couples",))
    assert in_vain(score, cut, [much])
    assert not in_vain(score, cut, [much, Differs(4, 2, ("self-drawn",))])
    assert not in_vain(score, cut, [much, little])
    assert not in_vain(score, cut, [])
    for total, vain in (
        ("sum", True),
        ("unimplied", False),
        ("10 - spots", False),
        ("most + 2 * spots", True),
    ):
        expr = parsed(total)
        assert expr is not None
        field = replace(score.fields[-1], expr=expr)
        assert score.fields[-1].name.text == "total"
        other_total = replace(score, fields=(*score.fields[:-1], field))
        assert in_vain(other_total, cut, [much]) == vain
    less = replace(score.patterns[0], value=t.Number(score.span, -1))
    assert not in_vain(replace(score, patterns=(less, *score.patterns[1:])), cut, [much])


def test_an_edit_that_another_one_undid_is_taken_out() -> None:
    start = switchless(couples())
    at, score = next((at, d) for at, d in enumerate(start.decls) if isinstance(d, t.Score))
    once = replace(score, patterns=(*score.patterns[:2], *score.patterns[:1], *score.patterns[3:]))
    twice = replace(once, brings=(t.Brings(score.span, score.name, (score.name,), ()),))
    back = replace(twice, patterns=score.patterns)
    every = [Edit(with_decl(start, at, one), "worth", str(n), 1) for n, one in enumerate((once, twice, back))]
    made, text = pruned(start, every, lambda _: False)
    assert [edit.said for edit in made] == ["1"]
    assert text.decls[at] == back
    assert pruned(start, every[:2], lambda _: True)[0] == (every[0],)


def test_hands_that_cannot_be_scored_are_left_out() -> None:
    loaded = switchless(couples_with("", "spots", "  drop worth.small"))
    given_hand = ["1a", "1a", "2a", "2a"]
    hands = [
        Hand("good", {"rules": "couples+nosuch", "hand": given_hand}, 3),
        Hand("misspelt", {"rules": "couples", "hnad": given_hand}, 3),
        Hand("refused", {"rules": "couples", "hnad": given_hand}, "refused"),
        Hand("forbidden", {"rules": "couples", "hand": ["1a"] * 40}, 3),
        Hand("other", {"rules": "others", "hand": given_hand}, 3),
    ]
    good, left_out = sound(loaded, "couples", hands)
    assert [hand.name for hand in good] == ["good", "refused", "forbidden"]
    other, unscored = sorted(left_out.items(), key=lambda one: one[1], reverse=True)
    assert other == ("of another game", ["other"])
    assert unscored[1] == ["misspelt"]
    assert "unknown key `hnad`" in unscored[0]


def test_a_hand_without_the_tile_that_completes_it_is_left_out() -> None:
    text = TEXT.replace("    hand: tiles\n", "    hand: tiles\n    last: tile\n")
    loaded = load_text(text.replace("  hand: hand\n", "  hand: hand + last\n"))
    hand = Hand("open", {"rules": "couples", "hand": ["1a", "1a", "2a"]}, 3)
    whole = Hand("whole", {**hand.given, "last": "2a"}, 3)
    good, left_out = sound(loaded, "couples", [hand, whole])
    assert good == [whole]
    assert left_out == {"which cannot be scored (it lacks `last`, the tile that completes it)": ["open"]}


def test_hands_of_the_text_teach_nothing() -> None:
    hands = scored(couples(), "", given(), HANDS, 1)
    answer = points_learned(couples(), "couples", hands)
    assert (answer.wrong, answer.best) == ((), None)


def test_a_hand_that_was_recorded_wrongly_hides_no_rule() -> None:
    hands = scored(couples(), "high", given(), HANDS, 1)
    cheap = next(number for number, hand in enumerate(hands) if hand.worth == 1)
    hands[cheap] = Hand("wrong", hands[cheap].given, 77)
    answer = points_learned(switchless(couples()), "couples", hands)
    assert answer.best is not None
    assert answer.best.said == (("most", "5 -> 6"),)
    assert [number for number, _ in answer.best.wrong] == [cheap]


def test_what_scores_hands_stands_alone_and_scores_them_alike() -> None:
    text = silent(flat(switchless(couples()), "couples"))
    alone = scoring(text)
    assert len(alone.decls) < len(text.decls)
    hands = scored(couples(), "", given(), HANDS, 1)
    assert worths(check(resolve("couples", alone)), hands) == [hand.worth for hand in hands]
