"""Effects written out as statements, once for all readers."""
