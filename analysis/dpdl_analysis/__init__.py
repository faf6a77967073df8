# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Reads dpdl trace files and says what they show; never simulates.

Modules, each depending only on those before it:

* ``place``       where programs are, in a clone or a wheel
* ``formatting``  numbers as text
* ``trace``       one trace file, read-only, through its public views
* ``labels``      what to call each of several runs
* ``metrics``     the numbers a run is compared by, and what each one means
* ``glossary``    what the other words mean
* ``outcome``     whether a run learnt, fell back or diverged
* ``table``, ``inspection``, ``checks``  the terminal commands (standard library only)
* ``figures``, ``verdict``, ``report``   the HTML report (pandas, matplotlib, Jinja2)
* ``cli``         the command line
"""
