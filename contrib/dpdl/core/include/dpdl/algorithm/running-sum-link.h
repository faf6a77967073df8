// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_ALGORITHM_RUNNING_SUM_LINK_H
#define DPDL_ALGORITHM_RUNNING_SUM_LINK_H

#include "dpdl/algorithm/share.h"

#include <deque>
#include <vector>

namespace dpdl
{

/**
 * @brief One directed link under the loss policy `running-sum`.
 *
 * Every message carries the sum of all (x, w) that its link was ever given; the receiver takes the
 * difference to the last sum that it heard, so that any later message repairs every earlier loss
 * (Spiridonoff, Olshevsky and Paschalidis, JMLR 2020). That difference is exactly the sum of the
 * shares sent since, and this class keeps these shares instead of two ever-growing sums: the same
 * numbers without the cancellation. What the receiver has taken is forgotten at once, which bounds
 * the memory by the length of the longest outage.
 */
class RunningSumLink
{
  public:
    /// The sender adds a share to the sum.
    void Push(const Share& share);

    /**
     * @brief The receiver hears the message of a round.
     * @param round the round
     * @param[out] inbox gets the shares of rounds up to @p round that were not taken before, oldest
     *             first
     * @return whether there were any: false for a message that a later one overtook
     */
    bool Take(Round round, std::vector<Share>& inbox);

    /// The receiver lost @p share before it was mixed; of several, the latest comes first.
    void PutBack(const Share& share);

    /// Shares that no message has delivered yet.
    const std::deque<Share>& Owed() const
    {
        return m_owed;
    }

  private:
    std::deque<Share> m_owed; ///< in the order of their rounds
};

} // namespace dpdl

#endif // DPDL_ALGORITHM_RUNNING_SUM_LINK_H
