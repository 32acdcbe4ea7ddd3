"""Cache rule sets, so that a second start need not parse.

Input: the name of a rule set and the places to look for texts.
Output: the rule set.
Guarantee: an entry is used only if golpae's code, all texts in these places and the places themselves are unchanged;
if not, the rule set is elaborated again. An entry that cannot be loaded or stored is ignored, and so is one that holds
nodes which do not belong together.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from golpae import cache
from golpae.bundled import spec_dir
from golpae.elaborate.names import settled
from golpae.ir.codec import Damaged, decode, encode
from golpae.ir.ruleset import RuleSet
from golpae.ir.wellformed import wellformed
from golpae.opened import opened

CODE = ("diagnostics", "ir", "syntax", "elaborate")


def elaborate_cached(rules: str, spec_path: Sequence[Path] = ()) -> RuleSet:
    """Return the rule set, from the cache if that is safe. Raises `SpecError`."""
    spec_path = settled(rules.partition("+")[0], spec_path)
    name = cache.fingerprint("rules", rules, list(_texts(spec_path)), code=CODE)
    stored = cache.load(name)
    if stored is not None:
        with suppress(Damaged):
            return _sound(decode(stored))
    rule_set = _elaborate(rules, spec_path)
    with suppress(RecursionError):  # nested too deeply to be written; this is not a fault
        cache.store(name, encode(rule_set))
    return rule_set


def _sound(rules: RuleSet) -> RuleSet:
    """Return a rule set that was read if all readers of the IR can take it. Raises `Damaged`."""
    try:
        faults = wellformed(rules)
    except Exception:  # the nodes contradict one another at a place that no check expects
        raise Damaged from None
    if faults:
        raise Damaged
    return rules


def _elaborate(rules: str, spec_path: Sequence[Path]) -> RuleSet:
    from golpae.elaborate.check import elaborate

    return elaborate(rules, spec_path)


def _texts(spec_path: Sequence[Path]) -> Iterator[tuple[bytes, list[tuple[bytes, bytes]]]]:
    """Yield each place to look for texts, with the name and the hash of every rule text and grammar in it."""
    for place in (*spec_path, spec_dir(), spec_dir().parent / "grammar"):
        try:
            # a spec path may name a text, which can include those beside it
            files = sorted((place if os.path.isdir(place) else place.parent).iterdir())
        except OSError:
            files = []
        texts = [f for f in files if f.suffix in (".golpae", ".lark") and os.path.isfile(f)]
        yield os.fsencode(place.absolute()), [(os.fsencode(f.name), _digest(f)) for f in texts]


def _digest(file: Path) -> bytes:
    content = opened(file)
    if content is not None:
        return hashlib.sha256(content).digest()
    try:
        with file.open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").digest()
    except OSError:
        return b"cannot be read"
