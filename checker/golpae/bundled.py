"""Where golpae's own rule texts lie: the one place that knows.

In: nothing. Out: the grammar of the rules language and the folder of the specs that come with golpae.
They lie at the top of a checkout (`grammar/`, `spec/`, which an editable install reads too) and inside the
package of an installed wheel (`golpae/_bundled/`). Nothing is read at import.
"""

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def _root() -> Path:
    """The folder that holds `grammar/` and `spec/`."""
    in_wheel = _PACKAGE / "_bundled"
    # INVARIANT: a checkout has no `_bundled`; a wheel always has, and what lies two folders above it is no
    # business of golpae's. So this order is the safe one.
    return in_wheel if in_wheel.is_dir() else _PACKAGE.parents[1]


def grammar_text() -> str:
    """The grammar of the rules language, as lark reads it.

    Raises FileNotFoundError where the installation is broken.
    """
    return (_root() / "grammar" / "golpae.lark").read_text(encoding="utf-8")


def spec_dir() -> Path:
    """The folder of the specs that come with golpae: `*.golpae` files.

    Raises FileNotFoundError where the installation is broken.
    """
    folder = _root() / "spec"
    if not folder.is_dir():
        raise FileNotFoundError(f"golpae's own specs are missing: {folder}")
    return folder
