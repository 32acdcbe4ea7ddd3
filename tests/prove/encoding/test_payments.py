"""What the prover cannot say exactly about payments is known, with the clause that asks for it."""

from __future__ import annotations

from golpae.prove.symbolic.terms import Unsupported
from tests.prove.meanings import game
from tests.prove.shared import both_of


def approximated(payment: str) -> Unsupported | None:
    """Return what the step of `end` takes for anything, if the players get this number."""
    text = game(more=f"payout\n  most: for each q in players: q scores {payment}", state="bid: number = 0")
    pair = both_of(text, 2)
    for _ in pair.system.steps(pair.machine.actions["end"], pair.unknown.state):
        pass
    return pair.system.approximated.get("end")


def test_a_payment_that_has_no_encoding_is_named_with_its_clause() -> None:
    assert (
        str(approximated("size of kinds of {bid, bid + 1, 2}"))
        == "a bag of unknown numbers, in `payout.most`"
    )


def test_a_payment_that_has_an_encoding_is_exact() -> None:
    assert approximated("bid + 1") is None
