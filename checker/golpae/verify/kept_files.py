"""The proofs that are kept beside rule texts: which there are, whether they belong to the text, and to write them.

Input: the jobs of a call, and the files of their texts.
Output: the jobs with what is kept about them; or the files, written.
Guarantee: no solver is imported. A file that holds nothing of use changes no verdict, and a message says so; messages
go to `say`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path

from golpae import __version__, exit_codes
from golpae.elaborate.cache import elaborate_cached
from golpae.elaborate.load import shown
from golpae.elaborate.names import find
from golpae.trace import quoted
from golpae.unreadable import reason_of
from golpae.verify.cache import solvers
from golpae.verify.families import kept as families
from golpae.verify.kept_proofs import (
    KeptFile,
    KeptShare,
    KeptTable,
    Key,
    UselessProofs,
    beside,
    hash_of,
    key_of,
    of_parts,
    read,
    save,
    table_of,
)
from golpae.verify.options import Settings
from golpae.verify.result import PropertyResult
from golpae.verify.scheduler import Job
from golpae.verify.shares import hashes_of as hashes_of_shares
from golpae.verify.shares import kept_of as shares_kept
from golpae.verify.shares import shares_at

Say = Callable[[str], object]
MOST_LISTED = 3  # rule sets of a message


@dataclass(slots=True)
class StoredProofs:
    """The files of kept proofs of a call, by game, with what they hold."""

    files: dict[str, Path] = field(default_factory=dict)
    held: dict[str, KeptFile] = field(default_factory=dict)
    places: dict[str, tuple[Path, ...]] = field(default_factory=dict)
    words: dict[str, str] = field(default_factory=dict)  # how a call names a game, if not by its name
    also: str = ""  # what else the command needs that writes a file
    useless: dict[str, str] = field(default_factory=dict)  # why a file is of no use

    def advice(self, game: str, more: str = "", of: Iterable[str] = ()) -> str:
        """Return which command writes the file of a game, with more options if that takes them.

        `of` are rule sets that the file lacks. The game alone stands for itself and for each of its switches, and does
        not write other combinations.
        """
        word = self.words.get(game, game)
        lacking = list(of)
        alone = [rules for rules in lacking if rules.count("+") < 2]
        words = [word] if alone or not lacking else []
        words += [word + rules.removeprefix(game) for rules in lacking if rules not in alone]
        return f"`golpae prove {' '.join(words)}{self.also}{more} --write` writes it anew"

    def table(self, job: Job) -> KeptTable | None:
        """Return the stored table of a job, if any."""
        file = self.held.get(job.rule_set.game)
        return None if file is None else file.tables.get(_key(job))

    def _of_parts(self, job: Job) -> KeptTable | None:
        file = self.held.get(job.rule_set.game)
        return None if file is None else of_parts(file.tables, _key(job))

    def shares(self, job: Job) -> tuple[KeptShare, ...]:
        """Return the counts that this golpae has stored for the shares of a job."""
        table, file = self.table(job), self.held.get(job.rule_set.game)
        return () if table is None or file is None or file.golpae != __version__ else table.shares

    def with_kept(self, jobs: Sequence[Job], parts: bool = True) -> list[Job]:
        """Return the jobs, each with what is kept about it. With `parts`, those of which nothing is kept have what is
        kept of rule sets with only some of their switches.
        """
        out = []
        for job in jobs:
            table = self.table(job) or (self._of_parts(job) if parts else None)
            if table is not None and not job.any_players:
                places = self.places[job.rule_set.game]
                job = replace(job, kept=replace(table, places=tuple(p.absolute() for p in places), shares=()))
            out.append(job)
        return out


def kept_of(
    places: Mapping[str, tuple[Path, ...]], words: Mapping[str, str], also: str, say: Say
) -> StoredProofs:
    """Return the results stored beside the texts of games, which are in these places. Calls `say` about each file that
    is of no use.
    """
    stored = StoredProofs(places=dict(places), words=dict(words), also=also)
    for game, where in places.items():
        text = find(game, where)
        if text is None:
            continue
        stored.files[game] = beside(text)
        try:
            kept_file = read(stored.files[game])
        except UselessProofs as fault:
            name = quoted(shown(stored.files[game]))
            stored.useless[game] = str(fault)
            say(f"golpae: {name} is not used: {fault}\n  help: {stored.advice(game)}\n")
            continue
        if kept_file is not None:
            stored.held[game] = kept_file
    return stored


def solver_version() -> str:
    """Return the version of z3, as results have it."""
    return solvers(Settings())["z3"]


# ------------------------------------------------------------------ whether they belong to the texts


@dataclass(frozen=True, slots=True)
class Locked:
    """Whether a file of kept proofs belongs to its text, in words; `advice` says what to do if it does not.

    `at` is that file, or the text if there is no such file.
    """

    file: str
    at: str
    words: str
    advice: str | None = None


def locked(stored: StoredProofs, jobs: Sequence[Job]) -> list[Locked]:
    """Return for each file of kept proofs whether it belongs to its text."""
    hashes: dict[str, str] = {}
    of_shares: dict[str, dict[str, str]] = {}
    out: list[Locked] = []
    for game, file in stored.files.items():
        of_game = [job for job in jobs if job.rule_set.game == game]
        changed: dict[str, None] = {}
        unfinished: dict[str, None] = {}
        uncounted: dict[str, None] = {}
        without: dict[str, None] = {}  # rule sets that lack counts
        for job in of_game:
            rules = job.rule_set.rules
            if rules not in hashes:
                hashes[rules] = hash_of(job.rule_set)
                of_shares[rules] = hashes_of_shares(job.rule_set)
            table = stored.table(job)
            if table is None or table.text != hashes[rules]:
                changed[rules] = None
            elif table.unfinished:
                unfinished[rules] = None
            counted = {(one.name, one.of) for one in stored.shares(job)}
            for share in shares_at(job.rule_set, job.players, job.options):
                if (share.name, of_shares[rules][share.name]) not in counted:
                    uncounted[share.name] = without[rules] = None
        useless = _why_useless(stored.held.get(game), stored.useless.get(game))
        reason = useless or _why_not(list(changed), list(unfinished))
        lacking = [*changed, *unfinished] if useless is None else [job.rule_set.rules for job in of_game]
        advice = stored.advice(game, of=dict.fromkeys(lacking))
        if reason is None and uncounted:
            reason = f"has no count of hands for {_named(list(uncounted))}"
            advice = stored.advice(game, " --measure", of=without)
        if reason is None:
            words = f"belongs to its text ({_count(len(of_game), 'table')})"
            out.append(Locked(shown(file), shown(file), words))
        else:
            text = find(game, stored.places[game])
            at = file if text is None or file.exists() else text
            out.append(Locked(shown(file), shown(at), reason, advice))
        if of_game:
            switches = [switch.name for switch in of_game[0].rule_set.switches]
            out += _locked_families(stored, game, switches, hashes)
    return out


def _locked_families(
    stored_proofs: StoredProofs, game: str, switches: Sequence[str], hashes: Mapping[str, str]
) -> list[Locked]:
    """Return whether the file of what holds for all combinations of a game belongs to its text, if there is one."""
    places = stored_proofs.places[game]
    text = find(game, places)
    if text is None or not (file := families.beside(text)).exists():
        return []
    kept_families = families.read(file)
    own = families.family_hash(game, switches, lambda rules: elaborate_cached(rules, places), hashes)
    if kept_families and all(one.text == own for one in kept_families):
        return [
            Locked(shown(file), shown(file), f"belongs to its text ({_count(len(kept_families), 'table')})")
        ]
    reason = (
        "does not belong to its text: the game or a switch changed" if kept_families else "cannot be used"
    )
    advice = (
        f"`golpae prove '{stored_proofs.words.get(game, game)}+*'{stored_proofs.also} --write` writes it anew"
    )
    return [Locked(shown(file), shown(file), reason, advice)]


def _why_useless(kept_file: KeptFile | None, useless: str | None) -> str | None:
    """Return why nothing of a file belongs to this golpae, or None if something may."""
    if useless is not None:
        return f"cannot be used: {useless}"
    if kept_file is None:
        return "there are no kept proofs"
    for name, theirs, ours in (
        ("golpae", kept_file.golpae, __version__),
        ("z3", kept_file.z3, solver_version()),
    ):
        if theirs != ours:
            return f"written with {name} {quoted(theirs[:40])}, and this is {name} `{ours}`"
    return None


def _why_not(changed: Sequence[str], unfinished: Sequence[str]) -> str | None:
    """Return why a file does not belong to its text, or None if it does."""
    if changed:
        return f"does not belong to its text: {_named(changed)} changed, or was never written"
    if unfinished:
        return f"is not finished: the run that wrote it was interrupted before it had all of {_named(unfinished)}"
    return None


def _named(rules: Sequence[str]) -> str:
    more = len(rules) - MOST_LISTED
    return ", ".join(f"`{name}`" for name in rules[:MOST_LISTED]) + (f" and {more} more" if more > 0 else "")


# ------------------------------------------------------------------ after a run


def tell(
    stored_proofs: StoredProofs, jobs: Sequence[Job], results: Sequence[PropertyResult], say: Say
) -> None:
    """Say on standard error what was looked for although something was kept."""
    tables = {_key(job): job for job in jobs if job.kept is not None}
    for game, file in stored_proofs.files.items():
        of_game = [
            r
            for r in results
            if (job := tables.get(key_of(r.rules, r.players, r.options))) is not None
            and job.rule_set.game == game
            and not r.kept
        ]
        anew = [r for r in of_game if not r.rechecked and _was_kept(r, tables)]
        if anew:
            many = f"{len(anew)} of {_count(len(of_game), 'property')} {'was' if len(anew) == 1 else 'were'}"
            said = (
                f"what {quoted(shown(file))} says of {'it' if len(anew) == 1 else 'them'} does not hold now"
            )
            say(f"golpae: {many} decided anew: {said}\n  help: {stored_proofs.advice(game)}\n")


def _was_kept(result: PropertyResult, tables: Mapping[Key, Job]) -> bool:
    """Return whether something was kept about a property, or about another text of its table."""
    job = tables[key_of(result.rules, result.players, result.options)]
    assert job.kept is not None
    if not job.kept.text:
        return False
    return job.kept.result(result.name) is not None or job.kept.text != hash_of(job.rule_set)


def write(
    stored_proofs: StoredProofs,
    jobs: Sequence[Job],
    results: Sequence[PropertyResult],
    shares: Sequence[PropertyResult],
    say: Say,
) -> int:
    """Write what was found beside the texts: results of properties, and of shares. Return the exit status of writing.

    If a run that was interrupted has no results of some jobs, or of some of their properties, what was kept of them
    stays. A game without results keeps its file.
    """
    by_table, counted = _by_table(results), _by_table(shares)
    status = exit_codes.HOLDS
    for game, file in stored_proofs.files.items():
        of_game = {_key(job): job for job in jobs if job.rule_set.game == game and not job.any_players}
        if not of_game.keys() & by_table.keys():
            continue
        old = stored_proofs.held.get(game)
        new = _renewed(old, of_game, by_table, counted)
        finished = [key for key, job in of_game.items() if len(by_table.get(key, ())) == len(job.properties)]
        left = 0 if old is None else len(old.tables.keys() - new.tables.keys())
        try:
            if old is None and os.path.lexists(file):
                say(f"golpae: what was there is now {quoted(shown(put_aside(file)))}\n")
            save(file, new)
            if len(finished) < len(of_game):
                all_of = f"all of {len(finished)} of {_count(len(of_game), 'table')}"
                say(
                    f"golpae: {quoted(shown(file))} has what was found until then: {all_of}, and parts of others\n"
                    "  help: the same command goes on from there\n"
                )
            if left:
                name, they = quoted(shown(file)), "they were" if left > 1 else "it was"
                say(
                    f"golpae: {_count(left, 'table')} of {name} {'are' if left > 1 else 'is'} left out: "
                    f"{they} written with another version of golpae or z3\n  help: {stored_proofs.advice(game)}\n"
                )
        except OSError as fault:
            reason = reason_of(fault)
            say(f"golpae: {quoted(shown(file))} cannot be written: {reason}\n")
            status = exit_codes.WRONG_INPUT
    return status


def _by_table(results: Iterable[PropertyResult]) -> dict[Key, list[PropertyResult]]:
    out: dict[Key, list[PropertyResult]] = {}
    for result in results:
        out.setdefault(key_of(result.rules, result.players, result.options), []).append(result)
    return out


def _renewed(
    old: KeptFile | None,
    jobs: Mapping[Key, Job],
    by_table: Mapping[Key, list[PropertyResult]],
    counted: Mapping[Key, list[PropertyResult]],
) -> KeptFile:
    """Return the file to store for a game whose file held `old`.

    What another version of golpae or z3 wrote counts as unfinished, and only if it is about one of these jobs.
    """
    new = KeptFile(__version__, solver_version())
    before = {} if old is None else dict(old.tables)
    if old is not None and (old.golpae, old.z3) != (new.golpae, new.z3):
        before = {
            key: replace(before[key], unfinished=tuple(sorted(p.name for p in job.properties)))
            for key, job in jobs.items()
            if key in before
        }
    new.tables = dict(before)
    for key, job in jobs.items():
        if key in by_table:
            unreached = {p.name for p in job.properties} - {r.name for r in by_table[key]}
            old_shares = before[key].shares if key in before else ()
            shares = shares_kept(job.rule_set, counted.get(key, ()), old_shares)
            new.tables[key] = table_of(job.rule_set, by_table[key], before.get(key), unreached, shares)
    return new


def _key(job: Job) -> Key:
    return key_of(job.rule_set.rules, job.players, job.options)


def put_aside(file: Path) -> Path:
    """Give a file that holds no kept proofs another name, which no file has. Return that. Raises OSError."""
    names = (file.with_name(f"{file.name}.old{number or ''}") for number in count())
    other = next(name for name in names if not os.path.lexists(name))
    file.rename(other)
    return other


def _count(number: int, thing: str) -> str:
    plural = f"{thing[:-1]}ies" if thing.endswith("y") else f"{thing}s"
    return f"{number} {thing if number == 1 else plural}"
