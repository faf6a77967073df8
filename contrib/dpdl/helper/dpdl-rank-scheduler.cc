// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl-mpi-gateway.h"

#include "ns3/dpdl-type.h"
#include "ns3/object-factory.h"
#include "ns3/scheduler.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <tuple>
#include <vector>

namespace ns3
{

namespace
{

/// The gateway that decides when events of this process may run; nullptr: there are no other ranks.
DpdlMpiGateway* g_gateway = nullptr;

/**
 * Scheduler that returns an event only when no other rank can send an earlier event. Events of one
 * time run in the order of their creation, across all ranks.
 */
class RankScheduler : public Scheduler
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = MakeDpdlType<RankScheduler, Scheduler>("ns3::DpdlRankScheduler");
        return tid;
    }

    void Insert(const Event& event) override
    {
        const Time now = Simulator::Now();
        const uint64_t since = g_gateway == nullptr ? 0 : g_gateway->SchedulingTime(now);
        m_events.push_back({event, since});
        std::push_heap(m_events.begin(), m_events.end());
    }

    bool IsEmpty() const override
    {
        const bool mayFollow = g_gateway != nullptr && !g_gateway->IsDone();
        return !mayFollow && m_events.empty();
    }

    Event PeekNext() const override
    {
        return m_events.front().event;
    }

    Event RemoveNext() override
    {
        while (g_gateway != nullptr && !g_gateway->MayRun(Next()))
        {
        }
        if (m_events.empty())
        {
            // Return an event without effect: the simulator expects an event, since IsEmpty() was
            // false.
            Simulator::ScheduleNow([] {});
        }
        std::pop_heap(m_events.begin(), m_events.end());
        const Event next = m_events.back().event;
        m_events.pop_back();
        return next;
    }

    void Remove(const Event& event) override
    {
        const auto isEvent = [&](const Entry& entry) { return entry.event.key == event.key; };
        m_events.erase(std::find_if(m_events.begin(), m_events.end(), isEvent));
        std::make_heap(m_events.begin(), m_events.end());
    }

  private:
    struct Entry
    {
        Event event;
        uint64_t since; //!< time at which the event was created, in ns-3's time steps

        /// True if this event runs after @p other: the standard heap functions put the greatest
        /// element first.
        bool operator<(const Entry& other) const
        {
            return std::tie(event.key.m_ts, since, event.key.m_uid) >
                   std::tie(other.event.key.m_ts, other.since, other.event.key.m_uid);
        }
    };

    uint64_t Next() const
    {
        return m_events.empty() ? DpdlMpiGateway::NEVER : m_events.front().event.key.m_ts;
    }

    std::vector<Entry> m_events; //!< heap of pending events; the next event is first
};

NS_OBJECT_ENSURE_REGISTERED(RankScheduler);

} // namespace

void
SetDpdlRankScheduler(DpdlMpiGateway* gateway)
{
    g_gateway = gateway;
    if (gateway != nullptr)
    {
        Simulator::SetScheduler(ObjectFactory("ns3::DpdlRankScheduler"));
    }
}

} // namespace ns3
