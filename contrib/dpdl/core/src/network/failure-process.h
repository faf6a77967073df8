// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_NETWORK_FAILURE_PROCESS_H
#define DPDL_NETWORK_FAILURE_PROCESS_H

#include "dpdl/base/random.h"
#include "dpdl/network/failure-event.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <tuple>
#include <vector>

namespace dpdl
{

/**
 * @brief When one failure begins and ends: of a whole sentence, or of one of its links or nodes.
 *
 * Times come one by one, so that a failure may come and go for ever. All are whole nanoseconds, and
 * the next is always later.
 */
class FailureProcess
{
  public:
    /// Which link or node of a sentence; both empty: all of them together.
    struct Member
    {
        std::optional<LinkId> link; ///< the link
        std::optional<NodeId> node; ///< the node
    };

    /**
     * @param sentences all of them
     * @param index the one that this process is of
     * @param member draws times of its own
     * @param seed names the random times
     */
    FailureProcess(const std::vector<FailureEvent>& sentences,
                   std::size_t index,
                   const Member& member,
                   RandomSeed seed);

    /// When it begins or ends next, in seconds; infinity: never.
    double Time() const
    {
        return m_time;
    }

    /// Whether that is a beginning.
    bool Begins() const
    {
        return m_begins;
    }

    /// Goes on to the next time.
    void Step();

    /// Which sentence.
    std::size_t Index() const
    {
        return m_index;
    }

    /// Which part of it.
    const Member& Part() const
    {
        return m_member;
    }

    /// Later changes compare as greater; at the same time, ends stand before beginnings.
    std::tuple<double, bool, std::size_t> Order() const
    {
        return {m_time, m_begins, m_index};
    }

  private:
    double Span(bool present);
    void MoveTo(double time, bool begins);

    const FailureTiming* m_timing; ///< of the sentence
    std::size_t m_index;           ///< see Index()
    Member m_member;               ///< see Part()
    RandomStream m_random;         ///< gives random times
    std::uint64_t m_element;       ///< of the random stream, the next one
    double m_time{0.0};            ///< see Time()
    bool m_begins{false};          ///< see Begins()
};

} // namespace dpdl

#endif // DPDL_NETWORK_FAILURE_PROCESS_H
