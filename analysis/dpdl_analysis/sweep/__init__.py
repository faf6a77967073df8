# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Campaigns: all runs of a sweep's or a study's file, on this machine or a cluster.

`file` reads the file and `study` the command line. `program` checks both against the options of the
simulation program. `plan` lists the runs. `folder`, `runner` and the engines `local` and `slurm`
make the traces. `catalogue` stores the results.
"""
