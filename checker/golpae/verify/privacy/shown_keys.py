"""Which tiles that an event names all players see.

Input: a rule set. Output: whether the tiles of a key are seen by everybody, in every event of an action.
Guarantee: "yes" is certain, as `golpae hide` shows events; "no" may be wrong.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from golpae.ir import expr as ir
from golpae.ir.ruleset import EVERYONE, Action, ParamDecl, RuleSet
from golpae.lower import statements as st
from golpae.lower.effects import statements_of
from golpae.lower.walk import Transfer, flat, transfers


class ShownKeys:
    """The keys of one rule set."""

    def __init__(self, rules: RuleSet) -> None:
        self._rules = rules

    def shows(self, action: Action, param: ParamDecl) -> bool:
        """Return whether all players see the tiles of a key in every event of an action.

        They do if these tiles come to where all see them, or leave it, and no others go the opposite way; or if no
        tiles move but where all see them.
        """
        if action.kind == "deal":
            return any(zone.name == param.name and zone.seen_by == EVERYONE for zone in self._rules.zones)
        statements = statements_of(self._rules, action)
        moves = [*transfers(statements)]
        sides = [(self._is_open(move.source), self._is_open(move.target)) for move in moves]
        rotated = any(isinstance(s, st.Rotate) and not self._is_open_zone(s.zone) for s in flat(statements))
        if not rotated and (all(source and target for source, target in sides) or self._hides_in_one(moves)):
            return True
        if (True, False) not in sides:
            return self._cross(statements, param, (False, True))
        return (False, True) not in sides and self._cross(statements, param, (True, False))

    def _cross(self, statements: Sequence[st.Statement], param: ParamDecl, sides: tuple[bool, bool]) -> bool:
        """Return whether all tiles of a key go from one side to the other."""
        return self._crosses(statements, param.name, sides) or (
            bool(param.parts) and all(self._crosses(statements, part, sides) for part in param.parts)
        )

    def _hides_in_one(self, moves: Iterable[Transfer]) -> bool:
        """Return whether at most one shared zone takes part in moves that not everybody sees: what it gains or loses,
        zones that everybody sees lose or gain.
        """
        places = {
            place.zone if isinstance(place, ir.Place) else place.name
            for move in moves
            for place in (move.source, move.target)
            if not self._is_open(place)
        }
        return len(places) <= 1 and not any(self._rules.zone(name).each_player for name in places)

    def _is_open(self, place: ir.Place | ir.ZoneRead) -> bool:
        return self._is_open_zone(place.zone if isinstance(place, ir.Place) else place.name)

    def _is_open_zone(self, name: str) -> bool:
        return self._rules.zone(name).seen_by == EVERYONE

    def _crosses(self, statements: Iterable[st.Statement], key: str, sides: tuple[bool, bool]) -> bool:
        """Return whether the tiles of a key go from one side to the other, whichever branches are taken."""
        plain: list[st.Statement] = []
        for statement in statements:
            if isinstance(statement, st.Branch):
                if all(self._crosses(part, key, sides) for part in (statement.yes, statement.no)):
                    return True
            elif isinstance(statement, st.Loop):
                if isinstance(statement.domain, ir.Local) and statement.domain.name == key:
                    if self._crosses(statement.body, statement.name, sides):
                        return True
            else:
                plain.append(statement)
        return any(
            _is_key(move, key) and (self._is_open(move.source), self._is_open(move.target)) == sides
            for move in transfers(plain)
        )


def _is_key(move: Transfer, key: str) -> bool:
    what = move.what
    items = what.items if isinstance(what, ir.BagOf) else (what,)
    return any(isinstance(item, ir.Local) and item.name == key for item in items)
