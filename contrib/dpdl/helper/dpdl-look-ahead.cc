// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl-look-ahead.h"

#include "dpdl/base/errors.h"
#include "dpdl/base/quantity.h"
#include "dpdl/experiment/experiment.h"
#include "dpdl/experiment/run-rules.h"

#include "ns3/string.h"

#include <cmath>

namespace ns3
{

namespace
{

/// Size of the smallest message that a rank may send to another, in bytes.
uint64_t
LeastBytes(const ::dpdl::ResolvedRun& run, bool areAnswered)
{
    // Neither acknowledgements nor announced sensitivities carry parameters.
    if (areAnswered || ::dpdl::IsEstimating(run))
    {
        return ::dpdl::MESSAGE_HEADER_BYTES;
    }
    const uint64_t last = run.chunks.Size(run.chunks.Count() - 1); // the last chunk is the smallest
    const bool isCompressed = run.compression.compressor != nullptr;
    return ::dpdl::MESSAGE_HEADER_BYTES + run.compression.Bytes(last, isCompressed);
}

} // namespace

Time
DpdlLookAhead(const ::dpdl::ResolvedRun& run,
              const ::dpdl::RankCut& cut,
              DpdlMessageTransport& messages,
              bool areAnswered,
              Time feedback)
{
    StringValue sharing;
    messages.GetAttribute("Sharing", sharing);
    DPDL_REFUSE_IF(sharing.Get() == "downlink",
                   "attribute 'Sharing'",
                   sharing.Get(),
                   "none or uplink in a run on several ranks");
    Time shortest =
        messages.ShortestTime(cut.fastest, LeastBytes(run, areAnswered), run.failureEvents);
    if (!shortest.IsStrictlyPositive())
    {
        const std::string link = cut.link ? "link " + std::to_string(cut.link->source) + "->" +
                                                std::to_string(cut.link->target)
                                          : "a link";
        throw ::dpdl::UsageError("time of a message on " + link + " between ranks",
                                 "0s",
                                 "at least 1ns: give it a 'delay', or number its nodes so that "
                                 "one rank has both; ranks hold consecutive nodes");
    }
    if (run.lossPolicy != ::dpdl::LossPolicy::REFUND || run.failureEvents.empty())
    {
        return shortest;
    }
    DPDL_REFUSE_IF(!feedback.IsStrictlyPositive(),
                   "attribute 'FeedbackDelay'",
                   "0s",
                   "a longer one where failures lose messages between ranks");
    return Min(shortest, feedback);
}

std::string
ShowCut(const ::dpdl::ResolvedRun& run, const ::dpdl::RankCut& cut, Time lookAhead)
{
    std::string text = std::to_string(run.part.ranks) + " ranks, look-ahead " +
                       ::dpdl::ShowRounded(1e3 * lookAhead.GetSeconds(), 3) + " ms";
    if (!std::isnan(cut.part))
    {
        text += ", " + ::dpdl::ShowRounded(100.0 * cut.part, 3) +
                " % of the messages go from one rank to another";
    }
    return text;
}

} // namespace ns3
