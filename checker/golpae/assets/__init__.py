"""Pictures of tiles, for some kinds of games. This folder may speak of games; nothing below the pages sees it."""
