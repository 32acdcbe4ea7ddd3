"""Faults of attribute, search, comparison and the caches between runs."""

from __future__ import annotations

from tests.planted.fault import Fault

OTHERS = (
    Fault(
        "called-definitions-not-reported",
        "attribute/multi_replay.py",
        "_split(waiting, machines.reported | footprint.checking, switches_on)",
        "_split(waiting, footprint.checking, switches_on)",
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
        "families/region.py",
        "on |= switch & away[1]",
        "on |= switch & ~away[1]",
        "what is left of a region without a part of it has the wrong rule sets",
    ),
    Fault(
        "footprint-without-messages-and-keys",
        "families/footprint.py",
        "if last in names:",
        "if names and names[0] == last:",
        "the switches of earlier conditions are left out of the footprint of a condition",
    ),
)

COMPARED = tuple(
    Fault(*parts, "syntax")
    for parts in (
        (
            "conditions-compared-one-way",
            "compare/games/alignment.py",
            "for some, rest in ((action, other), (other, action)):",
            "for some, rest in ((action, other),):",
            "rule sets are the same by syntax although the second one has more conditions",
        ),
        (
            "order-of-effects-ignored",
            "compare/games/divergence.py",
            "if reordered or not self._same_tile_names(action)",
            "if not self._same_tile_names(action)",
            "effects in another order count as the same",
        ),
        (
            "diverged-states-read-as-one",
            "compare/games/divergence.py",
            "return reads_diverged or self.is_rewritten(condition, action)",
            "return self.is_rewritten(condition, action)",
            "a condition is not asked although it reads a state that differs",
        ),
        (
            "withdrawn-as-in-the-other",
            "compare/games/alignment.py",
            "tiles = replace(a.tiles, withdrawn=b.tiles.withdrawn, wild",
            "tiles = replace(a.tiles, wild",
            "the second rule set is compared with the tiles that the first one withdraws",
        ),
        (
            "one-side-of-a-deal",
            "compare/games/all_games.py",
            "alike = (side, *(d.key(s) for d, s in zip(self.deals, position.states, strict=True)))",
            "alike = (side, self.deals[side].key(state))",
            "a position is not dealt from if one of its two states was",
        ),
        (
            "one-state-of-a-position",
            "compare/games/all_games.py",
            "key = tuple(key(state) for key, state in zip(self.keys, states, strict=True))",
            "key = self.keys[0](states[0])",
            "positions count as one although the states of the second rule set differ",
        ),
    )
)

HEADERS = (
    Fault(
        "headers-with-other-players",
        "compare/games/headers.py",
        "if self.chosen.players is None:",
        "if self.chosen.players is not None:",
        "numbers of players that only one rule set allows are no difference",
        "comparisons",
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
            "verify/sharing/theorems.py",
            """        rules.options,
        sorted(instance.options.items()),
""",
            """        rules.options,
""",
            "a theorem serves other values of its options",
        ),
        (
            "theorems-cached-without-players",
            "verify/sharing/theorems.py",
            'instance.players if "Seat(" in meaning else None',
            "None",
            "a theorem about seats serves other numbers of players",
        ),
        (
            "results-cached-without-options",
            "verify/cache.py",
            """            sorted(options.items()),
            settings.counted,
""",
            """            settings.counted,
""",
            "the results of a table serve other values of its options",
        ),
    )
)
