"""Rule texts at a git revision: `HEAD~1:spec/game.golpae`.

Input: a revision and a path, as `git show` takes them. Output: a folder with that text and those beside it at that
revision, so that includes work. Raises `RevisionFault` if git, the revision or the path does not exist.
Guarantee: nothing is written but the texts in that folder, whatever the names in the repository; nothing that the
repository's configuration names is run; nothing is fetched.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath, PureWindowsPath

from golpae.diagnostics import near
from golpae.diagnostics.hidden import on_one_line
from golpae.elaborate.names import ENDING

DRIVE = re.compile(r"[A-Za-z]:[\\/]")
NAMED = re.compile(r"((?:[^:{]|\{[^}]*\})*):(.*)", re.DOTALL)  # `HEAD@{12:00}:path` has its second `:` there
LARGEST = 1 << 23  # bytes of a text
LARGEST_FOLDER = 1 << 24  # bytes that git keeps for the names in a folder
MOST_TEXTS, MOST_TOGETHER = 1_000, 1 << 26  # texts of a folder, and their bytes together
# A repository may name programs in its configuration. git runs some to fetch what is missing (`GIT_NO_LAZY_FETCH`, and
# for versions that do not know it, no protocol at all), and some to see what has changed or to show it.
ENVIRONMENT = {
    "LC_ALL": "C",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_PAGER": "",
}
LONGEST = 200  # characters of a message of git


class RevisionFault(Exception):
    """git does not have this text; `help` says what to do."""

    def __init__(self, message: str, advice: str | None = None) -> None:
        super().__init__(message)
        self.help = advice


@dataclass(frozen=True, slots=True)
class Revision:
    """A revision, and a path from the top of the repository or from here (`./`)."""

    name: str
    path: str


@dataclass(frozen=True, slots=True)
class Extracted:
    """A text of a revision: the file, in a folder of the texts of that revision; `label` names the folder."""

    file: Path
    label: str

    def shown(self, name: str) -> str:
        """Return the name of a file in that folder as git names it; any other name as it is."""
        for folder in dict.fromkeys((str(self.file.parent), os.path.relpath(self.file.parent))):
            if name.startswith(folder + os.sep):
                return self.label + name[len(folder) + 1 :].replace(os.sep, "/")
        return name


def revision_of(word: str) -> Revision | None:
    """Return the revision and path that a word names; None if it is a file or a URL, or has no `:`."""
    match = NAMED.fullmatch(word)
    if match is None or DRIVE.match(word) or match[2].startswith("//") or os.path.lexists(word):
        return None
    return Revision(match[1], match[2])


def extract(revision: Revision, folder: Path) -> Extracted:
    """Return the text of a revision, written to a folder. Raises `RevisionFault`."""
    if not revision.path:
        raise RevisionFault(
            "the path after the `:` is missing", f"write one, such as `{revision.name}:game{ENDING}`"
        )
    top = _top()
    tree = _tree(revision.name, top)
    path = _from_top(revision.path, top)
    parent = path.parent.as_posix()
    where = f"{tree}:" if parent == "." else f"{tree}:{parent}"
    size = _git(["cat-file", "-s", where], top)
    if size is not None and int(size) > LARGEST_FOLDER:
        raise RevisionFault(
            f"the folder of `{revision.path}` at `{revision.name}` has too many names to list"
        )
    listing = _git(["ls-tree", "-z", "--full-tree", where], top) or b""
    entries = [entry for entry in listing.split(b"\0") if entry]
    texts: dict[str, bytes] = {}
    for entry in entries:
        about, _, name = entry.partition(b"\t")
        mode, kind, blob = about.split()
        text = os.fsdecode(name)
        if kind == b"blob" and mode != b"120000" and text.endswith(ENDING) and _is_plain(text):
            texts[text] = blob
    if path.name not in texts:
        message = f"there is no `{revision.path}` at `{revision.name}`"
        advice = (
            near(path.name, texts) or f"a path begins at the top of the repository, `{top}`, or with `./`"
        )
        raise RevisionFault(message, advice)
    if len(texts) > MOST_TEXTS:
        raise RevisionFault(
            f"the folder of `{revision.path}` at `{revision.name}` has more than {MOST_TEXTS} texts"
        )
    folder.mkdir(parents=True, exist_ok=True)
    together = 0
    for text, blob in texts.items():
        size = _git(["cat-file", "-s", blob.decode()], top)
        if size is not None and int(size) > LARGEST:
            if text != path.name:
                continue  # a text that includes it hears that there is none
            raise RevisionFault(f"`{revision.path}` at `{revision.name}` is longer than {LARGEST} bytes")
        together += int(size or 0)
        if together > MOST_TOGETHER:
            words = f"the texts beside `{revision.path}` at `{revision.name}` have more than {MOST_TOGETHER} bytes"
            raise RevisionFault(words)
        content = None if size is None else _git(["cat-file", "blob", blob.decode()], top)
        if content is None:
            raise RevisionFault(f"git cannot read `{text}` at `{revision.name}`")
        (folder / text).write_bytes(content)
    label = f"{revision.name}:" if parent == "." else f"{revision.name}:{parent}/"
    return Extracted(folder / path.name, label)


def _is_plain(name: str) -> bool:
    """Return whether a name is that of a file in the folder itself. A tree of git can hold any name."""
    return PurePosixPath(name).name == name and PureWindowsPath(name).name == name and name.isprintable()


def _top() -> Path:
    """Return the top of the repository that the working folder is in."""
    done = _run(["rev-parse", "--show-toplevel"], None)
    if done.returncode:
        complaint = _complaint(done)
        if "not a git repository" in complaint:
            advice = "go to the repository that contains the texts"
            raise RevisionFault("this folder is not in a git repository", advice)
        raise RevisionFault(f"git does not work here: {complaint}")
    top = os.fsdecode(done.stdout).rstrip("\n")
    if not top:
        raise RevisionFault("this folder is not in a git repository with files")
    return Path(top)


def _tree(name: str, top: Path) -> str:
    """Return the name of the tree of a revision."""
    if not name:
        raise RevisionFault("the revision before the `:` is missing", "write one, such as `HEAD`")
    tree = None
    if not name.startswith("-") and name.isprintable():
        tree = _git(["rev-parse", "--verify", "--quiet", f"{name}^{{tree}}"], top)
    if tree is None:
        names = _git(["for-each-ref", "--format=%(refname:short)"], top) or b""
        advice = near(name, ["HEAD", *os.fsdecode(names).split()])
        raise RevisionFault(
            f"there is no revision `{name}`", advice or "`git log --oneline` lists the revisions"
        )
    return tree.decode().strip()


def _from_top(path: str, top: Path) -> PurePosixPath:
    """Return the path from the top of the repository."""
    if path.startswith(("./", "../")):
        path = Path(os.path.relpath(Path.cwd().resolve() / path, top.resolve())).as_posix()
    normal = PurePosixPath(os.path.normpath(path or ".").replace(os.sep, "/"))
    if normal.is_absolute() or ".." in normal.parts or "\0" in path:
        raise RevisionFault(f"`{path}` is not a path from the top of the repository, `{top}`")
    return normal


def _git(words: Sequence[str], top: Path) -> bytes | None:
    """Return the output of git, or None if it fails."""
    done = _run(words, top)
    return None if done.returncode else done.stdout


def _run(words: Sequence[str], top: Path | None) -> subprocess.CompletedProcess[bytes]:
    try:
        return subprocess.run(
            ["git", "-c", "core.fsmonitor=false", "-c", f"core.hooksPath={os.devnull}", *words],
            cwd=top,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            env=os.environ | ENVIRONMENT,
            check=False,
        )
    except FileNotFoundError:
        raise RevisionFault("git is not installed", "install git, or name files") from None
    except (OSError, ValueError) as fault:
        raise RevisionFault(f"git does not work here: {str(fault).lower()}") from None


def _complaint(done: subprocess.CompletedProcess[bytes]) -> str:
    """Return the first line of git's error message."""
    lines = done.stderr.decode(errors="replace").strip().splitlines() or ["it does not say why"]
    first = lines[0].removeprefix("fatal: ")
    return on_one_line(first)[:LONGEST]
