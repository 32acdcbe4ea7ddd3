"""The stages of a match, and what every kind of action does to them.

Input: none. Output: the stages; the stages at which each kind of action is open; and what an action of that kind
changes in every game, before the effects of the text.
Guarantee: this is the only table of stages; replay, the prover and all analyses read it.

    before --deal--> playing --(a hand is won)--> over --end--> ended --deal--> playing
                        `--------------end--------------------^    `--finish--> finished
"""

from __future__ import annotations

from typing import Literal

from golpae.records import dataclass

Stage = Literal["before", "playing", "over", "ended", "finished"]
ActionKind = Literal["play", "before", "deal", "end", "finish"]

BEFORE: Stage = "before"
PLAYING: Stage = "playing"
OVER: Stage = "over"
ENDED: Stage = "ended"
FINISHED: Stage = "finished"
STAGES: tuple[Stage, ...] = (BEFORE, PLAYING, OVER, ENDED, FINISHED)


@dataclass(frozen=True, slots=True)
class Lifecycle:
    """An action of a kind is legal only at the stages `open_at`, and leads to the stage `leads_to` (None: the stage
    stays, or is over if somebody won). It changes the `words` of every game; with `new_hand`, also every zone and
    every state that lasts for a hand.
    """

    open_at: tuple[Stage, ...]
    leads_to: Stage | None = None
    words: tuple[str, ...] = ()
    new_hand: bool = False


LIFECYCLES: dict[ActionKind, Lifecycle] = {
    "play": Lifecycle((PLAYING,)),
    "before": Lifecycle((BEFORE,)),
    "deal": Lifecycle((BEFORE, ENDED), PLAYING, ("winner", "over"), new_hand=True),
    "end": Lifecycle((PLAYING, OVER), ENDED, ("hands-played", "total", "winner", "over")),
    "finish": Lifecycle((ENDED,), FINISHED, ("over",)),
}


# The words that a text writes for the actions of every game.
ACTION_KINDS: dict[str, ActionKind] = {kind: kind for kind in ("deal", "end", "finish")}


def open_at(kind: ActionKind) -> tuple[Stage, ...]:
    """Return the stages at which an action of a kind is open."""
    return LIFECYCLES[kind].open_at
