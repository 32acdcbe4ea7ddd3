"""A value of one kind where another is needed: what to say of it, and what to do about it.

In: the author's words, their type and the type needed. Out: a message and advice.

    `p's hand` where a number is needed  ->  "`p's hand` are tiles, and a number is needed here",
                                             "count them: `size of p's hand`"
"""

from __future__ import annotations

from golpae.ir.types import TILE, Bag, Bool, Choice, Int, Meld, NoneType, Opt, Patterns, Type, spoken


def mismatch(words: str, found: Type, wanted: Type) -> tuple[str, str]:
    """The message and the advice for `words`."""
    needed = f"{_needed(wanted)} {_be(wanted)} needed here"
    if isinstance(found, NoneType):
        return f"{needed}, and `none` is nothing", "only what is declared with `or none` can be none"
    return f"`{words}` {_be(found)} {kind_of(found)}, and {needed}", _advice(words, found, wanted)


def kind_of(kind: Type) -> str:
    """How a message calls a kind of value; the words of a choice stand in backticks."""
    match kind:
        case Choice(words):
            return f"one of {', '.join(f'`{word}`' for word in words)}"
        case Opt(item):
            return f"{kind_of(item)} or none"
        case _:
            return spoken(kind)


def _needed(kind: Type) -> str:
    return "a condition" if isinstance(kind, Bool) else kind_of(kind)


def _be(kind: Type) -> str:
    several = isinstance(kind, Patterns) or (
        isinstance(kind, Bag) and not isinstance(kind.item, Bag | Choice)
    )
    return "are" if several else "is"


def _advice(words: str, found: Type, wanted: Type) -> str:
    match found, wanted:
        case Bag() | Meld(), Bool():
            return f"ask `{words} is not empty`"
        case Opt(), Bool():
            return f"ask `{words} is not none`"
        case Int(), Bool():
            return f"compare it: `{words} = 1`"
        case _, Bool():
            return f"compare it: `{words} = ...`"
        case Bag() | Meld(), Int():
            return f"count them: `size of {words}`"
        case Bag(item), _ if item == wanted:
            return f"choose from them: `some x in {words}: ...`"
        case Meld(), _ if wanted == TILE:
            return f"choose from it: `some t in {words}: ...`"
        case _, Bag(item) if item == found:
            return f"put it in braces: `{{{words}}}`"
        case _:
            return f"write {_needed(wanted)} here"
