"""What cannot stand together in games that no tiles make legal: found, made small, and said."""
