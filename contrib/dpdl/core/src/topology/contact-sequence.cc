// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/topology/contact-file.h"
#include "dpdl/topology/round-graph-sequence.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace dpdl
{

namespace
{

/// See MakeContactSequence(). The clock only goes forward: contacts that are over are left behind.
class ContactSequence : public LiveGraphSequence
{
  public:
    ContactSequence(std::vector<Contact> contacts, std::size_t nodes)
        : LiveGraphSequence(nodes),
          m_contacts(std::move(contacts))
    {
        std::stable_sort(m_contacts.begin(),
                         m_contacts.end(),
                         [](const Contact& a, const Contact& b) { return a.start < b.start; });
    }

    std::optional<std::vector<Edge>> PossibleEdges() const override
    {
        std::vector<Edge> edges;
        for (const Contact& contact : m_contacts)
        {
            edges.push_back(contact.edge);
        }
        return edges;
    }

  private:
    std::vector<Edge> MakeEdges(Round /*round*/) const override
    {
        MoveTo(Now());
        std::vector<Edge> edges;
        for (const std::size_t index : m_alive)
        {
            edges.push_back(m_contacts[index].edge);
        }
        const auto inOrder = [](const Edge& a, const Edge& b) {
            return std::tie(a.source, a.target) < std::tie(b.source, b.target);
        };
        const auto same = [](const Edge& a, const Edge& b) {
            return a.source == b.source && a.target == b.target;
        };
        std::sort(edges.begin(), edges.end(), inOrder);
        edges.erase(std::unique(edges.begin(), edges.end(), same), edges.end());
        return edges;
    }

    void MoveTo(double now) const
    {
        if (now < m_reached)
        {
            m_next = 0;
            m_alive.clear();
        }
        m_reached = now;
        for (; m_next < m_contacts.size() && m_contacts[m_next].start <= now; ++m_next)
        {
            m_alive.push_back(m_next);
        }
        m_alive.erase(
            std::remove_if(m_alive.begin(),
                           m_alive.end(),
                           [&](std::size_t index) { return m_contacts[index].end <= now; }),
            m_alive.end());
    }

    std::vector<Contact> m_contacts;          ///< by start
    mutable double m_reached{0.0};            ///< the moment that the next two are of
    mutable std::size_t m_next{0};            ///< first contact that has not started
    mutable std::vector<std::size_t> m_alive; ///< contacts at that moment
};

} // namespace

std::shared_ptr<GraphSequence>
MakeContactSequence(std::vector<Contact> contacts, std::size_t nodes)
{
    return std::make_shared<ContactSequence>(std::move(contacts), nodes);
}

} // namespace dpdl
