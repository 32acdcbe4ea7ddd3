"""Caches between runs: one entry never stands for two meanings.

Input: a text. Output: findings and counts.
Guarantee: a rule set that went through the cache is the one that its text has now, also after a change of the text;
tables that differ have entries of their own; and theorems that share an entry have the same verdict. The tables are
those of the text, with and without switches, and of the text with other labels.
"""

from __future__ import annotations

import os
import random
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from golpae.compare.games import cache as comparisons
from golpae.diagnostics import SpecError
from golpae.elaborate.cache import elaborate_cached
from golpae.elaborate.instance import Instance, bounds, instantiate, options_of, values_of
from golpae.ir.ruleset import RuleSet
from golpae.verify import cache as results
from golpae.verify.analysis import Analysis
from golpae.verify.deciders.theorem import decide_theorem
from golpae.verify.options import Settings
from golpae.verify.sharing import theorems
from tests.differential.against_judge import Say
from tests.differential.texts import RuleText, random_text

SETTINGS = Settings(most=4_000_000, megabytes=1_000, cached=False)
LABEL = re.compile(r"(?<= as )[a-z-]+(?=$|[;\n])", re.MULTILINE)
MOST_TABLES = 12


def check_caches(text: RuleText, say: Say) -> None:
    """Check that no entry of a cache stands for two meanings."""
    _rule_sets(text, say)
    _tables(text, say)


@contextmanager
def own_cache() -> Iterator[Path]:
    """Use a cache of its own, in a new folder."""
    before = os.environ.get("GOLPAE_CACHE")
    with TemporaryDirectory() as folder:
        os.environ["GOLPAE_CACHE"] = os.path.join(folder, "cache")
        try:
            yield Path(folder)
        finally:
            os.environ.pop("GOLPAE_CACHE")
            if before is not None:
                os.environ["GOLPAE_CACHE"] = before


def _rule_sets(text: RuleText, say: Say) -> None:
    """Elaborate a text twice, and another one of the same name after it."""
    other = random_text(text.seed + 1)
    changed = RuleText(text.name, other.source.replace(f"game {other.name} ", f"game {text.name} ", 1))
    with own_cache() as folder:
        for one, when in ((text, "fresh"), (text, "again"), (changed, "after a change of the text")):
            (folder / f"{text.name}.golpae").write_text(one.source, encoding="utf-8")
            kept, rules = elaborate_cached(text.name, [folder]), one.rule_set()
            if replace(kept, spec_hash=rules.spec_hash) != rules:
                say("cache-rules", f"another rule set, {when}", [])


def _tables(text: RuleText, say: Say) -> None:
    """Compare the entries of all tables of a text and of what it is with other labels."""
    meanings: dict[str, object] = {}
    verdicts: dict[tuple[str, str], str] = {}
    for rules in _variants(text):
        for instance in _instances(rules):
            table = (instance.players, dict(instance.options))
            own = (results.meaning_of(rules), *table)
            names = [
                results.Entry(rules, *table, SETTINGS).name,
                comparisons.name_of(rules, rules, *table, SETTINGS),
            ]
            for name in names:
                if meanings.setdefault(name, own) != own:
                    say(
                        "cache-results",
                        f"{name}: {rules.rules} at {table} has the entry of another table",
                        [],
                    )
            _theorems(instance, verdicts, say)


def _variants(text: RuleText) -> Iterator[RuleSet]:
    rng = random.Random(text.seed)
    labels = sorted({*LABEL.findall(text.source)})
    names = sorted({*re.findall(r"^shape ([a-z-]+)", text.source, re.MULTILINE)})
    relabelled = [LABEL.sub(rng.choice(names), text.source)] if labels and names else []
    for source in (text.source, *relabelled):
        one = RuleText(text.name, f"{source}\n{_asked_of_tables(text)}")
        for switches in ((), *((s,) for s in text.switches)):
            try:
                yield one.rule_set(*switches)
            except SpecError:
                continue


def _asked_of_tables(text: RuleText) -> str:
    """Return theorems that hold at some tables of a text and not at others."""
    rules = text.rule_set()
    lines = ["theorem asks-players: size of players = 2", "theorem asks-set: size of tiles = 4"]
    lines += [f"theorem asks-{o.name}: {o.name} = {values_of(rules, o.name)[0]}" for o in rules.options]
    return "\n".join(lines) + "\n"


def _instances(rules: RuleSet) -> Iterator[Instance]:
    options: list[Mapping[str, int]] = [{}]
    for option in rules.options:
        options += [{option.name: value} for value in values_of(rules, option.name)]
    count = 0
    for given in options:
        low, high = bounds(rules, options_of(rules, given))
        for players in range(low, high + 1):
            count += 1
            if count <= MOST_TABLES:
                yield instantiate(rules, players, given)


def _theorems(instance: Instance, verdicts: dict[tuple[str, str], str], say: Say) -> None:
    """Prove the theorems of a table without a cache; those with the same entry have the same verdict."""
    analysis = Analysis(instance, SETTINGS)
    for prop in instance.rule_set.properties:
        if prop.kind not in ("theorem", "claim") or not analysis.is_static(prop.expr):
            continue
        name = theorems.name_of(prop, None, instance, SETTINGS)
        verdict = decide_theorem(analysis, prop).verdict
        other = verdicts.setdefault((name, prop.name), verdict)
        if other != verdict:
            say("cache-theorem", f"{prop.name}: {other}, and {verdict} for {instance.players} players", [])
