// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_NETWORK_LINK_FIT_H
#define DPDL_NETWORK_LINK_FIT_H

#include "dpdl/network/link-table.h"

#include <cmath>
#include <vector>

namespace dpdl
{

/// A message whose way through a network was timed.
struct TimedMessage
{
    NodeId source{0};               ///< sending node
    NodeId target{0};               ///< receiving node
    std::uint64_t bytes{0};         ///< size, the header of the message included
    std::uint32_t volley{0};        ///< messages of one volley were sent at the same moment
    double sentAt{0.0};             ///< seconds
    double arrivedAt{std::nan("")}; ///< seconds; not a number: lost

    /// Seconds on the way; not a number if it was lost.
    double Duration() const
    {
        return arrivedAt - sentAt;
    }
};

/**
 * @brief Parameters of a link with which message mode takes as long as measured.
 *
 * Message mode takes 8 (bytes + overhead) / dataRate + delay for a message alone, and lets a
 * message of a volley wait until the one before has left. Rate and the sum of both constants are
 * the line through the times of first messages that has the least squares of relative errors; the
 * overhead is what following messages are further apart than their bytes take, and the delay what
 * is left. Where messages alone arrive and later ones of a volley do not, the most bytes of a
 * volley that arrived are the queue; the part of the other messages that is lost is the drop.
 *
 * @param messages of one link, in the order in which they were sent
 * @return the parameters
 * @throws Error if fewer than two sizes arrived
 */
LinkParameters FitLink(const std::vector<TimedMessage>& messages);

/// Relative error of durations.
struct DurationError
{
    std::size_t messages{0}; ///< that arrived in both cases
    double median{0.0};      ///< of |a - b| / b
    double p95{0.0};         ///< its 95th percentile, nearest rank
    double largest{0.0};     ///< its maximum
    std::size_t lost{0};     ///< messages that arrived in one case only
};

/**
 * @brief Compares the same messages over two networks.
 * @param model durations to be judged
 * @param truth durations to judge them by, of as many messages
 */
DurationError CompareDurations(const std::vector<TimedMessage>& model,
                               const std::vector<TimedMessage>& truth);

} // namespace dpdl

#endif // DPDL_NETWORK_LINK_FIT_H
