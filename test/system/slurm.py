#!/usr/bin/env python3
# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Sweeps as Slurm job arrays, and runs on ranks, on a cluster of two nodes on this machine that lives
as long as the test.

usage: slurm.py BUILD-FOLDER [unittest arguments]
Skipped where Debian's packages slurm-wlm and munge are not installed.
"""

import os
import pwd
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
import unittest
from contextlib import closing
from pathlib import Path
from typing import Callable

from program_case import ANALYSIS, analyse
from sweep_case import REAL, SAMPLE, SKIPPED, SweepCase, begun

NEEDED = ("munged", "slurmctld", "slurmd", "sbatch", "squeue", "sinfo", "scancel")
CONFIGURATION = """\
ClusterName=sweep
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={controller}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CredType=cred/munge
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool.%n
TmpFS={folder}/tmp.%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.%n.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerType=sched/builtin
MpiDefault=none
ReturnToService=2
NodeName=one NodeHostname={host} NodeAddr=127.0.0.1 Port={first} CPUs=2 State=UNKNOWN
NodeName=two NodeHostname={host} NodeAddr=127.0.0.1 Port={second} CPUs=2 State=UNKNOWN
PartitionName=short Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""
NODES = ("one", "two")
RUN = (
    "--nodes=8 --rounds=4 --dataset=blobs --samples=480 --model=softmax-regression --workers=1 "
    "--progress=none --drop=0.1 --lossPolicy=reliable"
)
JOB = """#!/bin/bash
#SBATCH --nodes=2 --ntasks-per-node=1
set -e
srun --mpi=pmix {learn} {run} --trace=srun.db
mpirun {learn} {run} --trace=mpirun.db
{dpdl} run learn --ranks=auto {run} --trace=auto.db
"""
PATIENCE = 60.0
BUILD = Path(sys.argv.pop(1)).resolve()


def programs() -> dict[str, str]:
    """Paths of what the cluster consists of; daemons may not be in a user's path."""
    path = os.environ.get("PATH", "") + ":/usr/sbin:/sbin"
    return {name: found for name in NEEDED if (found := shutil.which(name, path=path))}


class Cluster:
    """Controller, node and their authentication, in its own folder."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp())
        self._paths, self._daemons = programs(), []
        (self.folder / "state").mkdir()
        for node in NODES:
            (self.folder / f"spool.{node}").mkdir()
            (self.folder / f"tmp.{node}").mkdir()
        (self.folder / "munge.key").write_bytes(os.urandom(128))
        (self.folder / "munge.key").chmod(0o600)
        self.folder.chmod(0o755)
        text = CONFIGURATION.format(
            host=socket.gethostname().partition(".")[0], folder=self.folder,
            user=pwd.getpwuid(os.getuid()).pw_name, controller=free_port(), first=free_port(),
            second=free_port())
        (self.folder / "slurm.conf").write_text(text)
        (self.folder / "cgroup.conf").write_text("CgroupPlugin=cgroup/v1\n")
        os.environ["SLURM_CONF"] = str(self.folder / "slurm.conf")

    def start(self) -> None:
        """Raises RuntimeError with what the daemons say if the node does not come up."""
        place = {name: self.folder / f"munge.{name}" for name in ("key", "socket", "pid", "seed")}
        self._begin("munged", "--foreground", "--force", f"--key-file={place['key']}",
                    f"--socket={place['socket']}", f"--pid-file={place['pid']}",
                    f"--seed-file={place['seed']}", f"--log-file={self.folder}/munge.log")
        self._wait(place["socket"].exists)
        self._begin("slurmctld", "-D", "-i")
        for node in NODES:
            self._begin("slurmd", "-D", "-N", node)
        self._wait(lambda: "idle" in subprocess.run(
            [self._paths["sinfo"], "-h", "-o", "%T"], capture_output=True, text=True,
            check=False).stdout)

    def stop(self) -> None:
        """Ends the daemons, the last one first."""
        for daemon in reversed(self._daemons):
            daemon.terminate()
        for daemon in self._daemons:
            try:
                daemon.wait(timeout=20)
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _begin(self, name: str, *arguments: str) -> None:
        with (self.folder / f"{name}.log").open("wb") as log:
            self._daemons.append(subprocess.Popen([self._paths[name], *arguments], stdout=log,
                                                  stderr=log, stdin=subprocess.DEVNULL))

    def _wait(self, ready: Callable[[], bool]) -> None:
        limit = time.monotonic() + PATIENCE
        while not ready():
            if time.monotonic() > limit:
                logs = [path.read_text(errors="replace")[-1500:]
                        for path in self.folder.glob("*.log")]
                raise RuntimeError("the cluster does not come up:\n" + "\n".join(logs))
            time.sleep(0.2)


def free_port() -> int:
    """A port without a listener at the moment."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class SlurmTest(SweepCase):
    """Makes sweeps on the cluster."""

    cluster: Cluster

    @classmethod
    def setUpClass(cls) -> None:
        cls.cluster = Cluster()
        cls.addClassCleanup(cls.cluster.stop)
        cls.cluster.start()

    def engine(self, *options: str) -> list[str]:
        return ["--engine=slurm", "--progress=none", *options]

    def test_the_array_makes_what_this_machine_makes(self) -> None:
        build = self.stub()
        self.write(SAMPLE.replace("0.4,", "0.5,"))
        self.sweep(build, "--progress=none", "--outputDir=local", code=1)
        done = self.sweep(build, *self.engine("--slurm=--partition=short --time=5"), code=1)
        self.assertIn("3 of 24 runs failed", done.stderr)
        self.assertEqual(self.rows(), self.rows(self.folder / "local"))
        self.assert_clean()
        script = (self.results / ".sweep" / "slurm.sh").read_text()
        self.assertIn("#SBATCH --array=1-3\n", script)

    def test_killed_while_the_array_runs_it_is_followed_again(self) -> None:
        build = self.stub()
        self.write(SAMPLE)
        process = subprocess.Popen(
            self.words(build, *self.engine("--jobs=1")), cwd=self.folder,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        limit = time.monotonic() + PATIENCE
        ended = self.results / ".sweep" / "ended"
        while not list(self.results.glob("*-?.db")) and time.monotonic() < limit:
            time.sleep(0.05)
        process.send_signal(signal.SIGKILL)
        process.wait()
        self.assertTrue(ended.exists())
        done = self.sweep(build, *self.engine())
        self.assertIn("runs are there already", done.stderr)
        self.assertEqual({dict(row)["state"] for row in self.rows()}, {"done"})
        self.assertEqual(len(list((self.results / ".sweep").glob("slurm-*_1.log"))), 1)
        self.assert_clean()

    def test_a_cancelled_array_is_told_and_the_rest_made_later(self) -> None:
        build = self.stub()
        self.write(SAMPLE)
        process = subprocess.Popen(
            self.words(build, *self.engine("--jobs=1")), cwd=self.folder, text=True,
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        limit = time.monotonic() + PATIENCE
        while not list(self.results.glob("*-?.db")) and time.monotonic() < limit:
            time.sleep(0.05)
        subprocess.run([programs()["scancel"], "--me"], check=True)
        _, error = process.communicate(timeout=PATIENCE)
        self.assertEqual(process.returncode, 1, error)
        self.assertRegex(error, r"\d+ of 24 runs did not end: Slurm job \d+ ended without them")
        self.sweep(build, *self.engine())
        self.assertEqual({dict(row)["state"] for row in self.rows()}, {"done"})
        self.assert_clean()

    def test_runs_of_a_cancelled_array_go_on_from_their_last_commit(self) -> None:
        self.write(REAL)
        self.sweep(BUILD, *self.engine())
        whole, rows = self.traces(), self.rows()
        shutil.rmtree(self.results)
        process = subprocess.Popen(
            self.words(BUILD, *self.engine("--jobs=2")), cwd=self.folder,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while process.poll() is None and not any(map(begun, self.parts())):
            time.sleep(0.02)
        told = self.sweep(BUILD, "--cancel").stdout
        self.assertRegex(told, r"^sweep \d+, Slurm job \d+ ended; start it again to go on$")
        process.wait(timeout=PATIENCE)
        self.assertTrue(any(map(begun, self.parts())))
        self.sweep(BUILD, *self.engine())
        self.assertEqual(self.traces(), whole)
        self.assertEqual(self.rows(), rows)
        self.assertIn("yes", self.told("resumed"))
        self.assert_clean()

    @unittest.skipUnless(shutil.which("mpirun"), "no mpirun")
    def test_the_ranks_of_a_job_make_what_one_process_makes(self) -> None:
        learn = BUILD / "scenarios" / "learn"
        subprocess.run([learn, *RUN.split(), "--trace=whole.db"], cwd=self.folder, check=True)
        (self.folder / "job.sh").write_text(
            JOB.format(learn=learn, run=RUN, dpdl=ANALYSIS.parents[1] / "dpdl"))
        environment = {
            **os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
        done = subprocess.run(
            [programs()["sbatch"], "--wait", "--output=job.log", "job.sh"], cwd=self.folder,
            env=environment, stdout=subprocess.DEVNULL, check=False)
        self.assertEqual(done.returncode, 0, (self.folder / "job.log").read_text())
        learnt = {}
        for name in ("whole", "srun", "mpirun", "auto"):
            trace = self.folder / f"{name}.db"
            if not trace.exists():
                analyse(self.folder, "merge", trace.name)
            with closing(sqlite3.connect(trace)) as database:
                learnt[name] = database.execute(
                    "SELECT node, w, hex(z) FROM snapshot ORDER BY node").fetchall()
        for name, states in learnt.items():
            self.assertEqual(states, learnt["whole"], name)
        self.assertEqual(len(learnt["whole"]), 8)
        self.assertEqual(list(self.folder.glob("*.rank[01].db")), [])

    def test_what_sbatch_says_is_told(self) -> None:
        build = self.stub()
        self.write(SAMPLE)
        done = self.sweep(build, *self.engine("--slurm=--partition=none"), code=1)
        self.assertIn("sbatch does not take the job", done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1)


if __name__ == "__main__":
    missing = sorted(set(NEEDED) - set(programs()))
    if missing:
        print(f"skipped: {', '.join(missing)} not found; ./dpdl setup --with=slurm")
        sys.exit(SKIPPED)
    unittest.main()
