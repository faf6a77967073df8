#!/usr/bin/env python3
# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The scenario audit: a false claim about the simulator is caught, a true one is left alone.

usage: audit.py PATH-OF-AUDIT
"""

import json
import subprocess
import sys
import unittest

PROGRAM = sys.argv.pop(1)


def audit(*options: str) -> dict[str, object]:
    """The answer to a command line, from its JSON."""
    command = [PROGRAM, "--json", *options]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


class AuditTest(unittest.TestCase):
    """./dpdl run audit."""

    def test_true_claim_is_left_alone(self) -> None:
        answer = audit("--runs=100", "--epsilon=20")
        self.assertEqual(answer["finding"], "consistent")
        self.assertGreater(answer["observed"], 0)
        self.assertLess(answer["observed"], 20)

    def test_too_little_noise_is_caught(self) -> None:
        answer = audit("--runs=50", "--epsilon=200", "--claim=1")
        self.assertEqual(answer["finding"], "claim-false")
        self.assertEqual(answer["claimed"], 1)

    def test_what_a_neighbour_learns_from_losses_is_less_than_certified(self) -> None:
        for attack in ("loss", "likelihood-ratio"):
            for seed in (1, 2):
                with self.subTest(attack=attack, seed=seed):
                    answer = audit(f"--attack={attack}", "--runs=20", "--shadows=20",
                                   "--epsilon=20", f"--seed={seed}")
                    self.assertEqual(answer["finding"], "consistent")
                    self.assertLess(answer["observed"], answer["certified"])

    def test_losses_tell_members_where_nothing_hides_them(self) -> None:
        for attack in ("loss", "likelihood-ratio"):
            answer = audit(f"--attack={attack}", "--runs=30", "--shadows=15", "--epsilon=500",
                           "--claim=0.5")
            self.assertEqual(answer["finding"], "claim-false", attack)

    def test_mistake_gets_one_line(self) -> None:
        run = subprocess.run([PROGRAM, "--runs=3"], capture_output=True, text=True)
        self.assertEqual(run.returncode, 2)
        self.assertEqual(run.stderr.count("\n"), 1)
        self.assertIn("option 'runs'", run.stderr)


if __name__ == "__main__":
    unittest.main()
