"""Examples of hosts for modules that stand alone. golpae itself uses none of them; `golpae build` writes them out."""
