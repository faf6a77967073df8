#!/usr/bin/env python3
# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The package dpdl: runs, comparisons, figures and mistakes from Python, installed or from the clone.

usage: python_package.py PATH-OF-LEARN [unittest arguments]
"""

import importlib.util
import re
import signal
import sqlite3
import subprocess
import sys
import time
import unittest
from contextlib import closing
from pathlib import Path

from program_case import ProgramCase

ROOT = Path(__file__).resolve().parents[2]
DPDL = ROOT / "dpdl"
PAGE = ROOT / "doc" / "how-to" / "python.md"
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
MOST_LINES = 20
PATIENCE = 60.0
SMALL = "dataset='blobs', model='softmax-regression', nodes=4, rounds=3, samples=200, " \
    "testSamples=50, progress=False"


@unittest.skipUnless(Path(sys.argv[1]).resolve() == ROOT / "build/default/scenarios/learn",
                     "./dpdl runs the programs of build/default")
class PythonTest(ProgramCase):
    """Scripts that import the package."""

    def python(self, script: str, *interpreter: str | Path) -> str:
        """What a script prints."""
        words = interpreter or (DPDL, "python")
        result = self.run_program(*words, "-W", "error", "-c", script)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout

    def test_the_page_runs_from_its_top_to_its_end(self) -> None:
        blocks = BLOCK.findall(PAGE.read_text(encoding="utf-8"))
        self.assertGreater(len(blocks), 1)
        whole = [line for line in blocks[0].splitlines() if line.strip()]
        self.assertLessEqual(len(whole), MOST_LINES)
        self.python("\n".join(blocks))
        content = (self.folder / "loss.pdf").read_bytes()
        self.assertTrue(content.startswith(b"%PDF-"))
        self.assertNotIn(b"/Type3", content)

    def test_views_are_those_of_the_trace(self) -> None:
        out = self.python(
            "import dpdl\n"
            f"run = dpdl.learn({SMALL}, trace='a.db', batch_size=10, fail=['link 0->1 loss 0.5 from 0s'])\n"
            "for view in run.views: print(view, len(getattr(run, view)))\n"
            "print('rounds', run.summary['rounds'], run.settings.set_index('name').value['batchSize'])")
        said = dict(line.split(" ", 1) for line in out.splitlines())
        self.assertEqual(said.pop("rounds"), "3 10")
        with closing(sqlite3.connect(self.folder / "a.db")) as database:
            for view, count in said.items():
                self.assertEqual(database.execute(f'SELECT COUNT(*) FROM "{view}"').fetchone(),
                                 (int(count),), view)
        self.assertIn("delivery", said)

    def test_mistakes_are_errors_with_one_line(self) -> None:
        mistakes = {
            "dpdl.learn(lr=1)": "option 'lr' is unknown; did you mean 'stepSize'?",
            "dpdl.learn(nodes=1)": "option 'nodes': '1' is not accepted",
            "dpdl.run('laern')": "did you mean 'learn'",
            "dpdl.load('x.db')": "x.db: no such file",
            "dpdl.load('.')": "accepted is a folder with the runs of a campaign",
            "dpdl.account(nosie=1)": "did you mean 'noise'",
            "dpdl.sweep('x.toml')": "file 'x.toml': No such file",
            "dpdl.compare('a', 'b')": "a: no such file",
            "dpdl.figure('a.db', output='f.pdf')": "a.db: no such file",
            "dpdl.learn(model=7)": "a module needs data=(x, y)",
            "dpdl.learn(data=([[1, 2], [3]], [0, 1]))": "inhomogeneous shape",
            "dpdl.learn(data=[1])": "expected arrays (x, y)", "dpdl.learn(data=([1], [1, 2]))": "as many x as y",
            "dpdl.export_model(None, None, 'net.txt')": "expected a name that ends in .json",
        }
        said = self.python("import dpdl\n" + "".join(
            f"try: {call}\nexcept dpdl.Error as error: print(error)\n" for call in mistakes
        )).splitlines()
        self.assertEqual(len(said), len(mistakes))
        for line, words in zip(said, mistakes.values()):
            self.assertIn(words, line)
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_arrays_are_data_of_which_every_fifth_is_for_tests(self) -> None:
        out = self.python(
            "import dpdl, numpy\n"
            "x = numpy.random.default_rng(1).normal(size=(100, 6)); y = (x[:, 0] > 0).astype(int)\n"
            "setting = dict(model='softmax-regression', nodes=4, rounds=2, progress=False, batchSize=5)\n"
            "runs = [dpdl.learn(data=(x, y), **setting)]\n"
            "test = numpy.arange(100) % 5 == 4\n"
            "runs += [dpdl.learn(data=(x[~test], y[~test], x[test], y[test]), **setting)]\n"
            "print(*(len(x) for x in numpy.load('learn-1-1.data.npz').values()), runs[0].summary['loss_mean'] == "
            "runs[1].summary['loss_mean'], len(numpy.load('learn-1-1-2.data.npz')))\n"
            "print(len(runs[0].query('SELECT * FROM snapshot WHERE node = :n', {'n': numpy.int64(1)})))\n"
            "import sqlite3\n"
            "for sql in ('SELECT 1', \"INSERT INTO setting(name) VALUES ('rank')\", 'UPDATE state SET z = NULL',\n"
            "            \"DELETE FROM setting WHERE name IN ('rank', 'model')\", 'DROP VIEW snapshot'):\n"
            "  with sqlite3.connect('learn-1-1.db') as trace: trace.execute(sql)\n"
            "  try: runs[0].state_dict()\n  except dpdl.Error as error: print(error)")
        numbers, rows, *said = out.splitlines()
        self.assertEqual((numbers.split(), rows), (["80", "80", "20", "20", "True", "4"], "1"))
        lacking = 3 * ["has no weights of all nodes"] + ["no such table: snapshot"]
        for line, words in zip(said, ["7850 parameters, but the trace has 14; accepted", *lacking], strict=True):
            self.assertIn(words, line)

    def test_what_is_refused_leaves_no_file_and_those_of_former_runs(self) -> None:
        self.python(
            "import dpdl, numpy, os\n"
            "x = numpy.random.default_rng(1).normal(size=(100, 6)); y = (x[:, 0] > 0).astype(int)\n"
            "setting = dict(model='softmax-regression', nodes=4, rounds=2, progress=False, batchSize=5)\n"
            "def files(): return {name: open(name, 'rb').read() for name in os.listdir()}\n"
            "def refused(**changed):\n"
            "  try: dpdl.learn(**{**setting, 'data': (x, y), **changed}); assert False\n"
            "  except dpdl.Error as error: assert str(error) and '\\n' not in str(error)\n"
            "refused(nodes=1); refused(model=7); refused(trace='no/a.db')\n"
            "assert not files(), files()\n"
            "dpdl.learn(data=(x, y), trace='a.db', **setting)\n"
            "open('a.model.json', 'w').write('former')\n"
            "former = files()\n"
            "refused(trace='a.db'); refused(trace='a.db', overwrite=True, data=(2 * x, y), nodes=1)\n"
            "refused(trace='a.db', overwrite=True, data=(2 * x, y), model=7)\n"
            "assert files() == former, files().keys()\n")

    def test_an_interrupt_ends_the_run_and_keeps_its_trace(self) -> None:
        script = f"import dpdl\ndpdl.learn({SMALL.replace('rounds=3', 'rounds=100000')}, " \
            "trace='long.db')"
        with subprocess.Popen([DPDL, "python", "-c", script], cwd=self.folder,
                              stderr=subprocess.PIPE, text=True) as python:
            end = time.monotonic() + PATIENCE
            while not (self.folder / "long.db").exists() and time.monotonic() < end:
                time.sleep(0.05)
            time.sleep(0.3)
            python.send_signal(signal.SIGINT)
            _, said = python.communicate(timeout=PATIENCE)
        self.assertIn("KeyboardInterrupt", said)
        with closing(sqlite3.connect(self.folder / "long.db")) as database:
            state = database.execute("SELECT value FROM summary WHERE name = 'state'").fetchone()
        self.assertEqual(state, ("incomplete",))
        self.assertFalse((self.folder / "long.db-wal").exists())

    @unittest.skipUnless(importlib.util.find_spec("setuptools") and importlib.util.find_spec("pip"),
                         "needs python3-pip and python3-setuptools")
    def test_an_installed_package_finds_its_clone(self) -> None:
        target = self.folder / "site"
        done = self.run_program(sys.executable, "-m", "pip", "install", "--quiet", "--no-deps",
                                "--no-build-isolation", "--no-index", "--target", target,
                                "--disable-pip-version-check", ROOT / "analysis")
        self.assertEqual(done.returncode, 0, done.stderr)
        script = f"import sys; sys.path.insert(0, {str(target)!r}); import dpdl; " \
            "print(dpdl.__file__, dpdl.account(noise=2, sampler='none', steps=1, delta=1e-5))"
        out = self.python(script, sys.executable)
        self.assertIn(str(target), out)
        self.assertIn("'epsilon': 1.993091", out)
        script = f"import os; os.environ['DPDL_HOME'] = '/'\n{script.replace('; ', chr(10))}"
        failed = self.run_program(sys.executable, "-c", script)
        self.assertIn("DPDL_HOME is '/', expected the folder of a clone of dpdl", failed.stderr)


if __name__ == "__main__":
    sys.argv.pop(1)
    unittest.main()
