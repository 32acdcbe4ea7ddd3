"""The part of a text that scores hands, as a text of its own.

Input: a text without switches.
Output: its tiles, options, scores and all that these use, with a deal and an end that do nothing.
Guarantee: a hand has the points of the whole text. It is much quicker to check.
"""

from __future__ import annotations

from dataclasses import replace

from golpae.diagnostics import SpecError, Text
from golpae.elaborate.check import check
from golpae.elaborate.load import Loaded
from golpae.elaborate.resolve import resolve
from golpae.learn.terms import words_in
from golpae.syntax import tree as t
from golpae.syntax.parse import parse
from golpae.syntax.traverse import nodes

NOTHING = """game nothing "nothing"

zones
  the-whole-set: tiles seen by nobody, holds the set
  each player's hand: tiles seen by its owner

state of the hand
  who-begins: seat

deal from the-whole-set
  hands: 0 for everyone
  then who-begins := first

end
  due: over
"""


def scoring(loaded: Loaded) -> Loaded:
    """Return what scores hands; the text itself if this cannot stand alone."""
    needed = used_by_scores(loaded)
    stub = [d for d in parse(Text.of("nothing", NOTHING)).decls if not isinstance(d, t.Game)]
    own = [d for d in loaded.decls if _scores(d, needed)]
    sliced = replace(loaded, decls=(*own, *stub))
    try:
        check(resolve(loaded.game.name.text, sliced))
    except SpecError:
        return loaded
    return sliced


def used_by_scores(loaded: Loaded) -> set[str]:
    """Return the names of shapes, arrangements and scores, and of all that these use, directly or through others."""
    words: dict[str, set[str]] = {}
    waiting: list[str] = []
    for decl in loaded.decls:
        match decl:
            case t.Score(name=name):
                own = {*(p.name for p in decl.params), *(g.name.text for g in decl.given)}
                own |= {*(d.name.text for d in decl.defines), *(p.name.text for p in decl.patterns)}
                words[name.text] = (words_in(decl) - own) | _called(decl)
                waiting.append(name.text)
            case t.Define(name=name, params=params):
                words.setdefault(name.text, set()).update(words_in(decl) - {p.name for p in params})
            case t.Shape(name=name) | t.Arrangement(name=name):
                words.setdefault(name.text, set()).update(words_in(decl))
                waiting.append(name.text)  # one of several is meant by another word
            case _:
                pass
    found = set(waiting)
    while waiting:
        for other in words.get(waiting.pop(), ()):
            if other not in found:
                found.add(other)
                waiting.append(other)
    return found


def _called(decl: t.Decl) -> set[str]:
    found: set[str] = set()
    for node in nodes((decl,)):
        if isinstance(node, t.Call):
            found.add(node.name)
    return found


def _scores(decl: t.Decl, needed: set[str]) -> bool:
    match decl:
        case t.Define() | t.Shape() | t.Arrangement():
            return decl.name.text in needed
        case t.Action() | t.Group() | t.State() | t.Zones() | t.Property() | t.Source():
            return False
        case _:
            return True
