"""Make a module that stands alone.

Input: an instance. Output: the module's bytes, its templates in them, and what it refers.
Guarantee: the same instance gives the same bytes wherever modules can be run; a module imports nothing. Where none can
be run, as in the Python of a browser, tables that take too many steps are not left out: a module with one stops.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from golpae.build.templates import SECTION, templates
from golpae.elaborate.instance import Instance
from golpae.kernel.emit.playing.rating import Aims
from golpae.kernel.language.host import available
from golpae.kernel.language.wasm import section
from golpae.kernel.module import ModuleRequest, compiled
from golpae.kernel.start import started
from golpae.replay.machine import Machine


@dataclass(frozen=True, slots=True)
class Built:
    """A module, its templates, and reasons for which it refers positions."""

    wasm: bytes
    templates: dict[str, Any]
    refused: tuple[str, ...]


def build(instance: Instance, aims: Aims | None = None) -> Built:
    """Return the module of an instance; with `aims`, it plays greedily instead of at random.

    Raises `NotCompiled` if nothing of it can be compiled, and `MemoryError`.
    """
    request = ModuleRequest(instance.rule_set.rules, counted=True, alone=True, aims=aims)
    made = started(instance, request)[0] if available() else compiled(instance, request)
    module_templates = templates(Machine(instance), made)
    held = json.dumps(module_templates, ensure_ascii=False, separators=(",", ":")).encode()
    return Built(made.wasm + section(SECTION, held), module_templates, made.refused)
