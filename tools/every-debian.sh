#!/usr/bin/env bash
# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Runs the two commands of the README as a new user does, in a bare system of each supported release of
# Debian, without git and compiler. Prints one line per release. Needs root and debootstrap.
set -uo pipefail
ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=tools/front-door/common.sh
source "$ROOT/tools/front-door/common.sh"
# Folder of the clone in each system. The blank tests that every command quotes it. An apostrophe
# would make Ninja 1.11 build everything in every command: it reads names of headers only up to there.
readonly CLONE="a clone"

suites=() jobs=1 load=0 keep=no user=root all='' also='' folder=$ROOT/build/debian

usage()
{
    cat <<EOF
usage: tools/every-debian.sh [SUITE ...] [--option]

Makes a bare system of each suite (default: bookworm trixie testing), copies this working tree there, and
runs ./dpdl run quickstart and ./dpdl test. Exit code 1 if one of them fails.

  --all            ./dpdl test --all
  --user           as another user than root, with sudo
  --load=N         beside N processes that never sleep
  --also=COMMAND   runs the command there afterwards, as root
  --jobs=N         so many suites at a time; default 1
  --keep           keeps the systems, and the logs of what passed; default: bare systems alone
  --folder=FOLDER  where the systems and logs are; default build/debian
EOF
}

for option in "$@"; do
    case $option in
        --all) all=--all ;;
        --user) user=tester ;;
        --keep) keep=yes ;;
        --load=*[!0-9]* | --jobs=*[!0-9]* | --jobs=0 | --load= | --jobs=)
            mistake "every-debian: option '$(excerpt "$option")', expected a whole number" ;;
        --load=*) load=${option#*=} ;;
        --jobs=*) jobs=${option#*=} ;;
        --also=*) also=${option#*=} ;;
        --folder=?*) folder=$(realpath -m "${option#*=}") ;;
        --help) usage && exit ;;
        -*) mistake "every-debian: unknown option '$(excerpt "$option")'; --help lists them" ;;
        *) suites+=("$option") ;;
    esac
done
((EUID == 0)) && command -v debootstrap >/dev/null ||
    mistake "every-debian: needs root and debootstrap: apt-get install debootstrap"

# inside SYSTEM USER COMMAND: runs a command in the clone of a system, in separate process and mount
# namespaces: afterwards no process is left running and nothing mounted.
inside()
{
    # shellcheck disable=SC2016
    unshare --mount --pid --fork --kill-child bash -c 'set -e
        mount -t proc proc "$1/proc" && mount -t sysfs sysfs "$1/sys" && mount --rbind /dev "$1/dev"
        exec chroot "$1" env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin TERM=dumb \
            LANG=C.UTF-8 DPDL_WERROR="${DPDL_WERROR:-}" su "$2" -s /bin/bash -c "cd \"/$4\" && $3"' \
        inside "$@" "$CLONE" </dev/null
}

# timed SYSTEM COMMAND LOG: runs the command as $user; sets `seconds` (wall time) and `status` (exit code).
timed()
{
    local begin=$SECONDS
    inside "$1" "$user" "$2" >"$3" 2>&1
    status=$? seconds=$((SECONDS - begin))
}

# bare SUITE: makes a bare system with debootstrap in $folder/SUITE.bare, unless it exists. A suite that
# debootstrap does not know is made like sid.
bare()
{
    local script=''
    [[ -e /usr/share/debootstrap/scripts/$1 ]] || script=sid
    [[ -d $folder/$1.bare ]] && return
    debootstrap --variant=minbase "$1" "$folder/$1.part" ${script:+"" "$script"} >"$folder/$1.log" 2>&1 &&
        mv "$folder/$1.part" "$folder/$1.bare"
}

check()
{
    local suite=$1 system=$folder/$1 log=$folder/$1 status seconds line i busy=() failed=0
    rm -rf --one-file-system "${system:?}" "$folder/$1.part"
    bare "$suite" && cp -a "$folder/$suite.bare" "$system" ||
        { echo "$suite: no system, see $log.log" && return 1; }
    mkdir -p "$system/$CLONE"
    git -C "$ROOT" ls-files -z | tar -C "$ROOT" --null --ignore-failed-read -cf - -T - 2>/dev/null |
        tar -C "$system/$CLONE" -xf -
    if [[ $user != root ]]; then
        inside "$system" root "apt-get update -qq && apt-get install -qq -y sudo && useradd -m $user &&
            echo '$user ALL=(ALL) NOPASSWD: ALL' >/etc/sudoers.d/$user && chown -R $user \"/$CLONE\"" >"$log.log" 2>&1
    fi
    for ((i = 0; i < load; ++i)); do
        (while :; do :; done) &
        busy+=($!)
    done
    timed "$system" "./dpdl run quickstart" "$log.quickstart.log"
    line="$suite: quickstart $seconds s"
    ((status == 0)) || { line+=" FAILED ($log.quickstart.log)" failed=1; }
    timed "$system" "./dpdl test $all" "$log.test.log"
    line+=", test $seconds s: $(sed -n 's/^.* tests passed, \(.*\)/\1/p' "$log.test.log" | tail -n 1)"
    ((status == 0)) || { line+=" FAILED ($log.test.log)" failed=1; }
    if [[ -n $also ]]; then
        user=root timed "$system" "$also" "$log.also.log"
        line+=", also $seconds s"
        ((status == 0)) || { line+=" FAILED ($log.also.log)" failed=1; }
    fi
    ((load == 0)) || { kill "${busy[@]}" && line+=", beside a load of $load"; }
    [[ $user == root ]] || line+=", as another user"
    echo "$line"
    [[ $keep == yes ]] || rm -rf --one-file-system "$system"
    return "$failed"
}

mkdir -p "$folder"
((${#suites[@]})) || suites=(bookworm trixie testing)
result=0
for suite in "${suites[@]}"; do
    while (($(jobs -rp | wc -l) >= jobs)); do
        wait -n || result=1
    done
    check "$suite" &
done
while [[ -n $(jobs -p) ]]; do
    wait -n || result=1
done
exit "$result"
