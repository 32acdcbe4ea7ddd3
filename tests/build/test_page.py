"""The pages of modules: what they say is there is there, and their examples run."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from golpae.build.files import HOSTS, host, write
from golpae.build.module import Built, build
from golpae.build.page import page
from golpae.bundled import spec_dir
from golpae.elaborate.instance import instantiate
from golpae.kernel.language.host import Host, available
from golpae.rule_names import named, named_rule_set
from tests.build.hosts import NODE
from tests.committed import TOP

pytestmark = pytest.mark.skipif(not available(), reason="modules do not run here")
PAGE = (TOP / "docs" / "modules.md").read_text("utf-8")


@pytest.fixture(scope="module")
def built() -> Built:
    return build(instantiate(named_rule_set(named("jjak", (spec_dir(),))), 2, {}))


def test_the_page_names_functions_that_the_module_exports(built: Built) -> None:
    text = page("jjak.wasm", built)
    named_there = re.findall(r"^\| `(\w+)\(.*\)` \|", text, re.MULTILINE)
    module = Host(built.wasm)
    assert len(named_there) > 10
    for name in named_there:
        assert callable(module.function(name))


def test_the_page_lists_the_actions_with_their_keys_and_conditions(built: Built) -> None:
    rows = [line for line in page("jjak.wasm", built).splitlines() if re.match(r"\| \d+ \| `[a-z]", line)]
    assert len(rows) == len(built.templates["actions"])
    assert "| `deal` | first, hands, reserve? | 0 open, 1 lots, 2 opener, 3 hands, 4 set, 5 rest |" in rows[1]


def test_a_module_imports_nothing(built: Built) -> None:
    sections, at = [], 8
    while at < len(built.wasm):
        sections.append(built.wasm[at])
        size, shift, at = 0, 0, at + 1
        while True:
            byte = built.wasm[at]
            size, shift, at = size | (byte & 127) << shift, shift + 7, at + 1
            if byte < 128:
                break
        at += size
    assert 2 not in sections  # that of imports
    assert sections[-1] == 0  # the templates


def test_hosts_import_nothing_but_the_files_beside_them_and_wasmtime() -> None:
    for name in HOSTS:
        text = host(name).decode()
        if name.endswith(".mjs"):
            sources = re.findall(r'from "(.*?)"', text.split("*/")[-1])
            assert {*sources} <= {f"./{other}" for other in HOSTS} | {"./golpae_host.mjs"}
        else:
            assert "golpae." not in "".join(re.findall(r"^(?:from|import) .*$", text, re.MULTILINE))


@pytest.mark.process
@pytest.mark.skipif(NODE is None, reason="there is no Node on this machine, which runs JavaScript")
def test_the_example_in_javascript_prints_what_the_page_shows(built: Built, tmp_path: Path) -> None:
    write(tmp_path / "jjak.wasm", built, page("jjak.wasm", built))
    [script] = re.findall(r"```js file=match.mjs\n(.*?)```", PAGE, re.DOTALL)
    [shown] = re.findall(r"node match.mjs\n```\n\n```text\n(.*?)```", PAGE, re.DOTALL)
    (tmp_path / "match.mjs").write_text(script, encoding="utf-8")
    done = subprocess.run(
        [str(NODE), "match.mjs"], cwd=tmp_path, capture_output=True, text=True, encoding="utf-8", check=True
    )
    assert done.stdout == shown
