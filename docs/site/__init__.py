"""The site: all pages, the rule books of the games, and the playground, as one folder that needs no network."""
