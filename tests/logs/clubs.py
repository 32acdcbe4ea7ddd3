"""An installed package with adapters, as a user would write one: that of the pages, and some that go wrong."""

from pathlib import Path

from tests.committed import TOP

EXAMPLE = TOP / "docs" / "examples" / "score_sheet.py"

SHEET = b"""\
jjak: An, Bo
An begins: 6-6 6-6 5-4 6-3 4-2 2-1 / 6-1 3-1 5-1 4-4 1-1
An lays 6-6 6-6
An lays 4-2 2-1

jjak: Cho, Dae
Cho begins: 6-6 6-6 5-4 6-3 4-2 2-1 / 6-1 3-1 5-1 4-4 1-1
Dae lays 6-1 3-1

jjak: Eun, Fen
Eun begins: 6-6 6-6 5-4 6-3 4-2 2-1 / 6-1 3-1 5-1 4-4 1-1
Eun sings
"""
"""Three games: one that is not over, one with a fault in its second event, one with an event that nobody knows."""

OTHERS = '''
from golpae.logs import Adapter, Choice, Game, LogFault, Place, Ways, event

class Columns(Adapter):
    """A log on one line: games `AN,BO;lay...`, whose second event may be by either player."""

    name = "columns"
    what = "everything on one line"

    def recognises(self, start):
        return start.startswith(b"COLUMNS")

    def games(self, log):
        at = log.data.index(b" ") + 1
        for word in log.data[at:].split(b" "):
            place = log.place_of(at)
            def told(seat, tiles=word.decode().strip().split("+"), place=place, at=at):
                game = Game("jjak", ["An", "Bo"], place)
                hands = [["6-6", "6-6", "5-4", "6-3", "4-2", "2-1"], ["6-1", "3-1", "5-1", "4-4", "1-1"]]
                game.tell("deal", log.place_of(at + 1), first=0, hands=hands)
                game.tell("lay", log.place_of(at + 2), by=seat, tiles=tiles)
                return game
            yield Ways(told(1), lambda told=told: iter([told(0), told(1)]), "who laid the pair")
            at += len(word) + 1

class Reader:
    pass

class Careless(Adapter):
    name = "careless"
    what = "logs that nobody tried"

    def games(self, log):
        game = Game("jjak", ["An", "Bo"], Place(1))
        yield game
        raise KeyError("seat")

class Refusing(Adapter):
    name = "refusing"
    what = "no logs"

    def games(self, log):
        raise LogFault("this is none", Place(3))
        yield

class Menus(Adapter):
    """A hand, and lines of what may be done: `6-6+6-6 5-4`, pairs to lay and tiles to discard; `-5-4` is left out, and
    after `only` nothing else is compared. `lay 6-6+6-6` is done.
    """

    name = "menus"
    what = "what may be done"
    endings = (".menu",)

    def games(self, log):
        game = Game("jjak", ["An", "Bo"], Place(1))
        hands = [["6-6", "6-6", "5-4", "6-3", "4-2", "2-1"], ["6-1", "3-1", "5-1", "4-4", "1-1"]]
        game.tell("deal", Place(1), first=0, hands=hands)
        for number, line in log.lines():
            if line.startswith("lay "):
                game.tell("lay", Place(number), by=0, tiles=line[4:].split("+"))
            elif line:
                words = line.split()
                legal = [choice(word) for word in words if word[0] not in "-o"]
                left_out = [choice(word[1:]) for word in words if word[0] == "-"]
                game.lists(Place(number, 1), legal, left_out, None if "only" in words else ["finish"])
        yield game

def choice(word):
    tiles = word.split("+")
    if len(tiles) == 2:
        return Choice(word, [event("lay", 0, tiles=tiles)])
    return Choice(word, [event("discard", 0, tile=tiles[0])])
'''


def install(folder: Path) -> None:
    """Write a package with adapters into a folder, which is to be put on the path."""
    about = folder / "club-1.0.dist-info"
    about.mkdir(parents=True)
    (folder / "score_sheet.py").write_text(EXAMPLE.read_text("utf-8"), "utf-8")
    (folder / "club_others.py").write_text(OTHERS, "utf-8")
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: club\nVersion: 1.0\n", "utf-8")
    lines = ["score-sheet = score_sheet:ScoreSheet", "columns = club_others:Columns"]
    lines += ["careless = club_others:Careless", "refusing = club_others:Refusing"]
    lines += ["menus = club_others:Menus"]
    lines += ["missing = club_others:Nobody", "wrong = club_others:Reader"]
    (about / "entry_points.txt").write_text("\n".join(("[golpae.logs]", *lines, "")), "utf-8")
