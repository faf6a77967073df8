// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_OBSERVATION_OBSERVER_CERTIFICATE_H
#define DPDL_OBSERVATION_OBSERVER_CERTIFICATE_H

#include "dpdl/observation/network-observer.h"
#include "dpdl/privacy/accountant.h"

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace dpdl
{

/// What is proven of one node's data against one observer.
struct ObserverCertificate
{
    std::string statement; ///< all-states, suffix, one-input or phases; none if epsilon is infinite
    std::string reason;    ///< why it applies, one line
    std::size_t releases{0}; ///< of the node, that count
    Guarantee guarantee;     ///< of these, by the accountant of the local guarantee
};

/**
 * @brief View of an observer of a run in which the nodes step in some rounds, and gossip in the
 *        rounds between.
 *
 * A phase begins with a round in which nodes release and ends before the next one. All states at
 * its end count as seen, but for the last phase, which no step follows. Then the inputs of a phase
 * are fixed by what was seen of the phases before, their noise is Gaussian, and all else is linear:
 * the seen part of a release's mu^2 is exact, and the phases compose like the rounds of a ledger.
 * If gossip ends in the exact average, the observer had seen these states anyhow.
 */
class PhaseKnowledge
{
  public:
    /// @param run the whole run @param observer its members
    PhaseKnowledge(const ObservedRun& run, const Observer& observer);

    /// Number of phases; 0 if the theorem says nothing of this run.
    std::size_t Phases() const
    {
        return m_phases;
    }

    /// True if the theorem says nothing of this run because float32 shows more than the sums that
    /// it speaks of; see LeastNoise().
    bool IsRounded() const
    {
        return m_isRounded;
    }

    /**
     * @brief The releases of a node as the observer sees them: under the noise of others' as well.
     * @param releases of one node
     * @return empty if some of them have no Gaussian noise
     */
    std::optional<std::vector<Release>> Hidden(const std::vector<Release>& releases) const;

  private:
    std::size_t m_phases{0};                             ///< number of phases
    bool m_isRounded{false};                             ///< see IsRounded()
    std::map<std::pair<Round, NodeId>, double> m_seen{}; ///< part of a release's mu^2
};

/**
 * @brief The smallest epsilon that a theorem gives for a node and an observer.
 *
 * - all-states: the guarantee against an observer who sees every state holds against all others;
 *   where noise is made of secrets, against no more nodes than it allows for as colluders.
 * - suffix: what a node released after its last message that arrived anywhere is known to observers
 *   at that node alone, so that for others the releases up to that message count. Not where steps
 *   take the time that was measured: batches then decide which message is the last.
 * - one-input, phases: see PhaseKnowledge.
 *
 * It contains no what-if of NetworkObserver for other runs.
 *
 * @param run the whole run
 * @param phases view of the observer, by phase
 * @param observer its members
 * @param target whose data; no member of the observer
 * @param accountant of the local guarantee
 */
ObserverCertificate CertifyFor(const ObservedRun& run,
                               const PhaseKnowledge& phases,
                               const Observer& observer,
                               NodeId target,
                               AccountantCache& accountant);

} // namespace dpdl

#endif // DPDL_OBSERVATION_OBSERVER_CERTIFICATE_H
