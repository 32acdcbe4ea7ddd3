"""The settings of a project: `golpae.toml`, or the table `[tool.golpae]` of `pyproject.toml`.

Input: a folder. Output: the settings of the project that it belongs to, with paths as seen from the current folder.
Guarantee: nothing is read above a folder that is the top of a git repository. A file with a fault is a `ProjectFault`,
which says where it is; nothing of such a file is used. A file of another user is passed over, so that nobody can leave
settings in a folder that others share. What is no regular file counts as absent: nobody waits for a pipe. The
environment variable `GOLPAE_SETTINGS` can be `off`: then there are no settings; or `any`: then those of other users
count, too.

    rules = ["rules"]       # folders of rule texts, or texts
    traces = ["games"]      # recorded games

    [check]                 # the usual options of a verb
    complete = true
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from golpae.diagnostics import near
from golpae.records import dataclass
from golpae.regular import content_of
from golpae.unreadable import reason_of

FILE, SHARED = "golpae.toml", "pyproject.toml"
TABLE = ("tool", "golpae")
LARGEST = 1 << 22  # bytes of a file
_MARK = b"golpae"  # is somewhere in a shared file that has the table, or tables in it
_PATHS = ("rules", "traces")
Value = bool | int | float | str | tuple[str, ...]


class ProjectFault(ValueError):
    """A fault of such a file: what is wrong, and advice."""

    def __init__(self, message: str, advice: str) -> None:
        super().__init__(message)
        self.advice = advice


@dataclass(frozen=True, slots=True)
class Project:
    """The settings in a file: paths of rule texts and of recorded games, and for each verb its usual options."""

    file: str
    folder: str
    rules: tuple[str, ...]
    traces: tuple[str, ...]
    options: Mapping[str, Mapping[str, Value]]

    def path(self, written: str) -> str:
        """Return a path that is written in the file, as seen from the current folder."""
        return os.path.normpath(os.path.join(self.folder, written))


def found(
    verbs: Sequence[str] | None, passed_over: Callable[[str], None], start: str = os.curdir
) -> Project | None:
    """Return the settings of the nearest folder that has some: this one, or one above it.

    `verbs` are those that can have options; None if nobody asks for options. `passed_over` hears of each file that
    belongs to another user. Paths are as seen from the current folder, and absolute if the search starts elsewhere.
    Raises `ProjectFault`.
    """
    wanted = os.environ.get("GOLPAE_SETTINGS")
    if wanted == "off":
        return None
    try:
        folders = [Path(os.path.abspath(start)), *Path(os.path.abspath(start)).parents]
    except OSError:  # somebody has removed the current folder
        return None
    for folder in folders:
        for name in (FILE, SHARED):
            if wanted != "any" and _is_of_another_user(folder / name):
                passed_over(os.path.relpath(folder / name, start))
                continue
            settings = _settings(folder / name)
            if settings is not None:
                return _project(folder / name, settings, verbs, start)
        if os.path.lexists(folder / ".git"):
            return None
    return None


def _is_of_another_user(file: Path) -> bool:
    """Return whether a file, or a link that leads to one, belongs neither to this user nor to the system's. Of a file
    that is shared with other programs, only one with settings is of interest.
    """
    if not hasattr(os, "geteuid"):
        return False
    trusted = (0, os.geteuid())
    try:
        if file.lstat().st_uid in trusted and file.stat().st_uid in trusted:
            return False
    except OSError:  # there is none, or a link of this user that leads nowhere
        if not os.path.lexists(file) or file.lstat().st_uid in trusted:
            return False
    return file.name == FILE or (file.is_file() and _settings(file) is not None)


def _settings(file: Path) -> Mapping[str, Any] | None:
    """Return the settings in a file; None if there are none, or no regular file. Raises `ProjectFault`."""
    if not os.path.lexists(file):
        return None
    try:
        content = content_of(file, LARGEST + 1)
    except OSError as fault:
        if file.name == SHARED:
            return None
        raise ProjectFault(f"`{FILE}` cannot be read: {reason_of(fault)}", "check it, or remove it") from None
    if content is None or (file.name == SHARED and _MARK not in content):
        return None
    if len(content) > LARGEST:
        if file.name == SHARED:
            return None
        raise ProjectFault(
            f"`{FILE}` is too long: it has more than {LARGEST:,} bytes", "check it, or remove it"
        )
    import tomllib

    try:
        settings: Any = tomllib.loads(content.decode())
    except (ValueError, RecursionError) as fault:  # a fault of TOML is a `ValueError`, too
        if file.name == SHARED:
            return None  # other programs say so
        words = str(fault) or "it is nested too deeply"
        raise ProjectFault(
            f"`{FILE}` is no TOML: {words[:1].lower()}{words[1:]}", "docs/projects.md has an example"
        ) from None
    if file.name == FILE:
        return settings  # type: ignore[no-any-return]
    for key in TABLE:
        settings = settings.get(key)
        if not isinstance(settings, dict):
            return None
    return settings  # type: ignore[no-any-return]


def _project(file: Path, settings: Mapping[str, Any], verbs: Sequence[str] | None, start: str) -> Project:
    """Return the settings of a file. Raises `ProjectFault`."""
    folder = os.path.relpath(file.parent) if start == os.curdir else str(file.parent)
    options = {} if verbs is None else _options(file, settings, verbs)
    named = Project(file.name, folder, (), (), options)
    rules, traces = (_named_paths(named, key, settings.get(key, [])) for key in _PATHS)
    return Project(file.name, folder, rules, traces, options)


def _options(
    file: Path, settings: Mapping[str, Any], verbs: Sequence[str]
) -> Mapping[str, Mapping[str, Value]]:
    """Return the usual options of each verb. Raises `ProjectFault`."""
    options: dict[str, Mapping[str, Value]] = {}
    for key, value in settings.items():
        if key in _PATHS:
            continue
        if key not in verbs:
            known = (
                near(key, [*_PATHS, *verbs]) or f"it has `rules`, `traces`, and tables such as `[{verbs[0]}]`"
            )
            raise ProjectFault(f"`{file.name}` has no setting `{key}`", known)
        if not isinstance(value, dict):
            raise ProjectFault(
                f"`{key}` in `{file.name}` is no table", f"write `[{key}]`, and its options below it"
            )
        options[key] = {name: _value(file, f"{key}.{name}", one) for name, one in value.items()}
    return options


def _named_paths(project: Project, key: str, written: Any) -> tuple[str, ...]:
    """Return the paths of a setting, all of which have to be there."""
    paths = [written] if isinstance(written, str) else written
    if not isinstance(paths, list) or not all(
        isinstance(path, str) and path and "\0" not in path for path in paths
    ):
        raise ProjectFault(f"`{key}` in `{project.file}` is no list of paths", f'write `{key} = ["{key}"]`')
    seen = tuple(map(project.path, paths))
    for path, name in zip(seen, paths, strict=True):
        if not os.path.lexists(path):
            advice = f"`{key}` in `{project.file}` names it, from the folder of that file"
            raise ProjectFault(f"there is no `{name}`", advice)
    return seen


def _value(file: Path, name: str, written: Any) -> Value:
    """Return the value of an option. Raises `ProjectFault`."""
    if "\0" in str(written):
        raise ProjectFault(
            f"`{name}` in `{file.name}` has a character that nothing can have", "write it anew"
        )
    if isinstance(written, bool | int | float | str):
        return written
    if isinstance(written, list) and all(
        isinstance(one, str | int) and not isinstance(one, bool) for one in written
    ):
        return tuple(map(str, written))
    raise ProjectFault(
        f"`{name}` in `{file.name}` has no value for an option", 'write a number, a "text", true, or a list'
    )
