#!/usr/bin/env python3
# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""./dpdl in the environments of others: each command in each of them gives what it gives elsewhere, or
one line that says why not.

usage: environment.py PATH-OF-DPDL [unittest arguments]
Those that need a mount of their own, or another user, are left out without root.
"""

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import time
import unittest
from pathlib import Path

from program_case import ProgramCase

DPDL = Path(sys.argv.pop(1)).resolve()
CLONE = DPDL.parent
RUN = [
    *("--algorithm=sgp", "--dataset=blobs", "--model=softmax-regression", "--nodes=2"),
    *("--rounds=2", "--samples=40", "--testSamples=20", "--batchSize=5", "--progress=none"),
]
COMMANDS = {
    "account": ["account", "--noise=1", "--rate=0.01", "--steps=10", "--delta=1e-5"],
    "list": ["list", "models"],
    "inspect": ["inspect", "a.db", "--check"],
    "table": ["table", "a.db", "b.db"],
    "compare": ["compare", "a.db", "b.db"],
    "export": ["export", "a.db", "--to=csv", "--output=views", "--overwrite"],
    "figure": ["figure", "a.db", "b.db", "--output=f.png"],
    "report": ["report", "a.db", "b.db"],
    "resume": ["resume", "a.db"],
    "config": ["run", "learn", "--config=c.toml", "--progress=none", "--trace=c.db", "--overwrite"],
    "sweep": ["sweep", "s.toml", "--progress=none", "--jobs=1", "--overwrite"],
    "plan": ["sweep", "s.toml", "--plan", "--jobs=1"],
    "study": ["run", "iot", "--plan", "--jobs=1"],
}
SHADOWS = ("random", "token", "json", "sqlite3", "copy", "logging", "numpy", "calendar", "secrets")
LANGUAGES = ("C", "POSIX", "C.UTF-8", "de_DE.ISO-8859-1", "tr_TR.UTF-8", "zh_CN.GB18030")
FOREIGN = 65534
"""A user to whom nothing belongs."""
MOMENTS = 10
PATIENCE = 60.0
WITH_ROOT = os.geteuid() == 0 and not subprocess.run(
    ["unshare", "--mount", "true"], capture_output=True, check=False).returncode
ONLY_READS = set(COMMANDS) - {"config", "sweep"}


def table(values: dict[str, object]) -> str:
    """A file of options."""
    return "".join(f"{name} = {value!r}\n" for name, value in values.items())


def sessions() -> set[int]:
    """Of all processes."""
    found = set()
    for path in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            fields = path.read_text(errors="replace").rpartition(")")[2].split()
            if fields[0] != "Z":
                found.add(int(fields[3]))
    return found


class EnvironmentTest(ProgramCase):
    """Commands in a folder with two traces, a file of options and a sweep."""

    def setUp(self) -> None:
        super().setUp()
        self.folder = self.folder / "it's a #1 run"
        self.folder.mkdir()
        self.folder.parent.chmod(0o755)
        options = dict(word[2:].split("=") for word in RUN[:-1])
        (self.folder / "c.toml").write_text(table(options), encoding="utf-8")
        (self.folder / "s.toml").write_text(
            f"[settings]\n{table(options)}[vary]\ndrop = [0, 0.1]\n", encoding="utf-8")
        for name in ("a", "b"):
            done = self.call(["run", "learn", *RUN, f"--drop={0.1 * (name == 'b')}", f"--trace={name}.db"])
            self.assertEqual(done.returncode, 0, done.stderr)
        self.expected = {name: self.call(words) for name, words in COMMANDS.items()}
        for name, done in self.expected.items():
            self.assertEqual(done.returncode, 0, (name, done.stderr))

    def call(self, words: list[str], before: list[str] | None = None,
             **environment: str) -> subprocess.CompletedProcess[str]:
        """What a command answers, behind the words `before`."""
        return subprocess.run([*(before or []), str(DPDL), *words], cwd=self.folder, errors="replace",
                              capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=600,
                              env={**os.environ, **environment}, check=False)

    def check(self, before: list[str] | None = None, names: set[str] | None = None,
              may_refuse: bool = False, **environment: str) -> None:
        """All commands, or those of these names, do as ever; or each refuses in one line."""
        for name, words in COMMANDS.items():
            if names and name not in names:
                continue
            with self.subTest(name, environment=environment):
                done = self.call(words, before, **environment)
                told = (done.returncode, done.stdout, done.stderr)
                self.assertNotIn("Traceback", done.stderr)
                self.assertNotIn("executed", done.stdout + done.stderr)
                if may_refuse and done.returncode in (1, 2):
                    self.assertEqual((done.stdout, done.stderr.count("\n")), ("", 1), told)
                    self.assertRegex(done.stderr, "^(dpdl|learn|account|list): ")
                    continue
                self.assertEqual(done.returncode, 0, told)
                if environment.get("LANG", "C.UTF-8") in ("C", "POSIX", "C.UTF-8"):
                    self.assertEqual(done.stdout, self.expected[name].stdout)

    def test_modules_in_the_working_folder_are_not_imported(self) -> None:
        for name in SHADOWS:
            (self.folder / f"{name}.py").write_text("print('executed')\n", encoding="utf-8")
        self.check()

    def test_another_python_and_its_settings(self) -> None:
        strange = self.folder / "conda"
        strange.mkdir()
        for name in ("numpy", "pandas", "matplotlib", "sqlite3", "site", "sitecustomize"):
            (strange / f"{name}.py").write_text("print('executed')\nraise ImportError\n")
        for name in ("python3", "python"):
            (strange / name).write_text("#!/bin/sh\necho executed\nexit 3\n")
            (strange / name).chmod(0o755)
        self.check(PATH=f"{strange}:{os.environ['PATH']}", PYTHONPATH=str(strange),
                   PYTHONHOME=str(strange), PYTHONSTARTUP=str(strange / "numpy.py"))

    def test_languages(self) -> None:
        for language in LANGUAGES:
            self.check(LANG=language, LC_ALL=language, names={"table", "compare", "report", "plan"})

    def test_output_that_is_closed_is_told(self) -> None:
        closed = ["bash", "-c", 'exec "$@" >&-', "bash"]
        for name, words in COMMANDS.items():
            with self.subTest(name):
                done = self.call(words, closed)
                self.assertEqual((done.returncode, done.stdout), (1, ""), done.stderr)
                self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
                self.assertIn("standard output", done.stderr)

    @unittest.skipUnless(WITH_ROOT, "needs a mount of its own")
    def test_a_full_folder_of_temporary_files(self) -> None:
        full = self.folder.parent / "full"
        full.mkdir()
        mount = 'mount -t tmpfs -o size=4k none "$0" && head -c 4096 /dev/zero >"$0/x"; exec "$@"'
        self.check(["unshare", "--mount", "bash", "-c", mount, str(full)], may_refuse=True,
                   TMPDIR=str(full))

    @unittest.skipUnless(WITH_ROOT, "needs a mount of its own")
    def test_a_clone_that_cannot_be_written(self) -> None:
        mount = 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && exec "$@"'
        cache = self.folder.parent / "cache"
        self.check(["unshare", "--mount", "bash", "-c", mount, str(CLONE)], XDG_CACHE_HOME=str(cache))
        self.assertTrue(list(cache.glob("dpdl/pycache/**/*.pyc")))

    @unittest.skipUnless(WITH_ROOT, "needs another user")
    def test_another_user(self) -> None:
        for path in (self.folder, *self.folder.rglob("*")):
            shutil.chown(path, FOREIGN, FOREIGN)
        other = ["setpriv", f"--reuid={FOREIGN}", f"--regid={FOREIGN}", "--clear-groups"]
        home = self.folder / "home"
        home.mkdir()
        shutil.chown(home, FOREIGN, FOREIGN)
        self.check(other, HOME=str(home))
        # As after any package was upgraded, and as the sources changed: the second is said.
        mount = ('cp "$0" "$1" && mount --bind "$1" "$0" && shift && exec "$@"')
        status = "/var/lib/dpkg/status"
        upgraded = ["unshare", "--mount", "bash", "-c", mount, status, str(self.folder.parent / "status")]
        self.check([*upgraded, *other], names=ONLY_READS, HOME=str(home))

    def test_eight_starts_at_once(self) -> None:
        runs = [subprocess.Popen([DPDL, "run", "learn", *RUN], cwd=self.folder, text=True,
                                 stdout=subprocess.PIPE) for _ in range(8)]
        told = {run.communicate()[0].splitlines()[-1] for run in runs}
        self.assertEqual({run.returncode for run in runs}, {0})
        self.assertEqual(told, {f"trace: {path.name}" for path in self.folder.glob("learn-*.db")})
        self.assertEqual(len(told), 8)

    def stop(self, words: list[str], number: signal.Signals, delay: float) -> None:
        """A command that is stopped leaves no process and no traceback."""
        run = subprocess.Popen([DPDL, *words], cwd=self.folder, stdout=subprocess.DEVNULL,
                               stderr=subprocess.PIPE, text=True, start_new_session=True)
        time.sleep(delay)
        run.send_signal(number)
        _, error = run.communicate(timeout=PATIENCE)
        # Python may be interrupted before it has read a line of ours.
        if "Failed to import the site module" not in error:
            self.assertNotIn("Traceback", error)
            self.assertIn(run.returncode, (130, 143, -signal.SIGTERM, -signal.SIGINT), error)
        limit = time.monotonic() + PATIENCE
        while run.pid in sessions():
            self.assertLess(time.monotonic(), limit, "processes are left")
            time.sleep(0.05)

    @unittest.skipUnless(shutil.which("mpirun"), "needs mpirun")
    def test_a_signal_ends_all_ranks(self) -> None:
        words = [word for word in RUN if not word.startswith("--rounds=")]
        for number in (signal.SIGTERM, signal.SIGINT):
            self.stop(["run", "learn", *words, "--rounds=2000000", "--ranks=2", "--trace=ranks.db",
                       "--overwrite"], number, 2.0)
            for path in self.folder.glob("ranks.rank*.db"):
                self.assertEqual(self.rows(path, "PRAGMA integrity_check"), [("ok",)])

    def test_a_signal_at_any_moment_ends_all_processes(self) -> None:
        words = ["sweep", "s.toml", "--progress=none", "--jobs=2", "--outputDir=killed"]
        text = (self.folder / "s.toml").read_text(encoding="utf-8")
        (self.folder / "s.toml").write_text(text.replace("rounds = '2'", "rounds = '100000'"))
        for moment in range(MOMENTS):
            self.stop(words, (signal.SIGTERM, signal.SIGINT)[moment % 2], 0.15 * moment)
        (self.folder / "s.toml").write_text(text)
        done = self.call([*words, "--overwrite"])
        self.assertEqual(done.returncode, 0, done.stderr)
        for path in (self.folder / "killed").glob("0*.db"):
            self.assertEqual(self.rows(path, "SELECT value FROM summary WHERE name='state'"), [("complete",)])
            self.assertEqual(self.rows(path, "PRAGMA integrity_check"), [("ok",)])


if __name__ == "__main__":
    unittest.main()
