"""Random declarations: players, tiles, zones, states, definitions, shapes, arrangements, scores.

Input: an empty world. Output: the world with its declarations, and the lines of the text that declare them.
Guarantee: there are few deals, so that all games can be gone through.
"""

from __future__ import annotations

import random
from math import comb

from golpae.ir.types import (
    BOOL,
    INT,
    MELD,
    MELDS,
    NUMBERS,
    SEAT,
    SEATS,
    TILE,
    TILES,
    Bag,
    Choice,
    Each,
    Opt,
    Type,
)
from tests.differential.expressions import Expressions
from tests.differential.vocabulary import CannotMake, Define, Scope, Score, State, World, Zone

WORDS = (("red", "blue"), ("up", "down", "still"), ("early", "late"), ("wild", "tame", "shy"))
MOST_DEALS, FEW_DEALS = 400, 40
GROUPS = Bag(TILES)


def written(kind: Type) -> str:
    """Return a type as a text writes it."""
    names: dict[Type, str] = {
        BOOL: "yes or no", INT: "number", SEAT: "seat", TILE: "tile", MELD: "meld", MELDS: "melds",
        TILES: "tiles", SEATS: "seats", NUMBERS: "numbers",
    }  # fmt: skip
    match kind:
        case Choice(words):
            return f"one of {', '.join(words)}"
        case Opt(item):
            return f"{written(item)} or none"
        case Each(item):
            return f"each player's {written(item)}"
        case Bag(item) if kind not in names:
            return f"list of {written(item)}"
        case _:
            return names[kind]


class Declarations:
    """Makes the declarations of one text."""

    def __init__(self, world: World, make: Expressions) -> None:
        self.world = world
        self.rng = world.rng
        self.make = make
        self.dealt = (1, 1)  # tiles of the first hand and of the others
        self.source = ""  # the zone that is dealt from
        self.left = 0  # tiles that the hands leave over, at most

    # ------------------------------------------------------------------ the table

    def table(self) -> list[str]:
        """Return the lines of players, options and tiles."""
        world, rng = self.world, self.rng
        several = (14, 0, 3, 0) if world.small else (14, 3, 3, 1)
        world.players = rng.choices(((2, 2), (2, 3), (3, 3), (1, 2)), several)[0]
        lines = [f"players {world.players[0]} to {world.players[1]}"]
        if world.newer and world.players == (2, 2) and world.chance(0.15):
            world.in_teams = True
            lines = ["players 2 to 2 in teams of 2"]
        if world.chance(0.1 if world.small else 0.3):
            name, low = rng.choice(("size-of-set", "limit")), rng.randint(1, 2)
            high = low + rng.randint(1, 2)
            world.options.append((name, low, high))
            normally = f", normally {rng.randint(low, high)}" if world.chance(0.7) else ""
            lines.append(f"option {name}: {low} to {high}{normally}")
        return [*lines, "", *self._tiles()]

    def _tiles(self) -> list[str]:
        world, rng = self.world, self.rng
        lines: list[str] = []
        most_tiles = 5 if world.small else 8 if world.players[1] < 3 else 6
        room = rng.randint(max(3, world.players[1] + 1), most_tiles + world.stuck)
        names = rng.sample(("fruits", "coins", "beasts"), rng.choice((1, 2, 2)))
        words = ["sun", "moon", "star", "rain", "snow"]
        rng.shuffle(words)
        has_written = False
        for number, name in enumerate(names):
            copies = rng.choices((1, 2, 3), (3, 4, 1))[0]
            form = rng.choice(("listed", "listed", "ranked", "pairs"))
            if world.newer and number == 0 and world.chance(0.4):
                form = "worded"
            left = room - sum(world.copies[g] * len(k) for g, k in world.groups.items())
            most = max(1, min(3, left // copies))
            if left < copies and number:
                break
            if form == "worded":
                line, _ = self.make.newer.worded_tiles(name[0], copies, min(4, left // copies))
                self._attribute("rank")
                lines.append(f"  {name}: {line}")
                continue
            if form == "listed":
                kinds = [words.pop() for _ in range(min(most, rng.randint(1, 2)))]
                said = [f'{k} "the {k}"' if world.chance(0.4) else k for k in kinds]
                line = f"{copies} of each {' '.join(said)}"
            elif form == "ranked":
                top = rng.randint(1, most)
                high = str(top)
                if world.options and world.chance(0.4):
                    option, low, _ = world.options[0]
                    top, high = low, option  # a name that every value of the option has
                kinds = [f"{i}{name[0]}" for i in range(1, top + 1)]
                called = f' called "{{rank}} of {name}"' if world.chance(0.4) else ""
                line = f'{copies} of each "{{rank}}{name[0]}"{called} for rank in 1 to {high}'
                self._attribute("rank")
            else:
                if has_written or any("-" in k for k in world.kinds):
                    continue
                top = 1 if most >= 3 else 0
                kinds = ["0-0", "1-0", "1-1"] if top else ["0-0"]
                line = f'{copies} of each "{{high}}-{{low}}" for high in 0 to {top}, low in 0 to high'
                has_written = world.chance(0.6)
                self._attribute("high", "low")
            world.groups[name] = kinds
            world.copies[name] = copies
            lines.append(f"  {name}: {line}")
        while sum(world.copies[g] * len(k) for g, k in world.groups.items()) < world.players[1] + 1:
            world.groups["extras"] = [*world.groups.get("extras", []), words.pop()]
            world.copies["extras"] = 2
        if "extras" in world.groups:
            lines.append(f"  extras: two of each {' '.join(world.groups['extras'])}")
        odd = random.Random(repr(lines)).random()  # the numbers of other choices stay
        if odd < 0.1:
            lines.append(f"  odd: one of each joker like {world.kinds[-1]}")
        elif odd < 0.2:
            lines += ["  odd: one of each joker", "  wild: odd"]
            lines += [f"  wild-as: {{{world.kinds[0]}, {world.kinds[-1]}}}"] * (odd < 0.15)
            world.has_wild = True
        world.has_likes = odd < 0.2
        if has_written:
            lines.append('  written: "{high}-{low}" or "{low}-{high}"')
        total = sum(world.copies[g] * len(k) for g, k in world.groups.items()) + world.has_likes
        count = ""
        if not world.options and world.chance(0.2):
            count = f" {total} of {len(world.kinds) + world.has_likes} kinds"
        if world.chance(0.15) and total > world.players[1] + 2:
            gone = rng.choice(world.kinds)
            some = f"if size of players = 2 then {{{gone}}} else {{}}"
            lines.append(f"  withdrawn: {rng.choice((some, f'{{{gone}}}'))}")
            total -= 1
        self._hands(total)
        self.left = total - self.dealt[0] - self.dealt[1] * (world.players[1] - 1)
        return [f"tiles{count}", *lines, ""]

    def _attribute(self, *names: str) -> None:
        self.world.attributes += [n for n in names if n not in self.world.attributes]

    def _hands(self, total: int) -> None:
        """Choose how many tiles are dealt, such that there are few deals."""
        world = self.world
        players = world.players[1]
        choices = [(a, b) for a in (0, 1, 1, 2) for b in (1, 1, 2) if a + (players - 1) * b <= total]
        choices = [(0, 0), (0, 0), (1, 1), (2, 0)] if world.stuck else choices
        most = FEW_DEALS if world.small else MOST_DEALS
        choices = [c for c in choices if _deals(total, c, players) <= most] or [(1, 1)]
        self.dealt = self.rng.choice(choices)

    # ------------------------------------------------------------------ zones and states

    def zones(self) -> list[str]:
        world, rng = self.world, self.rng
        holder = Zone("pool", False, rng.choice(("tiles", "tiles", "row")), world.chance(0.4))
        world.zones = [holder, Zone("hand", True, "tiles", False)]
        wanted = [Zone("line", False, "row", True), Zone("heap", False, "tiles", world.chance(0.5)),
                  Zone("shown", True, "melds", True), Zone("table", False, "melds", True),
                  Zone("queue", True, "row", world.chance(0.5)), Zone("lot", True, "tiles", True),
                  Zone("well", False, "row", False)]  # fmt: skip
        chosen = [z for z in wanted if z.name in world.asked_for("zones")]
        chosen += [z for z in rng.sample(wanted, rng.randint(1, 2 if world.small else 3)) if z not in chosen]
        world.zones += sorted(chosen[: max(3, len(world.asked_for("zones")))], key=wanted.index)
        others = [z for z in world.zones[2:] if not z.each and z.kind != "melds"]
        self.source = "pool"
        if others and world.chance(0.1):
            self.source = rng.choice(others).name
        lines = ["zones"]
        for zone in world.zones:
            seen = "everyone" if zone.open else "its owner" if zone.each else "nobody"
            holds = ", holds the set" if zone is holder else ""
            owner = "each player's " if zone.each else ""
            lines.append(f"  {owner}{zone.name}: {zone.kind} seen by {seen}{holds}")
        return [*lines, ""]

    def states(self) -> list[str]:
        """Return the lines of the states of the match and of the hand."""
        world, rng = self.world, self.rng
        words = rng.choice(WORDS)
        kinds: list[tuple[str, Type, bool]] = [
            ("stage", Choice(words), False), ("taken", Opt(TILE), False), ("marked", Opt(SEAT), False),
            ("bid", INT, False), ("noted", TILES, False), ("who", SEATS, False), ("numbers-seen", NUMBERS, False),
            ("told", BOOL, False), ("hits", INT, True), ("out", BOOL, True), ("chosen", Opt(Choice(words)), True),
            ("seen", TILES, True), ("last", Opt(TILE), True), ("friend", SEAT, True), ("rest", Opt(TILES), False),
            ("groups-seen", GROUPS, False), ("wish", Opt(INT), False), ("score-of", Opt(Each(INT)), False),
            ("lead", TILE, False), ("best", Opt(MELD), False), ("put", MELDS, False), ("helper", SEAT, False),
            ("mood", Choice(words), True), ("maybe", Opt(BOOL), False),
        ]  # fmt: skip
        chosen = rng.sample(kinds, rng.randint(1, 3) if world.small else rng.randint(2, 5))
        chosen += [k for k in kinds if k[0] in world.asked_for("states") and k not in chosen]
        match = [k for k in rng.sample(kinds, 1) if k not in chosen and world.chance(0.5)]
        if world.often("match state") > 1:
            plain = [k for k in kinds if k[1] in (INT, BOOL) and not k[2] and k not in chosen]
            match = rng.sample(plain, 1) if plain else match
        world.states = [State("mover", False, SEAT, "hand", True), State("turns", False, INT, "hand")]
        hand_lines = ["  mover: seat", "  turns: number = 0"]
        for name, kind, each in chosen:
            line, unset = self._state(name, kind, each)
            hand_lines.append(f"  {line}")
            world.states.append(State(name, each, kind, "hand", unset))
        match_lines = []
        for name, kind, each in match:
            if isinstance(kind, Opt) or kind in (INT, BOOL, TILES, SEATS) or isinstance(kind, Choice):
                line, _ = self._state(name, kind, each, last=True)
                match_lines.append(f"  {line}")
                world.states.append(State(name, each, kind, "match"))
        if world.in_teams and world.chance(0.7):
            hand_lines.append("  each team's tricks: number = 0")
            world.states.append(State("tricks", True, INT, "hand"))
        if world.raises:
            match_lines.append("  raised: number = 0")
        lines = ["state of the match", *match_lines, ""] if match_lines else []
        lines = [*self.make.newer.kind_of(words), *lines]
        hand_lines = [self._named(line) for line in hand_lines]
        lines = [self._named(line) for line in lines]
        return [*lines, "state of the hand", *hand_lines, ""]

    def _named(self, line: str) -> str:
        """Return the line of a state with the name of its kind of value, at times."""
        for words, (name, _) in self.world.kinds_of_value.items():
            if not line.startswith("kind") and self.world.chance(0.7):
                line = line.replace(f"one of {', '.join(words)}", name)
        return line

    def _state(self, name: str, kind: Type, each: bool, last: bool = False) -> tuple[str, bool]:
        """Return the line of a state, and whether it has no first value."""
        world, rng = self.world, self.rng
        owner = "each player's " if each else ""
        type_ = written(kind)
        if kind == INT and world.chance(0.4):
            type_ = "number from 0 to 3"
        if isinstance(kind, Opt) and not last and world.chance(0.2):
            return f"{owner}{name}: {type_}", False
        first: str
        match kind:
            case Opt():
                first = "none"
            case Choice(words):
                first = rng.choice(words)
            case _ if kind == INT:
                first = str(rng.randint(0, 2))
            case _ if kind == BOOL:
                first = rng.choice(("yes", "no"))
            case _ if kind == TILE:
                first = rng.choice(world.kinds)
            case _ if kind == TILES and world.chance(0.3):
                first = f"{{{rng.choice(world.kinds)}}}"
            case _ if kind == SEAT:
                return f"{owner}{name}: {type_}", True
            case _:
                first = "{}"
        can_be_set = not each or kind == SEAT
        if not last and can_be_set and world.chance(0.15) and not isinstance(kind, Opt) and not each:
            return f"{owner}{name}: {type_}", True
        return f"{owner}{name}: {type_} = {first}", False

    # ------------------------------------------------------------------ definitions

    def defines(self) -> list[str]:
        world, rng = self.world, self.rng
        lines: list[str] = []
        wanted = world.asked_for("define")
        for form in [*wanted, *[""] * (rng.randint(1, 2) if world.small else rng.randint(1, 4))]:
            try:
                lines += [*self._define(form), ""]
            except CannotMake:
                continue
        return lines

    def _define(self, asking: str = "") -> list[str]:
        """Return a definition; at times, or if it is asked for, one of a player that asks what lies somewhere (`owner`)
        or of a number that asks for a state (`state`).
        """
        world, rng = self.world, self.rng
        name = rng.choice(("fair", "near", "worth-of", "mate", "extra-of", "some-of"))
        if any(d.name == name for d in world.defines):
            raise CannotMake
        form = rng.choice(("tile", "player", "plain", "plain", "cases", "value"))
        form = {"owner": "player", "state": "value"}.get(asking, form)
        static = not asking and (form == "tile" or world.chance(0.5))
        params: tuple[tuple[str, Type], ...] = ()
        owner = form if form in ("tile", "player") else ""
        if owner:
            scope = Scope((("it", TILE if owner == "tile" else SEAT),), static=static)
        else:
            kinds = rng.choices((TILE, SEAT, INT, TILES, BOOL), (5, 5, 2, 3, 1), k=rng.randint(1, 2))
            params = () if form == "value" else tuple((world.fresh("abc"), k) for k in kinds)
            scope = Scope(params, static=static)
        kind: Type = rng.choice((BOOL, INT, INT, TILES, SEAT, TILE, SEATS, Opt(TILE), Opt(SEAT)))
        if form == "cases":
            kind = BOOL
            cases = [self.make.of(BOOL, scope, 2) for _ in range(rng.randint(1, 3))]
            body = [f"  case-{chr(97 + i)}: {case}" for i, case in enumerate(cases)]
        else:
            text = self.make.of(kind, scope, 2)
            if text == "none":
                raise CannotMake
            if owner:  # at times written with `its`, as authors do
                text = text.replace("it's ", "its ", 1) if text.count("it's ") == 1 else text
                if "its right's" in text or "its left's" in text:
                    text = text.replace("its ", "it's ")
            body = [text]
        if (
            owner == "player" and not static and (asking or world.chance(0.5))
        ):  # one that asks where tiles lie
            kind, body = SEAT, [self._asking_owner()]
        elif form == "value" and not static and (asking or world.chance(0.6)):
            kind, body = INT, [self._asking_state()]
        inside = "\n".join(body)
        if "none" in inside and kind != BOOL and not isinstance(kind, Opt) and inside.endswith("none"):
            raise CannotMake
        reads = world.reads_of(inside)
        world.defines.append(Define(name, owner, params, kind, reads))
        listed = ", ".join(f"{n}: {written(k)}" for n, k in params)
        head = (
            f"define each {owner}'s {name}" if owner else f"define {name}" + (f"({listed})" if params else "")
        )
        return [head, *body] if form == "cases" else [f"{head}: {body[0]}"]

    def _asking_owner(self) -> str:
        """Return a player near `it` that depends on what lies somewhere."""
        rng = self.rng
        zone = rng.choice([z for z in self.world.zones if z.each])
        asked = rng.choice(
            (f"its {zone.name}", f"its {zone.name}", f"it's {rng.choice(('right', 'left'))}'s {zone.name}")
        )
        test = f"size of {asked} {rng.choice(('=', '<', '>'))} {rng.randint(0, 2)}"
        test = rng.choice((test, f"{asked} is empty", f"{asked} is not empty"))
        near = ["it", "its right", "its left"]
        return f"if {test} then {near.pop(rng.randrange(3))} else {rng.choice(near)}"

    def _asking_state(self) -> str:
        """Return a number that depends on what a state is."""
        rng = self.rng
        states = [s for s in self.world.states if not s.each and s.name != "mover"]
        about = [s for s in states if s.name in self.world.asked_for("states")]
        state = rng.choice(about or states)
        low, high = rng.randint(0, 1), rng.choice(("2", "3", "turns + 2"))
        if state.type == BOOL:
            return f"if {state.name} then {low} else {high}"
        if isinstance(state.type, Opt):
            return f"if {state.name} is none then {low} else {high}"
        if state.type == INT:
            return f"if {state.name} {rng.choice(('>', '=', '<'))} {rng.randint(0, 2)} then {low} else {high}"
        if isinstance(state.type, Bag):
            return f"size of {state.name} + {low}"
        raise CannotMake

    # ------------------------------------------------------------------ shapes and arrangements

    def _wild(self, test: str) -> str:
        """Return a test of a shape, perhaps with what it asks about wild tiles; the numbers of other choices stay."""
        if not self.world.has_wild or not random.Random(test).random() < 0.3:
            return test
        return f"({test}) and (number of t in it: t in wild) < size of it"

    def shapes(self) -> list[str]:
        """Return the lines of shapes and arrangements."""
        world, rng = self.world, self.rng
        lines: list[str] = []
        for name in rng.sample(("pair", "twin", "run", "trio", "lone"), rng.randint(1, 3)):
            form = rng.choice(("names", "names", "size", "bag"))
            if form == "bag":
                kinds = [rng.choice(world.kinds) for _ in range(rng.choice((1, 2, 2, 3)))]
                world.shapes[name] = len(kinds)
                lines.append(f"shape {name}: {{{', '.join(kinds)}}}")
                continue
            size = rng.choice((1, 2, 2, 2, 3))
            if form == "names":
                names = ("a", "b", "c")[:size]
                scope = Scope(tuple((n, TILE) for n in names), static=True)
                easy = "a = b" if size > 1 else "a in kinds"
                test = easy if world.chance(0.3) else self.make.truth(scope, 2)
                lines.append(f"shape {name}({', '.join(names)}): {self._wild(test)}")
            else:
                test = self.make.truth(Scope((("it", TILES),), static=True), 2)
                lines.append(f"shape {name} of {size}: {self._wild(test)}")
            world.shapes[name] = size
        if len(world.shapes) > 1 and world.chance(0.6):
            members = rng.sample(list(world.shapes), 2)
            world.unions["couple"] = tuple(members)
            world.shapes["couple"] = 0
            lines.append(f"shape couple: {' or '.join(members)}")
        about_marked = world.often("marked group") > 1
        for name in ("whole", "bunch")[: rng.choice((1, 2) if about_marked else (0, 1, 2))]:
            parts = rng.sample(list(world.shapes), rng.choice((1, 1, min(2, len(world.shapes)))))
            counts = [rng.choice((1, 1, 2, 2)) for _ in parts]
            world.arrangements[name] = tuple(zip(counts, parts, strict=True))
            said = [f"{c} {'different ' if c > 1 and world.chance(0.5) else ''}{p}{'s' if c > 1 else ''}"
                    for c, p in zip(counts, parts, strict=True)]  # fmt: skip
            lines.append(f"arrangement {name}: {' and '.join(said)}")
        if len(world.arrangements) == 2 and world.chance(0.6):
            lines.append("arrangement winning: whole or bunch")
            world.arrangements["winning"] = ()
        lines += self.make.newer.long_shapes()
        world.labels = tuple(n for n in world.shapes) + (("odd",) if world.chance(0.1) else ())
        return [*lines, ""]

    # ------------------------------------------------------------------ scores

    def scores(self) -> list[str]:
        world, rng = self.world, self.rng
        about_marked = world.often("marked group") > 1
        if not world.arrangements or (not about_marked and world.chance(0.8 if world.small else 0.2)):
            return []
        fixed = about_marked or world.chance(0.5)
        last = about_marked or world.chance(0.5)
        params: list[tuple[str, Type]] = [("tiles-held", TILES)]
        given = ["    tiles-held: tiles"]
        if fixed:
            given.append("    melds-shown: melds" + (" = {}" if world.chance(0.5) else ""))
            params += [] if given[-1].endswith("{}") and world.chance(0.5) else [("melds-shown", MELDS)]
        if last:
            params.append(("last-tile", TILE))
            given.append("    last-tile: tile")
        if world.chance(0.4):
            given.append(f"    lucky: yes or no = {self._usual_luck(given)}")
            params += [("lucky", BOOL)] if world.chance(0.6) else []
        as_ = rng.choice(list(world.arrangements))
        parts = self._parts(as_)
        locals_: list[tuple[str, Type]] = [("tiles-held", TILES)]
        locals_ += [("melds-shown", MELDS)] * fixed + [("last-tile", TILE)] * last
        locals_ += [("lucky", BOOL)] if "lucky" in " ".join(given) else []
        lines = ["score worth", "  given", *given]
        plain = Scope(tuple(locals_), static=True)
        completes = last and world.chance(0.5)
        if last and world.chance(0.2 if completes else 0.5):
            lines += ["  provided", "    held: last-tile in tiles-held"]
        lines.append("  hand: tiles-held" + " + last-tile" * completes)
        lines += ["  fixed: melds-shown"] * fixed
        lines.append(f"  as: {as_}")
        inside = plain.having(*parts)
        if last and (about_marked or world.chance(0.7)):
            lines.append("  marking: last-tile as done")
            inside = inside.having(("done", MELD))
        total = rng.choice(("sum", "highest", "unimplied"))
        numbers = ("plain", "double") if world.newer and world.chance(0.3) else ()
        if numbers:
            total = rng.choice(("unimplied", "plain + 2 * double", "plain * 2 ^ double rounded up to 3"))
        asks_eligible = world.chance(0.2)
        names = ["basic", "fine", "rare"][: rng.randint(2, 3)]
        body: list[str] = []
        if world.chance(0.5):
            body.append(f"  define bonus: {self.make.of(INT, inside, 1)}")
            inside = inside.having(("bonus", INT))
        points: list[int] = []
        for name in names:
            worth = rng.choice(("1", "2", "3", "bonus" if inside.type_of("bonus") else "1"))
            each, scope = "", inside
            if world.chance(0.25):
                over = rng.choice(("tiles-held", *(n for n, t in parts if t == MELDS)))
                each = f" for each e in {over}"
                scope = inside.having(("e", TILE if over == "tiles-held" else MELD))
            extra = ", extra" if world.chance(0.5 if asks_eligible else 0.2) else ""
            if total != "highest" and world.chance(0.1):
                extra = ", alone"
            plain_tests = ["yes"]
            plain_tests += [f"arrangement is {a}" for a in world.arrangements]
            marked = (
                self._about_marked(inside)
                if inside.type_of("done") and world.likely("marked group", 0.35)
                else ""
            )
            test = marked or (rng.choice(plain_tests) if world.chance(0.4) else self.make.truth(scope, 1))
            if points and world.chance(0.2):
                above = rng.choice(names[: len(points)])
                test = rng.choice(
                    (above, f"not {above}", f"not {above} and ({test})", f"{above} or ({test})")
                )
            unit = f" {rng.choice(numbers)}" if numbers else ""
            body.append(f"  pattern {name} {worth}{unit}{each}{extra}: {test}")
            points.append(int(worth) if worth.isdigit() else 1)
        if asks_eligible:
            lines.append(f"  keep: {rng.choice(('eligible >= 1', 'eligible >= 2', 'eligible /= points'))}")
        elif world.chance(0.3):
            keeping = inside.having(*((n, BOOL) for n in names), ("points", INT), ("eligible", INT))
            test = rng.choice(("eligible >= 1", "points > 0", "basic or fine", ""))
            lines.append(f"  keep: {test or self.make.truth(keeping, 1)}")
        before, reads = self._asking_game(body)
        lines += [f"  counts: {', '.join(numbers)}"] if numbers else []
        lines.append(f"  total: {total}")
        lines += body
        if world.chance(0.5) or total == "unimplied":
            lines.append(f"  {names[0]} brings {names[1]}")
            if world.chance(0.5):  # at times each brings the other
                lines.append(f"  {names[1]} brings {rng.choice([names[0], *names[2:]])}")
        given_parts = (*locals_, *parts)
        made = Score("worth", tuple(params), tuple(points), tuple(names), given_parts, numbers, reads)
        world.scores.append(made)
        return [*before, *lines, ""]

    def _usual_luck(self, given: list[str]) -> str:
        """Return the usual value of a truth, at times one that is worked out from the values above it. The choice is
        its own, so that all else of a text stays as it is for its seed.
        """
        names = [line.split(":")[0].strip() for line in given]
        asked = ["size of tiles-held >= 3", "some t in tiles-held: t not in tiles-held - t"]
        asked += ["size of melds-shown = 1"] * ("melds-shown" in names)
        asked += ["last-tile in tiles-held"] * ("last-tile" in names)
        rng = random.Random(f"{sorted(self.world.copies.items())} {' '.join(given)}")
        return rng.choice(["no", *asked])

    def _asking_game(self, body: list[str]) -> tuple[list[str], frozenset[str]]:
        """Let at times the last pattern of a score ask about a game, itself or by a definition. Return the definition,
        and what is asked. The choice is its own, so that all else of a text stays as it is for its seed.
        """
        at = max(i for i, line in enumerate(body) if line.startswith("  pattern "))
        rng = random.Random("\n".join(body))
        states = [s for s in self.world.states if not s.each and s.name not in self.world.unset]
        asked = [s.name for s in states if s.type == BOOL]
        asked += [f"{s.name} is none" for s in states if isinstance(s.type, Opt)]
        asked += [f"{s.name} >= 1" for s in states if s.type == INT]
        asked += ["size of pool >= 2", "hands-played = 0", "stake = 1"]
        if rng.random() < 0.7:
            return [], frozenset()
        asks = rng.choice(asked)
        head, _, test = body[at].partition(": ")
        by_definition = rng.random() < 0.4
        asking = "asked-of-game" if by_definition else asks
        body[at] = f"{head}: ({test}) {rng.choice(('and', 'or'))} {asking}"
        return [f"define asked-of-game: {asks}", ""] * by_definition, self.world.reads_of(asks)

    def _about_marked(self, scope: Scope) -> str:
        """Return a truth about the marked group."""
        tests = [
            f"done is {self.rng.choice(list(self.world.shapes))}",
            f"size of done = {self.rng.randint(1, 3)}",
        ]
        tests += ["done not in melds-shown"] * (scope.type_of("melds-shown") is not None)
        return self.rng.choice(tests)

    def _parts(self, arrangement: str) -> list[tuple[str, Type]]:
        """Return the words of the parts of an arrangement, or of the members of a union of them."""
        world = self.world
        members = [arrangement] if world.arrangements[arrangement] else ["whole", "bunch"]
        return [
            (f"{shape}s" if count > 1 else shape, MELDS if count > 1 else MELD)
            for member in members
            for count, shape in world.arrangements[member]
        ]


def _deals(total: int, dealt: tuple[int, int], players: int) -> int:
    """Return at most how many deals there are."""
    out, left = 1, total
    for size in (dealt[0], *([dealt[1]] * (players - 1))):
        out *= comb(left, size)
        left -= size
    return out
