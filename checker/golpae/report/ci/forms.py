"""The formats of continuous integration.

Guarantee: importing this module loads nothing of what writes them.
"""

from __future__ import annotations

from typing import Literal

Form = Literal["junit", "sarif", "github", "markdown"]
FORMS: tuple[Form, ...] = ("junit", "sarif", "github", "markdown")
