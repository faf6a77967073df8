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

/// True if a message reached its receiver, in time or late, mixed or not. False for a lost message,
/// even if a later message delivered its mass.
bool HasArrived(const Delivery& message);

/// States and sums of states that an observer sees. Each is a row of coefficients of the private
/// inputs (MessageFlow::Row). The rows are the input of KnowledgeMatrix.
class SeenStates
{
  public:
    /**
     * @param run the observed run; read only in the constructor
     * @param observer the observer; read only in the constructor
     * @param flow states of the run; must outlive this object
     */
    SeenStates(const ObservedRun& run, const Observer& observer, const MessageFlow& flow);

    /// Rows of all seen states, each once even if it was sent several times. With
    /// lossPolicy=running-sum, rows of the sums of states that the observer sees.
    const std::vector<const MessageFlow::Row*>& Rows() const
    {
        return m_rows;
    }

  private:
    void AddStates(const ObservedRun& run, const Observer& observer, const MessageFlow& flow);
    void AddSums(const ObservedRun& run, const Observer& observer, const MessageFlow& flow);

    /// Seen states and sums of states, each once. They point into the flow or into m_sums.
    std::vector<const MessageFlow::Row*> m_rows;
    std::deque<MessageFlow::Row> m_sums; ///< storage of the rows that are sums of states
};

} // namespace dpdl

#endif // DPDL_OBSERVATION_SEEN_STATES_H
