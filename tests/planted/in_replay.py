"""Faults of replay: generated code and its runtime, the list of legal events, scores, the cache of machines."""

from __future__ import annotations

from tests.planted.fault import Fault

CODE = "replay/codegen"

REPLAY = (
    Fault(
        "assigned-without-a-copy",
        f"{CODE}/expressions.py",
        'return f"copied({value})" if isinstance(bare, Bag | Each) else value',
        "return value",
        "a state holds the list of a zone itself, and changes when the zone does",
    ),
    Fault(
        "states-share-a-list",
        "replay/state_layout.py",
        'return f"S.{var_slot(var.name)}" + ("[:]" if var.each_player else "")',
        'return f"S.{var_slot(var.name)}"',
        "a copy of a state shares each player's values with the original",
    ),
    Fault(
        "rounds-as-they-lie",
        f"{CODE}/effects.py",
        "{'sorted' if is_plain(domain.type) else 'rounds'}",
        "{'list' if is_plain(domain.type) else 'rounds'}",
        "a loop goes through tiles in the order in which they lie",
    ),
    Fault(
        "left-is-right",
        f"{CODE}/expressions.py",
        "- 1) % {n})",
        "+ 1) % {n})",
        "the player on the left is the one on the right",
    ),
    Fault(
        "passed-to-the-wrong-side",
        "replay/runtime.py",
        'if side == "right":',
        'if side == "left":',
        "what is passed to the right goes to the left",
    ),
    Fault(
        "last-hand-remembered",
        f"{CODE}/state.py",
        """            if var.scope == "hand":
                self._first_value(var)""",
        """            if var.scope == "hand" and var.initial is None:
                self._first_value(var)""",
        "a deal leaves the states of the last hand as they are",
    ),
    Fault(
        "winner-stays",
        f"{CODE}/state.py",
        """        self._put(0, "def new_hand(S):")
        self._put(1, "S.winners = ()")
""",
        """        self._put(0, "def new_hand(S):")
""",
        "a deal keeps the winner of the last hand",
    ),
    Fault(
        "division-rounds-up",
        "replay/runtime.py",
        "return a // b if b else 0",
        "return -(-a // b) if b else 0",
        "the whole part of a quotient is rounded up",
    ),
    Fault(
        "range-stops-early",
        f"{CODE}/expressions.py",
        'return f"between({self.emit(args[0])}, {self.emit(args[1])})"',
        'return f"between({self.emit(args[0])}, {self.emit(args[1])} - 1)"',
        "`{a to b}` lacks its last number",
    ),
    Fault(
        "row-turned-over",
        "replay/runtime.py",
        "[*reversed(row.slots), *self.slots] if index == 0",
        "[*row.slots, *self.slots] if index == 0",
        "a whole row that is moved to the front of another one keeps its order",
    ),
    Fault(
        "taken-from-the-first-hidden-place",
        "replay/runtime.py",
        "(visible := slots.index(tile)) < at:",
        "(visible := slots.index(tile)) > at:",
        "a tile leaves a row from a hidden place although it lies visible before it",
    ),
    Fault(
        "melds-without-labels",
        "replay/runtime.py",
        'return tuple.__eq__(self, other) is True and self.label == getattr(other, "label", None)',
        "return tuple.__eq__(self, other) is True",
        "melds of the same tiles under other labels count as equal",
    ),
    Fault(
        "label-lost-on-the-way",
        f"{CODE}/effects.py",
        'labelled = emit(meld) if label is None else f"Meld({emit(meld)}, {label!r})"',
        'labelled = f"Meld({emit(meld)}, {label!r})"',
        "a meld that is moved loses its label",
    ),
    Fault(
        "payer-keeps-it",
        "lower/effects.py",
        '                yield st.Credit(payer, ir.Op("neg", (paid,), INT))\n',
        "",
        "who pays does not lose what the other one gets",
    ),
    Fault(
        "copies-not-counted",
        "replay/runtime.py",
        """            return False
        rest.remove(item)
    return True""",
        """            return False
    return True""",
        "`{a, a} in s` holds of a bag with one `a`",
    ),
    Fault(
        "first-order-only",
        "replay/runtime.py",
        "if failed < alike:  # none fails",
        "if failed <= alike:  # none fails",
        "the orders of a list are not tried if the first one fails at the first condition that tells them apart",
    ),
    Fault(
        "the-first-of-several",
        "replay/runtime.py",
        "if not items or any(not _alike(item, items[0]) for item in items):",
        "if not items:",
        "`the v in s` is the first member that passes, also if others pass",
    ),
    Fault(
        "too-few-left-to-choose",
        "replay/runtime.py",
        "if not 0 <= size <= after[0]:",
        "if not 0 <= size < after[0]:",
        "a choice of several members leaves out those that take all that is left",
    ),
    Fault(
        "moves-thought-safe",
        "lower/move_safety.py",
        "if place.zone in self.taken or not _is_stated(",
        "if not _is_stated(",
        "an action that takes a tile twice is thought to succeed always",
    ),
    Fault(
        "impossible-moves-listed",
        "replay/legal_events.py",
        """        except ValueError:
            return False""",
        """        except ValueError:
            return True""",
        "events are listed whose effects cannot be carried out",
    ),
    Fault(
        "no-pairs-of-equal-tiles",
        "replay/event_planner.py",
        "for chosen in combinations_with_replacement(kinds, size):",
        "for chosen in combinations(kinds, size):",
        "lists of two equal tiles are not listed",
    ),
    Fault(
        "bound-left-out",
        "replay/event_planner.py",
        "range(first, last + 1)",
        "range(first, last)",
        "the highest number that a key allows is not listed",
    ),
    Fault(
        "optional-keys-always-given",
        "replay/event_planner.py",
        "return _or_none(values) if offered.may_be_none else values",
        "return values",
        "events without their optional key are not listed if a condition names its values",
    ),
    Fault(
        "different-groups-may-be-equal",
        "replay/scoring/layout_search.py",
        "(first == way[0] and not self.different[first[1]])",
        "first == way[0]",
        "groups of a part marked `different` may be equal",
    ),
    Fault(
        "brought-by-the-wrong-one",
        "ir/scoring.py",
        "places[other] < places[name]",
        "places[other] > places[name]",
        "of patterns that bring each other, the last in the text stays",
    ),
    Fault(
        "scores-cached-without-labels",
        "replay/scoring/score.py",
        'return tuple(value), value.label or ""',
        'return tuple(value), ""',
        "the cached score of a hand serves melds of the same tiles under other labels",
    ),
    Fault(
        "extra-is-eligible",
        "replay/scoring/score.py",
        "eligible = tuple(is_eligible(self.score, self.score.patterns[place]) for place in places)",
        "eligible = tuple(True for place in places)",
        "`eligible` adds up patterns marked `extra`",
    ),
    Fault(
        "shown-groups-are-marked",
        "replay/scoring/score.py",
        "if marked in g and id(g) not in lying)",
        "if marked in g)",
        "a meld on the table may be the marked group",
    ),
    Fault(
        "unions-forget-labels",
        "replay/scoring/arrangements.py",
        "return name == tiles.label or name in self._unions.get(tiles.label, ())",
        "return name == tiles.label",
        "a labelled meld is not of the unions that its shape belongs to",
    ),
    Fault(
        "machines-cached-without-options",
        "replay/machine_cache.py",
        "key = (rules, players, tuple(sorted(options.items())))",
        "key = (rules, players, len(options))",
        "a machine serves headers with other values of its options",
    ),
)
