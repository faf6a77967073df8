# shellcheck shell=bash
# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Completes commands, scenarios and the options of a built scenario for bash. For zsh, run this before:
#     autoload -U compinit bashcompinit && compinit && bashcompinit

# The words of one place of a command line. @param 1: place, @param 2...: the line so far
_dpdl_words()
{
    local place=$1 root
    shift
    root=$(dirname "$(readlink -f "$(command -v "$1")")")
    if [[ $place == 1 ]]; then
        "$1" help | sed -n 's/^  \([a-z]*\) .*/\1/p'
    elif [[ $place == 2 && $2 == run ]]; then
        "$1" help | sed -n 's/^\(scenarios\|examples\): *//p' | tr ' ' '\n'
    elif [[ $2 == run && -x $root/build/default/scenarios/$3 ]]; then
        "$root/build/default/scenarios/$3" --options=json |
            sed -n 's/.*{"name": "\([^"]*\)", "kind": "flag".*/--\1/p; s/.*{"name": "\([^"]*\)", "kind": "[^"f]*".*/--\1=/p'
    fi
}

_dpdl()
{
    local word words
    words=$(_dpdl_words "$COMP_CWORD" "${COMP_WORDS[@]}" 2>/dev/null)
    COMPREPLY=()
    while IFS= read -r word; do
        [[ -z $word || $word == *= ]] || word+=' '
        [[ -z $word ]] || COMPREPLY+=("$word")
    done < <(compgen -W "$words" -- "${COMP_WORDS[COMP_CWORD]}")
}

complete -o default -o nospace -F _dpdl dpdl ./dpdl
