"""`golpae prove`: verify the properties that a rule text states of its game."""

from __future__ import annotations

import argparse
import shlex
import shutil
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from golpae import cache, exit_codes
from golpae.cli.arguments.proved_rules import HOW_LONG, Chosen, chosen_of, jobs_for, words_of
from golpae.cli.inputs import (
    add_limits,
    add_no_cache,
    add_processes,
    add_spec_path,
    add_tables,
    complain,
    complain_of,
    make_folder,
    processors,
    refuse_effort,
    refuse_games,
    refuse_numbers,
    spec_path,
)
from golpae.cli.terminal.streams import paint_of
from golpae.diagnostics import SpecError
from golpae.diagnostics.amounts import many
from golpae.extras import how_to_install
from golpae.progress import Progress, Shown
from golpae.replay.chance import WORDS
from golpae.report.ci.forms import FORMS
from golpae.report.proofs_detail import Again
from golpae.rule_names import UsageError
from golpae.trace import InputFault, quoted
from golpae.verify import scheduler
from golpae.verify.kept_files import Locked, kept_of, locked, tell, write
from golpae.verify.options import Settings
from golpae.verify.properties import PRIVATE
from golpae.verify.result import PropertyResult
from golpae.verify.scheduler import Job, RunResult
from golpae.verify.scheduler import run as verify_all
from golpae.verify.seeds import Measured, measure
from golpae.verify.shares import GAMES, Measuring, Shares, results_of
from golpae.verify.status import exit_status
from golpae.workers import JobNews

if TYPE_CHECKING:
    from golpae.verify.families.results import FamilyResult
    from golpae.verify.families.scheduler import FamilyName

WIDTH = 100  # characters of a line if there is no terminal
APART = {  # options of which one leaves the others without an effect
    "locked": (
        "write", "seeds", "certificate", "anew", "measure", "cross_check", "smt2", "witnesses", "effort", "seed"
    ),
    "seeds": ("write", "certificate", "measure", "witnesses"),
}  # fmt: skip
NEITHER = {
    "locked": "`--locked` proves nothing: it says whether what is kept beside the text belongs to it",
    "seeds": "`--seeds` measures how hard questions are, and keeps nothing",
}


def arguments(parser: argparse.ArgumentParser) -> None:
    _what_to_prove(parser)
    add = parser.add_argument
    add_processes(parser)
    add_limits(parser, "a property", "600, with `RULES+*` 1800")
    _questions_to_the_solver(parser)
    _what_to_write(parser)
    _what_is_stored(parser)
    add(
        "--except",
        dest="left_out",
        metavar="NAME",
        action="append",
        help="with `RULES+*`, which means all combinations of variants and readings: leave out those with this one; "
        "may be given several times",
    )
    add_no_cache(parser)
    add_spec_path(parser)


def _what_to_prove(parser: argparse.ArgumentParser) -> None:
    """Add the rule sets and their tables."""
    add = parser.add_argument
    add(
        "words",
        nargs="*",
        metavar="RULES",
        help="rule sets, as `base+variant+...`, as files or as folders of them; a base alone means the base and each "
        "of its variants and readings, and `base+*` all their combinations. If the last word is the name of a "
        "property, golpae proves only that one and prints its details",
    )
    add(
        "--all",
        action="store_true",
        help=f"prove everything that comes with golpae, and everything in --spec-path: {HOW_LONG}",
    )
    add_tables(parser, ". `NAME=all` takes every value that the option can have")


def _questions_to_the_solver(parser: argparse.ArgumentParser) -> None:
    """Add how the solver is measured, and what else is done with its questions."""
    add = parser.add_argument
    add(
        "--seeds",
        metavar="N",
        type=int,
        help="prove everything with N seeds of the solver, and list what needs more than a third of its effort, "
        "has another verdict with another seed or is unknown",
    )
    add("--smt2", metavar="DIR", help="write every question to the solver to this folder, as SMT-LIB 2")
    add("--cross-check", action="store_true", help="also put every question to a second solver, cvc5")


def _what_to_write(parser: argparse.ArgumentParser) -> None:
    """Add the form of the answer, and what is written to folders."""
    add = parser.add_argument
    add(
        "--format",
        choices=("table", "json", *FORMS),
        default="table",
        help="for people, for programs, or for continuous integration: JUnit, SARIF, commands of GitHub's workflows, "
        "Markdown",
    )
    add(
        "--witnesses",
        metavar="DIR",
        help="write each witness to this folder, as a trace for `golpae check`",
    )
    add(
        "--certificate",
        metavar="DIR",
        help="write to this folder what each proof rests on, for `golpae recheck` and for any solver",
    )


def _what_is_stored(parser: argparse.ArgumentParser) -> None:
    """Add what is stored beside a text, and how it is used."""
    add = parser.add_argument
    add(
        "--write",
        action="store_true",
        help="write what was found beside each text, as `NAME.proofs.json`: later calls check it again instead of "
        "looking for it; with `RULES+*`, as `NAME.families.json`, for the rule book",
    )
    add(
        "--locked",
        action="store_true",
        help="prove nothing; say whether the proofs that are kept beside each text belong to it",
    )
    add("--anew", action="store_true", help="look for every proof, whatever is kept beside the texts")
    add(
        "--measure",
        action="store_true",
        help="also play the hands of claims that state a share of hands; otherwise what is kept counts",
    )
    add("--games", metavar="N", type=int, help=f"with `--measure`: how many hands (default: {GAMES:,})")


def run(args: argparse.Namespace) -> int:
    with Shown(Progress("reading rules")) as progress:
        outcome = _outcome(args, progress)
    if outcome is None:
        from golpae.cli.terminal.ci import refused

        return refused("prove", args.format)
    chosen, result = outcome
    if isinstance(result, _Belong):
        return _print_locked(result.files, args.format)
    if isinstance(result, _Families):
        from golpae.cli.arguments.families import keep_families, save_witnesses, show_families

        if args.witnesses is not None:
            save_witnesses(result.results, Path(args.witnesses))
        unwritten = keep_families(result.results, result.name) if args.write else 0
        whole = len(args.words) > 1
        status = show_families(result.results, result.switches, args.format, whole, result.name)
        return exit_codes.worst(status, unwritten)
    if isinstance(result, Measured):
        return _print_measured(result, args.seeds)
    jobs, stored = chosen.jobs, chosen.kept
    tell(stored, jobs, result.results, sys.stderr.write)
    unwritten = write(stored, jobs, result.results, chosen.shares, sys.stderr.write) if args.write else 0
    result.results += chosen.shares
    if args.witnesses is not None:
        result.results = [_with_file(r, Path(args.witnesses)) for r in result.results]
    if any(r.unsupported is not None for r in result.results):
        from golpae.report.unsupported import with_places

        places = {rules: name.places for rules, name in chosen.names.items()}
        result.results = with_places(result.results, places)
    status = exit_status(result.results, bool(result.disagreements))
    if args.certificate is not None and not result.interrupted:
        status = exit_codes.worst(status, _certified(args, chosen, result))
    status = exit_codes.worst(status, _print(result, args.format, _again(chosen, args), status, chosen))
    if result.interrupted:
        cached = " and cached" if cache.is_on() and not args.no_cache else ""
        sys.stderr.write(f"golpae: interrupted; the results so far are shown{cached}\n")
        return exit_codes.INTERRUPTED
    return exit_codes.worst(status, unwritten)


def _report_differences(shares: Shares) -> None:
    """Report the games that the compiled path plays differently from the reference."""
    for series, number, names in shares.differ:
        from golpae.cli.games.two_ways import of_game

        advice = of_game({"call": "prove", "properties": names}, series, number)
        where = f"{series.rule_set.rules} with {series.players} players"
        sys.stderr.write(
            f"golpae: {where}: a fault in golpae: its two ways to play game {number} disagree; {advice}\n"
        )


def _outcome(
    args: argparse.Namespace, progress: Progress
) -> tuple[Chosen, RunResult | Measured | _Families | _Belong] | None:
    """Return the chosen rule sets and their results, or None after a complaint."""
    try:
        places = spec_path(args)
        if places is None:
            return None
        settings = _settings(args)
        if any(word.endswith("+*") for word in args.words):
            from golpae.cli.arguments.families import prove_families

            make_folder(args.witnesses)
            return Chosen({}, {}, {}), _Families(
                *prove_families(args, args.words, places, settings, progress)
            )
        chosen = chosen_of(words_of(args, places), places)
        jobs, remarks = jobs_for(chosen, args)
        if args.write and chosen.only is not None:
            raise UsageError("--write", "`--write` keeps all properties of a table", "leave out the property")
        for folder in (args.smt2, args.witnesses):
            make_folder(folder)
        _refuse_certificate(args, jobs)
    except SpecError as fault:
        complain(fault)
        return None
    except UsageError as error:
        complain_of(error.fault)
        return None
    for remark in remarks:
        sys.stderr.write(f"golpae: {remark}\n")
    games = {job.rule_set.game: chosen.names[job.rule_set.rules].places for job in jobs}
    words = {game: str(file) for game, file in chosen.files.items()}
    chosen.kept = kept_of(games, words, _also(args), sys.stderr.write)
    if args.locked:
        return chosen, _Belong(locked(chosen.kept, jobs))
    every = jobs
    jobs = [job for job in jobs if job.properties]
    searches = args.anew or args.seeds is not None or args.certificate is not None
    if not searches and settings == replace(Settings(), **_aside(settings)):
        # what is written depends on no other table, so that a run that was interrupted ends in the same file
        jobs = chosen.kept.with_kept(jobs, parts=not args.write)
    chosen.jobs = jobs
    properties = sum(len(job.properties) for job in jobs) * (args.seeds or 1)
    progress.begin("proving", properties, "properties")
    processes = args.jobs or processors()

    def verified(settings: Settings) -> RunResult:
        return verify_all(jobs, settings, processes, not args.no_cache, _Noted(progress))

    if args.seeds is not None:
        return chosen, measure(args.seeds, settings, verified)
    result = verified(settings)
    playing = not result.interrupted and args.measure
    measuring = Measuring(args.games or GAMES, settings.seed, processes) if playing else None
    shares = results_of(every, chosen.kept.shares, measuring, progress)
    _report_differences(shares)
    chosen.shares, result.interrupted = shares.results, result.interrupted or shares.interrupted
    return chosen, result


# ------------------------------------------------------------------ what the words mean


@dataclass(frozen=True, slots=True)
class _Families:
    """What holds for which rule sets of a family, whose switches these are."""

    results: list[FamilyResult]
    switches: tuple[str, ...]
    name: FamilyName


@dataclass(frozen=True, slots=True)
class _Belong:
    """Whether files of kept proofs belong to their texts."""

    files: list[Locked]


def _also(args: argparse.Namespace) -> str:
    """Return the options of a call that choose texts and tables."""
    words = [word for option in args.option for word in ("--option", option)]
    words += [] if args.players is None else ["--players", str(args.players)]
    words += [word for place in args.spec_path for word in ("--spec-path", place)]
    return "".join(f" {shlex.quote(word)}" for word in words)


def _aside(settings: Settings) -> dict[str, Any]:
    """Return the settings with which what was found is the same."""
    names = ("seconds", "megabytes", "smt2", "crosscheck", "cached")
    return {name: getattr(settings, name) for name in names}


def _refuse_together(args: argparse.Namespace) -> None:
    """Refuse options that another one leaves without an effect. Raises `UsageError`."""
    for one, others in APART.items():
        for other in others:
            value = getattr(args, other)
            if getattr(args, one) and value is not None and value is not False:
                first, second = ("--" + name.replace("_", "-") for name in (one, other))
                raise UsageError(second, f"`{first}` and `{second}` do not go together", NEITHER[one])


def _settings(args: argparse.Namespace) -> Settings:
    _refuse_together(args)
    refuse_numbers(args, "players", "jobs", "seeds", "time_limit", "memory_limit")
    refuse_games(args.games)
    if args.games is not None and not args.measure:
        raise UsageError("--games", "`--games` says how many hands `--measure` plays", "add `--measure`")
    if args.measure and not 0 <= (args.seed or 0) < WORDS:
        raise UsageError("--seed", f"`--seed` must be a number from 0 to {WORDS - 1} to play hands")
    refuse_effort(args)
    if args.cross_check and find_spec("cvc5") is None:
        advice = f"install it: {how_to_install('crosscheck')}"
        message = "`--cross-check` needs a second solver, cvc5, which is not installed"
        raise UsageError("--cross-check", message, advice)
    settings = Settings(
        smt2=None if args.smt2 is None else Path(args.smt2).absolute(), crosscheck=args.cross_check
    )
    if args.time_limit is not None:
        settings = replace(settings, seconds=args.time_limit)
    if args.memory_limit is not None:
        settings = replace(settings, megabytes=args.memory_limit)
    if args.effort is not None:
        settings = replace(settings, effort=args.effort)
    if args.seed is not None:
        settings = replace(settings, seed=args.seed)
    return settings


# ------------------------------------------------------------------ output


def _with_file(result: PropertyResult, folder: Path) -> PropertyResult:
    """Return a result with its witness written to a file, if it is a game."""
    if result.witness is None or not result.witness.events:
        return result
    from golpae.search.witness import save_witness

    events = result.witness.events
    file = save_witness(folder, result.name, result.rules, result.players, result.options, events)
    if result.witness.alike:
        name, alike = f"{result.name}-alike", result.witness.alike
        save_witness(folder, name, result.rules, result.players, result.options, alike)
    return replace(result, witness_file=str(file))


def _refuse_certificate(args: argparse.Namespace, jobs: Sequence[Job]) -> None:
    """Check that a certificate can be written to the folder that the call names, if any. Raises `UsageError`."""
    if args.certificate is None:
        return
    if all(PRIVATE in job.properties for job in jobs):
        message = f"no certificate is about {quoted(PRIVATE.name)}: it is decided without a solver"
        raise UsageError("--certificate", message, "leave out `--certificate`")
    from golpae.verify.certificates.folder import NoCertificate, refuse_place

    try:
        refuse_place(Path(args.certificate))
    except (NoCertificate, OSError) as fault:
        message = f"{quoted(args.certificate)} is there, and is no certificate: {fault}"
        raise UsageError(args.certificate, message, "name a folder that does not exist") from None


def _certified(args: argparse.Namespace, chosen: Chosen, result: RunResult) -> int:
    """Write the certificate of what was proved. Return the exit status of writing."""
    from golpae.verify.certificates.folder import NoCertificate
    from golpae.verify.certificates.in_processes import write_certificate

    progress = Progress("writing certificates")

    def on_table(done: int, total: int) -> None:
        if done == 0:
            progress.begin("writing certificates", total, "tables")
        progress.done = done

    folder = Path(args.certificate)
    try:
        with Shown(progress):
            written = write_certificate(
                folder, result.results, chosen.rule_sets, _settings(args), args.jobs or processors(), on_table
            )
    except (NoCertificate, OSError) as fault:
        reason = (getattr(fault, "strerror", None) or str(fault)).lower()
        complain_of(
            InputFault(args.certificate, f"{quoted(args.certificate)} cannot be written to: {reason}")
        )
        return exit_codes.WRONG_INPUT
    proved = f"{written.properties} proved propert{'y' if written.properties == 1 else 'ies'}"
    many = f"{proved} in {written.files} file{'s' * (written.files != 1)}"
    sys.stderr.write(f"golpae: {args.certificate}: {many}\n")
    if chosen.shares:
        sys.stderr.write("golpae: no certificate is about shares of hands: they are measured, not proved\n")
    for words in written.without:
        sys.stderr.write(f"golpae: no certificate: {' '.join(words.split())}\n")
    return exit_codes.UNKNOWN if written.without else exit_codes.HOLDS


def _again(chosen: Chosen, args: argparse.Namespace) -> Again:
    """Return how the command that repeats a result names the rules, and what else it needs besides the property."""
    words = [word for place in args.spec_path for word in ("--spec-path", place)]
    for name in ("effort", "time_limit", "memory_limit"):
        value = getattr(args, name)
        if value is not None:
            words += ["--" + name.replace("_", "-"), f"{value:g}"]
    if args.cross_check:
        words.append("--cross-check")
    out: dict[str, list[str]] = {}
    for rules, rule_set in chosen.rule_sets.items():
        file = chosen.files.get(rule_set.game)
        word = rules if file is None else f"{file}{rules.removeprefix(rule_set.game)}"
        out[rules] = [word, *words]
    return out


def _print_locked(files: Sequence[Locked], form: str) -> int:
    """Print whether files of kept proofs belong to their texts. Return the exit status."""
    status = exit_codes.FAILS if any(one.advice is not None for one in files) else exit_codes.HOLDS
    if form in FORMS:
        from golpae.cli.terminal.ci import put_run
        from golpae.report.ci.proofs import locked_files

        return put_run(locked_files(files, status), form)
    for one in files:
        sys.stdout.write(f"{one.file}: {one.words}\n" + (f"  help: {one.advice}\n" if one.advice else ""))
    return status


def _print(outcome: RunResult, form: str, again: Again, status: int, chosen: Chosen) -> int:
    """Print results. Return the exit status of printing."""
    results, only = outcome.results, chosen.only
    if form in FORMS:
        from golpae.cli.terminal.ci import put_run
        from golpae.report.ci.places import TextPlaces
        from golpae.report.ci.proofs import proofs

        texts = TextPlaces({rules: name.places for rules, name in chosen.names.items()})
        run = proofs(results, again, status, texts, chosen.rule_sets, outcome.disagreements)
        printed = put_run(run, form)
        _tell_disagreements(outcome)
        return printed
    match form:
        case "json":
            from golpae.report.proofs_json import document

            lines = [document(results, again, status, outcome.disagreements, outcome.interrupted)]
        case _:
            from golpae.report.proofs_table import details, table

            width = shutil.get_terminal_size((WIDTH, 24)).columns if sys.stdout.isatty() else WIDTH
            lines = (table if only is None else details)(results, paint_of(sys.stdout), again, width)
            lines += [f"two solvers disagree: {words}" for words in outcome.disagreements]
    sys.stdout.write("\n".join(lines) + "\n")
    if form != "table":
        _tell_disagreements(outcome)
    return status


def _tell_disagreements(outcome: RunResult) -> None:
    for words in outcome.disagreements:
        sys.stderr.write(f"golpae: two solvers disagree: {' '.join(words.split())}\n")


def _print_measured(measured: Measured, seeds: int) -> int:
    """Print what has too little room. Return the exit status."""
    for one in measured.tight:
        verdicts = " or ".join(one.verdicts)
        about = f"; {one.share:.0%} of the effort of `{one.question}`" if one.question else ""
        sys.stdout.write(f"{one.rules}, {one.players} players, {one.name}: {verdicts}{about}\n")
    tight = f"{len(measured.tight)} of {many(measured.properties, 'property')}"
    sys.stdout.write(
        f"{tight} need more than a third of their effort, depend on the seed or are unknown, over {seeds} seeds\n"
    )
    if measured.interrupted:
        return exit_codes.INTERRUPTED
    return exit_codes.FAILS if measured.tight else exit_codes.HOLDS


class _Noted(scheduler.RunProgress):
    """Notes how far a run is."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._started: set[str] = set()

    def started(self, job: Job) -> None:
        self._started.add(_job(job))
        self._progress.start(_job(job))

    def decided(self, job: Job, result: PropertyResult) -> None:
        self._progress.done += 1
        if _job(job) in self._started:  # not read from the cache
            self._progress.found(_job(job), f"`{result.name}` is {result.verdict}")

    def told(self, job: Job, told: JobNews) -> None:
        self._progress.at(_job(job), told.at)

    def finished(self, job: Job) -> None:
        self._progress.end(_job(job))


def _job(job: Job) -> str:
    """Return the name of a job, which no other job of the run has unless it is of the same table."""
    values = "".join(f", {name} {value}" for name, value in job.options.items())
    return f"{job.rule_set.rules} with {many(job.players, 'player')}{values}"
