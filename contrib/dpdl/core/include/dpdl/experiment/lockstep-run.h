// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_EXPERIMENT_LOCKSTEP_RUN_H
#define DPDL_EXPERIMENT_LOCKSTEP_RUN_H

#include "dpdl/experiment/experiment.h"

namespace dpdl
{

/**
 * @brief Runs an experiment without a simulator: all nodes in lockstep, every share arrives at
 *        once.
 *
 * It is the bit-identical reference for a simulated run over a perfect network, and the only driver
 * without ns-3. A local step takes its simulated time, a message takes none. Nodes lie as in a
 * simulation; other failures have no effect.
 *
 * @param experiment a built experiment; it is finished and its trace closed on return
 */
void LockstepRun(Experiment& experiment);

} // namespace dpdl

#endif // DPDL_EXPERIMENT_LOCKSTEP_RUN_H
