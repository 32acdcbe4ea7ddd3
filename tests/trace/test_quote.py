"""The words of a trace inside a message."""

from golpae.trace import quoted


def test_quoted_text_is_short_and_printable() -> None:
    assert quoted("4-2") == "`4-2`"
    assert quoted("a`b\x1b\n\u202e") == r"`a'b\x1b\n\u202e`"
    assert quoted("x" * 60) == f"`{'x' * 60}`"
    assert quoted("x" * 61) == f"`{'x' * 60}…`"
