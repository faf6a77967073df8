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

/// Proven guarantee of one node's data against one observer.
struct ObserverCertificate
{
    /// Theorem that CertifyFor() used: "all-states", "suffix", "one-input" or "phases"; "none" if
    /// epsilon is infinite.
    std::string statement;
    std::string reason;      ///< reason why the statement applies, one line
    std::size_t releases{0}; ///< number of the node's releases that the guarantee covers
    /// Guarantee of these releases, by the accountant that CertifyFor() received.
    Guarantee guarantee;
};

/**
 * @brief View of an observer of a run in which nodes step in some rounds, and gossip in the rounds
 *        between.
 *
 * A phase begins with a round in which nodes release and ends before the next one. All states at
 * its end count as seen, except for the last phase, which no step follows. Then the view of earlier
 * phases fixes the inputs of a phase, their noise is Gaussian, and the rest is linear. So the seen
 * part of a release's mu^2 is exact, and the phases compose like the rounds of a ledger. If gossip
 * reaches the exact average, the observer has seen these states in any case.
 */
class PhaseKnowledge
{
  public:
    /// @param run the whole run @param observer the observer
    PhaseKnowledge(const ObservedRun& run, const Observer& observer);

    /// Number of phases of the run; 0 if the theorem above does not apply to it.
    std::size_t Phases() const
    {
        return m_phases;
    }

    /// True if the theorem does not apply because float32 rounding reveals more than the sums that
    /// it covers; see LeastNoise().
    bool IsRounded() const
    {
        return m_isRounded;
    }

    /**
     * @brief The releases of a node as the observer sees them, with the noise of other nodes
     *        included.
     * @param releases releases of one node
     * @return the releases, with noise that leaves only the seen part of their mu^2, without those
     *         of which nothing is seen; empty if some have no Gaussian noise
     */
    std::optional<std::vector<Release>> Hidden(const std::vector<Release>& releases) const;

  private:
    std::size_t m_phases{0}; ///< number of phases
    bool m_isRounded{false}; ///< true: float32 rounding voids the theorem
    std::map<std::pair<Round, NodeId>, double> m_seen{}; ///< seen part of a release's mu^2
};

/**
 * @brief The smallest epsilon that a theorem gives for a node and an observer.
 *
 * - all-states: the guarantee against an observer that sees every state holds against all others.
 *   If noise is derived from secrets, it holds up to the number of colluders that it allows.
 * - suffix: only observers at a node know its releases after its last message that arrived
 *   anywhere. For other observers only the releases up to that message count. It does not apply if
 *   steps take the measured time: batches then determine which message is the last.
 * - one-input, phases: see PhaseKnowledge.
 *
 * It does not use the what-if of NetworkObserver.
 *
 * @param run the whole run
 * @param phases view of the observer, made from the same run and observer
 * @param observer the observer
 * @param target node that owns the data; outside the observer
 * @param accountant accountant of the node's local guarantee, with its query and cached guarantees
 */
ObserverCertificate CertifyFor(const ObservedRun& run,
                               const PhaseKnowledge& phases,
                               const Observer& observer,
                               NodeId target,
                               AccountantCache& accountant);

} // namespace dpdl

#endif // DPDL_OBSERVATION_OBSERVER_CERTIFICATE_H
