// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "seen-states.h"

#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace dpdl
{

bool
HasArrived(const Delivery& message)
{
    return message.arrivedAt.has_value() ||
           (message.fate != DeliveryFate::LOST && message.fate != DeliveryFate::REFUNDED);
}

SeenStates::SeenStates(const ObservedRun& run, const Observer& observer, const MessageFlow& flow)
{
    if (run.sums && observer.kind == ObserverKind::NODES)
    {
        AddSums(run, observer, flow);
    }
    else
    {
        AddStates(run, observer, flow);
    }
    for (NodeId node = 0; node < run.releases.size(); ++node)
    {
        if (run.endIsKnown || (observer.kind == ObserverKind::FINAL && observer.IsAt(node)))
        {
            m_rows.push_back(&flow.Final(node));
        }
    }
}

void
SeenStates::AddStates(const ObservedRun& run, const Observer& observer, const MessageFlow& flow)
{
    std::set<std::pair<Round, NodeId>> states;
    for (const Delivery& message : run.deliveries)
    {
        if (message.round < run.rounds &&
            (observer.Sees(message) || observer.Overhears(message, run.medium)))
        {
            states.insert({message.round, message.source});
        }
    }
    m_rows.reserve(states.size());
    for (const auto& [round, source] : states)
    {
        m_rows.push_back(&flow.Sent(source, round));
    }
}

void
SeenStates::AddSums(const ObservedRun& run, const Observer& observer, const MessageFlow& flow)
{
    // A message carries the sum of all shares sent on its link so far. The receiver learns only the
    // difference from the last sum that arrived, which is the sum of the shares sent since then.
    std::map<std::tuple<NodeId, NodeId, Round>, const Delivery*> sent;
    for (const Delivery& message : run.deliveries)
    {
        if (message.round < run.rounds && message.fate != DeliveryFate::DUPLICATE &&
            (observer.Owns(message.target) || observer.Overhears(message, run.medium)))
        {
            sent[{message.source, message.target, message.round}] = &message;
        }
    }
    MessageFlow::Row sum;
    std::pair<NodeId, NodeId> link;
    for (const auto& [place, message] : sent)
    {
        if (link != std::pair(message->source, message->target))
        {
            sum.clear();
            link = {message->source, message->target};
        }
        const ScaledDouble share = flow.Share(message->source, message->round, message->weight);
        const double part = share / flow.Share(message->source, 0, 1.0);
        MessageFlow::AddPart(sum, flow.Sent(message->source, message->round), part);
        if (HasArrived(*message))
        {
            m_sums.push_back(std::exchange(sum, {}));
            m_rows.push_back(&m_sums.back());
        }
    }
}

} // namespace dpdl
