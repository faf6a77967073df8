// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_AUDIT_AUDIT_REQUEST_H
#define DPDL_AUDIT_AUDIT_REQUEST_H

#include "dpdl/base/random.h"
#include "dpdl/base/types.h"
#include "dpdl/privacy/privacy-step.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace dpdl
{

/// What `audit` looks at.
enum class AuditForm
{
    STEPS,         ///< equal steps
    SCHEDULE,      ///< the steps of a file
    CLAIM,         ///< the steps that a published algorithm takes
    TRACE,         ///< the releases that a run has recorded
    ZERO_GRADIENT, ///< whether a message changes at all (AdaD2P)
    NORM_RATIO,    ///< what the scale of the noise reveals (AdaD2P)
    DPPS_SCALAR,   ///< what a broadcast scalar reveals (DPPS)
};

/// The command line of `audit`, read and checked.
struct AuditRequest
{
    AuditForm form{AuditForm::STEPS};           ///< decides which of the others count
    bool oneRun{false};                         ///< one run with many canaries, not many with one
    std::string sampler{"poisson"};             ///< as in Release
    Adjacency adjacency{Adjacency::ADD_REMOVE}; ///< which datasets are neighbours
    double noise{1.0};                          ///< noise / sensitivity
    double rate{1.0};                           ///< probability that one example takes part
    std::uint64_t steps{1};                     ///< number of equal steps
    std::string schedule;                       ///< path of a schedule
    std::string trace;                          ///< path of a trace
    std::optional<NodeId> node;                 ///< of the trace; empty: the one that spent most
    std::string algorithm;                      ///< name of a published claim
    std::string mode{"sound"};                  ///< where the algorithm's noise comes from
    std::map<std::string, double> parameters;   ///< of the algorithm, those that were given
    std::uint64_t rounds{0};                    ///< of the algorithm
    std::uint64_t localSamples{0};              ///< of the algorithm
    std::optional<double> epsilon;              ///< what is claimed; of an algorithm: its target
    double delta{0.0};                          ///< in (0, 1)
    double confidence{0.95};                    ///< of the lower bounds, in (0, 1)
    std::uint64_t runs{10000};                  ///< with the canary, and as many without
    std::uint64_t canaries{2000};               ///< of a one-run audit
    std::uint64_t guesses{0};           ///< of a one-run audit; 0: a fiftieth of the canaries
    double ratio{1.01};                 ///< of the norms
    std::uint64_t parameterCount{7850}; ///< of the model
    std::uint64_t threads{1};           ///< to play with
    RandomSeed seed;                    ///< of the attack's own random numbers
    bool json{false};                   ///< print JSON
    bool help{false};                   ///< print the options and nothing else
};

/**
 * @brief Reads the arguments of `audit`.
 * @param arguments without the program's name
 * @return the request; if `help` is set nothing else was checked
 * @throws UsageError naming the option, its value, and what would be accepted
 */
AuditRequest ParseAuditArguments(const std::vector<std::string>& arguments);

/// Text of `--help`: the forms, and every option with its default.
std::string AuditHelp();

} // namespace dpdl

#endif // DPDL_AUDIT_AUDIT_REQUEST_H
