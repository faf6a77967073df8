// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_ALGORITHM_LINK_COPIES_H
#define DPDL_ALGORITHM_LINK_COPIES_H

#include "dpdl/algorithm/share.h"
#include "dpdl/training/node-job.h"

#include <cstdint>
#include <deque>
#include <map>
#include <utility>
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

/**
 * @brief A node's side of links whose messages are differences to the message before.
 *
 * Each chunk of a link has copies of its own.
 *
 * Both ends of a link keep a copy of what its last message stood for, at first z^0, which all nodes
 * have. A message names the round of the copy that it is the difference to. A receiver that has
 * another one cannot read it and drops it. When a sender learns that a message is lost, it sends
 * the next one whole, and both ends have the same copy again.
 */
class LinkCopies
{
  public:
    /// @param initial z^0 of all nodes
    explicit LinkCopies(ParameterHandle initial)
        : m_initial(std::move(initial))
    {
    }

    /// What messages to these nodes are differences to, each once; none for those sent whole.
    std::vector<ParameterHandle> References(const std::vector<NodeId>& targets) const;

    /**
     * @brief Makes a message a difference, if its receiver's copy is known.
     * @param[in,out] share with the whole state in `z`
     * @param compressed the state as differences to some of References()
     */
    void Send(Share& share, const std::vector<CompressedState>& compressed);

    /// This node has learnt that its message never arrived, or could not be read.
    void Lose(const Share& share);

    /// This node has forgotten what it has sent.
    void ForgetSent();

    /// True if this node has the state to which a message is the difference.
    bool CanRead(const Share& share) const;

    /// A message for this node has arrived, which it can read.
    void Receive(const Share& share);

    /// This node has forgotten what it has received.
    void ForgetReceived()
    {
        m_received.clear();
    }

  private:
    /// The copy of a link, as its sender believes it to be.
    struct Copy
    {
        ParameterHandle state; ///< empty: unknown
        Round round{Share::FROM_START};
        Round wholeSince{0}; ///< round of the last message that was sent whole
    };

    /// A node at the other end, and a chunk.
    using Link = std::pair<NodeId, std::uint16_t>;

    ParameterHandle m_initial;        ///< z^0
    std::map<Link, Copy> m_sent;      ///< those missing have z^0
    std::map<Link, Round> m_received; ///< the round of the last message
};

} // namespace dpdl

#endif // DPDL_ALGORITHM_LINK_COPIES_H
