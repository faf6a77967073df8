# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The terminal: table, inspection, labels and numbers as text."""

import math
import unittest

from support import TraceTest  # comes first: it finds the package
from synthetic import Run

from dpdl_analysis import formatting
from dpdl_analysis.checks import run_checks
from dpdl_analysis.inspection import inspection
from dpdl_analysis.labels import labels, names, tags
from dpdl_analysis.outcome import outcome
from dpdl_analysis.table import COLUMNS, table

WIDTHS = (60, 80, 120, 10_000)


class FormattingTest(unittest.TestCase):
    """Numbers as text."""

    def test_missing_is_a_dash_and_infinity_is_inf(self) -> None:
        shows = (
            formatting.exact,
            formatting.percent,
            formatting.epsilon,
            formatting.contraction,
            formatting.gap,
            formatting.count,
            formatting.duration,
        )
        for show in shows:
            with self.subTest(show.__name__):
                self.assertEqual(show(None), "-")
                self.assertEqual(show(math.inf), "inf")

    def test_small_numbers_are_not_shown_as_zero(self) -> None:
        self.assertEqual(formatting.percent(0.00002), "<0.1 %")
        self.assertEqual(formatting.percent(0.0), "0.0 %")
        self.assertEqual(formatting.gap(1.0 - 9.1e-7), "9.1e-07")
        self.assertEqual(formatting.gap(1.0), "<1e-16")
        self.assertEqual(formatting.epsilon(0.0123), "0.0123")

    def test_durations_carry_over(self) -> None:
        self.assertEqual(formatting.duration(0.25), "250 ms")
        self.assertEqual(formatting.duration(59.96), "1 min 00 s")
        self.assertEqual(formatting.duration(3599.9), "1 h 00 min")


class LabelTest(TraceTest):
    """What runs are called."""

    def test_a_single_run_is_called_by_its_algorithm(self) -> None:
        self.assertEqual(labels([self.trace()]), ["dyn-d2p"])

    def test_labels_say_what_differs_and_only_that(self) -> None:
        plain = self.trace(Run(step_scale="plain", drop=0.02))
        scaled = self.trace(Run(drop=0.1))
        expected = ["dyn-d2p, plain step, drop 0.02", "dyn-d2p, by-weight step, drop 0.1"]
        self.assertEqual(labels([plain, scaled]), expected)

    def test_labels_of_equal_runs_differ(self) -> None:
        made = labels([self.trace(), self.trace(), self.trace()])
        self.assertEqual(len(set(made)), 3)

    def test_names_have_no_more_settings_than_tell_runs_apart(self) -> None:
        runs = [Run(drop=0.1), Run(drop=0.2, step_scale="plain"), Run(drop=0.3, seed=2)]
        alike = names([self.trace(run) for run in runs])
        self.assertEqual(alike, ["drop 0.1", "drop 0.2", "drop 0.3"])
        mixed = [self.trace(Run(algorithm="sgp")), *(self.trace(run) for run in runs[:2])]
        self.assertEqual(names(mixed), ["sgp", "dyn-d2p by-weight step", "dyn-d2p plain step"])

    def test_names_are_those_of_files_where_settings_tell_nothing(self) -> None:
        traces = [self.trace(), self.trace()]
        self.assertEqual(names(traces), [trace.name for trace in traces])
        self.assertEqual(names([traces[0], traces[0]]), ["A", "B"])

    def test_tags_are_distinct(self) -> None:
        self.assertEqual(len(set(tags(200))), 200)
        self.assertEqual(tags(28)[25:], ["Z", "AA", "AB"])


class TableTest(TraceTest):
    """The comparison table."""

    def test_every_number_stands_in_the_table_at_any_width(self) -> None:
        traces = [self.trace(), self.trace(Run(drop=0.1)), self.trace(Run(private=False, seed=3))]
        for width in WIDTHS:
            text = table(traces, width)
            for trace in traces:
                for metric in COLUMNS:
                    with self.subTest(width=width, metric=metric.key):
                        self.assertIn(metric.show(trace), text)

    def test_lines_keep_to_the_width(self) -> None:
        traces = [self.trace(Run(drop=drop / 100)) for drop in range(7)]
        for width in WIDTHS:
            longest = max(len(line) for line in table(traces, width).splitlines())
            self.assertLessEqual(longest, width)

    def test_rows_are_aligned(self) -> None:
        text = table([self.trace(), self.trace(Run(drop=0.3))], 10_000).splitlines()
        self.assertEqual(len({len(row) for row in text[1 : text.index("")]}), 1)

    def test_profile_adds_up_to_the_wall_time(self) -> None:
        lines = table([self.trace()], 10_000).splitlines()
        line = lines[lines.index("where the wall time went") + 1]
        shares = [int(part.split()[-2].lstrip("<")) for part in line.split(" of ")[0].split(",")]
        self.assertAlmostEqual(sum(shares), 100, delta=4)

    def test_missing_numbers_are_dashes_and_incomplete_runs_are_marked(self) -> None:
        path = self.write(Run(complete=False))
        self.execute(path, "DELETE FROM summary WHERE name NOT IN ('state', 'nodes')")
        text = table([self.open(path)], 10_000)
        self.assertIn("dyn-d2p *", text)
        self.assertIn("*  incomplete", text)
        self.assertIn("not recorded", text)
        row = next(line for line in text.splitlines() if line.startswith("dyn-d2p *"))
        self.assertEqual(set(row.split("*")[1].split()), {"-"})


class InspectionTest(TraceTest):
    """A run's summary."""

    def test_every_name_and_number_is_told(self) -> None:
        trace = self.trace(Run(private=False))
        text = inspection(trace, 100)
        for row in trace.summary.values():
            self.assertIn(row.name, text)
            self.assertIn(formatting.summary_value(row.name, row.value), text)

    def test_numbers_stored_as_text_are_numbers(self) -> None:
        path = self.write()
        self.execute(path, "UPDATE summary SET value = 'Inf' WHERE name = 'epsilon_certified'")
        self.execute(path, "UPDATE summary SET value = '0.5' WHERE name = 'accuracy_mean'")
        trace = self.open(path)
        self.assertEqual(trace.number("epsilon_certified"), math.inf)
        self.assertEqual(trace.number("accuracy_mean"), 0.5)

    def test_incomplete_is_said(self) -> None:
        self.assertIn("INCOMPLETE", inspection(self.trace(Run(complete=False)), 80))


class OutcomeTest(TraceTest):
    """Whether a run learnt."""

    def test_outcomes_follow_the_numbers(self) -> None:
        cases = {
            "learnt": Run(),
            "diverged": Run(diverges=True),
            "at chance": Run(final=0.11),
            "started": Run(final=0.17),
        }
        for kind, run in cases.items():
            with self.subTest(kind):
                self.assertEqual(outcome(self.trace(run)).kind, kind)

    def test_a_fall_is_told(self) -> None:
        path = self.write()
        self.execute(path, "UPDATE accuracy_by_round SET accuracy_mean = 0.5 WHERE round = 40")
        self.assertEqual(outcome(self.open(path)).kind, "fell back")

    def test_a_lost_loss_is_divergence(self) -> None:
        path = self.write()
        self.execute(path, "UPDATE accuracy_by_round SET loss_mean = NULL WHERE round = 40")
        self.assertEqual(outcome(self.open(path)).kind, "diverged")

    def test_without_evaluations_nothing_is_claimed(self) -> None:
        path = self.write()
        self.execute(path, "DELETE FROM accuracy_by_round")
        self.assertEqual(outcome(self.open(path)).kind, "unknown")


class CheckTest(TraceTest):
    """The checks: silent on sound traces, loud on seeded corruption."""

    CORRUPTIONS = {
        "all views are there": "DROP TABLE violation",
        "run is complete": "UPDATE summary SET value = 'incomplete' WHERE name = 'state'",
        "mass error": "UPDATE summary SET value = 1e-9 WHERE name = 'mass_error'",
        "sums to n": "UPDATE mass_by_round SET w_lost = w_lost + 1e-6 WHERE round = 7",
        "w of the nodes": "UPDATE round_by_node SET w = -0.1 WHERE round = 3 AND node = 2",
        "summary match the links": "UPDATE summary SET value = 1 WHERE name = 'messages_sent'",
        "match the deliveries": "UPDATE delivery SET fate = 'lost', arrived_at = NULL "
        "WHERE rowid = (SELECT MIN(rowid) FROM delivery WHERE fate = 'delivered')",
        "fates are valid": "UPDATE delivery SET fate = 'eaten' WHERE rowid = 5",
        "delivered messages arrived": "UPDATE delivery SET arrived_at = sent_at - 1 "
        "WHERE rowid = (SELECT MIN(rowid) FROM delivery WHERE fate = 'delivered')",
        "before its round": "UPDATE delivery SET used_in_round = 2 WHERE round = 9",
        "every node has a guarantee": "DELETE FROM guarantee_by_node WHERE node = 4",
        "or a reason for inf": "UPDATE guarantee_by_node SET certified = 9e999 WHERE node = 1",
        "observed epsilon": "UPDATE guarantee_by_node SET observed = 7 WHERE node = 0",
        "accuracies": "UPDATE accuracy_by_round SET accuracy_mean = 72.0 WHERE round = 5",
        "of all nodes are finite": "INSERT INTO summary VALUES ('diverged_in_round', 3, 'round', '')",
        "q is between": "UPDATE q_by_window SET q_realised = 1.2 WHERE first_round = 5",
    }

    def test_sound_traces_pass(self) -> None:
        runs = (Run(), Run(drop=0.3), Run(private=False), Run(nodes=3, drop=0.5, deliveries=False))
        for run in runs:
            failed = [str(result) for result in run_checks(self.trace(run)) if result.ok is False]
            self.assertEqual(failed, [])

    def test_every_seeded_corruption_is_found(self) -> None:
        for name, statement in self.CORRUPTIONS.items():
            with self.subTest(name):
                path = self.write(Run(drop=0.1))
                self.execute(path, statement)
                results = run_checks(self.open(path))
                failed = [result for result in results if result.ok is False]
                self.assertTrue(any(name in result.name for result in failed), failed)
                self.assertTrue(all(result.what for result in failed))

    def test_a_damaged_file_fails_instead_of_breaking(self) -> None:
        path = self.write(Run(rounds=60, drop=0.1))
        content = bytearray(path.read_bytes())
        middle = len(content) // 2 // 4096 * 4096
        content[middle : middle + 4 * 4096] = b"\xff" * (4 * 4096)
        path.write_bytes(content)
        results = {result.name: result.ok for result in run_checks(self.open(path))}
        self.assertIs(results["SQLite integrity"], False)

    def test_a_summary_level_trace_skips_the_deliveries(self) -> None:
        results = {
            result.name: result.ok for result in run_checks(self.trace(Run(deliveries=False)))
        }
        self.assertIsNone(results["fates are valid"])
        self.assertIs(results["message counts of the summary match the links"], True)
