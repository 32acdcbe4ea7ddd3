"""Values in memory whose parts are lists: written, read again, compared and sorted."""
