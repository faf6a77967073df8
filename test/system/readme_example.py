#!/usr/bin/env python3
# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The scenario script in README.md is the example dpdl-minimal, letter by letter."""

import re
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "contrib/dpdl/examples/dpdl-minimal.cc"
CPP_BLOCK = re.compile(r"^```cpp\n(.*?)^```$", re.MULTILINE | re.DOTALL)


class ReadmeExampleTest(unittest.TestCase):
    """README.md has one block of C++."""

    def test_block_is_the_example(self) -> None:
        blocks = CPP_BLOCK.findall((ROOT / "README.md").read_text(encoding="utf-8"))
        self.assertEqual(len(blocks), 1)
        self.assertMultiLineEqual(blocks[0], EXAMPLE.read_text(encoding="utf-8"))


if __name__ == "__main__":
    unittest.main()
