"""Render a comparison as one JSON document, in fixed keys.

Input: a `Comparison`.
Output: the document, or one comparison as a value in it.
Guarantee: the document has everything that the comparison has.
"""

from __future__ import annotations

import json
from typing import Any

from golpae import __version__
from golpae.compare.comparison import Amount, Comparison
from golpae.compare.games.verdict import A_IN_B, B_IN_A, PAID, QUESTIONS, QuestionResult
from golpae.compare.scores.verdict import ScoreAnswer
from golpae.compare.text.diff import ClauseSide, Difference
from golpae.ir.ruleset import SourceRule
from golpae.report import comparison_words as words
from golpae.verify.cache import solvers
from golpae.verify.options import Settings

KEYS = {A_IN_B: "within", B_IN_A: "without", PAID: "paid"}  # key of each question


def document(c: Comparison, files: words.Files, status: int, expect: str | None, again: str) -> str:
    """Return the document. `again` is the command that repeats the comparison."""
    return json.dumps(
        {"golpae": __version__, "status": status, "again": again} | record(c, files, expect), indent=1
    )


def record(c: Comparison, files: words.Files, expect: str | None = None) -> dict[str, Any]:
    """Return one comparison as JSON."""
    named = zip((c.a, c.b), (c.text.a, c.text.b), c.text.hashes, strict=True)
    a, b = ({"name": name, "rules": rules, "spec_hash": spec_hash} for name, rules, spec_hash in named)
    return {
        "a": a,
        "b": b,
        "layers": list(c.layers),
        "at": c.at or None,
        "verdict": words.verdict(c),
        "games": c.games,
        "payments": {True: "same", False: "different", None: None}[c.paid],
        "hands": {True: "same", False: "different", None: None}[c.hands],
        "expect": expect,
        "expected": None if expect is None else c.expected(expect),
        "apart": c.incomparable,
        "meaning": _meaning(c, files),
        "size": [_amount(row, c) for row in c.size],
        "left_out": list(c.left_out),
        "text": {
            "same": c.text.same,
            "differences": [_difference(d) for d in c.text.differences],
            "sources": {number: _source(c, number) for number in c.text.sources},
            "off": [{"switch": name, "in": where} for name, where in c.text.unused],
        },
    }


def _meaning(c: Comparison, files: words.Files) -> dict[str, Any] | None:
    if c.meaning is None:
        return None
    tables = [
        {"players": table.players, "options": dict(table.options)}
        | {KEYS[which]: _answer(table.answer(which), files.get((at, which))) for which in QUESTIONS}
        | {"scores": [_score(answer) for answer in table.scores]}
        for at, table in enumerate(c.meaning.tables)
    ]
    return {
        "solvers": {name: number for name, number in solvers(Settings()).items() if number != "none"},
        "tables": tables,
        "headers": list(words.headers(c)),
        "options": [
            {"option": option.name, "low": option.low, "high": option.high, "only": _listed(option.values)}
            for option in c.meaning.options
        ],
    }


def _score(answer: ScoreAnswer) -> dict[str, Any]:
    """Return whether hands of a score count alike, with a hand that does not."""
    hand = answer.hand
    return {
        "score": answer.score,
        "verdict": answer.verdict,
        "story": answer.detail,
        "hand": None if hand is None else dict(hand.hand),
        "a": None if hand is None else hand.totals[0],
        "b": None if hand is None else hand.totals[1],
        "numbers": {} if hand is None else {name: [*both] for name, both in hand.differing.items()},
    }


def _listed(values: tuple[int, ...] | None) -> list[int] | None:
    return None if values is None else list(values)


def _answer(answer: QuestionResult, file: str | None) -> dict[str, Any]:
    game = answer.game
    return {
        "verdict": answer.verdict,
        "story": answer.detail,
        "bound": answer.bound,
        "game": None
        if game is None
        else {
            "events": game.events,
            "shortest": game.shortest,
            "refused_by": game.refused_by,
            "clause": game.clause,
            "message": game.message,
            "file": file,
            "lines": [dict(line) for line in game.lines],
        },
    }


def _amount(row: Amount, c: Comparison) -> dict[str, Any]:
    return {
        "what": words.sized(row, c),
        "count": row.count,
        "of": row.of,
        "share": row.share,
        "exact": row.exact,
        "low": row.low,
        "high": row.high,
        "seed": row.seed,
    }


def _difference(d: Difference) -> dict[str, Any]:
    return {
        "path": d.path,
        "kind": d.kind,
        "part": d.part,
        "what": d.what,
        "counts": d.counts,
        "says_otherwise": d.says_otherwise,
        "old": _side(d.old),
        "new": _side(d.new),
        "switches": {"a": d.switches[0], "b": d.switches[1]},
        "reaches": None if d.reaches is None else list(d.reaches),
    }


def _side(side: ClauseSide | None) -> dict[str, Any] | None:
    if side is None:
        return None
    return {
        "path": side.path,
        "text": side.words,
        "ids": list(side.ids),
        "file": side.file,
        "line": side.line,
        "expected": side.expected,
    }


def _source(c: Comparison, number: str) -> dict[str, Any]:
    rule = c.text.sources[number]
    if isinstance(rule, SourceRule):
        return {"source": rule.source, "section": rule.section, "gist": rule.gist}
    return {"source": number, "section": None, "gist": rule}
