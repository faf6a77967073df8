#!/usr/bin/env python3
# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""README.md, the tutorial and the how-to pages: the commands of each run one after the other.

usage: pages.py PATH-OF-LEARN [unittest arguments]

Runs are made short: a few rounds on a few examples. What needs another machine is left out by name.
"""

import re
import shlex
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

from program_case import ProgramCase

ROOT = Path(__file__).resolve().parents[2]
PAGES = (ROOT / "README.md", ROOT / "doc" / "tutorial.md",
         *sorted((ROOT / "doc" / "how-to").glob("*.md")))
OTHERS = ("python.md", "resume.md")
"""Pages that have tests of their own."""
BLOCK = re.compile(r"^```(sh|python)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LEFT_OUT = {
    "./dpdl run quickstart": "takes minutes; CI's first step",
    "./dpdl test": "runs this test",
    "./dpdl bench": "measures time",
    "--engine=slurm": "needs a cluster",
    "--ranks": "needs MPI",
    "./ns3 ": "needs the source of ns-3",
    "./test.py": "needs the source of ns-3",
    "ln -s": "needs the source of ns-3",
    "./dpdl calibrate": "has its own test, and takes half a minute",
}
"""Commands that are not run, and why."""
FILE = re.compile(r"=file:([\w.]+)")
IMPORT = re.compile(r"^(?:import|from) (\w+)", re.MULTILINE)
RUNS = re.compile(r"\./dpdl run (learn|what-if|link-failures)\b")
SMALL = {"rounds": "4", "samples": "400", "testSamples": "50"}
SETTING = re.compile(r"^(rounds|samples|testSamples) = \d+$", re.MULTILINE)
USER_FILES = {"outages.txt": "0 1 0.1 0.2\n"}
"""What a page takes for a file of the user's."""
PLACEHOLDERS = ("A.db", "B.db", "other.db")
"""Names of traces that pages use and do not make."""


def commands(block: str) -> list[str]:
    """The commands of a block, without comments; lines that go on are joined."""
    if "<<END" in block:
        return [block]
    joined = re.sub(r"\\\n\s*", "", block)
    return [line for line in joined.splitlines() if line.strip() and not line.startswith("#")]


def small(command: str) -> str:
    """The command with few rounds and examples, where it makes runs."""
    if not RUNS.search(command):
        return command
    line, mark, comment = command.partition(" #")
    for option, value in SMALL.items():
        line, found = re.subn(rf"--{option}=\S+", f"--{option}={value}", line)
        if not found and not (option != "rounds" and "--dataset=" in line):
            line = re.sub(r"\n?$", f" --{option}={value}\n", line, count=1) if "\n" in line \
                else f"{line} --{option}={value}"
    return line + mark + comment


@unittest.skipUnless(Path(sys.argv[1]).resolve() == ROOT / "build/default/scenarios/learn",
                     "./dpdl runs the programs of build/default")
class PagesTest(ProgramCase):
    """A folder with `./dpdl` and the campaign files in it."""

    def test_every_command_works(self) -> None:
        for number, page in enumerate(PAGES):
            if page.name not in OTHERS:
                self.run_page(page, self.folder / str(number))

    def run_page(self, page: Path, folder: Path) -> None:
        sweeps = folder / "scenarios" / "sweeps"
        sweeps.mkdir(parents=True)
        (folder / "dpdl").symlink_to(ROOT / "dpdl")
        for file in (ROOT / "scenarios" / "sweeps").glob("*.toml"):
            text = SETTING.sub(lambda found: f"{found[1]} = {SMALL[found[1]]}", file.read_text())
            (sweeps / file.name).write_text(text.replace("repetitions = 3", "repetitions = 2"))
        for name, content in USER_FILES.items():
            (folder / name).write_text(content, encoding="utf-8")
        for language, block in BLOCK.findall(page.read_text(encoding="utf-8")):
            if language == "python" and not self.has_modules(block):
                continue
            if "file:" in block and not self.has_files(folder, block):
                continue
            lines = commands(block) if language == "sh" else \
                [f"./dpdl python -c {shlex.quote(block)}"]
            for line in lines:
                if not any(word in line for word in LEFT_OUT):
                    self.run_line(page, folder, line)
                if (folder / "learn-1-1.db").exists():
                    for name in PLACEHOLDERS:
                        shutil.copyfile(folder / "learn-1-1.db", folder / name)

    def run_line(self, page: Path, folder: Path, command: str) -> None:
        with self.subTest(page=page.name, command=command):
            words = ("bash", "-euo", "pipefail", "-c", small(command))
            done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 0, f"{small(command)}\n{done.stderr[-2000:]}")

    def has_files(self, folder: Path, block: str) -> bool:
        """Whether the files of the user's that a block names are there, or are made by it."""
        return all((folder / name).exists() or f"> {name}" in block
                   for name in FILE.findall(block))

    def has_modules(self, block: str) -> bool:
        """Whether the interpreter has what the block imports; some of it is not Debian's."""
        names = set(IMPORT.findall(block))
        script = "import importlib.util as u, sys; sys.exit(not all(map(u.find_spec, sys.argv[1:])))"
        return self.run_program(ROOT / "dpdl", "python", "-c", script, *names).returncode == 0


if __name__ == "__main__":
    sys.argv.pop(1)
    unittest.main()
