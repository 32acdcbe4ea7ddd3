"""The judge: a second golpae, small, slow and obvious, written from docs/semantics.md alone.

It shares the parser, the types and the IR with the package, and nothing that gives a text its meaning: words that
golpae writes out it carries out itself. Numbers in comments are paragraphs of that page. Where the page says nothing,
the judge raises `Unclear` or says what it chose.
"""
