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

/// Guarantees of nodes, recomputed from the releases in the trace.
struct LocalAnswer
{
    double delta{0.0};         ///< delta of the recomputed epsilons, in (0, 1)
    std::string accountant;    ///< name of the accountant that recomputed the epsilons
    std::vector<NodeId> nodes; ///< nodes whose guarantees were recomputed
    /// Element i: recomputed guarantee of nodes[i].
    std::vector<Guarantee> guarantees;
};

/// Result of the analysis of one observer.
struct ObserverAnswer
{
    std::string observer; ///< phrase from Describe() that describes the observer
    /// Phrase from DescribeView() that describes the messages that the observer sees.
    std::string view;
    /// First and last analysed round; empty: the whole run.
    std::optional<std::pair<Round, Round>> rounds;
    /// Number of different states, or sums of states, that the observer sees.
    std::size_t messages{0};
    std::size_t rank{0};   ///< rank of the knowledge matrix
    std::size_t inputs{0}; ///< number of private inputs with noise unknown to the observer
    /// Smallest nonzero singular value of the knowledge matrix divided by the largest.
    double conditioning{1.0};
    std::vector<TargetView> views; ///< unproven bounds, one element per analysed node
    /// Recomputed guarantees of the nodes in `views`, for comparison.
    LocalAnswer local;
    /// Certificates of the nodes in `views`; empty if the accountant is not certified.
    std::vector<ObserverCertificate> certificates;
};

/**
 * @brief Recomputes the guarantees of @p nodes from the releases in the trace, with the given
 *        accountant and delta.
 * @throws UsageError if the accountant is unknown or delta is not in (0, 1)
 */
LocalAnswer ComputeLocal(const RecordedRun& run,
                         const std::vector<NodeId>& nodes,
                         const std::string& accountant,
                         double delta);

/// Prints recomputed guarantees next to the guarantees in the trace.
/// @param json true: as JSON; false: as text
void Print(const RecordedRun& run, const LocalAnswer& answer, bool json, std::ostream& out);

/// Prints certificates and unproven bounds next to the recomputed guarantees.
/// @param json true: as JSON; false: as text
void Print(const RecordedRun& run, const ObserverAnswer& answer, bool json, std::ostream& out);

} // namespace dpdl

#endif // DPDL_OBSERVATION_OBSERVE_ANSWER_H
