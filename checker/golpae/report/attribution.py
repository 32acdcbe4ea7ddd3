"""Render which rule sets traces follow, for people and for programs.

Input: the result of each trace (`TraceResult`) and of all traces of a game (`Attributed`).
Output: lines of text, or values to be written as JSON.
Guarantee: this module decides nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from golpae.attribute.corpus import Attributed, HeaderClaims, SwitchEvidence, SwitchRole
from golpae.attribute.multi_replay import RefusedTrace
from golpae.attribute.traces import TraceResult
from golpae.families.family import Family
from golpae.families.region import Cube, Region
from golpae.trace import Verdict, quoted

MOST_ANSWERS = 3  # smallest rule sets that are described switch by switch
MOST_NAMED = 10  # rule sets, traces or headers that are listed
MOST_CUBES = 4  # cubes of one trace that are described


def verdict(result: TraceResult) -> Verdict:
    """Return the verdict on a trace under a rule set that accepts it, if there is one."""
    if result.fault is not None:
        return result.fault.verdict
    if not result.accepting:
        return Verdict.ILLEGAL
    return Verdict.LEGAL if result.ended else Verdict.INCOMPLETE


def place(result: TraceResult) -> str:
    """Return the file and line at which a trace begins, with its name if it has one."""
    where = f"{'<stdin>' if result.file == '-' else result.file}:{result.line}"
    return where if result.id is None else f"{where} {quoted(str(result.id))}"


# ------------------------------------------------------------------- one trace


def trace_lines(result: TraceResult) -> list[str]:
    """Return the lines on one trace: which rule sets accept it."""
    head = f"{place(result)}  {verdict(result).value}"
    if result.fault is not None:
        event = result.fault.event
        where = f"at event {event}, line {result.fault.at}" if event else "in its header"
        return [f"{head}  {where}", f"  {result.fault.message}"]
    family = result.family
    assert family is not None
    assert result.accepting is not None
    if not result.accepting:
        last = result.furthest
        lines = [f"{head}  under every rule set"]
        return (
            lines if last is None else [*lines, f"  {_refusal(last)}", _words(last, last.region.sample, "  ")]
        )
    cubes = _cubes(family, result.accepting)
    described = "; or ".join(_cube(family, cube) for cube in cubes[:MOST_CUBES])
    more = f"; or {len(cubes) - MOST_CUBES} more" if len(cubes) > MOST_CUBES else ""
    return [f"{head}  {described}{more}"]


def trace_json(result: TraceResult) -> dict[str, Any]:
    """Return one trace as JSON. The keys of `golpae check` come first, with the same meaning."""
    last = None if result.accepting else result.furthest
    out: dict[str, Any] = {
        "file": result.file,
        "line": result.line,
        "id": result.id,
        "rules": result.claimed,
        "verdict": verdict(result).value,
        **_where(last),
    }
    family = result.family
    if result.fault is not None:
        fault = result.fault
        out |= {"event": fault.event, "at": fault.at, "message": fault.message}
    out["game"] = None if family is None else family.base
    if family is not None and result.accepting is not None:
        out["smallest"] = [family.called(switches_on) for switches_on in result.accepting.smallest()]
        out["accepting"] = _cubes_json(family, result.accepting)
        out["refused"] = [
            {"rules": _cubes_json(family, r.region), "event": r.event, "at": r.at, "clause": r.clause}
            for r in result.refused
        ]
    return out


def _cubes(family: Family, region: Region) -> tuple[Cube, ...]:
    """Return the cubes of a region; a single cube without conditions if the region is the universe."""
    return ((0, 0),) if not family.universe.difference(region) else region.cubes


def _cube(family: Family, cube: Cube) -> str:
    fixed, on = cube
    words = [f"with {_listed(family.on(on))}"] if on else []
    words += [f"without {_listed(family.on(fixed & ~on), 'or')}"] if fixed & ~on else []
    return ", ".join(words) or "under every rule set"


def _cubes_json(family: Family, region: Region) -> list[dict[str, list[str]]]:
    return [{"on": list(family.on(on)), "off": list(family.on(fixed & ~on))} for fixed, on in region.cubes]


# ------------------------------------------------------------------ all traces


def answer_lines(attributed: Attributed) -> list[str]:
    """Return the lines on all traces of a game."""
    family = attributed.family
    ended = (
        f", {attributed.incomplete} of which {_have(attributed.incomplete)} not ended"
        if attributed.incomplete
        else ""
    )
    lines = [f"{family.base}: {_traces(attributed.traces)}{ended}"]
    lines += [f"  {line}" for line in _answer(attributed)]
    detailed = attributed.smallest[:MOST_ANSWERS] if attributed.legal else ()
    for switches_on in detailed:
        lines.append("")
        if len(attributed.smallest) > 1:
            lines.append(f"  for {family.called(switches_on)}:")
        lines += [f"  {line}" for line in _switches(attributed, switches_on)]
    if attributed.illegal:
        lines += ["", *(f"  {line}" for line in _illegal(attributed))]
    lines += ["", *(f"  {line}" for line in _headers(attributed))]
    return lines


def _answer(attributed: Attributed) -> Iterator[str]:
    family, legal, traces = attributed.family, attributed.legal, attributed.traces
    names = [family.called(switches_on) for switches_on in attributed.smallest]
    if not legal:
        yield "no rule set makes any of them legal" if traces > 1 else "no rule set makes it legal"
        return
    some = bool(attributed.smallest[0])
    if legal == traces:
        what = "it is legal" if traces == 1 else "all are legal"
        also = (
            f"; no rule set with fewer switches accepts {'it' if traces == 1 else 'them all'}" if some else ""
        )
    else:
        what = f"{legal} of {traces} {'is' if legal == 1 else 'are'} legal"
        also = f"; no rule set does better{', and none with fewer switches does as well' if some else ''}"
    if len(names) == 1:
        yield f"{what} under {names[0]}{also}"
        return
    yield f"{what} under each of these{also}:"
    for name in names[:MOST_NAMED]:
        yield f"  {name}"
    if len(names) > MOST_NAMED:
        yield f"  and {len(names) - MOST_NAMED} more"


def _switches(attributed: Attributed, switches_on: int) -> Iterator[str]:
    family = attributed.family
    decided = attributed.evidence[switches_on]
    width = max((len(d.switch) for d in decided), default=0)
    order = list(SwitchRole)
    for one in sorted(decided, key=lambda d: order.index(d.role)):
        yield f"{one.switch:{width}}  {_role_of(family, one, switches_on)}"
        if one.refusal is not None:
            other = switches_on ^ family.bits([one.switch])
            yield _words(one.refusal, other, f"{'':{width}}  ")
    free = family.bits([d.switch for d in decided if d.role is SwitchRole.EITHER])
    if free.bit_count() > 1 and any(switches_on ^ part not in attributed.accepting for part in _parts(free)):
        yield "not every combination of the either-way switches is accepted; --format json lists all rule sets"


def _parts(free: int) -> Iterator[int]:
    """Yield some ways to change switches: all of them, and each two of them."""
    switches = [1 << n for n in range(free.bit_length()) if free >> n & 1]
    yield free
    for number, first in enumerate(switches):
        for second in switches[number + 1 :]:
            yield first | second


def _role_of(family: Family, one: SwitchEvidence, switches_on: int) -> str:
    match one.role:
        case SwitchRole.NEEDED | SwitchRole.EXCLUDED:
            head = "needed: without it" if one.on else "ruled out: with it"
            if one.trace is None or one.refusal is None:
                return f"{head}, fewer traces are legal"
            return f"{head}, {place(one.trace)} is {_refusal(one.refusal)}"
        case SwitchRole.EITHER:
            return "either way: no trace decides it"
        case SwitchRole.CLASHES:
            others = [n for pair in family.clashes if one.switch in pair for n in pair if n != one.switch]
            against = [n for n in others if family.bits([n]) & switches_on]
            return (
                f"ruled out: it cannot be combined with {_listed(against, 'or')}" if against else "ruled out"
            )
        case SwitchRole.CHOSEN:
            return "on: `--rules` names it"
        case SwitchRole.FAULTY:
            return "left out: its text has a fault (see `golpae lint`)"


def _illegal(attributed: Attributed) -> Iterator[str]:
    left = attributed.traces - attributed.legal
    if not attributed.legal:
        yield "where they fail:"
    else:
        yield f"still not legal under {attributed.family.called(attributed.smallest[0])}:"
    shown = attributed.illegal[:MOST_NAMED]
    for trace, refusal in shown:
        switches_on, last, further = attributed.smallest[0], trace.furthest, ""
        if not trace.accepting and last is not None:
            switches_on, refusal, further = last.region.sample, last, "; no rule set gets further"
        yield f"  {place(trace)}  {_refusal(refusal)}{further}"
        yield _words(refusal, switches_on, "  ")
    if left > len(shown):
        yield f"  and {left - len(shown)} more"


def _headers(attributed: Attributed) -> Iterator[str]:
    for claims in attributed.headers[:MOST_NAMED]:
        yield _header(attributed.family, claims)
    if len(attributed.headers) > MOST_NAMED:
        yield f"and {len(attributed.headers) - MOST_NAMED} other rule sets in headers"


def _header(family: Family, claims: HeaderClaims) -> str:
    """Return the claims of the headers in words, and how their traces compare with them."""
    one = claims.traces == 1
    are = "is" if one else "are"
    who = f"{_traces(claims.traces)} name{'s' * one} no rules"
    if claims.claimed is not None:
        who = f"{_traces(claims.traces)} name{'s' * one} {claims.claimed}"
    if claims.unknown:
        lacking = _listed([quoted(name) for name in claims.unknown], "or")
        who = f"{who} ({family.base} has no {lacking}, so only the game counts)"
    if not claims.most:
        return f"{who}, and {are} legal under no rule set"
    if claims.switches_on is not None and claims.legal == claims.traces:
        return f"{who}, and {are} legal under it"
    called = [family.called(switches_on) for switches_on in claims.smallest]
    more = len(called) - MOST_ANSWERS
    under = f"under {_listed([*called[:MOST_ANSWERS], *([f'{more} more'] if more > 0 else [])], 'or')}"
    most = "all" if claims.most == claims.traces else str(claims.most)
    if claims.switches_on is None:
        return f"{who}, and {are} legal {under}" if most == "all" else f"{who}, and {most} are legal {under}"
    if one:
        return f"{who}: not legal under it, but legal {under}"
    legal = f"{claims.legal or 'none'} legal under it"
    if claims.legal == claims.most:
        return f"{who}: {legal}, and no rule set does better"
    return f"{who}: {legal}, {most} legal {under}"


def answer_json(attributed: Attributed, malformed: int, unseen: int) -> dict[str, Any]:
    """Return the answer for all traces of a game as JSON."""
    family = attributed.family
    return {
        "game": family.base,
        "traces": attributed.traces,
        "incomplete": attributed.incomplete,
        "malformed": malformed,
        "unseen": unseen,
        "legal": attributed.legal,
        "smallest": [family.called(switches_on) for switches_on in attributed.smallest],
        "accepting": _cubes_json(family, attributed.accepting),
        "switches": [
            {
                "rules": family.called(switches_on),
                "switch": one.switch,
                "on": one.on,
                "standing": one.role.value,
                "by": None
                if one.trace is None
                else _by(one.trace, one.refusal, switches_on ^ family.bits([one.switch])),
            }
            for switches_on in attributed.smallest
            for one in attributed.evidence[switches_on]
        ],
        "illegal": [_by(trace, refusal, attributed.smallest[0]) for trace, refusal in attributed.illegal],
        "headers": [
            {
                "rules": claims.claimed,
                "unknown": list(claims.unknown),
                "traces": claims.traces,
                "legal": None if claims.switches_on is None else claims.legal,
                "most": claims.most,
                "smallest": [family.called(switches_on) for switches_on in claims.smallest],
            }
            for claims in attributed.headers
        ],
    }


def _by(trace: TraceResult, refusal: RefusedTrace | None, switches_on: int) -> dict[str, Any]:
    return {"file": trace.file, "line": trace.line, "id": trace.id, **_where(refusal, switches_on)}


def _where(refusal: RefusedTrace | None, switches_on: int | None = None) -> dict[str, Any]:
    if refusal is None:
        return {"event": None, "at": None, "clause": None, "message": None}
    return {
        "event": refusal.event,
        "at": refusal.at,
        "clause": refusal.clause,
        "message": refusal.words(refusal.region.sample if switches_on is None else switches_on),
    }


# ----------------------------------------------------------------------- words


def _refusal(refusal: RefusedTrace) -> str:
    if not refusal.event:
        return "refused in its header"
    return f"refused at event {refusal.event}, line {refusal.at}"


def _words(refusal: RefusedTrace, switches_on: int, indent: str) -> str:
    clause = "" if refusal.clause is None else f"{refusal.clause}: "
    return f"{indent}  {clause}{refusal.words(switches_on)}"


def _listed(words: Sequence[str], last: str = "and") -> str:
    """Return several words joined as in a sentence."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"


def _traces(count: int) -> str:
    return f"{count} trace{'s' * (count != 1)}"


def _have(count: int) -> str:
    return "has" if count == 1 else "have"
