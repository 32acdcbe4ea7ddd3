"""Messages of conditions as sentences of a rule book, said to whoever acts.

Input: a rule set, an action, one of its conditions.
Output: a sentence, or None if the message says a value that only a game has.
Guarantee: every word is one of the text: of the message, or a name in it; only verbs are changed to fit `you`.

    "{p} has taken {tile} before"      ->      You have taken the tile before.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import assert_never

from golpae.ir import expr as ir
from golpae.ir.dependencies import Dependencies, read_by
from golpae.ir.ruleset import Action, Condition, RuleSet, effects_of
from golpae.ir.traverse import exprs_in, nodes
from golpae.ir.types import INT, SEAT, TILE, Bag, Choice, Opt, Tile, Type

YOU, LISTED, VALUE = "\x01", "\x02", "\x03"  # stand for whoever acts, a tile of a list, and a value of a game
END = "\x04"  # stands behind each hole
_APPOSITION = re.compile(rf", (?:[^,;:\x01-\x04]* )?[^,;:{YOU}]*?{END},")
_OTHERWISE = re.compile(rf", not [^,;:]*{END}[^,;:]*$")
_LAST = re.compile(rf"(?:[;:]|, and|, but|,)[^;:,]*{VALUE}{END}[^;:]*$")
_TILES = re.compile(rf"{LISTED}{END}(?:, {LISTED}{END})*(?:,? and {LISTED}{END})")
_VERB = re.compile(rf"{YOU}{END} ((?:(?:already|also|just|never|now|only|still) )*)([a-z]+)")
_SECOND = re.compile(r"\b(and|but|or) (has|is|was|does|(?<=, and )[a-z]+s)\b")
_TWICE = re.compile(r"\b([a-z]+) \1\b")
_IRREGULAR = {"is": "are", "was": "were", "has": "have", "does": "do", "goes": "go"}
_UNCHANGED = re.compile(r".*(?:ss|us|is)$|^(?:always|perhaps|besides|as)$")
_PERSON = re.compile(r"(?:er|or|ee|ant|ent|man)$")  # how words for people end


def sentence(rules: RuleSet, action: Action, condition: Condition) -> str | None:
    """Return the message of a condition as a sentence to whoever acts."""
    return _Speaker(rules, action).sentence(condition.message)


def says_what_is(condition: Condition) -> bool:
    """Whether the sentence of a condition is what the rules ask: its message ends in what an event had instead, as in
    `three cards are passed, not {size of tiles}`.
    """
    return bool(
        _OTHERWISE.search("".join(part if isinstance(part, str) else END for part in condition.message))
    )


def in_words(rules: RuleSet, path: str) -> tuple[str, str | None]:
    """Return a clause by its path (`game.action.clause`) for players: the title of its action, and its sentence, if it
    can be said without the values of a game.
    """
    _, name, clause = (*path.split(".", 2), "", "")[:3]
    action = rules.action(name)
    if action is None:
        return spaced(name), None
    condition = next((c for c in action.of_text if c.name == clause), None)
    title = action.title or {
        "deal": "the deal",
        "end": "the end of a hand",
        "finish": "the end of a match",
    }.get(action.kind, spaced(name))
    return capital(title), None if condition is None else sentence(rules, action, condition)


def is_plain(rules: RuleSet, action: Action, condition: Condition) -> bool:
    """Return whether a condition needs no sentence: it is about what a record says beside the game, it only says when
    the action is possible, or it only says that tiles are where they are taken from.
    """
    if condition.of_game is not None or not condition.message:
        return True
    expr = condition.expr
    if (
        str(condition.message[0]).startswith("`")
        or _is_of_record(expr, action)
        or _is_dealt(condition, action)
    ):
        return True
    if isinstance(expr, ir.Fits | ir.FitsPlace) and isinstance(expr.tile, ir.Local):
        return True
    if isinstance(expr, ir.Op) and expr.op in ("member", "bag_member", "within"):
        names = {node.name for node in nodes(expr.args[0]) if isinstance(node, ir.Local)}
        whole = isinstance(expr.args[0], ir.Local | ir.BagOf)
        if whole and names & _names(action) and isinstance(expr.args[1], ir.ZoneRead):
            return True
    found = [*Dependencies(rules).nodes([expr])]
    words = {part.name for node in found if (part := read_by(node)) is not None}
    turn = {var.name for var in rules.vars if var.scope == "hand" and _is_of_turn(var.type)}
    return bool(words) and words <= turn and not any(_says_key(node, action) for node in found)


def _is_of_turn(kind: Type) -> bool:
    """Return whether a state of this type can say whose turn it is, or what happens in it."""
    return kind == SEAT or isinstance(kind, Choice) or (isinstance(kind, Opt) and kind.item == SEAT)


def _says_key(node: ir.Expr, action: Action) -> bool:
    return isinstance(node, ir.Local) and node.name != action.by and node.name in _names(action)


def _names(action: Action) -> set[str]:
    return {name for param in action.params for name in (param.name, *param.parts)}


def _is_dealt(condition: Condition, action: Action) -> bool:
    """Return whether a condition says how many tiles are dealt to a zone."""
    return action.dealing is not None and action.dealing.is_to_zone(condition.name)


def _is_of_record(expr: ir.Expr, action: Action) -> bool:
    """Return whether a condition is about an optional key of an event that changes nothing, or nothing but the deal."""
    used = {
        node.name
        for each in exprs_in(effects_of(action.effects))
        for node in nodes(each)
        if isinstance(node, ir.Local)
    }
    for param in action.params:
        guarded = isinstance(expr, ir.Op) and expr.op == "or" and expr.args[0]
        if param.optional and isinstance(guarded, ir.Op) and guarded.op == "is_none":
            [key] = guarded.args
            if key == ir.Local(param.name, param.type):
                return param.name not in used or action.kind != "play"
    return False


class _Speaker:
    """The words of one action."""

    def __init__(self, rules: RuleSet, action: Action) -> None:
        self._rules, self._action = rules, action
        self._parts = {part for param in action.params for part in param.parts}
        self._params = {param.name: param for param in action.params}
        self._noun = noun_of(rules)

    def sentence(self, message: tuple[str | ir.Expr, ...]) -> str | None:
        said, was_hole = "", False
        for part in message:
            if isinstance(part, str):
                said += part.replace("`", "")
                was_hole = part == " "
            else:
                words = VALUE if was_hole else self._words(part)
                said += words + END
                was_hole = False
        said = _APPOSITION.sub("", said)
        said = _OTHERWISE.sub("", said)
        while VALUE in said and (shorter := _LAST.sub("", said)) != said:
            said = shorter
        if VALUE in said or not said.strip():
            return None
        said = _TILES.sub(f"the {self._noun}s", said).replace(f"{LISTED}{END}", f"the {self._noun}")
        said = said.replace(f"the {self._noun}{END}, the {self._noun}s", f"the {self._noun}s")
        said = _TWICE.sub(r"\1", self._conjugated(said).replace(END, ""))
        return capital(said) + "."

    def _conjugated(self, said: str) -> str:
        """Return words in which the verbs of whoever acts fit `you`."""
        said = re.sub(rf"{YOU}{END}'s(?=[^\w\s]|$)", "yours", said).replace(f"{YOU}{END}'s", "your")
        begins = said.startswith(f"{YOU}{END}")
        said = _VERB.sub(lambda found: f"you {found[1]}{_plural(found[2])}", said)
        if begins:
            said = _SECOND.sub(lambda found: f"{found[1]} {_plural(found[2])}", said, count=1)
        return said.replace(f"{YOU}{END}", "you").replace(YOU, "you")

    def _words(self, expr: ir.Expr) -> str:
        """Return what a hole of a message stands for."""
        if isinstance(expr, ir.DuringGame):
            return self._read(expr)
        match expr:
            case ir.Local(name=name) if name == self._action.by:
                return YOU
            case ir.Local(name=name) if name in self._parts:
                return LISTED
            case ir.Local(name=name, type=kind):
                return self._named(name, kind, name in self._params)
            case ir.OptionRead(name=name):
                return f"the {spaced(name)}"
            case ir.CallDef(name=name, args=(), type=kind):
                return self._named(name, kind, False)
            case ir.Const(value=int(number)) if not isinstance(number, bool):
                return str(number)
            case ir.Const(value=str(word)):
                return spaced(word)
            case ir.Builtin(name="stake", seat=_):
                return "the stake"
            case (
                ir.Const() | ir.FitsScore() | ir.ScoreNumber() | ir.Builtin() | ir.Attr() | ir.Group()
                | ir.Faces() | ir.OwnValue() | ir.CallDef() | ir.Op() | ir.BagOf() | ir.Quant() | ir.Ways()
                | ir.Fold() | ir.If() | ir.IsShape() | ir.LayOut() | ir.IsBeside() | ir.Parted()
                | ir.CallScore()
            ):  # by class  # fmt: skip
                return VALUE
            case _:
                assert_never(expr)

    def _read(self, expr: ir.DuringGame) -> str:
        """Return the words for a state or a zone as a whole, of the table or of whoever acts."""
        if not isinstance(expr, ir.StateRead | ir.ZoneRead):
            return VALUE
        name, seat = expr.name, expr.seat
        if seat is not None:
            is_own = isinstance(seat, ir.Local) and seat.name == self._action.by
            return f"your {spaced(name)}" if is_own else VALUE
        if isinstance(expr, ir.ZoneRead):
            return f"the {spaced(name)}"
        title = next((var.title for var in self._rules.vars if var.name == name), None)
        return self._named(name if title is None or "{" in title else title, expr.type, False)

    def _named(self, name: str, kind: Type, is_key: bool) -> str:
        """Return the words for a name of a key or a state."""
        plain = kind.item if isinstance(kind, Opt) else kind
        words = spaced(name)
        match plain:
            case Tile() if is_key:
                return self._tile(name)
            case Tile():
                return f"the {words}" if words.endswith(self._noun) else f"the {words} {self._noun}"
            case Bag(item=Tile()) if is_key:
                return f"the {self._noun}s"
            case _ if plain == SEAT:
                if name == "first":
                    return "the first player"
                return f"the {words}" if _PERSON.search(words) else "another player"
            case _ if plain == INT:
                return f"the {words}"
            case _ if is_key:
                return f"the {words}"
            case _:
                return VALUE

    def _tile(self, key: str) -> str:
        """Return the words for a key that is a tile: of two, the one that is not called `tile` is the other one."""
        others = [p.name for p in self._action.params if p.type in (TILE, Opt(TILE)) and p.name != "tile"]
        if key == "tile" or (len(others) == 1 and "tile" not in self._params):
            return f"the {self._noun}"
        return f"the other {self._noun}" if len(others) == 1 else VALUE


def noun_of(rules: RuleSet) -> str:
    """Return what the text itself calls the things that are played with, by counting: tiles unless another is usual."""
    said = " ".join(_said(rules)).lower()
    counts = {noun: len(re.findall(rf"\b{noun}s?\b", said)) for noun in ("tile", "card", "piece")}
    return max(counts, key=lambda noun: counts[noun])


def _said(rules: RuleSet) -> Iterator[str]:
    for action in rules.actions:
        yield action.title or ""
        for condition in action.of_text:
            if not str(condition.message[:1]).startswith("('`"):
                yield from (part for part in condition.message if isinstance(part, str))
    yield from (rule.gist for rule in rules.rules_by_id)


def spaced(name: str) -> str:
    """Return a name of a text as words."""
    return name.replace("-", " ").replace("_", " ")


def _plural(verb: str) -> str:
    """Return a verb of one other person as it fits `you`."""
    if verb in _IRREGULAR:
        return _IRREGULAR[verb]
    if not verb.endswith("s") or _UNCHANGED.match(verb):
        return verb
    if verb.endswith("ies"):
        return f"{verb[:-3]}y"
    return verb[:-2] if re.search(r"(?:sh|ch|ss|x|zz)es$", verb) else verb[:-1]


def capital(words: str) -> str:
    """Return words that begin with a capital letter."""
    return words[:1].upper() + words[1:]
