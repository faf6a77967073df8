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

/// Guarantees of some nodes, recomputed from their releases.
struct LocalAnswer
{
    double delta{0.0};         ///< delta of the recomputed epsilons, in (0, 1)
    std::string accountant;    ///< name of the accountant that recomputed the epsilons
    std::vector<NodeId> nodes; ///< nodes whose guarantees were recomputed
    /// Recomputed guarantee of each of these nodes, in the same order.
    std::vector<Guarantee> guarantees;
};

/// Information that an observer could gain about some nodes.
struct ObserverAnswer
{
    std::string observer; ///< phrase that describes the observer, see Describe()
    std::string view;     ///< phrase that describes the messages that it sees, see DescribeView()
    std::optional<std::pair<Round, Round>> rounds; ///< first and last round, if only part of the
                                                   ///< run was analysed
    std::size_t messages{0}; ///< number of messages, or final models, that the observer saw
    std::size_t rank{0};     ///< rank of the knowledge matrix
    std::size_t inputs{0}; ///< number of private inputs that the observer did not know at the start
    double conditioning{1.0};      ///< smallest over largest singular value of the knowledge matrix
    std::vector<TargetView> views; ///< one for each target
    LocalAnswer local;             ///< local guarantees of the same nodes, for comparison
    /// Proven certificates of the same nodes; empty if the accountant is not certified.
    std::vector<ObserverCertificate> certificates;
};

/**
 * @brief Recomputes the guarantees of @p nodes from their recorded releases, with the given
 *        accountant and delta. Ledgers with the same privacy steps are evaluated once.
 * @throws UsageError if the accountant is unknown or does not accept delta
 */
LocalAnswer ComputeLocal(const RecordedRun& run,
                         const std::vector<NodeId>& nodes,
                         const std::string& accountant,
                         double delta);

/// Prints recomputed guarantees beside those in the trace. @param json true: as JSON; false: as
/// text
void Print(const RecordedRun& run, const LocalAnswer& answer, bool json, std::ostream& out);

/// Prints a what-if beside the local guarantees. @param json true: as JSON; false: as text
void Print(const RecordedRun& run, const ObserverAnswer& answer, bool json, std::ostream& out);

} // namespace dpdl

#endif // DPDL_OBSERVATION_OBSERVE_ANSWER_H
