"""A prover that goes by the names of properties, and findings to show.

`is-refuted` is refuted, `is-unknown` unknown; at `is-fatal` the process dies, at `is-a-fault` it raises, at
`is-disputed` two solvers disagree; `is-slow` takes a minute, `is-slow-to-check` if something is kept, `is-
large` more and more memory. Names that begin with `shares-` need invariants, which it looks for for a minute,
unless they are lost. `is-tight` needs half of its effort, and with seed 2 all of it. With 7 random games it
begins with the last property.
"""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from golpae.ir.ruleset import RuleSet
from golpae.prove.answer import Witness
from golpae.verify.options import Settings
from golpae.verify.properties import properties_of
from golpae.verify.result import Listener, PropertyResult

GAME: tuple[dict[str, Any], ...] = (
    {"do": "deal", "first": 0, "hands": [["1-1", "2-2"], ["3-3", "4-4"]]},
    {"do": "put", "by": 0, "tile": "1-1"},
)


def finding(verdict: str = "proved", **other: Any) -> PropertyResult:
    """Return a result about the rules `put`, with some fields given."""
    fields: dict[str, Any] = {
        "rules": "put",
        "players": 2,
        "options": {},
        "kind": "always",
        "name": "holds",
        "ids": (),
        "verdict": verdict,
        "expected": "proved",
        "story": "by 12 steps",
        "clauses": (),
        "lemmas": (),
        "witness": None,
        "bound": None,
        "vacuous": None,
        "queries": 3,
        "seconds": 0.25,
        "seed": None,
        "spec_hash": "5" * 64,
        "solvers": {"z3": "1.2"},
    }
    return PropertyResult(**fields | other)


def verify(
    rule_set: RuleSet,
    players: int,
    options: Mapping[str, int],
    settings: Settings,
    only: str | None,
    listener: Listener,
) -> list[PropertyResult]:
    """Return for each property the verdict in its name. Record each call in a file, one a line."""
    with Path("calls").open("a", encoding="utf-8") as calls:
        calls.write(f"{rule_set.rules} {players} {only}\n")
    out = []
    properties = properties_of(rule_set)
    for prop in reversed(properties) if settings.games == 7 else properties:
        if only not in (None, prop.name):
            continue
        listener.on_begin(prop.name)
        match prop.name:
            case "is-fatal":
                os._exit(77)
            case "is-a-fault":
                raise ValueError("no such thing")
            case "is-disputed":
                from golpae.prove.solving.solver import SolverDisagreement

                raise SolverDisagreement("about this")
            case "is-slow":
                time.sleep(60)
            case "is-slow-to-check" if settings.kept is not None:
                time.sleep(60)
            case "is-large":
                hoard = [bytearray(10_000_000)]
                while True:
                    hoard.append(bytearray(b"1" * 10_000_000))
        if prop.name.startswith("shares-") and not settings.lost:
            assert listener.on_search is not None
            listener.on_search("invariants")
            time.sleep(60)
        verdict = prop.name.removeprefix("is-") if prop.name in ("is-refuted", "is-unknown") else "proved"
        lost = dict(settings.lost) if prop.name.startswith("shares-") else {}
        if lost or (prop.name == "is-tight" and settings.solver_seed == 2):
            verdict = "unknown"
        shown = Witness((("p", "P0"),), GAME) if verdict == "refuted" else None
        out.append(
            finding(
                verdict,
                rules=rule_set.rules,
                players=players,
                options=dict(options),
                kind=prop.kind,
                name=prop.name,
                ids=prop.ids,
                expected=prop.expected or "proved",
                witness=shown,
                fullest=(0.5, "a step") if prop.name == "is-tight" else (0.1, "another"),
                story=lost.get("invariants", "by 12 steps"),
                spec_hash=rule_set.spec_hash,
                seed=settings.seed if shown else None,
            )
        )
        listener.on_result(out[-1])
    return out


def calls() -> list[str]:
    """Return the calls of `verify` since the last call of this function."""
    file = Path("calls")
    found = sorted(file.read_text(encoding="utf-8").splitlines()) if file.exists() else []
    file.unlink(missing_ok=True)
    return found
