// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_DERIVE_RUN_GUARANTEES_H
#define DPDL_DERIVE_RUN_GUARANTEES_H

#include "dpdl/algorithm/learning-plan.h"
#include "dpdl/derive/privacy-budget.h"
#include "dpdl/derive/sent-certificate.h"
#include "dpdl/derive/validity-monitor.h"
#include "dpdl/privacy/ledger.h"
#include "dpdl/trace/trace-store.h"

#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace dpdl
{

/// Recorded facts that decide the guarantees of a run.
struct PrivacyFacts
{
    const LearningPlan& plan;                 ///< plan of the run
    LeakedSecrets leaked;                     ///< secrets that the adversary knows
    PrivacyLedger ledger;                     ///< releases of each node
    std::vector<double> claims;               ///< by node: sum of Claim::Spent() of its releases
    std::vector<double> claimedRows{};        ///< largest claimed epsilon, by closed round
    std::optional<Round> voidFrom{};          ///< first closed round with a mismatch
    std::map<NodeId, std::string> mismatch{}; ///< first difference from the plan, by node
    double inState{INFINITY};                 ///< least ReleaseRecord::inState of the run
    double largestState{0.0};                 ///< largest ReleaseRecord::largestState of the run
};

/**
 * @brief Guarantees of a run, concluded from its facts.
 *
 * The guarantee of a node is the accountant's for its ledger, and the rows of GuaranteeByRound come
 * from CertifiedCurve(). The last row has the largest of the accountant's answers, and no earlier
 * row exceeds it.
 */
class RunGuarantees
{
  public:
    /**
     * @param facts of the run, recorded so far
     * @param budget stops nodes at their budget; nullptr: no limit
     * @param validity claims that are still valid
     */
    RunGuarantees(const PrivacyFacts& facts,
                  const PrivacyBudget* budget,
                  const ValidityMonitor& validity)
        : m_facts(facts),
          m_budget(budget),
          m_validity(validity)
    {
    }

    /// Claimed epsilon of a node for its releases so far.
    double Claimed(NodeId node) const;

    /**
     * @brief Writes the guarantees of every node, of every round and of the run.
     * @param store receives the rows
     * @param mayLackReleases see SentEpsilons()
     * @param complete false: the run was interrupted; rows within 5 % share a bound
     */
    void Write(TraceStore& store, const std::vector<bool>& mayLackReleases, bool complete) const;

  private:
    std::vector<double> CertifiedRows(bool complete) const;
    void WriteRows(TraceStore& store, double largest, bool complete) const;
    double WithoutSecrets() const;
    std::string ClaimReason(NodeId node) const;
    bool IsAdaptive() const;
    Guarantee OfLedger(NodeId node) const;
    Guarantee Evaluate(NodeId node) const;
    std::vector<double> AsSent(const std::vector<bool>& mayLackReleases) const;

    const PrivacyFacts& m_facts;       ///< facts of the run, recorded so far
    const PrivacyBudget* m_budget;     ///< stops nodes at their budget; nullptr: no budget
    const ValidityMonitor& m_validity; ///< claims that are still valid
};

} // namespace dpdl

#endif // DPDL_DERIVE_RUN_GUARANTEES_H
