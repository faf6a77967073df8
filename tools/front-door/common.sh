# shellcheck shell=bash
# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Functions for messages and names that every command of ./dpdl uses. The caller sets ROOT, the
# checkout, and PROGRAM, the path of dpdl-command, which need not exist.

say()
{
    echo "dpdl: $*" >&2
}

# mistake TEXT: reports a user's mistake in one line and exits with code 2.
mistake()
{
    say "$*"
    exit 2
}

# one_line WORDS: prints the words in one line, with single blanks between them.
one_line()
{
    tr -s ' \n' '  ' <<<"$1" | sed 's/ $//'
}

fail()
{
    say "$*"
    exit 1
}

# excerpt TEXT: prints its first 80 bytes, with `?` for each that is not printable ASCII.
excerpt()
{
    printf '%s' "${1:0:80}" | LC_ALL=C tr -c ' -~' '?'
}

# unknown WHAT WORD NAMES: reports "unknown WHAT" with the accepted names and exits with code 2. If the
# program is built, the message also suggests the nearest name.
unknown()
{
    # shellcheck disable=SC2086
    [[ ! -x $PROGRAM ]] || exec "$PROGRAM" --unknown "$1" "$2" $3
    mistake "unknown $1 '$(excerpt "$2")' (accepted: $(one_line "$3"))"
}

# Prints the names of the scenarios, one per line: of programs (a source file), of studies (a file that
# lists the runs of a program), and of papers (a folder of studies).
scenarios()
{
    names_of "$ROOT"/scenarios/*.cc "$ROOT"/scenarios/studies/*.toml "$ROOT"/scenarios/papers/* | sort -u
}

examples()
{
    names_of "$ROOT"/contrib/dpdl/examples/*.cc
}

names_of()
{
    local file
    for file in "$@"; do
        [[ -e $file ]] || continue
        file=${file##*/}
        file=${file%.cc}
        echo "${file%.toml}"
    done
}

presets()
{
    sed -n 's/.*"configurePreset": "\([^"]*\)".*/\1/p' "$ROOT/CMakePresets.json"
    printf '%s\n' in-tree in-tree-debug
}

require_preset()
{
    grep -qxF -e "$1" <<<"$(presets)" || unknown preset "$1" "$(presets)"
}
