"""Rules: loaded once, they check, play, score, prove and compare.

Input: the name of a game with its variants, a file, or a text.
Output: `Rules`, which says what they are and does with them what the verbs of `golpae` do.
Guarantee: `Rules` never change, pickle, and are safe to use from several threads.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from golpae.elaborate.instance import bounds, options_of, values_of
from golpae.elaborate.lifecycle import own_params
from golpae.ir import ruleset as ir
from golpae.ir import types as ir_types
from golpae.library.checking import Call, Checked, OnFault, Trace, check_files, check_one, files_of
from golpae.library.errors import translated
from golpae.library.origin import NewLibrary, Origin, PathLike, library_of
from golpae.library.table import Table
from golpae.library.values import several
from golpae.replay.machine_cache import Library

if TYPE_CHECKING:
    from golpae.library.answers.comparing import Compared
    from golpae.library.answers.proving import Proof
    from golpae.library.answers.scoring import Scored, Waiting


@dataclass(frozen=True, slots=True)
class Switch:
    """A variant or reading that a text offers.

    Attributes:
        name: its name: `rules.plus(name)` turns it on.
        kind: `variant` or `reading`.
        gist: what it changes, in a sentence.
        on: whether it is on in these rules.
    """

    name: str
    kind: str
    gist: str
    on: bool


@dataclass(frozen=True, slots=True)
class Option:
    """An option that a table can set.

    Attributes:
        name: its name.
        low: the least value.
        high: the greatest value.
        default: the value if it is not set.
    """

    name: str
    low: int
    high: int
    default: int


@dataclass(frozen=True, slots=True)
class Key:
    """A key of an event.

    Attributes:
        name: its name.
        type: what it holds, in words: `a tile`, `tiles`, `a player`.
        optional: it may be left out.
    """

    name: str
    type: str
    optional: bool


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition of an action.

    Attributes:
        clause: how a refusal names it: `game.action.condition`.
        sources: the numbers of the rules that it stands for.
    """

    clause: str
    sources: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Action:
    """An action: what an event can be.

    Attributes:
        name: its name, the `do` of an event.
        kind: `play`, `before` (the first deal), `deal`, `end` (of a hand) or `finish` (of the match).
        by_player: whether a player acts, so that the event has `by`.
        keys: the other keys that the rules give it.
        conditions: all that has to hold, in the order in which it is checked.
    """

    name: str
    kind: str
    by_player: bool
    keys: tuple[Key, ...]
    conditions: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class Property:
    """A property that the text states: `Rules.prove` decides it.

    Attributes:
        name: its name.
        kind: `theorem`, `claim`, `always`, `never`, `reachable`, `ends` or `share`.
        expected: the verdict that the text expects: `proved`, `refuted`, `measured`, ...
        sources: the numbers of the rules that it is about.
    """

    name: str
    kind: str
    expected: str
    sources: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Rules:
    """Rules of a game, with the variants that are on. `golpae.load` and `golpae.load_text` make them."""

    rule_set: ir.RuleSet
    origin: Origin

    @property
    def name(self) -> str:
        """The game with its variants and readings: `game+variant`."""
        return self.rule_set.rules

    @property
    def game(self) -> str:
        """The game alone."""
        return self.rule_set.game

    @property
    def title(self) -> str:
        """The title of the game."""
        return self.rule_set.title

    @property
    def spec_hash(self) -> str:
        """A hash of all texts that they were read from."""
        return self.rule_set.spec_hash

    @property
    def players(self) -> range:
        """The numbers of players that they allow, with the usual options."""
        with translated():
            low, high = bounds(self.rule_set, options_of(self.rule_set, {}))
        return range(low, high + 1)

    @property
    def switches(self) -> tuple[Switch, ...]:
        """The variants and readings that the text offers."""
        active = self.rule_set.active
        return tuple(Switch(s.name, s.kind, s.gist, s.name in active) for s in self.rule_set.switches)

    @property
    def options(self) -> tuple[Option, ...]:
        """The options that a table can set."""
        with translated():
            usual = options_of(self.rule_set, {})
            values = {name: values_of(self.rule_set, name) for name in usual}
        return tuple(Option(name, values[name][0], values[name][-1], usual[name]) for name in usual)

    @property
    def actions(self) -> tuple[Action, ...]:
        """The actions, in the order of the text."""
        return tuple(_action(self.game, action) for action in self.rule_set.actions)

    @property
    def properties(self) -> tuple[Property, ...]:
        """The properties that the text states, and those that are asked of any game."""
        from golpae.prove.answer import MEASURED
        from golpae.verify.properties import properties_of
        from golpae.verify.result import SHARE

        stated = (
            Property(p.name, p.kind, p.expected or "proved", p.ids) for p in properties_of(self.rule_set)
        )
        shares = (Property(s.name, SHARE, s.expected or MEASURED, s.ids) for s in self.rule_set.shares)
        return (*stated, *shares)

    @property
    def library(self) -> Library:
        """What replays games by them in this thread. It is no part of the interface."""
        return library_of(self.rule_set, self.origin)

    # ------------------------------------------------------------------ other rules, tables

    def plus(self, *switches: str) -> Rules:
        """Return these rules with more variants or readings on.

        Args:
            switches: their names.

        Raises:
            RulesError: the text has no such switch, or two of them change the same clause in different ways.
            TypeError: a switch is not named by a text.
        """
        several(switches, str, "switches are named by texts")
        name = "+".join((self.name, *(switch.removeprefix("+") for switch in switches)))
        return Rules(self.origin.loaded(name), self.origin)

    def at(self, players: int | None = None, options: Mapping[str, int] | None = None) -> Table:
        """Return a table.

        Args:
            players: how many play; the fewest that the rules allow if None.
            options: values of options; the usual ones for those that are not named.

        Raises:
            TableError: the rules do not allow that.
        """
        return Table(self, players, options or {})

    def tables(self, options: Mapping[str, int] | None = None) -> tuple[Table, ...]:
        """Return a table for each number of players that the rules allow with these options."""
        given = options or {}
        with translated():
            low, high = bounds(self.rule_set, options_of(self.rule_set, given))
        return tuple(self.at(players, given) for players in range(low, high + 1))

    # ------------------------------------------------------------------ what they do

    def check(self, trace: Trace, *, cited: bool = False, rulings: PathLike | None = None) -> Checked:
        """Check a recorded game against these rules, whatever rules its header names.

        Args:
            trace: the path of its file; its text, which begins with `{`; or its lines, each a dict or a text.
            cited: give the verdict the hashes of the texts and of the game.
            rulings: a file of [rulings](verdicts.md#rulings), which let events stand.

        Raises:
            TraceError: there is no such file, no game in it, or several; nothing needs a ruling.
        """
        return check_one(trace, self.call(cited=cited, rulings=rulings))

    def check_all(
        self,
        paths: PathLike | Iterable[PathLike],
        on_fault: OnFault | None = None,
        processes: int = 1,
        *,
        cited: bool = False,
        rulings: PathLike | None = None,
    ) -> Iterator[Checked]:
        """Yield the verdict on each game of files and folders under these rules, as `golpae.check_all` does."""
        return check_files(files_of(paths), self.call(on_fault, processes, cited, rulings))

    def call(
        self,
        on_fault: OnFault | None = None,
        processes: int = 1,
        cited: bool = False,
        rulings: PathLike | None = None,
    ) -> Call:
        """Return how files are checked. It is no part of the interface."""
        new = NewLibrary(self.origin, self.rule_set)
        return Call(new, self.name, on_fault, processes, cited, rulings)

    def score(
        self,
        tiles: Iterable[str] = (),
        keys: Mapping[str, Any] | None = None,
        *,
        players: int | None = None,
        score: str | None = None,
    ) -> Scored | Waiting:
        """Score a hand without a game.

        Args:
            tiles: its tiles.
            keys: the other keys that the score takes, with their values as a trace has them.
            players: how many play, if the set of tiles depends on it; the most that the rules allow if None.
            score: the name of the score, if the rules have several.

        Returns:
            What the hand counts; or, if the tile is left out that completes it, what it counts with each.

        Raises:
            HandError: it cannot be scored.
        """
        from golpae.library.answers.scoring import scored

        return scored(self, tiles, players, score, keys or {})

    def prove(
        self,
        *properties: str,
        players: int | None = None,
        options: Mapping[str, int] | None = None,
        processes: int = 1,
        effort: float = 1,
        seed: int = 1,
        seconds: float = 600,
        cached: bool = True,
        hands: int | None = None,
    ) -> tuple[Proof, ...]:
        """Decide properties that the text states, at each table; claims on shares of hands come last.

        Args:
            properties: their names; all if none is named.
            players: only at tables with so many players.
            options: values of options.
            processes: how many processes work at the same time.
            effort: how hard to try: so many times as much work for questions and searches.
            seed: the seed of random games.
            seconds: a property that takes longer is unknown.
            cached: use results that were found before, and keep those that are found.
            hands: play so many hands for claims on shares of hands; if None, what is kept beside the text counts.

        Raises:
            RulesError: there is no such property.
            TableError: the rules do not allow this number of players, or these options, or
                a claim on a share of hands is not about it.
        """
        from golpae.library.answers.proving import Effort, proofs

        return proofs(
            self, properties, players, options or {}, Effort(processes, effort, seed, seconds, cached, hands)
        )

    def compare(
        self,
        other: Rules | str,
        *,
        players: int | None = None,
        options: Mapping[str, int] | None = None,
        games: bool = True,
        sizes: bool = False,
        processes: int = 1,
        effort: float = 1,
        seed: int = 1,
        cached: bool = True,
    ) -> Compared:
        """Compare other rules with these, clause by clause and game by game.

        Args:
            other: the other rules; a text names a variant of these, or other rules.
            players: only at tables with so many players.
            options: values of options.
            games: compare the games that they allow, too, which may take minutes.
            sizes: tell how much they differ, too: tiles, hands and deals counted, hands and games by chance.
            processes: how many processes work at the same time.
            effort: how hard to try.
            seed: the seed of what is played by chance.
            cached: use results that were found before, and keep those that are found.

        Raises:
            RulesError: there are no such rules.
            TableError: one of them has no such table.
        """
        from golpae.library.answers.comparing import Limits, compared

        limits = Limits(games, sizes, processes, effort, seed, cached)
        return compared(self, other, players, options or {}, limits)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Rules):
            return NotImplemented
        return (self.name, self.spec_hash) == (other.name, other.spec_hash)

    def __hash__(self) -> int:
        return hash((self.name, self.spec_hash))

    def __repr__(self) -> str:
        """Return their name."""
        return f"<Rules {self.name}>"


def _action(game: str, action: ir.Action) -> Action:
    keys = tuple(
        Key(
            param.name,
            ir_types.spoken(param.type.item if isinstance(param.type, ir_types.Opt) else param.type),
            param.optional,
        )
        for param in own_params(action)
    )
    conditions = tuple(Condition(f"{game}.{action.name}.{c.name}", c.ids) for c in action.conditions)
    return Action(action.name, action.kind, action.by is not None, keys, conditions)
