// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_EXPERIMENT_LOCKSTEP_RUN_H
#define DPDL_EXPERIMENT_LOCKSTEP_RUN_H

#include "dpdl/experiment/experiment.h"

namespace dpdl
{

/**
 * @brief Runs an experiment without a simulator: all nodes in step, every share arrives at once.
 *
 * The reference that a simulated run over a perfect network has to equal bit for bit, and the way
 * to run where there is no ns-3. A local step takes its simulated time, a message none. Of the
 * failures nodes lie as they do in a simulation; the others have no effect.
 *
 * @param experiment a built experiment; it is finished and its trace closed on return
 */
void LockstepRun(Experiment& experiment);

} // namespace dpdl

#endif // DPDL_EXPERIMENT_LOCKSTEP_RUN_H
