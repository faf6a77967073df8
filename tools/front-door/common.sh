# shellcheck shell=bash
# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What every command of ./dpdl uses: messages, names, programs. Needs ROOT.

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

# excerpt TEXT: foreign text as a message may show it, as Excerpt() of the programs does: on one line,
# harmless to a terminal, 80 bytes or so; of a longer text the middle is left out.
excerpt()
{
    local LC_ALL=C.UTF-8 text=$1 longest=80 tail=26 escaped='' letter code i
    # What changes the direction of a text (U+061C, U+200E, U+200F, U+2028 to U+202E, U+2066 to U+2069)
    # or does not show (U+00A0, U+00AD, U+180E, U+200B, U+2060 to U+2064, U+FEFF, tags).
    local format=$'\xd8\x9c\xe2\x80\x8e\xe2\x80\x8f\xe2\x80\xa8\xe2\x80\xa9\xe2\x80\xaa\xe2\x80\xab'
    format+=$'\xe2\x80\xac\xe2\x80\xad\xe2\x80\xae\xe2\x81\xa6\xe2\x81\xa7\xe2\x81\xa8\xe2\x81\xa9'
    format+=$'\xe1\xa0\x8e\xf3\xa0\x80\x80-\xf3\xa0\x81\xbf'
    format+=$'\xc2\xa0\xc2\xad\xe2\x80\x8b\xe2\x81\xa0\xe2\x81\xa1\xe2\x81\xa2\xe2\x81\xa3\xe2\x81\xa4\xef\xbb\xbf'
    ((${#text} <= 2 * longest)) || text=${text:0:longest}${text: -longest}
    if [[ $text == *[![:print:]]* || $text == *[$format]* ]]; then
        for ((i = 0; i < ${#text}; ++i)); do
            letter=${text:i:1}
            case $letter in
                $'\n') escaped+='\n' ;;
                $'\t') escaped+='\t' ;;
                $'\r') escaped+='\r' ;;
                [$format]) printf -v code '\\u%04x' "'$letter" && escaped+=$code ;;
                [[:print:]]) escaped+=$letter ;;
                *)
                    printf -v code '\\x%02x' "$(($(printf '%d' "'$letter") & 255))"
                    escaped+=$code
                    ;;
            esac
        done
        text=$escaped
    fi
    ((${#text} <= longest)) || text=${text:0:longest - tail - 3}...${text: -tail}
    printf '%s' "$text"
}

# nearest WORD NAMES: the name most like WORD, if one is like it; none without Python.
nearest()
{
    python3 -EPc 'import difflib, sys
print(*difflib.get_close_matches(sys.argv[1], sys.argv[2].split(), 1))' "$@" 2>/dev/null || true
}

# unknown WHAT WORD NAMES: ends with "unknown WHAT", the accepted names and the nearest of them.
unknown()
{
    local near word
    word=$(excerpt "$2")
    near=$(nearest "$word" "$3")
    near=${near:+", did you mean '$near'?"}
    mistake "unknown $1 '$word'$near (accepted: $(one_line "$3"))"
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

# has_modules INTERPRETER: true if it finds the modules of the analysis outside the working folder.
has_modules()
{
    "$1" -EPc 'from importlib.util import find_spec
exit(not all(map(find_spec, ("jinja2", "matplotlib", "numpy", "pandas"))))' 2>/dev/null
}

# analysis_interpreter VARIABLE: sets it to a Python with these modules: the system's first,
# whatever stands first in PATH. Installs packages if none has them.
analysis_interpreter()
{
    local -n found=$1
    local candidate
    for candidate in /usr/bin/python3 "$(type -P python3)"; do
        found=$candidate
        ! has_modules "$found" || return 0
    done
    ensure_packages analysis
    found=/usr/bin/python3
    has_modules "$found" ||
        fail "no python3 >= 3.11 with pandas, matplotlib and jinja2; install them with: ./dpdl setup"
}

# analysis ARGUMENTS: the analysis command line, in place of this shell.
analysis()
{
    local interpreter
    analysis_interpreter interpreter
    analysis_by "$interpreter" "$@"
}

# analysis_at_hand ARGUMENTS: what needs Python alone, without installing anything if there is one.
analysis_at_hand()
{
    local interpreter=/usr/bin/python3
    [[ -x $interpreter ]] || interpreter=$(type -P python3) || analysis_interpreter interpreter
    analysis_by "$interpreter" "$@"
}

# analysis_by INTERPRETER ARGUMENTS: compiled files are kept in the clone, or where it cannot be
# written in the user's cache folder.
analysis_by()
{
    local interpreter=$1 cache="$ROOT/build"
    shift
    [[ -w $cache ]] || cache=${XDG_CACHE_HOME:-${HOME-}/.cache}/dpdl
    exec "$interpreter" -E -X pycache_prefix="$cache/pycache" "$ROOT/analysis/dpdl-analysis" "$@"
}
