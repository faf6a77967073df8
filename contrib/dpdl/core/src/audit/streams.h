// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_SRC_AUDIT_STREAMS_H
#define DPDL_SRC_AUDIT_STREAMS_H

#include "dpdl/base/random.h"

#include <cstdint>

namespace dpdl
{

/// What a stream of the purpose AUDIT is for; takes the place of the node in its name.
enum class AuditStream : std::uint32_t
{
    NOISE_WITHOUT = 0, ///< noise of the runs without the canary
    NOISE_WITH = 1,    ///< noise of the runs with it
    INCLUSION = 2,     ///< which steps hold the canary
    SURE_WITHOUT = 3,  ///< the one normal of all sure steps, without the canary
    SURE_WITH = 4,     ///< the same with it
    COINS = 5,         ///< which canaries of a one-run game are there
    ZERO_MODEL = 6,    ///< the model before the step of the zero-gradient event
    ZERO_NOISE = 7,    ///< the noise of that step
    SCALAR_NOISE = 8,  ///< the Laplace noise beside a broadcast scalar
    SCALAR_COINS = 9,  ///< which of two vectors was sent beside it
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
