#!/usr/bin/env python3
# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Writes seeds for dataset-fuzz: valid archives of every type and shape, and tables.

usage: dataset_corpus.py FOLDER
"""

import io
import sys
from pathlib import Path

import numpy as np

TYPES = ("u1", "i1", "f2", "f4", "f8", ">i2", ">f4", "u8", "?")
SHAPES = ((4, 2), (4, 1, 2), (4, 1, 1, 2))
TABLES = ("a,label\n1,2\n2,3\n4,5\n5,6\n7,8\n", '"x",label,b\r\n1.5,2.0,-1e3\r\n2,3.,4\r\n1,1,1\n')


def archive(save, **arrays: np.ndarray) -> bytes:
    file = io.BytesIO()
    save(file, **arrays)
    return file.getvalue()


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    labels = np.array([0, 2, 1, 2])
    for shape in SHAPES:
        for number, kind in enumerate(TYPES):
            values = np.arange(8).reshape(shape).astype(kind)
            named = labels if number % 2 else labels * 0.5
            save = np.savez if len(shape) % 2 else np.savez_compressed
            arrays = {"x_train": values, "y_train": named, "node_train": labels}
            data = archive(save, **arrays, x_test=values[:2], y_test=named[:2])
            (folder / f"archive-{len(shape)}-{number}").write_bytes(b"\0" + data)
    for number, text in enumerate(TABLES):
        (folder / f"table-{number}").write_bytes(b"\1" + text.encode())


if __name__ == "__main__":
    main(Path(sys.argv[1]))
