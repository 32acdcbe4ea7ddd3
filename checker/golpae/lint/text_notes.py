"""Notes on a rule text: what it may not mean, read from the words alone.

Input: a `Loaded` text without faults.
Output: notes, in reading order.
Guarantee: no solver is used, and no game is played. Parts of an included text are not noted.
"""

from __future__ import annotations

from dataclasses import replace

from golpae.diagnostics import Diagnostic
from golpae.elaborate.expand.expand import placed
from golpae.elaborate.load import Loaded
from golpae.lint.attributes import lacking_numbers
from golpae.lint.impossible_patterns import impossible_patterns
from golpae.lint.several_fit import several_fit
from golpae.lint.suspicious import suspicious
from golpae.lint.text_words import Vocabulary
from golpae.lint.unused import unused, unused_groups


def text_notes(loaded: Loaded) -> list[Diagnostic]:
    """Return all notes on a text, each once."""
    text = Vocabulary(loaded)
    looks = (lacking_numbers, suspicious, impossible_patterns, several_fit)
    notes = [note for look in looks for note in look(text)]
    notes += unused(Vocabulary(replace(loaded, decls=placed(loaded.decls))))
    notes += unused_groups(loaded.decls)
    own = [note for note in dict.fromkeys(notes) if note.span is not None and text.is_own(note.span)]
    return sorted(own, key=lambda note: note.span.start if note.span else 0)
