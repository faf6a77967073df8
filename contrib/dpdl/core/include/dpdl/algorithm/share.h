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
 * The pair (z, mass) represents the numerator x = mass * z of push-sum. `z` references immutable
 * parameters, so a share copies none.
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
    /// If the state is sent as a difference: round of the earlier message on the same link whose
    /// state is subtracted; FROM_START: the initial state is subtracted. Not used otherwise.
    Round reference{FROM_START};

    /// Value of `reference` for a difference to the initial state, which all nodes have.
    static constexpr Round FROM_START = std::numeric_limits<Round>::max();

    /// Value of `chunk` in a sensitivity announcement: it carries one number in `mass` and no
    /// parameters.
    static constexpr std::uint16_t ANNOUNCEMENT = 0xffff;

    /// Bit of `copy` that marks an acknowledgement. The other bits are the index of the
    /// acknowledged transmission.
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
