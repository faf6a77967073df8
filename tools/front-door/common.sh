# shellcheck shell=bash
# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What every command of ./dpdl uses: messages and names. Needs ROOT, and PROGRAM, which may be missing.

say()
{
    echo "dpdl: $*" >&2
}

# The user's mistake: one line, exit code 2.
mistake()
{
    say "$*"
    exit 2
}

# one_line WORDS: the words with single blanks between them.
one_line()
{
    tr -s ' \n' '  ' <<<"$1" | sed 's/ $//'
}

fail()
{
    say "$*"
    exit 1
}

# excerpt TEXT: its beginning, harmless to a terminal.
excerpt()
{
    printf '%s' "${1:0:80}" | LC_ALL=C tr -c ' -~' '?'
}

# unknown WHAT WORD NAMES: ends with "unknown WHAT" and the accepted names; the program, if it is built, also
# finds the nearest of them.
unknown()
{
    # shellcheck disable=SC2086
    [[ ! -x $PROGRAM ]] || exec "$PROGRAM" --unknown "$1" "$2" $3
    mistake "unknown $1 '$(excerpt "$2")' (accepted: $(one_line "$3"))"
}

# The names of the scenarios and examples, one a line: a program is one source file, a study a file
# of what its program runs, and a paper a folder of studies.
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
    echo in-tree
}

require_preset()
{
    grep -qxF -e "$1" <<<"$(presets)" || unknown preset "$1" "$(presets)"
}
