// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_CUDA_DEVICE_OPS_H
#define DPDL_TRAINING_CUDA_DEVICE_OPS_H

#include "example-ops.h"
#include "image-ops.h"
#include "row-ops.h"
#include "state-ops.h"
#include "value-ops.h"

#include <variant>

namespace dpdl
{
namespace cuda
{

/// All operations that are called once for each of many indices, in any order.
using IndexOp = std::variant<AddValues,
                             ClipExamples,
                             CutWindows,
                             FillBias,
                             JoinWindows,
                             LeaveOut,
                             LoadImages,
                             MixRows,
                             PoolBackward,
                             PoolForward,
                             ProbeMix,
                             Rectify,
                             RectifyGradient,
                             ScaleExamples,
                             ScoreExamples,
                             SumExamples,
                             SumWindows,
                             SwapAxes,
                             Tangent,
                             TangentGradient,
                             UpdateStates,
                             ZeroSums>;

/// All operations that sum up rows.
using RowOp = std::variant<RowSums, SquaredNorms>;

} // namespace cuda
} // namespace dpdl

#endif // DPDL_TRAINING_CUDA_DEVICE_OPS_H
