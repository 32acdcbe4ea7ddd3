"""`python -m tests.slowest REPORT`: the slowest modules of a test run, as a table for CONTRIBUTING.md.

Input: the report that `python -m tests whole --junitxml=REPORT` writes; a number of rows, 12 if it is left out.
Output: a table in Markdown: modules, their tests, their seconds, and their share of all seconds.
"""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from xml.etree import ElementTree

ROWS = 12


def table(report: str, rows: int = ROWS) -> list[str]:
    """Return the lines of the table for a report in JUnit's XML."""
    seconds: defaultdict[str, float] = defaultdict(float)
    tests: Counter[str] = Counter()
    for case in ElementTree.fromstring(report).iter("testcase"):
        module = case.attrib["classname"].replace(".", "/") + ".py"
        seconds[module] += float(case.attrib["time"])
        tests[module] += 1
    whole = sum(seconds.values()) or 1
    lines = ["| module | tests | seconds | share |", "|---|---|---|---|"]
    for module in sorted(seconds, key=seconds.__getitem__, reverse=True)[:rows]:
        took = seconds[module]
        lines.append(f"| `{module}` | {tests[module]} | {took:.0f} | {took / whole:.0%} |")
    return [*lines, f"| all | {sum(tests.values())} | {whole:.0f} | 100% |"]


def main(words: list[str]) -> int:
    """Print the table. Return the exit status."""
    if not words:
        sys.stderr.write("python -m tests.slowest: REPORT is missing\n")
        return 2
    with open(words[0], encoding="utf-8") as file:
        lines = table(file.read(), int(words[1]) if len(words) > 1 else ROWS)
    sys.stdout.write("\n".join(lines) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
