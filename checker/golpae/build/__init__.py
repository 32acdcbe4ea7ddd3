"""A rule set at one table as a module that stands alone, with what its hosts need to speak golpae's words."""
