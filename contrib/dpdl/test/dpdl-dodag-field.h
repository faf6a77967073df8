// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_DODAG_FIELD_H
#define DPDL_DODAG_FIELD_H

#include "dpdl-property-draws.h"
#include "dpdl/base/errors.h"

#include "ns3/constant-position-mobility-model.h"
#include "ns3/dpdl-dodag.h"
#include "ns3/dpdl-lr-wpan-network.h"
#include "ns3/ipv6-l3-protocol.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

namespace dpdltest
{

/// Places of sensors in a plane, and their networks.
class DodagField
{
  public:
    /// @param places x and y of the nodes, in metres
    explicit DodagField(const std::vector<std::pair<double, double>>& places)
    {
        Place(places);
    }

    /// @param draws where they are: node 0 in the middle of a square, all in one network, and no
    /// two of them as far from each other as a radio just reaches
    /// @param count how many nodes
    DodagField(PropertyDraws& draws, uint32_t count)
    {
        const double half = 33.0 * std::sqrt(count); // m
        while (m_nodes.GetN() == 0)
        {
            std::vector<std::pair<double, double>> places{{0.0, 0.0}};
            while (places.size() < count)
            {
                const double x = half * (draws.Below(2001) / 1000.0 - 1.0);
                const double y = half * (draws.Below(2001) / 1000.0 - 1.0);
                const bool isClear =
                    std::all_of(places.begin(), places.end(), [x, y](const auto& other) {
                        return std::fabs(std::hypot(x - other.first, y - other.second) - REACH) > 2;
                    });
                isClear ? places.emplace_back(x, y) : places.back();
            }
            Place(places);
            try
            {
                ns3::DpdlLrWpanTree::Shortest(m_nodes);
            }
            catch (const dpdl::UsageError&)
            {
                m_nodes = ns3::NodeContainer(); // some hear no other
            }
        }
    }

    /// @param isDodag or the tree of fewest hops @param settings of the run
    void Install(bool isDodag, const dpdl::RunOptions& settings)
    {
        ns3::DpdlLrWpanNetwork network;
        m_tree = ns3::DpdlLrWpanTree::Shortest(m_nodes);
        network.SetDutyCycle(ns3::Seconds(4), 0.5);
        network.SetTree(m_tree);
        network.SetDodag(isDodag);
        network.FitTo(settings);
        network.SetLargestDatagram(250); // the model is small
        network.Install(m_nodes);
        m_settling = network.SettlingTime();
        for (uint32_t i = 0; i < m_nodes.GetN(); ++i)
        {
            const auto stack = m_nodes.Get(i)->GetObject<ns3::Ipv6L3Protocol>();
            m_dodags.push_back(ns3::DynamicCast<ns3::DpdlDodag>(stack->GetRoutingProtocol()));
            m_numbers[stack->GetAddress(1, 0).GetAddress()] = i;
        }
    }

    /// What is wrong with the tree; "" if nothing: there are no loops, and ranks and versions lead
    /// to the root.
    std::string Fault() const
    {
        for (uint32_t i = 1; m_dodags[0] && i < m_nodes.GetN(); ++i)
        {
            uint32_t at = i;
            for (uint32_t hops = 0; HasParent(at); at = ParentOf(at), ++hops)
            {
                if (hops > m_nodes.GetN())
                {
                    return "a loop at node " + std::to_string(i);
                }
            }
            if (!HasParent(i))
            {
                continue;
            }
            const ns3::DpdlDodagState& own = At(i);
            const ns3::DpdlDodagState& parent = At(ParentOf(i));
            const bool isNearer = parent.Version() > own.Version() ||
                                  (parent.Version() == own.Version() &&
                                   (parent.Rank() < own.Rank() ||
                                    parent.Rank() == ns3::DpdlDodagState::INFINITE_RANK));
            if (!isNearer)
            {
                return "the rank of node " + std::to_string(i);
            }
        }
        return "";
    }

    /// Whether a node has a parent. The root has none.
    bool HasParent(uint32_t node) const
    {
        return At(node).HasParent();
    }

    /// @param node has a parent
    uint32_t ParentOf(uint32_t node) const
    {
        return m_numbers.at(At(node).Parent());
    }

    /// What a node knows.
    const ns3::DpdlDodagState& At(uint32_t node) const
    {
        return m_dodags[node]->State();
    }

    /// Fewest hops to the root.
    double HopsOf(uint32_t node) const
    {
        return m_tree.HopsOf(node);
    }

    /// See DpdlLrWpanNetwork::SettlingTime().
    ns3::Time SettlingTime() const
    {
        return m_settling;
    }

    /// The nodes.
    const ns3::NodeContainer& Nodes() const
    {
        return m_nodes;
    }

  private:
    static constexpr double REACH = 99.0; ///< of a radio, m

    void Place(const std::vector<std::pair<double, double>>& places)
    {
        m_nodes.Create(static_cast<uint32_t>(places.size()));
        for (uint32_t i = 0; i < m_nodes.GetN(); ++i)
        {
            const auto place = ns3::CreateObject<ns3::ConstantPositionMobilityModel>();
            place->SetPosition(ns3::Vector(places[i].first, places[i].second, 0.0));
            m_nodes.Get(i)->AggregateObject(place);
        }
    }

    ns3::NodeContainer m_nodes;                     ///< see Nodes()
    ns3::DpdlLrWpanTree m_tree;                     ///< of fewest hops
    ns3::Time m_settling;                           ///< see SettlingTime()
    std::vector<ns3::Ptr<ns3::DpdlDodag>> m_dodags; ///< by node; empty if routes are fixed
    std::map<ns3::Ipv6Address, uint32_t> m_numbers; ///< of nodes, by link-local address
};

} // namespace dpdltest

#endif // DPDL_DODAG_FIELD_H
