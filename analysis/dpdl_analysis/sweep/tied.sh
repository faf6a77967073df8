#!/bin/sh
# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Runs a program that dies with its parent, also if the parent dies before this is begun.
# usage: setpriv --pdeathsig KILL sh tied.sh PARENT PROGRAM ARGUMENTS...
# PARENT is the process number of who starts it.
[ "$PPID" = "$1" ] || exit 130
shift
exec "$@"
