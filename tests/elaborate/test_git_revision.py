"""Rule texts from git revisions."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from golpae.elaborate.git_revision import Revision, RevisionFault, extract, revision_of


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository whose texts have changed since `first`."""
    home = tmp_path / "repository"
    (home / "texts").mkdir(parents=True)
    monkeypatch.chdir(home)
    for name in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"):
        monkeypatch.delenv(name, raising=False)
    git("init", "-q", "-b", "main", ".")
    (home / "texts" / "game.golpae").write_text("first", "utf-8")
    (home / "texts" / "part.golpae").write_text("first part", "utf-8")
    (home / "texts" / "note.md").write_text("no text", "utf-8")
    (home / "top.golpae").write_text("first top", "utf-8")
    commit("first")
    git("tag", "v1")
    (home / "texts" / "game.golpae").write_text("second", "utf-8")
    commit("second")
    return home


def git(*words: str) -> None:
    subprocess.run(["git", *words], check=True, capture_output=True)


def commit(words: str) -> None:
    git("add", "-A")
    git("-c", "user.name=An", "-c", "user.email=an@example.org", "commit", "-q", "-m", words)


def test_a_text_is_extracted_with_its_neighbours(repository: Path, tmp_path: Path) -> None:
    kept = extract(Revision("HEAD~1", "texts/game.golpae"), tmp_path / "out")
    assert kept.file.read_text("utf-8") == "first"
    assert sorted(f.name for f in kept.file.parent.iterdir()) == ["game.golpae", "part.golpae"]
    assert kept.shown(str(kept.file)) == "HEAD~1:texts/game.golpae"
    assert kept.shown("texts/game.golpae") == "texts/game.golpae"
    assert extract(Revision("HEAD", "texts/game.golpae"), tmp_path / "2").file.read_text("utf-8") == "second"
    assert (
        extract(Revision("v1", "./texts/../top.golpae"), tmp_path / "3").file.read_text("utf-8")
        == "first top"
    )


def test_paths_begin_at_the_top_or_with_a_dot_in_the_working_folder(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(repository / "texts")
    assert extract(Revision("v1", "./game.golpae"), tmp_path / "1").file.read_text("utf-8") == "first"
    assert extract(Revision("v1", "../top.golpae"), tmp_path / "2").file.read_text("utf-8") == "first top"
    kept = extract(Revision("v1", "top.golpae"), tmp_path / "3")
    assert kept.shown(str(kept.file)) == "v1:top.golpae"


def test_nothing_is_written_to_the_repository(repository: Path, tmp_path: Path) -> None:
    def there() -> dict[str, int]:
        return {str(f): f.stat().st_mtime_ns for f in repository.rglob("*")}

    before = there()
    extract(Revision("HEAD~1", "texts/game.golpae"), tmp_path / "out")
    assert there() == before


@pytest.mark.parametrize(
    ("name", "path", "message", "advice"),
    [
        ("frist", "texts/game.golpae", "there is no revision `frist`", "`git log --oneline` lists the revisions"),
        ("mian", "texts/game.golpae", "there is no revision `mian`", "did you mean `main`?"),
        ("HEAD~7", "texts/game.golpae", "there is no revision `HEAD~7`", None),
        ("--help", "texts/game.golpae", "there is no revision `--help`", None),
        ("", "texts/game.golpae", "the revision before the `:` is missing", "write one, such as `HEAD`"),
        ("HEAD", "", "the path after the `:` is missing", "write one, such as `HEAD:game.golpae`"),
        ("HEAD", "texts/gam.golpae", "there is no `texts/gam.golpae` at `HEAD`", "did you mean `game.golpae`?"),
        ("HEAD", "texts", "there is no `texts` at `HEAD`", None),
        ("HEAD", "nowhere/game.golpae", "there is no `nowhere/game.golpae` at `HEAD`", None),
        ("HEAD", "texts/note.md", "there is no `texts/note.md` at `HEAD`", None),
    ],
)  # fmt: skip
def test_a_missing_revision_or_path_gets_a_message(
    repository: Path, tmp_path: Path, name: str, path: str, message: str, advice: str | None
) -> None:
    with pytest.raises(RevisionFault) as raised:
        extract(Revision(name, path), tmp_path / "out")
    assert str(raised.value) == message
    assert advice is None or raised.value.help == advice


@pytest.mark.parametrize("path", ["../../elsewhere.golpae", "/etc/passwd.golpae"])
def test_a_path_outside_of_the_repository_is_refused(repository: Path, tmp_path: Path, path: str) -> None:
    with pytest.raises(RevisionFault, match="is not a path from the top of the repository"):
        extract(Revision("HEAD", path), tmp_path / "out")


def test_without_a_repository_a_revision_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    monkeypatch.delenv("GIT_DIR", raising=False)
    with pytest.raises(RevisionFault) as raised:
        extract(Revision("HEAD", "game.golpae"), tmp_path / "out")
    assert str(raised.value) == "this folder is not in a git repository"


def test_without_git_a_revision_is_refused(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(RevisionFault) as raised:
        extract(Revision("HEAD", "texts/game.golpae"), tmp_path / "out")
    assert str(raised.value) == "git is not installed"
    assert raised.value.help == "install git, or name files"


@pytest.mark.parametrize(
    ("word", "found"),
    [
        ("HEAD~1:texts/game.golpae", Revision("HEAD~1", "texts/game.golpae")),
        ("HEAD@{12:00}:game.golpae", Revision("HEAD@{12:00}", "game.golpae")),
        (":game.golpae", Revision("", "game.golpae")),
        ("C:\\texts\\game.golpae", None),
        ("C:/texts/game.golpae", None),
        ("game", None),
        ("texts/game.golpae", None),
    ],
)
def test_words_with_a_colon_name_revisions(word: str, found: Revision | None) -> None:
    assert revision_of(word) == found


def test_a_file_whose_name_has_a_colon_comes_before_a_revision(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("HEAD:game.golpae").write_text("here", "utf-8")
    assert revision_of("HEAD:game.golpae") is None


def _output(*words: str, given: bytes = b"") -> bytes:
    return subprocess.run(["git", *words], check=True, capture_output=True, input=given).stdout


@pytest.mark.parametrize(
    "name", ["../../out.golpae", "/out.golpae", "a\\out.golpae", "C:out.golpae", "a\u202eb.golpae"]
)
def test_no_name_in_a_repository_leads_out_of_the_folder(repository: Path, tmp_path: Path, name: str) -> None:
    blob = _output("hash-object", "-w", "--stdin", given=b"evil").strip().decode()
    good = _output("rev-parse", "HEAD:texts/game.golpae").strip().decode()
    entries = [(b"game.golpae", good), (name.encode(), blob)]
    raw = b"".join(b"100644 " + entry + b"\0" + bytes.fromhex(value) for entry, value in sorted(entries))
    tree = _output("hash-object", "-t", "tree", "-w", "--literally", "--stdin", given=raw).strip().decode()
    before = {file for file in tmp_path.rglob("*") if ".git" not in file.parts}
    kept = extract(Revision(tree, "game.golpae"), tmp_path / "a" / "b" / "texts")
    assert kept.file.read_text("utf-8") == "second"
    new = {file for file in tmp_path.rglob("*") if ".git" not in file.parts} - before
    assert {file for file in new if file.is_file()} == {kept.file}
    assert not Path("/out.golpae").exists()


@pytest.mark.parametrize(
    "configured",
    [
        {"url": "ext::touch RAN"},
        {"url": "ssh://nowhere.invalid/x"},
        {"url": ".", "uploadpack": "touch RAN; false"},
        {"url": "x", "vcs": "ran"},
    ],
)
def test_nothing_that_a_repository_names_is_run(
    repository: Path, tmp_path: Path, configured: dict[str, str]
) -> None:
    blob = _output("rev-parse", "HEAD:texts/game.golpae").strip().decode()
    for key, value in configured.items():
        git("config", f"remote.evil.{key}", value)
    for key, value in {
        "extensions.partialClone": "evil",
        "remote.evil.promisor": "true",
        "protocol.allow": "always",
        "core.sshCommand": "touch RAN; false",
        "core.fsmonitor": "touch RAN; false",
        "core.pager": "touch RAN",
    }.items():
        git("config", key, value)
    Path(".git", "objects", blob[:2], blob[2:]).unlink()  # git would fetch it
    with pytest.raises(RevisionFault, match="cannot read"):
        extract(Revision("HEAD", "texts/game.golpae"), tmp_path / "out")
    assert not list(tmp_path.rglob("RAN"))


def test_every_call_of_git_overrides_what_a_repository_configures(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # No version of git is known to run these for golpae's questions; a newer one may.
    called: list[list[str]] = []
    run = subprocess.run

    def noted(words: list[str], **options: Any) -> subprocess.CompletedProcess[bytes]:
        called.append(words)
        return run(words, check=False, **{k: v for k, v in options.items() if k != "check"})

    monkeypatch.setattr("golpae.elaborate.git_revision.subprocess.run", noted)
    extract(Revision("HEAD", "texts/game.golpae"), tmp_path / "out")
    assert called
    for words in called:
        assert {"core.fsmonitor=false", f"core.hooksPath={os.devnull}"} <= set(words)


def test_a_text_that_is_too_long_is_refused(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("golpae.elaborate.git_revision.LARGEST", 5)
    with pytest.raises(RevisionFault, match="longer than 5 bytes"):
        extract(Revision("HEAD", "texts/game.golpae"), tmp_path / "out")


def test_a_folder_of_too_many_names_is_not_listed(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("golpae.elaborate.git_revision.LARGEST_FOLDER", 100)
    extract(Revision("HEAD", "top.golpae"), tmp_path / "in")
    with pytest.raises(RevisionFault, match="has too many names to list"):
        extract(Revision("HEAD", "texts/game.golpae"), tmp_path / "out")
