# shellcheck shell=bash
# Copyright (c) 2026 the dpdl authors
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The list of Debian packages that dpdl needs, and command ./dpdl setup, which installs them.

# Each line: package, group, purpose. Setup always installs the groups build and analysis; option
# --with=GROUP or a preset adds others.
readonly PACKAGES="
g++                   build     compiler
cmake                 build     build system
ninja-build           build     build system
pkg-config            build     finds FFTW and libzip
ns3                   build     network simulator: programs that libns3-dev refers to
libns3-dev            build     network simulator
libtorch-dev          build     tensors and automatic differentiation
libopenblas0-openmp   build     fast BLAS below LibTorch
libeigen3-dev         build     dense linear algebra
libboost-dev          build     Boost headers
libboost-graph-dev    build     graphs: strong components, distances
libboost-math-dev     build     special functions and roots
libsqlite3-dev        build     trace files
libsqlitecpp-dev      build     trace files
zlib1g-dev            build     packed datasets, checksums
libexpat1-dev         build     traffic of SUMO
nlohmann-json3-dev    build     model files
libzip-dev            build     arrays of NumPy
libfftw3-dev          build     composition of privacy losses
libgtest-dev          build     tests
dataset-fashion-mnist build     the default dataset
python3               analysis  tables and reports
sqlite3               analysis  traces by SQL
python3-numpy         analysis  tables and reports
python3-pandas        analysis  tables and reports
python3-matplotlib    analysis  figures
python3-jinja2        analysis  HTML report
python3-nbclient      notebook  executes notebooks
python3-ipykernel     notebook  executes notebooks
slurm-wlm             slurm     runs of a campaign file, on a cluster
munge                 slurm     runs of a campaign file, on a cluster
clang-tidy            tidy      static checks
python3-pip           wheel     fetches ns-3 3.44
python3-venv          wheel     builds the wheel of dpdl
dpkg-dev              in-tree   unpacks the source of ns-3
libgsl-dev            in-tree   part of a full ns-3 build
nvidia-cuda-toolkit   cuda      GPU kernels
sumo                  sumo      vehicular mobility
sumo-tools            sumo      vehicular mobility
openmpi-bin           mpi       distributed simulation
libopenmpi-dev        mpi       distributed simulation
doxygen               docs      reference manual
python3-sphinx        docs      handbook
"

# packages_of GROUP...: prints the names of the groups' packages, one per line.
packages_of()
{
    awk -v groups=" $* " 'NF && index(groups, " " $2 " ") { print $1 }' <<<"$PACKAGES"
}

# missing_packages GROUP...: prints the groups' packages that are not installed, one per line.
missing_packages()
{
    local wanted installed
    wanted=$(packages_of "$@")
    # shellcheck disable=SC2086
    installed=$(dpkg-query -W -f='${db:Status-Status} ${Package}\n' $wanted 2>/dev/null |
        sed -n 's/^installed //p' || true)
    grep -vxF -e "$installed" <<<"$wanted" || true
}

# as_root COMMAND...: runs the command as root, through sudo if the user is not root.
as_root()
{
    if [[ $(id -u) -eq 0 ]]; then
        "$@"
    elif command -v sudo >/dev/null; then
        sudo "$@"
    else
        fail "installing packages needs root or sudo; as root: apt-get install $(one_line "$missing")"
    fi
}

# install_packages MISSING: installs the named packages, and reports this on standard error.
install_packages()
{
    local missing=$1
    say "installing: $(one_line "$missing")"
    as_root true
    as_root apt-get update -q >&2 || say "apt-get update failed; trying with the present lists"
    # shellcheck disable=SC2086
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends \
        $missing >&2 || fail "apt-get could not install: $(one_line "$missing")"
}

# packages_changed FILE: true if a package of group build is missing, or was changed since the file was
# written. Other packages have no effect.
packages_changed()
{
    local names
    [[ /var/lib/dpkg/status -nt $1 ]] || return 1
    names=$(packages_of build | sed 's/+/[+]/g' | paste -sd '|')
    [[ -n $(missing_packages build) || -n $(find /var/lib/dpkg/info -regextype posix-extended \
        -regex ".*/($names)(:[^/]*)?[.]list" -cnewer "$1" -print -quit) ]]
}

# ensure_packages GROUP...: installs the groups' missing packages without asking. Does nothing on a system
# without dpkg; there CMake names the missing libraries.
ensure_packages()
{
    local missing
    command -v dpkg-query >/dev/null || return 0
    missing=$(missing_packages "$@")
    [[ -z $missing ]] || install_packages "$missing"
}

# confirm MISSING YES: lists the packages to install. Asks for consent if YES is `no` and standard input is
# a terminal; exits with code 1 if the user refuses.
confirm()
{
    say "these packages are missing and will be installed:"
    awk -v wanted=" $(one_line "$1") " 'NF && index(wanted, " " $1 " ") { print "  " $0 }' \
        <<<"$PACKAGES" >&2
    [[ $2 == no && -t 0 ]] || return 0
    local answer
    read -r -p "install them? [Y/n] " answer || answer=n
    [[ ${answer:-y} == [Yy]* ]] || fail "nothing was installed"
}

command_setup()
{
    local yes=no groups="build analysis" missing group known="cuda sumo mpi docs slurm notebook"
    while [[ $# -gt 0 ]]; do
        case $1 in
            --yes | -y) yes=yes ;;
            --with=*)
                for group in $(tr ',' ' ' <<<"${1#*=}"); do
                    grep -qwF -e "$group" <<<"$known" || unknown "group of --with" "$group" "$known"
                    groups+=" $group"
                done
                ;;
            *) unknown "option of setup" "$1" "--yes --with=" ;;
        esac
        shift
    done
    command -v dpkg-query >/dev/null || fail "setup knows Debian's and Ubuntu's packages only"
    # shellcheck disable=SC2086
    missing=$(missing_packages $groups)
    if [[ -z $missing ]]; then
        say "nothing is missing"
        return
    fi
    confirm "$missing" "$yes"
    install_packages "$missing"
}
