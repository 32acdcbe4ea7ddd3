"""Effects as text: on one line, as a block, or after the `:` of a clause.

Input: effects. Output: their text. Guarantee: the text parses to equal effects; what one line cannot hold is
refused with ValueError.
"""

from __future__ import annotations

from typing import assert_never

from golpae.syntax import tree as t
from golpae.syntax.format.expressions import (
    ANY,
    POSTFIX,
    SUM,
    format_expression,
    guarded,
    needs_brackets,
    place,
    starts_with,
)
from golpae.syntax.format.lines import STEP, annotated, fits
from golpae.syntax.format.wrapping import broken
from golpae.syntax.of_all import is_it, spoken

# Names that would be read as a word of the language at the start of a line or an effect, ...
EFFECT_WORDS = "move|nobody|shuffle|cut|arrange|pass|when|for|repeat|each"
# ... between `then` and a clause's `:`, ...
THEN_WORDS = f"{EFFECT_WORDS}|yes|no|none|its"
# ... between `pays` and the payee, and after its name.
PAYEE_WORDS = "each|every"
PAY_WORDS = "and|as|at|div|else|fits|for|from|implies|in|is|lay out|mod|or|otherwise|pays|scores|then|to|wins"


def is_single(effects: tuple[t.Effect, ...]) -> bool:
    """Return whether there is one effect only, under others that hold effects, and one line can hold it."""
    if len(effects) != 1 or effects[0].remarks != t.NO_REMARKS:
        return False
    effect = effects[0]
    return _one_line_holds(effect) if isinstance(effect, t.NestingEffect) else True


def _one_line_holds(effect: t.NestingEffect) -> bool:
    """Return whether there is one effect only, without comments; with an `else`, one in each part."""
    otherwise = _else_of(effect)
    if otherwise is None:
        return is_single(effect.effects)
    return _is_simple(effect.effects) and otherwise.remarks == t.NO_REMARKS and _is_simple(otherwise.effects)


def _is_simple(effects: tuple[t.Effect, ...]) -> bool:
    """Return whether there is one effect only, which has no effects in it and no comments."""
    return is_single(effects) and not isinstance(effects[0], t.NestingEffect)


def head(effect: t.NestingEffect) -> str:
    """Return the words before the `:`, with no `:` outside brackets among them."""
    match effect:
        case t.When(test=test, effects=_, otherwise=_):
            return f"when {format_expression(test, ANY, True)}"
        case t.ForEach(name=name, domain=domain, effects=_, spoken=_):
            return f"for each {name.text} in {format_expression(domain, SUM, True)}"
        case t.Repeat(test=test, effects=_, times=_, rounds=_):
            return rounds(effect) + ("" if test is None else format_expression(test, ANY, True))
        case t.Given(values=_, effects=_):
            raise TypeError(f"no text can write this: {effect}")
        case _:
            assert_never(effect)


def rounds(effect: t.Repeat) -> str:
    """Return the words of a repetition before its test."""
    times = format_expression(effect.times, SUM, True)
    return (
        f"repeat {times} times" if effect.rounds is None else f"repeat at most {times} times {effect.rounds} "
    )


def use(group: t.Call) -> str:
    """Return the use of a group of effects, which has brackets also if it takes no values."""
    return format_expression(group, POSTFIX) if group.args else f"{group.name}()"


def _phrase(effect: t.SimpleEffect) -> tuple[str, t.Expr | None]:
    """Return the words of an effect on one line, and the expression that ends it, if one does."""
    match effect:
        case t.Move(what=what, source=source, target=target, label=label):
            moved = "all" if what is None else guarded(format_expression(what, ANY, True), "all")
            called = "" if label is None else f" as {label.text}"
            return f"move {moved} from {place(source)} to {place(target)}{called}", None
        case t.Assign(target=target, value=value):
            return f"{_subject(target)} := ", value
        case t.Wins(seat=None, over=True):
            return "the hand is over", None
        case t.Wins(seat=seat, over=_):
            return f"{'nobody' if seat is None else _subject(seat)} wins", None
        case t.Pays(payer=payer, payee=payee, amount=amount):
            paid = format_expression(amount)
            in_brackets = guarded(paid, PAY_WORDS)
            whom = guarded(format_expression(payee, POSTFIX), PAYEE_WORDS)
            if isinstance(payee, t.Name) and in_brackets.startswith("("):
                whom = f"({whom})"  # `q (1 + 2)` would be read as a call of q
            words = f"{_subject(payer)} pays {whom} "
            return (words, amount) if in_brackets == paid else (words + in_brackets, None)
        case t.Scores(seat=seat, amount=amount):
            return f"{_subject(seat)} scores ", amount
        case t.Shuffle(row=row):
            return f"shuffle {format_expression(row, POSTFIX)}", None
        case t.Cut(row=row, number=number):
            return f"cut {format_expression(row, POSTFIX)} at ", number
        case t.Arrange(row=row, tiles=tiles):
            return f"arrange {format_expression(row, POSTFIX)} as ", tiles
        case t.PassOn(zone=zone, side=side):
            return f"pass each player's {zone.text} to the {side.text}", None
        case t.Use(group=group):
            return use(group), None
        case _:
            assert_never(effect)


def _of_all(who: str, effect: t.SimpleEffect) -> str:
    """Return an effect that a `for each` carries out for all players, on one line."""
    match effect:
        case t.Assign(target=t.Possessive(name=name), value=value):
            return f"{who}'s {name} := {format_expression(value)}"
        case t.Scores(amount=amount, seat=_):
            return f"{who} scores {format_expression(amount)}"
        case t.Pays(payer=payer, payee=_, amount=amount):
            if is_it(payer):
                words, end = _phrase(effect)
                assert words.startswith("it ")
                return who + words[len("it") :] + ("" if end is None else format_expression(end))
            return f"{_subject(payer)} pays {who} {guarded(format_expression(amount), PAY_WORDS)}"
        case _:
            return f"{who} wins"


def _subject(expr: t.Expr) -> str:
    return guarded(format_expression(expr, POSTFIX), EFFECT_WORDS)


def _takes_else(effects: tuple[t.Effect, ...]) -> bool:
    """Return whether an `else` after effects on one line would belong to a `when` among them, the innermost one."""
    match effects[-1:]:
        case (t.When(test=_, effects=_, otherwise=otherwise),):
            return otherwise is None or _takes_else(otherwise.effects)
        case (
            t.ForEach(name=_, domain=_, effects=inner, spoken=_)
            | t.Repeat(times=_, rounds=_, test=_, effects=inner),
        ):
            return _takes_else(inner)
        case _:
            return False


def inline(effects: tuple[t.Effect, ...]) -> str:
    """Return effects on one line. A `;` continues the innermost effects, so only the last one may contain effects."""
    if any(isinstance(effect, t.NestingEffect) and spoken(effect) is None for effect in effects[:-1]):
        raise ValueError("effects after a `when` or `for each` on one line would be taken as its own")
    return "; ".join(map(_inline_one, effects))


def _inline_one(effect: t.Effect) -> str:
    if isinstance(effect, t.ForEach) and (of_all := spoken(effect)) is not None:
        who, only = of_all
        return _of_all(
            who + (f" {format_expression(effect.domain, SUM, True)}" if who.endswith(" in") else ""), only
        )
    if isinstance(effect, t.NestingEffect):
        line = f"{head(effect)}: {inline(effect.effects)}"
        otherwise = _else_of(effect)
        if otherwise is None:
            return line
        if _takes_else(effect.effects):
            raise ValueError(
                "an `else` after a `when` within a `when` on one line would be taken as the inner one's"
            )
        again = _else_when(otherwise)
        return f"{line} else {_inline_one(again)}" if again else f"{line} else: {inline(otherwise.effects)}"
    words, end = _phrase(effect)
    return words if end is None else words + format_expression(end)


def _else_of(effect: t.NestingEffect) -> t.Else | None:
    """Return the other part of an effect with effects, if it has one."""
    return effect.otherwise if isinstance(effect, t.When) else None


def _else_when(otherwise: t.Else) -> t.When | None:
    """Return the `when` in `else when ...`."""
    match otherwise.effects:
        case (t.When() as again,) if again.remarks == t.NO_REMARKS:
            return again
        case _:
            return None


def block(effects: tuple[t.Effect, ...], indent: str) -> list[str]:
    """Return effects as the lines of a block."""
    lines: list[str] = []
    for effect in effects:
        if isinstance(effect, t.NestingEffect):
            lines += _nesting(effect, "", indent, effect.remarks)
        else:
            lines += annotated(wrapped(effect, indent, indent), indent, remarks=effect.remarks)
    return lines


def _nesting(effect: t.NestingEffect, word: str, indent: str, remarks: t.Remarks) -> list[str]:
    """Return an effect with effects as lines, the first of which begins with `word`."""
    otherwise = _else_of(effect)
    is_short = (
        spoken(effect) is not None or not remarks.below
    )  # what is spoken has no block that a comment could end
    if _one_line_holds(effect) and is_short and not (word and otherwise):
        line = f"{indent}{word}{_inline_one(effect)}"
        if fits(line):
            return annotated([line], indent, remarks=remarks)
    if otherwise is not None and _is_simple(effect.effects) and not remarks.below:
        line = f"{indent}{word}{head(effect)}: {inline(effect.effects)}"
        if fits(line):
            return annotated([line], indent, remarks=remarks) + _else_lines(otherwise, indent)
    return opened(effect, indent + word, indent, remarks=remarks)


def opened(
    effect: t.NestingEffect,
    first: str,
    indent: str,
    ids: tuple[t.Word, ...] = (),
    remarks: t.Remarks = t.NO_REMARKS,
) -> list[str]:
    """Return an effect with effects, and its `else`, as blocks; their first line starts with `first`, with ids."""
    inner = block(effect.effects, indent + STEP)
    lines = annotated(wrapped_head(effect, first, indent), indent, ids, remarks, inner)
    return lines + _else_lines(_else_of(effect), indent)


def _else_lines(otherwise: t.Else | None, indent: str) -> list[str]:
    """Return an `else` as lines under those of its `when`."""
    if otherwise is None:
        return []
    remarks, again = otherwise.remarks, _else_when(otherwise)
    if again is not None:
        return _nesting(again, "else ", indent, remarks)
    if _is_simple(otherwise.effects) and not remarks.below:
        line = f"{indent}else: {inline(otherwise.effects)}"
        if fits(line):
            return annotated([line], indent, remarks=remarks)
    return annotated(
        [f"{indent}else"], indent, remarks=remarks, inner=block(otherwise.effects, indent + STEP)
    )


def wrapped_head(effect: t.NestingEffect, first: str, indent: str, last: str = "") -> list[str]:
    """Return the words before the `:`; if they are too wide, over lines inside brackets."""
    flat = f"{first}{head(effect)}{last}"
    deeper = indent + STEP
    match effect:
        case _ if fits(flat):
            return [flat]
        case t.When(test=test, effects=_, otherwise=_):
            return broken(test, f"{first}when (", deeper, last=f"){last}")
        case t.ForEach(name=name, domain=domain, effects=_, spoken=_):
            return broken(domain, f"{first}for each {name.text} in (", deeper, last=f"){last}")
        case t.Repeat(test=test, effects=_, times=times, rounds=_):
            if test is None:
                return broken(times, f"{first}repeat (", deeper, last=f") times{last}")
            return broken(test, f"{first}{rounds(effect)}(", deeper, last=f"){last}")
        case t.Given(values=_, effects=_):
            return [flat]
        case _:
            assert_never(effect)


def wrapped(effect: t.SimpleEffect, first: str, indent: str, last: str = "") -> list[str]:
    """Return an effect after `first`; if it is too wide, over lines inside the brackets of its expressions."""
    flat = f"{first}{_inline_one(effect)}{last}"
    if fits(flat):
        return [flat]
    deeper = indent + STEP * 2
    match effect:
        case t.Move(what=what, source=source, target=target, label=label):
            called = "" if label is None else f" as {label.text}"
            lines = [f"{first}move all"]
            if what is not None:
                lines = _broken_tiles(what, f"{first}move ", deeper)
            lines = _joined(lines, " from ", source, deeper)
            lines = _joined(lines, " to ", target, deeper, called + last)
            if what is None or all(fits(line) for line in lines):
                return lines
            places = f" from {place(source)} to {place(target)}{called}{last}"
            earlier = _broken_tiles(what, f"{first}move ", deeper, places)
            return earlier if all(fits(line) for line in earlier) else lines
        case t.Pays(amount=amount):
            whom = format_expression(effect.payee, POSTFIX)
            if isinstance(effect.payee, t.Name):
                whom = f"({whom})"  # `q (1 + 2)` would be read as a call of q
            words = f"{first}{_subject(effect.payer)} pays {whom} ("
            return broken(amount, words, deeper, last=f"){last}")
        case (
            t.Assign(target=_, value=_)
            | t.Scores(seat=_, amount=_)
            | t.Arrange(row=_, tiles=_)
            | t.Cut(row=_, number=_)
        ):
            words, value = _phrase(effect)
            assert value is not None
            return broken(value, f"{first}{words}(", deeper, last=f"){last}")
        case t.Use(group=group) if group.args:
            return broken(group, first, deeper, last=last)
        case t.Use(group=_) | t.Wins(seat=_, over=_) | t.Shuffle(row=_) | t.PassOn(zone=_, side=_):
            return [flat]
        case _:
            assert_never(effect)


def _broken_tiles(what: t.Expr, first: str, indent: str, last: str = "") -> list[str]:
    """Return the tiles of a move, over lines if they are too wide with the text after them."""
    if starts_with(format_expression(what, POSTFIX), "all"):
        return broken(what, f"{first}(", indent, last=f"){last}")
    return broken(what, first, indent, POSTFIX, last=last)


def _joined(lines: list[str], word: str, where: t.Expr, indent: str, last: str = "") -> list[str]:
    """Return lines with a place at their end, which may be broken in turn."""
    *above, end = lines
    if isinstance(where, t.RowEnd):
        return [*above, *broken(where.row, f"{end}{word}{where.end} of ", indent, POSTFIX, last=last)]
    if isinstance(where, t.RowPart):
        return [*above, f"{end}{word}{place(where)}{last}"]
    lines = broken(where, f"{end}{word}", indent, POSTFIX, last=last)
    if not fits(lines[0]) and needs_brackets(where, POSTFIX, False):
        lines = [f"{end}{word}(", *broken(where, indent, indent + STEP, last=f"){last}")]
    return [*above, *lines]


def behind_colon(effects: tuple[t.Effect, ...], first: str, indent: str) -> list[str]:
    """Return effects after the `:` of a clause that can have no block, over lines if they are too wide."""
    flat = first + inline(effects)
    if fits(flat):
        return [flat]
    lines: list[str] = []
    deeper = indent + STEP
    for number, effect in enumerate(effects, 1):
        start = indent if lines else first
        last = ";" if number < len(effects) else ""
        if isinstance(effect, t.NestingEffect):
            lines += _nesting_behind_colon(effect, start, indent)
            continue
        words, end = _phrase(effect)
        if end is None:
            lines += wrapped(effect, start, indent, last)
        else:
            lines += broken(end, start + words, deeper, last=last)
    return lines


def _nesting_behind_colon(effect: t.NestingEffect, first: str, indent: str) -> list[str]:
    """Return an effect with effects, over lines that are joined again."""
    deeper = indent + STEP
    otherwise = _else_of(effect)
    start = indent if otherwise is None else deeper
    lines = wrapped_head(effect, first, indent, ":") + behind_colon(effect.effects, start, deeper)
    if otherwise is None:
        return lines
    again = _else_when(otherwise)
    if again is not None:
        return lines + _nesting_behind_colon(again, f"{indent}else ", indent)
    return [*lines, f"{indent}else:", *behind_colon(otherwise.effects, deeper, deeper)]
