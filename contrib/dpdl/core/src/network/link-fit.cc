// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/network/link-fit.h"

#include "dpdl/base/errors.h"

#include <algorithm>

// Fits the parameters of a link to measured messages. The first messages of volleys (messages sent
// at once) give data rate and delay by weighted least squares. Gaps within volleys give the
// overhead, and lost messages give loss probability and queue limit.

namespace dpdl
{

namespace
{

/// A line y = slope x + constant.
struct Line
{
    double slope;
    double constant;
};

/// Fits y = slope x + constant with the least sum of squared relative errors of y.
/// @param points pairs (x, y) with y > 0
/// @throws Error if the x are equal or the slope is not positive
Line
FitLine(const std::vector<std::pair<double, double>>& points)
{
    double weights = 0.0;
    double x = 0.0;
    double y = 0.0;
    for (const auto& [px, py] : points)
    {
        const double weight = 1.0 / (py * py);
        weights += weight;
        x += weight * px;
        y += weight * py;
    }
    x /= weights;
    y /= weights;
    double covariance = 0.0;
    double variance = 0.0;
    for (const auto& [px, py] : points)
    {
        const double weight = 1.0 / (py * py);
        covariance += weight * (px - x) * (py - y);
        variance += weight * (px - x) * (px - x);
    }
    // If all messages have the same size, the computed variance of the sizes is only rounding
    // error.
    if (!(variance > 1e-12 * weights * x * x) || !(covariance > 0.0))
    {
        throw Error("a link cannot be fitted: fewer than two sizes of messages arrived, or larger "
                    "ones were not slower");
    }
    return {covariance / variance, y - covariance / variance * x};
}

/// Measurements of a link, collected from its messages.
struct Evidence
{
    /// First message of each volley, if the message arrived: size in bytes, and seconds from
    /// sending to arrival.
    std::vector<std::pair<double, double>> first;
    /// Later messages of a volley that arrived, and whose previous message also arrived: size in
    /// bytes, and seconds between the two arrivals.
    std::vector<std::pair<double, double>> gaps;
    std::size_t aloneSent{0}; ///< number of volleys of one message
    std::size_t aloneLost{0}; ///< number of volleys of one message that was lost
    /// Bytes of a volley that arrived: largest value over the volleys that lost a message after
    /// their first message.
    std::uint64_t refusedAfter{0};
};

Evidence
Collect(const std::vector<TimedMessage>& messages)
{
    Evidence evidence;
    for (std::size_t begin = 0, end = 0; begin < messages.size(); begin = end)
    {
        std::uint64_t arrived = 0;
        bool isRefused = false;
        for (end = begin; end < messages.size() && messages[end].volley == messages[begin].volley;
             ++end)
        {
            const TimedMessage& message = messages[end];
            const bool isLost = std::isnan(message.arrivedAt);
            const auto bytes = static_cast<double>(message.bytes);
            if (end == begin && !isLost)
            {
                evidence.first.emplace_back(bytes, message.Duration());
            }
            else if (end > begin && !isLost && !std::isnan(messages[end - 1].arrivedAt))
            {
                evidence.gaps.emplace_back(bytes, message.arrivedAt - messages[end - 1].arrivedAt);
            }
            arrived += isLost ? 0 : message.bytes;
            isRefused = isRefused || (isLost && end > begin);
        }
        if (end == begin + 1)
        {
            ++evidence.aloneSent;
            evidence.aloneLost += std::isnan(messages[begin].arrivedAt) ? 1 : 0;
        }
        evidence.refusedAfter = std::max(evidence.refusedAfter, isRefused ? arrived : 0);
    }
    return evidence;
}

double
Median(std::vector<double> values)
{
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

} // namespace

LinkParameters
FitLink(const std::vector<TimedMessage>& messages)
{
    const Evidence evidence = Collect(messages);
    const Line line = FitLine(evidence.first);
    LinkParameters link;
    link.dataRate = 8.0 / line.slope;
    std::vector<double> overheads;
    for (const auto& [bytes, seconds] : evidence.gaps)
    {
        overheads.push_back(seconds / line.slope - bytes);
    }
    // The constant of the fitted line, in seconds, contains the transmission time of the overhead.
    // So constant / slope is an upper bound of the overhead in bytes.
    const double most = std::max(0.0, line.constant / line.slope);
    link.overhead = overheads.empty() ? 0.0 : std::clamp(Median(overheads), 0.0, most);
    link.delay = std::max(0.0, line.constant - link.overhead * line.slope);
    if (evidence.aloneSent > 0)
    {
        link.drop =
            static_cast<double>(evidence.aloneLost) / static_cast<double>(evidence.aloneSent);
    }
    if (evidence.aloneLost == 0)
    {
        link.queue.bytes = evidence.refusedAfter;
    }
    return link;
}

DurationError
CompareDurations(const std::vector<TimedMessage>& model, const std::vector<TimedMessage>& truth)
{
    DurationError error;
    std::vector<double> errors;
    for (std::size_t i = 0; i < truth.size(); ++i)
    {
        const bool isLost = std::isnan(truth[i].arrivedAt);
        if (isLost != std::isnan(model[i].arrivedAt))
        {
            ++error.lost;
        }
        else if (!isLost)
        {
            errors.push_back(std::abs(model[i].Duration() / truth[i].Duration() - 1.0));
        }
    }
    error.messages = errors.size();
    if (!errors.empty())
    {
        std::sort(errors.begin(), errors.end());
        const auto rank = [&errors](double part) {
            const double count = static_cast<double>(errors.size());
            return errors[static_cast<std::size_t>(std::ceil(part * count)) - 1];
        };
        error.median = rank(0.5);
        error.p95 = rank(0.95);
        error.largest = errors.back();
    }
    return error;
}

} // namespace dpdl
