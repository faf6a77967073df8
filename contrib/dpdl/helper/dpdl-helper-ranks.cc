// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl-helper.h"
#include "dpdl/base/errors.h"
#include "dpdl/base/quantity.h"
#include "dpdl/experiment/run-rules.h"

#include "ns3/abort.h"
#include "ns3/string.h"

#include <cmath>

// The part of DpdlHelper for runs on several ranks: checks, look-ahead and gateway.

namespace ns3
{

namespace
{

/// Size of the smallest message that a rank may send to another, in bytes. @param areAnswered true:
/// receivers send acknowledgements
uint64_t
LeastBytes(const ::dpdl::ResolvedRun& run, bool areAnswered)
{
    // Acknowledgements and announced sensitivities consist of a header without parameters.
    if (areAnswered || ::dpdl::IsEstimating(run))
    {
        return ::dpdl::MESSAGE_HEADER_BYTES;
    }
    const uint64_t last = run.chunks.Size(run.chunks.Count() - 1); // the last chunk is the smallest
    const bool isCompressed = run.compression.compressor != nullptr;
    return ::dpdl::MESSAGE_HEADER_BYTES + run.compression.Bytes(last, isCompressed);
}

/// Text of DpdlHelper::Cut(): number of ranks, look-ahead, percentage of messages between ranks.
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

} // namespace

Time
DpdlHelper::LookAhead(const ::dpdl::ResolvedRun& run, const ::dpdl::RankCut& cut) const
{
    StringValue sharing;
    m_messages->GetAttribute("Sharing", sharing);
    DPDL_REFUSE_IF(sharing.Get() == "downlink",
                   "attribute 'Sharing'",
                   sharing.Get(),
                   "none or uplink in a run on several ranks");
    const uint64_t bytes = LeastBytes(run, m_reliable != nullptr);
    const Time shortest = m_messages->ShortestTime(cut.fastest, bytes, run.failureEvents);
    const std::string link = cut.link ? "link " + std::to_string(cut.link->source) + "->" +
                                            std::to_string(cut.link->target)
                                      : "a link";
    DPDL_REFUSE_IF(!shortest.IsStrictlyPositive(),
                   "time of a message on " + link + " between ranks",
                   "0s",
                   "at least 1ns: give it a 'delay', or number its nodes so that one rank has "
                   "both; ranks hold consecutive nodes");
    if (run.lossPolicy != ::dpdl::LossPolicy::REFUND || run.failureEvents.empty())
    {
        return shortest;
    }
    const Time feedback = FeedbackDelay();
    DPDL_REFUSE_IF(!feedback.IsStrictlyPositive(),
                   "attribute 'FeedbackDelay'",
                   "0s",
                   "a longer one where failures lose messages between ranks");
    return Min(shortest, feedback);
}

void
DpdlHelper::ReadRanks(::dpdl::RunOptions& asked, ::dpdl::NetworkFacts& facts) const
{
    if (IsOfSeveralRanks())
    {
        facts.part = m_ranks->Part();
        facts.rankLink = m_ranks->Link();
        asked.workers = asked.workers == 0 ? m_ranks->Workers() : asked.workers;
    }
}

void
DpdlHelper::CheckRanks(const NodeContainer& nodes, uint32_t ranks)
{
    ::dpdl::NetworkFacts facts;
    const ::dpdl::RunOptions asked = Prepare(nodes, facts);
    facts.part = {0, ranks};
    ::dpdl::Resolve(asked, facts, World());
}

void
DpdlHelper::Couple(const ::dpdl::ResolvedRun& run)
{
    if (run.part.IsWhole())
    {
        return;
    }
    NS_ABORT_MSG_UNLESS(m_messages, "DpdlHelper: ranks need message mode");
    const ::dpdl::RankCut cut = ::dpdl::CutOf(run);
    m_lookAhead = LookAhead(run, cut);
    m_cut = ShowCut(run, cut, m_lookAhead);
}

void
DpdlHelper::MakeGateway()
{
    if (IsOfSeveralRanks())
    {
        m_gateway = m_ranks->MakeGateway(*m_experiment, m_lookAhead, FeedbackDelay());
        m_transport->SetGateway(m_gateway);
    }
}

uint32_t
DpdlHelper::NodeOf(uint32_t application) const
{
    const ::dpdl::ResolvedRun& run = m_experiment->Settings();
    return run.part.Begin(run.nodes) + application;
}

} // namespace ns3
