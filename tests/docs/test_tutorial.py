"""Who follows the words of the tutorial gets the files that its output was made with.

The reader of these tests sees no marks on the blocks, only the paragraph before each of them.
"""

import re

from docs.generate.files import TOP
from docs.generate.pages import Block, blocks, run_page

PAGE = (TOP / "docs" / "tutorial.md").read_text("utf-8")

CREATE = re.compile(r"Create the file `([^`]+)` with these lines")
ADD = re.compile(r"at the end of (?:the file|`([^`]+)`), after one empty line\D*\bline (\d+)")
REPLACE = re.compile(
    r"Replace line (\d+) by this line:$|Add this line at the end of the file, as line (\d+):$"
)


def paragraph_before(block: Block) -> str:
    """Return the paragraph that leads to a block, on one line."""
    before = PAGE[: block.start].rpartition("```")[0].rstrip()
    return " ".join(before.rpartition("\n\n")[2].split())


def follow(page: str) -> dict[str, str]:
    """Return the files of a reader who does what the paragraphs say."""
    files: dict[str, list[str]] = {}
    open_file = ""
    for block in blocks(page):
        if block.language in ("console", "sh"):
            continue
        words, lines = paragraph_before(block), block.text.splitlines()
        if created := CREATE.search(words):
            open_file = created[1]
            files[open_file] = lines
        elif added := ADD.search(words):
            open_file = added[1] or open_file
            assert int(added[2]) == len(files[open_file]) + 2, f"line {block.line}: another line number"
            files[open_file] += ["", *lines]
        else:
            replaced = REPLACE.search(words)
            assert replaced, f"line {block.line}: what does a reader do with this?"
            number = int(replaced[1] or replaced[2])
            assert not replaced[2] or number == len(files[open_file]) + 1, (
                f"line {block.line}: another line number"
            )
            files[open_file][number - 1 : number] = lines
    return {name: "\n".join(lines) + "\n" for name, lines in files.items()}


def test_the_words_before_each_block_lead_to_the_same_files() -> None:
    _, written = run_page(PAGE)
    assert follow(PAGE) == written


def test_it_says_how_to_activate_the_environment_before_its_first_command() -> None:
    before = PAGE[: PAGE.index("```console")]
    assert ". .venv/bin/activate" in before
    assert r".venv\Scripts\activate" in before
