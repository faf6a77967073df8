// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_NETWORK_LINK_FIT_H
#define DPDL_NETWORK_LINK_FIT_H

#include "dpdl/network/link-table.h"

#include <cmath>
#include <vector>

namespace dpdl
{

/// A message with its measured times of sending and arrival.
struct TimedMessage
{
    NodeId source{0};       ///< sending node
    NodeId target{0};       ///< receiving node
    std::uint64_t bytes{0}; ///< size of the message in bytes, header included
    /// Number of the volley. The messages of a volley were sent at the same time, and are adjacent
    /// in a list of messages.
    std::uint32_t volley{0};
    double sentAt{0.0};             ///< time of sending, s
    double arrivedAt{std::nan("")}; ///< time of arrival, s; NaN: the message was lost

    /// Time from sending to arrival, in seconds; NaN if the message was lost.
    double Duration() const
    {
        return arrivedAt - sentAt;
    }
};

/**
 * @brief Fits the parameters of a link in message mode to measured durations.
 *
 * In message mode, a single message takes 8 (bytes + overhead) / dataRate + delay seconds. A
 * message of a volley waits until the previous message has left. The fit minimizes the squared
 * relative errors of a line through the durations of the volleys' first messages. The slope of the
 * line determines the data rate. The constant of the line is the delay plus the time for sending
 * the overhead. The overhead follows from the median gap between the arrivals of two messages of a
 * volley. The loss probability is the lost fraction of the messages that were alone in their
 * volley. If this fraction is 0, the queue limit is the largest number of bytes that arrived of a
 * volley with a lost message. Otherwise, and if no volley lost a message, the queue is unlimited.
 *
 * @param messages messages of one link, in the order of sending
 * @return fitted parameters
 * @throws Error if messages of fewer than two sizes arrived
 */
LinkParameters FitLink(const std::vector<TimedMessage>& messages);

/// Errors of modelled message durations a, relative to reference durations b.
struct DurationError
{
    std::size_t messages{0}; ///< number of messages delivered in both networks; 0: the errors are 0
    double median{0.0};      ///< median of |a - b| / b over the messages
    double p95{0.0};         ///< 95th percentile of |a - b| / b, by nearest rank
    double largest{0.0};     ///< maximum of |a - b| / b over the messages
    std::size_t lost{0};     ///< number of messages delivered in only one of the networks
};

/**
 * @brief Compares the durations of the same messages in two networks.
 * @param model messages with the durations a, to be evaluated
 * @param truth messages with the reference durations b, in the same order and number
 */
DurationError CompareDurations(const std::vector<TimedMessage>& model,
                               const std::vector<TimedMessage>& truth);

} // namespace dpdl

#endif // DPDL_NETWORK_LINK_FIT_H
