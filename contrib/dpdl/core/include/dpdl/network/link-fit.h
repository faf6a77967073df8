// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_NETWORK_LINK_FIT_H
#define DPDL_NETWORK_LINK_FIT_H

#include "dpdl/network/link-table.h"

#include <cmath>
#include <vector>

namespace dpdl
{

/// A message with its measured times.
struct TimedMessage
{
    NodeId source{0};               ///< sending node
    NodeId target{0};               ///< receiving node
    std::uint64_t bytes{0};         ///< size of the message in bytes, header included
    std::uint32_t volley{0};        ///< messages of one volley were sent at the same moment
    double sentAt{0.0};             ///< time of sending, s
    double arrivedAt{std::nan("")}; ///< time of arrival, s; NaN: lost

    /// Time from sending to arrival, in seconds; NaN if the message was lost.
    double Duration() const
    {
        return arrivedAt - sentAt;
    }
};

/**
 * @brief Fits the parameters of a link in message mode to measured durations.
 *
 * A single message takes 8 (bytes + overhead) / dataRate + delay; a message of a volley waits until
 * the previous one has left. A line is fitted to the durations of first messages by least squares
 * of relative errors. Its slope gives the rate, its constant the sum of overhead and delay. The
 * overhead follows from the median gap between the arrivals of two messages of a volley. If no
 * message that was alone in its volley is lost, the queue limit is the largest number of bytes that
 * arrived of a volley with a lost message. The drop is the lost fraction of the messages that were
 * alone in their volley.
 *
 * @param messages of one link, in the order of sending
 * @return the parameters
 * @throws Error if messages of fewer than two sizes arrived
 */
LinkParameters FitLink(const std::vector<TimedMessage>& messages);

/// Relative errors of the durations of messages.
struct DurationError
{
    std::size_t messages{0}; ///< number of messages delivered in both networks
    double median{0.0};      ///< median of |a - b| / b
    double p95{0.0};         ///< 95th percentile of |a - b| / b, nearest rank
    double largest{0.0};     ///< maximum of |a - b| / b
    std::size_t lost{0};     ///< number of messages delivered in only one of the networks
};

/**
 * @brief Compares the durations of the same messages in two networks.
 * @param model durations a, to be evaluated
 * @param truth reference durations b, of the same number of messages
 */
DurationError CompareDurations(const std::vector<TimedMessage>& model,
                               const std::vector<TimedMessage>& truth);

} // namespace dpdl

#endif // DPDL_NETWORK_LINK_FIT_H
