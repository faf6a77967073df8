#!/usr/bin/env python3
# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Lets nodes of ns-3's own example scripts learn, and compares dpdl's trace with ns-3's trace of IP.

Prints the table of doc/ns3-users.md. While it builds, scenarios/ has a changed copy of each script.

usage: tools/ns3-scripts.py NS3-SOURCE-FOLDER [SCRIPT...]
"""

import os
import re
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ROWS = """\
examples/tutorial/first | 0 1 | 1s 0s |
examples/tutorial/second | 0 1 2 3 4 | 1s 0s |
examples/tutorial/third | 0 1 2 3 4 5 6 7 | 1s 0s |
examples/routing/dynamic-global-routing | 0 1 2 3 4 5 6 | 10s 0s |
examples/tcp/star | 0 1 2 3 4 5 6 7 8 | 1s 0s |
src/bridge/examples/csma-bridge | 0 1 2 3 | 1s 0s |
src/nix-vector-routing/examples/nix-simple | 0 1 2 3 | 1s 0s |
src/aodv/examples/aodv | 0 1 2 3 | 1s 1s |
src/lte/examples/lena-simple-epc | 3 6 7 | 1s 0s |
src/lte/examples/lena-simple-epc | 3 6 7 | 1s 0s | --ns3::LteRlcUm::MaxTxBufferSize=100000
examples/wireless/wifi-simple-adhoc-grid | 0 4 20 24 | 30s 1s | --distance=100
examples/wireless/wifi-simple-adhoc-grid | 0 4 20 24 | 30s 1s | --distance=100 \
--ns3::WifiRemoteStationManager::RtsCtsThreshold=200 --ns3::WifiMacQueue::MaxDelay=100s \
--ns3::ArpCache::PendingQueueSize=100
"""
# Columns of ROWS: path in ns-3's source; ids of the nodes that learn; start of learning and its jitter,
# as ns-3 times; arguments of the script.
OPTIONS = "network packet topology ring model softmax-regression rounds 3 deadline 120s evaluateEvery 3"


def build(source: Path, scripts: set[str]) -> None:
    """Builds copies of the scripts with learning, which end after the last round."""
    copies = {ROOT / f"scenarios/ns3-{Path(one).name}.cc": source / f"{one}.cc" for one in scripts}
    try:
        for copy, original in copies.items():
            text = re.sub(r"Simulator::Stop\([^;]*;", "", original.read_text())
            text = text.replace("Simulator::Run();", "ns3::RunDpdlScript();")
            copy.write_text(f'#include "../tools/ns3-script.h"\n{text}')
        targets = " ".join(copy.stem for copy in copies)
        subprocess.run([ROOT / "dpdl", "build", f"--target={targets}"], check=True)
    finally:
        for copy in copies:
            copy.unlink(missing_ok=True)


def run(script: str, nodes: str, start: str, arguments: str, transport: str) -> tuple[int, list, list]:
    """Returns the number of messages, and (node, seconds) of arrivals by both traces."""
    ids = [int(word) for word in nodes.split()]
    with tempfile.TemporaryDirectory() as folder:
        options = f"{len(ids)} {nodes} {start} {OPTIONS} transport {transport} trace run.db"
        environment = {**os.environ, "DPDL_SCRIPT": options}
        command = [ROOT / f"build/default/scenarios/ns3-{Path(script).name}", *arguments.split()]
        told = subprocess.run(command, cwd=folder, env=environment, check=True, stdout=subprocess.PIPE, text=True)
        with sqlite3.connect(f"{folder}/run.db") as trace:
            rows = trace.execute("SELECT target, arrived_at FROM delivery WHERE fate <> 'duplicate'").fetchall()
    arrived = re.findall(r"^/NodeList/(\d+)/\S+ (\d+)$", told.stdout, re.MULTILINE)
    known = sorted((ids[target], at) for target, at in rows if at is not None)
    return len(rows), known, sorted((int(node), 1e-9 * int(at)) for node, at in arrived)


def print_row(script: str, nodes: str, start: str, arguments: str) -> None:
    """Runs a script with UDP and with TCP, and prints its row of the table."""
    sent, known, seen = run(script, nodes, start, arguments, "udp")
    gap = max((abs(a[1] - b[1]) for a, b in zip(known, seen)), default=0.0)
    shift = f"{1e9 * gap:.0f} ns" if known and [a[0] for a in known] == [b[0] for b in seen] else "-"
    by_tcp, came, _ = run(script, nodes, start, arguments, "tcp")
    name = " ".join([Path(script).name, *(f"`{word}`" for word in arguments.split())])
    print(f"| {name} | {sent} | {len(known)} | {len(seen)} | {shift} | {len(came)} of {by_tcp} |", flush=True)


if len(sys.argv) < 2 or not (Path(sys.argv[1]) / "examples").is_dir():
    sys.exit(__doc__)
rows = [[cell.strip() for cell in line.split("|")] for line in ROWS.splitlines()]
rows = [row for row in rows if not sys.argv[2:] or Path(row[0]).name in sys.argv[2:]]
build(Path(sys.argv[1]), {row[0] for row in rows})
print("| script | sent by UDP | delivered, dpdl's trace | delivered, ns-3's trace | largest difference | by TCP |")
print("|---|---|---|---|---|---|")
for row in rows:
    print_row(*row)
