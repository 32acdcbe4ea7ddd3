"""Ask the net about texts, as their seeds come in, and say what it finds: run by `python -m tests.planted`.

Input: the options of the net; seeds, one on each line. Output: a line of JSON with the package that is asked, then one
for each text: the kinds of its findings with a detail of each, the CPU seconds that it took.
Guarantee: the net is the one that `python -m tests.differential` runs. A text that takes too long is a finding.
"""

from __future__ import annotations

import json
import resource
import signal
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import golpae
from tests.differential.__main__ import arguments, task_of
from tests.differential.pool import MEMORY, check_task

SECONDS = 60  # CPU time of one text


class TooLong(BaseException):
    """A text takes too long. No check of the net catches it."""


def main(given: Sequence[str]) -> int:
    options = arguments().parse_args(given)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    passed: list[int] = []  # the signals that came

    def too_long(number: int, _: object) -> None:
        passed.append(number)
        raise TooLong

    signal.signal(signal.SIGPROF, too_long)
    print(json.dumps({"package": str(Path(golpae.__file__).parent)}), flush=True)
    for line in sys.stdin:
        begin = time.process_time()
        passed.clear()
        signal.setitimer(signal.ITIMER_PROF, SECONDS)
        try:
            report = check_task(task_of(int(line), options)).report
            kinds = {finding.kind: finding.detail[:300] for finding in reversed(report.findings)}
        except TooLong:
            kinds = {}
        signal.setitimer(signal.ITIMER_PROF, 0)
        if passed:  # also if a solver made another fault of it
            kinds = {"hang": f"more than {SECONDS} CPU seconds"}
        print(json.dumps({"kinds": kinds, "seconds": time.process_time() - begin}), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
