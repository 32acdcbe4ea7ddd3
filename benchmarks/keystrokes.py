"""What one keystroke costs in an editor, on the longest texts: `python -m benchmarks.keystrokes`.

Input: nothing, or names of games. Output: a table on standard output.
Guarantee: milliseconds are those of the processor, the middle of several keystrokes in one clause: `text` until faults
of the grammar and names are known, `rules` for the faults of the base rules after that.
"""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Sequence
from statistics import median

from golpae.bundled import spec_dir
from golpae.cli.main import NEW_OBJECTS
from golpae.editor.checks import base_faults
from golpae.editor.workspace import Workspace
from golpae.elaborate.load import game_names

MOST, KEYSTROKES = 5, 9


def main(names: Sequence[str]) -> None:
    gc.set_threshold(NEW_OBJECTS)  # as `golpae lsp` does
    longest = sorted(game_names(()), key=lambda name: -len(_content(name)))[:MOST]
    print("| game | characters | text, ms | rules, ms | both, ms |")
    print("|---|---|---|---|---|")
    for name in names or longest:
        text, rules = _cost(name)
        print(
            f"| {name} | {len(_content(name)):,} | {text:.0f} | {rules:.0f} | {text + rules:.0f} |",
            flush=True,
        )


def _content(name: str) -> str:
    return (spec_dir() / f"{name}.golpae").read_text("utf-8")


def _cost(name: str) -> tuple[float, float]:
    path, content = (spec_dir() / f"{name}.golpae").resolve(), _content(name)
    last = content.rindex('"')
    texts = Workspace()
    spent: list[tuple[float, float]] = []
    for number in range(KEYSTROKES + 2):
        texts.open(path, content[:last] + "x" * number + content[last:])
        begin = time.process_time()
        texts.parsed(path)
        read = time.process_time()
        base_faults(path, texts.opened)
        spent.append((read - begin, time.process_time() - read))
    return median(1000 * one for one, _ in spent[2:]), median(1000 * one for _, one in spent[2:])


if __name__ == "__main__":
    main(sys.argv[1:])
