// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_NETWORK_FAILURE_LINKS_H
#define DPDL_NETWORK_FAILURE_LINKS_H

#include "dpdl/network/failure-event.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

namespace dpdl
{

/// Probability of at least one of two independent events.
inline double
EitherOf(double a, double b)
{
    return a + b - a * b;
}

/**
 * @brief What the failures of links and the partitions going on make of a link.
 *
 * Failures of a few links stand with these links, those of many in one list. What they make of a
 * link is kept until one of them changes.
 */
class FailureLinks
{
  public:
    /// What is known of a link.
    struct Summary
    {
        LinkCondition condition; ///< now
        double downUntil;        ///< end of the last time it was down; -infinity: never
    };

    /**
     * @param sentences outlive this object
     * @param nodes number of nodes
     */
    FailureLinks(const std::vector<FailureEvent>& sentences, std::size_t nodes);

    /**
     * @brief A failure begins or ends.
     * @param index of the sentence
     * @param link the only one concerned; empty: all of the sentence
     * @param begins false: it ends
     * @param time now, in seconds
     */
    void Change(std::size_t index, const std::optional<LinkId>& link, bool begins, double time);

    /// What is known of a link; nullptr if no failure has concerned its source yet.
    const Summary* Find(NodeId source, NodeId target) const
    {
        return m_allConcerned || m_concerned[source] ? &Look(source, target) : nullptr;
    }

  private:
    /// One link.
    struct Link
    {
        std::vector<const FailureEvent*> active; ///< of it alone
        double downUntil;                        ///< by failures of it alone
        std::uint64_t version{0};                ///< for which the summary holds; 0: none
        Summary summary;                         ///< of these and of failures of many links
    };

    /// A failure of many links that has begun.
    struct Wide
    {
        const FailureEvent* sentence; ///< which
        bool active;                  ///< it is going on
        double downUntil;             ///< when it ended last; -infinity: never
    };

    const Summary& Look(NodeId source, NodeId target) const;
    void Summarise(NodeId source, NodeId target, Link& link) const;
    void ChangeLink(const FailureEvent& sentence, const LinkId& link, bool begins, double time);
    void ChangeWide(std::size_t index, bool begins, double time);
    void Concern(const NodeSet& sources);
    Link& At(NodeId source, NodeId target) const;

    const std::vector<FailureEvent>& m_sentences; ///< all
    std::vector<Wide> m_wide;                     ///< in the order of their beginnings
    std::vector<std::size_t> m_places;            ///< in m_wide, by sentence
    bool m_allConcerned{false};                   ///< every source is
    std::vector<char> m_concerned;                ///< by source
    std::uint64_t m_version{1};                   ///< counts changes of m_wide
    mutable std::unordered_map<std::uint64_t, Link>
        m_links;                                        ///< those that failed, or were asked for
    mutable std::vector<const FailureEvent*> m_scratch; ///< for Summarise()
};

} // namespace dpdl

#endif // DPDL_NETWORK_FAILURE_LINKS_H
