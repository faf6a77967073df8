// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_SRC_AUDIT_STREAMS_H
#define DPDL_SRC_AUDIT_STREAMS_H

#include "dpdl/base/random.h"

#include <cstdint>

namespace dpdl
{

/// Use of a random stream of the purpose AUDIT; replaces the node number in its name.
enum class AuditStream : std::uint32_t
{
    NOISE_WITHOUT = 0, ///< noise of the runs without the canary
    NOISE_WITH = 1,    ///< noise of the runs with the canary
    INCLUSION = 2,     ///< steps that include the canary
    SURE_WITHOUT = 3,  ///< the single normal of all certain steps, without the canary
    SURE_WITH = 4,     ///< the same, with the canary
    COINS = 5,         ///< coins for the canaries of a one-run game
    ZERO_MODEL = 6,    ///< the model before the step of the zero-gradient event
    ZERO_NOISE = 7,    ///< the noise of that step
    SCALAR_NOISE = 8,  ///< the Laplace noise of the broadcast-scalar game
    SCALAR_COINS = 9,  ///< the choice between the two vectors of that game
    NORM_WITHOUT = 10, ///< squared norm of a released vector
    NORM_WITH = 11,    ///< the same under the other hypothesis
};

/// Stream of run @p run.
inline RandomStream
StreamOf(RandomSeed seed, AuditStream stream, std::uint32_t run)
{
    return {seed, RandomPurpose::AUDIT, static_cast<NodeId>(stream), run};
}

} // namespace dpdl

#endif // DPDL_SRC_AUDIT_STREAMS_H
