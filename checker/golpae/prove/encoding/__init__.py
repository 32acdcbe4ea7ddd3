"""Actions as formulas: states, steps and effects.

A step means what replay does, no less and no more, except here. *More* is a step that replay does not take: a proof
stays right, and a game of the solver counts only after replay. *Less* is left out of what is legal for certain: a proof
that some event is always legal stays right.

- The order of a row, where the rules read nothing of it: any order (more). What the rules read of a row after a tile
  has left it from no particular place, or after several came: whatever fits the tiles (more). `k fits z` and whether
  `arrange z as k` is possible: either, the same for the same key and row, unless every place is hidden.
- What lies behind the first `PLACES` of a row: any tile (more).
- A key that has no encoding (melds, lists, patterns): conditions on it hold (more), no event with it is legal for
  certain (less). If such a key may be left out, only the event without it is legal for certain (less).
- A condition that has no encoding holds (more), and fails if an event has to be legal for certain (less).
- An effect that has no encoding, and a loop after `FEW_ROUNDS` rounds for one value of a bag that nothing bounds:
  anything in all that it writes (more), not legal for certain (less). If it can make melds, nothing that needs steps is
  proved.
- A state whose members are too many to find: nothing that reads it is proved.
- The lists of an event that `compare` looks at: every order, not only the first one that is legal (more).
- What unknown tiles score, and powers of unknown numbers above `LARGEST_POWER`: any number that axioms allow (more).
- Numbers have no limit (more). If an event has to be legal for certain, what a product or power gives to a state is
  within the limit. Sums are not looked at, for no game is long enough; nor are payments, so that the proof that some
  event is legal holds for stakes whose payments are within the limit.
"""
