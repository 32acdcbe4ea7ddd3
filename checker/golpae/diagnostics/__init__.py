"""What golpae says about a faulty text: diagnostics, their codes and how they are shown."""

from golpae.diagnostics.codes import CODES, Code
from golpae.diagnostics.diagnostic import Diagnostic, Label, Span, SpecError, Text, near, quoted
from golpae.diagnostics.render import render

__all__ = ["CODES", "Code", "Diagnostic", "Label", "Span", "SpecError", "Text", "near", "quoted", "render"]
