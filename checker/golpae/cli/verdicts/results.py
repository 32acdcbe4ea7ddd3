"""`golpae check --output`: the verdicts go to a file, and a run that was interrupted goes on."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from golpae import exit_codes
from golpae.cli.inputs import complain_of, reading, unwritable
from golpae.cli.rule_sets import RulesToPlay
from golpae.cli.terminal.output import Plain
from golpae.corpus.jobs import How, Run, in_this_process
from golpae.corpus.results import CannotResume, Results
from golpae.replay.report import Report
from golpae.trace import InputFault, Source, quoted
from golpae.trace.packed import MissingExtra

if TYPE_CHECKING:
    from golpae.cli.games.check import Tally


def to_file(
    args: argparse.Namespace, rules: RulesToPlay, files: Sequence[Source], run: Run | None, tally: Tally
) -> int:
    """Check files, write the verdicts, and return the exit status."""
    if any(os.path.realpath(file.path) == os.path.realpath(args.output) for file in files):
        advice = "give the verdicts another name, or another folder"
        complain_of(InputFault("--output", f"{quoted(args.output)} is one of the files to check", advice))
        return exit_codes.WRONG_INPUT
    how = How(rules.again, rules.rules, True, False, True)
    try:
        with reading("checking", "traces", files) as progress:
            results = Results(Path(args.output), files, how, args.resume)
            if results.resumed:
                sys.stderr.write(f"golpae: going on behind {results.counts.total():,} verdicts\n")

            def note(report: Report) -> None:
                progress.done += 1
                if report.text_faults is not None:
                    tally.texts.add(str(report.outcome.rules), report.text_faults)

            results.run(run or in_this_process, note, progress.has_read)
    except KeyboardInterrupt:
        sys.stderr.write("golpae: the same call with `--resume` goes on from here\n")
        raise
    except CannotResume as fault:
        advice = "without `--resume`, golpae begins anew"
        complain_of(InputFault("--resume", f"this run cannot go on: {fault}", advice))
        return exit_codes.WRONG_INPUT
    except MissingExtra as missing:
        complain_of(InputFault(args.output, str(missing.strerror)))
        return exit_codes.WRONG_INPUT
    except BrokenPipeError:
        raise
    except OSError as fault:
        complain_of(unwritable(args.output, fault).fault)
        return exit_codes.WRONG_INPUT
    for words in results.faults:
        complain_of(InputFault("", words))
    tally.faults = tally.faults or bool(results.faults)
    tally.verdicts.update(results.counts)
    tally.paths.add(results.paths)
    Plain(False).summary(tally.verdicts, None, args.complete, tally.texts.remarks())
    return tally.status(args)
