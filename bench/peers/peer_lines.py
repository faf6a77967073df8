# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""What peers have in common: one thread, how they are timed, and the line that each prints.

A line has fields `name=value`, separated by tabs: peer, setting, private, seconds (one for each
repetition), or trouble.
"""
import importlib.metadata
import os
import sys
import time
from typing import Callable

# Before any library is loaded.
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("MKL_NUM_THREADS", "1")
os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
if "--device=cuda" not in sys.argv:
    os.environ["JAX_PLATFORMS"] = "cpu"
os.environ.setdefault("TORCHINDUCTOR_COMPILE_THREADS", "1")

SAMPLE = 0.02  # least seconds of one repetition
BUDGET = 2.0  # seconds of all repetitions of a peer


def tell(peer: str, **fields: object) -> None:
    """Prints a peer's line."""
    parts = [f"peer={peer}"]
    for name, value in fields.items():
        parts += [f"{name}={one}" for one in (value if isinstance(value, list) else [value])]
    print("\t".join(" ".join(part.split()) for part in parts), flush=True)


def seconds_of(step: Callable[[], object], repeats: int, warm: bool = False,
               now: Callable[[], float] = time.process_time) -> list[float]:
    """Processor seconds of one call, by repetition; together at most BUDGET, but three of them.

    warm: it has been called before, so that nothing is left that is done once. now: another clock.
    """
    for _ in range(0 if warm else 2):
        step()
    before = now()
    step()
    calls = max(1, int(SAMPLE / max(now() - before, 1e-7)))
    seconds: list[float] = []
    while len(seconds) < repeats and (len(seconds) < 3 or sum(seconds) * calls < BUDGET):
        before = now()
        for _ in range(calls):
            step()
        seconds.append((now() - before) / calls)
    return seconds


def device_clock() -> float:
    """Wall-clock time when all that was asked of a CUDA device is done."""
    if "torch" in sys.modules:
        sys.modules["torch"].cuda.synchronize()
    return time.perf_counter()


def attempt(peer: str, package: str, measure: Callable[[], dict[str, object]]) -> None:
    """Measures a peer of a package and prints the fields, or why that is not possible."""
    try:
        fields = measure()
        tell(f"{peer} ({package} {importlib.metadata.version(package)})", **fields)
    except ImportError as missing:
        tell(peer, trouble=f"{missing.name} cannot be imported; to have it: "
                           f"{os.path.basename(sys.executable)} -m pip install {package}")
    except Exception as error:  # a peer that fails is no reason to lose the others
        tell(peer, trouble=f"failed: {type(error).__name__}: {str(error)[:120]}")
