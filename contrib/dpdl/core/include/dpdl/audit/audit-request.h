// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_AUDIT_AUDIT_REQUEST_H
#define DPDL_AUDIT_AUDIT_REQUEST_H

#include "dpdl/base/random.h"
#include "dpdl/base/types.h"
#include "dpdl/privacy/claim.h"
#include "dpdl/privacy/step-group.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace dpdl
{

/// Form of a request to the command `audit`: what is audited.
enum class AuditForm
{
    STEPS,         ///< equal steps
    SCHEDULE,      ///< the steps in a schedule file
    CLAIM,         ///< the planned steps of an algorithm
    TRACE,         ///< the recorded releases of a run
    ZERO_GRADIENT, ///< an attack of AdaD2P: unchanged messages reveal a zero gradient
    NORM_RATIO,    ///< an attack of AdaD2P: the noise scale depends on private data
    DPPS_SCALAR,   ///< an attack of DPPS: a function of the noise's norm is broadcast
};

/// Parsed and checked command line of `audit`.
struct AuditRequest : ClaimSettings
{
    AuditForm form{AuditForm::STEPS}; ///< determines which other fields are used
    bool oneRun{false};   ///< true: one run with `canaries` canaries; false: `runs` runs with one
                          ///< canary and as many without
    StepGroup group;      ///< noise multiplier, sampling rate, number and sampler of equal steps
    std::string schedule; ///< path of the schedule file; form SCHEDULE only
    std::string trace;    ///< path of the trace; form TRACE only
    /// Audited node of the trace; empty: the node with the largest epsilon.
    std::optional<NodeId> node;
    /// Claimed epsilon; for form CLAIM the target epsilon of the algorithm; empty: no claim.
    std::optional<double> claimed;
    double confidence{0.95};      ///< confidence of the lower bounds, in (0, 1)
    std::uint64_t runs{10000};    ///< number of runs with the canary, and number of runs without it
    std::uint64_t canaries{2000}; ///< number of canaries of a one-run audit
    std::uint64_t guesses{0};     ///< number of guesses of a one-run audit; 0: canaries / 50
    double ratio{1.01};           ///< ratio of the two gradient norms, > 1; form NORM_RATIO only
    /// Number of model parameters; forms ZERO_GRADIENT, NORM_RATIO and DPPS_SCALAR only.
    std::uint64_t parameterCount{7850};
    std::uint64_t threads{1}; ///< number of threads that simulate runs
    RandomSeed seed;          ///< seed of the random numbers
    bool json{false};         ///< true: print JSON
    bool help{false};         ///< true: print the options and exit
};

/**
 * @brief Parses the arguments of `audit`.
 * @param arguments command line without the program's name
 * @return the request; if `help` is true, the other fields are not set
 * @throws UsageError naming the option, its value, and the accepted values
 */
AuditRequest ParseAuditArguments(const std::vector<std::string>& arguments);

/// Text of `--help`: the forms, and all options with their defaults.
std::string AuditHelp();

} // namespace dpdl

#endif // DPDL_AUDIT_AUDIT_REQUEST_H
