"""`golpae score`: what is a hand worth, without a game?"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from golpae import exit_codes
from golpae.cli.inputs import (
    add_jobs,
    add_output,
    add_spec_path,
    cannot_open,
    complain_of,
    jobs_of,
    reading,
)
from golpae.cli.rule_sets import RULES_HELP, FaultyTexts, RulesToPlay, rules_to_play
from golpae.cli.terminal.output import MOST_TOLD, knows_all, say_empty
from golpae.cli.terminal.scored_hands import Objects, Words
from golpae.corpus.jobs import Pool, Run, in_this_process, in_workers
from golpae.corpus.paths import Items, Paths
from golpae.corpus.reading import NotOpened, open_source
from golpae.corpus.scoring import (
    COUNTS,
    COUNTS_NOT,
    UNSCORED,
    Hands,
    HoldsTraces,
    ScoreHands,
    Unscored,
    WrittenHands,
)
from golpae.elaborate.names import ENDING
from golpae.progress import Progress
from golpae.replay.machine_cache import Library
from golpae.replay.score_hand import SCORE, Fault, ScoreRequest, Waiting, score_hand
from golpae.rule_names import UsageError, is_file, without_switches
from golpae.trace import InputFault, Source, quoted, sources


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.usage = (
        "%(prog)s [options] RULES [SCORE] TILE... [KEY=VALUE...]\n       %(prog)s [options] [RULES] FILE..."
    )
    parser.add_argument(
        "words",
        nargs="+",
        metavar="RULES",
        help="rules and the tiles of one hand, with `key=value` for other values of its score; or files of hands, "
        "folders of them, URLs, or `-` for standard input, after their rules if the hands name none",
    )
    parser.add_argument(
        "--format", choices=("text", "json"), default="text", help="for people, or one JSON object a hand"
    )
    parser.add_argument("--rules", metavar="RULES", help=f"the rules of hands that name none: {RULES_HELP}")
    parser.add_argument(
        "--score", metavar="NAME", help="the score to use, if the rules have several and a hand names none"
    )
    parser.add_argument(
        "--players", metavar="N", type=int, help="number of players, if the set of tiles depends on it"
    )
    add_jobs(parser)
    add_output(parser, "each hand", "what it counts")
    add_spec_path(parser)


def run(args: argparse.Namespace) -> int:
    args.rules, names, tiles = _understood(args.words, args.rules)
    if not names and (args.output is not None or args.resume or args.jobs is not None):
        option = "--output" if args.output is not None else "--resume" if args.resume else "--jobs"
        raise UsageError(option, f"`{option}` is for files of hands", "name a file of hands")
    played = rules_to_play(args, names)
    if played is None:
        return exit_codes.WRONG_INPUT
    if not names:
        return _one(played.rules or "", tiles, played.library, args)
    return _many(names, played, args)


def _understood(words: Sequence[str], option: str | None) -> tuple[str | None, Sequence[str], Sequence[str]]:
    """Return the rules, the files of hands, and the tiles of one hand that a call names. Raises `UsageError`.

    `option` are the rules of `--rules`.
    """
    if _names_hands(words[0]):
        for word in words[1:]:
            if not _names_hands(word):
                advice = "name files of hands, or rules and tiles"
                raise UsageError(word, f"unexpected argument `{word}` after a file of hands", advice)
        return option, words, ()
    rules, *rest = words
    if re.match(r"\d", rules) and not is_file(rules) and "+" not in rules:
        advice = f"name the rules first: `golpae score RULES {' '.join(words)}`"
        raise UsageError(rules, f"{quoted(rules)} cannot be the name of rules", advice)
    if option is not None:
        message = f"`--rules {option}` and `{rules}` both name the rules"
        raise UsageError("--rules", message, "`--rules` is for a file of hands; leave one of the two out")
    if rest and all(map(_names_hands, rest)):
        return rules, rest, ()
    for word in rest:
        apart = [tile for tile in re.split(r"[\s,;]+", word) if tile]
        if "=" not in word and apart != [word]:
            advice = "separate the tiles by spaces, without quotes"
            if apart:
                advice += f": `golpae score {rules} {' '.join(apart)}`"
            raise UsageError(word, f"there is no tile {quoted(word)}", advice)
    return rules, (), rest


def _names_hands(word: str) -> bool:
    """Return whether a word names a file or folder of hands, existing or not. The ending of rule texts means rules."""
    if without_switches(word)[0].endswith(ENDING):
        return False
    return word == "-" or os.path.isfile(word) or ("=" not in word and any(c in word for c in "./\\"))


def _one(rules: str, words: Sequence[str], library: Library, args: argparse.Namespace) -> int:
    """Score a hand from the command line: tiles, and `key=value` for other keys."""
    score, known = args.score, library.rule_set(rules)
    if score is None and words and known is not None and words[0] in (s.name for s in known.scores):
        score, *words = words
    hand: dict[str, Any] = {"rules": rules} | ({} if score is None else {SCORE: score})
    tiles = []
    for word in words:
        key, equals, value = word.partition("=")
        if equals:
            try:
                hand[key] = json.loads(value)
            except ValueError:
                hand[key] = value
        else:
            tiles.append(word)
    scored = score_hand(hand, library, args.players, tiles)
    if isinstance(scored, Fault):
        complain_of(InputFault(rules, scored.message, scored.advice))
        return exit_codes.WRONG_INPUT
    sys.stdout.write(_writer(args.format).hand(scored, None))
    counts = scored.ok if isinstance(scored, Waiting) else scored.points is not None
    return exit_codes.HOLDS if counts else exit_codes.FAILS


def _writer(form: str) -> Words | Objects:
    return Words() if form == "text" else Objects(knows_all())


@dataclass(slots=True)
class _Said:
    """What people are told of hands that cannot be scored. `texts` are those with faults; `no_score` counts the hands
    of each rule set that has no score.
    """

    texts: FaultyTexts = field(default_factory=FaultyTexts)
    no_score: Counter[str] = field(default_factory=Counter)

    def unscored(self, place: str, fault: Fault) -> None:
        """Print why a hand cannot be scored, unless that was said of its rules."""
        if fault.text_faults is not None:
            self.texts.add(fault.rules, fault.text_faults)
        elif not (fault.no_score and self.no_score[fault.rules]):
            sys.stderr.write(f"golpae: {place}: {fault.message}\n")
        if fault.no_score:
            self.no_score[fault.rules] += 1

    def remarks(self) -> None:
        """Print how many hands could not be scored because of their rules."""
        for remark in self.texts.remarks("hand", "scored"):
            sys.stderr.write(f"golpae: {remark}\n")
        for rules, count in self.no_score.items():
            if count > 1:
                words = f"{count} hands of `{rules}` could not be scored, because it has no `score`"
                sys.stderr.write(f"golpae: {words}\n")


def _many(names: Sequence[str], played: RulesToPlay, args: argparse.Namespace) -> int:
    """Score the hands of files."""
    if args.resume or args.output is not None:
        from golpae.cli.verdicts.results import wrong_output

        wrong = wrong_output(args, (), names)
        if wrong is not None:
            complain_of(wrong)
            return exit_codes.WRONG_INPUT
    files, faults = sources(names)
    for fault in faults:
        complain_of(fault)
    status = exit_codes.WRONG_INPUT if faults else exit_codes.HOLDS
    jobs = jobs_of(args, files)
    score_request = ScoreRequest(played.rules, args.score, args.players)
    library = played.again if jobs > 1 or args.output is not None else lambda: played.library
    said = _Said()
    run = partial(in_workers, jobs=jobs) if jobs > 1 else in_this_process
    with reading("scoring", "hands", files) as progress:
        if args.output is not None:
            task = ScoreHands(played.again, score_request, Objects(utf8=True))
            return max(status, _to_file(args, files, task, run, said, progress))
        task = ScoreHands(library, score_request, _writer(args.format))
        items: Callable[[Source, Paths], Items[Hands]]
        with ExitStack() as stack:
            if jobs > 1:
                pool = stack.enter_context(Pool(files, task, run, progress.has_read))
                items = lambda source, paths: pool.items(paths)  # noqa: E731
            else:
                items = _here(task, progress)
            for file in files:
                status = max(status, _file(file, items, said, progress, score_request))
    said.remarks()
    return status


def _here(task: ScoreHands, progress: Progress) -> Callable[[Source, Paths], Items[Hands]]:
    """Return a function that yields the hands of a source in this process. It raises `NotOpened`."""
    read = task.begin()

    def items(source: Source, paths: Paths) -> Items[Hands]:
        with open_source(source) as stream:
            return (yield from read(source, progress.watched(stream), paths))

    return items


def _file(
    file: Source,
    items: Callable[[Source, Paths], Items[Hands]],
    said: _Said,
    progress: Progress,
    score_request: ScoreRequest,
) -> int:
    """Score every hand of a file, and return the exit status."""
    status, paths, is_over, before = exit_codes.HOLDS, Paths(), False, progress.done
    try:
        for item in items(file, paths):
            if is_over:  # pieces behind the one that holds traces
                continue
            match item:
                case WrittenHands():
                    sys.stdout.write(item.text)
                    progress.done += item.hands
                case Unscored():
                    status = exit_codes.WRONG_INPUT
                    said.unscored(f"{file.shown}:{item.line}", item.fault)
                    sys.stdout.write(item.text)
                    progress.done += 1
                case HoldsTraces():
                    complain_of(_traces(file))
                    status, is_over = exit_codes.WRONG_INPUT, True
    except NotOpened as fault:
        cannot_open(file, str(fault))
        return exit_codes.WRONG_INPUT
    if progress.done == before and not is_over:
        say_empty(file.name, "hand")
    if not paths.disagree:
        return status
    _tell_faults_of_golpae(score_request, [file], [f"{file.shown}:{line}" for line in paths.disagree])
    return exit_codes.FAULT


def _tell_faults_of_golpae(
    score_request: ScoreRequest, files: Sequence[Source], places: Sequence[str]
) -> None:
    """Say which hands the two ways score differently, and write reports on them."""
    from golpae.cli.games.two_ways import complaints

    call = {
        "call": "score",
        "rules": score_request.rules,
        "score": score_request.score,
        "players": score_request.players,
    }
    for words in complaints(call, files, places[:MOST_TOLD]):
        sys.stderr.write(f"golpae: {words}\n")


def _to_file(
    args: argparse.Namespace,
    files: Sequence[Source],
    task: ScoreHands,
    run: Run,
    said: _Said,
    progress: Progress,
) -> int:
    """Score the hands of files, write what they count to a file, and return the exit status."""
    from golpae.cli.verdicts.results import FileTask, RefusedFiles, to_file
    from golpae.corpus.forms import HandsForm

    def note(item: Hands, file: Source) -> None:
        progress.done += task.weight(item)
        if isinstance(item, HoldsTraces):
            raise RefusedFiles(_traces(file))
        if isinstance(item, Unscored):
            said.unscored(f"{file.shown}:{item.line}", item.fault)

    call = [task.asked.rules, task.asked.score, task.asked.players]
    work = FileTask(files, task, HandsForm(), task.library, call, "hand", "hands")
    results = to_file(args, work, run, note, progress)
    said.remarks()
    if results is None:
        return exit_codes.WRONG_INPUT
    counts = results.counts
    total = counts.total()
    kinds = ", ".join(f"{counts[kind]:,} {kind}" for kind in (COUNTS, COUNTS_NOT, UNSCORED) if counts[kind])
    sys.stdout.write(f"{total:,} hand{'s' * (total != 1)}{': ' * bool(kinds)}{kinds}\n")
    if results.disagree:
        _tell_faults_of_golpae(task.asked, files, results.disagree)
        return exit_codes.FAULT
    return exit_codes.WRONG_INPUT if results.faults or counts[UNSCORED] else exit_codes.HOLDS


def _traces(file: Source) -> InputFault:
    advice = f"`golpae check {file.shown}` checks them"
    return InputFault(file.path, f"{quoted(file.shown)} holds traces, not hands", advice)
