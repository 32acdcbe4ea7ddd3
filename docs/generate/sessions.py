"""The sessions of Python on a page.

Input: a `pycon` block: lines that a person types after `>>> ` and `... `, each with what Python prints.
Output: the same block, with what Python prints now.
Guarantee: the sessions of one page share their names. Of an exception only its last lines are shown, as doctest does.

    >>> 1 + 1
    2
"""

from __future__ import annotations

import contextlib
import doctest
import io
import os
import re
import warnings
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any


def renewed_session(text: str, names: dict[str, Any], folder: Path, environment: Mapping[str, str]) -> str:
    """Return a block as Python prints it now, with these names, in a folder."""
    before = {name: os.environ.get(name) for name in environment}
    os.environ.update(environment)
    try:
        with contextlib.chdir(folder), warnings.catch_warnings():
            warnings.simplefilter("error")
            return "".join(_run(text, names))
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def _run(text: str, names: dict[str, Any]) -> Iterator[str]:
    for number, part in enumerate(re.split(r"\n\n(?=>>> )", text.rstrip("\n"))):
        yield "\n" if number else ""
        for example in doctest.DocTestParser().get_examples(part + "\n"):
            typed = example.source.rstrip("\n").split("\n")
            yield "".join(f"{'...' if at else '>>>'} {line}".rstrip() + "\n" for at, line in enumerate(typed))
            yield _output(example.source, names)


def _output(source: str, names: dict[str, Any]) -> str:
    """Return what Python prints after these lines."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        try:
            exec(compile(source, "<page>", "single"), names)
        except Exception as fault:
            kind = f"{type(fault).__module__}.{type(fault).__qualname__}".removeprefix("builtins.")
            out.write(f"Traceback (most recent call last):\n    ...\n{kind}: {fault}\n")
    return out.getvalue()
