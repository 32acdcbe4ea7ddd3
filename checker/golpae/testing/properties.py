"""Properties of rule texts as tests of pytest.

Input: the items of a run.
Output: each passes if its property has the expected verdict at every table.
Guarantee: proofs that are kept beside the text are used, and what was decided before comes from golpae's cache. In one
process, all properties of a text that the run selects are decided together, as by `golpae prove`; a process of
pytest-xdist decides one at a time.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from typing import TYPE_CHECKING

import pytest

from golpae.cli.inputs import processors
from golpae.ir.ruleset import RuleSet
from golpae.report.paint import unpainted
from golpae.report.proofs_table import details
from golpae.testing.collect import Failure, RuleSetProperties, TextFile, _Item
from golpae.verify.kept_files import kept_of
from golpae.verify.options import Settings
from golpae.verify.properties import properties_of
from golpae.verify.result import PropertyResult
from golpae.verify.scheduler import Job, jobs_of, run
from golpae.verify.status import AS_EXPECTED, standings

if TYPE_CHECKING:
    from collections.abc import Sequence

Results = dict[tuple[str, str], list[PropertyResult]]  # by rule set and property
RESULTS = pytest.StashKey[Results]()
WIDTH = 100


class PropertyItem(_Item):
    """A property of a rule set."""

    parent: RuleSetProperties

    @property
    def rule_set(self) -> RuleSet:
        """The rule set."""
        return self.parent.rule_set

    def runtest(self) -> None:
        """Decide the property. Raises `Failure`."""
        text = self.parent.parent
        results = text.stash.setdefault(RESULTS, {})
        key = (self.rule_set.rules, self.name)
        if key not in results:
            if hasattr(self.config, "workerinput"):
                _decide(text, [self], results, 1)
            else:
                alike = [i for i in self.session.items if isinstance(i, PropertyItem)]
                _decide(text, [i for i in alike if i.parent.parent is text], results, processors())
        result = results[key]
        if any(standing != AS_EXPECTED for standing in standings(result)):
            named = f"{text.own.shown(text.path)}{self.rule_set.rules.removeprefix(self.rule_set.game)}"
            words = [named, *(w for place in text.own.places for w in ("--spec-path", str(place)))]
            raise Failure("\n".join(details(result, unpainted, {self.rule_set.rules: words}, WIDTH)[:-2]))


def _decide(text: TextFile, items: Sequence[PropertyItem], results: Results, processes: int) -> None:
    """Decide the properties of some items of a text."""
    asked: defaultdict[str, list[str]] = defaultdict(list)
    rule_sets = {}
    for item in items:
        asked[item.rule_set.rules].append(item.name)
        rule_sets[item.rule_set.rules] = item.rule_set
    jobs: list[Job] = []
    for rules, names in asked.items():
        rule_set = rule_sets[rules]
        whole = len(names) == len(properties_of(rule_set))
        for only in [None] if whole else names:
            jobs += jobs_of(rule_set, only=only)
    game = items[0].rule_set.game
    stored_proofs = kept_of({game: text.places}, {game: text.own.shown(text.path)}, "", sys.stderr.write)
    outcome = run(stored_proofs.with_kept(jobs), Settings(), processes)
    if outcome.interrupted:
        raise KeyboardInterrupt
    for result in outcome.results:
        results.setdefault((result.rules, result.name), []).append(result)
