"""Caches between runs: one entry never stands for two meanings.

Input: a text. Output: findings and counts.
Guarantee: a rule set that went through the cache is the one that its text has now, also after a change of the text;
tables that differ have entries of their own; and theorems that share an entry have the same verdict. The tables are
those of the text, with and without switches, and of the text with other labels. Kept proofs that are shared say the
same as without a cache, of the text and of what it is if its scores count otherwise. What is asked about single actions
under one name are the same formulas, of the text, with a switch, and if its scores count otherwise.
"""

from __future__ import annotations

import os
import random
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import asdict, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from golpae.compare.games import cache as comparisons
from golpae.diagnostics import SpecError
from golpae.elaborate.cache import elaborate_cached
from golpae.elaborate.instance import Instance, bounds, instantiate, options_of, values_of
from golpae.ir.limits import TooManySteps
from golpae.ir.ruleset import RuleSet, form_of
from golpae.prove.solving.solver import LimitReached
from golpae.prove.symbolic.terms import Unsupported
from golpae.verify import cache as results
from golpae.verify.analysis import Analysis
from golpae.verify.confirmation import FalseInvariant
from golpae.verify.deciders.theorem import decide_theorem
from golpae.verify.kept_proofs import KeptTable, table_of
from golpae.verify.options import Settings
from golpae.verify.properties import meaning_of
from golpae.verify.result import PropertyResult
from golpae.verify.sharing import theorems
from golpae.verify.verifier import verify
from tests.differential.against_judge import Say
from tests.differential.texts import RuleText, random_text
from tests.verify.shared import names_of_answers

SETTINGS = Settings(most=4_000_000, megabytes=1_000, cached=False)
LABEL = re.compile(r"(?<= as )[a-z-]+(?=$|[;\n])", re.MULTILINE)
PATTERN = re.compile(r"(?<=^  pattern )([a-z]+) (\d+)(?=[ ,:])", re.MULTILINE)
TESTED = re.compile(r"(?<=^  pattern )([^:\n]*): .*$", re.MULTILINE)
MOST_TABLES = 12


def check_caches(text: RuleText, say: Say) -> None:
    """Check that no entry of a cache stands for two meanings."""
    _rule_sets(text, say)
    _tables(text, say)
    _kept_proofs(text, say)
    _names_of_steps(text, say)


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
            own = (meaning_of(rules), *table)
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


def _kept_proofs(text: RuleText, say: Say) -> None:
    """Check what is kept of a text again, with a cache, also after what it is with scores that count otherwise."""
    sets = [text.rule_set(), *_counting_otherwise(text)]
    if len(sets) == 1:
        return
    instance = next(_instances(sets[0]))
    table, alone = (instance.players, dict(instance.options)), replace(SETTINGS, games=20, effort=0.2)
    kept = table_of(sets[0], verify(sets[0], *table, alone), None)
    with own_cache() as folder:
        for rules in sets:
            (folder / f"{text.name}.golpae").write_text(text.source, encoding="utf-8")
            given = replace(alone, kept=replace(kept, places=(folder,)))
            for shared, own in zip(
                verify(rules, *table, replace(given, cached=True)), verify(rules, *table, given), strict=True
            ):
                if difference := _difference(shared, own):
                    say("cache-games", f"{rules.rules}: {own.name}: {difference}", [])


def _names_of_steps(text: RuleText, say: Say) -> None:
    """Compare the formulas of all questions of one name, about the text and about two that are nearly the same."""
    others = [text.rule_set(switch) for switch in text.switches] + [*_counting_otherwise(text)]
    chosen = random.Random(text.seed).sample(others, min(2, len(others)))
    with own_cache(), names_of_answers() as (_, differing):
        for rules in (text.rule_set(), *chosen):
            stated = tuple(p.name for p in rules.properties if p.after is None and form_of(p.kind).invariant)
            kept = KeptTable("", stated, (), (), ())
            analysis = Analysis(next(_instances(rules)), replace(SETTINGS, kept=kept, cached=True))
            with suppress(Unsupported, TooManySteps, LimitReached, FalseInvariant):
                induction = analysis.induction
                if analysis.by_action is not None:
                    names = [candidate.name for candidate in induction.invariants]
                    analysis.by_action.conserves(names)
                    for prop in rules.properties:
                        if prop.after is not None and form_of(prop.kind).invariant:
                            analysis.by_action.holds_after(prop, names)
        for name in differing:
            say("cache-steps", f"{name} has been the name of other questions", [])


def _difference(shared: PropertyResult, own: PropertyResult) -> str:
    """Return in what two results differ."""
    return "; ".join(
        f"{name} is {value}, and alone {asdict(own)[name]}"
        for name, value in asdict(shared).items()
        if name != "seconds" and value != asdict(own)[name]
    )


def _counting_otherwise(text: RuleText) -> Iterator[RuleSet]:
    """Yield what a text is if its patterns count more, or always or never hold."""
    changes = (
        PATTERN.sub(lambda found: f"{found[1]} {int(found[2]) + 1}", text.source),
        TESTED.sub(r"\1: yes", text.source),
        TESTED.sub(r"\1: no", text.source),
    )
    for source in dict.fromkeys(changes):
        if source != text.source:
            with suppress(SpecError):
                yield RuleText(text.name, source).rule_set()
