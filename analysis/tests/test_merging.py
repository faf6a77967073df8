# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""What `merge` refuses; that it merges well is shown by test/system/ranks.py on real ranks."""

import unittest
from pathlib import Path

from dpdl_analysis.merging import merge
from dpdl_analysis.trace import UsageError
from support import TraceTest
from synthetic import Run


class MergingTest(TraceTest):
    """Traces of ranks that are not those of one run, each once."""

    def rank(self, rank: int, ranks: int = 2, seed: int = 1, digest: str = "0") -> Path:
        """A trace that says which rank it is of."""
        settings = {"rank": str(rank), "ranks": str(ranks), "seed": str(seed)}
        settings["datasetDigest"] = digest
        path = self.write(Run(nodes=4, rounds=2, settings=settings))
        return path.rename(self.folder / f"run.rank{rank}.db")

    def refused(self, *parts: Path) -> str:
        """The mistake that merging them is; nothing must be left of it."""
        with self.assertRaises(UsageError) as caught:
            merge(self.folder / "run.db", parts)
        self.assertEqual(list(self.folder.glob("run.db*")), [])
        self.assertNotIn("\n", str(caught.exception))
        return str(caught.exception)

    def test_no_parts(self) -> None:
        self.assertIn("run.rankR.db", self.refused())

    def test_parts_of_a_name_with_brackets(self) -> None:
        self.rank(0).rename(self.folder / "a[1].rank0.db")
        for name, words in (("a[1].db", "rank 1 of 2 is missing"), ("none/a.db", "none cannot be written")):
            with self.assertRaisesRegex(UsageError, words):
                merge(self.folder / name, [])

    def test_a_part_that_is_not_there(self) -> None:
        self.assertIn("no such file", self.refused(self.folder / "nowhere.db"))

    def test_a_whole_run(self) -> None:
        self.assertIn("whole run", self.refused(self.write()))

    def test_a_rank_that_is_missing_or_given_twice(self) -> None:
        first = self.rank(0)
        self.assertIn("rank 1 of 2 is missing", self.refused(first))
        self.assertIn("given twice", self.refused(first, self.rank(1), first))

    def test_ranks_of_two_runs(self) -> None:
        self.assertIn("setting 'seed'", self.refused(self.rank(0), self.rank(1, seed=2)))

    def test_ranks_that_learnt_on_two_copies_of_a_dataset(self) -> None:
        self.assertIn("setting 'datasetDigest' is 'b' and 'a'",
                      self.refused(self.rank(0, digest="a"), self.rank(1, digest="b")))

    def test_ranks_of_two_schema_versions(self) -> None:
        first, second = self.rank(0), self.rank(1)
        self.execute(second, "PRAGMA user_version = 1")
        self.assertIn("setting 'trace schema' is '1' and", self.refused(first, second))

    def test_a_file_that_exists(self) -> None:
        whole = self.write()
        with self.assertRaises(UsageError) as caught:
            merge(whole, [self.rank(0), self.rank(1)])
        self.assertIn("--overwrite", str(caught.exception))


if __name__ == "__main__":
    unittest.main()
