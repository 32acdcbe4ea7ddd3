"""The page on other programs is made from what came of the runs."""

from docs.generate import engines


def test_the_page_is_what_the_runs_say() -> None:
    assert engines.PAGE.read_text("utf-8") == engines.page()
