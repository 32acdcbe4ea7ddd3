"""Test an engine of your own with golpae: recorded games as tests, games to draw, a conformance driver.

`golpae.testing.plugin` is what pytest loads. Nothing else is imported before it is asked for, so a run of pytest
that does not use golpae pays nothing.
"""

from __future__ import annotations
