"""Every fault that is planted.

Input: none. Output: `FAULTS`. Guarantee: no two have the same name.
"""

from __future__ import annotations

from tests.planted.in_expansion import EXPANDED
from tests.planted.in_prover import PROVER
from tests.planted.in_replay import REPLAY
from tests.planted.in_search import CACHES, COMPARED, HEADERS, OTHERS
from tests.planted.once_found import ONCE_FOUND

FAULTS = (*REPLAY, *OTHERS, *PROVER, *COMPARED, *HEADERS, *CACHES, *ONCE_FOUND, *EXPANDED)
