#!/bin/bash
# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Makes mobility-N.tcl and activity-N.tcl in this folder anew, with SUMO (./dpdl setup --with=sumo).
# The same version of SUMO makes the same files: 1.15.0 of Debian 12 made those that are here.

set -euo pipefail
export SUMO_HOME=${SUMO_HOME:-/usr/share/sumo}
# Debian's Python: SUMO's tools need modules that Debian installs for it.
python=/usr/bin/python3
output=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# A grid of 5 by 5 crossings, 200 m apart, on which 20 vehicles depart within half a minute.
netgenerate --grid --grid.number 5 --grid.length 200 --default.lanenumber 1 --seed 1 \
    -o net.xml >/dev/null
for trace in 1 2 3; do
    "$python" "$SUMO_HOME/tools/randomTrips.py" -n net.xml -o trips.xml -r routes.xml \
        -b 0 -e 30 -p 1.5 --min-distance 600 --seed $((trace + 1)) --validate >/dev/null
    sumo -n net.xml -r routes.xml --fcd-output fcd.xml --step-length 0.5 -e 100 --no-step-log \
        --seed "$trace" >/dev/null
    "$python" "$SUMO_HOME/tools/traceExporter.py" --fcd-input fcd.xml \
        --ns2mobility-output "mobility-$trace.tcl" --ns2activity-output "activity-$trace.tcl" \
        >/dev/null 2>&1
done

mv mobility-?.tcl activity-?.tcl "$output"
