# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Files that are written whole or not at all."""

from __future__ import annotations

import os
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import Iterator

from dpdl_analysis.trace import UsageError


@contextmanager
def replacing(output: Path) -> Iterator[str]:
    """A file beside `output`, of the same kind, that takes its place at the end.

    A failure leaves `output` untouched. Raises UsageError if it cannot be written.
    """
    try:
        handle, name = tempfile.mkstemp(output.suffix, f".{output.stem}-", output.parent)
    except OSError as error:
        raise UsageError(
            f"--output={output}: {error.strerror}; accepted is a file in a writable folder"
        ) from error
    os.close(handle)
    try:
        yield name
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(name, 0o666 & ~mask)
        os.replace(name, output)
    except BaseException:
        os.unlink(name)
        raise
