"""Which tests wait for `python -m tests whole` or `python -m tests`, because of the time that they take.

Input: the collected tests. Output: the marks `whole` and `long`, which `tests/conftest.py` adds.
Guarantee: each name here is that of a test (`tests/test_costly.py` holds it).

A test is in `WHOLE` if it takes more than 1.2 seconds of a processor, or if all its cases together do. The number says
which cases `python -m tests` runs: 4 stands for each fourth, beginning with the first; 0 for none. What is cheap or
the only test of its part stays out of the table.

A test is in `LONG` if nothing else marks it and one of its cases takes more than a sixth of a second: `quick`
leaves it out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

FOLDER = "tests/"


WHOLE: dict[str, dict[str, int]] = {
    "attribute/test_compiled.py": {
        "test_a_damaged_archive_is_said": 0,
        "test_a_trace_that_the_paths_attribute_differently_is_a_fault": 0,
        "test_files_are_read_as_the_reference_reads_them": 0,
        "test_the_same_rule_sets_are_found": 0,
        "test_the_same_rule_sets_of_random_texts_are_found": 3,
        "test_who_refuses_a_trace_is_told_in_full": 0,
    },
    "attribute/test_corpus.py": {
        "test_a_trace_without_its_end_counts_as_accepted": 0,
        "test_memory_does_not_grow_with_equal_traces": 0,
        "test_rules_named_in_headers_are_compared_with_the_events": 0,
        "test_the_rule_set_of_the_games_is_among_the_answers": 4,
    },
    "attribute/test_pieces.py": {"test_traces_of_a_small_game_are_cut_into_pieces": 0},
    "attribute/test_traces.py": {
        "test_an_event_that_is_malformed_under_all_rule_sets_that_get_there_makes_the_trace_malformed": 0,
        "test_an_event_that_is_malformed_under_some_rule_sets_is_refused_by_these": 0,
        "test_attribution_agrees_with_replay_under_rule_sets_of_a_bundled_game": 0,
        "test_attribution_agrees_with_replay_under_some_rule_sets_of_a_made_up_game": 0,
        "test_attribution_agrees_with_replay_under_some_rule_sets_of_jjak": 0,
    },
    "attribute/test_written.py": {"test_an_interrupted_run_goes_on": 0},
    "audit/test_audit.py": {"test_games_by_policies_are_not_accused": 0},
    "build/test_texts.py": {"test_the_host_says_what_the_reference_says_of_small_texts": 5},
    "cli/test_action.py": {"test_the_action_finds_nothing_where_nothing_is_wrong": 0},
    "cli/test_attribute.py": {
        "test_a_file_that_breaks_off_is_reported": 0,
        "test_a_whole_process_prints_the_same_answer": 0,
        "test_events_after_a_refusal_by_every_rule_set_are_not_read": 0,
        "test_games_are_answered_one_after_the_other": 0,
        "test_malformed_traces_are_reported_and_left_out": 0,
        "test_the_faults_of_a_text_are_shown_once": 0,
        "test_the_rules_option_replaces_missing_and_unknown_rules_of_headers": 0,
        "test_unknown_switches_in_a_header_are_reported_and_ignored": 0,
    },
    "cli/test_bad_input.py": {
        "test_names_are_printed_in_any_encoding_of_the_terminal": 0,
        "test_spoilt_files_never_crash_anything": 0,
    },
    "cli/test_check.py": {"test_one_file_may_use_more_than_64_rule_sets": 0},
    "cli/test_compare.py": {"test_another_usual_value_of_an_option_is_a_difference": 0},
    "cli/test_hide.py": {"test_several_processes_check_from_a_seat_as_one_does": 0},
    "cli/test_hostile_markdown.py": {"test_a_page_shows_hostile_texts_as_they_are": 5},
    "cli/test_hostile_names.py": {
        "test_the_name_of_a_branch_is_shown_and_never_run": 0,
        "test_the_names_of_files_are_shown_and_never_run": 0,
        "test_what_a_broken_text_says_is_no_command": 0,
    },
    "cli/test_infer.py": {"test_a_reason_may_be_that_there_are_no_more_tiles_of_a_kind": 0},
    "cli/test_jobs.py": {"test_the_output_does_not_depend_on_the_number_of_processes": 0},
    "cli/test_learn.py": {
        "test_json_has_each_edit": 0,
        "test_the_answer_is_a_variant_that_can_be_played": 0,
    },
    "cli/test_lint.py": {
        "test_deep_notes_an_unused_definition": 0,
        "test_what_takes_many_steps_is_told_at_its_condition": 0,
    },
    "cli/test_memory.py": {
        "test_a_line_of_100_mib_is_refused_in_little_memory": 0,
        "test_memory_does_not_grow_with_a_file": 0,
    },
    "cli/test_mutate.py": {
        "test_files_are_read_anew_in_each_call": 0,
        "test_mutants_that_nothing_notices_are_listed": 0,
    },
    "cli/test_new.py": {
        "test_a_new_project_is_checked_and_tested": 0,
        "test_each_small_game_is_faultless_formatted_and_ends": 9,
    },
    "cli/test_perft.py": {"test_both_paths_count_the_same_in_games_that_come_with_golpae": 3},
    "cli/test_process.py": {
        "test_check_works_in_a_working_folder_that_was_removed": 0,
        "test_closed_streams_change_no_status": 2,
    },
    "cli/test_progress.py": {
        "test_attribute_counts_traces": 0,
        "test_compare_counts_tables": 0,
    },
    "cli/test_project.py": {
        "test_a_fault_says_where_it_is_and_what_to_do": 3,
        "test_everything_is_linted_and_checked_once": 0,
    },
    "cli/test_prove.py": {
        "test_a_second_run_takes_its_results_from_the_cache": 0,
        "test_a_theorem_without_players_is_proved_once_for_each_value": 0,
        "test_all_proves_every_game": 0,
        "test_all_proves_every_value_of_an_option": 0,
        "test_an_interrupt_shows_and_stores_the_results_so_far": 0,
        "test_seeds_list_what_has_too_little_room": 0,
        "test_the_worst_result_decides_the_status": 11,
    },
    "cli/test_prove_families.py": {
        "test_in_continuous_integration_a_case_fails_that_is_not_as_expected": 0,
        "test_one_property_is_told_with_a_game_for_each_way": 0,
        "test_what_is_decided_is_not_decided_again": 0,
    },
    "cli/test_prove_kept.py": {
        "test_a_variant_that_a_run_did_not_reach_is_written_as_by_one_run": 0,
        "test_proofs_of_another_version_are_all_written_anew": 0,
        "test_the_kept_proofs_of_a_bundled_game_belong_to_its_text": 4,
        "test_what_a_run_had_before_it_ended_is_kept": 0,
        "test_what_is_written_is_used_until_the_text_changes": 0,
        "test_what_was_kept_stays_if_a_run_ends_before_it_gets_there": 0,
    },
    "cli/test_prove_private.py": {
        "test_a_call_that_cannot_ask_for_it_is_refused": 4,
        "test_both_games_are_shown_and_written": 0,
        "test_the_library_has_both_games": 0,
    },
    "cli/test_rule_sets.py": {
        "test_a_text_beside_the_games_is_found": 2,
        "test_a_text_in_this_folder_is_found": 3,
        "test_attribute_takes_a_name_or_a_file": 0,
        "test_lint_finds_what_variants_break_together": 0,
        "test_lint_takes_a_name_or_a_file": 2,
    },
    "cli/test_signals.py": {"test_a_signal_ends_a_busy_call_in_order": 16},
    "cli/test_simulate.py": {"test_ctrl_c_ends_all_processes_and_shows_what_they_played": 0},
    "cli/test_strangers.py": {
        "test_a_signal_at_any_moment_leaves_no_traceback_no_process_and_no_file": 0,
        "test_lint_names_a_link_to_nothing": 0,
    },
    "cli/test_two_ways.py": {"test_a_trace_that_is_attributed_differently_has_a_report": 0},
    "cli/test_unsupported_places.py": {
        "test_a_definition_is_named_itself": 0,
        "test_text_and_junit_name_it": 0,
        "test_the_clause_is_named_with_its_place": 0,
    },
    "cli/test_url_names.py": {"test_every_verb_reads_the_file": 2},
    "compare/games/test_against_all_games.py": {
        "test_proofs_on_some_mutants_agree_with_all_games": 0,
        "test_proofs_on_two_texts_agree_with_all_games": 0,
        "test_verdicts_on_two_texts_agree_with_all_games": 24,
    },
    "compare/games/test_all_games.py": {
        "test_hands_may_be_as_large_as_the_game_says": 0,
        "test_positions_of_later_hands_are_others_if_payments_count_hands": 0,
    },
    "compare/games/test_findings.py": {
        "test_a_recorded_game_tells_two_readings_apart": 9,
        "test_a_switch_changes_games_and_payments_as_listed": 0,
    },
    "compare/games/test_headers.py": {"test_a_table_that_exceeds_an_outer_limit_has_no_answer": 0},
    "compare/games/test_recorded_games.py": {
        "test_a_recorded_game_stands_and_the_rest_is_decided_as_ever": 0,
        "test_what_recorded_games_answer_is_not_cached": 0,
    },
    "compare/scores/test_decide.py": {"test_a_switch_that_changes_no_game_may_change_what_hands_count": 0},
    "compare/size/test_exact.py": {"test_hands_that_only_one_rule_set_counts_are_counted": 2},
    "compare/size/test_paired_hands.py": {
        "test_hands_of_a_game_and_its_variant_are_the_same_on_both_paths": 4,
        "test_hands_of_random_texts_are_the_same_on_both_paths": 4,
    },
    "compare/size/test_sampled_hands.py": {
        "test_hands_of_a_variant_have_the_same_totals_on_both_paths": 5,
        "test_hands_of_random_texts_have_the_same_totals_on_both_paths": 0,
        "test_steps_end_a_measurement_and_what_was_found_counts": 0,
        "test_the_shares_are_the_same_on_several_processes": 0,
        "test_what_takes_too_many_steps_is_left_out_and_the_rest_is_not": 0,
    },
    "compare/size/test_simulated_games.py": {"test_the_shares_are_the_same_on_several_processes": 0},
    "compare/text/test_diff.py": {
        "test_every_change_of_a_clause_is_a_difference_of_its_kind": 3,
        "test_every_change_of_the_syntax_tree_is_a_difference": 0,
        "test_layout_is_no_difference": 4,
        "test_switches_of_bundled_games_differ_alike_in_both_directions": 6,
        "test_the_order_of_declarations_is_no_difference": 3,
    },
    "conform/test_drive.py": {
        "test_a_planted_fault_is_found_and_shown_by_a_short_game": 0,
        "test_wrong_ends_are_tried_with_an_engine_that_does_not_pay_by_itself": 0,
    },
    "conform/test_program.py": {
        "test_the_verb_drives_a_program_and_refuses_wrong_calls": 0,
        "test_what_is_no_answer_is_told": 3,
    },
    "conform/test_scores.py": {
        "test_a_pattern_that_is_missing_is_named_with_the_simplest_hand": 0,
        "test_a_planted_fault_is_found": 3,
        "test_a_planted_fault_of_open_hands_is_found_in_a_real_game": 0,
        "test_an_engine_that_counts_the_same_agrees": 0,
    },
    "corpus/test_check.py": {
        "test_an_archive_that_is_cut_short_ends_as_the_reference_says": 0,
        "test_recorded_games_have_the_verdicts_of_the_reference": 48,
    },
    "corpus/test_packed.py": {
        "test_games_of_all_kinds_are_checked_on_the_compiled_path": 2,
        "test_spoilt_games_have_the_verdicts_of_the_reference": 2,
    },
    "corpus/test_scoring.py": {"test_the_output_does_not_depend_on_the_number_of_processes": 2},
    "coverage/test_recorded_games.py": {"test_counts_are_those_of_the_verdicts": 4},
    "differential/test_counting.py": {"test_scores_proofs_and_comparisons_agree_with_the_judge": 0},
    "differential/test_facts.py": {"test_random_effects_that_are_accepted_never_meet_none": 0},
    "differential/test_format.py": {"test_a_random_text_keeps_its_comments": 0},
    "differential/test_found.py": {
        "test_a_property_that_was_judged_wrongly_once_has_its_verdict": 40,
        "test_a_text_that_was_compared_wrongly_with_its_variants_has_no_findings": 18,
        "test_a_text_that_was_wrong_once_has_no_findings": 60,
    },
    "differential/test_texts.py": {
        "test_most_drafts_have_no_faults": 0,
        "test_most_random_texts_have_a_hand_that_ends": 0,
    },
    "docs/test_games.py": {
        "test_the_committed_matrices_agree_with_the_rule_texts": 0,
        "test_the_page_of_a_game_is_current": 4,
    },
    "docs/test_language.py": {
        "test_the_example_texts_are_formatted_and_have_no_faults": 3,
        "test_the_games_of_the_index_can_be_played": 12,
    },
    "docs/test_pages.py": {"test_every_command_prints_what_the_page_shows": 30},
    "docs/test_specs.py": {
        "test_every_text_elaborates_with_each_of_its_switches": 2,
        "test_every_text_is_free_of_faults": 3,
        "test_formatting_a_text_keeps_its_meaning": 3,
    },
    "docs/test_tutorial.py": {"test_the_words_before_each_block_lead_to_the_same_files": 0},
    "editor/test_highlighting.py": {
        "test_a_text_has_the_same_colours_in_textmate": 9,
        "test_keywords_of_a_text_are_those_of_the_parser": 9,
    },
    "editor/test_names.py": {"test_a_text_with_another_name_has_no_faults": 9},
    "editor/test_server.py": {
        "test_a_fault_of_a_variant_is_shown_in_the_text_that_has_it": 0,
        "test_a_part_is_checked_in_the_games_that_include_it": 0,
        "test_kept_proofs_stand_behind_the_names_of_properties": 0,
        "test_names_are_told_found_and_renamed": 0,
        "test_nothing_is_said_of_the_recorded_games_of_a_text_with_faults": 0,
    },
    "editor/test_vscode.py": {"test_the_snippet_of_a_game_is_a_whole_game": 0},
    "elaborate/test_added_parts.py": {"test_parts_are_there_while_the_variant_is_on": 0},
    "elaborate/test_advice_of_none.py": {"test_a_text_that_follows_the_advice_has_one_fault_less": 9},
    "elaborate/test_afterwards.py": {"test_what_is_asked_holds_after_the_event": 0},
    "elaborate/test_groups_with_others.py": {"test_a_team_wins_in_a_group_as_it_does_without": 3},
    "elaborate/test_spoilt_texts.py": {"test_spoilt_texts_have_faults_and_nothing_worse": 15},
    "families/test_apart.py": {
        "test_a_switch_shows_what_it_does": 0,
        "test_all_games_of_all_settings_agree": 0,
        "test_the_table_says_what_is_known_where_something_is_not": 0,
        "test_what_no_replay_has_shown_is_unknown": 0,
    },
    "families/test_by_length.py": {
        "test_a_search_that_ends_early_says_up_to_where_it_came": 0,
        "test_the_games_are_as_short_as_those_of_each_rule_set": 0,
    },
    "families/test_choices.py": {
        "test_a_share_of_hands_takes_no_choice_away": 0,
        "test_bundled_games_are_judged_as_under_each_rule_set": 0,
        "test_made_up_games_are_judged_as_under_each_rule_set": 3,
        "test_what_belongs_to_the_set_is_no_choice": 0,
        "test_where_a_property_is_stated_follows_the_switches": 0,
    },
    "families/test_decide.py": {
        "test_shells_are_decided_as_one_by_one": 0,
        "test_what_holds_for_all_is_proved_at_once": 0,
        "test_what_shapes_and_scores_decide_is_found_for_all_at_once": 0,
    },
    "families/test_idle.py": {"test_what_few_cases_do_not_settle_is_unknown": 4},
    "families/test_kept.py": {
        "test_games_that_are_kept_are_played_again_and_nothing_else_is_taken_from_the_file": 0,
    },
    "families/test_pairs.py": {
        "test_a_game_is_replayed_under_all_settings_of_the_other_switches": 0,
        "test_games_tell_apart_what_a_switch_changes_of_shapes_and_scores": 0,
    },
    "families/test_run.py": {
        "test_a_process_that_takes_too_long_before_it_begins_is_not_started_again": 0,
        "test_a_process_that_takes_too_long_costs_the_property_that_it_is_at": 0,
        "test_groups_beyond_the_limit_are_unknown_with_a_short_condition": 0,
    },
    "families/test_shortest_differences.py": {"test_the_shortest_is_as_short_as_any_game": 5},
    "families/test_switches.py": {
        "test_continuous_integration_has_a_suite_for_each_switch": 0,
        "test_games_under_two_settings_leave_out_nothing_where_they_never_part": 0,
        "test_the_table_says_where_and_shows_a_game": 0,
    },
    "families/test_ways.py": {
        "test_a_question_about_many_may_take_more_work_than_one_about_each": 0,
        "test_ways_are_decided_together_as_one_by_one": 0,
    },
    "fuzz/test_cases.py": {"test_input_of_strangers_does_no_harm": 5},
    "hidden/test_against_brute.py": {
        "test_logs_of_random_games_are_judged_as_all_ways_to_fill_them_in_say": 0,
    },
    "hidden/test_brute.py": {
        "test_a_legal_game_of_which_tiles_are_hidden_is_legal_and_what_is_certain_is_so": 0,
        "test_a_plainer_listing_of_whole_traces_says_the_same": 0,
        "test_a_trace_without_unknown_tiles_is_judged_as_replay_judges_it": 0,
    },
    "hidden/test_conflicts.py": {"test_who_takes_a_trick_is_a_matter_of_two_cards": 0},
    "hidden/test_groups.py": {
        "test_groups_are_judged_as_all_ways_to_fill_them_in_are": 6,
        "test_the_named_condition_fails_for_all_tiles": 8,
    },
    "hidden/test_melds.py": {"test_a_game_is_followed_behind_a_meld_of_unknown_tiles": 3},
    "impact/test_impact.py": {"test_both_paths_find_the_same": 0},
    "ir/test_wellformed.py": {"test_every_elaborated_rule_set_is_well_formed": 9},
    "judge/test_against_replay.py": {"test_replay_and_the_judge_agree_on_every_event": 12},
    "judge/test_judge_comparison.py": {"test_10_1_comparison": 3},
    "judge/test_recorded_games.py": {"test_the_judge_agrees_with_the_verdicts_of_recorded_games": 9},
    "kernel/test_constructs.py": {
        "test_definitions_that_use_one_another_very_often_make_no_long_module": 0,
        "test_every_game_is_checked_on_the_compiled_path": 20,
    },
    "kernel/test_playing.py": {
        "test_both_paths_play_small_texts_alike": 30,
        "test_both_paths_play_the_same_games": 7,
        "test_events_of_small_texts_are_the_same": 48,
    },
    "kernel/test_scan.py": {
        "test_every_line_of_legal_games_is_recognised": 3,
        "test_no_spoilt_line_is_read_differently": 3,
    },
    "kernel/test_scores.py": {
        "test_groups_lay_out_the_same_tiles": 3,
        "test_hands_score_the_same": 7,
        "test_shapes_and_arrangements_hold_of_the_same_tiles": 12,
    },
    "kernel/test_steps.py": {
        "test_every_loop_of_a_module_is_counted": 0,
        "test_what_takes_very_many_steps_to_fill_is_left_out": 3,
    },
    "kernel/test_winners.py": {"test_an_end_names_who_has_won": 3},
    "learning/test_learned.py": {
        "test_a_game_that_was_recorded_wrongly_hides_no_rule": 0,
        "test_a_variant_that_was_taken_out_is_found": 0,
        "test_games_of_the_text_teach_nothing": 0,
    },
    "learning/test_seeds.py": {"test_two_hash_seeds_give_one_answer": 0},
    "learning/test_superposed.py": {"test_each_number_has_the_games_of_its_edit": 0},
    "library/test_answers.py": {
        "test_a_program_proves_without_a_guarded_main_module": 0,
        "test_a_switch_is_compared_over_all_settings_of_the_others": 0,
    },
    "library/test_any_input.py": {
        "test_any_event_is_accepted_or_refused": 0,
        "test_any_value_gets_an_answer_or_a_known_exception": 0,
    },
    "library/test_checking.py": {
        "test_a_game_played_again_is_refused_as_it_is_when_it_is_checked": 0,
        "test_verdicts_are_those_of_golpae_check": 0,
    },
    "library/test_front.py": {"test_own_texts_are_found_in_the_folder_and_beside_the_games": 0},
    "lint/test_cone_of_influence.py": {
        "test_every_clause_of_a_bundled_game_matters_to_a_property": 3,
        "test_lint_points_to_the_clause_outside_of_the_cone": 0,
    },
    "lint/test_families.py": {"test_a_note_says_under_which_rule_sets_it_is_true": 0},
    "lint/test_text_notes.py": {"test_our_own_texts_have_no_notes": 3},
    "lint/test_uncompiled.py": {
        "test_a_note_stands_at_what_is_not_compiled": 3,
        "test_no_text_of_ours_has_a_part_that_is_not_compiled_and_not_noted": 0,
    },
    "lint/test_vacuity.py": {
        "test_a_condition_that_is_idle_for_some_players_only_is_not_noted": 0,
        "test_properties_whose_premise_is_never_true_are_noted": 0,
        "test_two_processes_make_the_same_notes": 0,
    },
    "logs/test_openspiel.py": {
        "test_spoilt_playthroughs_are_met_with_words": 3,
        "test_the_rules_agree_with_each_state": 4,
    },
    "logs/test_unseen.py": {
        "test_a_board_that_no_deal_explains_is_illegal": 12,
        "test_a_card_that_nobody_saw_may_have_taken_the_trick": 0,
        "test_a_match_as_each_player_saw_it_can_be_one": 0,
    },
    "lower/test_written.py": {"test_what_is_written_is_read_as_the_same": 9},
    "mutate/test_run.py": {
        "test_a_mutant_with_a_case_twice_is_no_rules": 0,
        "test_a_proof_says_that_a_mutant_changes_nothing": 0,
        "test_processes_change_nothing": 0,
    },
    "mutation/test_mutants.py": {
        "test_every_listed_mutant_exists": 6,
        "test_every_mutant_is_noticed_by_a_recorded_game_or_listed": 0,
        "test_listed_hands_have_the_listed_totals": 3,
        "test_the_judge_of_mutants_agrees_with_replay": 0,
    },
    "pages/test_accessible.py": {"test_a_page_is_accessible": 0},
    "pages/test_book.py": {"test_switches_change_the_page": 0},
    "pages/test_book_links.py": {
        "test_a_link_opens_what_it_leads_to": 0,
        "test_a_malformed_address_stops_nothing": 2,
        "test_every_link_of_a_game_leads_to_one_element": 0,
    },
    "pages/test_coverage.py": {"test_tables_are_sorted_by_a_click": 0},
    "pages/test_event_list.py": {
        "test_the_list_shows_the_current_event_of_a_report": 0,
        "test_the_list_shows_the_newest_event_of_a_match": 0,
    },
    "pages/test_looks.py": {"test_a_page_looks_as_it_did": 0},
    "pages/test_match.py": {
        "test_a_match_against_a_policy_is_saved_as_a_trace_that_check_judges_alike": 0,
        "test_a_seat_at_random_draws_tiles_that_nobody_else_learns": 0,
        "test_a_whole_hand_is_played_by_mouse": 0,
        "test_what_comes_before_a_deal_is_played_and_the_deal_follows": 0,
    },
    "pages/test_table.py": {"test_a_game_fits_one_screen_at_every_step": 12},
    "playground/test_in_a_browser.py": {"test_a_text_is_changed_a_game_refused_and_a_property_refuted": 0},
    "prove/encoding/test_collisions.py": {
        "test_a_concrete_state_with_collisions_changes_as_in_replay": 0,
        "test_an_unknown_state_with_collisions_changes_as_in_replay": 0,
        "test_every_action_of_the_test_game_happens": 0,
        "test_turning_the_table_turns_the_step": 0,
    },
    "prove/encoding/test_earlier.py": {
        "test_a_property_may_depend_on_an_order_that_its_action_ignores": 0,
        "test_false_properties_of_earlier_tiles_are_refuted_by_a_game": 3,
    },
    "prove/encoding/test_facts.py": {
        "test_contradictory_facts_are_reported": 0,
        "test_facts_contradict_no_possible_event": 0,
    },
    "prove/encoding/test_keys_of_groups.py": {"test_groups_of_a_shape_become_melds": 4},
    "prove/encoding/test_known_steps.py": {
        "test_a_specialized_step_is_impossible_at_other_stages_and_movers": 2,
        "test_an_event_is_a_specialized_step": 3,
    },
    "prove/encoding/test_melds_of_several_keys.py": {"test_tiles_that_two_keys_name_become_a_meld": 3},
    "prove/encoding/test_places.py": {
        "test_a_concrete_state_with_places_changes_as_in_replay": 0,
        "test_an_unknown_state_with_places_changes_as_in_replay": 0,
        "test_places_stay_concrete_if_tiles_move_in_any_order_but_that_of_a_row": 0,
        "test_tiles_beyond_the_modelled_places_may_be_any_tile": 0,
    },
    "prove/encoding/test_row_places.py": {
        "test_the_prover_decides_what_a_cut_leaves": 0,
        "test_the_prover_decides_what_a_move_from_a_place_leaves": 0,
    },
    "prove/encoding/test_steps.py": {
        "test_a_concrete_state_changes_as_in_replay": 10,
        "test_a_concrete_state_of_a_long_game_changes_as_in_replay": 6,
        "test_an_unknown_state_that_is_fixed_later_changes_as_in_replay": 3,
        "test_turning_the_table_turns_the_step": 12,
    },
    "prove/encoding/test_tiles_that_count_as_others.py": {
        "test_events_about_faces_change_states_as_in_replay": 4,
    },
    "prove/evaluation/test_number_ranges.py": {"test_what_is_over_unknown_numbers": 12},
    "prove/evaluation/test_written_numbers.py": {"test_what_is_over_written_numbers": 12},
    "prove/induction/test_houdini.py": {"test_no_candidate_is_taken_for_one_that_was_dropped": 0},
    "prove/induction/test_induction.py": {"test_a_property_after_an_impossible_action_is_vacuous": 0},
    "prove/symbolic/test_multiset_count.py": {"test_counting_hands_of_an_arrangement_counts_all_choices": 0},
    "prove/test_games.py": {"test_games_are_ways_through_the_transition_relation": 3},
    "prove/test_meanings.py": {"test_the_prover_and_all_games_agree": 12},
    "prove/test_parametric.py": {"test_a_theorem_true_for_every_set_is_proved_for_every_value": 3},
    "prove/test_past_faults.py": {"test_the_prover_and_all_games_agree": 3},
    "replay/scoring/test_arrangements.py": {"test_every_way_to_lay_out_a_hand_is_listed_once": 0},
    "replay/test_by_hand.py": {"test_random_games_are_judged_as_by_hand": 0},
    "replay/test_chance.py": {
        "test_actions_come_in_the_order_of_the_text_and_end_comes_last": 0,
        "test_the_order_of_legal_events_is_a_total_one": 3,
    },
    "replay/test_faults.py": {"test_golpae_means_what_the_page_says": 9},
    "replay/test_ho_hpai.py": {
        "test_every_winning_hand_counts_as_by_hand": 3,
        "test_random_games_are_judged_as_by_hand": 0,
        "test_the_perft_counts_are_those_by_hand": 4,
    },
    "replay/test_ids.py": {
        "test_every_clause_and_every_rule_matters_to_a_trace": 0,
        "test_every_rule_is_cited_by_a_clause": 4,
        "test_every_switch_cites_a_rule": 4,
    },
    "replay/test_korean_mahjong.py": {
        "test_hands_played_towards_winning_are_legal": 0,
        "test_random_hands_have_the_points_by_hand": 0,
        "test_recorded_games_are_judged_as_by_hand": 2,
        "test_the_waits_of_random_hands_are_those_by_hand": 0,
    },
    "replay/test_perft.py": {
        "test_legal_events_have_the_known_perft_counts": 9,
        "test_the_perft_counts_are_those_by_hand": 4,
    },
    "replay/test_properties.py": {
        "test_invariants_hold_in_random_games": 27,
        "test_theorems_about_the_set_hold_in_replay_as_expected": 3,
    },
    "replay/test_random_play.py": {
        "test_every_hand_ends": 0,
        "test_exactly_the_listed_events_are_accepted": 0,
        "test_spoilt_traces_get_a_verdict": 0,
    },
    "replay/test_same_steps.py": {"test_a_list_of_legal_events_that_takes_too_long_costs_no_verdict": 0},
    "replay/test_steps.py": {
        "test_a_property_that_takes_too_many_steps_is_unknown_and_the_others_are_decided": 0,
        "test_an_invariant_that_replay_cannot_evaluate_costs_no_other_property": 0,
        "test_bags_that_the_text_does_not_bound_are_counted": 2,
        "test_loops_inside_one_another_are_counted": 0,
    },
    "replay/test_three_dozen.py": {
        "test_random_games_are_judged_as_by_hand": 0,
        "test_the_perft_counts_are_those_by_hand": 6,
    },
    "replay/test_traces.py": {
        "test_every_action_is_in_a_trace": 12,
        "test_every_condition_is_broken_by_a_trace": 4,
        "test_every_listed_unbreakable_condition_exists_and_is_unbroken": 4,
        "test_every_trace_gets_its_expected_verdict": 12,
    },
    "search/test_lasso.py": {"test_bundled_games_that_need_not_end_have_a_lasso": 12},
    "search/test_random_play.py": {"test_rare_states_of_bundled_games_are_found": 8},
    "simulate/test_asked.py": {"test_both_paths_have_the_same_answers": 3},
    "simulate/test_compiled.py": {
        "test_both_paths_have_the_same_tally_and_traces": 28,
        "test_seats_at_random_and_others_play_at_one_table": 0,
    },
    "simulate/test_lacking.py": {
        "test_both_paths_look_at_the_same_tiles": 0,
        "test_no_choice_of_groups_lacks_fewer": 0,
    },
    "simulate/test_play.py": {"test_games_are_legal_whatever_the_policy": 4},
    "simulate/test_random_texts.py": {
        "test_games_of_random_texts_are_the_same_on_both_paths": 12,
        "test_policies_play_random_texts_by_their_rules": 3,
    },
    "syntax/test_comments.py": {
        "test_comments_at_many_places_of_a_whole_text": 6,
        "test_comments_keep_block_and_order": 0,
    },
    "syntax/test_format.py": {
        "test_a_formatted_text_parses_to_the_same_tree": 0,
        "test_formatting_keeps_the_texts_of_the_repository": 3,
        "test_the_texts_of_the_repository_keep_within_the_width": 3,
    },
    "test_architecture.py": {"test_the_readers_of_a_node_are_those_on_the_map": 0},
    "test_frame.py": {"test_a_wheel_from_the_sdist_checks_traces_in_an_empty_environment": 0},
    "test_security.py": {"test_no_connection_is_opened": 3},
    "test_workers.py": {
        "test_a_job_is_not_charged_with_what_jobs_before_it_left": 0,
        "test_a_worker_that_exceeds_a_limit_is_ended": 4,
    },
    "trace/test_read.py": {
        "test_every_json_object_reads_as_the_json_module_reads_it": 0,
        "test_exactly_the_keys_given_twice_are_reported": 0,
    },
    "trace/test_web.py": {
        "test_a_silent_server_is_not_waited_for": 0,
        "test_an_answer_that_comes_byte_by_byte_has_an_end": 0,
    },
    "trials/test_trials.py": {
        "test_recorded_games_keep_their_verdicts": 3,
        "test_the_text_has_no_faults_and_is_compiled_whole": 4,
    },
    "verify/certificates/test_certificates.py": {
        "test_a_certificate_has_each_kind_of_proof": 0,
        "test_a_number_of_events_bounds_the_search_for_a_game_and_not_a_proof": 0,
        "test_a_path_stays_in_the_folder": 3,
        "test_a_script_names_tiles_seats_and_words": 0,
        "test_every_obligation_is_confirmed_by_two_solvers": 0,
        "test_prove_writes_and_recheck_checks": 0,
        "test_the_answer_of_the_second_solver_decides_the_status": 9,
        "test_the_same_proofs_have_the_same_certificate": 0,
        "test_values_that_no_state_allows_are_listed": 0,
        "test_what_golpae_folds_stands_in_a_script_with_its_reason": 0,
    },
    "verify/privacy/test_planted.py": {"test_a_planted_fault_is_noticed": 4},
    "verify/privacy/test_private.py": {
        "test_a_menu_that_shows_the_next_card_is_refuted": 0,
        "test_all_games_agree_that_it_is_private": 0,
        "test_bundled_games_are_private": 4,
        "test_nothing_is_proved_private_that_all_games_contradict_of_a_few_texts": 0,
        "test_what_leaks_is_refuted_by_two_games": 3,
        "test_what_the_flow_takes_for_granted_is_proved": 0,
    },
    "verify/test_claims.py": {
        "test_a_statement_about_all_ways_of_a_score_has_room_in_its_effort": 0,
        "test_claims_of_bundled_games_are_verified_as_expected": 0,
        "test_every_property_of_jjak_for_two_is_verified_as_expected": 0,
    },
    "verify/test_failing_part.py": {"test_every_form_of_the_answer_says_what_fails": 0},
    "verify/test_kept_proofs.py": {
        "test_a_combination_takes_what_is_kept_of_its_parts_and_believes_none_of_it": 0,
        "test_a_game_that_replay_refuses_shows_nothing": 5,
        "test_a_part_of_the_results_leads_to_the_same_as_all_of_them": 3,
        "test_another_text_falls_back_to_what_still_holds": 0,
        "test_what_a_proof_is_said_to_need_is_not_believed": 3,
        "test_what_is_kept_is_checked_and_says_the_same": 0,
    },
    "verify/test_names_of_steps.py": {
        "test_one_name_stands_for_the_same_questions_whatever_else_a_text_changes": 0,
    },
    "verify/test_no_deal.py": {
        "test_lint_notes_values_of_options": 3,
        "test_what_is_proved_without_a_deal_is_vacuous": 0,
    },
    "verify/test_numbers_of_any_size.py": {"test_a_power_that_changes_nothing_is_no_difference": 0},
    "verify/test_pattern_hands.py": {"test_a_table_without_tiles_that_count_as_others_shows_hands_of_all": 0},
    "verify/test_same_verdicts.py": {"test_hash_seeds_orders_and_processes_change_nothing": 0},
    "verify/test_scheduler.py": {
        "test_a_crash_makes_only_its_own_property_unknown": 2,
        "test_a_property_that_exceeds_an_outer_limit_is_unknown": 0,
        "test_the_property_that_a_process_began_last_is_the_one_that_is_unknown": 0,
        "test_what_is_kept_and_takes_too_long_to_check_is_looked_for": 0,
        "test_what_properties_share_is_looked_for_until_the_limit_once": 0,
    },
    "verify/test_shared_steps.py": {
        "test_a_hundred_groups_are_many": 0,
        "test_action_by_action_the_same_is_found_as_for_all_at_once": 0,
        "test_what_asks_about_hands_is_first_shown_without_them": 0,
        "test_what_is_shared_says_the_same_as_what_is_asked_anew": 0,
    },
    "verify/test_states_that_nothing_sets.py": {
        "test_a_state_that_nothing_sets_keeps_its_first_value": 3,
        "test_first_values_lower_bounds_and_winners_are_tried_as_invariants": 3,
        "test_games_decide_what_the_prover_does_not_support": 0,
    },
    "verify/test_what_would_help.py": {
        "test_it_is_proved_with_what_helps": 0,
        "test_what_the_text_states_and_fails_first_is_named": 0,
        "test_where_nobody_can_act_the_conditions_are_named_that_refuse": 0,
    },
}

LONG: dict[str, tuple[str, ...]] = {
    "cli/test_bad_input.py": (
        "test_a_faulty_header_gets_a_message",
        "test_a_wrong_call_gets_a_message",
        "test_long_values_do_not_make_long_messages",
    ),
    "cli/test_build.py": ("test_the_same_rules_give_the_same_module_and_other_tables_another",),
    "cli/test_cache.py": ("test_a_cache_does_not_grow_without_end",),
    "cli/test_ci_formats.py": (
        "test_a_broken_rule_is_shown_at_its_line_with_its_source_and_its_text",
        "test_a_long_list_of_findings_says_that_there_are_more",
        "test_faults_and_notes_of_texts_are_at_their_words",
        "test_properties_are_at_their_lines",
        "test_what_other_rules_change_in_recorded_games_is_a_note_at_its_event",
    ),
    "cli/test_cited.py": ("test_all_ways_to_check_a_file_find_the_same_digests",),
    "cli/test_compare_size.py": (
        "test_a_matrix_measures_sizes_only_on_request",
        "test_an_option_decides_how_many_tiles_are_dealt",
    ),
    "cli/test_empty.py": ("test_a_file_without_a_game_is_named",),
    "cli/test_help.py": ("test_every_verb_has_two_examples_that_it_understands",),
    "cli/test_hide.py": (
        "test_a_check_from_a_seat_finds_what_its_player_could_tell",
        "test_completed_games_are_written_as_a_file_of_traces",
        "test_games_are_written_as_a_player_saw_them",
        "test_the_library_tells_completions_and_conflicts",
    ),
    "cli/test_lint.py": (
        "test_a_text_without_a_game_line_may_be_part_of_other_texts",
        "test_a_text_without_faults_is_reported_as_such",
        "test_hostile_texts_are_refused_in_words",
        "test_notes_are_printed_and_counted",
        "test_notes_on_an_included_text_are_not_printed",
        "test_what_is_not_compiled_is_found_once_and_told_at_its_place",
    ),
    "cli/test_mutate.py": (
        "test_files_are_read_anew_in_each_call",
        "test_json_has_every_mutant",
        "test_mutants_that_nothing_notices_are_listed",
    ),
    "cli/test_new.py": ("test_a_new_text_is_faultless_and_formatted",),
    "cli/test_perft.py": ("test_both_paths_count_the_same_in_games_that_come_with_golpae",),
    "cli/test_progress.py": ("test_a_matrix_counts_rule_sets_and_pairs",),
    "cli/test_rule_sets.py": (
        "test_lint_finds_what_variants_break_together",
        "test_lint_takes_a_name_or_a_file",
    ),
    "cli/test_rulings.py": ("test_a_trace_is_named_by_id_place_or_hash",),
    "cli/test_simulate.py": (
        "test_a_first_game_is_the_same_whatever_follows_it",
        "test_another_seed_gives_other_games_and_the_same_one_the_same",
        "test_every_game_is_a_legal_trace_with_its_number",
        "test_options_and_players_are_those_of_the_call",
    ),
    "cli/test_strangers.py": (
        "test_a_game_after_a_byte_order_mark_is_not_left_out",
        "test_a_pipe_in_a_folder_of_texts_costs_no_other_file",
        "test_lint_names_a_link_to_nothing",
        "test_no_name_of_a_file_makes_a_line_of_its_own",
    ),
    "cli/test_unlisted.py": (
        "test_a_fault_of_many_headers_is_said_once_for_a_rule_set",
        "test_the_first_refusals_are_explained_and_all_others_counted",
    ),
    "cli/test_unnamed_output.py": ("test_a_report_without_a_folder_makes_a_new_one",),
    "cli/test_unseen_tiles.py": (
        "test_a_ruling_makes_no_tile_behind_an_unknown_one",
        "test_a_ruling_reaches_an_event_behind_an_unknown_tile",
        "test_a_verdict_from_a_seat_cites_the_recorded_lines_that_it_is_about",
        "test_counts_of_games_tell_those_with_unknown_tiles_apart",
        "test_findings_for_continuous_integration_name_the_clause",
        "test_mutants_are_tried_on_games_up_to_an_unknown_tile",
        "test_nothing_is_told_of_a_game_that_is_undecided",
        "test_the_library_says_which_games_have_unknown_tiles",
        "test_what_can_follow_is_told_of_one_of_the_games_that_agree",
        "test_what_would_have_been_legal_is_told_at_the_event_that_is_refused",
        "test_who_needs_all_tiles_says_that_some_are_unknown",
    ),
    "cli/test_url_names.py": ("test_every_verb_reads_the_file",),
    "compare/size/test_exact.py": (
        "test_hands_and_deals_are_counted_with_the_tiles_of_each_rule_set",
        "test_hands_with_another_total_are_counted_by_both_totals",
    ),
    "compare/text/test_diff.py": ("test_only_differences_that_can_change_a_game_count",),
    "corpus/test_check.py": ("test_a_game_that_is_over_is_not_blamed_for_what_follows",),
    "corpus/test_hands.py": (
        "test_hands_of_korean_mahjong_are_scored_as_the_reference_scores_them",
        "test_wins_are_scored_on_the_compiled_path",
    ),
    "coverage/test_ledger.py": ("test_mutants_of_a_run_are_put_beside_the_clauses",),
    "docs/test_games.py": ("test_every_expected_refutation_has_a_reason",),
    "docs/test_language.py": ("test_the_example_texts_are_formatted_and_have_no_faults",),
    "docs/test_library.py": (
        "test_a_program_that_uses_all_of_it_is_right_for_mypy",
        "test_a_program_that_uses_all_of_it_runs",
    ),
    "docs/test_pages.py": (
        "test_every_link_leads_somewhere",
        "test_generated_parts_of_the_pages_are_current",
    ),
    "docs/test_specs.py": ("test_every_text_is_free_of_faults", "test_formatting_a_text_keeps_its_meaning"),
    "elaborate/test_advice_of_none.py": ("test_a_text_that_follows_the_advice_has_one_fault_less",),
    "elaborate/test_faults.py": ("test_every_place_that_raises_a_fault_has_a_case",),
    "elaborate/test_said_once.py": ("test_the_one_is_proved_and_played_as_written",),
    "families/test_choices.py": (
        "test_switches_that_change_shapes_and_scores_alone_are_choices_of_the_table",
    ),
    "impact/test_impact.py": (
        "test_a_course_without_amended_amounts_has_the_verdict_of_check",
        "test_points_and_patterns_of_a_winning_hand_shift",
    ),
    "ir/test_closed.py": (
        "test_every_case_over_nodes_says_what_each_field_means",
        "test_every_match_over_nodes_ends_in_assert_never",
    ),
    "ir/test_codec.py": ("test_what_was_written_is_read",),
    "ir/test_fields.py": (
        "test_a_field_that_is_added_to_a_node_is_a_gap_in_some_reader",
        "test_a_field_that_is_added_to_a_statement_is_a_gap_in_every_reader",
    ),
    "kernel/test_reasons.py": (
        "test_a_reason_names_what_it_is_about",
        "test_there_are_reasons",
        "test_two_causes_do_not_share_a_reason",
    ),
    "kernel/test_scan.py": ("test_recorded_lines_are_read_as_the_strict_reader_reads_them",),
    "kernel/test_steps.py": (
        "test_a_signal_ends_a_call_that_goes_on_and_the_module_can_be_used_again",
        "test_what_takes_very_many_steps_to_fill_is_left_out",
    ),
    "kernel/test_winners.py": ("test_an_end_names_who_has_won",),
    "library/test_answers.py": (
        "test_a_policy_is_a_function",
        "test_games_tell_their_rules",
        "test_recorded_games_under_other_rules_are_those_of_golpae_compare",
        "test_simulated_games_are_those_of_golpae_simulate",
    ),
    "library/test_checking.py": (
        "test_a_game_played_again_is_refused_as_it_is_when_it_is_checked",
        "test_large_files_go_the_compiled_way",
        "test_rulings_let_events_stand",
        "test_several_processes_say_the_same_in_the_same_order",
    ),
    "library/test_rules.py": ("test_a_text_makes_rules_with_its_variants",),
    "lint/test_text_notes.py": ("test_our_own_texts_have_no_notes",),
    "logs/test_listed.py": (
        "test_pages_say_what_check_says",
        "test_what_a_log_lists_is_compared_with_the_rules",
    ),
    "logs/test_openspiel.py": (
        "test_long_lines_and_deep_lists_hurt_nothing",
        "test_what_is_listed_wrongly_is_told_at_its_line",
    ),
    "logs/test_unseen.py": (
        "test_a_board_is_legal_if_some_deal_makes_it_so",
        "test_a_board_that_no_deal_explains_is_illegal",
        "test_a_card_that_nobody_saw_may_have_taken_the_trick",
        "test_a_match_with_a_fifth_copy_is_none",
    ),
    "lower/test_checks.py": ("test_each_condition_has_its_check",),
    "lower/test_lowering.py": ("test_each_game_lowers_and_each_branch_has_its_own_path",),
    "lower/test_readers.py": ("test_nothing_but_what_makes_rules_and_lowers_them_takes_effects_apart",),
    "lower/test_written.py": ("test_what_is_written_is_read_as_the_same",),
    "mutate/test_run.py": ("test_games_notice_mutants", "test_what_is_explained_need_not_be_noticed"),
    "pages/test_book.py": (
        "test_a_page_says_the_rules_in_the_words_of_players",
        "test_a_switch_changes_what_compare_says_it_does",
        "test_every_difference_of_a_switch_is_shown",
        "test_games_that_show_no_hands_are_told",
        "test_kept_verdicts_and_the_games_that_show_them",
        "test_patterns_without_a_recorded_hand_have_one_by_proof",
        "test_what_a_switch_changes_is_in_the_page",
        "test_what_is_kept_about_all_rule_sets_is_told",
    ),
    "pages/test_book_links.py": ("test_every_link_leads_to_one_element",),
    "replay/scoring/test_riichi_hands.py": (
        "test_values_that_exclude_each_other_are_refused",
        "test_what_is_left_out_is_as_usual",
    ),
    "replay/scoring/test_score.py": (
        "test_a_faulty_hand_gets_a_message",
        "test_a_hand_that_does_not_count_says_which_condition_of_keep_fails",
        "test_a_wrong_call_gets_a_message",
        "test_the_whole_set_is_in_play_unless_players_are_given",
    ),
    "replay/test_completing.py": ("test_the_tiles_that_complete_a_hand_are_those_that_do_so_one_by_one",),
    "replay/test_contract.py": (
        "test_an_event_may_have_a_note_and_a_time",
        "test_faulty_headers_are_malformed",
        "test_lists_of_the_wrong_length_and_tiles_beyond_the_set_are_illegal",
        "test_the_exit_status_is_that_of_the_worst_trace",
    ),
    "replay/test_faults.py": ("test_golpae_means_what_the_page_says",),
    "replay/test_ho_hpai.py": ("test_the_theorems_state_the_number_of_hands_for_each_count",),
    "replay/test_properties.py": ("test_theorems_about_the_set_hold_in_replay_as_expected",),
    "replay/test_same_steps.py": (
        "test_melds_that_can_be_counted_as_parts_in_very_many_ways_are_an_answer",
        "test_what_is_kept_of_a_search_costs_the_next_one_the_same",
    ),
    "replay/test_steps.py": (
        "test_a_condition_that_takes_too_many_steps_is_named",
        "test_a_list_with_too_many_orders_is_an_answer",
        "test_a_search_for_an_arrangement_ends",
        "test_a_trace_of_rules_that_take_too_many_steps_says_that_the_rules_are_at_fault",
        "test_bags_that_the_text_does_not_bound_are_counted",
    ),
    "simulate/test_asked.py": (
        "test_both_paths_have_the_same_answers",
        "test_patterns_are_counted_only_if_somebody_wants_them",
    ),
    "simulate/test_play.py": (
        "test_a_hand_that_goes_on_and_on_is_broken_off",
        "test_patterns_are_those_of_the_winning_hand",
    ),
    "simulate/test_policies.py": (
        "test_the_policy_random_waits_as_often_as_others_have_events",
        "test_towards_wins_more_often_than_chance",
    ),
    "syntax/test_format.py": (
        "test_formatting_keeps_the_texts_of_the_repository",
        "test_the_texts_of_the_repository_keep_within_the_width",
    ),
    "test_architecture.py": ("test_every_module_has_a_docstring", "test_files_and_classes_are_short"),
    "test_costly.py": ("test_every_name_is_that_of_a_test",),
    "test_frame.py": (
        "test_no_committed_file_names_a_machine_or_a_registry",
        "test_nothing_says_that_a_package_index_has_golpae",
    ),
    "test_habits.py": (
        "test_helpers_are_not_in_test_modules",
        "test_names_of_tests_are_sentences",
        "test_no_test_reads_a_clock",
    ),
    "test_no_game_words.py": ("test_the_package_names_no_game_word",),
    "test_security.py": ("test_a_written_form_of_numbers_alone_does_not_hang",),
    "testing/test_plugin.py": (
        "test_expected_verdicts_decide",
        "test_rulings_let_events_stand_and_each_is_needed",
    ),
    "testing/test_strategies.py": ("test_what_is_found_is_short_and_has_low_tiles",),
    "trace/test_decompress.py": (
        "test_a_decompression_bomb_is_skipped_in_little_memory",
        "test_an_archive_cut_short_is_a_fault_at_the_line_reached",
        "test_an_archive_reads_as_its_text",
    ),
    "trace/test_web.py": (
        "test_a_silent_server_is_not_waited_for",
        "test_an_answer_that_comes_byte_by_byte_has_an_end",
    ),
    "trials/test_trials.py": (
        "test_recorded_games_keep_their_verdicts",
        "test_the_text_has_no_faults_and_is_compiled_whole",
    ),
    "verify/privacy/test_private.py": ("test_it_is_decided_only_if_a_call_names_it",),
    "verify/test_shared_theorems.py": (
        "test_the_entry_depends_on_every_shape_of_a_score",
        "test_the_entry_depends_on_players_only_if_the_theorem_does",
        "test_the_entry_depends_on_the_labels_that_effects_give",
    ),
}


def marks(names: Iterable[str]) -> Iterator[tuple[str, ...]]:
    """Yield the marks of each of the tests with these names, as pytest writes them: `tests/FILE.py::test_it[case]`."""
    cases: Counter[str] = Counter()
    for name in names:
        test = name.partition("[")[0]
        yield tuple(_marks_of_case(test, cases[test]))
        cases[test] += 1


def _marks_of_case(test: str, number: int) -> Iterator[str]:
    """Yield the marks of one case of a test; its cases are numbered from 0."""
    file, _, function = test.removeprefix(FOLDER).partition("::")
    step = WHOLE.get(file, {}).get(function)
    if step is not None and (step == 0 or number % step):
        yield "whole"
    if function in LONG.get(file, ()):
        yield "long"
