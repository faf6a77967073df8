# shellcheck shell=bash
# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Presets in-tree and in-tree-debug: build contrib/dpdl inside a source tree of ns-3, that of Debian's package or of
# option --ns3, in build/PRESET. The first has ns-3's profile release, the second its profile debug, in which warnings
# are errors.

# Module dpdl enables the modules that it needs; the others are for its examples. NetAnim would need LTE
# and more modules, so only builds with an installed ns-3 have its example.
readonly IN_TREE_MODULES="dpdl;applications;csma;flow-monitor;lr-wpan;sixlowpan"

# apt_source FOLDER PACKAGE: downloads the source of a package into the folder. It derives deb-src entries
# from the configured package sources, in a subfolder, and does not change the system's lists.
apt_source()
{
    local sources="$1/apt"
    mkdir -p "$sources/parts" "$sources/lists/partial"
    cat /etc/apt/sources.list /etc/apt/sources.list.d/*.list 2>/dev/null |
        sed -n 's/^deb /deb-src /p' >"$sources/parts/all.list" || true
    cat /etc/apt/sources.list.d/*.sources 2>/dev/null |
        sed 's/^Types:.*/Types: deb-src/' >"$sources/parts/all.sources" || true
    local options=(-q -o Dir::Etc::sourcelist=/dev/null -o Dir::Etc::sourceparts="$sources/parts"
        -o Dir::State::lists="$sources/lists" -o Dir::Cache::srcpkgcache= -o Dir::Cache::pkgcache=
        -o APT::Sandbox::User=)
    apt-get "${options[@]}" update >&2 || say "some package sources have no sources; going on"
    (cd "$1" && apt-get "${options[@]}" source --download-only "$2" >&2)
}

# take_in_tree PRESET FOLDER: links build/PRESET/ns3 to a tree of ns-3 with the module in its contrib folder.
# The tree is a copy of the folder without its builds; for "", the source of Debian's package.
take_in_tree()
{
    IN_TREE=$ROOT/build/$1
    local tree cache="$IN_TREE/ns3/cmake-cache"
    [[ -z $2 || -f $2/ns3 && -d $2/src/core ]] ||
        mistake "option '--ns3' is '$(excerpt "$2")', expected a folder with the source of ns-3"
    ensure_packages build in-tree
    if [[ -n $2 ]]; then
        tree=$IN_TREE/$(realpath "$2" | tr / _)
        mkdir -p "$tree"
        tar -C "$2" --exclude=./{build,cmake-cache,contrib/dpdl,.lock-ns3*} -c . | tar -C "$tree" -x
    else
        if [[ ! -d $IN_TREE/unpacked ]]; then
            apt_source "$IN_TREE" ns3 || fail "the source of ns-3 could not be fetched"
            rm -rf "$IN_TREE/unpacked.part"
            dpkg-source --no-check -x "$IN_TREE"/ns3_*.dsc "$IN_TREE/unpacked.part" >&2
            mv "$IN_TREE/unpacked.part" "$IN_TREE/unpacked"
        fi
        # In the package's source the tree is in a subfolder named after the release.
        tree=$(dirname "$(find "$IN_TREE/unpacked" -maxdepth 3 -name ns3 -type f | head -n 1)")
        [[ -d $tree/src ]] || fail "no ns-3 tree in the package's source"
    fi
    ln -sfn "$tree" "$IN_TREE/ns3"
    if [[ -e $cache/CMakeCache.txt ]] && ! is_of "$IN_TREE" "$cache/CMakeCache.txt"; then
        say "$IN_TREE was copied or moved here: building it anew"
        rm -rf "$cache"
    fi
    mkdir -p "$IN_TREE/ns3/contrib"
    ln -sfn "$ROOT/contrib/dpdl" "$IN_TREE/ns3/contrib/dpdl"
}

# build_in_tree PRESET FOLDER: builds the tree of take_in_tree PRESET FOLDER.
build_in_tree()
{
    local profile=(-d release --disable-werror)
    [[ $1 == in-tree ]] || profile=(-d debug)
    take_in_tree "$1" "$2"
    : >"$(build_log "$1")"
    if [[ ! -e $IN_TREE/ns3/cmake-cache/build.ninja ]]; then
        say "configuring $1"
        (cd "$IN_TREE/ns3" && ./ns3 configure "${profile[@]}" --enable-examples --enable-tests \
            --disable-python -G Ninja --enable-modules="$IN_TREE_MODULES" \
            --filter-module-examples-and-tests=dpdl) >>"$(build_log "$1")" 2>&1 || show_failure "$1"
    fi
    cmake --build "$IN_TREE/ns3/cmake-cache" --parallel "$(nproc)" 2>&1 | progress "$1" ||
        show_failure "$1"
}

# test_in_tree FILTER PRESET FOLDER: builds the tree, and runs the module's suites and examples whose names match
# the regular expression, by ns-3's test.py.
test_in_tree()
{
    local suite failed=0
    build_in_tree "$2" "$3"
    export OMP_NUM_THREADS=${OMP_NUM_THREADS:-1}
    cd "$IN_TREE/ns3" || return
    for suite in $(names_of "$ROOT"/contrib/dpdl/test/dpdl-*-test-suite.cc | grep -E -e "$1"); do
        ./test.py --no-build --suite="${suite%-test-suite}" || failed=1
    done
    for suite in $(examples | grep -E -e "$1"); do
        if compgen -G "build/contrib/dpdl/examples/ns*-$suite*" >/dev/null; then
            ./test.py --no-build --example="$suite" || failed=1
        else
            say "$suite needs modules of ns-3 that are not enabled here"
        fi
    done
    return "$failed"
}
