"""Habits in the parts of a text that are no actions: players, tiles, states, scores, properties.

Input: the place where the parser stopped, and the terminals that it could have taken.
Output: a `Diagnostic` at the cause, or None if no habit is recognised.
Guarantee: the advice uses the author's own words if they are short.
"""

from __future__ import annotations

import re

from golpae.diagnostics import Diagnostic, Span, Text, near
from golpae.diagnostics.amounts import NUMERALS
from golpae.syntax.habits.places import LOOK, WORD, block_of, ending, fault, line_of, line_start, shortened

PROPERTIES = "theorem always never reachable ends claim".split()
VARIANTS = ("variant", "reading")
ONCE = ("deal", "end", "finish", "payout", "game", "include", "source", *VARIANTS)
STATES = "write `state of the hand` or `state of the match`"
# Words that authors write at the left edge, and what begins such a part here.
PROPERTY = "write `theorem` for tiles and definitions, `always`, `never`, `reachable` or `ends` for games, or `claim`"
OTHER_STARTS = {
    **dict.fromkeys(
        "property invariant prove assert test lemma axiom check fact ensure require expect-that".split(),
        PROPERTY,
    ),
    **dict.fromkeys("eventually possible".split(), "write `reachable name: ...`"),
    **dict.fromkeys("setup start begin".split(), "write `deal from ...` for what each hand gets"),
    **dict.fromkeys("function def let const constant fun macro rule".split(), "write `define name: ...`"),
    **dict.fromkeys("var variable".split(), "write `state of the hand`, and `name: number = 0` under it"),
    **dict.fromkeys("turn phase move step event".split(), "write `action name(tile) by p`"),
    **dict.fromkeys("scoring points".split(), "write `payout`, or `score name` for hands that count"),
    **dict.fromkeys("import use using".split(), "write `include name`"),
    **dict.fromkeys("deck cards pieces set".split(), "write `tiles`, and groups of tiles under it"),
    **dict.fromkeys("table places areas board".split(), "write `zones`, and each place under it"),
    **dict.fromkeys("win winner goal".split(), "an action ends a hand: write `then p wins` in it"),
    **dict.fromkeys("title name".split(), 'write `game name "Title"`'),
}


def drawn(text: Text, span: Span, _: set[str]) -> Diagnostic | None:
    """Diagnose `drawn: cards`, `drawn cards` and `drawn as "cards"`."""
    start = line_start(text, span.start)
    line = re.compile(rf'drawn(?:\s*:|\s+as)?\s*"?({WORD})"?').match(text.content, start, start + LOOK)
    if line is None or block_of(text, start) != "tiles":
        return None
    message = "pictures are named with `drawn as`"
    return fault(text, start, line.end(), message, f"write `drawn as {line[1]}`")


def wild(text: Text, span: Span, _: set[str]) -> Diagnostic | None:
    """Diagnose `wild: BJ, RJ`, `wild: jokers as SUIT` and `wild as: SUIT`."""
    start = line_start(text, span.start)
    line = line_of(text, span.start)[1]
    said = re.match(r"(withdrawn|wild-as|wild)\b\s*:?\s*(.*)", line)
    if said is None or block_of(text, start) != "tiles":
        return None
    other = re.search(rf"\b(?:as|like|wild-as)\b\s*:?\s*(?:any\s+of\s+)?({WORD})?", said[2])
    if other is not None and said[1] == "wild":
        message = "what wild tiles count as has a line of its own"
        return fault(text, span.start, span.end, message, f"write `wild-as: {other[1] or 'cards'}` below it")
    listed = re.findall(r"[\w-]+", said[2])
    if re.fullmatch(r"[\w-]+(?:(?:\s*,\s*|\s+)[\w-]+)+", said[2]):
        message = "tiles that are listed stand in braces"
        braces = "{" + ", ".join(listed) + "}"
        advice = f"write `{shortened(f'{said[1]}: {braces}')}`; groups are joined by `+`"
        return fault(text, span.start, span.end, message, advice)
    return None


def other_start(text: Text, span: Span) -> Diagnostic | None:
    """Diagnose a word at the left edge that begins no part of a text, or that belongs to the part above."""
    _, line = line_of(text, span.start)
    word = re.match(r"[\w-]+", line)
    if word is None or word[0] in PROPERTIES:
        return None
    message = f"no part of a rule text starts with `{shortened(word[0])}`"
    end = span.start + len(word[0])
    if word[0] in OTHER_STARTS:
        return fault(text, span.start, end, message, OTHER_STARTS[word[0]])
    if word[0] == "then" or re.match(rf"{WORD}:(?!=)|each\s+player's\b", line):
        above = block_of(text, span.start)
        whose = f" if it belongs to `{above}`" if above else ""
        return fault(text, span.start, end, message, f"indent it by two spaces{whose}")
    return None


def in_variant(text: Text, span: Span, expected: set[str]) -> Diagnostic | None:
    """Diagnose `deal`, `end` and other parts that a variant cannot declare."""
    word = span.words
    if word not in ONCE or "EXPECT" not in expected or text.position(span.start)[1] == 1:
        return None
    message = f"a variant does not declare a `{word}`"
    if word in ("deal", "end", "finish", "payout"):
        advice = f"change the clauses of `{word}`: `replace {word}.name: ...`, or `add` and `drop`"
    else:
        advice = f"write `{word}` at the left edge"
    return fault(text, span.start, span.end, message, advice)


def empty_brackets(text: Text, span: Span, _: set[str]) -> Diagnostic | None:
    """Diagnose `effects win()`."""
    head = ending(
        rf"(?<![\w'-])((?:effects|conditions|define|action|score|shape)\s+{WORD})\s*(\()\s*\Z",
        text,
        span.start,
    )
    if head is None or span.words != ")":
        return None
    message, advice = "nothing is in these brackets", f"leave them out: `{head[1]}`"
    return fault(text, head.start(2), span.end, message, advice)


def kind_of_words(text: Text, span: Span, expected: set[str]) -> Diagnostic | None:
    """Diagnose `kind strain: clubs, diamonds`, `kind strain: x < y` and the like."""
    start = line_start(text, span.start)
    _, line = line_of(text, span.start)
    head = re.match(rf"kind\s+({WORD})\s*(in\s+order)?\s*:\s*(.*)", line)
    if head is None or text.position(start)[1] != 1 or span.start < start + head.start(3):
        return None
    rest = re.sub(r"\[[^\]]*\]", "", head[3])
    listed = [
        word for word in re.findall(WORD, rest) if word not in ("one", "of", "or", "and", "in", "order")
    ]
    if len(listed) < 2 or span.words == "or":
        return None
    words = shortened(", ".join(listed))
    in_order = f"`kind {head[1]} in order: {words}`"
    if head[2] or re.search(r"[<>]|\bin\s+order\b", rest):
        if ">" in rest:
            in_order = f"`kind {head[1]} in order: {shortened(', '.join(reversed(listed)))}`"
        advice = f"write {in_order}, the lowest first"
    else:
        advice = f"write `kind {head[1]}: one of {words}`, or {in_order} if some are higher"
    return fault(text, span.start, span.end, "the words of a kind are listed in another way", advice)


def owners(text: Text, span: Span, expected: set[str]) -> Diagnostic | None:
    """Diagnose `each card's`, `each seat's` and the like."""
    word = re.compile(r"(card|piece|bone|seat|hand|team)'s").match(text.content, span.start)
    if word is None or not ending(r"(?<![\w'-])each\s+\Z", text, span.start):
        return None
    if word[1] in ("card", "piece", "bone"):
        message, meant = f"a {word[1]} is a `tile`", "tile's"
    else:
        message, meant = f"nothing is declared of each {word[1]} here", "player's"
    return fault(text, span.start, word.end(), message, f"write `each {meant} ...`")


def bag_of_kind(text: Text, span: Span, _: set[str]) -> Diagnostic | None:
    """Diagnose `bag of strain`, `set of tiles` and the like as a kind of value."""
    before = ending(
        r"[:(,]\s*(bag|bags|set|sets|lists|several|many|array|row)\s+(?:of\s+)?\Z", text, span.start
    )
    kind = re.compile(rf"(?:of\s+)?({WORD})").match(text.content, span.start)
    if (
        before is None
        or kind is None
        or block_of(text, span.start) not in ("state", "action", "define", "deal")
    ):
        return None
    several = {"tile": "tiles", "seat": "seats", "player": "seats", "card": "tiles", "number": "numbers"}
    plural = {name: name for name in several.values()} | several
    word = kind[1]
    advice = f"write `{plural[word]}`" if word in plural else f"write `list of {word}`"
    return fault(
        text,
        before.start(1),
        kind.end(),
        f"no kind of value is written `{shortened(text.content[before.start(1) : kind.end()])}`",
        advice,
    )


def head_of_part(text: Text, span: Span, expected: set[str]) -> Diagnostic | None:
    """Diagnose `zones:` and `theorem: ...`, and a property without a name."""
    start = line_start(text, span.start)
    _, line = line_of(text, span.start)
    if text.position(start)[1] != 1:
        return None
    first = re.match(r"[A-Za-z]+", line)
    word = "" if first is None else first[0]
    if word == "state" and "OF" in expected:
        return fault(text, start, span.end, "a state lasts for a hand or for the match", STATES)
    if word in PROPERTIES:
        rest = line[len(word) :].lstrip(" :")
        if re.match(rf"{WORD}(?:\s+(?:after|within|expected)\b[^:]*)?\s*(?:\[[^\]]*\]\s*)?:", rest) is None:
            advice = f"write `{word} name: {shortened(rest) or '...'}`"
            return fault(text, start, start + len(word), f"this `{word}` has no name", advice)
    if span.words == ":" and not line[span.end - start :].strip():
        advice = f"leave the `:` out: write `{shortened(line[: span.start - start].strip())}`"
        return fault(text, span.start, span.end, "a part of a text begins without a `:`", advice)
    return None


# ---------------------------------------------------------------- players and hands


def players(line: str) -> tuple[str, str] | None:
    """Return message and advice about a line that begins with `players` and has no range, or None."""
    if re.match(r"players\b", line) is None or re.match(r"players\s+[^:\s]+\s+to\s+[^\s\"]", line):
        return None
    words = (str(NUMERALS.index(w)) if w in NUMERALS else w for w in re.findall(r"[\w']+", line[7:]))
    numbers = sorted({int(word) for word in words if word.isdecimal() and len(word) < 5})
    low, high = (numbers[0], numbers[-1]) if numbers else (2, 4)
    if teams := re.search(r"\bin\s+teams\s+of\s+\S+", line):
        advice = f"write `players {high} to {high} {teams[0]}`"
        return "the number of players is written as a range", advice
    return "the number of players is written as a range", f"write `players {low} to {high}`"


def players_line(text: Text, span: Span, _: set[str]) -> Diagnostic | None:
    """Diagnose `players: 2`, `players 2, 3` and the like."""
    start = line_start(text, span.start)
    own = text.position(start)[1] == 1 or block_of(text, start) in VARIANTS
    fault_words = players(line_of(text, span.start)[1]) if own else None
    return None if fault_words is None else fault(text, span.start, span.end, *fault_words)


VIEWERS = "write `seen by nobody`, `everyone`, `its owner`, or `everyone but its owner`"


def viewer(text: Text, span: Span, expected: set[str]) -> Diagnostic | None:
    """Diagnose `seen by the others`, `seen by everyone but the owner` and the like."""
    seen = ending(r"(?<![\w'-])seen\s+by\s+((?:everyone\s+(?:but\s+)?|its\s+owner\s+)?)\Z", text, span.start)
    if seen is None or span.words in (",", "[") or near(span.words, ("nobody", "everyone", "its", "but")):
        return None
    rest = re.compile(r"[^,\[#\n]*").match(text.content, span.start)
    words = text.content[seen.start() : span.end if rest is None else rest.end()].rstrip()
    end = seen.start() + len(words)
    return fault(text, seen.start(), end, f"no zone is `{shortened(words)}`", VIEWERS)


def sizes_of_shape(text: Text, span: Span, _: set[str]) -> Diagnostic | None:
    """Diagnose `shape run of at least 3: ...`, `of 3+`, `of any length` and the like."""
    start = line_start(text, span.start)
    head = re.match(rf"shape\s+({WORD})\s*(\([^)]*\))?\s*of\b([^:]*)", line_of(text, span.start)[1])
    if head is None or text.position(start)[1] != 1 or span.start >= start + head.end():
        return None
    least = re.search(r"\d+", head[3])
    size = least[0] if least else "3"
    advice = f"write `shape {head[1]} of {size} or more: ...`, or `of {size} to {int(size) + 2}`; its tiles are `it`"
    return fault(
        text, span.start, span.end, "the number of tiles of a shape is not written like this", advice
    )


def hands(text: Text, span: Span, expected: set[str]) -> Diagnostic | None:
    """Diagnose `hands: 5 each` and the like."""
    start = line_start(text, span.start)
    _, line = line_of(text, span.start)
    number = r"(?P<number>\S+?)(?:\s*,|\s+(?:for|to|each|tiles?|cards?|pieces?|face)\b|$)"
    dealt = re.match(rf"(?:(?P<name>each\s+player's\s+{WORD}|{WORD}):?\s+)?{number}", line)
    if dealt is None or block_of(text, start) != "deal" or text.position(start)[1] == 1:
        return None
    fault_words = hands_without_end(line) or hands_end(dealt["number"])
    to_hand = r"for\s+(?:everyone|everybody|all|each|every|first)\b"
    if not re.search(r"\bhands?\Z", dealt["name"] or "hand") and not re.search(to_hand, line):
        fault_words = table(dealt["name"], dealt["number"])
    return fault(text, span.start, span.end, *fault_words)


def table(name: str, number: str) -> tuple[str, str]:
    """Return message and advice about tiles for the table with words too many, such as `market: 4 face up`."""
    zone = re.sub(r"\Aeach\s+player's\s+", "", name)
    shown = number if number.isdecimal() else "4"
    advice = f"write `{zone}: {shown}`; the line of `{zone}` under `zones` says who sees it, as in `seen by everyone`"
    return "a number alone says how many tiles a zone is dealt", advice


def hands_end(number: str) -> tuple[str, str]:
    """Return message and advice about a number of tiles that does not say which hands get it."""
    shown = number if number.isdecimal() else "5"
    advice = f"write `hands: {shown} for everyone`, or `hands: 6 for first, 5 for the others`"
    return "this line does not say whose hand gets so many", advice


def hands_without_end(line: str) -> tuple[str, str] | None:
    """Return message and advice about `hands: 6 for first` without the others, or None."""
    first = re.search(r":\s*(\S+)\s+for\s+first\b(?:\s*,\s*(\S+))?", line)
    if first is None:
        return None
    return (
        "this line leaves the others out",
        f"write `hands: {first[1]} for first, {first[2] or 5} for the others`",
    )


# ---------------------------------------------------------------- tiles


def tiles(text: Text, span: Span, expected: set[str]) -> Diagnostic | None:
    """Diagnose a group of tiles: its copies, a name of a tile, a list with commas or of texts."""
    start = line_start(text, span.start)
    if block_of(text, start) != "tiles" or text.position(start)[1] == 1:
        return None
    _, line = line_of(text, span.start)
    if expected == {"COUNT"}:
        return _copies(text, span, line[span.start - start :])
    if span.words in (",", ";", "and") and "TILE" in expected:
        return fault(
            text,
            span.start,
            span.end,
            "tiles are listed without signs between them",
            f"leave the `{span.words}` out",
        )
    group = line[:1].lower()
    if span.words.startswith('"') and "FOR" in expected:
        message = "a text in quotes stands for many tiles, or says what a tile is called"
        advice = f"list each tile by its name, followed by what it is called: `{called(span.words, group)}`"
        return fault(text, span.start, span.end, message, advice)
    if "TILE" in expected and "FOR" not in expected:
        word = re.compile(r'[^\s"\[]+').match(text.content, max(start, _word_start(text, span.start)))
        if word is not None:
            message = f"`{shortened(word[0])}` cannot be the name of a tile"
            return fault(text, word.start(), word.end(), message, tile_names(called(word[0], group)))
    return None


def _word_start(text: Text, offset: int) -> int:
    """Return where the characters begin that stand before a place without a space."""
    begin = max(0, offset - LOOK)
    return begin + len(re.sub(r"\S*\Z", "", text.content[begin:offset]))


def _copies(text: Text, span: Span, words: str) -> Diagnostic:
    word = re.sub(r"\s.*", "", words)
    times = re.fullmatch(r"x?(\d+)[x*]?", word)
    count = times[1] if times else word if word in NUMERALS[1:9] else None
    if word in NUMERALS[9:]:
        count = str(NUMERALS.index(word))
    tiles_after = (
        re.sub(rf"\A{re.escape(word)}\s*(?:of\s+each\s*|of\s+|each\s+)?", "", words) if count else words
    )
    advice = f"write `{count or 'one'} of each {shortened(tiles_after)}`"
    return fault(text, span.start, span.end, "this line does not say how many there are of each tile", advice)


def tile_names(name: str) -> str:
    """Return advice that names a tile rightly, and says which names tiles have."""
    return f"write `{name}`: a tile's name is letters and digits, with `-` or `_` between them"


def name_like(word: str, group: str) -> str:
    """Return a name for a tile that is like the word that an author wanted."""
    plain = word.strip('"')
    digits = re.search(r"\d+", plain)
    letters = re.sub(r"[^A-Za-z]", "", plain)
    if digits and len(letters) < 2:
        name = f"{digits[0]}{letters or group or 't'}"
    elif letters:
        name = f"{letters}-{digits[0]}" if digits else letters
    else:
        name = f"{group or 't'}1"
    return name


def called(word: str, group: str) -> str:
    """Return a tile as a list has it: its name, and in quotes what it is called."""
    return f'{name_like(word, group)} "{word.strip(chr(34))}"'


def pattern_without_range(words: str) -> tuple[str, str] | None:
    """Return message and advice about a pattern of tiles at the end of a line without its `for`, or None."""
    match = re.search(r'\bof\s+each\s+"([^"]*)"(?:\s+called\s+"[^"]*")?\Z', words)
    if match is None:
        return None
    holes = re.findall(r"\{([\w-]+)\}", match[1])
    if holes:
        ranges = ", ".join(f"{hole} in 1 to 9" for hole in dict.fromkeys(holes))
        return "this pattern does not say which tiles it stands for", f"add `for {ranges}`"
    message = "a text in quotes stands for many tiles, or says what a tile is called"
    return message, f"list each tile by its name, followed by what it is called: `{called(match[1], 't')}`"


def listed_range(words: str, expected: set[str]) -> tuple[str, str] | None:
    """Return message and advice about `for n in {1, 2, 3}` or `for n in 1-3`, or None."""
    if "TO" not in expected:
        return None
    if reach := re.search(r"(\d+)-(\d+)\Z", words):
        return "a range is written with `to`", f"write `{reach[1]} to {reach[2]}`"
    listed = re.search(rf"\b({WORD})\s+in\s+\{{([^}}]*)\}}\Z", words)
    if listed is None:
        return None
    numbers = [int(n) for n in re.findall(r"\d+", listed[2][:50])]
    if not re.fullmatch(r"[\d\s,to]*", listed[2]) or not numbers:
        message = "a pattern goes through whole numbers only"
        return message, 'list these tiles one by one, as in `one of each c1 "one" c2 "two"`'
    return "a range is written with `to`", f"write `{min(numbers)} to {max(numbers)}`"


def replaced_size(text: Text, span: Span, expected: set[str]) -> Diagnostic | None:
    """Diagnose `replace run of 3 or more: ...`."""
    before = ending(rf"(?<![\w'-])replace\s+({WORD})\s+\Z", text, span.start)
    size = re.compile(r"of\s+\d+(?:\s+to\s+\d+|\s+or\s+more)?").match(
        text.content, span.start, span.start + LOOK
    )
    if before is None or size is None:
        return None
    advice = (
        f"write `replace {before[1]}: ...` for another test; another size is a shape with a name of its own"
    )
    return fault(
        text, span.start, size.end(), "a variant changes the test of a shape, and not its size", advice
    )
