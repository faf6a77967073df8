// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#include "dpdl/network/failure-sentence.h"

namespace dpdl
{

std::string
FailureEventName(FailureKind kind, bool begins)
{
    switch (kind)
    {
    case FailureKind::LINK_DOWN:
        return begins ? "down" : "up";
    case FailureKind::LINK_LOSS:
        return begins ? "loss" : "loss-end";
    case FailureKind::LINK_DELAY:
        return begins ? "delay" : "delay-end";
    case FailureKind::LINK_RATE:
        return begins ? "rate" : "rate-end";
    case FailureKind::LINK_BURST:
        return begins ? "gilbert-elliott" : "gilbert-elliott-end";
    case FailureKind::NODE_PAUSE:
        return begins ? "pause" : "resume";
    case FailureKind::NODE_CRASH:
        return begins ? "crash" : "recover";
    case FailureKind::NODE_SLOW:
        return begins ? "slow" : "slow-end";
    case FailureKind::PARTITION:
        return begins ? "partition" : "partition-end";
    case FailureKind::REGION:
        return begins ? "region" : "region-end";
    case FailureKind::JAM:
        break;
    }
    return begins ? "jam" : "jam-end";
}

} // namespace dpdl
