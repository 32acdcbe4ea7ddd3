"""What the words of `golpae prove` name: rule sets, one property, tables.

Input: words of a call.
Output: rule sets with their files, and the jobs to do.
Guarantee: raises `SpecError` for the faults of a text and `UsageError` for those of the call. If one property is named,
at least one job has a result.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from golpae.cli.inputs import not_for
from golpae.diagnostics import SpecError, near
from golpae.elaborate.cache import elaborate_cached
from golpae.elaborate.instance import TableFault
from golpae.elaborate.load import game_names, games_in, readable_games
from golpae.elaborate.names import ENDING, NAME, OwnFolder, find
from golpae.ir.ruleset import RuleSet
from golpae.report.proofs_detail import ALL
from golpae.rule_names import Named, UsageError, named, named_rule_set
from golpae.trace import quoted
from golpae.verify.kept_files import StoredProofs
from golpae.verify.properties import nameable
from golpae.verify.result import PropertyResult
from golpae.verify.scheduler import Job, jobs_of
from golpae.verify.shares import has_result, wrong_table

HOW_LONG = "many minutes the first time, then a second"


@dataclass(slots=True)
class Chosen:
    """Rule sets by name, the files and words that name them, and the one property to verify, if any.

    `words` has the rule sets that each word of the call names.
    """

    rule_sets: dict[str, RuleSet]
    files: dict[str, Path]
    names: dict[str, Named]
    only: str | None = None
    words: dict[str, list[str]] = field(default_factory=dict)
    kept: StoredProofs = field(default_factory=StoredProofs)
    jobs: list[Job] = field(default_factory=list)
    shares: list[PropertyResult] = field(default_factory=list)


def words_of(args: argparse.Namespace, places: Sequence[Path]) -> list[str]:
    """Return the words of the call; all games instead of `--all`. Raises `UsageError` and `SpecError`."""
    words: list[str] = args.words
    given = [place for place in places if not isinstance(place, OwnFolder)]
    games = [] if words else game_names(given)
    if args.all and words:
        message = f"`--all` proves every rule set, so no other can be named: {quoted(words[0])}"
        raise UsageError("--all", message, "leave out one of the two")
    if not args.all and not words:
        advice = "name rule sets or files, or `--all`, for example"
        raise UsageError("", "name what to prove", advice, _examples(games[0] if games else "RULES"))
    return [one for word in words for one in _of_folder(word, places)] or games


def _of_folder(word: str, places: Sequence[Path]) -> list[str]:
    """Return the files of the games in a folder; a word that names no folder as it is. Raises `UsageError`."""
    folder = Path(word)
    if not word or not os.path.isdir(folder) or (NAME.fullmatch(word) and find(word, places) is not None):
        return [word]
    files = [str(folder / f"{game}{ENDING}") for game in games_in(folder)]
    if not files:
        message = f"no games in folder {quoted(word)}"
        raise UsageError(word, message, f"their texts end in `{ENDING}` and have a `game` line")
    return files


def _examples(name: str) -> list[str]:
    """Return calls that name something to prove."""
    calls = (
        (name, "a game, by itself and with each of its variants and readings"),
        (f"{name} PROPERTY", "one property, in detail"),
        (f"FOLDER/FILE{ENDING}", "a rule text of your own"),
        ("--all", f"everything that comes with golpae: {HOW_LONG}"),
    )
    width = max(len(words) for words, _ in calls)
    return [f"golpae prove {words:<{width}}  {what}" for words, what in calls]


def chosen_of(words: Sequence[str], places: Sequence[Path]) -> Chosen:
    """Return the rule sets and the property that the words of the call name. Raises `SpecError` and `UsageError`."""
    out = Chosen({}, {}, {})
    rules = list(words)
    given = [place for place in places if not isinstance(place, OwnFolder)]
    if len(words) > 1 and NAME.fullmatch(words[-1]) and find(words[-1], given) is None:
        out.only = rules.pop()
    for number, word in enumerate(rules):
        try:
            name = named(word, places)
            first = named_rule_set(name)
        except (SpecError, UsageError):
            if number and (fault := _second_property(out, word)) is not None:
                raise fault from None
            raise
        if name.file is not None:
            out.files[first.game] = name.file
        switches = [] if "+" in name.rules else [f"{name.rules}+{s.name}" for s in first.switches]
        for rule_set in (first, *(elaborate_cached(s, name.places) for s in switches)):
            before = out.rule_sets.setdefault(rule_set.rules, rule_set)
            out.names[rule_set.rules] = replace(name, rules=rule_set.rules)
            out.words.setdefault(word, []).append(rule_set.rules)
            if before.spec_hash != rule_set.spec_hash:
                raise UsageError(
                    word, f"two rule texts are called `{name.rules}`", "prove them one at a time"
                )
    if out.only is not None:
        names = {p.name for rule_set in out.rule_sets.values() for p in nameable(rule_set)}
        names |= {share.name for rule_set in out.rule_sets.values() for share in rule_set.shares}
        if out.only not in names:
            advice = _of_file(rules, out.only) or (
                near(out.only, {*names, *readable_games(places)})
                or f"its properties are {', '.join(quoted(n) for n in sorted(names))}"
            )
            what = f"`{' '.join(rules)}` has no property {quoted(out.only)}, and there is no rule set of that name"
            raise UsageError(out.only, what, advice)
    return out


def _second_property(chosen: Chosen, word: str) -> UsageError | None:
    """Return the fault of a word that is a property of the rules before it, with another property behind it."""
    rules, rule_set = next(reversed(chosen.words)), next(reversed(chosen.rule_sets.values()))
    names = {p.name for p in nameable(rule_set)} | {share.name for share in rule_set.shares}
    if word not in names:
        return None
    calls = [f"`golpae prove {rules} {name}`" for name in (word, chosen.only) if name in names]
    advice = f"write {' and '.join(calls)}; without a property golpae proves all"
    return UsageError(word, f"{quoted(word)} is a property, and one call proves one property or all", advice)


def _of_file(rules: Sequence[str], word: str) -> str | None:
    """Return advice if there is a rule text of this name in this folder, or None."""
    file = word + ENDING
    return (
        f"there is a file `{file}`: write `golpae prove {' '.join(rules)} {file}`"
        if os.path.isfile(file)
        else None
    )


def jobs_for(chosen: Chosen, args: argparse.Namespace) -> tuple[list[Job], list[str]]:
    """Return the jobs that the call allows, and a remark for each of its words that has no job with a result.

    Raises `UsageError` if no job has one.
    """
    given, every = _options(args.option)
    out: list[Job] = []
    fault: TableFault | None = None
    for rule_set in chosen.rule_sets.values():
        try:
            out += jobs_of(rule_set, args.players, given, chosen.only, every)
        except TableFault as error:
            fault = fault or error
    jobs_with_results = [job for job in out if has_result(job)]
    if not jobs_with_results:
        if fault is not None:
            raise UsageError("--option", str(fault))
        if out:
            raise UsageError("--players", "; ".join(_remarks(chosen, out, jobs_with_results)))
        if args.players is not None:
            raise not_for([*chosen.rule_sets.values()], given, args.players)
        raise UsageError("", "there is nothing to prove", "`golpae show` lists the games that golpae finds")
    if args.seeds is not None and not any(job.properties for job in jobs_with_results):
        message = f"`--seeds` is about proofs, but {quoted(chosen.only or '')} states a share of hands"
        raise UsageError("--seeds", message, "leave out `--seeds`")
    return out, [*_remarks(chosen, out, jobs_with_results)]


def _remarks(chosen: Chosen, jobs: Sequence[Job], results: Sequence[Job]) -> Iterator[str]:
    """Yield why a word of the call has jobs, but none of them has a result."""
    with_result = {job.rule_set.rules for job in results}
    for word, rules in chosen.words.items():
        own = [job for job in jobs if job.rule_set.rules in rules]
        if own and with_result.isdisjoint(rules):
            yield wrong_table(word, own)


def _options(words: Sequence[str]) -> tuple[dict[str, int], tuple[str, ...]]:
    """Return the options that a call sets, and those that take every value."""
    out: dict[str, int | None] = {}
    for word in words:
        name, _, value = word.partition("=")
        try:
            out[name.strip()] = None if value.strip() == ALL else int(value)
        except ValueError:
            advice = f"`NAME={ALL}` takes every value that the option can have"
            raise UsageError("--option", f"`--option` is NAME=NUMBER, not {quoted(word)}", advice) from None
    given = {name: value for name, value in out.items() if value is not None}
    return given, tuple(name for name in out if name not in given)
