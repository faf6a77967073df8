#!/usr/bin/env bash
# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The commands of the wheel in a bare system of Debian that has python3-venv and nothing else that it needs. Needs
# root and debootstrap.
# usage: wheel-bare.sh PATH-OF-DPDL [SUITE] [WHEEL]
set -euo pipefail

suite=${2:-bookworm}
wheel=${3:-$("$1" wheel)}
here=$(realpath "$(dirname "$0")")
system=$(mktemp -d)
trap 'rm -rf --one-file-system "$system"' EXIT
debootstrap --variant=minbase --include=python3-venv,ca-certificates "$suite" "$system" >/dev/null
cp "$wheel" "$here/wheel-check.sh" "$system/root"
for file in /etc/resolv.conf /etc/pip.conf /etc/ssl/certs/ca-certificates.crt; do
    [[ ! -e $file ]] || cp -L "$file" "$system$file"
done
# shellcheck disable=SC2016
unshare --mount --pid --fork --kill-child bash -c 'mount -t proc proc "$0/proc" && mount --rbind /dev "$0/dev" &&
    exec chroot "$0" env HOME=/root PATH=/usr/local/bin:/usr/bin:/bin bash -c "cd /root && python3 -m venv venv &&
        venv/bin/pip install -q dpdl-*.whl && mkdir run && ./wheel-check.sh venv run"' "$system"
