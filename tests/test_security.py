"""SECURITY.md: each promise has tests that hold it, and one is held here."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from golpae.cli.main import main
from golpae.exit_codes import WRONG_INPUT
from tests.cli.table import PUT
from tests.committed import TOP

HELD_BY = {
    "Rule texts": (
        "tests/ir/test_codec.py::test_only_names_get_into_the_code_that_is_made_of_a_rule_set",
        "tests/syntax/test_parse.py::test_a_text_beyond_the_bounds_is_refused",
        "tests/elaborate/golden/N/key-of-every-trace.golpae",
        "tests/elaborate/golden/N/number-called-group.golpae",
        "tests/test_security.py::test_a_written_form_of_numbers_alone_does_not_hang",
        "tests/replay/test_faults.py::test_loops_may_lie_deep_inside_one_another",
        "tests/elaborate/test_spoilt_texts.py::test_spoilt_texts_have_faults_and_nothing_worse",
    ),
    "Recorded games": (
        "tests/trace/test_read.py::test_the_longest_line_is_read_and_one_byte_more_refused",
        "tests/trace/test_read.py::test_nesting_is_bounded",
        "tests/trace/test_read.py::test_random_bytes_give_faults_at_the_right_lines_and_never_raise",
        "tests/cli/test_bad_input.py::test_spoilt_files_never_crash_anything",
        "tests/replay/test_contract.py::test_a_broken_line_after_a_finish_costs_no_trace_but_its_own",
        "tests/replay/test_contract.py::test_reading_goes_on_at_the_next_header",
        "tests/trace/test_read.py::test_very_many_blank_lines_are_counted",
        "tests/cli/test_memory.py::test_memory_does_not_grow_with_a_file",
        "tests/trace/test_decompress.py::test_a_line_that_begins_like_an_archive_costs_no_other_line",
    ),
    "Files": (
        "tests/cli/test_strangers.py::test_a_text_that_cannot_be_read_gets_its_reason_and_advice",
        "tests/cli/test_strangers.py::test_a_folder_of_rules_that_cannot_be_read_is_no_reason_to_use_others",
        "tests/cli/test_strangers.py::test_a_game_that_cannot_be_read_is_not_left_out",
        "tests/cli/test_strangers.py::test_a_name_that_no_file_can_have_gets_a_message",
        "tests/cli/test_strangers.py::test_a_name_that_begins_with_a_hyphen_may_follow_two",
        "tests/cli/test_strangers.py::test_format_changes_the_text_that_a_link_leads_to",
        "tests/cli/test_strangers.py::test_format_changes_a_text_under_all_its_names",
    ),
    "Output": (
        "tests/cli/test_strangers.py::test_no_hidden_character_reaches_standard_output",
        "tests/cli/test_strangers.py::test_no_name_of_a_file_makes_a_line_of_its_own",
        "tests/report/test_formats.py::test_junit_is_whole_and_visible_whatever_the_names_are",
        "tests/report/test_comparison.py::test_a_page_calls_nobody_and_links_nowhere",
        "tests/report/test_comparison.py::test_a_page_escapes_markup",
        "tests/elaborate/golden/S/hidden-character.golpae",
    ),
    "Pages": (
        "tests/pages/test_report.py::test_pages_name_no_address_and_hold_no_markup_of_a_trace",
        "tests/pages/test_report.py::test_a_page_may_run_its_own_script_alone",
        "tests/pages/test_report.py::test_the_drawings_of_a_set_fetch_nothing",
        "tests/pages/test_in_a_browser.py::test_a_page_opens_at_the_fault_and_escapes_names",
    ),
    "Repositories": (
        "tests/elaborate/test_git_revision.py::test_no_name_in_a_repository_leads_out_of_the_folder",
        "tests/elaborate/test_git_revision.py::test_nothing_that_a_repository_names_is_run",
        "tests/elaborate/test_git_revision.py::test_every_call_of_git_overrides_what_a_repository_configures",
    ),
    "Signals": (
        "tests/cli/test_strangers.py::test_a_signal_at_any_moment_leaves_no_traceback_no_process_and_no_file",
        "tests/cli/test_strangers.py::test_an_interrupt_between_loading_and_the_first_verb_gets_no_traceback",
        "tests/cli/test_strangers.py::test_two_signals_at_once_get_no_traceback",
        "tests/cli/test_strangers.py::test_a_signal_where_python_raises_nothing_is_heeded",
    ),
    "Certificates": (
        "tests/verify/certificates/test_certificates.py::test_links_and_pipes_are_not_followed",
        "tests/verify/certificates/test_certificates.py::test_a_path_stays_in_the_folder",
        "tests/verify/certificates/test_certificates.py::test_an_enormous_file_is_not_read",
        "tests/verify/certificates/test_certificates.py::test_nothing_outside_is_read_or_written",
        "tests/verify/certificates/test_certificates.py::test_a_script_with_another_command_gets_to_no_solver",
    ),
    "Kept proofs": (
        "tests/verify/test_kept_proofs.py::test_a_false_invariant_costs_time_only",
        "tests/verify/test_kept_proofs.py::test_what_a_proof_is_said_to_need_is_not_believed",
        "tests/verify/test_kept_proofs.py::test_a_game_that_replay_refuses_shows_nothing",
        "tests/cli/test_prove_kept.py::test_a_spoilt_file_is_named_and_changes_nothing",
    ),
    "The cache": (
        "tests/cli/test_cache.py::test_a_damaged_entry_is_made_anew",
        "tests/cli/test_cache.py::test_a_damaged_entry_of_code_is_made_anew",
        "tests/cli/test_cache.py::test_a_rule_set_whose_nodes_do_not_belong_together_is_not_stored",
        "tests/cli/test_cache.py::test_an_entry_that_others_may_have_made_is_not_read",
        "tests/cli/test_cache.py::test_somebody_elses_entry_is_not_read",
        "tests/cli/test_cache.py::test_with_the_cache_off_nothing_is_written",
    ),
    "Spoilt input": ("tests/fuzz/test_cases.py::test_input_of_strangers_does_no_harm",),
    "no network connection": (
        "tests/test_security.py::test_no_connection_is_opened",
        "tests/trace/test_remote.py::test_an_existing_file_is_a_file",
        "tests/trace/test_remote.py::test_what_leads_to_another_place_is_not_read",
        "tests/cli/test_url_names.py::test_every_verb_reads_the_file",
    ),
    "Web servers": (
        "tests/trace/test_web.py::test_an_endless_answer_fills_no_disk",
        "tests/trace/test_web.py::test_an_endless_page_fills_no_memory",
        "tests/trace/test_web.py::test_a_silent_server_is_not_waited_for",
        "tests/trace/test_web.py::test_an_answer_that_comes_byte_by_byte_has_an_end",
        "tests/trace/test_web.py::test_endless_redirects_end",
        "tests/trace/test_web.py::test_a_redirect_leads_to_no_other_place",
        "tests/trace/test_web.py::test_another_port_of_a_host_is_another_place",
    ),
    "Policies": (
        "tests/cli/test_simulate.py::test_a_policy_in_python_chooses_and_sees_its_own_tiles_alone",
        "tests/cli/test_simulate.py::test_a_policy_in_python_that_fails_is_reported",
    ),
}
WITHOUT_NETWORK = """
import socket, sys

def refuse(event, args):
    if event == "socket.__new__" and args[1] in (socket.AF_INET, socket.AF_INET6):
        raise SystemExit("a connection")

sys.addaudithook(refuse)
if __name__ == "__main__":
    from golpae.cli.main import main
    sys.exit(main(sys.argv[1:]))
"""  # workers import this file, too


def promises() -> list[str]:
    """Return the entries of the list of promises."""
    page = (TOP / "SECURITY.md").read_text("utf-8")
    part = page.split("## What golpae promises\n")[1].split("\n## ")[0]
    return [" ".join(entry.split()) for entry in re.split(r"^- ", part, flags=re.MULTILINE)[1:]]


def test_every_promise_is_held_by_tests() -> None:
    entries = promises()
    assert len(entries) == len(HELD_BY)
    for entry, promise in zip(entries, HELD_BY, strict=True):
        assert promise in entry
        for test in HELD_BY[promise]:
            file, _, name = test.partition("::")
            assert (TOP / file).is_file(), test
            assert not name or f"\ndef {name}(" in (TOP / file).read_text("utf-8"), test


def test_a_written_form_of_numbers_alone_does_not_hang(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    names = [f"n{letter}" for letter in "abcdefghijkl"]
    written = "".join(f"{{{name}}}" for name in names)
    tiles = " ".join(f"{'1' * 60}{number}m" for number in range(6))
    text = PUT.replace("1-1 2-2 3-3 4-4 5-5 6-6", tiles).replace("{high}-{low}", written)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "put.golpae").write_text(text, encoding="utf-8")
    assert main(["lint", "put.golpae"]) == WRONG_INPUT
    assert "error[G006]" in capsys.readouterr().out


@pytest.mark.process
@pytest.mark.parametrize(
    "words",
    [
        ["check", "traces/three-dozen", "--expected"],
        ["prove", "docs/examples/ferry.golpae", "--jobs", "2"],
        ["compare", "HEAD:spec/three-dozen.golpae", "spec/three-dozen.golpae", "--layer", "text"],
    ],
    ids=["check", "prove", "compare"],
)
def test_no_connection_is_opened(words: list[str], tmp_path: Path) -> None:
    script = tmp_path / "without_network.py"
    script.write_text(WITHOUT_NETWORK, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, str(script), *words],
        cwd=TOP,
        env={**os.environ, "GOLPAE_CACHE": "off"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode in (0, 1, 3), done.stderr
    assert "a connection" not in done.stderr


def test_the_refusal_of_connections_works(tmp_path: Path) -> None:
    script = tmp_path / "without_network.py"
    script.write_text(
        WITHOUT_NETWORK.split("if __name__", maxsplit=1)[0] + "socket.socket()\n", encoding="utf-8"
    )
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr.strip()) == (1, "a connection")
