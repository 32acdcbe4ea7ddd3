from hypothesis import given, settings
from golpae.diagnostics import Text
from golpae.syntax.format import format_text
from golpae.syntax.parse import parse
from golpae.syntax import tree as t
from tests.strategies import *
@settings(max_examples=3000, deadline=None)
@given(expressions)
def test_e(expr):
    tree = t.RuleText((t.Property(HERE,"claim",t.Word(HERE,"a"),None,None,expr,None,()),))
    s=format_text(tree)
    assert parse(Text.of("t",s))==tree, s

@settings(max_examples=2000, deadline=None)
@given(rule_texts)
def test_t(tree):
    s=format_text(tree)
    assert parse(Text.of("t",s))==tree, s
