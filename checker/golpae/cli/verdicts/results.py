"""`--output`: what a verb says about files goes to a file, and a run that was interrupted goes on."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Generic

from golpae.cli.inputs import complain_of, unwritable
from golpae.cli.terminal.output import say_empty
from golpae.corpus.jobs import Run, Task, in_this_process
from golpae.corpus.paths import Item
from golpae.corpus.results import CannotResume, Form, InUse, Note, Results
from golpae.progress import Progress
from golpae.replay.machine_cache import Library
from golpae.trace import InputFault, Source, quoted
from golpae.trace.packed import MissingExtra


class RefusedFiles(Exception):
    """Files cannot be worked on, and why."""

    def __init__(self, fault: InputFault) -> None:
        super().__init__(fault.message)
        self.fault = fault


@dataclass(frozen=True, slots=True)
class FileTask(Generic[Item]):
    """A task on files, whose results are called `results`, one for each `unit`.

    `call` is what the results depend on, besides the files.
    """

    files: Sequence[Source]
    task: Task[Item]
    form: Form[Item]
    library: Callable[[], Library]
    call: Sequence[str | int | None]
    unit: str
    results: str


def to_file(
    args: argparse.Namespace,
    work: FileTask[Item],
    run: Run | None,
    on_item: Callable[[Item, Source], Sequence[Note] | None],
    progress: Progress,
) -> Results[Item] | None:
    """Do a task on files and write the results. Return None after a complaint. `on_item` may raise `RefusedFiles`."""
    files = work.files
    read = [file.path for file in files] + [held for held in [getattr(args, "rulings", None)] if held]
    if any(os.path.realpath(path) == os.path.realpath(args.output) for path in read):
        advice = f"give the {work.results} another name, or another folder"
        complain_of(InputFault("--output", f"{quoted(args.output)} is one of the files to read", advice))
        return None
    results: Results[Item] | None = None
    try:
        results = Results(
            Path(args.output), files, work.task, work.form, work.library, work.call, args.resume
        )
        if results.resumed:
            _go_on(work, results, progress)
        results.run(run or in_this_process, on_item, progress.has_read)
    except KeyboardInterrupt:
        sys.stderr.write("golpae: the same call with `--resume` goes on from here\n")
        raise
    except CannotResume as fault:
        advice = "without `--resume`, golpae begins anew"
        complain_of(InputFault("--resume", f"this run cannot go on: {fault}", advice))
        return None
    except InUse:
        message = f"{quoted(args.output)} cannot be written to: another run of golpae is writing it"
        complain_of(InputFault("--output", message, "wait until it has ended, or give another name"))
        return None
    except RefusedFiles as refused:
        assert results is not None  # which calls `on_item`
        results.discard()
        complain_of(refused.fault)
        return None
    except MissingExtra as missing:
        complain_of(InputFault(args.output, str(missing.strerror)))
        return None
    except BrokenPipeError:
        raise
    except OSError as fault:
        complain_of(unwritable(args.output, fault).fault)
        return None
    finally:
        if results is not None:
            results.close()
    for name in results.empty:
        say_empty(name, work.unit)
    for words in results.faults:
        complain_of(InputFault("", words))
    return results


def _go_on(work: FileTask[Item], results: Results[Item], progress: Progress) -> None:
    """Report how much an earlier run has done."""
    done, size = results.counts.total(), sum(file.size() or 0 for file in work.files)
    share = f", {min(100, 100 * results.read // size)}% of the input" if size else ""
    sys.stderr.write(f"golpae: going on behind {done:,} {work.results}{share}\n")
    progress.goes_on(done, results.read)


def wrong_output(args: argparse.Namespace, without: Sequence[str], paths: Sequence[str]) -> InputFault | None:
    """Return why `--output` and `--resume` of a call do not go together with its other options, or None if they do."""
    if args.resume and args.output is None:
        return InputFault("--resume", "`--resume` goes on with a run that has `--output`")
    if args.output is None:
        return None
    for option in without:
        if getattr(args, option):
            name = "--" + option.replace("_", "-")
            return InputFault("--output", f"`--output` does not go with `{name}`")
    if args.format != "text":
        return InputFault("--output", f"`--output` does not go with `--format {args.format}`")
    if "-" in paths:
        return InputFault("-", "`--output` needs files: standard input cannot be read again")
    return None
