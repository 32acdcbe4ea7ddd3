"""Games that people wrote from the pages of the language alone, with recorded games, right and spoilt."""
