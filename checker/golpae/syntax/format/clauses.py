"""Clauses and deltas as lines.

Input: a clause, its body, or a delta. Output: its lines, with comments above and rule numbers at the end.
Guarantee: the lines parse to an equal node, except that effects which no single line can hold have no body text
in a delta (ValueError).
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import assert_never

from golpae.syntax import tree as t
from golpae.syntax.format.effects import (
    EFFECT_WORDS,
    THEN_WORDS,
    behind_colon,
    block,
    inline,
    is_single,
    opened,
    wrapped,
)
from golpae.syntax.format.expressions import (
    ANY,
    POSTFIX,
    SUM,
    format_expression,
    guarded,
    shielded,
    starts_with,
)
from golpae.syntax.format.lines import STEP, annotated, filled, fits, message, names
from golpae.syntax.format.wrapping import broken, labelled
from golpae.syntax.of_all import spoken


def format_clause(node: t.Clause, kind: str = "action") -> str:
    """Return one clause of a block with its comments, at the left edge.

    `kind` is that of its action: effects have a name and no `then` in a `payout`.
    """
    return "\n".join(clause_lines(node, "", kind))


def format_body(node: t.Body) -> str:
    """Return the text after a clause's `:` on one line, or line by line for effects that need a block."""
    match node:
        case t.Condition():
            return _moment(node) + shielded(node.expr, EFFECT_WORDS) + message(node.message)
        case t.Hands():
            return _hands(node) + message(node.message)
        case t.Effects(effects=effects):
            return inline(effects) if is_single(effects) else "\n".join(block(effects, ""))
        case t.Parts(parts=parts):
            return " ".join(joined_parts(parts))
        case t.Names(words=words):
            return names(words)
        case t.Requires(group=group):
            return f"requires {_required(group)}"
        case _:
            assert_never(node)


def clause_lines(node: t.Clause, indent: str, kind: str = "action") -> list[str]:
    """Return the lines of a clause; `kind` is that of its action."""
    if isinstance(node.body, t.Effects):
        if kind == "group":
            return _line_of_group(node, node.body.effects, indent)
        return _effect_clause(node, node.body.effects, indent, kind)
    return annotated(
        _behind(f"{indent}{node.name.text}: ", node.body, indent), indent, node.ids, node.remarks
    )


def delta_lines(node: t.Delta | t.Reword, indent: str) -> list[str]:
    """Return the lines of a delta, or the line that gives players other words."""
    if isinstance(node, t.Reword):
        return _reword_lines(node, indent)
    first = f"{indent}{node.kind} {'.'.join(word.text for word in node.path)}"
    if node.pattern is not None:
        lines = pattern_lines(node.pattern, first, indent)
    elif node.body is None:
        lines = [first if node.verdict is None else f"{first} {node.verdict}"]
    else:
        lines = _behind(f"{first}: ", node.body, indent)
    return annotated(lines, indent, node.ids, node.remarks)


def _reword_lines(node: t.Reword, indent: str) -> list[str]:
    part = {"aim": " aim", "note": " note", "told": " told as", "words": ""}[node.part]
    path = f" {'.'.join(word.text for word in node.path)}" if node.path else ""
    return annotated(
        [f"{indent}{node.kind}{path}{part}{message(node.said.text)}"], indent, node.ids, node.remarks
    )


def pattern_lines(node: t.Pattern, first: str, indent: str) -> list[str]:
    """Return a pattern after `first`, which ends with its name."""
    each = ""
    if node.each is not None:
        word, domain = node.each
        each = f" for each {word.text} in {format_expression(domain, SUM, True)}"
    mark = ", extra" if node.extra else ", alone" if node.alone else ""
    number = "" if node.number is None else f" {node.number.text}"
    value = format_expression(node.value, SUM, True) + number + each + mark
    return labelled(f"{first} {value}: ", node.test, node.message, indent)


def _behind(first: str, node: t.Body, indent: str) -> list[str]:
    """Return the lines of a body after `first`, which ends with a `:`."""
    match node:
        case t.Condition():
            return labelled(first + _moment(node), node.expr, node.message, indent, EFFECT_WORDS)
        case t.Hands():
            line = first + _hands(node)
            if fits(line + message(node.message)):
                return [line + message(node.message)]
            lines = [line] if fits(line) else _broken_hands(first, node, indent + STEP)
            return lines if node.message is None else [*lines, f'{indent}{STEP}"{node.message}"']
        case t.Effects(effects=effects):
            return behind_colon(effects, first, indent + STEP)
        case t.Parts(parts=parts):
            return filled(first, joined_parts(parts), indent + STEP)
        case t.Names(words=words):
            return [first + names(words)]
        case t.Requires(group=group):
            first = f"{first[: len(first) - len(first.lstrip())]}requires "
            return broken(group, first, indent + STEP * 2) if group.args else [first + group.name]
        case _:
            assert_never(node)


def _moment(node: t.Condition) -> str:
    """Return the words before a question: when it is asked."""
    return "afterwards " if node.afterwards else "if stated, " if node.if_stated else ""


def _required(group: t.Call) -> str:
    return format_expression(group, POSTFIX) if group.args else group.name


def format_where(node: t.Where) -> str:
    """Return a name for a value as a line with its comments, at the left edge."""
    return "\n".join(where_lines(node, ""))


def where_lines(node: t.Where, indent: str) -> list[str]:
    """Return the lines of a name for a value."""
    lines = labelled(f"{indent}where {node.name.text} is ", node.expr, None, indent)
    return annotated(lines, indent, node.ids, node.remarks)


def _hands(node: t.Hands) -> str:
    first = guarded(format_expression(node.first, ANY, True), EFFECT_WORDS)
    if node.first == node.others:
        return f"{first} for everyone"
    return f"{first} for first, {format_expression(node.others, ANY, True)} for the others"


def _broken_hands(first: str, node: t.Hands, indent: str) -> list[str]:
    """Return how many tiles the hands get, over lines."""
    deeper = indent + STEP
    guard = starts_with(format_expression(node.first, ANY, True), EFFECT_WORDS)
    start, level = (first + "(", ANY) if guard else (first, POSTFIX)
    if node.first == node.others:
        return broken(node.first, start, deeper, level, last=f"{')' * guard} for everyone")
    lines = broken(node.first, start, deeper, level, last=f"{')' * guard} for first,")
    return lines + broken(node.others, indent, deeper, POSTFIX, last=" for the others")


def joined_parts(parts: tuple[t.Part, ...]) -> list[str]:
    """Return the parts of an arrangement, each with the `and` before it."""
    first, *others = [f"{p.count} {'different ' if p.different else ''}{p.shape.text}" for p in parts]
    return [first, *(f"and {other}" for other in others)]


def _line_of_group(node: t.Clause, effects: tuple[t.Effect, ...], indent: str) -> list[str]:
    """Return a line of a group of effects: an effect as in a block, or several or with a name after the name's `:`."""
    if node.name.text != "then":
        return _effect_clause(node, effects, indent, "group")
    match effects:
        case (effect,) if not node.ids:
            return block((replace(effect, remarks=node.remarks),), indent)
        case (effect,) if not isinstance(effect, t.NestingEffect):
            return annotated(wrapped(effect, indent, indent), indent, node.ids, node.remarks)
        case _ if _are_plain(effects) and fits(line := indent + inline(effects)):
            return annotated([line], indent, node.ids, node.remarks)
        case _:
            return _effect_clause(node, effects, indent, "action")


def _are_plain(effects: tuple[t.Effect, ...]) -> bool:
    """Return whether effects hold no effects but those of all players, and have no comments."""
    return all(
        e.remarks == t.NO_REMARKS and (not isinstance(e, t.NestingEffect) or spoken(e) is not None)
        for e in effects
    )


def _effect_clause(node: t.Clause, effects: tuple[t.Effect, ...], indent: str, kind: str) -> list[str]:
    """Return a clause of effects: one line if it is one effect that fits, else a block."""
    name, deeper = node.name.text, indent + STEP
    unnamed = name == "then"
    not_after_then = re.fullmatch(THEN_WORDS, name) is not None
    # after a `:`, the use of a group reads like a condition
    only_used = len(effects) == 1 and isinstance(effects[0], t.Use)
    bare = kind == "group" or (kind == "payout" and not only_used)
    without_then = not unnamed and (bare or not_after_then)
    first = f"{indent}{name}: " if without_then else f"{indent}then " if unnamed else f"{indent}then {name}: "
    if is_single(effects) and not (node.remarks.below and isinstance(effects[0], t.NestingEffect)):
        [effect] = effects
        if not isinstance(effect, t.NestingEffect):
            lines = wrapped(effect, first, indent) if unnamed else behind_colon(effects, first, deeper)
            return annotated(lines, indent, node.ids, node.remarks)
        if fits(line := first + inline(effects)):
            return annotated([line], indent, node.ids, node.remarks)
    if not_after_then and node.ids:
        lines = behind_colon(effects, first, deeper)
        return annotated(lines, indent, node.ids, node.remarks)
    match effects:
        case (t.When() | t.ForEach() | t.Repeat() as only,) if (
            unnamed and not node.ids and only.remarks == t.NO_REMARKS
        ):
            return opened(only, f"{indent}then ", indent, node.ids, node.remarks)
        case _ if unnamed:
            start = [f"{indent}then"]
        case _ if without_then and not node.ids:
            start = [f"{indent}{name}:"]
        case _:
            start = [f"{indent}then {name}"]
    return annotated(start, indent, node.ids, node.remarks, block(effects, deeper))
