# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The papers' orders, the records of their runs, and the pages that are made from them."""

import json
import math
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace

from support import TraceTest  # comes first: it finds the package
from synthetic import Run

import pandas as pd

from dpdl_analysis.place import ROOT
from dpdl_analysis.studies import campaign, forensics, orders, published, record, results
from dpdl_analysis.studies.statistics import estimate
from dpdl_analysis.sweep.effort import effort
from dpdl_analysis.sweep.file import SweepFile
from dpdl_analysis.trace import UsageError

STUDY = """title = "T: accuracy"
source = "S"
differs = "R"
[settings]
rounds = 40
repetitions = 3
[full]
rounds = 400
[vary]
epsilon = ["1", "3"]
algorithm = ["a", "b"]
[expect]
algorithm = ["b", "a"]
[published]
"algorithm=b, epsilon=3" = 81.5
"""
SEARCH = """title = "T: a search"
source = "S"
differs = "R"
[vary]
setting = ["near", "far"]
algorithm = ["a", "b"]
[search.setting]
near = "few examples"
far = "many"
[published]
"algorithm=a" = 50
"algorithm=b" = 60
"""


def p_value(differences: list[float]) -> float:
    """Student's, two-sided, of three values: with two degrees of freedom it has a closed form."""
    value = estimate(differences)
    deviation = math.sqrt(sum((one - value.mean) ** 2 for one in differences) / 2)
    t = abs(value.mean) / (deviation / math.sqrt(3))
    return 1 - t / math.sqrt(2 + t**2)


class OrdersTest(TraceTest):
    """Which orders hold, of all pairs together."""

    def plan(self, text: str = STUDY) -> published.Printed:
        path = self.folder / "study.toml"
        path.write_text(text)
        return published.read(path)

    def test_seeds_that_decide_are_those_of_published_tables(self) -> None:
        # Mean over deviation, level and number of pairs for a power of 80 %: of the exact t test.
        for effect, level, seeds in ((1, 0.05, 10), (0.5, 0.05, 34), (0.2, 0.05, 199),
                                     (0.5, 0.01, 51)):
            values = [effect + shift for shift in (-1.0, 0.0, 1.0)]
            self.assertEqual(orders.seeds_to_decide(estimate(values), level), seeds)
        self.assertEqual(orders.seeds_to_decide(estimate([1.0, -1.0]), 0.05), math.inf)
        self.assertTrue(math.isnan(orders.seeds_to_decide(estimate([1.0]), 0.05)))

    def test_pairs_of_a_study_are_tested_together(self) -> None:
        text = STUDY.replace('["b", "a"]', '["a", "b", "c"]').replace('epsilon = ["1", "3"]\n', "")
        values = {"a": (20.0, 20.1, 19.9), "b": (19.0, 18.1, 16.9), "c": (10.0, 10.0, 10.0)}
        runs = pd.DataFrame([{"algorithm": name, "run": run, "value": value}
                             for name, three in values.items() for run, value in enumerate(three)])
        pairs = orders.pairs_of(self.plan(text), runs)
        alone = [p_value([x - y for x, y in zip(values[pair.better], values[pair.worse])])
                 for pair in pairs]
        self.assertEqual([(pair.better, pair.worse) for pair in pairs],
                         [("a", "b"), ("a", "c"), ("b", "c")])
        for pair, expected in zip(pairs, (alone[0], 3 * alone[1], 2 * alone[2])):
            self.assertAlmostEqual(pair.p_value, expected, delta=1e-5)
        self.assertEqual([pair.verdict for pair in pairs],
                         [orders.UNDECIDED, orders.AS_PUBLISHED, orders.AS_PUBLISHED])
        self.assertEqual(orders.verdict(pairs), "order reproduced")
        self.assertRegex(orders.counted(pairs), r"1 undecided \(\d+ seeds would decide them\)$")

    def test_one_seed_decides_nothing(self) -> None:
        runs = pd.DataFrame({"algorithm": ["b", "a"], "epsilon": "1", "run": 1, "value": [9., 1.]})
        pairs = orders.pairs_of(self.plan(), runs)
        self.assertEqual([pair.verdict for pair in pairs], [orders.UNDECIDED])
        self.assertTrue(orders.counted(pairs).endswith("1 undecided"))


class RecordTest(TraceTest):
    """What is kept of a study's runs."""

    def setUp(self) -> None:
        super().setUp()
        self.study = self.folder / "paper" / "table.toml"
        self.study.parent.mkdir()
        self.study.write_text(STUDY)

    def runs(self, rounds: str = "40", **settings: str) -> campaign.Campaign:
        """A made-up campaign of the study: b is ten points above a."""
        finals = {"a": 0.6, "b": 0.7}
        folder = self.campaign("runs", [({"epsilon": budget, "algorithm": name}, Run(final=final))
                                        for budget in ("1", "3")
                                        for name, final in finals.items()], 3)
        listed = json.loads((folder / "campaign.json").read_text())
        listed["settings"] = {"workers": "1", "rounds": rounds, **settings}
        (folder / "campaign.json").write_text(json.dumps(listed))
        with closing(sqlite3.connect(folder / "catalogue.db")) as catalogue, catalogue:
            catalogue.execute("CREATE TABLE run (trace, state, processor_seconds)")
            catalogue.executemany("INSERT INTO run VALUES (?, 'done', 1800)",
                                  [[run["trace"]] for run in listed["runs"]])
            catalogue.execute("CREATE TABLE sweep (name, value)")
            catalogue.execute("INSERT INTO sweep VALUES ('dpdl', '1.2')")
        return campaign.read(folder)

    def kept(self, text: str) -> Path:
        path = self.folder / "table.csv"
        path.write_text(text)
        return path

    def test_a_record_holds_what_verdicts_need(self) -> None:
        found = self.runs()
        text = record.written(found, self.study)
        kept = record.load(self.kept(text), self.study)
        self.assertEqual((kept.size, kept.dpdl, kept.hours), ("reduced", "1.2", 6.0))
        self.assertLess(len(text), 120 * (1 + len(found.runs)))
        for name in ("accuracy_last_quarter", "epsilon_certified"):
            for ours, theirs in zip(kept.campaign.runs[name], found.runs[name]):
                self.assertAlmostEqual(ours, theirs, delta=1e-5)
        self.assertEqual(list(kept.campaign.runs["epsilon"]), ["1"] * 6 + ["3"] * 6)

    def test_a_record_says_what_other_sizes_take(self) -> None:
        tests = {"evaluateEvery": "0", "testSamples": "1000"}
        self.study.write_text(STUDY.replace("[settings]", "[settings]\nevaluateEvery = 0\n"
                                            "testSamples = 1000"))
        path = record.record_of(self.study)
        path.parent.mkdir()
        path.write_text(record.written(self.runs(**tests), self.study))
        file = SweepFile(self.study, full=True)
        usual = {"nodes": "20", "batchSize": "64", "evaluateSamples": "2000", **tests}
        runs = [SimpleNamespace(options={"rounds": "400"},
                                factors={"epsilon": "1", "algorithm": "a"})]
        # Ten times the rounds, and one test each: 20 (64 * 400 + 1000 / 3) over a tenth of that.
        hours = 0.5 * (64 * 400 + 1000 / 3) / (64 * 40 + 1000 / 3)
        plan = SimpleNamespace(file=file, runs=runs, program=SimpleNamespace(name="learn", defaults=usual))
        self.assertIn(f"about {hours:.2g} CPU hours by its runs of", effort(plan, False))

    def test_runs_of_other_options_are_not_recorded(self) -> None:
        with self.assertRaisesRegex(UsageError, "neither the options of .*table.toml nor those"):
            record.written(self.runs(rounds="39"), self.study)

    def test_a_record_ends_with_the_options_of_its_study(self) -> None:
        kept = self.kept(record.written(self.runs(), self.study))
        self.study.write_text(STUDY.replace("rounds = 400", "rounds = 500"))
        record.load(kept, self.study)
        self.study.write_text(STUDY.replace("rounds = 40\n", "rounds = 41\n"))
        with self.assertRaisesRegex(UsageError, "its runs have other options than .*table.toml"):
            record.load(kept, self.study)

    def test_the_full_size_is_told_apart(self) -> None:
        self.assertIn("# size: full\n", record.written(self.runs(rounds="400"), self.study))

    def test_the_full_size_with_files_of_the_user_is_the_full_size(self) -> None:
        self.study.write_text(STUDY.replace("[full]", '[full]\ndataset = "mnist"'))
        found = self.runs(rounds="400", dataset="mnist", dataDir="/a/folder")
        self.assertIn("# size: full\n", record.written(found, self.study))

    def test_what_to_type_for_the_data_of_the_paper(self) -> None:
        self.study.write_text(STUDY.replace("[full]", '[full]\ndataset = "mnist"'))
        printed = published.read(self.study)
        self.assertIn("With `--full --dataDir=FOLDER` the runs take the paper's data",
                      printed.unlike())
        self.assertNotIn("dataDir", printed.unlike(full=True))
        self.study.write_text('data = "mnist"\n' + STUDY)
        for full in (False, True):
            self.assertIn("With `--dataset=mnist --dataDir=FOLDER`",
                          published.read(self.study).unlike(full))

    def test_an_interrupted_campaign_is_not_recorded(self) -> None:
        folder = self.runs().folder
        (folder / "0-1.db").unlink()
        with self.assertRaises(UsageError) as mistake:
            record.written(campaign.read(folder), self.study)
        self.assertIn("The same ./dpdl run goes on", str(mistake.exception))
        self.assertTrue(str(mistake.exception).isprintable())

    def test_a_catalogue_without_processor_times_is_not_recorded(self) -> None:
        found = self.runs()
        with closing(sqlite3.connect(found.folder / "catalogue.db")) as catalogue, catalogue:
            catalogue.execute("ALTER TABLE run DROP COLUMN processor_seconds")
        with self.assertRaisesRegex(UsageError, "is no catalogue of this version of dpdl"):
            record.written(found, self.study)

    def test_a_record_of_another_version_or_kind_is_told_in_one_line(self) -> None:
        good = record.written(self.runs(), self.study)
        for text, words in ((good.replace("format: 1", "format: 7"), "format 7, this version"),
                            ("a,b\n1,2\n", "format unknown"),
                            (good.replace("accuracy_last_quarter", "accuracy"), "no record of a study"),
                            (good.replace("size: reduced", "size: half"), "no record of a study")):
            with self.assertRaises(UsageError) as mistake:
                record.load(self.kept(text), self.study)
            self.assertIn(words, str(mistake.exception))
            self.assertTrue(str(mistake.exception).isprintable())
        with self.assertRaisesRegex(UsageError, "No such file"):
            record.load(self.folder / "none.csv", self.study)


class ForensicsTest(TraceTest):
    """A search of settings whose answer is known."""

    def search(self, near: tuple[float, float],
               text: str = SEARCH) -> tuple[published.Printed, list[forensics.Fit]]:
        path = self.folder / "study.toml"
        path.write_text(text)
        plan = published.read(path)
        finals = {("near", "a"): near[0], ("near", "b"): near[1], ("far", "a"): 0.7,
                  ("far", "b"): 0.6}
        runs = pd.DataFrame([
            {"setting": setting, "algorithm": name, "run": run, "accuracy_last_quarter": final,
             "mean_model_last_quarter": final + 0.1, "epsilon_claimed": 1.0,
             "epsilon_certified": 4.0 + run}
            for (setting, name), final in finals.items() for run in (1, 2)]
            # As an interrupted campaign leaves it.
            + [{"setting": "begun", "algorithm": "a", "run": 1, "accuracy_last_quarter": 0.5,
                "mean_model_last_quarter": 0.5, "epsilon_claimed": 1.0, "epsilon_certified": 1.0}])
        return plan, forensics.fits(plan, runs)

    def test_a_setting_that_gives_all_numbers_is_named(self) -> None:
        _, found = self.search((0.51, 0.585))
        self.assertTrue(found[0].fits)
        self.assertIn("setting near gives all 2 numbers within 2 points (accuracy of the nodes), at "
                      "a certified epsilon of 5 to 6", forensics.answer(found))

    def test_else_the_nearest_and_what_it_misses(self) -> None:
        plan, found = self.search((0.51, 0.55))
        self.assertEqual([(fit.setting, fit.reading) for fit in found[:2]],
                         [("near", "nodes"), ("near", "mean")])
        self.assertEqual([fit.reversed for fit in found], [0, 0, 1, 1])
        said = forensics.answer(found)
        self.assertIn("none of the 2 settings tried", said)
        self.assertIn("1 of 2 within 2 points, 3.0 off on average, most at b (55.0, printed 60)", said)
        rows = forensics.fits_table(plan, found).rows
        self.assertEqual([row[0] for row in rows], ["near", "far"])


    def test_a_printed_difference_is_compared_with_ours(self) -> None:
        text = SEARCH.partition("[published]")[0] + '[published]\n"algorithm=b - algorithm=a" = 9\n'
        _, found = self.search((0.51, 0.6), text)
        self.assertEqual((found[0].setting, found[0].cells, found[0].fits), ("near", ["b - a"], True))
        self.assertAlmostEqual(found[0].ours[0], 9.0)


class PagesTest(TraceTest):
    """The committed pages are what tools/results.py makes of the committed records."""

    def test_the_pages_are_up_to_date(self) -> None:
        for name, page in (("results", results.results_page), ("forensics", results.forensics_page)):
            written = (ROOT / "doc" / f"{name}.md").read_text(encoding="utf-8")
            self.assertEqual(page(ROOT), written, f"tools/results.py writes doc/{name}.md")
        for path in results.figures(ROOT):
            self.assertTrue(path.exists(), f"tools/results.py draws {path}")

    def test_a_folder_without_runs_is_refused_in_one_line(self) -> None:
        done = subprocess.run([sys.executable, "-B", ROOT / "tools" / "results.py",
                               f"--record={self.folder}"], capture_output=True, text=True,
                              check=False)
        self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (2, "", 1))
        self.assertIn("campaign.json", done.stderr)


if __name__ == "__main__":
    import unittest

    unittest.main()
