#!/usr/bin/env python3
# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Every reader of a file from outside x every disguise: right, warned about or refused in one line.

usage: outside_files.py PATH-OF-OUTSIDE-FILES PATH-OF-LEARN [unittest arguments]

A cell is right if its content is that of the clean file, or another where CHANGED gives a reason;
refused if one line names the file and what is accepted. doc/data.md has the counts.
"""

import gzip
import os
import re
import subprocess
import sys
import tarfile
import threading
import time
import unittest
from pathlib import Path
from typing import Callable, Optional

import numpy as np

from program_case import ProgramCase

READ = sys.argv.pop(1)
LEARN = sys.argv.pop(1)
ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "doc" / "data.md"
SCRIPT = ROOT / "test" / "core" / "training" / "scripts" / "default-2.14.pt"

NET = '{"format": "dpdl-net-1", "input": [1, 2, 2],\n "layers": [{"kind": "flatten"},\n'
NET += '  {"kind": "linear", "out": @3@}]}\n'

# Of each reader of text: a clean file, with @ around a number, and the same with ids from 1.
TEXTS = {
    "csv": ("a,b,label\n@1@,2,0\n3,4,1\n5,6,0\n7,8,1\n", None),
    "graph": ("0 @1@\n1 2\n2 0\n", "1 2\n2 3\n3 1\n"),
    "contacts": ("0 @9@ 0 1\n0 9 1 2\n1 9 2 0\n", "0 9 1 2\n0 9 2 3\n1 9 3 1\n"),
    "links": ("source target delay drop\n* * 5ms @0.1@\n0 1 7ms 0\n",
              "source target delay drop\n* * 5ms 0.1\n2 3 7ms 0\n"),
    "failures": ("link * loss @0.1@\nnode 2 crash at 3s for 2s\n",
                 "link * loss 0.1\nnode 3 crash at 3s for 2s\n"),
    "movement": ("$node_(0) set X_ 1\n$node_(0) set Y_ 2\n"
                 '$ns_ at @1@ "$node_(0) setdest 3 2 6"\n$ns_ at 9 "$node_(0) setdest 5 2 6"\n',
                 "$node_(1) set X_ 1\n$node_(1) set Y_ 2\n"),
    "fcd": ('<fcd-export>\n<timestep time="@1@">\n<vehicle id="a" x="1" y="2"/>\n</timestep>\n'
            '<timestep time="9">\n<vehicle id="a" x="5" y="2"/>\n</timestep>\n</fcd-export>\n', None),
    "activity": ('$ns_ at @1@ "$g(0) start"\n$ns_ at 9 "$g(0) stop"\n$ns_ at 2 "$g(2) start"\n'
                 '$ns_ at 3 "$g(1) start"\n',
                 '$ns_ at 1 "$g(1) start"\n$ns_ at 2 "$g(3) start"\n'),
    "buildings": ("x_min,x_max,y_min,y_max,height\n@1@,20,10,20,9\n", None),
    "model": (NET, None),
    "schedule": ("noise,rate,steps\n@1@,0.1,5\n2,0.1,5\n", None),
    "rounds": ("round,clip,noise\n0,@1@,1\n3,2,0.5\n", None),
    "budgets": ("node,epsilon\n0,@1@\n1,2\n2,3\n", "node,epsilon\n1,1\n2,2\n3,3\n"),
}
BINARY = ("npz", "weights", "script", "idx", "cifar", "tar", "trace", "checkpoint")
BESIDE = {
    "weights": NET.replace("@", ""),
    "script": '{"format": "dpdl-net-1", "input": [12], "script": "$", "scores": 3, "tokens": 0, '
              '"whole": false, "reason": "test"}',
}
"""By reader: the description NAME.json of a file NAME, which replaces $."""
TIMED = ("contacts", "movement", "fcd", "activity")

# The sources that open files: read by a reader above, or not from outside.
SOURCES = {
    "algorithm/dyn-d2p.cc", "base/csv-reader.cc", "base/input-file.cc", "data/byte-reader.cc",
    "data/feature-whitening.cc", "data/file-dataset.cc", "data/npz-file.cc",
    "experiment/node-epsilons.cc", "experiment/make-run-origin.cc", "experiment/run-need.cc",
    "network/building-file.cc", "network/failure-event.cc", "network/link-table.cc",
    "network/movement-file.cc", "privacy/step-group.cc", "topology/contact-file.cc",
    "topology/edge-list-file.cc", "trace/run-origin.cc", "trace/trace-access.cc",
    "training/net-model.cc", "training/script-model.cc",
}  # fmt: skip
OPENS = re.compile(r"std::ifstream|OpenInputFile\(|OpenCsv\(|zip_open\(|gzopen\(|fopen\(")


def clean(reader: str) -> bytes:
    return TEXTS[reader][0].replace("@", "").encode()


def number(change: Callable[[str], str]) -> Callable[[str], Optional[bytes]]:
    """The marked number changed."""
    return lambda reader: re.sub(
        "@(.*)@", lambda found: change(found.group(1)), TEXTS[reader][0]
    ).encode()


def lines(change: Callable[[str], str]) -> Callable[[str], Optional[bytes]]:
    return lambda reader: b"".join(
        change(line).encode() + b"\n" for line in clean(reader).decode().splitlines()
    )


def quoted(reader: str) -> bytes:
    return re.sub(rb"[\w.]+", rb'"\g<0>"', clean(reader))


def shifted(reader: str) -> Optional[bytes]:
    """All times a day later."""
    if reader not in TIMED:
        return None
    pattern = r"^(\d+) (\d+)" if reader == "contacts" else r"(?:(?<=at )|(?<=time=\"))(\d+)()"
    return re.sub(
        pattern,
        lambda found: " ".join(str(int(word) + 86400) for word in found.groups() if word),
        clean(reader).decode(),
        flags=re.M,
    ).encode()


def negative(reader: str) -> Optional[bytes]:
    return number("-{}".format)(reader) if reader in TIMED else None


ACCEPTED: dict[str, Callable[[str], Optional[bytes]]] = {
    "byte order mark": lambda reader: b"\xef\xbb\xbf" + clean(reader),
    "CRLF": lambda reader: clean(reader).replace(b"\n", b"\r\n"),
    "missing last newline": lambda reader: clean(reader).rstrip(b"\n"),
    "plus sign": number("+{}".format),
}
OTHERS: dict[str, Callable[[str], Optional[bytes]]] = {
    "UTF-16": lambda reader: clean(reader).decode().encode("utf-16"),
    "Latin-1": lambda reader: clean(reader).replace(b"\n", b"\xe9\n", 1),
    "gzip": lambda reader: gzip.compress(clean(reader)),
    "empty": lambda reader: b"",
    "first line only": lambda reader: clean(reader).splitlines(keepends=True)[0],
    "trailing comma": lines("{},".format),
    "quoted fields": quoted,
    "semicolons": lambda reader: clean(reader).replace(b",", b";").replace(b" ", b";"),
    "tabs": lambda reader: clean(reader).replace(b",", b"\t").replace(b" ", b"\t"),
    "comment #": lambda reader: b"# text\n" + clean(reader),
    "comment %": lambda reader: b"% text\n" + clean(reader),
    "comment //": lambda reader: b"// text\n" + clean(reader),
    "extra column": lines("{} 7".format),
    "100000 columns": lambda reader: clean(reader) + b" ".join([b"1"] * 100000) + b"\n",
    "duplicate rows": lambda reader: clean(reader) + clean(reader).splitlines(keepends=True)[-1],
    "a day later": shifted,
    "negative time": negative,
    "ids from 1": lambda reader: TEXTS[reader][1] and TEXTS[reader][1].encode(),
    "exponent": number("{}e0".format),
    "decimal comma": number("{},5".format),
    "NaN": number(lambda _: "nan"),
    "infinity": number(lambda _: "inf"),
    "-0": number(lambda _: "-0"),
    "hidden blank": number("\u00a0{}".format),
    "still growing": lambda reader: clean(reader)[: -len(clean(reader).splitlines()[-1]) // 2 - 1],
}
# A word or a line is what is wrong, if anything is.
FAULTY_LINE = set(OTHERS) - {"empty", "first line only"}
# The message names another place than a line: a layer, or the node that has no line.
PLACED = {("model", "-0"), ("movement", "ids from 1")}
# Files of fewer lines, whose content is less.
SHORTER = ("first line only", "still growing")
# What a reader may make of a disguise instead of the clean content, with the reason.
CHANGED = {
    ("weights", "missing"): "a model may have none",
    ("csv", "duplicate rows"): "examples may be alike",
    ("csv", "-0"): "a number",
    ("contacts", "duplicate rows"): "contacts may overlap",
    ("movement", "-0"): "a number",
    ("fcd", "-0"): "a number",
    ("buildings", "duplicate rows"): "boxes may overlap",
    ("buildings", "-0"): "a number",
    ("schedule", "duplicate rows"): "a schedule may repeat a row",
    ("activity", "-0"): "a number",
    ("links", "-0"): "a number",
    ("failures", "-0"): "a number",
}


class OutsideFilesTest(ProgramCase):
    """Drives the readers, and counts."""

    def setUp(self) -> None:
        super().setUp()
        self.reader = subprocess.Popen(
            [READ], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        self.addCleanup(self.reader.wait)
        self.addCleanup(self.reader.stdout.close)
        self.addCleanup(self.reader.stdin.close)
        self.counts: dict[str, list[int]] = {}

    def ask(self, reader: str, path: Path) -> tuple[str, str]:
        """`read` and the content, or `refused` and the message."""
        self.reader.stdin.write(f"{reader}\t{path}\n")
        self.reader.stdin.flush()
        answer = self.reader.stdout.readline()
        self.assertIn("\t", answer, f"{reader} {path.name}: no answer")
        kind, text = answer.rstrip("\n").split("\t", 1)
        return kind, text

    def cell(self, reader: str, disguise: str, path: Path, expected: str) -> None:
        """Asks, holds the law, counts."""
        kind, text = self.ask(reader, path)
        place = f"{reader}, {disguise}: {text[:300]}"
        counts = self.counts.setdefault(reader, [0, 0, 0])
        if kind == "refused":
            if (reader, disguise) != ("model", "plus sign"):  # JSON has none
                self.assertNotIn(disguise, ACCEPTED, place)
            self.assertIn(path.stem, text, place)
            self.assertRegex(text, r"expected |is missing", place)
            if disguise in FAULTY_LINE and reader in TEXTS and (reader, disguise) not in PLACED:
                self.assertRegex(text, r"\bline \d", place)
            self.assertLess(len(text), 1000, place)
            counts[2] += 1
        elif text.endswith(" warned"):
            counts[1] += 1
        else:
            if (reader, disguise) in CHANGED:
                self.assertNotEqual(text, expected, place)
            elif disguise not in SHORTER:
                self.assertEqual(text, expected, place)
            counts[0] += 1

    def suffix(self, reader: str) -> str:
        return {"csv": ".csv", "model": ".json", "npz": ".npz", "weights": ".npz"}.get(
            reader, ".txt"
        )

    def describe(self, reader: str, path: Path) -> None:
        if reader in BESIDE:
            path.with_suffix(".json").write_text(BESIDE[reader].replace("$", path.name))

    def around(self, reader: str, path: Path, expected: str) -> None:
        """What a path may be instead of a plain file."""
        folder = self.folder / f"{reader}-around"
        folder.mkdir()
        name = path.name
        for disguise in ("symbolic link", "FIFO", "directory", "missing", "no permission"):
            place = folder / disguise.replace(" ", "-")
            place.mkdir()
            self.describe(reader, place / name)
            file = place / name
            if disguise == "symbolic link":
                file.symlink_to(path)
            elif disguise == "FIFO":
                os.mkfifo(file)
            elif disguise == "directory":
                file.mkdir()
            elif disguise == "no permission":
                if os.geteuid() == 0:
                    continue  # root may read everything
                file.write_bytes(path.read_bytes())
                file.chmod(0)
                self.assertEqual(self.ask(reader, file)[0], "refused", f"{reader}, {disguise}")
                continue  # not counted, since it depends on the user
            self.cell(reader, disguise, file, expected)

    def text_reader(self, reader: str) -> None:
        path = self.folder / f"clean-{reader}{self.suffix(reader)}"
        path.write_bytes(clean(reader))
        kind, expected = self.ask(reader, path)
        self.assertEqual(kind, "read", expected)
        self.assertFalse(expected.endswith(" warned"), f"{reader}: {expected}")
        for at, (disguise, make) in enumerate({**ACCEPTED, **OTHERS}.items()):
            content = make(reader)
            if content is not None:
                file = self.folder / f"{reader}{at}{self.suffix(reader)}"
                file.write_bytes(content)
                with self.subTest(reader=reader, disguise=disguise):
                    self.cell(reader, disguise, file, expected)
        self.around(reader, path, expected)

    def binary_reader(self, reader: str, path: Path) -> None:
        kind, expected = self.ask(reader, path)
        self.assertEqual(kind, "read", expected)
        content = path.read_bytes()
        changes = {
            "byte order mark": b"\xef\xbb\xbf" + content,
            "UTF-16": content.decode("latin-1").encode("utf-16"),
            "empty": b"",
            "first half": content[: len(content) // 2],
            "text": b"1 2 3\n",
        }
        for at, (disguise, changed) in enumerate(changes.items()):
            file = self.folder / f"{reader}{at}{path.suffix}"
            file.write_bytes(changed)
            self.describe(reader, file)
            kind, text = self.ask(reader, file)
            self.assertEqual(kind, "refused", f"{reader}, {disguise}: {text}")
            self.assertIn(file.stem, text)
            self.counts.setdefault(reader, [0, 0, 0])[2] += 1
        self.around(reader, path, expected)

    def arrays(self, name: str, **arrays: np.ndarray) -> Path:
        path = self.folder / name
        np.savez(path, **arrays)
        return path

    def write_binaries(self) -> dict[str, Path]:
        x = np.arange(16, dtype=np.float32).reshape(4, 4)
        y = np.array([0, 1, 0, 1])
        net = self.folder / "net.json"
        net.write_bytes(clean("model"))
        weights = {
            "layer2.weight": np.ones((3, 4), np.float32),
            "layer2.bias": np.ones(3, np.float32),
        }
        script = self.folder / "script.pt"
        script.write_bytes(SCRIPT.read_bytes())
        self.describe("script", script)
        records = bytes([3, *range(256), *bytes(2816)] + [9] + [7] * 3072)
        cifar = self.folder / "data_batch_1.bin"
        cifar.write_bytes(records)
        packed = self.folder / "cifar.tar.gz"
        with tarfile.open(packed, "w:gz") as archive:
            archive.add(cifar, "cifar-10-batches-bin/data_batch_1.bin")
        idx = self.folder / "images"
        idx.write_bytes(bytes([0, 0, 8, 3, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 2, 1, 2, 3, 4]))
        run = ["--nodes=3", "--samples=60", "--testSamples=20", "--model=softmax-regression"]
        run += ["--algorithm=sgp", "--dataset=blobs", "--progress=none"]
        done = self.folder / "done.db"
        answer = self.run_program(LEARN, *run, "--rounds=2", f"--trace={done}")
        self.assertEqual(answer.returncode, 0, answer.stderr)
        begun = self.folder / "begun.db"
        process = subprocess.Popen(
            [LEARN, *run, "--rounds=30000", "--checkpoint=1", f"--trace={begun}"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        # It checkpoints in each round, so a file of this size has several.
        while not begun.exists() or begun.stat().st_size < 500_000:
            self.assertIsNone(process.poll())
            time.sleep(0.05)
        process.kill()
        process.wait()
        return {
            "npz": self.arrays("set.npz", x_train=x, y_train=y, x_test=x, y_test=y),
            "weights": self.arrays("net.npz", **weights),
            "script": script,
            "idx": idx,
            "cifar": cifar,
            "tar": packed,
            "trace": done,
            "checkpoint": begun,
        }

    def test_every_cell(self) -> None:
        for reader in TEXTS:
            self.text_reader(reader)
        for reader, path in self.write_binaries().items():
            self.binary_reader(reader, path)
        self.assertEqual(set(self.counts), {*TEXTS, *BINARY})
        rows = [f"| {name} | {' | '.join(map(str, row))} |" for name, row in self.counts.items()]
        total = [sum(column) for column in zip(*self.counts.values())]
        rows.append(f"| all | {' | '.join(map(str, total))} |")
        print("\n".join(rows), file=sys.stderr)
        page = PAGE.read_text()
        self.assertEqual([row for row in rows if row not in page], [], "rows of doc/data.md")

    def test_a_file_that_grows_while_it_is_read(self) -> None:
        for reader in TEXTS:
            path = self.folder / f"growing-{reader}{self.suffix(reader)}"
            path.write_bytes(clean(reader))
            last = clean(reader).splitlines(keepends=True)[-1]

            def grow(path: Path = path, last: bytes = last) -> None:
                with path.open("ab", buffering=0) as file:
                    for _ in range(100):
                        file.write(last)
                        time.sleep(0)

            writer = threading.Thread(target=grow)
            writer.start()
            while writer.is_alive():
                kind, text = self.ask(reader, path)
                self.assertTrue(kind == "read" or path.stem in text, text[:300])
            writer.join()

    def test_every_reader_has_a_row(self) -> None:
        core = ROOT / "contrib" / "dpdl" / "core" / "src"
        found = {
            str(path.relative_to(core))
            for path in core.rglob("*.cc")
            if OPENS.search(path.read_text())
        }
        self.assertEqual(found, SOURCES, "a new reader needs a row in TEXTS or BINARY")

    def test_tables_of_others(self) -> None:
        """What other programs write, and what the reader answers."""
        refused = {
            "index.csv": (",a,label\n0,1,0\n1,2,1\n", "index=False"),
            "semicolons.csv": ("a;label\n1;0\n", "not by semicolons"),
            "tabs.csv": ("a\tlabel\n1\t0\n", "not by tabs"),
        }
        for name, (text, told) in refused.items():
            (self.folder / name).write_text(text)
            kind, answer = self.ask("csv", self.folder / name)
            self.assertEqual(kind, "refused", answer)
            self.assertIn(told, answer)
        x = np.arange(16, dtype=np.uint8).reshape(4, 4)
        y = np.array([0, 1, 0, 1])
        mixed = self.arrays("mixed.npz", x_train=x, y_train=y, x_test=x.astype(int), y_test=y)
        kind, answer = self.ask("npz", mixed)
        self.assertEqual(kind, "refused", answer)
        self.assertIn("uint8 in both", answer)
        graph = self.folder / "weights.txt"
        graph.write_text("0 1 2\n0 2 1\n1 2 1\n2 0 2\n")
        kind, answer = self.ask("graph", graph)
        self.assertEqual(kind, "refused", answer)
        self.assertIn("source, target and weight", answer)

    def test_labels_of_one_split_and_gaps_are_told(self) -> None:
        x = np.random.default_rng(1).random((40, 4)).astype(np.float32)
        y = np.arange(40) % 2
        self.arrays("gaps.npz", x_train=x, y_train=255 * y, x_test=x, y_test=255 * y)
        self.arrays("classes.npz", x_train=x, y_train=y, x_test=x, y_test=y + 1)
        self.arrays("floats.npz", x_train=x, y_train=1.0 * y, x_test=255 * x, y_test=1.0 * y,
                    node_train=y)
        for name, told in (
            ("gaps", ["254 of 256 classes, such as 1, have no example"]),
            ("classes", ["such as 2, have test examples but no training example",
                         "such as 0, have training examples but no test example"]),
            ("floats", ["targets of a regression", "expected one scale", "array 'node_train'",
                        "options 'label' and 'testFraction'", "option 'dataDir'"]),
        ):  # fmt: skip
            answer = self.run_program(
                *(LEARN, f"--dataset=file:{name}.npz", "--model=mlp:4", "--label=y"),
                *("--nodes=2", "--rounds=1", "--algorithm=sgp", "--progress=none", "--dataDir=/"),
                *("--batchSize=4", f"--trace={name}.db"),
            )
            self.assertEqual(answer.returncode, 0, answer.stderr)
            for text in told:
                self.assertIn(text, answer.stderr)


if __name__ == "__main__":
    unittest.main()
