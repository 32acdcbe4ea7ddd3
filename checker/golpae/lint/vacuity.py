"""What is vacuous in a rule text: actions that can never happen, conditions that can never refuse, properties that
are vacuously true, and clauses that no property depends on.

Input: a `Loaded` text without faults and the names of rule sets of it.
Output: `Note` values in reading order.
Guarantee: a note holds at every number of players with the default options. It rests on invariants, so no game
contradicts a note; what the invariants do not imply is not noted. What the solver cannot answer is unknown, and so is
what takes too many steps, and everything about a rule set that exceeds an outer limit.

    put.even: size of p's hand >= 1          after `held: tile in p's hand`: never refuses
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial

from golpae.diagnostics import quoted_list
from golpae.elaborate.check import check
from golpae.elaborate.instance import instantiate
from golpae.elaborate.load import Loaded
from golpae.elaborate.resolve import resolve
from golpae.families.region import Region
from golpae.ir.limits import TooManySteps
from golpae.ir.ruleset import Action, Condition, PropertyDecl, RuleSet, form_of
from golpae.ir.types import Each, Opt, Type
from golpae.lint.conditions import ConditionCheck
from golpae.lint.cone_of_influence import clauses_outside_cone
from golpae.lint.notes import Key, Note, VacuityReport, merged_notes
from golpae.lint.possible import ALONE, Possible, VacuousRegions
from golpae.progress import Progress
from golpae.prove.solving.solver import LimitReached
from golpae.prove.symbolic.parts import parts_apart
from golpae.prove.symbolic.terms import Unsupported
from golpae.replay.steps import MOST_IN_ALL
from golpae.verify.analysis import Analysis
from golpae.verify.options import Settings
from golpae.verify.properties import is_about_rules
from golpae.verify.scheduler import tables
from golpae.verify.verifier import Verifier
from golpae.workers import (
    UNLIMITED,
    Crash,
    JobNews,
    OuterLimits,
    listening,
    results,
    tell_doing,
    tell_found,
)


def notes(
    loaded: Loaded,
    rule_sets: Sequence[str],
    settings: Settings,
    jobs: int = 1,
    progress: Progress | None = None,
    limits: OuterLimits = UNLIMITED,
) -> list[Note]:
    """Return all notes on a text without faults. Raises `SpecError` if it lacks one of the rule sets."""
    progress = progress or Progress()
    checked = {rules: check(resolve(rules, loaded)) for rules in rule_sets}
    game = loaded.game.name.text
    progress.begin("looking for vacuous rules", len(checked), "rule sets", under_way=game)
    reports: dict[int, VacuityReport] = {}
    every = list(checked.values())

    def on_told(number: int, job_news: JobNews) -> None:
        if job_news.found is not None:
            progress.found(every[number].rules, job_news.found)
        progress.at(game, job_news.at if len(every) == 1 else f"{every[number].rules} {job_news.at}")

    if limits == UNLIMITED and (jobs == 1 or len(checked) == 1):
        for number, rule_set in enumerate(checked.values()):
            with listening(partial(on_told, number)):
                reports[number] = examine(rule_set, settings)
            progress.done += 1
            progress.at(game, "")
    else:
        work = partial(examine, settings=settings)
        for number, report in results(work, every, jobs, limits=limits, on_told=on_told):
            if not isinstance(report, Crash):
                reports[number] = report
            elif report.limited:
                reports[number] = VacuityReport(unknown=dict.fromkeys(keys_of(every[number]), report.reason))
            else:
                raise report.exception or RuntimeError(report.reason)
            progress.done += 1
            progress.at(game, "")
    by_name = {rules: reports[number] for number, rules in enumerate(checked)}
    return merged_notes(loaded, by_name)


def examine(rule_set: RuleSet, settings: Settings, only: Container[Key] | None = None) -> VacuityReport:
    """Return the keys that are vacuous at every table of a rule set, and the unknown ones, with reasons. `only` limits
    the keys of properties and conditions; clauses that no property depends on are always reported.
    """
    report = VacuityReport()
    tell_doing("clauses that no property depends on")
    outside = {("clause", path): why for path, why in clauses_outside_cone(rule_set).items()}
    tell_found(f"{len(outside) or 'no'} clause{'s' * (len(outside) != 1)} that no property depends on")
    keys = [key for key in keys_of(rule_set) if only is None or key in only]
    for players, options in tables(rule_set):
        if not keys:
            break
        at = f"with {players} players"
        on_search = partial(_tell_search, at)
        verifier = Verifier(instantiate(rule_set, players, options), replace(settings, games=0), on_search)
        here = _at_table(verifier, keys, at)
        keys = [k for k in keys if k in here.vacuous or k in here.unknown]
        for key in keys:
            if key in here.unknown:
                report.unknown.setdefault(key, here.unknown[key])
            else:
                report.vacuous.setdefault(key, here.vacuous[key])
    report.unknown = {k: report.unknown[k] for k in keys if k in report.unknown}
    report.vacuous = {k: report.vacuous[k] for k in keys if k not in report.unknown}
    report.vacuous |= outside
    return report


def keys_of(rule_set: RuleSet) -> Iterator[Key]:
    """Yield everything that may be vacuous."""
    for action in rule_set.actions:
        yield "action", action.name
        for condition in action.conditions:
            if not _is_implied(action, condition):
                yield "condition", f"{action.name}.{condition.name}"
    for prop in rule_set.properties:
        if form_of(prop.kind).may_be_vacuous:
            yield "property", prop.name


def clauses_in(rule_set: RuleSet) -> list[str]:
    """Return the paths of what a property may depend on, as notes name them."""
    actions = [
        path for a in rule_set.actions for path in (a.name, *(f"{a.name}.{e.name}" for e in a.effects))
    ]
    payouts = [f"payout.{clause.name}" for clause in rule_set.payout]
    patterns = [f"{score.name}.{pattern.name}" for score in rule_set.scores for pattern in score.patterns]
    return list(dict.fromkeys((*actions, *payouts, *patterns)))


def _at_table(verifier: Verifier, keys: Sequence[Key], at: str) -> VacuityReport:
    """Return the keys that are vacuous or unknown at one table, which `at` names; those that need no invariants are
    looked at first.
    """
    report = VacuityReport()
    rule_set = verifier.instance.rule_set
    mine = [prop for prop in rule_set.properties if ("property", prop.name) in keys]
    for prop in mine:
        if _needs_no_game(verifier, prop):
            _look_at(verifier, prop, report, at)
    with suppress(Unsupported, LimitReached, TooManySteps):
        verifier.analysis.strengthen()
    for prop in mine:
        if not _needs_no_game(verifier, prop):
            _look_at(verifier, prop, report, at)
    vacuous_regions = VacuousRegions()
    wanted = dict.fromkeys(keys, ALONE)
    conditions_at(
        verifier.analysis, lambda: Possible(verifier.analysis.induction), wanted, vacuous_regions, at
    )
    report.unknown = {key: parts[0][1] for key, parts in vacuous_regions.unknown.items()} | report.unknown
    report.vacuous |= {key: parts[0][1] for key, parts in vacuous_regions.vacuous.items()}
    return report


def are_vacuous(paths: Sequence[str], where: str = "") -> str:
    """Return in words which of these are vacuous: `nothing is vacuous`."""
    verb = "are" if len(paths) > 1 else "is"
    return f"{quoted_list(paths) if paths else 'nothing'}{where} {verb} vacuous"


def conditions_at(
    analysis: Analysis,
    possible: Callable[[], Possible],
    wanted: Mapping[Key, Region],
    vacuous_regions: VacuousRegions,
    at: str,
) -> None:
    """Note where actions cannot happen, and where conditions cannot refuse, at one table."""
    for action in analysis.instance.rule_set.actions:
        own = {
            k: r for k, r in wanted.items() if k[0] != "property" and k[1].partition(".")[0] == action.name
        }
        if not own:
            continue
        analysis.machine.limit_steps(MOST_IN_ALL)
        tell_doing(f"{at}: `{action.name}`")
        try:
            with parts_apart():
                ConditionCheck(possible(), action).run(own, vacuous_regions)
        except Unsupported as fault:
            why = f"the prover does not support {fault}"
        except (LimitReached, TooManySteps) as limit:
            why = str(limit)
        else:
            paths = [path for kind, path in vacuous_regions.vacuous if (kind, path) in own]
            if all(region == ALONE for region in own.values()):
                tell_found(f"{are_vacuous(paths, f' in `{action.name}`')} {at}")
            continue
        for key, region in own.items():
            for part, _ in vacuous_regions.vacuous.get(key, ()):
                region = region.difference(part)
            for part, _ in vacuous_regions.unknown.get(key, ()):
                region = region.difference(part)
            vacuous_regions.note(key, region, why, unknown=True)


def _tell_search(at: str, what: str | None) -> None:
    tell_doing(at if what is None else f"{at}: looking for {what}")


def _needs_no_game(verifier: Verifier, prop: PropertyDecl) -> bool:
    """Return whether a property is about hands and tiles alone."""
    return is_about_rules(verifier.instance.rule_set, prop)


def _look_at(verifier: Verifier, prop: PropertyDecl, report: VacuityReport, at: str) -> None:
    """Note whether a property is vacuous."""
    key = "property", prop.name
    tell_doing(f"{at}: `{prop.name}`")
    try:
        vacuous = vacuity_of(verifier, prop)
    except (LimitReached, TooManySteps) as limit:
        report.unknown[key] = str(limit)
        return
    if vacuous is not None:
        report.vacuous[key] = vacuous
    tell_found(f"`{prop.name}` is {'not ' if vacuous is None else ''}vacuous {at}")


def vacuity_of(verifier: Verifier, prop: PropertyDecl) -> str | None:
    """Return why a property that holds is vacuous, or None if it is not or does not hold."""
    analysis = verifier.analysis
    is_static = _needs_no_game(verifier, prop)
    if is_static and analysis.theorems.vacuous(prop.expr) is None:
        return None  # no need to decide whether it holds
    return verifier.verify(prop).vacuous


def _is_implied(action: Action, condition: Condition) -> bool:
    """Return whether a condition follows from the trace format or from a key: from `{a, b}`, the bounds of a number, or
    `each player's`. No line states it, and it refuses events that are not gone through here.
    """
    if condition.of_game is not None:
        return True
    named = [c for c in action.conditions if c.name == condition.name]
    return condition is named[0] and any(
        p.name == condition.name and (p.parts or p.low is not None or isinstance(_bare(p.type), Each))
        for p in action.params
    )


def _bare(kind: Type) -> Type:
    return kind.item if isinstance(kind, Opt) else kind
