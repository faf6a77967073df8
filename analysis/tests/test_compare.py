# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The command compare: two runs, two campaigns, their common random numbers, mistakes."""

import json
from pathlib import Path

from support import TraceTest  # comes first: it finds the package
from synthetic import Run, write_trace


class CompareTest(TraceTest):
    """What the command says of made-up runs."""

    def said(self, *arguments: str | Path) -> str:
        code, out, err = self.call("compare", *arguments)
        self.assertEqual((code, err), (0, ""))
        return out

    def run_like(self, **changes: object) -> Path:
        return self.write(Run(nodes=4, rounds=8, every=2, **changes))

    def test_a_run_is_equal_to_itself(self) -> None:
        out = self.said(self.run_like(), self.run_like())
        self.assertIn("settings that differ\n  none", out)
        self.assertIn("models and accuracy: none in 5 evaluated rounds", out)
        self.assertIn("changes nothing: every difference is exactly 0", out)
        self.assertNotIn("of their own", out)

    def test_what_differs_is_told(self) -> None:
        out = self.said(self.run_like(), self.run_like(drop=0.1, final=0.7))
        self.assertRegex(out, r"\n  drop +0.0 +0.1\n")
        self.assertIn("models and accuracy: round 0; simulated time: none", out)
        self.assertRegex(out, r"\naccuracy +72\S* % +68\S* % +-3\S* points\n")
        self.assertIn("costs 3", out)
        self.assertIn("(one seed: no interval)", out)
        self.assertIn("common: first models, data at the nodes, batches, noise, losses", out)

    def test_a_base_that_still_learns_is_told(self) -> None:
        runs = {"nodes": 4, "rounds": 80, "every": 2}
        base = self.write(Run(**runs, final=0.7))
        near, far = self.write(Run(**runs, final=0.701)), self.write(Run(**runs, final=0.5))
        said = " ".join(self.said(base, near).split())
        # 0.1 + 0.6 (1 - exp(-4 k / 80)) rises by 1.6 points from round 62 to round 80.
        self.assertRegex(said, r"The base has not converged: its accuracy rose by 1\.\d points")
        self.assertIn("more than the variant changes it", said)
        self.assertNotIn("converged", self.said(base, far))
        self.assertNotIn("converged", self.said(base, base))
        for path in (base, near):
            self.execute(path, "UPDATE accuracy_by_round SET accuracy_mean = "
                               "0.6 + 0.001 * (round % 4) WHERE round > 50")
        self.execute(near, "UPDATE accuracy_by_round SET accuracy_mean = accuracy_mean + 1e-6")
        self.assertNotIn("converged", self.said(base, near))

    def test_the_first_unequal_round(self) -> None:
        base, variant = self.run_like(), self.run_like()
        for path in (base, variant):
            self.execute(path, "CREATE TABLE origin AS SELECT 'file f.tcl' AS name, "
                               f"'{path.stem}' AS value")
        self.execute(variant, "UPDATE accuracy_by_round SET loss_mean = 9 WHERE round >= 4")
        self.execute(variant, "UPDATE accuracy_by_round SET simulated_seconds = 9 WHERE round > 6")
        out = self.said(base, variant)
        self.assertIn("models and accuracy: round 4; simulated time: round 8", out)
        self.assertIn(f"digest of file f.tcl  {base.stem}    {variant.stem}", out)

    def test_runs_without_common_random_numbers(self) -> None:
        out = self.said(self.run_like(seed=1), self.run_like(seed=2))
        self.assertIn("common: nothing", out)
        self.assertIn("(seed 1 and 2)", out)
        self.assertIn("Chance does not cancel", out)
        other = self.run_like(settings={"noiseSource": "system"})
        self.assertIn("of their own: noise (noiseSource system)", self.said(other, other))

    def test_incomplete_runs_are_used_and_told(self) -> None:
        base, variant = self.run_like(), self.run_like(complete=False)
        self.execute(variant, "DELETE FROM accuracy_by_round WHERE round > 4")
        self.execute(variant, "UPDATE summary SET value = 4 WHERE name = 'rounds'")
        out = self.said(base, variant)
        self.assertIn("is incomplete, 4 of 8 rounds", out)
        # As far as both have come, they are the same.
        self.assertIn("leaves accuracy unchanged", out)

    def test_json(self) -> None:
        (found,) = json.loads(self.said(self.run_like(), self.run_like(private=False), "--json"))
        by_key = {one["key"]: one for one in found["differences"]}
        self.assertEqual(by_key["epsilon_certified"]["variant"], "inf")
        self.assertEqual(by_key["epsilon_certified"]["difference"], "inf")
        self.assertIsNone(by_key["epsilon_certified"]["low"])
        self.assertEqual(by_key["accuracy_mean"]["difference"], 0.0)
        self.assertEqual(found["settings"], [{"name": "noise", "base": "on", "variant": "off"}])
        self.assertEqual(found["partings"], [{"learning": None, "clock": None, "rounds": 5}])

    def campaign(self, name: str, finals: dict[str, float], seeds: tuple[int, ...]) -> Path:
        """A folder with a variant for each name."""
        folder = self.folder / name
        folder.mkdir()
        runs = []
        for variant, final in finals.items():
            for seed in seeds:
                trace = f"{variant}-{seed}.db"
                run = Run(nodes=4, rounds=8, seed=seed, final=final + 0.001 * seed**2)
                write_trace(folder / trace, run)
                runs.append({"trace": trace, "run": seed, "factors": {"variant": variant}})
        text = json.dumps({"scenario": "what-if", "runs": runs})
        (folder / "campaign.json").write_text(text)
        return folder

    def test_campaigns_are_paired_by_variant_and_run(self) -> None:
        first = self.campaign("first", {"a": 0.7, "b": 0.8}, (1, 2, 3))
        second = self.campaign("second", {"a": 0.7, "b": 0.75}, (1, 2, 3, 4))
        out = self.said(first, second)
        self.assertIn("runs:    variant a", out)
        self.assertIn("runs:    variant b", out)
        self.assertIn("pairs:   3 (seed-run ", out)
        self.assertEqual(out.count("changes nothing"), 1)
        self.assertIn("costs 4.59 points of accuracy in each of 3 seeds", out)
        self.assertIn("2 runs have no partner", out)

    def test_single_variants_need_no_common_name(self) -> None:
        first = self.campaign("first", {"a": 0.7}, (1, 2))
        second = self.campaign("second", {"b": 0.75}, (1, 2))
        self.assertIn("gains 4.59 points", self.said(first, second))

    def test_mistakes_are_told_in_one_line(self) -> None:
        base = self.run_like()
        other = self.run_like(version=1)
        blobs = self.run_like(settings={"partition": "even"})
        self.execute(blobs, "UPDATE settings SET value = 'blobs' WHERE name = 'dataset'")
        digests = [self.run_like(settings={"datasetDigest": "a"}),
                   self.run_like(settings={"datasetDigest": "a", "dataset": "file:copy.npz"}),
                   self.run_like(settings={"datasetDigest": "b"}),
                   self.run_like(settings={"datasetDigest": "b", "samples": "9"})]
        self.assertIn("data at the nodes, batches", self.said(*digests[:2]))
        self.assertIn("(samples - and 9)", self.said(digests[0], digests[3]))
        first = self.campaign("first", {"a": 0.7, "b": 0.7}, (1,))
        second = self.campaign("second", {"c": 0.7, "d": 0.7}, (1,))
        empty = self.folder / "empty"
        empty.mkdir()
        cases = [
            ((base, other), "accepted are two runs of one schema"),
            ((base, blobs), "dataset fashion-mnist and blobs; accepted"),
            ((digests[0], digests[2]), "datasetDigest a and b; accepted"),
            ((base, first), "accepted are two traces, or the folders"),
            ((first, second), "common variants"),
            ((first, empty), "campaign.json"),
            ((base, self.folder / "none.db"), "no such file"),
            ((base,), "required: B"),
        ]
        for arguments, words in cases:
            with self.subTest(words):
                code, out, err = self.call("compare", *arguments)
                self.assertEqual((code, out, err.count("\n")), (2, "", 1), err)
                self.assertIn(words, err)
