"""Diagnostics of faulty texts: their data, their codes, and their text for people."""

from golpae.diagnostics.codes import CODES, Code
from golpae.diagnostics.diagnostic import (
    Diagnostic,
    Label,
    Span,
    SpecError,
    Text,
    near,
    quoted_list,
)
from golpae.diagnostics.render import render

__all__ = [
    "CODES",
    "Code",
    "Diagnostic",
    "Label",
    "Span",
    "SpecError",
    "Text",
    "near",
    "quoted_list",
    "render",
]
