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

/// Sizes of a vision transformer.
struct VitSize
{
    std::uint32_t patch{4};   ///< height and width of a patch, in pixels
    std::uint32_t layers{4};  ///< number of layers of the encoder
    std::uint32_t heads{4};   ///< number of heads of each attention
    std::uint32_t width{128}; ///< number of values of a token; a multiple of `heads`
    /// Number of values between the two linear layers of each encoder layer.
    std::uint32_t hidden{1024};
};

/**
 * @brief Makes a vision transformer like that of torchvision, without dropout.
 *
 * The model has three parts: class token and patch convolution, encoder, linear layer.
 * @throws UsageError if height or width of the images is not a multiple of the patch
 */
ModelSpec MakeVit(const std::string& name,
                  const VitSize& size,
                  ImageShape input,
                  std::uint32_t classes);

/// Makes the vision transformer of PartPSP (Zhou, Xue and Chen, arXiv:2602.11544): patches of 4 x 4
/// pixels, four encoder layers with four heads, tokens of 128 values, 1024 hidden values.
ModelSpec MakeVitS(ImageShape input, std::uint32_t classes);

/**
 * @brief Makes ResNet-18 for small images. The stem is one 3 x 3 convolution with stride 1 without
 *        a pool, and normalisation is over groups of channels.
 *
 * The model has five parts: stem and first stage, the three further stages, linear layer.
 * @throws UsageError if the images are smaller than 8 x 8
 */
ModelSpec MakeResNet18(ImageShape input, std::uint32_t classes);

/// Makes the model of MakeResNet18() with batch normalisation; ModelSpec::hasBatchStatistics is
/// true.
ModelSpec MakeResNet18BatchNorm(ImageShape input, std::uint32_t classes);

/// Makes the model of MakeResNet18() with the stem for ImageNet: a 7 x 7 convolution with stride 2,
/// then a 3 x 3 max pool with stride 2. Images with one channel are repeated to three channels.
ModelSpec MakeResNet18ImageNet(ImageShape input, std::uint32_t classes);

/// Makes the LibTorch function of a model file.
/// @param net content of the file; copied
std::shared_ptr<const ForwardFunction> MakeNetFunction(const Net& net);

/**
 * @brief Makes the model of a TorchScript file, with the weights in the file as initial parameters.
 *
 * The flat parameter vector holds each trainable parameter once, in the order of the script.
 * Consecutive tensors of one layer form a part.
 * @throws UsageError if LibTorch cannot read the file, or the script does not return logits
 *        [examples, classes]
 */
ModelSpec MakeScriptModel(const ScriptFile& file);

} // namespace dpdl

#endif // DPDL_TRAINING_TORCH_PARTS_H
