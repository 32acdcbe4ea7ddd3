"""The files of the repository, for the tests that read all of them."""

import subprocess
from pathlib import Path

TOP = Path(__file__).resolve().parents[1]

# Folders that no clone has, for a tree that is not under git (an unpacked sdist).
_NOT_OURS = {".git", ".venv", "__pycache__", "build", "dist"}


def committed_files() -> list[Path]:
    """Return every file that git tracks or would add."""
    listing = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=TOP,
        capture_output=True,
        check=False,
    )
    if listing.returncode == 0:
        names = sorted({name.decode() for name in listing.stdout.split(b"\0") if name})
        return [TOP / name for name in names if (TOP / name).is_file()]
    return sorted(
        path
        for path in TOP.rglob("*")
        if path.is_file()
        and not any(part in _NOT_OURS or part.endswith("_cache") for part in path.relative_to(TOP).parts)
    )


def text_of(path: Path) -> str | None:
    """Return the text of a file; None if it is not UTF-8."""
    try:
        return path.read_bytes().decode("utf-8")
    except UnicodeDecodeError:
        return None
