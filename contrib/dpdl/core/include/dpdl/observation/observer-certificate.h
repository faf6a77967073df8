// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_OBSERVATION_OBSERVER_CERTIFICATE_H
#define DPDL_OBSERVATION_OBSERVER_CERTIFICATE_H

#include "dpdl/observation/network-observer.h"
#include "dpdl/privacy/accountant.h"

#include <cstddef>
#include <string>

namespace dpdl
{

/// What is proven of one node's data against one observer.
struct ObserverCertificate
{
    std::string statement;   ///< all-states, suffix or one-input; none if epsilon is infinite
    std::string reason;      ///< why it applies, one line
    std::size_t releases{0}; ///< of the node, that count
    Guarantee guarantee;     ///< of these, by the accountant of the local guarantee
};

/**
 * @brief The smallest epsilon that a theorem gives for a node and an observer.
 *
 * - all-states: the guarantee against an observer who sees every state holds against all others;
 *   where noise is made of secrets, against no more nodes than it allows for as colluders.
 * - suffix: what a node released after its last message that came to anyone reached nobody but an
 *   observer at that node, so that the releases before it alone count.
 * - one-input: if all nodes release in round 0 only, their inputs are fixed numbers with Gaussian
 *   noise and all else is linear, so that the seen part of mu^2 is exact.
 *
 * What-ifs of NetworkObserver for other runs are no part of it.
 *
 * @param run the whole run
 * @param watched what the observer knows at its end; nullptr if that was not computed, and then
 *        one-input is left out
 * @param observer who watches
 * @param target whose data; no member of the observer
 * @param accountant of the local guarantee
 */
ObserverCertificate CertifyFor(const ObservedRun& run,
                               const NetworkObserver* watched,
                               const Observer& observer,
                               NodeId target,
                               AccountantCache& accountant);

} // namespace dpdl

#endif // DPDL_OBSERVATION_OBSERVER_CERTIFICATE_H
