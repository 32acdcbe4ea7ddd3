"""A live game: events happen one after the other, each checked against the rules as it comes.

Input: a table, the players' names; events as a trace has them.
Output: `Accepted` or `Refused` for each, positions, legal events, and the game as a trace.
Guarantee: an event that is refused changes nothing. What the game returns never changes. A game may be used by several
threads, though by one at a time for an event that depends on what it was before.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

from golpae.diagnostics.amounts import many
from golpae.library.checking import Checked, Refused, Ruled, malformed, refused_of
from golpae.library.engine import Engine, Policy, Position
from golpae.library.errors import TableError, TraceError, translated
from golpae.library.events import Accepted, Choice, Event, Scribe
from golpae.library.history import History
from golpae.library.values import NOT_JSON, FrozenDict, frozen, line_fault, line_of, plain, shown, written
from golpae.replay.chance import WORDS, Chance
from golpae.replay.decode import Bad
from golpae.replay.explain import explain
from golpae.replay.legal_events import Event as Happening
from golpae.replay.machine import State
from golpae.replay.random_deal import DEALS, deal_by_chance, one_deal
from golpae.replay.replay import happen, let_stand
from golpae.replay.report import Refusal
from golpae.replay.simulate import written as line_written
from golpae.replay.speaker import Speaker
from golpae.trace import Header, Verdict, quoted, read_header
from golpae.trace.read import MOST_DIGITS
from golpae.trace.unseen import NOBODY_SAW, needs_tiles

if TYPE_CHECKING:
    from golpae.library.rules import Rules
    from golpae.library.table import Table

ALWAYS_READ = 100  # characters: so short a line of JSON exceeds no limit of the trace format


class Game:
    """A game under way. `Table.game` and `golpae.live` make one.

    A game pickles and copies with all that has happened in it.
    """

    __slots__ = ("_engine", "_header", "_heard", "_history", "_note", "_scribe", "_table")

    def __init__(self, table: Table, header: Mapping[str, Any]) -> None:
        header_read = _header_in(header)
        self._table = table
        self._header: Header = header_read
        self._note: FrozenDict[str, Any] = frozen(dict(header))
        self._engine: Engine = table.engine
        self._scribe = Scribe(self._engine, Speaker(self._engine.machine, header_read))
        self._heard: dict[int, tuple[int, set[str]]] = {}  # up to which event, and what is hidden, by seat
        with self._engine.lock, translated():
            first = self._engine.machine.new_state(header_read.stake)
        self._history = History(self._engine, header_read, first)

    # ------------------------------------------------------------------ what it is

    @property
    def table(self) -> Table:
        """The table at which it is played."""
        return self._table

    @property
    def rules(self) -> Rules:
        """Its rules."""
        return self._table.rules

    @property
    def players(self) -> tuple[str, ...]:
        """The players' names, seat 0 first."""
        return self._header.players

    @property
    def header(self) -> FrozenDict[str, Any]:
        """The header of its trace."""
        return self._note

    @property
    def events(self) -> tuple[Event, ...]:
        """All that has happened."""
        return tuple(event for event, _ in self._history.events)

    @property
    def rulings(self) -> tuple[Ruled, ...]:
        """The rules that were broken by events that stand, and why these do."""
        return self._history.ruled

    @property
    def stage(self) -> str:
        """Where it is: `before` the first deal, `playing`, `over` (a hand is), `ended` (between hands), `finished`."""
        return self._engine.machine.stage(self._history.last)

    @property
    def over(self) -> bool:
        """Whether no hand is under way, after the first deal."""
        return self.stage in ("over", "ended", "finished")

    @property
    def finished(self) -> bool:
        """Whether the match is finished: nothing can follow."""
        return self.stage == "finished"

    @property
    def winner(self) -> int | None:
        """The seat that has won this hand, or None."""
        winner: int | None = self._history.last.winner
        return winner

    @property
    def totals(self) -> tuple[int, ...]:
        """The points of each seat in the match, hands that have ended."""
        return tuple(self._history.last.total)

    @property
    def payments(self) -> tuple[int, ...] | None:
        """What each seat was paid for the last hand that ended; None before."""
        kinds = self._engine.machine.actions
        for _, happened in reversed(self._history.events):
            if kinds[happened.action].kind == "end":
                return tuple(happened.args[1])
        return None

    @property
    def position(self) -> Position:
        """The position, with everything that lies there."""
        with self._engine.lock:
            return self._engine.position(self._history.last)

    def seen_by(self, seat: int) -> Position:
        """Return the position as a seat sees it: `?` for each tile that it cannot see.

        Raises:
            IndexError: there is no such seat.
        """
        self._refuse_seat(seat)
        with self._engine.lock:
            upto, hidden = self._heard.get(seat, (0, set()))
            self._engine.hear(self._history.states(upto), seat, hidden)
            self._heard[seat] = len(self._history.events), hidden
            return self._engine.seen(self._history.last, seat, hidden)

    def event_seen_by(self, seat: int, number: int = -1) -> Event:
        """Return an event, the last if no number is given, as a seat may know it: `?` for each tile that it cannot see.

        Raises:
            IndexError: there is no such seat, or no such event.
        """
        self._refuse_seat(seat)
        event, happened = self._history.event(number)
        at = range(len(self._history.events))[number]
        with self._engine.lock:
            states = [*islice(self._history.states(at), 2)]
            return self._scribe.seen_by(seat, event, happened, states)

    # ------------------------------------------------------------------ what happens

    def apply(
        self, event: Event | Mapping[str, Any] | str, rulings: Mapping[str, str] | None = None
    ) -> Accepted | Refused:
        """Let an event happen, or refuse it with the reason; then nothing has changed.

        Args:
            event: an event as a trace has it: a dict, a line of JSON, or one of `legal()`.
            rulings: clauses that the event may break, each with the reason why it stands.

        Returns:
            `Accepted`, which is true, or `Refused`, which is false.

        Raises:
            LimitError: the rules take too many steps.
            TraceError: the event does not break a clause that has a ruling.
            TypeError: the event is nothing that JSON has.
        """
        reasons = reasons_of(rulings)
        given = event.line if isinstance(event, Event) else event
        line, fault = line_of(given, "an event")
        if fault is not None or line is None:
            return malformed(fault or "an event is a JSON object")
        with self._engine.lock, translated():
            happened = _happened(self._engine, self._header, self._history, line, reasons)
            if isinstance(happened, Refused):
                return happened
            return self._accepted(*happened)

    def deal(self, seed: int, first: int | None = None) -> Accepted | Refused:
        """Deal by chance.

        Args:
            seed: the same seed gives the same deal in the same position.
            first: who is dealt the first player's hand; by chance among `dealers` if None.

        Returns:
            `Accepted`, or `Refused` if no deal can be made now.
        """
        refuse_seed(seed)
        engine, machine = self._engine, self._engine.machine
        with engine.lock, translated():
            state, chance = machine.copy(self._history.last), Chance(seed, len(self._history.events))
            deal = _deal(engine, state, first, chance)
            if deal is None:
                words = "no deal can be made now" + ("" if first is None else f" with seat {first} first")
                return Refused(words, to_player=words)
            machine.apply(deal.action, state, deal.args)
            return self._accepted(deal, state, line_written(machine, deal))

    def undo(self, events: int = 1) -> tuple[Event, ...]:
        """Take back the last events, and return them; fewer if there are not so many."""
        if type(events) is not int or events < 0:
            raise ValueError("`undo` takes back a number of events from 0 on")
        remaining = max(0, len(self._history.events) - events)
        gone = self.events[remaining:]
        with self._engine.lock:
            self._history.cut(remaining)
        self._heard.clear()
        return gone

    def copy(self) -> Game:
        """Return another game in which the same has happened; what happens in one does not happen in the other."""
        game = object.__new__(Game)
        for name in ("_table", "_header", "_note", "_engine", "_scribe"):
            setattr(game, name, getattr(self, name))
        game._history, game._heard = self._history.copy(), {}
        return game

    __copy__ = copy

    # ------------------------------------------------------------------ what can follow

    def legal(self, seat: int | None = None) -> tuple[Event, ...]:
        """Return the legal events, in the order of [the semantics](semantics.md#11-games-by-chance).

        Deals are not among them: `dealers` says who can be first in one.

        Args:
            seat: only what this seat can do.

        Raises:
            LimitError: finding them takes too many steps.
        """
        if seat is not None:
            self._refuse_seat(seat)
        with self._engine.lock, translated():
            happenings = self._engine.legal.in_order(self._history.last)
            events = (self._scribe.event(happening) for happening in happenings)
            return tuple(event for event in events if seat is None or event.by == seat)

    def choices(self, seat: int) -> tuple[Choice, ...]:
        """Return the choices of a seat, with no more than its player may know; `legal` also names tiles not seen yet.

        Raises:
            IndexError: there is no such seat.
        """
        self._refuse_seat(seat)
        with self._engine.lock, translated():
            choices = self._engine.choices(self._history.last, seat)
            return tuple(self._scribe.choice(choice, seat) for choice in choices)

    def choose(self, seat: int, policy: Policy = "random", seed: int = 1) -> Event | None:
        """Return the event that a policy chooses for a seat now; nothing happens.

        Args:
            seat: who chooses.
            policy: `random`, `greedy`, `towards`, or a function of a `Turn`, which is not asked about a single choice.
            seed: the same seed gives the same choice in the same position.

        Returns:
            One of the legal events of the seat; None if it has none, or lets others act.

        Raises:
            PolicyError: there is no such policy, or it returns what is no choice.
        """
        self._refuse_seat(seat)
        refuse_seed(seed)
        with self._engine.lock, translated():
            chance = Chance(seed, len(self._history.events))
            chosen = self._engine.chosen(self._history.last, seat, policy, chance)
            return None if chosen is None else self._scribe.event(chosen)

    @property
    def dealers(self) -> tuple[int, ...]:
        """The seats that can be dealt the first player's hand now; none while a hand is under way."""
        with self._engine.lock, translated():
            return tuple(self._engine.legal.can_deal(self._history.last))

    @property
    def unlisted(self) -> tuple[str, ...]:
        """Actions that may be legal too, but have too many events for `legal` to list."""
        with self._engine.lock, translated():
            return tuple(self._engine.legal.unlisted(self._history.last))

    # ------------------------------------------------------------------ as a trace

    def lines(self) -> tuple[str, ...]:
        """Return the game as the lines of a trace, header first."""
        return (written(plain(self._note)), *(event.line for event, _ in self._history.events))

    def checked(self) -> Checked:
        """Return the verdict on the game so far: legal (or by ruling) if the last hand has ended, else incomplete."""
        ruled = self.rulings
        good = Verdict.RULED if ruled else Verdict.LEGAL
        verdict = good if self.stage in ("ended", "finished") else Verdict.INCOMPLETE
        header, events = self._header, len(self._history.events)
        return Checked(verdict, "<live>", 1, header.id, header.rules, events=events, rulings=ruled)

    # ------------------------------------------------------------------ within

    def _accepted(
        self, happened: Happening, state: State, line: Mapping[str, Any], ruled: tuple[Ruled, ...] = ()
    ) -> Accepted | Refused:
        if (fault := _fault_of_line(line)) is not None:
            return malformed(f"this event cannot be a line of a trace: {fault}")
        event = self._scribe.event(happened, line)
        self._history.add(event, happened, state, ruled)
        return Accepted(event, self.over, ruled)

    def _refuse_seat(self, seat: int) -> None:
        if type(seat) is not int or not 0 <= seat < len(self.players):
            raise IndexError(
                f"there is no seat {shown(seat)}: seats are numbers from 0 to {len(self.players) - 1}"
            )

    def __repr__(self) -> str:
        """Return the rules that are played, and how far the game is."""
        events = many(len(self._history.events), "event")
        return f"<Game {self._header.rules}, {', '.join(self.players)}: {events}, {self.stage}>"

    def __reduce__(self) -> tuple[Any, ...]:
        lines = self.lines()[1:]
        return _again, (self._table, plain(self._note), lines, dict(self._history.rulings))


def _fault_of_line(line: Mapping[str, Any]) -> str | None:
    """Return why `golpae check` would refuse a line as it is written, or None."""
    try:
        text = written(line)
    except NOT_JSON as fault:
        if "surrogate" in str(fault):
            return "half of a surrogate pair in a text"
        return f"a number of more than {MOST_DIGITS} digits"
    return line_fault(text) if len(text) > ALWAYS_READ else None


def refuse_seed(seed: int) -> None:
    """Raise `TypeError` or `ValueError` for a seed that is none."""
    if type(seed) is not int:
        raise TypeError(f"a seed is a whole number from 0 to {WORDS - 1}, not {shown(seed)}")
    if not 0 <= seed < WORDS:
        raise ValueError(f"a seed is a whole number from 0 to {WORDS - 1}, not {shown(seed)}")


def _header_in(header: Mapping[str, Any]) -> Header:
    """Return a header that a trace can begin with. Raises `TraceError`."""
    header_or_fault = read_header(header)
    if isinstance(header_or_fault, str):
        raise TraceError(header_or_fault)
    if (fault := _fault_of_line(plain(frozen(dict(header))))) is not None:
        raise TraceError(f"the header cannot be a line of a trace: {fault}")
    return header_or_fault


def _deal(engine: Engine, state: State, first: int | None, chance: Chance) -> Happening | None:
    """Return a deal by chance, or None if none can be made."""
    if first is None:
        return deal_by_chance(engine.legal, state, chance)
    if first not in engine.legal.can_deal(state):
        return None
    deals = (one_deal(engine.machine, state, first, chance) for _ in range(DEALS))
    return engine.legal.first_dealt(deals, state)


def _happened(
    engine: Engine, header: Header, history: History, line: Mapping[str, Any], reasons: Mapping[str, str]
) -> Refused | tuple[Happening, State, Mapping[str, Any], tuple[Ruled, ...]]:
    """Return an event, the state behind it, its line, and the rulings that let it stand; or why it is refused.

    Raises `TraceError` for a ruling that nothing needs.
    """
    machine = engine.machine
    state, ruled = machine.copy(history.last), tuple[Ruled, ...]()
    refusal = happen(machine, header, state, line)
    if isinstance(refusal, str):
        unseen = needs_tiles(line, machine.steps)
        return malformed(f"{NOBODY_SAW}; a live game needs all tiles" if unseen else refusal)
    if refusal is not None:
        state_or_refusal, waived = let_stand(refusal, line, reasons.get, engine.waived)
        if isinstance(state_or_refusal, Refusal):
            return refused_of(state_or_refusal.clause, explain(state_or_refusal))
        number = len(history.events) + 1
        state, ruled = state_or_refusal, tuple(Ruled(number, number + 1, *one) for one in waived)
    for clause in reasons.keys() - {one.clause for one in ruled}:
        raise TraceError(f"nothing needs this ruling: the event does not break {quoted(clause)}")
    args = machine.read(str(line["do"]), line)
    assert not isinstance(args, Bad)
    return Happening(str(line["do"]), args), state, line, ruled


def _again(
    table: Table,
    header: dict[str, Any],
    lines: Iterable[str],
    rulings: Mapping[int, tuple[Ruled, ...]],
) -> Game:
    """Return a game in which this has happened."""
    game = Game(table, header)
    for number, line in enumerate(lines, 1):
        game.apply(line, {one.clause: one.reason for one in rulings.get(number, ())})
    return game


def reasons_of(rulings: Mapping[str, str] | None) -> dict[str, str]:
    """Return rulings, as a caller gives them. Raises `TypeError` and `ValueError`."""
    if rulings is not None and not isinstance(rulings, Mapping):
        raise TypeError("`rulings` has a reason, a text, for each clause")
    reasons: dict[Any, Any] = {} if rulings is None else dict(rulings)
    for clause, reason in reasons.items():
        if not isinstance(clause, str) or not isinstance(reason, str):
            raise TypeError("`rulings` has a reason, a text, for each clause")
        if not reason.strip():
            raise ValueError(f"the ruling on {quoted(clause)} must say why, in words")
        if (
            fault := _fault_of_line({"clause": clause, "reason": reason, "trace": "", "event": 0})
        ) is not None:
            raise ValueError(f"the ruling on {quoted(clause)} cannot be a line of a file: {fault}")
    return reasons


def header_of(
    rules: str, players: Sequence[str], stake: int, options: Mapping[str, int], name: str | int | None
) -> dict[str, Any]:
    """Return a header; `name` is its `id`. Raises `TableError`."""
    if isinstance(players, str) or not all(isinstance(name, str) for name in players):
        raise TypeError("`players` is a list of names")
    if type(stake) is not int or stake < 1:
        raise TableError(f"`stake` must be a whole number above 0, not {shown(stake)}")
    if name is not None and not isinstance(name, str) and type(name) is not int:
        raise TypeError(f"`id` is a text or a whole number, not {shown(name)}")
    header: dict[str, Any] = {"golpae": 1, "rules": rules, "players": [*players]}
    if name is not None:
        header["id"] = name
    if stake != 1:
        header["stake"] = stake
    if options:
        header["options"] = dict(options)
    return header
