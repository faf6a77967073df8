#!/usr/bin/env python3
# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later

# (name with arguments, do_run, do_valgrind_run)
cpp_examples = [
    ("dpdl-consensus", "True", "False"),
    ("dpdl-csma", "True", "False"),
    ("dpdl-csma --transport=udp", "True", "False"),
    ("dpdl-csma --transport=tcp", "True", "False"),
    ("dpdl-flow-monitor", "True", "False"),
    ("dpdl-lr-wpan", "True", "False"),
    ("dpdl-lte", "True", "False"),
    ("dpdl-minimal", "True", "False"),
    ("dpdl-mobility", "True", "True"),
    ("dpdl-netanim", "True", "False"),
    ("dpdl-own-algorithm", "True", "False"),
    ("dpdl-own-algorithm --argued", "True", "False"),
    ("dpdl-own-loss", "True", "False"),
    ("dpdl-own-data", "True", "False"),
    ("dpdl-own-model", "True", "False"),
    ("dpdl-third", "True", "False"),
    ("dpdl-trace-sources", "True", "False"),
    ("dpdl-wifi-adhoc", "True", "False"),
    ("dpdl-wifi-adhoc --transport=tcp", "True", "False"),
]
python_examples = []
