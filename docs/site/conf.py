"""How Sphinx makes the site."""

from golpae import __version__

project = "golpae"
author = "the authors of golpae"
version = release = __version__
root_doc = "index"
extensions = ["myst_parser"]
myst_heading_anchors = 6
myst_heading_slug_func = "docs.generate.reference.anchor"
myst_enable_extensions = ["attrs_inline"]
html_theme = "furo"
html_title = f"golpae {__version__}"
html_show_sphinx = False
html_copy_source = False
html_show_search_summary = False  # it would fetch pages, which browsers refuse for files
html_last_updated_fmt = ""
smartquotes = False
highlight_language = "text"
