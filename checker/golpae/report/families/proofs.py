"""What holds for which rule sets of a family, as a table and as JSON. `docs/proofs.md` describes both.

Input: the results of a family at its tables. Output: text. Guarantee: each table says how many rule sets it is about.

    shells+*, 2 players: 2,048 rule sets
      few-at-most                 always  proved for all of them
      every-throw                 ends    holds unless late without quiet
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

from golpae.diagnostics.amounts import many, options_in_words
from golpae.families.family import Family
from golpae.prove.answer import PROVED, REFUTED
from golpae.verify.families.conditions import verdicts_in_words
from golpae.verify.families.results import FamilyPart, FamilyResult


def table(results: Sequence[FamilyResult], whole: bool = False) -> Iterator[str]:
    """Yield the lines of a table for each number of players; with `whole`, all games that show something."""
    for (rules, players, options), rows in groupby(
        results, lambda r: (r.rules, r.players, tuple(r.options.items()))
    ):
        own = list(rows)
        head = ", ".join([rules, f"{players} players", *options_in_words(dict(options))])
        yield f"{head}: {many(own[0].all, 'rule set')}"
        width = max(len(r.name) for r in own)
        for one in own:
            yield f"  {one.name:{width}}  {one.kind:9}  {verdict(one)}"
            yield from (f"  {'':{width}}  {'':9}  {line}" for line in more(one, whole))


def forbidden(family: Family) -> Iterator[str]:
    """Yield which combinations are no rule sets, and why."""
    for one, other in family.clashes:
        yield f"{one} with {other}, which change one clause in different ways"
    yield from (f"{one}, whose text has a fault" for one in family.faulty)


def verdict(result: FamilyResult) -> str:
    """Return the verdicts and the rule sets that they are about, in words."""
    return verdicts_in_words(result.kind, result.conditions, result.stated, result.all)


def more(result: FamilyResult, whole: bool = False) -> Iterator[str]:
    """Yield lines about a result: its shortest game, with `whole` one for each way; and what is not as expected."""
    shown = [
        (part, part.witness) for part in result.parts if part.witness is not None and part.rules is not None
    ]
    if whole:
        shown = [one for one in shown if not any(_switches(two[0]) < _switches(one[0]) for two in shown)]
    shown.sort(key=lambda one: len(one[1].events))
    for part, witness in shown if whole else shown[:1]:
        is_game = (
            witness.events or part.verdict == PROVED
        )  # games may show something before their first event
        yield f"{part.story if is_game else _values(witness.values)}: {part.rules}"
    unknown = (part.story for part in result.parts if part.verdict not in (PROVED, REFUTED))
    yield from (f"unknown: {why}" for why in dict.fromkeys(unknown))
    if result.unexpected is not None:
        yield f"not as expected: {result.unexpected}"


def _switches(part: FamilyPart) -> set[str]:
    """Return the switches of the rule set of a part's game."""
    return set((part.rules or "").split("+")[1:])


def _values(values: Sequence[tuple[str, str]]) -> str:
    return ", ".join(f"{name} = {value}" for name, value in values) or "it fails"


def to_json(results: Sequence[FamilyResult], names: Sequence[str]) -> list[dict[str, Any]]:
    """Return the results. `names` are the switches, by the numbers that cubes have."""
    return [_json(result, names) for result in results]


def _json(result: FamilyResult, names: Sequence[str]) -> dict[str, Any]:
    return {
        "rules": result.rules,
        "players": result.players,
        "options": dict(result.options),
        "name": result.name,
        "kind": result.kind,
        "ids": list(result.ids),
        "rule_sets": result.all,
        "stated": result.stated,
        "verdicts": {
            v: {"rule_sets": result.counts[v], "where": words} for v, words in result.conditions.items()
        },
        "expected": result.unexpected is None,
        "unexpected": result.unexpected,
        "parts": [
            {
                "verdict": part.verdict,
                "story": part.story,
                "where": [
                    {
                        "on": [n for i, n in enumerate(names) if fixed & on & 1 << i],
                        "off": [n for i, n in enumerate(names) if fixed & ~on & 1 << i],
                    }
                    for fixed, on in part.cubes
                ],
                "rules": part.rules,
                "shortest": part.is_shortest,
                "witness": None
                if part.witness is None
                else {"values": dict(part.witness.values), "events": list(part.witness.events)},
            }
            for part in result.parts
        ],
    }
