// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_OBSERVATION_SEEN_STATES_H
#define DPDL_OBSERVATION_SEEN_STATES_H

#include "dpdl/observation/message-flow.h"
#include "dpdl/observation/network-observer.h"
#include "dpdl/observation/observer.h"

#include <deque>
#include <vector>

namespace dpdl
{

/**
 * @brief True if a message came to its receiver, in time or late, mixed or not; for a lost one
 * whose mass a later one has brought, false.
 */
bool HasArrived(const Delivery& message);

/// Rows of an observer's view of a run.
class SeenStates
{
  public:
    /// @param run what happened @param observer who watches @param flow must outlive the rows
    SeenStates(const ObservedRun& run, const Observer& observer, const MessageFlow& flow);

    /// Each state once, however often it was sent, or what running sums tell of several.
    const std::vector<const MessageFlow::Row*>& Rows() const
    {
        return m_rows;
    }

  private:
    void AddStates(const ObservedRun& run, const Observer& observer, const MessageFlow& flow);
    void AddSums(const ObservedRun& run, const Observer& observer, const MessageFlow& flow);

    std::vector<const MessageFlow::Row*> m_rows; ///< each state once, and running sums
    std::deque<MessageFlow::Row> m_sums;         ///< those that are sums of several states
};

} // namespace dpdl

#endif // DPDL_OBSERVATION_SEEN_STATES_H
