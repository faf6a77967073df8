# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Campaigns: all runs of a sweep's or a study's file, on this machine or a cluster.

`file` reads what is asked for, `study` what the command line adds, `program` holds it
to the options that there are, `plan` makes runs of it, `folder`, `runner` and the engines make the
traces, `catalogue` keeps what came out.
"""
