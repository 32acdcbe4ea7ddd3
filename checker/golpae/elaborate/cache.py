"""Cache rule sets, so that a second start need not parse.

Input: the name of a rule set and the places to look for texts.
Output: the rule set.
Guarantee: an entry is used only if golpae's code, all texts in these places and the places themselves are unchanged;
if not, the rule set is elaborated again. An entry that cannot be loaded or stored is ignored; the cache notices if one
is damaged. Nodes that do not belong together are not stored, so nobody checks them again.
"""

from __future__ import annotations

import hashlib
import os
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from golpae import cache
from golpae.bundled import spec_dir
from golpae.elaborate.names import settled
from golpae.ir.codec import Damaged, decode, encode
from golpae.ir.ruleset import RuleSet
from golpae.opened import opened

CODE = ("diagnostics", "ir", "syntax", "elaborate")
MOST_NAMED = 32  # rule sets whose entries are known
_named: OrderedDict[int, tuple[RuleSet, str]] = OrderedDict()  # by the identity of a rule set


def elaborate_cached(rules: str, spec_path: Sequence[Path] = ()) -> RuleSet:
    """Return the rule set, from the cache if that is safe. Raises `SpecError`."""
    spec_path = settled(rules.partition("+")[0], spec_path)
    name = _name_of(rules, spec_path)
    rule_set = _loaded(name)
    if rule_set is None:
        rule_set = _elaborate(rules, spec_path)
        if (
            _name_of(rules, spec_path) != name
        ):  # a text was saved meanwhile, and nobody knows which of the two was read
            return rule_set
        _store(name, rule_set)
    _named[id(rule_set)] = rule_set, name
    if len(_named) > MOST_NAMED:
        _named.popitem(last=False)
    return rule_set


def _name_of(rules: str, spec_path: Sequence[Path]) -> str:
    """Return the name of the entry of a rule set, as the texts are now."""
    return cache.fingerprint("rules", rules, list(_texts(spec_path)), code=CODE)


def entry_of(rules: RuleSet) -> str | None:
    """Return the name of the entry of a rule set that `elaborate_cached` has returned, for what depends on it; None of
    any other, even if it differs in nothing.
    """
    _, name = _named.get(id(rules), (None, None))
    return name


def _loaded(name: str) -> RuleSet | None:
    stored = cache.load(name)
    if stored is not None:
        with suppress(Damaged):
            return decode(stored)
    return None


def _store(name: str, rules: RuleSet) -> None:
    """Store a rule set if its nodes belong together."""
    if not cache.is_on():
        return
    from golpae.ir.wellformed import wellformed

    with suppress(RecursionError):  # nested too deeply to be written; this is not a fault
        if not wellformed(rules):
            cache.store(name, encode(rules))


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
