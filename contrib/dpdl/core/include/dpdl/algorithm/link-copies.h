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
 * @brief The undelivered shares of one chunk on one directed link, under lossPolicy=running-sum.
 *
 * Every message carries the sum of all (x, w) ever pushed onto its link. The receiver takes the
 * difference to the last sum that it received, so any later message makes up for every lost message
 * (Spiridonoff, Olshevsky and Paschalidis, JMLR 2020). The difference equals the sum of the shares
 * sent since then. This class stores these shares instead of two growing sums, which avoids
 * cancellation. Take() deletes shares, so memory is proportional to the longest outage of the link.
 */
class RunningSumLink
{
  public:
    /// Appends a sent share. The rounds of the shares must ascend.
    void Push(const Share& share)
    {
        m_owed.push_back(share);
    }

    /**
     * @brief Takes the shares that the message of a round delivers to the receiver.
     * @param round round of the message that arrived
     * @param[out] inbox gets the shares of rounds up to @p round that were not taken before, oldest
     *             first
     * @return true if the message delivered a share; false if a later message had already delivered
     *         all of its shares
     */
    bool Take(Round round, std::vector<Share>& inbox);

    /// Puts back a share that Take() returned and the receiver lost before mixing it. Of several
    /// shares, put back the latest first.
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
    std::deque<Share> m_owed; ///< shares that no message has delivered, ascending by round
};

/**
 * @brief Reference states of one node's links, if messages are differences to the previous message
 *        of the same link.
 *
 * Each link and chunk has a separate reference state.
 *
 * Both ends of a link keep the state that its last message represented, initially z^0, which all
 * nodes have. A message names the round of its reference state. A receiver with a different
 * reference state cannot decode the message and drops it. After a sender is notified of a loss, its
 * next message carries the whole state, so both ends have the same reference state again.
 */
class LinkCopies
{
  public:
    /// @param initial initial state z^0 of all nodes
    explicit LinkCopies(ParameterHandle initial)
        : m_initial(std::move(initial))
    {
    }

    /// Distinct reference states of the next messages to @p targets; empty if all these messages
    /// carry whole states.
    std::vector<ParameterHandle> References(const std::vector<NodeId>& targets) const;

    /**
     * @brief Turns a message into a difference, if the receiver's reference state is known.
     * @param[in,out] share message with the whole state in `z`
     * @param compressed encodings of the state as differences to the states of References()
     */
    void Send(Share& share, const std::vector<CompressedState>& compressed);

    /// Records that a message was lost or could not be decoded. The next message of its link and
    /// chunk is sent whole. No effect if a later message was already sent whole.
    void Lose(const Share& share);

    /// Forgets the states that receivers hold, so the next message of every used link is sent
    /// whole.
    void ForgetSent();

    /// True if the message carries a whole state, or this node holds the state to which it is a
    /// difference.
    bool CanRead(const Share& share) const;

    /// Records a message that has arrived and can be decoded.
    void Receive(const Share& share)
    {
        m_received[{share.source, share.chunk}] = share.round;
    }

    /// Forgets all received messages, so only whole states and differences to z^0 can be decoded.
    void ForgetReceived()
    {
        m_received.clear();
    }

  private:
    /// Reference state that a receiver holds for a chunk, as known to this node.
    struct Copy
    {
        ParameterHandle state; ///< state that the receiver holds; empty: unknown
        /// Round of the message that carried `state`; FROM_START: `state` is the initial state z^0.
        Round round{Share::FROM_START};
        Round wholeSince{0}; ///< round of the last message that was sent whole, not as a difference
    };

    /// Key of a link's state: index of the node at the other end, and index of the chunk.
    using Link = std::pair<NodeId, std::uint16_t>;

    ParameterHandle m_initial;        ///< initial state z^0 of all nodes
    std::map<Link, Copy> m_sent;      ///< states of receivers; a missing entry means z^0
    std::map<Link, Round> m_received; ///< round of the last message; a missing entry means z^0
};

} // namespace dpdl

#endif // DPDL_ALGORITHM_LINK_COPIES_H
