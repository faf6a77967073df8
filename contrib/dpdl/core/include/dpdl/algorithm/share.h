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
 * Push-sum's numerator is never stored: the pair (z, mass) represents x = mass * z. The parameters
 * are a handle to an immutable snapshot, so a share needs no copy for any model size.
 */
struct Share
{
    NodeId source{0};        ///< sending node
    NodeId target{0};        ///< receiving node
    Round round{0};          ///< round of the half-step z^{round+1/2} in the share
    double weight{0.0};      ///< mixing weight P[target][source] of that round
    ScaledDouble mass;       ///< weight times the sender's push-sum weight w
    ParameterHandle z;       ///< z^{round+1/2} of the sender
    std::uint32_t record{0}; ///< index of the share's row in the trace (see DeliveryLog)
    std::uint16_t chunk{0};  ///< index of the chunk of z in the share; 0 if z is not chunked
    std::uint16_t copy{0};   ///< index of the transmission; 0: the first, above 0: a retransmission
    double sentAt{0.0};      ///< time at which the share was sent, in simulated seconds
    /// True: z is the state that the receiver decodes from a compressed message; see Compression.
    bool isCompressed{false};
    bool isLie{false}; ///< true: z is not the sender's state; receivers cannot detect this
    Round reference{FROM_START}; ///< round of the message that a difference refers to

    /// Value of `reference` for a difference to the initial state, which all nodes have.
    static constexpr Round FROM_START = std::numeric_limits<Round>::max();

    /// Chunk index of a message that carries one number, in place of the mass, and no parameters.
    static constexpr std::uint16_t ANNOUNCEMENT = 0xffff;

    /// Flag in `copy` of an acknowledgement; the other bits are the acknowledged copy.
    static constexpr std::uint16_t ANSWER = 0x8000;

    /// True if the message is not a share but acknowledges a share that its target sent.
    bool IsAnswer() const
    {
        return (copy & ANSWER) != 0;
    }

    /// True if the message is not a share but announces a sensitivity (see MaxConsensus).
    bool IsAnnouncement() const
    {
        return chunk == ANNOUNCEMENT;
    }
};

} // namespace dpdl

#endif // DPDL_ALGORITHM_SHARE_H
