from hypothesis import given, settings, HealthCheck
from golpae.diagnostics import Text
from golpae.syntax.format import format_text
from golpae.syntax.parse import parse
from golpae.syntax import tree as t
from tests.strategies import *
settings.register_profile("x",suppress_health_check=list(HealthCheck),deadline=None,max_examples=1000)
settings.load_profile("x")
def check(tree):
    s=format_text(tree)
    assert parse(Text.of("t",s))==tree, s
@given(expressions)
def test_e(expr):
    check(t.RuleText((t.Property(HERE,"claim",t.Word(HERE,"a"),None,None,expr,None,()),)))

@given(decls)
def test_d(d): check(t.RuleText((d,)))
@given(actions)
def test_act(d): check(t.RuleText((d,)))
@given(deltas)
def test_delta(d): check(t.RuleText((d,)))

@given(rule_texts)
def test_t(tree): check(tree)
