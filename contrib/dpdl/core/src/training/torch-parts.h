// Copyright (c) 2026 the dpdl authors
// SPDX-License-Identifier: GPL-2.0-or-later

#ifndef DPDL_TRAINING_TORCH_PARTS_H
#define DPDL_TRAINING_TORCH_PARTS_H

#include "dpdl/training/forward-function.h"
#include "dpdl/training/model.h"
#include "net-file.h"

#include <memory>

namespace dpdl
{

/// Size of a vision transformer.
struct VitSize
{
    std::uint32_t patch{4};   ///< rows and columns of a patch
    std::uint32_t layers{4};  ///< number of layers of the encoder
    std::uint32_t heads{4};   ///< number of heads of each attention
    std::uint32_t width{128}; ///< number of values of a token; a multiple of the heads
    /// Number of hidden values between the two linear layers after each attention.
    std::uint32_t hidden{1024};
};

/**
 * @brief A vision transformer like that of torchvision, without dropout.
 *
 * Its parts are class token with patches, encoder, linear layer.
 * @throws UsageError if the patches do not tile the image
 */
ModelSpec MakeVit(const std::string& name,
                  const VitSize& size,
                  ImageShape input,
                  std::uint32_t classes);

/// The vision transformer of PartPSP: patches of 4 x 4, four layers of four heads, width 128,
/// hidden 1024.
ModelSpec MakeVitS(ImageShape input, std::uint32_t classes);

/**
 * @brief ResNet-18 for small images: a stem of one 3 x 3 convolution with stride 1, no pool, group
 *        normalisation.
 *
 * Its parts are stem with first stage, second, third, fourth stage, linear layer.
 * @throws UsageError if the images are smaller than 8 x 8
 */
ModelSpec MakeResNet18(ImageShape input, std::uint32_t classes);

/// MakeResNet18() with batch normalisation; it declares batch statistics.
ModelSpec MakeResNet18BatchNorm(ImageShape input, std::uint32_t classes);

/// MakeResNet18() with the stem for ImageNet: 7 x 7 with stride 2, then a pool of 3 x 3 with stride
/// 2. Grey images are repeated to three channels.
ModelSpec MakeResNet18ImageNet(ImageShape input, std::uint32_t classes);

/// Makes the recorded LibTorch function of a model file with any kind of layer. @param net is
/// copied
std::shared_ptr<const ForwardFunction> MakeNetFunction(const Net& net);

/**
 * @brief Makes the model of a TorchScript file, with its weights as start.
 *
 * The flat vector holds each parameter that learns once, in the order of the script. Consecutive
 * tensors of one layer are a part.
 * @throws UsageError if LibTorch cannot read the file, or it does not give such logits
 */
ModelSpec MakeScriptModel(const ScriptFile& file);

} // namespace dpdl

#endif // DPDL_TRAINING_TORCH_PARTS_H
