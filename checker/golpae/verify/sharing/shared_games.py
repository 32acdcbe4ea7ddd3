"""Kept proofs about games that were checked again, shared by rule sets that the prover cannot tell apart in games.

Input: a property, an instance, the settings with what is kept; the machine's answers about scores.
Output: the result last stored for exactly these, if this machine gives the same answers.
Guarantee: a result serves another rule set only if both lead to the same questions to the solver. Of a score the prover
knows the parameters, the hand, the arrangements, and what replay counts for tiles that it asks about; of the patterns
it knows no more, unless they decide which tiles a shape has. So the name of an entry depends on all of the rules but
the inside of other scores, and an entry lists what replay was asked: it serves whoever counts the same.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from typing import Any

import msgspec

from golpae import cache
from golpae.elaborate.instance import Instance
from golpae.elaborate.names import NAME
from golpae.ir import expr as ir
from golpae.ir.dependencies import Dependencies, exprs_within
from golpae.ir.ruleset import Definition, PropertyDecl, RuleSet
from golpae.ir.traverse import nodes
from golpae.ir.types import Tile
from golpae.prove.answer import PROVED
from golpae.prove.induction.invariant_templates import NAMES
from golpae.prove.symbolic.terms import Unsupported
from golpae.prove.symbolic.values import MeldValue
from golpae.replay_bridge import Asked, ReplayShapes
from golpae.verify.cache import CODE, packages_of
from golpae.verify.kept_proofs import KeptTable
from golpae.verify.options import Settings
from golpae.verify.properties import OF_ANY_GAME, is_about_rules, meaning_of
from golpae.verify.result import PropertyResult
from golpae.verify.sharing.slices import known_scores

FORM = 1


@dataclass(frozen=True, slots=True)
class Shared:
    """A result, and what replay answered about scores: the score, the values of its parameters, its points."""

    result: PropertyResult
    asked: list[tuple[str, list[Any], int | None]]


class GameProofs:
    """The entries of the properties of one instance."""

    def __init__(self, instance: Instance, settings: Settings) -> None:
        self._settings = settings
        self._depends = _depends(instance, settings)

    def name(self, prop: PropertyDecl) -> str | None:
        """Return the name of the entry for a property; None if its result is not to be shared."""
        if self._depends is None:
            return None
        packages = packages_of(self._settings)
        return cache.fingerprint("games", self._depends, prop.name, code=CODE, packages=packages)


def load(name: str, shapes: ReplayShapes) -> PropertyResult | None:
    """Return the result that is stored under a name, if these shapes and scores give the values on which it rests; else
    None.
    """
    shared = cache.load_as(name, Shared)
    if shared is None or not counts_alike(shared.asked, shapes):
        return None
    return shared.result


def store(name: str, result: PropertyResult, asked: Asked) -> None:
    """Store a proof that no game takes part in."""
    if result.verdict == PROVED and result.witness is None and result.positions is None:
        cache.store_as(name, Shared(result, [(s, plain(args), best) for (s, args), best in asked.items()]))


def _depends(instance: Instance, settings: Settings) -> str | None:
    """Return a hash over what proofs about games depend on; None if they depend on what scores count."""
    stored = settings.kept
    if stored is None or not settings.cached or settings.smt2 is not None:
        return None
    rules = instance.rule_set
    of_games = tuple(p for p in rules.properties if not is_about_rules(rules, p))
    bare = replace(
        meaning_of(rules),
        rules="",
        title="",
        active=(),
        definitions=(),
        scores=known_scores(rules),
        properties=of_games,
    )
    parts = replace(bare, definitions=rules.definitions)
    reached = _definitions_reached(parts, exprs_within(bare), stored)
    if any(isinstance(node, ir.Ways) for expr in exprs_within((bare, reached)) for node in nodes(expr)):
        return None
    return cache.digest(
        FORM,
        bare,
        reached,
        sorted(_named_tiles(rules)),
        sorted({d.name for d in rules.definitions}.intersection(NAMES)),
        instance.players,
        sorted(instance.options.items()),
        _checked(stored, {p.name for p in (*of_games, *OF_ANY_GAME)}),
        settings.counted,
        settings.lost,
    )


def _definitions_reached(rules: RuleSet, exprs: Iterable[ir.Expr], kept_table: KeptTable) -> list[Definition]:
    """Return the definitions that expressions or the lemmas that are kept refer to, in their order."""
    dependencies = Dependencies(rules)
    words = {word for lemma in kept_table.lemmas for word in NAME.findall(lemma)}
    named = [case.expr for d in rules.definitions if d.name in words for case in d.cases]
    reached = {name for kind, name in dependencies.reached_by([*exprs, *named]) if kind == "definition"}
    return [d for d in rules.definitions if d.name in reached | words]


def _named_tiles(rules: RuleSet) -> set[str]:
    """Return the names of tiles in all definitions: the prover knows these kinds even if none is in play."""
    exprs = (case.expr for d in rules.definitions for case in d.cases)
    return {
        str(node.value)
        for expr in exprs
        for node in nodes(expr)
        if isinstance(node, ir.Const) and isinstance(node.type, Tile)
    }


def _checked(kept_table: KeptTable, names: Collection[str]) -> KeptTable:
    """Return of what is kept what a proof of one of these properties depends on: not the text, games, or its cost."""
    results = tuple(
        msgspec.structs.replace(result, how="", witness=(), named=False, questions=0, units=0)
        for result in kept_table.results
        if result.name in names
    )
    return replace(kept_table, text="", results=results, shares=(), places=())


# ------------------------------------------------------------------ what replay was asked


def counts_alike(asked: Iterable[tuple[str, list[Any], int | None]], shapes: ReplayShapes) -> bool:
    """Return whether scores count for these tiles what they counted elsewhere."""
    try:
        return all(shapes.best(score, frozen(args)) == best for score, args, best in asked)
    except (Unsupported, LookupError, TypeError):  # too many steps; or the entry speaks of another score
        return False


def plain(value: Any) -> Any:
    """Return the values of parameters as plain data: a meld is an object, a bag a list."""
    if isinstance(value, MeldValue):
        return {"tiles": value.tiles, "label": value.label}
    return [plain(item) for item in value] if isinstance(value, tuple) else value


def frozen(value: Any) -> Any:
    """Return the values that `plain` made plain."""
    if isinstance(value, dict):
        return MeldValue(tuple(value["tiles"]), value["label"])
    return tuple(map(frozen, value)) if isinstance(value, list) else value
