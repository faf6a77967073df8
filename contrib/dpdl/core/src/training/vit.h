// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_VIT_H
#define DPDL_TRAINING_VIT_H

#include "dpdl/training/model.h"

namespace dpdl
{

/// Size of a vision transformer.
struct VitSize
{
    std::uint32_t patch{4};     ///< rows and columns of a patch
    std::uint32_t layers{4};    ///< of the encoder
    std::uint32_t heads{4};     ///< of each attention
    std::uint32_t width{128};   ///< of a token; a multiple of the heads
    std::uint32_t hidden{1024}; ///< of the two linear layers behind each attention
};

/**
 * @brief A vision transformer as torchvision has it, without dropout.
 *
 * Its parts are class token with patches, encoder, linear layer.
 * @throws UsageError if patches do not cover the image
 */
ModelSpec MakeVit(const std::string& name,
                  const VitSize& size,
                  ImageShape input,
                  std::uint32_t classes);

/// The one of PartPSP: patches of 4 x 4, four layers of four heads, width 128, hidden 1024.
ModelSpec MakeVitS(ImageShape input, std::uint32_t classes);

} // namespace dpdl

#endif // DPDL_TRAINING_VIT_H
