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

/// Certified guarantee of one node's data against one observer.
struct ObserverCertificate
{
    /// Theorem that CertifyFor() applied: "all-states", "suffix", "one-input" or "phases". "none":
    /// no theorem applies, and epsilon is infinite.
    std::string statement;
    /// Reason why the theorem applies or, for "none", why none applies; one line.
    std::string reason;
    std::size_t releases{0}; ///< number of the node's releases that the guarantee covers
    /// Guarantee of the covered releases, by the accountant passed to CertifyFor().
    Guarantee guarantee;
};

/**
 * @brief View of an observer of a run in which nodes make local steps in some rounds, and only
 *        gossip in other rounds.
 *
 * A phase begins with a round in which nodes make releases, and ends before the next such round.
 * The observer is assumed to see all states at the end of each phase except the last. The view of
 * earlier phases then determines the gradients of a phase. The noise of releases is Gaussian, and
 * messages
 * are linear functions of gradients and noise. Therefore the fraction of a release's mu^2 (mu:
 * sensitivity / noise standard deviation) that the observer sees is exact, and the phases compose
 * like the rounds of a ledger. If gossip reaches the exact average, the assumption adds nothing to
 * the observer's view.
 */
class PhaseKnowledge
{
  public:
    /**
     * @param run the whole run; not kept
     * @param observer observer whose view is analysed
     */
    PhaseKnowledge(const ObservedRun& run, const Observer& observer);

    /// Number of phases of the run; 0 if the theorem in the class description does not apply.
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
     * @brief Replaces the noise standard deviation of a node's releases by that of all noise that
     *        hides the release from the observer, including noise of other nodes.
     * @param releases releases of one node
     * @return the releases with f > 0, where f is the fraction of mu^2 that the observer sees;
     *         their noise standard deviation is divided by sqrt(f). No value if a release has no
     *         Gaussian noise
     */
    std::optional<std::vector<Release>> Hidden(const std::vector<Release>& releases) const;

  private:
    std::size_t m_phases{0}; ///< number of phases
    bool m_isRounded{false}; ///< true: float32 rounding rules the theorem out
    /// Fraction of a release's mu^2 that the observer sees, in [0, 1], by round and node.
    std::map<std::pair<Round, NodeId>, double> m_seen{};
};

/**
 * @brief Computes the smallest certified epsilon of a node against an observer by these theorems:
 *
 * - all-states: the guarantee against an observer of all states holds against every observer. If
 *   noise is derived from shared secrets, the observer must not know the secrets of more nodes than
 *   the guarantee allows (ObservedRun::colluders).
 * - suffix: only the node itself knows its releases after its last message that arrived anywhere.
 *   Against other observers, only the releases up to that message count. The theorem does not apply
 *   if step times are measured, because private batches then determine the last message.
 * - one-input, phases: the theorem of PhaseKnowledge, for one phase and for several phases.
 *
 * The unproven bounds of NetworkObserver are not used.
 *
 * @param run the whole run; not kept
 * @param phases PhaseKnowledge of the same run and observer
 * @param observer observer whose view is analysed
 * @param target node that owns the data; must not belong to the observer
 * @param accountant accountant that evaluates the releases, with its query and cached answers
 */
ObserverCertificate CertifyFor(const ObservedRun& run,
                               const PhaseKnowledge& phases,
                               const Observer& observer,
                               NodeId target,
                               AccountantCache& accountant);

} // namespace dpdl

#endif // DPDL_OBSERVATION_OBSERVER_CERTIFICATE_H
