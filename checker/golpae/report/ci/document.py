"""Write what a verb found in one of the formats of continuous integration.

Input: a `Run` and the name of a format.
Output: text on standard output; for GitHub, also the summary of the job.
Guarantee: the summary is added to the file that GitHub names, and nothing else is written.
"""

from __future__ import annotations

import os
import sys
from typing import assert_never

from golpae.report.ci.findings import Run
from golpae.report.ci.forms import Form

SUMMARY = "GITHUB_STEP_SUMMARY"


def put(run: Run, form: Form) -> None:
    """Print a run. Raises OSError if the summary of the job cannot be written."""
    match form:
        case "junit":
            from golpae.report.ci.junit import junit

            lines = [junit(run)]
        case "sarif":
            from golpae.report.ci.sarif import sarif

            lines = [sarif(run)]
        case "markdown":
            from golpae.report.ci.page import page

            lines = page(run)
        case "github":
            from golpae.report.ci.github import github

            lines = github(run)
        case _:
            assert_never(form)
    sys.stdout.write("\n".join(lines) + "\n")
    if form == "github" and os.environ.get(SUMMARY):
        from golpae.report.ci.page import page

        with open(os.environ[SUMMARY], "a", encoding="utf-8", errors="replace", newline="\n") as summary:
            summary.write("\n".join(page(run)) + "\n\n")
