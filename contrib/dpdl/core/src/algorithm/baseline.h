// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_ALGORITHM_BASELINE_H
#define DPDL_ALGORITHM_BASELINE_H

#include "dpdl/algorithm/algorithm-preset.h"

namespace dpdl
{

/**
 * @brief What the baselines have in common: private algorithms of other systems, re-implemented
 *        without their servers. Nothing is claimed for them: what their papers claim is not of
 *        this.
 * @param stepSize gamma
 * @param clip C
 */
AlgorithmPreset BaselinePreset(double stepSize, double clip);

/// The same for a node that releases the whole of what it did, clipped to C: see ReleaseMean().
AlgorithmPreset WholeUpdatePreset(double stepSize, double clip);

} // namespace dpdl

#endif // DPDL_ALGORITHM_BASELINE_H
