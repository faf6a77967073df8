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
    /// Theorem that CertifyFor() applied: "all-states", "suffix", "one-input" or "phases"; "none"
    /// if epsilon is infinite.
    std::string statement;
    std::string reason;      ///< reason why the theorem applies, one line
    std::size_t releases{0}; ///< number of the node's releases that the guarantee covers
    /// Guarantee of these releases, by the accountant that CertifyFor() received.
    Guarantee guarantee;
};

/**
 * @brief View of an observer of a run in which nodes make local steps in some rounds, and only
 *        gossip in the rounds between.
 *
 * A phase begins with a round in which nodes release and ends before the next such round. The
 * observer is assumed to see all states at the end of each phase but the last. Then the view of
 * earlier phases determines the gradients of a phase, their noise is Gaussian, and messages are
 * linear functions of both. So the fraction of a release's mu^2 (mu: sensitivity / noise) that the
 * observer sees is exact, and the phases compose like the rounds of a ledger. If gossip reaches the
 * exact average, the assumption adds nothing to the observer's view.
 */
class PhaseKnowledge
{
  public:
    /**
     * @param run the whole run
     * @param observer the observer
     */
    PhaseKnowledge(const ObservedRun& run, const Observer& observer);

    /// Number of phases of the run; 0 if the theorem of the class description does not apply.
    std::size_t Phases() const
    {
        return m_phases;
    }

    /// True if the theorem does not apply because the noise is too small to hide the rounding of
    /// states to float32; see LeastNoise().
    bool IsRounded() const
    {
        return m_isRounded;
    }

    /**
     * @brief The releases of a node as the observer sees them: hidden also by the noise of other
     *        nodes.
     * @param releases releases of one node
     * @return the releases of which the observer sees something, with noise / sqrt(f), where f is
     *         the seen fraction of mu^2; no value if a release has no Gaussian noise
     */
    std::optional<std::vector<Release>> Hidden(const std::vector<Release>& releases) const;

  private:
    std::size_t m_phases{0}; ///< number of phases
    bool m_isRounded{false}; ///< true: float32 rounding invalidates the theorem
    /// Seen fraction of a release's mu^2, in [0, 1].
    std::map<std::pair<Round, NodeId>, double> m_seen{};
};

/**
 * @brief The smallest certified epsilon of a node against an observer. The theorems are:
 *
 * - all-states: the guarantee against an observer that sees every state holds against every
 *   observer. If noise is derived from secrets, the observer must not know the secrets of more
 *   nodes than the guarantee allows (colluders).
 * - suffix: releases of a node after its last message that arrived anywhere are known only at this
 *   node. Against observers elsewhere, only the releases up to that message count. It does not
 *   apply if local steps take the measured time, because private batches then determine which
 *   message is the last.
 * - one-input, phases: see PhaseKnowledge.
 *
 * The unproven bounds of NetworkObserver are not used.
 *
 * @param run the whole run
 * @param phases PhaseKnowledge of the same run and observer
 * @param observer the observer
 * @param target node that owns the data; must not belong to the observer
 * @param accountant cache of the accountant that evaluates releases, with its query
 */
ObserverCertificate CertifyFor(const ObservedRun& run,
                               const PhaseKnowledge& phases,
                               const Observer& observer,
                               NodeId target,
                               AccountantCache& accountant);

} // namespace dpdl

#endif // DPDL_OBSERVATION_OBSERVER_CERTIFICATE_H
