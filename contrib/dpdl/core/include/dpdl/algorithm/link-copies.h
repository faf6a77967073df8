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
 * @brief One directed link under lossPolicy=running-sum.
 *
 * Every message carries the sum of all (x, w) ever pushed onto its link. The receiver takes the
 * difference to the last sum that it received, so any later message repairs every earlier loss
 * (Spiridonoff, Olshevsky and Paschalidis, JMLR 2020). That difference is exactly the sum of the
 * shares sent since. This class stores these shares instead of two growing sums: the same numbers
 * without cancellation. A share is deleted when the receiver has taken it, so memory grows with the
 * longest outage of the link only.
 */
class RunningSumLink
{
  public:
    /// Adds a sent share to the sum of the link.
    void Push(const Share& share)
    {
        m_owed.push_back(share);
    }

    /**
     * @brief Takes the shares that the message of a round delivers to the receiver.
     * @param round round of the message that arrived
     * @param[out] inbox gets the shares of rounds up to @p round that were not taken before, oldest
     *             first
     * @return true if it delivered a share; false if a later message had already delivered all of
     *         them
     */
    bool Take(Round round, std::vector<Share>& inbox);

    /// Puts back a share that the receiver took and lost before mixing. Of several shares, put back
    /// the latest first.
    void PutBack(const Share& share)
    {
        m_owed.push_front(share);
    }

    /// Shares of this link that no message has delivered yet, oldest first.
    const std::deque<Share>& Owed() const
    {
        return m_owed;
    }

  private:
    std::deque<Share> m_owed; ///< shares not yet taken, ascending by round
};

/**
 * @brief A node's side of links whose messages are differences to the previous message.
 *
 * Each chunk of a link has separate copies.
 *
 * Both ends of a link keep a copy of the state that its last message represented, initially z^0,
 * which all nodes have. A message names the round of its reference copy. A receiver with another
 * copy cannot decode it and drops it. When a sender is notified of a loss, it sends the next
 * message whole, and both ends have the same copy again.
 */
class LinkCopies
{
  public:
    /// @param initial initial state z^0 of all nodes
    explicit LinkCopies(ParameterHandle initial)
        : m_initial(std::move(initial))
    {
    }

    /// Distinct reference states of the next messages to @p targets; none for messages that are
    /// sent whole.
    std::vector<ParameterHandle> References(const std::vector<NodeId>& targets) const;

    /**
     * @brief Turns a message into a difference, if its receiver's copy is known.
     * @param[in,out] share with the whole state in `z`
     * @param compressed encodings of the state as differences to the states of References()
     */
    void Send(Share& share, const std::vector<CompressedState>& compressed);

    /// Records that a message of this node was lost or could not be decoded.
    void Lose(const Share& share);

    /// Forgets the copies of all receivers, so the next message of every link in use is sent whole.
    void ForgetSent();

    /// True if the message is whole, or this node has the state to which it is the difference.
    bool CanRead(const Share& share) const;

    /// Records a message that has arrived and can be decoded.
    void Receive(const Share& share)
    {
        m_received[{share.source, share.chunk}] = share.round;
    }

    /// Forgets all received messages.
    void ForgetReceived()
    {
        m_received.clear();
    }

  private:
    /// The copy of a link as its sender knows it.
    struct Copy
    {
        ParameterHandle state; ///< state that the receiver holds; empty: unknown
        Round round{Share::FROM_START};
        Round wholeSince{0}; ///< round of the last message that was sent whole, not as a difference
    };

    /// The node at the other end, and the chunk.
    using Link = std::pair<NodeId, std::uint16_t>;

    ParameterHandle m_initial;        ///< initial state z^0 of all nodes
    std::map<Link, Copy> m_sent;      ///< copies of receivers; a missing entry means z^0
    std::map<Link, Round> m_received; ///< round of the last message; a missing entry means z^0
};

} // namespace dpdl

#endif // DPDL_ALGORITHM_LINK_COPIES_H
