// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_ALGORITHM_LOSS_POLICY_H
#define DPDL_ALGORITHM_LOSS_POLICY_H

#include "dpdl/base/registry.h"

namespace dpdl
{

/// What becomes of a share that the network drops.
enum class LossPolicy
{
    NONE,        ///< its mass is gone
    RUNNING_SUM, ///< the next message of the same link brings it
    RELIABLE,    ///< it is sent again; its mass is gone when the transport gives up
    REFUND,      ///< its sender takes its mass back when it learns of the loss
    RENORMALISE, ///< every node sets its w to 1 when it has mixed: what is lost is not missed
};

/// Why a message never arrives as it was sent.
enum class DropReason
{
    DROPPED, ///< the network lost it
    CORRUPT, ///< it arrived damaged and was thrown away
    SILENT,  ///< the transport gave it up; LATE follows if it arrives after all
    LATE,    ///< it arrived intact after SILENT and was thrown away
};

/// All loss policies, by the name that option `lossPolicy` and traces use.
const Registry<LossPolicy>& LossPolicies();

} // namespace dpdl

#endif // DPDL_ALGORITHM_LOSS_POLICY_H
