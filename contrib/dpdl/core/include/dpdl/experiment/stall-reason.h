// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_EXPERIMENT_STALL_REASON_H
#define DPDL_EXPERIMENT_STALL_REASON_H

#include "dpdl/algorithm/learner.h"

#include <memory>
#include <string>
#include <vector>

namespace dpdl
{

/**
 * @brief Why nodes that have not crashed have not done all their rounds.
 * @param learners by node
 * @param hasFinished a node of another rank has done its rounds, or none needs to
 * @return one line that names one of the nodes and whom it waits for; "" if there is none
 */
std::string StallReasonOf(const std::vector<std::unique_ptr<Learner>>& learners,
                          bool hasFinished = false);

} // namespace dpdl

#endif // DPDL_EXPERIMENT_STALL_REASON_H
