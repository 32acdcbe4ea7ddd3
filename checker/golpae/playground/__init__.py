"""The playground: rules written, checked, played and proved on one page.

`answers` is what golpae answers to the page, in a browser's Python; `write` makes the folder of the page.
"""
