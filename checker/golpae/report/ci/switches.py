"""What one switch changes, as cases of continuous integration: a suite a switch, a case a table.

Input: the changes at each table, and the family.
Output: a `Run`.
Guarantee: only what is unknown fails; what a switch changes is a note.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from golpae.diagnostics.amounts import many, options_in_words
from golpae.families.family import Family
from golpae.prove.answer import UNKNOWN
from golpae.report.ci.findings import Case, Finding, Rule, Run, run_of
from golpae.report.ci.places import TextPlaces
from golpae.report.families.switches import lines, parts
from golpae.verify.switches.of_switch import Changes


def changed_by_switches(
    rules: str,
    options: Mapping[str, int],
    found: Sequence[Changes],
    family: Family,
    status: int,
    places: TextPlaces,
) -> Run:
    """Return the run about what switches change in the rule sets that `rules` names; it ends with a status."""
    cases = [_case(rules, options, changes, family, places) for changes in found]
    bad = sum(case.fails for case in cases)
    words = f"{many(len(cases), 'table')}, {f'{bad:,} with something unknown' if bad else 'all decided'}"
    return run_of("compare", cases, status, words)


def _case(
    rules: str, options: Mapping[str, int], changes: Changes, family: Family, places: TextPlaces
) -> Case:
    switch = changes.switch
    suite, name = f"{rules}, {switch}", ", ".join([f"{changes.players} players", *options_in_words(options)])
    said = [*lines(changes, family)]
    details, own = "\n".join(said), parts(changes, family)
    short = "; ".join(f"{part.words}: {part.where}" for part in own)
    if not any((changes.less, changes.more, changes.otherwise, changes.unknown)):
        return Case(suite, name, None, details)
    finding = Finding(
        Rule(f"{family.base}/{switch}", f"what {switch} changes in {family.base}"),
        "warning" if changes.unknown else "note",
        UNKNOWN if changes.unknown else "changes",
        f"{switch}, {name}: {short}",
        places.place(family.base, f"switch {switch}"),
        details=tuple(said[len(own) :]),
        key=name,
        fails=bool(changes.unknown),
    )
    return Case(suite, name, finding, details)
