"""What the page about logs shows is what there is."""

from docs.generate.files import TOP

PAGE = TOP / "docs" / "logs.md"


def test_the_adapter_of_the_page_is_the_one_that_is_tested() -> None:
    code = (TOP / "docs" / "examples" / "score_sheet.py").read_text("utf-8")
    assert f"```python\n{code}```\n" in PAGE.read_text("utf-8")
