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

/// Subject of an audit.
enum class AuditForm
{
    STEPS,         ///< audit equal steps
    SCHEDULE,      ///< audit the steps of a file
    CLAIM,         ///< audit the steps of a published algorithm
    TRACE,         ///< audit the recorded releases of a run
    ZERO_GRADIENT, ///< unchanged messages reveal a zero gradient (AdaD2P)
    NORM_RATIO,    ///< a data-dependent noise scale leaks (AdaD2P)
    DPPS_SCALAR,   ///< broadcasting a function of the noise's norm leaks (DPPS)
};

/// Parsed and checked command line of `audit`.
struct AuditRequest : ClaimSettings
{
    AuditForm form{AuditForm::STEPS}; ///< decides which other fields are used
    bool oneRun{false};   ///< true: one run with many canaries; false: many runs with one canary
    StepGroup group;      ///< noise, rate, number and sampler of equal steps
    std::string schedule; ///< path of the schedule file; form SCHEDULE only
    std::string trace;    ///< path of the trace; form TRACE only
    std::optional<NodeId> node; ///< node of the trace; empty: the one with the largest epsilon
    /// Claimed epsilon; for an algorithm: its target epsilon; empty: no claim.
    std::optional<double> claimed;
    double confidence{0.95};      ///< confidence of the lower bounds, in (0, 1)
    std::uint64_t runs{10000};    ///< number of runs with the canary, and of runs without
    std::uint64_t canaries{2000}; ///< number of canaries of a one-run audit
    std::uint64_t guesses{0};     ///< number of guesses of a one-run audit; 0: 1/50 of the canaries
    double ratio{1.01};           ///< NORM_RATIO: ratio of the two gradient norms, > 1
    /// Number of model parameters in the forms that simulate a message.
    std::uint64_t parameterCount{7850};
    std::uint64_t threads{1}; ///< number of threads that play the runs
    RandomSeed seed;          ///< seed of the attack's random numbers
    bool json{false};         ///< true: print JSON
    bool help{false};         ///< true: print the options and exit
};

/**
 * @brief Parses the arguments of `audit`.
 * @param arguments command line without the program's name
 * @return the request; if `help` is set, nothing else was checked
 * @throws UsageError naming the option, its value, and the accepted values
 */
AuditRequest ParseAuditArguments(const std::vector<std::string>& arguments);

/// Text of `--help`: the forms, and all options with their defaults.
std::string AuditHelp();

} // namespace dpdl

#endif // DPDL_AUDIT_AUDIT_REQUEST_H
