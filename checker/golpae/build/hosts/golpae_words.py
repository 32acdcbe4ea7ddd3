"""The words of `golpae check`: events, and why one is not legal.

Written by `golpae build`, for you to use and change as you like. It needs nothing but Python.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from golpae_lines import shown, with_hidden

MANY = 8  # tiles or events that are listed before they are only counted
LONGEST = 2000  # characters of an explanation on one line
NAME = 60  # characters of a player's name
OFTEN = {0: "never", 1: "once", 2: "twice"}
Line = dict[str, Any]


class Words:
    """The words for one match: those of a module's templates, and the names of the players."""

    def __init__(self, templates: dict[str, Any], players: list[str]) -> None:
        self.kinds, self.zones = templates["tiles"], templates["zones"]
        self.actions = {action["name"]: action for action in templates["actions"]}
        self.place = {
            n: i for i, kind in [*enumerate(self.kinds)][::-1] for n in (kind["name"], *kind["also"])
        }
        self.names: list[str] = [_printable(name) or f"seat {seat}" for seat, name in enumerate(players)]

    # ------------------------------------------------------------------ values and events

    def say(self, value: Any, kind: Any) -> str:
        """Return a value of a type."""
        match kind:
            case {"or none": item}:
                return "none" if value is None else self.say(value, item)
            case "seat":
                name: str = self.names[value]
                return name
            case "tile":
                return str(self.kinds[self.place[value]]["spoken"])
            case "meld":
                if isinstance(value, dict):
                    label, tiles = value.get("label"), value["tiles"]
                else:  # as an event names it: its label, if it has one, and its tiles
                    label = None if value[0] in self.place else value[0]
                    tiles = value if label is None else value[1:]
                    tiles = tiles[0] if isinstance(tiles[0], list) else tiles
                return " ".join(filter(None, [label, self._tiles(tiles)]))
            case "patterns":
                return ", ".join(f"{_printable(n)} {points}" for n, points in value.items()) or "no patterns"
            case "score":
                return "nothing" if value is None else _score(value)
            case {"list": "tile"}:
                return self._tiles(value)
            case {"list": item} | {"each": item}:
                said = [self.say(one, item) for one in value]
                return ("; " if any(", " in words for words in said) else ", ").join(said) or "none"
            case "truth":
                return "yes" if value else "no"
            case _:
                return str(value)

    def _tiles(self, tiles: Iterable[str]) -> str:
        """Return tiles by their titles, in the order of the set."""
        return self._said(sorted(self.place[tile] for tile in tiles))

    def _said(self, places: Iterable[int]) -> str:
        """Return tiles by their titles; between commas if a title has several words."""
        titles = [str(self.kinds[place]["spoken"]) for place in places]
        return (", " if any(" " in title for title in titles) else " ").join(titles) or "no tiles"

    def tiles(self, tiles: Iterable[str]) -> str:
        """Return tiles as a trace names them, in the order of the set."""
        return " ".join(self.kinds[n]["name"] for n in sorted(self.place[t] for t in tiles)) or "no tiles"

    def event(self, line: Line) -> str:
        """Return an event as players say it: `discard 6-5`."""
        action = self.actions[line["do"]]
        kind, keys = action["kind"], action["keys"]
        several = sum(k["optional"] or k["type"] == "meld" or _is_list(k["type"]) for k in keys) > 1
        two_tiles = sum(k["type"] == "tile" and k["of_text"] and not k["optional"] for k in keys) > 1
        closes = kind in ("end", "finish")
        named = several or two_tiles or closes
        said = [_spoken(action["name"])]
        if kind == "end":
            winner = line["winner"]
            said = [f"{said[0]} with {'no winner' if winner is None else f'winner {self.names[winner]}'}"]
        for number, key in enumerate(key for key in keys if key["of_text"]):
            value = line.get(key["name"])
            if value is not None:
                in_order = [self.place[tile] for tile in value] if key["ordered"] else None
                words = self.say(value, key["type"]) if in_order is None else self._said(in_order)
                said.append(f"{key['name']} {words}" if named or number else words)
        if not closes and len(said) > 1 and said[1].startswith(f"{said[0]} "):
            del said[0]  # the action is said once
        return (", " if closes else " ").join(said)

    def legal(self, following: dict[str, Any], refused_first: int | None = None) -> list[str]:
        """Return the legal events in words, events of one action together. If somebody was refused as the first player
        of a deal although he can be that, no deal is named.
        """
        alike: dict[tuple[str, int | None], list[str]] = {}
        for line in following["events"]:
            alike.setdefault((line["do"], line.get("by")), []).append(self.event(line))
        out = []
        for (do, by), events in alike.items():
            name = _spoken(do)
            who = "" if by is None else f"{self.names[by]}: "
            rest = [event[len(name) + 1 :] for event in events if event != name]
            if len(events) == 1:
                out.append(who + events[0])
            elif len(events) <= MANY:
                out.append(f"{who}{f'{name} | ' if name in events else ''}{name} {' | '.join(rest)}")
            else:
                out.append(f"{who}{name} any of {len(events)}")
        out += [
            f"perhaps {_spoken(name)}" for name in following["unlisted"] if all(name != do for do, _ in alike)
        ]
        first = following["dealers"]
        if first and refused_first not in first:
            names = " or ".join(self.names[seat] for seat in first)
            out.append("deal" if len(first) == len(self.names) else f"deal with {names} first")
        return out

    # ------------------------------------------------------------------ broken conditions

    def message(self, line: Line, condition: Line, values: list[Any], state: Line) -> str:
        """Return why an event is refused, from the values that the message of the broken condition asks."""
        if "of_every_game" in condition:
            return self._of_every_game(condition, line, values, state)
        rest, words = iter(values), []
        for part in condition["message"]:
            if isinstance(part, str):
                words.append(part)
            else:
                value = next(rest)
                words.append(self.say(line[part["key"]] if "key" in part else value, part["value"]))
        keys = {key["name"]: key for key in self.actions[line["do"]]["keys"]}
        counted = keys.get(condition["name"], {}).get("tiles")
        return "".join(words) + (f", not {len(line[condition['name']])}" if counted else "")

    def _of_every_game(self, condition: Line, line: Line, values: list[Any], state: Line) -> str:
        match condition["of_every_game"]:
            case "open":
                return str(self.actions[line["do"]]["not_open"][state["stage"]])
            case "hands":
                return self._hands(line, *values)
            case "set":
                return self._dealt_too_often(line)[1]
            case "rest":
                return self._reserve(line)
            case "winner":
                named = "nobody" if line["winner"] is None else self.names[line["winner"]]
                has_won = state["states"][condition["winners"]] if "winners" in condition else []
                if sum(has_won) > 1:
                    *others, last = [name for name, won in zip(self.names, has_won, strict=True) if won]
                    several = f"{', '.join(others)} and {last}"
                    return f"{several} have won this hand, so `winner` should be `null`, not {named}"
                if state["winner"] is None:
                    return f"nobody has won this hand, but `winner` names {named}"
                return f"{self.names[state['winner']]} has won this hand, not {named}"
            case "pay":
                return f"`pay` should be {values} ({self._gains(values)}), not {shown(line['pay'])}"
            case "totals":
                totals = values or state["totals"]
                return f"`totals` should be {totals} ({self._gains(totals)}), not {shown(line['totals'])}"
            case _:  # winners
                totals = values or state["totals"]
                won = [seat for seat, total in enumerate(totals) if total == max(totals)]
                who = ", ".join(self.names[seat] for seat in won)
                return f"`winners` should be {won} ({who}), not {shown(line['winners'])}"

    def _gains(self, numbers: list[int]) -> str:
        return ", ".join(
            f"{name} {n:+d}" if n else f"{name} 0" for name, n in zip(self.names, numbers, strict=True)
        )

    def _hands(self, line: Line, *sizes: int) -> str:
        """Return which hand has the wrong size, where those of the players should have these."""
        hands = line["hands"]
        if len(hands) != len(self.names):
            return f"{'1 hand is' if len(hands) == 1 else f'{len(hands)} hands are'} dealt to {len(self.names)} players"
        seat = next(seat for seat, hand in enumerate(hands) if len(hand) != sizes[seat])
        return f"{self.names[seat]} should be dealt {sizes[seat]} tiles, not {len(hands[seat])}"

    def _dealt_too_often(self, line: Line) -> tuple[bool, str]:
        """Return whether the first kind that is dealt too often is withdrawn, and what is wrong."""
        dealt = Counter(self.place[tile] for hand in line["hands"] for tile in hand)
        kind, count = next(
            (self.kinds[n], c) for n, c in sorted(dealt.items()) if c > self.kinds[n]["copies"]
        )
        name, copies = kind["name"], kind["copies"]
        if kind["withdrawn"] and not copies:
            return True, f"{name} is withdrawn at this table"
        often = OFTEN.get(count, f"{count} times")
        return bool(kind["withdrawn"]), f"{name} is dealt {often}, but the set has {copies} of it"

    def _reserve(self, line: Line) -> str:
        whole = Counter({n: kind["copies"] for n, kind in enumerate(self.kinds)})
        rest = whole - Counter(self.place[tile] for hand in line["hands"] for tile in hand)
        given = Counter(self.place[tile] for tile in line["reserve"])
        lacks, more = ([self.kinds[n]["name"] for n in c.elements()] for c in (rest - given, given - rest))
        words = [f"lacks {self.tiles(lacks)}"] if lacks else []
        words += [f"has {self.tiles(more)} too many"] if more else []
        return f"`reserve` is not the rest of the set: it {' and '.join(words)}"

    def rules(self, line: Line, condition: Line) -> list[str]:
        """Return the rules that a broken condition stands for, with their sources."""
        of_withdrawn = condition.get("of_every_game") == "set" and self._dealt_too_often(line)[0]
        return list(condition["rules_if_withdrawn" if of_withdrawn else "rules"])

    def facts(self, line: Line, condition: Line, state: Line, values: list[Any]) -> list[tuple[str, str]]:
        """Return the name and tiles of each zone that a refusal shows: those of who acts, those of other players whom
        the condition names, and the shared zones that it reads.
        """
        kind, by, lying = self.actions[line["do"]]["kind"], line.get("by"), state["zones"]
        if state["stage"] not in ("playing", "over") or kind in ("deal", "end", "finish"):
            return []
        if condition["zones"] is None:
            return []
        own = [(z["name"], by) for z in self.zones if z["each_player"] and by is not None]
        others = condition.get("others", [])
        own += zip(others, values[len(values) - len(others) :], strict=True)
        kinds = {z["name"]: z["kind"] for z in self.zones}
        out = [
            (f"{self.names[owner]}'s {name}", self._lying(lying[name][owner], kinds[name]))
            for name, owner in dict.fromkeys(own)
            if lying[name][owner] or kinds[name] == "row"
        ]
        shared = [z for name in condition["zones"] for z in self.zones if z["name"] == name]
        return out + [(z["name"], self._lying(lying[z["name"]], z["kind"])) for z in shared]

    def _lying(self, tiles: list[Any], kind: str) -> str:
        if kind == "melds":
            return ", ".join("/".join(meld["tiles"]) for meld in tiles) or "none"
        if kind == "tiles":
            return self.tiles(tiles)
        if "?" in tiles:
            return f"{len(tiles)} tiles"
        return " ".join(tiles if len(tiles) <= MANY else ["...", *tiles[-MANY:]]) or "empty"


def one_line(message: str, facts: list[tuple[str, str]], rules: list[str], legal: list[str]) -> str:
    """Return an explanation on one line, as `golpae check --format json` has it."""
    parts = [message, *(f"{what}: {value}" for what, value in facts)]
    parts += [f"rule {', '.join(rules)}"] if rules else []
    parts += [f"legal here: {', '.join(legal)}"] if legal else []
    line = "; ".join(parts)
    return line if len(line) <= LONGEST else line[: LONGEST - 1] + "…"


def _score(value: dict[str, Any]) -> str:
    """Return a score; if its patterns do not add up, only those that are worth all of it."""
    total, patterns = value["total"], value["patterns"]
    if "numbers" in value:
        of = value["counted_in"]
        numbers = ", ".join(f"{many} {number}" for number, many in value["numbers"].items())
        return f"{numbers} ({', '.join(f'{name} {points} {of[name]}' for name, points in patterns.items())})"
    shown = [(n, p) for n, p in patterns.items() if sum(patterns.values()) == total or p == total]
    return f"{total} ({', '.join(f'{name} {points}' for name, points in shown)})"


def _spoken(name: str) -> str:
    """Return the name of an action as players say it."""
    return name.replace("_", " ")


def _is_list(kind: Any) -> bool:
    return isinstance(kind, dict) and ("list" in kind or "each" in kind)


def _printable(name: str) -> str:
    """Return a player's name on one line, without control characters; what is too long is cut."""
    words: str = with_hidden(name, lambda _: " ")
    whole = words.strip()
    cut = whole[:NAME].strip()
    return f"{cut}…" if len(cut) < len(whole) else whole
