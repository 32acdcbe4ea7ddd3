"""Numbers of things are said as people say them."""

import pytest

from golpae.diagnostics.amounts import many


@pytest.mark.parametrize(
    ("number", "what", "words"),
    [
        (0, "event", "0 events"),
        (1, "event", "1 event"),
        (2000, "event", "2,000 events"),
        (1, "property", "1 property"),
        (2, "property", "2 properties"),
        (1, "list of legal events", "1 list of legal events"),
        (2, "list of legal events", "2 lists of legal events"),
        (1, "more line", "1 more line"),
    ],
)
def test_one_thing_is_no_things(number: int, what: str, words: str) -> None:
    assert many(number, what) == words
