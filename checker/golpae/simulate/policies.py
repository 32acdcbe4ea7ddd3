"""The policies that a call names.

Input: `random`, or `a,b,c` for the seats in order; `module:name` is a policy in Python.
Output: a policy for each seat.
Guarantee: `PolicyFault` says, in words for the caller, what is wrong with a name or with what a policy in Python does.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any

from golpae.diagnostics import near
from golpae.simulate.greedy import Greedy
from golpae.simulate.policy import Policy, Random, Turn
from golpae.simulate.sight import Sight
from golpae.simulate.towards import Towards

MADE: dict[str, Callable[[Sight], Policy]] = {
    "random": lambda sight: Random(),
    "greedy": Greedy,
    "towards": Towards,
}


PERSON = "person"  # who plays a seat that no policy plays


class PolicyFault(Exception):
    """A policy that there is not, or that does what no policy may do. The second argument is advice, or None."""

    def __init__(self, message: str, advice: str | None = None) -> None:
        super().__init__(message, advice)
        self.message, self.advice = message, advice


class Called:
    """A function of a turn as a policy. What it raises goes through."""

    note = None

    def __init__(self, name: str, function: Callable[[Turn], int | None]) -> None:
        self.name = name
        self._function = function

    def choose(self, turn: Turn) -> int | None:
        """Return the place of the choice that the function takes, or None to wait. Raises `PolicyFault` if it returns
        neither.
        """
        place = self._function(turn)
        if place is None and turn.can_wait:
            return None
        if type(place) is int and 0 <= place < len(turn.choices):
            return place
        wanted = f"a number from 0 to {len(turn.choices) - 1}" + (" or None" if turn.can_wait else "")
        raise PolicyFault(f"the policy `{self.name}` returned {place!r:.50}; it has to return {wanted}")


class PythonPolicy(Called):
    """A policy in Python that is named: a function of a turn, or a class whose objects are such functions."""

    def __init__(self, name: str) -> None:
        super().__init__(name, _found(name))

    def choose(self, turn: Turn) -> int | None:
        """Return the place of the choice that the function takes, or None to wait. Raises `PolicyFault` if it returns
        neither, or fails.
        """
        try:
            return super().choose(turn)
        except (PolicyFault, KeyboardInterrupt):
            raise
        except BaseException as fault:  # whatever a policy raises, such as SystemExit
            raise _failed(self.name, fault) from None


def names_of(word: str, players: int) -> list[str]:
    """Return the name of the policy of each seat. Raises `PolicyFault`."""
    names = [name.strip() for name in word.split(",")]
    if len(names) == 1:
        names *= players
    if len(names) != players:
        raise PolicyFault(
            f"`--policy` names {len(names)} policies for {players} players",
            "name one for all, or one for each seat",
        )
    for name in names:
        if name not in MADE and ":" not in name:
            advice = near(name, MADE) or f"the policies are {', '.join(MADE)}, or MODULE:NAME in Python"
            raise PolicyFault(f"there is no policy `{name}`", advice)
    return names


def seated(word: str, players: int) -> list[str]:
    """Return the name of the policy of each seat, or `PERSON`. One name is that of all but seat 0, which is a person's.

    Raises `PolicyFault`.
    """
    if "," not in word:
        word = word.strip()
        return [PERSON, *([word] if word == PERSON else names_of(word, 1)) * (players - 1)]
    names = [name.strip() for name in word.split(",")]
    names_of(",".join("random" if name == PERSON else name for name in names), players)
    return names


def policies(given: Sequence[str | Policy], sight: Sight) -> list[Policy]:
    """Return these policies. Those given by their names are made once for all seats that have them. Raises
    `PolicyFault`.
    """
    made: dict[str, Policy] = {}
    for name in given:
        if isinstance(name, str) and name not in made:
            made[name] = MADE[name](sight) if name in MADE else PythonPolicy(name)
    return [made[one] if isinstance(one, str) else one for one in given]


def _found(name: str) -> Callable[[Turn], Any]:
    """Return the function of a policy in Python. Raises `PolicyFault`."""
    module_name, _, attribute = name.partition(":")
    advice = "name a module that Python finds, or one in this folder, and a function in it: `module:function`"
    if os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())
    try:
        target: Any = import_module(module_name)
        for part in attribute.split("."):
            target = getattr(target, part)
    except KeyboardInterrupt:
        raise
    except BaseException as fault:
        if os.environ.get("GOLPAE_DEBUG"):
            raise
        raise PolicyFault(f"the policy `{name}` cannot be loaded: {_words(fault)}", advice) from None
    try:
        function = target() if isinstance(target, type) else target
    except KeyboardInterrupt:
        raise
    except BaseException as fault:
        raise _failed(name, fault) from None
    if not callable(function):
        raise PolicyFault(f"the policy `{name}` is no function", advice)
    chosen: Callable[[Turn], Any] = function
    return chosen


def _failed(name: str, fault: BaseException) -> PolicyFault:
    """Return the fault of a policy whose own code failed. Raises the fault itself if somebody looks for it."""
    if os.environ.get("GOLPAE_DEBUG"):
        raise fault
    return PolicyFault(f"the policy `{name}` failed: {_words(fault)}", "GOLPAE_DEBUG=1 shows where")


def _words(fault: BaseException) -> str:
    return " ".join(f"{type(fault).__name__}: {fault}".split())
