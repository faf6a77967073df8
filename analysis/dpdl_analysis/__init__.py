# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Analyses trace files of dpdl, and starts the runs of campaigns.

Main modules:

* ``place``       folders of programs, in a clone or a wheel
* ``formatting``  numbers as text
* ``trace``       one trace file, read-only, through its public views
* ``labels``      labels of several runs
* ``metrics``     results by which runs are compared, with their meaning
* ``outcome``     classification of a run: learnt, fell back, diverged and others
* ``table``, ``inspection``, ``checks``  commands on the terminal
* ``comparison``  paired comparison of runs, variants or campaigns
* ``figures``, ``verdict``, ``page``     figures and HTML pages
* ``studies``     results of campaigns and of papers' studies
* ``sweep``       runs of campaigns
* ``cli``         the command line
"""
