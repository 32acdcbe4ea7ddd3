"""The shape of the package, and whether docs/architecture.md describes it."""

import ast
import importlib
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import fields
from tests.committed import TOP

PACKAGE = TOP / "checker" / "golpae"
PAGE = (TOP / "docs" / "architecture.md").read_text(encoding="utf-8")
MOST_MODULES, MOST_LINES, LONGEST_CLASS = 18, 600, 300
LONG = "is long because"  # the head of a file over MOST_LINES says why it is

LONGEST_FUNCTION, MOST_PARAMETERS = 60, 6

# folders whose functions still have to be cut, and docstrings to be written
NOT_YET = ("hidden", "learn", "pages", "spoken")

# One `match` over all kinds of nodes, each in a line or two: cut, it could not be checked to have them all.
CLOSED_MATCHES = frozenset(
    {
        "elaborate/typecheck/effects.py: _effect",
        "elaborate/typecheck/expressions.py: _infer",
        "kernel/emit/expressions.py: _value",
        "lower/written.py: tree",
        "mutate/mutants.py: _own",
        "prove/encoding/effects.py: _run",
        "prove/evaluation/evaluator.py: value",
        "replay/codegen/expressions.py: emit",
        "syntax/format/expressions.py: _bare",
        "syntax/format/wrapping.py: broken",
    }
)

# The options of a function that users call are keywords, as many as it has.
BY_KEYWORD = ("library", "testing")

# still too many: what they take has no name yet
MANY_PARAMETERS = frozenset(
    {
        "attribute/multi_replay.py: _refuse",
        "corpus/check.py: check",
        "corpus/reading.py: __init__",
        "corpus/results.py: __init__",
        "coverage/clauses.py: _put",
        "kernel/emit/remembering.py: remembering",
        "kernel/emit/rows.py: _leave",
        "kernel/emit/scoring/layouts.py: _try_groups",
        "library/front.py: _call",
        "logs/riichi.py: deal",
        "prove/encoding/deals.py: _dealt",
        "prove/evaluation/number_ranges.py: over_numbers",
        "prove/solving/solver.py: check",
        "prove/symbolic/zones.py: row_of",
        "simulate/policy.py: __init__",
        "trace/unseen.py: __call__",
    }
)

FOLDERS = sorted({p.parent for p in PACKAGE.rglob("*.py")} - {PACKAGE})
TABLE = re.findall(r"^\| `([a-z/]+)` \| .* \| `([\w.]+)` \|$", PAGE, re.MULTILINE)


def modules() -> list[Path]:
    return sorted(PACKAGE.rglob("*.py"))


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda f: f.relative_to(PACKAGE).as_posix())
def test_a_folder_holds_few_modules_and_is_on_the_map(folder: Path) -> None:
    assert len([p for p in folder.glob("*.py") if p.name != "__init__.py"]) <= MOST_MODULES
    assert folder.relative_to(PACKAGE).as_posix() in dict(TABLE)


@pytest.mark.parametrize(("folder", "entry"), TABLE)
def test_every_entry_on_the_map_exists(folder: str, entry: str) -> None:
    assert (PACKAGE / folder).is_dir()
    name, _, attribute = entry.rpartition(".")
    try:
        module = importlib.import_module(f"golpae.{entry}")
    except ModuleNotFoundError:
        module = importlib.import_module(f"golpae.{name}")
        assert hasattr(module, attribute)


def test_files_and_classes_are_short() -> None:
    long_files, long_classes = [], []
    for file in modules():
        text = file.read_text(encoding="utf-8")
        tree = ast.parse(text)
        head = " ".join((ast.get_docstring(tree) or "").split())
        if text.count("\n") > MOST_LINES and LONG not in head:
            long_files.append(file.name)
        classes = [node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
        long_classes += [c.name for c in classes if (c.end_lineno or 0) - c.lineno >= LONGEST_CLASS]
    assert not long_files
    assert not long_classes


def functions() -> Iterator[tuple[str, str, ast.FunctionDef | ast.AsyncFunctionDef]]:
    """Yield the first folder, the path and name, and the tree of every function."""
    for file in modules():
        path = file.relative_to(PACKAGE)
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                yield path.parts[0], f"{path.as_posix()}: {node.name}", node


def test_functions_are_short() -> None:
    long = {
        name
        for folder, name, node in functions()
        if folder not in NOT_YET and (node.end_lineno or 0) - node.lineno >= LONGEST_FUNCTION
    }
    assert long == CLOSED_MATCHES


def test_functions_have_few_parameters() -> None:
    wide = set()
    for folder, name, node in functions():
        names = [one.arg for one in (*node.args.posonlyargs, *node.args.args)]
        own = names[1:] if names[:1] in (["self"], ["cls"]) else names
        keywords = [] if folder in BY_KEYWORD else node.args.kwonlyargs
        if folder not in NOT_YET and len(own) + len(keywords) > MOST_PARAMETERS:
            wide.add(name)
    assert wide == MANY_PARAMETERS


def test_every_module_has_a_docstring() -> None:
    silent = [
        file.relative_to(PACKAGE).as_posix()
        for file in modules()
        if not ast.get_docstring(ast.parse(file.read_text("utf-8")))
    ]
    assert not silent


def test_docstrings_name_what_is_returned() -> None:
    """A reader looks up "the legal events", and cannot look up "what can follow"."""
    vague = re.compile(r"(?:Return|Yield) (?:what|such|the same|others|that)\b")
    wrong = []
    for file in modules():
        path = file.relative_to(PACKAGE)
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                if path.parts[0] not in NOT_YET and vague.match(ast.get_docstring(node) or ""):
                    wrong.append(f"{path.as_posix()}: {node.name}")
    assert not wrong


def test_the_files_of_a_construct_are_those_on_the_map() -> None:
    [part] = re.findall(r"<!-- construct -->\n(.*?)<!-- end -->", PAGE, re.DOTALL)
    listed = re.findall(r"^\d+\. `([^`]+)`", part, re.MULTILINE)
    assert len(listed) <= 10
    words = re.compile(r"\b(?:RowPlace|ZonePlace|row_place)\b")
    sources = [*modules(), TOP / "grammar" / "golpae.lark"]
    naming = {p.relative_to(TOP).as_posix() for p in sources if words.search(p.read_text(encoding="utf-8"))}
    assert naming <= set(listed), "a construct is named in one more file: can its STRUCTURE say it?"
    assert all((TOP / path).exists() for path in listed)


def test_the_picture_of_layers_is_that_of_the_contract() -> None:
    [picture] = re.findall(r"<!-- layers -->\n```text\n(.*?)```", PAGE, re.DOTALL)
    drawn = [re.split(r" {2,}", line)[0] for line in picture.splitlines() if not line.startswith(" ")]
    contracts = tomllib.loads((TOP / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"][
        "contracts"
    ]
    contracts = [c for c in contracts if c["type"] == "layers"]
    [whole] = [c for c in contracts if c["containers"] == ["golpae"]]
    assert [set(line.split(" | ")) for line in drawn] == [set(line.split(" | ")) for line in whole["layers"]]
    finer = {c["containers"][0].removeprefix("golpae.") for c in contracts} - {"golpae"}
    [listed] = re.findall(r"it has finer ones inside (.*?)\. A new", PAGE, re.DOTALL)
    assert set(re.findall(r"`(\w+)`", listed)) == finer


@pytest.mark.parametrize(
    ("part", "nodes"),
    [
        ("effect", ["ir.expr.Gain", "syntax.tree.Scores"]),
        ("statement", ["lower.statements.Branch"]),
        ("field", ["ir.expr.When", "syntax.tree.When"]),
    ],
)
def test_the_readers_of_a_node_are_those_on_the_map(part: str, nodes: list[str]) -> None:
    [text] = re.findall(rf"<!-- {part} -->\n(.*?)<!-- end -->", PAGE, re.DOTALL)
    reading = fields.Reading(fields.modules(PACKAGE), {f"golpae.{node}": "more" for node in nodes})
    readers = {f"checker/{gap.module.replace('.', '/')}.py" for gap in reading.gaps()}
    assert readers
    assert not readers - set(re.findall(r"`([^`]+)`", text)), "name it in that list of docs/architecture.md"


def test_paths_in_the_pages_exist() -> None:
    pages = [*(TOP / "docs").glob("*.md"), *(TOP / "docs" / "adr").glob("*.md")]
    folders = "|".join(sorted({f.relative_to(PACKAGE).parts[0] for f in FOLDERS}))
    missing = []
    for page in pages:
        for path in re.findall(rf"`((?:{folders})/[\w/]+(?:\.py)?)`", page.read_text(encoding="utf-8")):
            plain = PACKAGE / path.removesuffix(".py")
            if not plain.is_dir() and not plain.with_suffix(".py").exists():
                missing.append(f"{page.name}: {path}")
    paths = re.findall(r"`((?:checker|tests|docs|grammar|traces)/[\w/.-]+)`", PAGE)
    missing += [path for path in paths if not re.search("[A-Z]{3}", path) and not (TOP / path).exists()]
    assert not missing
