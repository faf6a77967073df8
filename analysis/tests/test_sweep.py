# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The file of a sweep: what it means, where its mistakes are, and that none ends in a traceback."""

import contextlib
import io
import random
import tempfile
import tomllib
import unittest
from pathlib import Path
from unittest import mock

import support  # noqa: F401  (puts the package on the path)
from dpdl_analysis.sweep.config import arguments as config_arguments
from dpdl_analysis.sweep.file import SweepFile, merged
from dpdl_analysis.sweep.lines import positions
from dpdl_analysis.sweep.plan import content_digest
from dpdl_analysis.sweep.program import arguments
from dpdl_analysis.sweep.progress import Progress
from dpdl_analysis.trace import UsageError

ROOT = Path(__file__).resolve().parents[2]
SAMPLE = """\
title = "All that a file can hold"
scenario = "learn"
outputDir = "somewhere"

[settings]
rounds = 20
epsilon = 1.5
repetitions = 2
seeds = [1, 7]

[full]
rounds = 200

[vary]
topology = [
    "ring",
    "star",
]
policy = ["off", "on"]

[[zip]]
clip = [1, 2.0]
stepSize = [0.5, 0.25]

[[also]]
topology = "complete"
drop = 1e-3

[where."policy=on"]
lossPolicy = "refund"

[where."policy=on, topology=star"]
rounds = 40
"""


class SweepFileTest(unittest.TestCase):
    """Each test writes a file and reads it."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = Path(folder.name) / "sample.toml"

    def read(self, text: str, full: bool = False) -> SweepFile:
        self.path.write_text(text, encoding="utf-8")
        return SweepFile(self.path, full)

    def test_all_combinations_run_with_their_options(self) -> None:
        file = self.read(SAMPLE)
        variants = file.variants()
        self.assertEqual(file.factors, ["topology", "policy", "clip", "stepSize", "drop"])
        self.assertEqual(len(variants), 2 * 2 * 2 + 1)
        self.assertEqual(
            variants[0].factors,
            {"topology": "ring", "policy": "off", "clip": "1", "stepSize": "0.5"},
        )
        self.assertEqual([v.factors.get("clip") for v in variants], ["1", "2"] * 4 + [None])
        steps = {(v.factors.get("clip"), v.factors.get("stepSize")) for v in variants}
        self.assertEqual(steps, {("1", "0.5"), ("2", "0.25"), (None, None)})
        self.assertEqual(variants[-1].factors, {"topology": "complete", "drop": "0.001"})
        by_changes = [v.changes for v in variants]
        self.assertEqual(by_changes[0], {})
        self.assertEqual(by_changes[2], {"lossPolicy": "refund"})
        self.assertEqual(by_changes[6], {"lossPolicy": "refund", "rounds": "40"})
        self.assertEqual((file.repetitions, file.seeds), (2, [1, 7]))
        self.assertEqual((file.scenario, file.output), ("learn", "somewhere"))
        self.assertEqual(file.settings, {"rounds": "20", "epsilon": "1.5"})
        self.assertEqual(self.read(SAMPLE, full=True).settings["rounds"], "200")

    def test_a_study_has_a_base_lists_and_variants_that_are_left_out(self) -> None:
        text = "[base]\nside = ''\n[vary.side]\noption = 'sides'\nmeaning = 'x'\n" \
            "values = ['a', 'b']\nfull = ['a', 'b', 'c']\n[vary]\nclip = [1, 2]\n" \
            "[[also]]\nside = 'none'\nclip = '*'\n[once]\n'side=b' = 'clip'\n" \
            "[where.'side=a']\nfail = ['one', 'two']\n"
        file = self.read(text)
        shown = [tuple(variant.factors.values()) for variant in file.variants()]
        self.assertEqual(shown, [("",), ("a", "1"), ("a", "2"), ("b", "1"), ("none", "1"),
                                 ("none", "2")])
        self.assertEqual(file.variants()[1].changes, {"fail": "one\ntwo"})
        self.assertEqual(len(self.read(text, full=True).variants()), 8)
        given = SweepFile(self.path, lists={"sides": "b"}).variants()
        self.assertEqual([variant.factors.get("side") for variant in given],
                         ["", "b", "none", "none"])

    def test_failures_add_up_and_other_options_are_replaced(self) -> None:
        found = merged({"fail": "one", "clip": "1"}, {"fail": "two", "clip": "2"})
        self.assertEqual(found, {"fail": "one\ntwo", "clip": "2"})
        self.assertEqual(arguments(found), ["--fail=one", "--fail=two", "--clip=2"])

    def test_what_a_file_need_not_say(self) -> None:
        file = self.read("[vary]\ndrop = [0]\n")
        self.assertEqual((file.title, file.scenario, file.output), ("sample", "learn",
                                                                    "sample-results"))
        self.assertEqual((file.repetitions, file.seeds, len(file.variants())), (1, [], 1))

    def test_the_files_of_studies_are_sweeps_too(self) -> None:
        for path in sorted((ROOT / "scenarios").glob("*/**/*.toml")):
            with self.subTest(path.stem):
                self.assertGreater(len(SweepFile(path, full=True).variants()), 0)

    def test_every_key_is_found_on_its_line(self) -> None:
        lines = SAMPLE.splitlines()
        for key, start in (
            (("title",), "title ="),
            (("settings", "epsilon"), "epsilon ="),
            (("vary", "topology"), "topology = ["),
            (("vary", "topology", 1), '    "star",'),
            (("zip", 0, "stepSize"), "stepSize ="),
            (("also", 0, "drop"), "drop ="),
            (("where", "policy=on, topology=star"), '[where."policy=on, topology=star"]'),
        ):
            self.assertTrue(lines[positions(SAMPLE)[key] - 1].startswith(start), key)
        odd = "a = \'\'\'\nb = 1\n\'\'\' # ]\n\'c.d\'.\"e\\\"f\" = [{x = [1,\n2]}, \"]\",\n [3]]\n[ g . h ]\ni = 1.5\n"
        self.assertEqual(positions(odd), {
            ("a",): 1, ("c.d", 'e"f'): 4, ("c.d", 'e"f', 0): 4, ("c.d", 'e"f', 1): 5,
            ("c.d", 'e"f', 2): 6, ("g",): 7, ("g", "h"): 7, ("g", "h", "i"): 8})

    def test_mistakes_name_the_line(self) -> None:
        for text, words in {
            "[vary\n": "line 1",
            "title = 'nothing'\n": "expected a table [vary]",
            "[vary]\nclip = {values = [1]}\n": "line 2: expected a list of values, or a table",
            "[each]\nwhat = 'link'\n": "line 1: expected a table with kind and name",
            "[settings]\nclip = ['a']\n[vary]\ndrop = [1]\n": "line 2: expected a text in one",
            "[vary]\n": "expected a table [vary]",
            "[vary]\nclip = 3\n": "line 2: expected a list of values",
            "[vary]\n\nclip = []\n": "line 3: expected a list of values",
            "[vary]\nclip = [[1]]\n": "line 2: expected a text in one line or a number",
            "[vary]\nclip = [true]\n": "line 2: expected a text in one line or a number",
            "[vary]\nclip = [1, 1.0]\n": "line 2: expected each variant once",
            "[vary]\nclip = [1]\n[[zip]]\nclip = [1]\n": "'clip' stands there twice",
            "[[zip]]\nclip = [1, 2]\ndrop = [0]\n": "line 3: expected a list of 2 values",
            "[[zip]]\n": "line 1: expected lists of values",
            "[zip]\nclip = [1]\n": "expected tables of the form [[zip]]",
            "vary = 3\n": "line 1: expected a table of options",
            "[settings]\nseeds = [1, 1]\n[vary]\nclip = [1]\n": "line 2: expected a list of diff",
            "[settings]\nrepetitions = 0\n[vary]\nclip = [1]\n": "line 2: repetitions: '0' is not",
            "[setings]\nclip = 1\n[vary]\nclip = [1]\n": "line 1: 'setings' is unknown",
            "[vary]\nclip = [1]\n[where.clip]\na = 1\n": "line 3: expected a key of the form",
            "[vary]\nclip = [1]\n[where.'clip=2']\na = 1\n": "line 3: expected factors of a variant",
            "[vary]\nclip = [1]\n[once]\n'clip=1' = 'drop'\n": "line 4: expected a factor of",
            "scenario = 3\n[vary]\nclip = [1]\n": "line 1: expected a text",
            f"[vary]\na = {list(range(1000))}\nb = {list(range(1000))}\n": "makes 1000000 runs",
            f"[vary]\na = [0x{'f' * 9999}]\n": "line 2: expected a text in one line or a number",
            f"[vary]\na = {'[' * 9999}\n": "file ",
        }.items():
            with self.subTest(text[:60]), self.assertRaises(UsageError) as caught:
                self.read(text).variants()
            self.assertIn(words, str(caught.exception))
            self.assertNotIn("\n", str(caught.exception))
        self.path.write_bytes(b"[vary]\nclip = ['\xff']\n")
        with self.assertRaisesRegex(UsageError, "line 2: is not UTF-8"):
            SweepFile(self.path)

    def test_a_file_of_options_fills_what_the_command_line_leaves_open(self) -> None:
        text = "rounds = 5\ndrop = 0.25\noverwrite = true\nfail = ['node 1 crash at 1s', 'a']\n"
        for start in ("", "title = 'x'\n[settings]\n"):
            path = self.path
            path.write_text(start + text, encoding="utf-8")
            self.assertEqual(config_arguments(path, ["--rounds=9", "--trace=x.db"]),
                             ["--drop=0.25", "--overwrite", "--fail=node 1 crash at 1s",
                              "--fail=a"])
            self.assertEqual(config_arguments(path, ["--fail=b", "--overwrite"]),
                             ["--rounds=5", "--drop=0.25"])
        for wrong, words in (("[settings]\n[vary]\nnodes = [2]\n", "line 2: 'vary' belongs to"),
                             ("nodes = [2]\n", "line 1: expected a text in one line or a number"),
                             ("'a b' = 2\n", "line 1: expected the name of an option")):
            path.write_text(wrong, encoding="utf-8")
            with self.assertRaisesRegex(UsageError, words):
                config_arguments(path, [])

    def test_a_run_is_another_one_if_a_file_that_it_names_is(self) -> None:
        model, weights = self.path.with_name("net.json"), self.path.with_name("net.npz")
        digests = [content_digest(f"file:{model}")]
        for path, content in ((model, b"{}"), (weights, b"1"), (weights, b"2"), (model, b"[]")):
            path.write_bytes(content)
            content_digest.cache_clear()
            digests.append(content_digest(f"file:{model}"))
        self.assertIsNone(digests[0])
        self.assertEqual(len(set(digests)), 5)
        self.assertIsNone(content_digest("exponential"))

    def test_mutated_files_are_refused_in_one_line_or_mean_something(self) -> None:
        draw, refused = random.Random(8), 0
        for _ in range(600):
            text = _mutated(SAMPLE, draw)
            try:
                variants = self.read(text).variants()
            except UsageError as mistake:
                refused += 1
                self.assertTrue(str(mistake).isprintable(), (text, str(mistake)))
            else:
                self.assertGreater(len(variants), 0, text)
                tomllib.loads(text)
        self.assertGreater(refused, 100)
        self.assertLess(refused, 600)


class ProgressTest(unittest.TestCase):
    """A campaign's progress in a file, where there is no terminal."""

    def test_the_time_left_shrinks_while_no_run_ends(self) -> None:
        """Two at a time, 100 s each, five before: at 250 s two pairs are done, and 50 s of the third."""
        told = io.StringIO()
        ends = {0: 5, 40: 5, 60: 5, 100: 7, 101: 7, 120: 7, 159: 7, 161: 7, 200: 9, 250: 9, 260: 9}
        with mock.patch("time.monotonic", return_value=0.0) as clock, contextlib.redirect_stderr(told):
            progress = Progress("sweep", 11, 5, True)
            for now, ended in ends.items():
                clock.return_value = float(now)
                progress.show(ended, 0)
        self.assertEqual(told.getvalue().splitlines(), [
            "sweep: run 5/11",
            "sweep: run 7/11  ETA 3 min 20 s",
            "sweep: run 7/11  ETA 2 min 19 s",
            "sweep: run 9/11  ETA 1 min 40 s",
            "sweep: run 9/11  ETA 40.0 s",
        ])


def _mutated(text: str, draw: random.Random) -> str:
    """The text with a few letters, lines or pieces changed, doubled or taken out."""
    for _ in range(draw.randint(1, 4)):
        place, length = draw.randrange(len(text) + 1), draw.choice((1, 1, 2, 5, 30))
        kind = draw.randrange(5)
        if kind == 0:
            text = text[:place] + text[place + length :]
        elif kind == 1:
            text = text[:place] + draw.choice('[]{}="\n,.#\\\'0e-\x00\u00e9 \ttrue') + text[place:]
        elif kind == 2:
            text = text[:place] + text[place : place + length] * 2 + text[place + length :]
        elif kind == 3:
            lines = text.split("\n")
            draw.shuffle(lines)
            text = "\n".join(lines)
        else:
            text = text[:place] + chr(draw.choice((draw.randrange(1, 128), 0x2028, 0x85))) \
                + text[place + 1 :]
    return text


if __name__ == "__main__":
    unittest.main()
