"""Where things are: files as a repository names them, and clauses in the texts of rules.

Input: names of files; the folders of rule texts.
Output: paths from the top of the repository; the place of a clause.
Guarantee: a text is read only if some finding is about it; a text that cannot be read gives no place.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePath

from golpae.diagnostics import Span, SpecError
from golpae.elaborate.blocks import clause_spans
from golpae.elaborate.expand.expand import placed
from golpae.elaborate.load import load
from golpae.elaborate.resolve import resolve, split
from golpae.report.ci.findings import FilePlace, place_of

# What the services call the folder of the repository.
TOPS = ("GITHUB_WORKSPACE", "CI_PROJECT_DIR")


def in_repository(file: str) -> str | None:
    """Return the path of a file from the top of the repository, with `/`; None if it is not in it or is none.

    The top is the folder that a service names, if the working folder is in it, or else the working folder.
    """
    here = os.path.realpath(os.curdir)
    top = here
    for name in TOPS:
        given = os.path.realpath(os.environ[name]) if os.environ.get(name) else ""
        if given and os.path.commonpath([given, here]) == given:
            top = given
            break
    path = os.path.relpath(os.path.join(here, file), top)
    if not os.path.exists(os.path.join(top, path)):  # a text inside golpae, for one
        return None
    return None if path.startswith("..") or os.path.isabs(path) else PurePath(path).as_posix()


class TextPlaces:
    """Places of clauses. `places` are the folders and files of rule texts, by rule set or for all of them."""

    def __init__(self, places: Sequence[Path] | Mapping[str, Sequence[Path]]) -> None:
        self._places = places
        self._spans: dict[str, dict[str, Span]] = {}

    def span(self, rules: str, clause: str, spec_hash: str | None = None) -> Span | None:
        """Return where a rule set has a clause, given by its path, or `switch NAME`. None if the text has another hash
        by now.
        """
        key = f"{rules} {spec_hash or ''}"
        if key not in self._spans:
            self._spans[key] = self._read(rules, spec_hash)
        return self._spans[key].get(clause)

    def place(self, rules: str, *clauses: str, spec_hash: str | None = None) -> FilePlace | None:
        """Return the place of the first of these clauses that has one."""
        for clause in clauses:
            span = self.span(rules, clause, spec_hash)
            if span is not None:
                return place_of(span)
        return None

    def _read(self, rules: str, spec_hash: str | None) -> dict[str, Span]:
        places = self._places.get(rules) if isinstance(self._places, Mapping) else self._places
        if places is None:
            return {}
        try:
            resolved = resolve(rules, load(split(rules)[0], places))
        except SpecError:
            return {}
        if spec_hash not in {None, resolved.spec_hash}:
            return {}
        switches = {f"switch {v.name.text}": v.name.span for v in resolved.variants}
        return clause_spans(placed(resolved.decls)) | switches
