"""Faults of attribute, search, comparison and the caches between runs."""

from __future__ import annotations

from tests.planted.fault import Fault

OTHERS = (
    Fault(
        "called-definitions-not-reported",
        "attribute/multi_replay.py",
        "mask = machines.reported | footprint.checking",
        "mask = footprint.checking",
        "one rule set answers for others whose definitions differ, if its conditions hold",
    ),
    Fault(
        "branches-share-a-state",
        "attribute/multi_replay.py",
        "after = runner.machine.copy(state)",
        "after = state",
        "the effects of an event under one rule set reach the state of another",
    ),
    Fault(
        "hidden-tiles-forgotten",
        "replay/state_layout.py",
        "return bool(one.slots == other.slots and one.hidden == other.hidden)",
        "return bool(one.slots == other.slots)",
        "states of two rule sets count as equal although their rows hide other tiles",
    ),
    Fault(
        "cubes-cut-wrongly",
        "attribute/region.py",
        "on |= switch & away[1]",
        "on |= switch & ~away[1]",
        "what is left of a region without a part of it has the wrong rule sets",
    ),
    Fault(
        "footprint-without-messages-and-keys",
        "attribute/footprint.py",
        "if last in names:",
        "if names and names[0] == last:",
        "the switches of earlier conditions are left out of the footprint of a condition",
    ),
)

CACHES = tuple(
    Fault(*parts, "caches")
    for parts in (
        (
            "rules-cached-without-their-text",
            "elaborate/cache.py",
            "list(_texts(spec_path))",
            "len(list(_texts(spec_path)))",
            "a changed text still has the rules that were cached before",
        ),
        (
            "theorems-cached-without-options",
            "verify/theorem_cache.py",
            """        rules.options,
        sorted(instance.options.items()),
""",
            """        rules.options,
""",
            "a theorem serves other values of its options",
        ),
        (
            "theorems-cached-without-players",
            "verify/theorem_cache.py",
            'instance.players if "Seat(" in meaning else None',
            "None",
            "a theorem about seats serves other numbers of players",
        ),
        (
            "results-cached-without-options",
            "verify/cache.py",
            """        sorted(options.items()),
        settings.milliseconds,
""",
            """        settings.milliseconds,
""",
            "the results of a table serve other values of its options",
        ),
    )
)
