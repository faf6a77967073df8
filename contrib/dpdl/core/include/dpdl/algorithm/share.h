// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_ALGORITHM_SHARE_H
#define DPDL_ALGORITHM_SHARE_H

#include "dpdl/base/scaled-double.h"
#include "dpdl/base/types.h"
#include "dpdl/training/parameters.h"

#include <limits>

namespace dpdl
{

/**
 * @brief Message of one node to one out-neighbour in one round of push-sum.
 *
 * Push-sum's numerator never exists as such: the pair (z, mass) stands for x = mass * z. The
 * parameters are a handle to an immutable snapshot, so a share costs no copy
 * however large the model is.
 */
struct Share
{
    NodeId source{0};            ///< sending node
    NodeId target{0};            ///< receiving node
    Round round{0};              ///< round whose half-step z^{round+1/2} it carries
    double weight{0.0};          ///< mixing weight P[target][source] of that round
    ScaledDouble mass;           ///< weight times the sender's push-sum weight w
    ParameterHandle z;           ///< z^{round+1/2} of the sender
    std::uint32_t record{0};     ///< number of its row in the trace (see DeliveryLog)
    std::uint16_t chunk{0};      ///< the part of z that the share is of; 0 if z is not cut
    std::uint16_t copy{0};       ///< which transmission this is; 0: the first (see losses of links)
    double sentAt{0.0};          ///< when it was sent, in simulated seconds
    bool isCompressed{false};    ///< z is what its receiver reads of fewer bytes; see Compression
    bool isLie{false};           ///< z is not what the sender has; nothing shows it to a receiver
    Round reference{FROM_START}; ///< round of the message that it is the difference to

    /// A reference that is no message: what all nodes have from the start.
    static constexpr Round FROM_START = std::numeric_limits<Round>::max();

    /// The chunk of a message that carries no parameters but a number, in the place of the mass.
    static constexpr std::uint16_t ANNOUNCEMENT = 0xffff;

    /// Set in `copy` of an acknowledgement; the other bits are the copy that it answers.
    static constexpr std::uint16_t ANSWER = 0x8000;

    /// True if it acknowledges a share that its target sent (see losses of links), and is none.
    bool IsAnswer() const
    {
        return (copy & ANSWER) != 0;
    }

    /// True if it announces a sensitivity (see MaxConsensus) and is no share at all.
    bool IsAnnouncement() const
    {
        return chunk == ANNOUNCEMENT;
    }
};

} // namespace dpdl

#endif // DPDL_ALGORITHM_SHARE_H
