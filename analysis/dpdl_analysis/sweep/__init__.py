# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Sweeps: all runs of a file of fixed and varied options, on this machine or a cluster.

`file` reads what is asked for, `program` holds it to the options that there are, `plan` makes runs
of it, `folder` and the engines make the traces, `catalogue` keeps what came out.
"""
