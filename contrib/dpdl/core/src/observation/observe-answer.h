// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_OBSERVATION_OBSERVE_ANSWER_H
#define DPDL_OBSERVATION_OBSERVE_ANSWER_H

#include "dpdl/experiment/recorded-run.h"
#include "dpdl/observation/network-observer.h"
#include "dpdl/observation/observer-certificate.h"
#include "dpdl/privacy/accountant.h"

#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace dpdl
{

/// The guarantee of some nodes, computed anew from what left them.
struct LocalAnswer
{
    double delta{0.0};                 ///< of the new epsilons
    std::string accountant;            ///< of the new epsilons
    std::vector<NodeId> nodes;         ///< which
    std::vector<Guarantee> guarantees; ///< same order
};

/// What an observer could learn of some nodes.
struct ObserverAnswer
{
    std::string observer;                          ///< in words
    std::string view;                              ///< what it sees, in words
    std::optional<std::pair<Round, Round>> rounds; ///< if only a part of the run was looked at
    std::size_t messages{0};                       ///< states that were seen
    std::size_t rank{0};                           ///< of the knowledge matrix
    std::size_t inputs{0};                         ///< its columns
    double conditioning{1.0};                      ///< of its singular values
    std::vector<TargetView> views;                 ///< one for each target
    LocalAnswer local;                             ///< of the same nodes, for comparison
    /// What is proven of the same nodes; empty if the accountant proves nothing.
    std::vector<ObserverCertificate> certificates;
};

/**
 * @brief Evaluates the ledgers of nodes. Ledgers that come to the same steps are evaluated once.
 * @throws UsageError if the accountant is unknown or refuses delta
 */
LocalAnswer ComputeLocal(const RecordedRun& run,
                         const std::vector<NodeId>& nodes,
                         const std::string& accountant,
                         double delta);

/// Prints guarantees beside those of the trace.
void Print(const RecordedRun& run, const LocalAnswer& answer, bool json, std::ostream& out);

/// Prints a what-if beside the local guarantee.
void Print(const RecordedRun& run, const ObserverAnswer& answer, bool json, std::ostream& out);

} // namespace dpdl

#endif // DPDL_OBSERVATION_OBSERVE_ANSWER_H
