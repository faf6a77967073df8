# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The sentence on claimed, certified and observed epsilon."""

import math
import sqlite3
from contextlib import closing

from support import TraceTest  # comes first: it finds the package

from dpdl_analysis.judgement import Certificate, certificate, judgement, together


class JudgementTest(TraceTest):
    """Each order of the three numbers has its sentence."""

    def sentence(
        self, claimed: float | None, certified: float | None, observed: float | None
    ) -> str:
        """The sentence for a trace with these three numbers."""
        path = self.write()
        values = {"claimed": claimed, "certified": certified, "observed": observed}
        with closing(sqlite3.connect(path)) as connection, connection:
            for kind, value in values.items():
                connection.execute(
                    "UPDATE summary SET value = ? WHERE name = ?", (value, f"epsilon_{kind}")
                )
        return judgement(self.open(path))

    def test_nodes_are_held_to_their_own_bounds(self) -> None:
        """The largest observed of all nodes may be below the largest certified of all."""
        path = self.write()
        for column, value in (("certified", 0.3), ("claimed", 0.2), ("observed", 0.25)):
            self.execute(path, f"UPDATE guarantee_by_node SET {column} = {value} WHERE node = 4")
        self.assertIn("claim is false", judgement(self.open(path)))
        self.assertIn("0.250 at node 4", judgement(self.open(path)))
        self.execute(path, "UPDATE guarantee_by_node SET observed = 0.35 WHERE node = 4")
        self.assertIn("0.350 at node 4, above the bound", judgement(self.open(path)))

    def test_searched_settings_are_named(self) -> None:
        """A search on the same data is counted in no epsilon."""
        path = self.write()
        self.assertNotIn("HPARAM_SEARCH", judgement(self.open(path)))
        self.execute(path, "UPDATE release SET flags = 'HPARAM_SEARCH'")
        self.assertIn("sought on the same dataset", judgement(self.open(path)))

    def test_runs_together(self) -> None:
        """Epsilons add up where draws differ; runs of one seed share theirs."""
        first, second = (Certificate(1.0, 1e-5, ("1", run)) for run in ("1", "2"))
        self.assertEqual(together([first, None]), "")
        self.assertIn("epsilon at most 2.00 at delta 2e-05", together([first, second]))
        self.assertIn("share noise and batches", together([first, second, first]))
        settings = {"seed": "1", "run": "1"}
        numbers = {"epsilon_certified": 1.0, "delta": 1e-5}
        own = {**settings, "independentNoise": "true"}
        self.assertEqual(certificate(numbers.get, settings.get, "a.db"), first)
        alone = [certificate(numbers.get, own.get, trace) for trace in ("a.db", "b.db")]
        self.assertIn("epsilon at most 2.00", together(alone))
        self.assertIsNone(certificate({"epsilon_certified": math.inf}.get, own.get, "a.db"))

    def test_orders(self) -> None:
        """The most important finding comes first."""
        inf = math.inf
        for numbers, start in (
            ((0.8, None, None), "No guarantee was recorded"),
            ((0.8, 1.0, 1.1), "The audit found 1.10, above the bound"),
            ((0.8, 1.0, 0.9), "The claim is false: the audit found a loss of at least 0.900"),
            ((0.8, inf, 0.9), "The claim is false: the audit found a loss of at least 0.900."),
            ((0.8, 1.0, 0.5), "The claim is unproven; what is proven is 1.00; an audit found"),
            ((0.8, 1.0, None), "The claim is unproven; what is proven is 1.00; no audit was run"),
            ((0.8, inf, None), "The claim is unproven, and nothing else is proven"),
            ((1.0, 1.0, None), "The claim is proven"),
            ((inf, 1.0, 0.2), "Nothing is claimed"),
            ((None, inf, None), "Nothing is claimed"),
        ):
            with self.subTest(numbers=numbers):
                self.assertTrue(self.sentence(*numbers).startswith(start), self.sentence(*numbers))
