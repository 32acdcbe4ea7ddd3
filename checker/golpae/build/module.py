"""Make a module that stands alone.

Input: an instance. Output: the module's bytes, its templates in them, and what it refers.
Guarantee: the same instance gives the same bytes. The module imports nothing.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from golpae.build.templates import SECTION, templates
from golpae.elaborate.instance import Instance
from golpae.kernel.emit.playing.rating import Aims
from golpae.kernel.language.wasm import section
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

    Raises `Unsupported` if nothing of it can be compiled, and `MemoryError`.
    """
    made, _ = started(instance, instance.rule_set.rules, counted=True, alone=True, aims=aims)
    found = templates(Machine(instance), made)
    held = json.dumps(found, ensure_ascii=False, separators=(",", ":")).encode()
    return Built(made.wasm + section(SECTION, held), found, made.refused)
