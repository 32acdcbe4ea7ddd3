"""Habits of writers that the grammar refuses far from their cause: a forgotten word, a word of another language.

Input: the place where the parser stopped, and the terminals that it could have taken.
Output: a `Diagnostic` at the cause, or None if no habit is recognised.
Guarantee: a text that parses never gets here; the advice uses the author's own words if they are short.
"""

from __future__ import annotations

import re

from golpae.diagnostics import Diagnostic, Span, Text
from golpae.syntax.habits import (
    blocks,
    cases,
    effects,
    loops,
    named_values,
    parts,
    rounds,
    rows,
    subjects,
    values,
)
from golpae.syntax.habits.places import LOOK, WORD, is_closed

HABITS = (
    named_values.name_for_a_value,
    named_values.only_one,
    named_values.required_group,
    named_values.called_group,
    named_values.condition_without_name,
    subjects.with_article,
    subjects.each_team,
    subjects.place_of,
    subjects.several_sizes,
    subjects.named_and_not,
    parts.replaced_size,
    effects.without_then,
    effects.else_of_no_when,
    effects.if_or_else,
    effects.colon_after_then,
    effects.amount,
    effects.end_of_hand,
    effects.joined_by_and,
    effects.number_of_tiles,
    rows.place_of_row,
    rows.end_of_row,
    rows.some_of_row,
    rows.cut,
    cases.other_row,
    cases.after_rounding,
    loops.several_players,
    loops.others,
    rounds.repetition,
    rounds.very_next,
    rounds.asked_in_turn,
    values.stated,
    values.owner_by_of,
    values.trailing_comma,
    values.owner_by_dot,
    values.quantified_member,
    values.other_quantifier,
    values.quantifier_alone,
    values.several_values,
    values.is_for_equals,
    values.is_in,
    values.fold_without_of,
    values.sum_of_bag,
    values.quoted_word,
    values.contains,
    values.words_of_choice,
    values.choice,
    parts.in_variant,
    parts.empty_brackets,
    parts.kind_of_words,
    cases.colon_in_line,
    cases.if_as_case,
    parts.owners,
    parts.bag_of_kind,
    parts.drawn,
    parts.wild,
    parts.players_line,
    parts.sizes_of_shape,
    parts.head_of_part,
    parts.tiles,
    parts.viewer,
    parts.hands,
)


def habit(text: Text, characters: str, span: Span, expected: set[str]) -> Diagnostic | None:
    """Return the habit that explains why the words of `span` are unexpected, or None. `characters` are the text with
    its lines joined.
    """
    for recognised in HABITS:
        diagnostic = recognised(text, span, expected)
        if diagnostic is not None:
            return diagnostic
    return blocks.continued(text, characters, span, expected) or effects.condition_of_effect(
        text, span, expected
    )


def at_line_end(words: str, expected: set[str]) -> tuple[str, str] | None:
    """Return message and advice about an incomplete line, up to its end, or None."""
    words = words[-LOOK:]
    if words.rstrip().endswith(","):
        return "nothing follows this comma", "leave it out, or go on in the same line"
    if (asked := rounds.without_order(words)) is not None:
        return asked
    if words.rstrip().endswith(":"):
        return blocks.nothing_follows(words)
    paid = re.search(rf"\bpays\s+((?:{WORD}'s\s+)*{WORD})\s+\((.*)\)\Z", words)
    if paid is not None and is_closed(paid[2]):
        return "this line does not say how much", f"leave the brackets out: `pays {paid[1]} {paid[2]}`"
    if re.fullmatch(r"state(?:\s+of(?:\s+the)?)?", words):
        return "a state lasts for a hand or for the match", parts.STATES
    return (
        parts.players(words)
        or parts.listed_range(words, expected)
        or parts.pattern_without_range(words)
        or parts.hands_without_end(words)
    )
