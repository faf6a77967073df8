// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_COMPRESSORS_H
#define DPDL_TRAINING_COMPRESSORS_H

#include "dpdl/training/compressor.h"

namespace dpdl
{

/**
 * @file
 * @brief Factories of the compressors that MakeCompressor() describes.
 */

/// `quantize:BITS`. @param bits 2 to 16
std::shared_ptr<const Compressor> MakeQuantizer(unsigned bits, RandomSeed seed);

/// `top-k:F`. @param part F
std::shared_ptr<const Compressor> MakeTopK(double part);

/// `random-k:F`. @param part F
std::shared_ptr<const Compressor> MakeRandomK(double part, RandomSeed seed);

} // namespace dpdl

#endif // DPDL_TRAINING_COMPRESSORS_H
