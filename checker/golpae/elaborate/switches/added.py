"""Parts that switches add to a text: whole declarations, and patterns of scores.

Input: the declarations of a text and the parts of a switch that is on. Output: the text with these parts.
Guarantee: the parts of the text keep their order, and those of switches come after them; no name is looked up.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from golpae.diagnostics import Diagnostic, Label, Span, SpecError
from golpae.syntax import tree as t


def names_added(variant: t.Variant) -> Iterator[str]:
    """Yield the name of everything that a switch declares; of the number of players and of tiles their words."""
    for part in variant.parts:
        match part:
            case t.Players():
                yield "players"
            case t.Tiles():
                yield "tiles"
                yield from (group.name.text for group in part.groups)
            case t.Zones(zones=zones):
                yield from (zone.name.text for zone in zones)
            case t.State(vars=variables):
                yield from (var.name.text for var in variables)
            case _:
                yield part.name.text


def with_parts(decls: list[t.Decl], active: Sequence[t.Variant]) -> None:
    """Add the parts of the switches that are on. Raises `SpecError`."""
    counting = [v for v in active if any(isinstance(p, t.Tiles) for p in v.parts)]
    numbers: dict[int, tuple[t.Variant, t.Players]] = {}
    for variant in active:
        for part in variant.parts:
            if isinstance(part, t.Players):
                _set_players(decls, variant, part, numbers)
            elif isinstance(part, t.Tiles):
                _add_tiles(decls, part, counted=len(counting) == 1)
            elif isinstance(part, t.Zones | t.State):
                decls.append(part)
            else:
                decls.append(replace(part, ids=part.ids or variant.ids))


def _set_players(
    decls: list[t.Decl],
    variant: t.Variant,
    part: t.Players,
    numbers: dict[int, tuple[t.Variant, t.Players]],
) -> None:
    """Put a number of players in the place of that of the text. Two switches may say the same number."""
    first = numbers.setdefault(0, (variant, part))
    if (first[1].low, first[1].high) != (part.low, part.high) or (
        first[0] is variant and first[1] is not part
    ):
        names = f"`{first[0].name.text}` and `{variant.name.text}` both change"
        message = (
            f"{names} the number of players" if first[0] is not variant else "this is a second `players`"
        )
        place, before = (Span(p.span.text, p.span.start, p.span.start + 7) for p in (part, first[1]))
        label = Label(before, "changed here" if first[0] is not variant else "the first one")
        advice = "leave one of them out, or write a variant for both together"
        raise SpecError([Diagnostic("R003", message, place, advice, (label,))])
    part = replace(part, ids=part.ids or variant.ids)
    at = next((i for i, d in enumerate(decls) if isinstance(d, t.Players)), None)
    if at is None:
        decls.append(part)
    else:
        decls[at] = part


def _add_tiles(decls: list[t.Decl], part: t.Tiles, counted: bool) -> None:
    """Add groups of tiles to the set. Its counts are those of the switch, if no other switch that is on adds tiles."""
    at = next((i for i, d in enumerate(decls) if isinstance(d, t.Tiles)), None)
    if at is None:
        decls.append(part)
        return
    old = decls[at]
    assert isinstance(old, t.Tiles)
    for word, before, now in (
        ("withdrawn", old.withdrawn, part.withdrawn),
        ("wild", old.wild, part.wild),
        ("wild-as", old.wild_as, part.wild_as),
        ("drawn", old.drawn, part.drawn),
    ):
        if before is not None and now is not None:
            span = Span(now.span.text, now.span.start, now.span.start + len(word))
            advice = "keep one of the two" if word == "drawn" else f"write `replace tiles.{word}: ...`"
            label = Label(before.span, "the first one")
            raise SpecError(
                [Diagnostic("R004", f"the tiles of the game have `{word}` already", span, advice, (label,))]
            )
    written = old.written or part.written
    if old.written is not None and part.written is not None:
        patterns = tuple(dict.fromkeys((*old.written.patterns, *part.written.patterns)))
        written = replace(old.written, patterns=patterns)
    decls[at] = replace(
        old,
        count=part.count if counted else None,
        kinds=part.kinds if counted else None,
        groups=(*old.groups, *part.groups),
        written=written,
        withdrawn=old.withdrawn or part.withdrawn,
        wild=old.wild or part.wild,
        wild_as=old.wild_as or part.wild_as,
        drawn=old.drawn or part.drawn,
    )


def with_pattern(block: t.Decl | None, delta: t.Delta, ids: tuple[t.Word, ...]) -> t.Score:
    """Return a score with the pattern that a delta adds. Raises `SpecError`."""
    assert delta.pattern is not None
    path = ".".join(word.text for word in delta.path)
    span = delta.path[0].span.to(delta.path[-1].span)
    if not isinstance(block, t.Score) or len(delta.path) != 2:
        message = f"`{path}` cannot be a pattern: only a score has patterns"
        advice = "write `add SCORE.NAME 3: ...`, or leave the number out"
        raise SpecError([Diagnostic("R005", message, span, advice)])
    lines: tuple[t.Pattern | t.ScoreDefine | t.ScoreField | t.GivenParam | t.Clause, ...]
    lines = (*block.patterns, *block.defines, *block.fields, *block.given, *block.provided)
    name = delta.path[-1].text
    same = next((line for line in lines if line.name.text == name), None)
    if same is not None:
        label = Label(same.name.span, "the first one")
        advice = "write `replace`, or give the new pattern another name"
        raise SpecError([Diagnostic("R004", f"`{path}` already exists", span, advice, (label,))])
    return replace(block, patterns=(*block.patterns, replace(delta.pattern, ids=ids, remarks=delta.remarks)))
