"""How a verdict is written."""

import json

from golpae.trace import Outcome, Verdict


def test_an_outcome_has_the_keys_of_the_trace_format_in_their_order() -> None:
    illegal = Outcome("a.jsonl", 1, None, "game+x", Verdict.ILLEGAL, 4, 5, "game.claim.mate", "why")
    assert json.dumps(illegal.to_json(), separators=(",", ":")) == (
        '{"file":"a.jsonl","line":1,"id":null,"rules":"game+x","verdict":"illegal",'
        '"event":4,"at":5,"clause":"game.claim.mate","message":"why"}'
    )
    legal = Outcome("-", 9, 7, "game", Verdict.LEGAL)
    assert json.dumps(legal.to_json(), separators=(",", ":")) == (
        '{"file":"-","line":9,"id":7,"rules":"game","verdict":"legal",'
        '"event":null,"at":null,"clause":null,"message":null}'
    )
    verdicts = ["legal", "incomplete", "illegal", "malformed", "legal by ruling", "unknown"]
    assert [v.value for v in Verdict] == verdicts
