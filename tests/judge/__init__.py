"""The judge: a second golpae, small, slow and obvious, written from docs/semantics.md alone.

It shares the IR and the spelt-out set of tiles with the package, and nothing that gives a text its meaning. Numbers in
comments are paragraphs of that page. Where the page says nothing, the judge raises `Unclear` or says what it chose.
"""
