"""The Python code of one rule set at one table, made once for all runs.

Input: the emitter of an `Instance`; or an instance of a rule set that has an entry in the cache.
Output: a `Generated`: the code, and what else a machine takes from the emitter.
Guarantee: an entry is used only for the very rule set that was loaded, at this table, and by the golpae and the Python
that have stored it. Where nobody knows whose file an entry is, none is used. What writes code is loaded when it is
needed.
"""

from __future__ import annotations

import marshal
import os
from contextlib import suppress
from functools import lru_cache
from types import CodeType

from golpae import cache
from golpae.elaborate.cache import entry_of
from golpae.elaborate.instance import Instance
from golpae.records import dataclass
from golpae.replay.codegen.expressions import Emitter
from golpae.replay.codegen.length import VERY_LONG

CODE = ("diagnostics", "ir", "syntax", "elaborate", "lower", "replay")  # what takes part
# A second machine of the same table need not compile its source again.
MOST_MODULES = 50  # whose code is held: some hundred KB each, with the source


@dataclass(frozen=True, slots=True)
class Generated:
    """The code of a module, as `module.source_of` says; whether the steps of events are counted, and may be very many;
    the actions with events that pass all conditions and still fail because a tile is not where it is taken from.
    """

    code: CodeType
    counts_steps: bool
    is_very_long: bool
    may_fail_midway: tuple[str, ...]


def generated(emitter: Emitter) -> Generated:
    """Return the code of an emitter's instance."""
    from golpae.lower.move_safety import moves_safely
    from golpae.replay.codegen.module import source_of

    rules = emitter.instance.rule_set
    code = _module_code(source_of(emitter), rules.rules)
    fail = tuple(action.name for action in rules.actions if not moves_safely(rules, action))
    return Generated(code, emitter.counts_steps, emitter.longest > VERY_LONG, fail)


def stored(instance: Instance) -> Generated | None:
    """Return the code of an instance from the cache, or None."""
    name = _entry(instance)
    found = None if name is None else cache.load(name)
    if found is not None:
        with suppress(ValueError, EOFError, TypeError):  # written by another program
            return Generated(*marshal.loads(found))
    return None


def store(instance: Instance, made: Generated) -> None:
    """Store the code of an instance, if its rule set is one that is cached."""
    name = _entry(instance)
    if name is not None:
        values = made.code, made.counts_steps, made.is_very_long, made.may_fail_midway
        cache.store(name, marshal.dumps(values))


def _entry(instance: Instance) -> str | None:
    """Return the name of the entry of an instance, or None if it can have none."""
    rules = entry_of(instance.rule_set)
    if rules is None or not cache.is_on() or not hasattr(os, "getuid"):
        return None
    options = sorted(instance.options.items())
    return cache.fingerprint("machine", rules, instance.players, options, code=CODE)


@lru_cache(MOST_MODULES)
def _module_code(source: str, rules: str) -> CodeType:
    """Return the compiled code of a generated Python module."""
    code: CodeType = compile(source, f"<{rules}>", "exec")
    return code
