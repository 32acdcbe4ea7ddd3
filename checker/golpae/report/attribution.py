"""What traces say of their rules, for people and for programs.

Input: the result of each trace (`TraceResult`) and of all traces of a game (`Attributed`).
Output: lines of text, or values to be written as JSON.
Guarantee: decides nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from golpae.attribute.corpus import Attributed, HeaderClaims, SwitchEvidence, SwitchRole
from golpae.attribute.family import Family
from golpae.attribute.multi_replay import Refused
from golpae.attribute.region import Cube, Region
from golpae.attribute.traces import TraceResult
from golpae.trace import Verdict, quoted

MOST_ANSWERS = 3  # smallest rule sets that are told switch by switch
MOST_NAMED = 10  # rule sets, traces or headers that are named one by one
MOST_BOXES = 4  # boxes of one trace that are told


def verdict(found: TraceResult) -> Verdict:
    """What can be said of a trace, some rule set being taken that accepts it."""
    if found.fault is not None:
        return Verdict.MALFORMED
    if not found.accepting:
        return Verdict.ILLEGAL
    return Verdict.LEGAL if found.ended else Verdict.INCOMPLETE


def place(found: TraceResult) -> str:
    """Where a trace begins, and its name where it has one."""
    where = f"{'<stdin>' if found.file == '-' else found.file}:{found.line}"
    return where if found.id is None else f"{where} {quoted(str(found.id))}"


# ------------------------------------------------------------------- one trace


def trace_lines(found: TraceResult) -> list[str]:
    """A trace by itself: which rule sets accept it."""
    head = f"{place(found)}  {verdict(found).value}"
    if found.fault is not None:
        event = found.fault.event
        where = f"at event {event}, line {found.fault.at}" if event else "in its header"
        return [f"{head}  {where}", f"  {found.fault.message}"]
    family = found.family
    assert family is not None
    assert found.accepting is not None
    if not found.accepting:
        last = found.furthest
        lines = [f"{head}  under every rule set"]
        return (
            lines if last is None else [*lines, f"  {_refusal(last)}", _words(last, last.region.sample, "  ")]
        )
    boxes = _boxes(family, found.accepting)
    told = "; or ".join(_box(family, box) for box in boxes[:MOST_BOXES])
    more = f"; or {len(boxes) - MOST_BOXES} more" if len(boxes) > MOST_BOXES else ""
    return [f"{head}  {told}{more}"]


def trace_json(found: TraceResult) -> dict[str, Any]:
    """A trace by itself. The keys of `golpae check` come first, and say the same."""
    last = None if found.accepting else found.furthest
    out: dict[str, Any] = {
        "file": found.file,
        "line": found.line,
        "id": found.id,
        "rules": found.claimed,
        "verdict": verdict(found).value,
        **_where(last),
    }
    family = found.family
    if found.fault is not None:
        fault = found.fault
        out |= {"event": fault.event, "at": fault.at, "message": fault.message}
    out["game"] = None if family is None else family.base
    if family is not None and found.accepting is not None:
        out["smallest"] = [family.called(rules) for rules in found.accepting.smallest()]
        out["accepting"] = _boxes_json(family, found.accepting)
        out["refused"] = [
            {"rules": _boxes_json(family, r.region), "event": r.event, "at": r.at, "clause": r.clause}
            for r in found.refused
        ]
    return out


def _boxes(family: Family, region: Region) -> tuple[Cube, ...]:
    """The boxes of a region; where they are all that is left of the universe, one that says nothing."""
    return ((0, 0),) if not family.universe.difference(region) else region.cubes


def _box(family: Family, box: Cube) -> str:
    fixed, on = box
    words = [f"with {_listed(family.on(on))}"] if on else []
    words += [f"without {_listed(family.on(fixed & ~on), 'or')}"] if fixed & ~on else []
    return ", ".join(words) or "under every rule set"


def _boxes_json(family: Family, region: Region) -> list[dict[str, list[str]]]:
    return [{"on": list(family.on(on)), "off": list(family.on(fixed & ~on))} for fixed, on in region.cubes]


# ------------------------------------------------------------------ all traces


def answer_lines(found: Attributed) -> list[str]:
    """The answer for all traces of a game."""
    family = found.family
    ended = f", {found.incomplete} of which {_have(found.incomplete)} not ended" if found.incomplete else ""
    lines = [f"{family.base}: {_traces(found.traces)}{ended}"]
    lines += [f"  {line}" for line in _answer(found)]
    told = found.smallest[:MOST_ANSWERS] if found.legal else ()
    for rules in told:
        lines.append("")
        if len(found.smallest) > 1:
            lines.append(f"  beside {family.called(rules)}:")
        lines += [f"  {line}" for line in _switches(found, rules)]
    if found.illegal:
        lines += ["", *(f"  {line}" for line in _illegal(found))]
    lines += ["", *(f"  {line}" for line in _headers(found))]
    return lines


def _answer(found: Attributed) -> Iterator[str]:
    family, legal, traces = found.family, found.legal, found.traces
    names = [family.called(rules) for rules in found.smallest]
    if not legal:
        yield "no rule set makes any of them legal" if traces > 1 else "no rule set makes it legal"
        return
    some = bool(found.smallest[0])
    if legal == traces:
        what = "it is legal" if traces == 1 else "all are legal"
        also = ", and under nothing with fewer switches on" if some else ""
    else:
        what = f"{legal} of {traces} {'is' if legal == 1 else 'are'} legal"
        also = f"; no rule set does better{', nor as well with fewer switches on' if some else ''}"
    if len(names) == 1:
        yield f"{what} under {names[0]}{also}"
        return
    yield f"{what} under each of these{also}:"
    for name in names[:MOST_NAMED]:
        yield f"  {name}"
    if len(names) > MOST_NAMED:
        yield f"  and {len(names) - MOST_NAMED} more"


def _switches(found: Attributed, rules: int) -> Iterator[str]:
    family = found.family
    decided = found.evidence[rules]
    width = max((len(d.switch) for d in decided), default=0)
    order = list(SwitchRole)
    for one in sorted(decided, key=lambda d: order.index(d.role)):
        yield f"{one.switch:{width}}  {_standing(family, one, rules)}"
        if one.refusal is not None:
            other = rules ^ family.bits([one.switch])
            yield _words(one.refusal, other, f"{'':{width}}  ")
    free = family.bits([d.switch for d in decided if d.role is SwitchRole.EITHER])
    if free.bit_count() > 1 and any(rules ^ part not in found.accepting for part in _parts(free)):
        yield "the switches that can be either way cannot be set freely together: --format json has all rule sets"


def _parts(free: int) -> Iterator[int]:
    """Some ways to set switches: all changed, and each two of them."""
    switches = [1 << n for n in range(free.bit_length()) if free >> n & 1]
    yield free
    for number, first in enumerate(switches):
        for second in switches[number + 1 :]:
            yield first | second


def _standing(family: Family, one: SwitchEvidence, rules: int) -> str:
    match one.role:
        case SwitchRole.NEEDED | SwitchRole.EXCLUDED:
            head = "needed: without it" if one.on else "not on: with it"
            if one.trace is None or one.refusal is None:
                return f"{head}, fewer traces are legal"
            return f"{head}, {place(one.trace)} is {_refusal(one.refusal)}"
        case SwitchRole.EITHER:
            return "either way: no trace decides it"
        case SwitchRole.CLASHES:
            others = [n for pair in family.clashes if one.switch in pair for n in pair if n != one.switch]
            against = [n for n in others if family.bits([n]) & rules]
            return f"not on: it cannot be together with {_listed(against, 'or')}" if against else "not on"
        case SwitchRole.CHOSEN:
            return "on, as asked"
        case SwitchRole.FAULTY:
            return "left out: its text has a fault, which `golpae lint` tells"


def _illegal(found: Attributed) -> Iterator[str]:
    left = found.traces - found.legal
    if not found.legal:
        yield "where they fail:"
    else:
        yield f"still illegal under {found.family.called(found.smallest[0])}:"
    shown = found.illegal[:MOST_NAMED]
    for trace, refusal in shown:
        rules, last, further = found.smallest[0], trace.furthest, ""
        if not trace.accepting and last is not None:
            rules, refusal, further = last.region.sample, last, "; no rule set gets further"
        yield f"  {place(trace)}  {_refusal(refusal)}{further}"
        yield _words(refusal, rules, "  ")
    if left > len(shown):
        yield f"  and {left - len(shown)} more"


def _headers(found: Attributed) -> Iterator[str]:
    for said in found.headers[:MOST_NAMED]:
        yield _said(found.family, said)
    if len(found.headers) > MOST_NAMED:
        yield f"and {len(found.headers) - MOST_NAMED} other rule sets in headers"


def _said(family: Family, said: HeaderClaims) -> str:
    """What the headers say, and how their traces compare with it."""
    one = said.traces == 1
    are = "is" if one else "are"
    who = f"{_traces(said.traces)} name{'s' * one} no rules"
    if said.claimed is not None:
        who = f"{_traces(said.traces)} say{'s' * one} {said.claimed}"
    if said.unknown:
        lacking = _listed([quoted(name) for name in said.unknown], "or")
        who = f"{who} ({family.base} has no {lacking}, so that only the game counts)"
    if not said.most:
        return f"{who}, and {are} legal under no rule set"
    if said.rules is not None and said.legal == said.traces:
        return f"{who}, and {are} legal under it"
    called = [family.called(rules) for rules in said.smallest]
    under = f"under {', '.join(called[:MOST_ANSWERS])}"
    if len(called) > 1:
        more = len(called) - MOST_ANSWERS
        under = f"{under}{f' and {more} more' if more > 0 else ''}, each by itself"
    most = "all" if said.most == said.traces else str(said.most)
    if said.rules is None:
        return f"{who}, and {are} legal {under}" if most == "all" else f"{who}, and {most} are legal {under}"
    if one:
        return f"{who}, and is illegal under it, but legal {under}"
    legal = f"{said.legal or 'none'} of them legal under it"
    if said.legal == said.most:
        return f"{who}: {legal}, and no rule set does better"
    return f"{who}: {legal}, {most} {under}"


def answer_json(found: Attributed, malformed: int) -> dict[str, Any]:
    """The answer for all traces of a game."""
    family = found.family
    return {
        "game": family.base,
        "traces": found.traces,
        "incomplete": found.incomplete,
        "malformed": malformed,
        "legal": found.legal,
        "smallest": [family.called(rules) for rules in found.smallest],
        "accepting": _boxes_json(family, found.accepting),
        "switches": [
            {
                "rules": family.called(rules),
                "switch": one.switch,
                "on": one.on,
                "standing": one.role.value,
                "by": None
                if one.trace is None
                else _by(one.trace, one.refusal, rules ^ family.bits([one.switch])),
            }
            for rules in found.smallest
            for one in found.evidence[rules]
        ],
        "illegal": [_by(trace, refusal, found.smallest[0]) for trace, refusal in found.illegal],
        "headers": [
            {
                "rules": said.claimed,
                "unknown": list(said.unknown),
                "traces": said.traces,
                "legal": None if said.rules is None else said.legal,
                "most": said.most,
                "smallest": [family.called(rules) for rules in said.smallest],
            }
            for said in found.headers
        ],
    }


def _by(trace: TraceResult, refusal: Refused | None, rules: int) -> dict[str, Any]:
    return {"file": trace.file, "line": trace.line, "id": trace.id, **_where(refusal, rules)}


def _where(refusal: Refused | None, rules: int | None = None) -> dict[str, Any]:
    if refusal is None:
        return {"event": None, "at": None, "clause": None, "message": None}
    return {
        "event": refusal.event,
        "at": refusal.at,
        "clause": refusal.clause,
        "message": refusal.words(refusal.region.sample if rules is None else rules),
    }


# ----------------------------------------------------------------------- words


def _refusal(refusal: Refused) -> str:
    if not refusal.event:
        return "refused in its header"
    return f"refused at event {refusal.event}, line {refusal.at}"


def _words(refusal: Refused, rules: int, indent: str) -> str:
    clause = "" if refusal.clause is None else f"{refusal.clause}: "
    return f"{indent}  {clause}{refusal.words(rules)}"


def _listed(words: Sequence[str], last: str = "and") -> str:
    """Several words as one says them."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"


def _traces(count: int) -> str:
    return f"{count} trace{'s' * (count != 1)}"


def _have(count: int) -> str:
    return "has" if count == 1 else "have"
