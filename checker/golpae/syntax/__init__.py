"""Rule texts and their surface trees: layout, parsing, formatting."""
